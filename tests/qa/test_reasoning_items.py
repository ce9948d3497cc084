"""What every vignette must be: a case of its own, decided by a figure that its tables give."""

import ast
import re
from collections import Counter
from decimal import Decimal
from functools import cache
from itertools import combinations

import pytest
from bizgym.envs.qa.answers import Verdict
from bizgym.envs.qa.authored import LETTERS, authored_items, letters_for
from bizgym.envs.qa.grading import grade
from bizgym.envs.qa.programs import ProgramError, operations, own_numbers, reckon, run_program
from bizgym.envs.qa.tables import tables_of

pytestmark = pytest.mark.sandbox
ITEMS = authored_items("complex_reasoning")
TRICKY = [item for item in ITEMS if item.band != "easy"]
FEWEST_WORDS, MOST_WORDS = 80, 350
LARGEST_OVERLAP = 0.3
CLEARLY_OFF = 0.03
by_name = pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.meta["name"])


@cache
def figure_of(number):
    return run_program(ITEMS[number].program, ITEMS[number].sections)


def figure(item):
    return figure_of(ITEMS.index(item))


def context(item):
    return "\n".join(section.text for section in item.sections)


def numbers_in(tables):
    return {
        (table, row, column)
        for table, rows in tables.items()
        for row, values in rows.items()
        for column, value in values.items()
        if not isinstance(value, str)
    }


def five_grams(text):
    found = re.findall(r"[a-z0-9]+", text.lower())
    return {tuple(found[k : k + 5]) for k in range(len(found) - 4)}


def test_forty_of_each_band_twenty_four_of_them_to_train_on():
    assert Counter((item.band, item.split) for item in ITEMS) == {
        (band, split): n for band in ("easy", "middle", "hard") for split, n in (("train", 24), ("test", 16))
    }


def test_seventeen_fields_and_none_is_of_one_split_only():
    fields = {item.family for item in ITEMS}
    assert len(fields) == 17
    assert {(item.family, item.split) for item in ITEMS} == {(f, s) for f in fields for s in ("train", "test")}


@by_name
def test_the_case_is_told_in_a_page_and_holds_a_table(item):
    told = [word for word in context(item).split() if re.search(r"\w", word)]
    assert FEWEST_WORDS <= len(told) <= MOST_WORDS
    assert tables_of(item.sections)


@by_name
def test_the_key_follows_from_the_figure(item):
    left = letters_for(item, figure(item))
    assert item.answer.value in left
    assert len(left) < len(item.answer.options)


def test_in_three_cases_of_four_the_figure_alone_leaves_one_option():
    assert sum(letters_for(item, figure(item)) == item.answer.value for item in ITEMS) >= 0.75 * len(ITEMS)


@by_name
def test_every_figure_comes_by_reference(item):
    assert own_numbers(item.program) == []


@by_name
def test_a_program_fails_without_any_row_that_it_reads(item):
    tables = tables_of(item.sections)
    for table, row in {(table, row) for table, row, _ in reckon(item.program, tables).reads}:
        rest = {name: {k: v for k, v in rows.items() if (name, k) != (table, row)} for name, rows in tables.items()}
        with pytest.raises(ProgramError):
            reckon(item.program, rest)


@by_name
def test_features_are_those_of_the_program(item):
    tables = tables_of(item.sections)
    reads = set(reckon(item.program, tables).reads)
    assert item.features.evidence == len(reads)
    assert item.features.distractors == len(numbers_in(tables) - reads)
    statements = [ast.unparse(each) for each in ast.parse(item.program).body]
    assert item.features.steps == sum(operations(each) > 0 for each in statements)


@pytest.mark.parametrize("item", TRICKY, ids=lambda item: item.meta["name"])
def test_a_common_mistake_leads_to_a_wrong_option(item):
    mistakes = item.meta["figures"]
    for letter, mistaken in mistakes.items():
        left = letters_for(item, Decimal(str(mistaken)))
        assert letter in left
        assert item.answer.value not in left
        assert abs(float(figure(item)) - mistaken) > CLEARLY_OFF * abs(float(figure(item)))
    assert mistakes


@by_name
def test_every_option_has_a_reason_of_its_own_and_one_is_right(item):
    right = [reason.startswith("Right: ") for reason in item.reasons]
    assert [LETTERS[k] for k, is_right in enumerate(right) if is_right] == [item.answer.value]
    assert len(set(item.reasons)) == len(item.answer.options)
    assert item.explanation


@by_name
@pytest.mark.parametrize("profile", ["paper", "strict"])
def test_the_scorer_takes_the_key_and_nothing_else(item, profile):
    for letter, text in zip(LETTERS, item.answer.options, strict=False):
        for reply in (letter, text):
            verdict = grade(reply, item.answer, profile)
            assert isinstance(verdict, Verdict)
            assert verdict.correct is (letter == item.answer.value), reply


def test_no_case_is_a_near_copy_of_another():
    grams = [(item.meta["name"], five_grams(context(item))) for item in ITEMS]
    overlap = {(a, b): len(one & other) / len(one | other) for (a, one), (b, other) in combinations(grams, 2)}
    assert max(overlap.values()) < LARGEST_OVERLAP


def test_no_name_and_no_question_with_its_case_stands_twice():
    assert len({item.meta["name"] for item in ITEMS}) == len(ITEMS)
    assert len({item.question + context(item) for item in ITEMS}) == len(ITEMS)

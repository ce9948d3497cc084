"""The families of computed questions: each has two computations that agree, wordings of its own and honest features."""

import re

import numpy as np
import pytest
from bizgym.envs.qa.families.cases import draft_of
from bizgym.envs.qa.families.checks import SECOND
from bizgym.envs.qa.families.checks.derived import LINES
from bizgym.envs.qa.families.drawing import FIRST_YEAR, LAST_YEAR, words
from bizgym.envs.qa.families.filing_spec import filing_families
from bizgym.envs.qa.families.gates import Disagreement, Refused, to_item
from bizgym.envs.qa.families.reading import Asker
from bizgym.envs.qa.families.spec import families, family_files
from bizgym.envs.qa.filings import generate
from bizgym.envs.qa.generated import case_item
from bizgym.envs.qa.programs import operations, own_numbers

pytestmark = pytest.mark.sandbox
PLACE = re.compile(r"\{[a-z_0-9*]*\}")
CASES, REPORTS = sorted(families()), sorted(filing_families())


def drawn(name, seed, split="train"):
    return case_item(name, np.random.default_rng([77, seed]), split, "nc-probe")


def texts(item):
    return [item.question, item.explanation, item.program, *(s.title + s.text for s in item.sections)]


def test_there_are_as_many_families_as_a_set_of_its_size_needs():
    assert len(CASES) >= 60
    assert len(REPORTS) >= 20
    assert len(family_files()) >= 6


def test_every_family_has_a_second_computation_and_none_is_left_over():
    assert sorted(SECOND) == CASES
    asked = {target.line for family in filing_families().values() for target in family.targets}
    assert asked <= set(LINES)


@pytest.mark.parametrize("name", CASES)
def test_a_family_holds_over_many_draws(name):
    items = [drawn(name, seed) for seed in range(12)]
    assert len({item.answer.value for item in items}) > 6
    assert len({item.band for item in items}) == 1
    for item in items:
        assert not any(PLACE.search(text) for text in texts(item))
        assert len(item.near_misses) >= 3


@pytest.mark.parametrize("name", CASES + REPORTS)
def test_a_family_is_asked_in_three_ways_or_more(name):
    family = families().get(name) or filing_families()[name]
    assert len({question.casefold() for question in family.questions}) == len(family.questions) >= 3
    words_of = [set(re.findall(r"[a-z]+", question.casefold())) for question in family.questions]
    for k, one in enumerate(words_of):
        for other in words_of[k + 1 :]:
            assert len(one & other) < 0.85 * len(one | other)


@pytest.mark.parametrize("name", CASES)
def test_a_family_claims_no_more_steps_than_its_program_takes(name):
    family = families()[name]
    assert own_numbers(family.program) == []
    assert 1 <= family.features.steps <= operations(family.program)


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_family_claims_no_more_steps_than_its_program_takes(name):
    steps = filing_families()[name].features.steps
    program = str(next(ask(name)).program)
    assert steps <= operations(program)
    assert (steps == 0) == (operations(re.sub(r" [*/] 1000$", "", program.lstrip("-"))) == 0)


def ask(name):
    """Give drafts of a family on reports that answer it."""
    for seed in range(700_000, 700_040):
        try:
            yield Asker(filing_families()[name], generate(seed), np.random.default_rng(seed)).draft()
        except Refused:
            continue


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_family_agrees_with_the_books_of_many_reports(name):
    found, refused = [], 0
    for draft in ask(name):
        try:
            found.append(to_item(draft, "ie-probe", "train"))
        except Refused:
            refused += 1
        if len(found) == 6:
            break
    assert len(found) == 6
    assert refused <= 12
    for item in found:
        assert not any(PLACE.search(text) for text in texts(item)[:3])
        assert not any(PLACE.search(each.why) for each in item.near_misses)


def test_a_second_computation_that_differs_stops_the_build(monkeypatch):
    monkeypatch.setitem(SECOND, "current_ratio", lambda p: p["assets"] / (p["liabilities"] + 1))
    with pytest.raises(Disagreement, match="current_ratio"):
        drawn("current_ratio", 1)


def test_an_answer_that_stands_in_a_table_or_between_two_roundings_is_refused():
    draft = draft_of(families()["npv_year_end"], np.random.default_rng(5), "train")
    rows = draft.sections[0].model_copy(update={"text": draft.sections[0].text + f"\n| Luck | {draft.second:,.0f} |"})
    with pytest.raises(Refused, match="luck"):
        to_item(type(draft)(**{**vars_of(draft), "sections": [rows]}), "nc-probe", "train")


def vars_of(draft):
    return {name: getattr(draft, name) for name in draft.__slots__}


def test_companies_and_years_are_drawn_apart_and_no_company_is_in_both_splits():
    assert FIRST_YEAR < LAST_YEAR
    assert len(set(words().first)) == len(words().first)
    heads = {
        split: {drawn("gross_margin", seed, split).sections[0].title.rsplit(":", 1)[0] for seed in range(40)}
        for split in ("train", "test")
    }
    assert not heads["train"] & heads["test"]
    first = {split: {name.split()[0] for name in found} for split, found in heads.items()}
    assert not first["train"] & first["test"]
    assert len(heads["train"]) > 30

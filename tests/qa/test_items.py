"""The computed part of the embedded set: every claim on it holds, and every claim can fail."""

from collections import Counter
from decimal import Decimal

import pytest
from bizgym.agents.baselines.qa import Majority, TableLookup
from bizgym.envs.qa import proofs
from bizgym.envs.qa.difficulty import BANDS, band_of, difficulty
from bizgym.envs.qa.generated import COMPUTED
from bizgym.envs.qa.grading import grade
from bizgym.envs.qa.items import CAPABILITIES, NearMiss
from bizgym.envs.qa.programs import standalone
from bizgym.envs.qa.sandbox import run
from bizgym.envs.qa.store import filing_sections, read_items
from bizgym.envs.qa.tasks import task_of_item

pytestmark = pytest.mark.sandbox
ITEMS = {capability: read_items(capability) for capability in COMPUTED}
ALL = [item for items in ITEMS.values() for item in items]
CLAIMS = (
    "computed_twice",
    "read_by_reference",
    "near_misses_are_wrong",
    "features_are_counted",
    "splits_share_nothing",
)


def failures(name, items):
    return [each for each in getattr(proofs, name)(items) if each[1]]


@pytest.mark.parametrize("name", CLAIMS)
def test_a_claim_holds_on_what_is_shipped(name):
    assert list(getattr(proofs, name)(ALL))
    assert failures(name, ALL) == []


@pytest.mark.parametrize("capability", COMPUTED)
def test_forty_in_each_band_of_which_twenty_four_train(capability):
    counts = Counter((item.band, item.split) for item in ITEMS[capability])
    assert counts == {(band, split): n for band in BANDS for split, n in (("train", 24), ("test", 16))}
    initials = "ie" if capability == "information_extraction" else "nc"
    assert [item.item_id for item in ITEMS[capability]] == [
        f"{initials}-{b}-{k:02d}" for b in BANDS for k in range(1, 41)
    ]
    assert all(band_of(difficulty(item.features)) == item.band for item in ITEMS[capability])


@pytest.mark.parametrize("profile", ["paper", "strict"])
def test_the_stored_answer_is_right_under_both_profiles(profile):
    assert [item.item_id for item in ALL if not grade(str(item.answer.value), item.answer, profile).correct] == []


@pytest.mark.parametrize("profile", ["paper", "strict"])
def test_the_stored_program_answers_where_code_is_asked_for(profile):
    asked = [item for item in ALL if item.answer.kind == "program"]
    assert len(asked) >= 40
    for item in asked:
        done = run(standalone(item.program, item.sections))
        assert grade(done.value, item.answer, profile).correct, (item.item_id, done)


def test_three_mistakes_for_every_item_each_with_its_reason():
    assert all(len(item.near_misses) >= 3 for item in ALL)
    assert all(len({each.why for each in item.near_misses}) == len(item.near_misses) for item in ALL)


def test_tolerances_are_those_of_the_kind():
    for item in ALL:
        answer = item.answer
        if answer.kind == "number":
            assert (answer.rel_tol, answer.abs_tol) == (0, 1e-6)
        elif answer.kind == "program":
            assert (answer.rel_tol, answer.abs_tol, item.code) == (0.01, 1e-6, True)
        else:
            assert Decimal(str(answer.abs_tol)) == Decimal(5).scaleb(answer.number.adjusted() - 4)
            assert item.question.endswith("Give the answer to four significant digits.")


def test_a_question_on_money_says_in_what_it_is_answered():
    words = {1000: "thousand", 1_000_000: "million"}
    for item in ALL:
        if item.answer.unit and len(item.answer.unit) == 3 and item.answer.unit.isupper():
            assert item.answer.unit in item.question, item.item_id
        if item.answer.scale > 1:
            assert words[item.answer.scale] in item.question, item.item_id
        if item.answer.unit == "percent":
            assert "per cent" in item.question or "percent" in item.question, item.item_id


@pytest.mark.parametrize("capability", COMPUTED)
@pytest.mark.parametrize("player", ["lookup", "first"])
def test_reading_the_surface_gets_nowhere_on_middle_and_hard(capability, player):
    asked = [item for item in ITEMS[capability] if item.band != "easy"]
    right = 0
    for item in asked:
        context = "\n\n".join(section.text for section in item.sections)
        reader = TableLookup() if player == "lookup" else Majority()
        right += bool(grade(reader._answer(context, item.question), item.answer).correct)
    assert right <= 0.10 * len(asked)


def test_the_words_of_the_question_find_some_easy_cells():
    easy = [item for item in ITEMS["information_extraction"] if item.band == "easy"]
    found = [TableLookup()._answer(item.sections[0].text, item.question) for item in easy]
    assert sum(bool(grade(each, item.answer).correct) for each, item in zip(found, easy, strict=True)) >= 8


def test_reports_are_used_evenly_and_whole():
    uses = Counter(item.meta["filing"] for item in ITEMS["information_extraction"])
    assert len(uses) == 30
    assert max(uses.values()) - min(uses.values()) <= 3
    for item in ITEMS["information_extraction"]:
        stored = filing_sections(item.meta["filing"])
        assert all(stored[section.section_id] == section for section in item.sections)


def changed(item, **fields):
    return item.model_copy(update=fields)


def answering(item, value):
    return changed(item, answer=item.answer.model_copy(update={"value": value}))


ITEM = next(item for item in ALL if item.family == "npv_year_end")
PAIR = (changed(ITEM, split="train"), changed(ITEM, split="test"))
BROKEN = {
    "computed_twice": [answering(ITEM, str(ITEM.answer.number * Decimal("1.02")))],
    "read_by_reference": [changed(ITEM, program=ITEM.program.replace('"Rate") / 100', '"Rate") * 0 + 0.0875'))],
    "near_misses_are_wrong": [changed(ITEM, near_misses=[NearMiss(value=str(ITEM.answer.value), why="the gold")])],
    "features_are_counted": [changed(ITEM, features=ITEM.features.model_copy(update={"evidence": 9}))],
    "cells_are_balanced": [ITEM],
    "splits_share_nothing": list(PAIR),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_claim_fails_where_it_should(name):
    assert failures(name, BROKEN[name]) != []


def test_the_claims_are_made_of_tasks_and_of_the_whole_set():
    found = proofs.claims(None)
    assert list(found) == [*proofs.ON_TASKS, *proofs.ON_THE_SET]
    tasks = [task_of_item(ITEM)]
    for claim in found.values():
        assert [each for each in claim(tasks) if each[1]] == []


@pytest.mark.parametrize("capability", CAPABILITIES)
def test_a_twin_has_another_answer_and_looks_the_same(capability):
    for item in read_items(capability)[::20]:
        twin = proofs.hidden_twin(task_of_item(item), 0).item
        assert not grade(str(item.answer.value), twin.answer).correct
        assert (twin.question, twin.sections, twin.answer.options) == (
            item.question,
            item.sections,
            item.answer.options,
        )
        assert (twin.program, twin.near_misses, twin.reasons) == (None, [], [])


def test_a_program_that_does_not_need_a_row_is_found_out():
    program = 'try:\n    x = cell("terms", "Discount rate", "Rate")\nexcept KeyError:\n    x = 1\nx'
    assert failures("read_by_reference", [changed(ITEM, program=program)]) != []


def test_a_key_that_its_figure_does_not_leave_open_is_found_out():
    choice = next(item for item in read_items("complex_reasoning") if item.meta.get("decides"))
    assert failures("keys_hold", [choice]) == []
    wrong = next(letter for letter in choice.meta["decides"] if letter != choice.answer.value)
    assert failures("keys_hold", [answering(choice, wrong)]) != []
    assert failures("keys_hold", [changed(choice, reasons=choice.reasons[:-1])]) != []

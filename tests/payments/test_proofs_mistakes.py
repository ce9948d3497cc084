"""Mistakes on the reference path, counterexamples among them, and checks that nothing breaks."""

import pytest
from bizgym.envs.core.data import validate
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.checks.spec import CheckSpec
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.proofs.beliefs import mistaken, rows_in_use
from bizgym.envs.payments.proofs.counterexamples import faults, played, search, tried
from bizgym.envs.payments.proofs.mistakes import OPERATORS, Ground, mistakes
from bizgym.envs.payments.proofs.play import Act, names_of, play, reference
from bizgym.envs.payments.proofs.support import meets
from bizgym.envs.payments.proofs.values import replaced
from bizgym.envs.payments.proofs.variations import folded, inserted, moved, unfolded, varied, whole, without
from bizgym.envs.payments.tasks import PaymentTask

from tests.payments.sound import ground, proven_task, searched, sound_task
from tests.payments.workflows import content, task

SMALL = Ground(task(), content().setting(task()))
OPEN_APPROVAL, ASK_APPROVAL = 11, 12
CANNOT_FAIL = {"id": "F9", "kind": "protection", "text": "No account is in debt.", "form": {
    "always": {"ge": [{"field": ["ACC-4", "balance"]}, {"minor": 0, "currency": "USD"}]}}}  # fmt: skip


def broken(parts, on=SMALL):
    return set(played(on, parts).broken)


def test_the_search_finds_a_counterexample_of_every_check_that_can_be_broken_alone():
    assert [each.breaks for each in searched().found] == ["G1", "G2", "P1", "P2", "P3", "P4", "P5", "F2"]
    assert searched().vacuous == ()
    assert searched().entangled == ("F1",)


@pytest.mark.parametrize("found", searched().found, ids=lambda found: found.breaks)
def test_a_counterexample_breaks_exactly_its_check(found):
    assert played(ground(), unfolded(found.plays)).broken == {found.breaks}


def test_an_entangled_check_is_broken_only_together_with_others():
    """90.00 for the fast route would leave 970.00 of 1,000.00, but nobody has approved that route."""
    dear = [set(each.broken) for each in tried(SMALL) if "F1" in each.broken]
    assert dear
    assert all(each >= {"F1", "P1"} for each in dear)


def test_a_check_that_nothing_breaks_is_vacuous():
    checks = [*task().checks, CheckSpec.model_validate(CANNOT_FAIL)]
    found = search(Ground(task().changed(checks=checks), content().setting(task())))
    assert found.vacuous == ("F9",)
    assert found.entangled == ("F1",)


def test_stored_counterexamples_are_tested():
    proven = Ground(proven_task(), content().setting(proven_task()))
    assert [why for _, why in faults(proven)] == [""] * 8
    first, second, *_ = proven_task().counterexamples
    wrong = [first.changed(breaks="P3"), second.changed(plays=folded(whole(sound_task())))]
    found = list(faults(Ground(sound_task().changed(counterexamples=wrong), content().setting(task()))))
    assert [why for _, why in found] == ["breaks G1, not P3 alone", "breaks nothing, not G2 alone"]


def test_a_task_with_counterexamples_reads_from_data():
    stored = proven_task().model_dump(mode="json")
    assert validate(PaymentTask, stored, "file") == proven_task()
    stored["counterexamples"][0]["breaks"] = "P77"
    with pytest.raises(DataError, match=r"counterexamples.0.breaks: there is no check 'P77'"):
        validate(PaymentTask, stored, "file")


@pytest.mark.parametrize("operator", OPERATORS)
def test_every_operator_changes_the_path_and_the_changes_are_its_own(operator):
    found = [parts for name, parts in mistakes(SMALL) if name == operator]
    assert found
    assert all(parts != SMALL.parts for parts in found)


@pytest.mark.parametrize(
    ("operator", "breaks"),
    [
        ("superseded_value", {"P2"}),
        ("stale_terms", {"P1"}),
        ("without_consent", {"P2"}),
        ("delay", {"P3"}),
        ("advance", {"P1"}),
        ("dawdle", {"P4"}),
        ("bystander", {"F2"}),
        ("sibling", {"P5"}),
    ],
)
def test_an_operator_makes_the_mistake_that_it_is_called_after(operator, breaks):
    assert breaks in [set(each.broken) for each in tried(SMALL) if each.mistake.operator == operator]


def test_an_act_is_repeated_under_another_key():
    found = [parts for name, parts in mistakes(SMALL) if name == "repeat" and parts[19] == 19]
    added = [part.arguments["arguments"] for parts in found for part in parts if not isinstance(part, int)]
    keys = {each["idempotency_key"] for each in added if "idempotency_key" in each}
    assert keys == {"august-1-again"}


def test_rules_in_use_are_those_whose_values_stand_in_the_path():
    assert [row.id for row in rows_in_use(task(), SMALL.setting, SMALL.golden)] == ["R-FEE-2"]
    assert [(each.right.id, each.wrong.id) for each in mistaken(task(), SMALL.setting, SMALL.golden)] == [
        ("R-FEE-2", "R-FEE-1")
    ]


def test_records_keep_their_names_when_acts_change_places():
    """Two consents are asked for in the other order; the customer is still asked for the one that it was asked for."""
    actions = [*task().goldens[0].actions]
    other = replaced(actions[9], lambda value: "RSV-2" if value == "RSV-1" else value)
    more = task().changed(goldens=[task().goldens[0].changed(actions=[*actions[:11], other, *actions[11:]])])
    golden = reference(more, content().setting(more))
    names = names_of(golden)
    assert (names[9], names[11]) == (("CON-2",), ("CON-3",))
    order = [*range(9), 11, 9, 10, *range(12, 23)]
    found = play(more, content().setting(more), [Act(more.goldens[0].actions[k], k) for k in order], names)
    asked = next(each for each in found.actions if each.arguments.get("text", "").startswith("The fee"))
    assert asked.arguments["asks"] == [{"kind": "approval", "ref": "CON-3"}]
    assert found.strict


def test_parts_fold_and_unfold():
    wait = varied(task().goldens[0].actions[15], None)
    parts = (0, 1, 2, wait, 5, 7, 8)
    assert folded(parts) == ["0-2", wait, "5", "7-8"]
    assert unfolded(folded(parts)) == parts
    with pytest.raises(DataError, match="3-1 runs backwards"):
        unfolded(["3-1"])
    with pytest.raises(DataError, match="no action 22, only 22"):
        played(SMALL, (0, 22))


def test_parts_are_moved_dropped_and_inserted():
    assert moved((0, 1, 2, 3), 1, 3) == (0, 2, 3, 1)
    assert moved((0, 1, 2, 3), 3, 1) == (0, 3, 1, 2)
    assert without((0, 1, 2), 0, 2) == (1,)
    assert inserted((0, 1), 1, 7, 8) == (0, 7, 8, 1)


@pytest.mark.parametrize(
    ("tool", "check", "expected"),
    [
        ("review_start", "F1", True),
        ("notice_send", "F1", False),
        ("notice_send", "G2", True),
        ("notice_send", "F2", True),
        ("reserve_get", "F2", False),
    ],
)
def test_extra_acts_are_those_whose_footprint_meets_the_check(tool, check, expected):
    spec = next(each for each in task().checks if each.id == check)
    assert meets(TOOLS[tool], spec) is expected


def test_a_tool_that_a_check_names_is_among_the_extra_acts():
    forbidden = {"id": "P9", "kind": "process", "text": "No second fee.", "form": {"never": "fee_charge_tariff"}}
    spec = CheckSpec.model_validate(forbidden)
    assert [name for name, tool in TOOLS.items() if meets(tool, spec)] == ["fee_charge_tariff"]

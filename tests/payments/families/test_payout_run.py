"""Family 3: stored tasks are strict, of the promised size, and no act of them is spare."""

from functools import cache

import pytest
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.proofs.cases import case_needs, undecided
from bizgym.envs.payments.proofs.counterexamples import faults, played, superfluous_writes
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.play import reference
from bizgym.envs.payments.proofs.provenance import is_write, unfounded, useless_reads
from bizgym.envs.payments.proofs.variations import replaced_by, unfolded, varied
from bizgym.envs.payments.tasks import Action

TASKS = [each.task_id for each in packaged().tasks if each.family == "payout_run"]
each_case = pytest.mark.parametrize("case", TASKS)


@cache
def ground_of(task_id):
    task = packaged().tasks.get(task_id)
    return Ground(task, packaged().setting(task))


def ground(case):
    return ground_of(case)


def acts(case):
    return [each.arguments["name"] for each in ground(case).actions if is_write(each)]


def asked(case, kind):
    messages = [each.arguments["asks"] for each in ground(case).actions if each.name == "message_user"]
    return [ask["ref"] for asks in messages for ask in asks if ask["kind"] == kind]


@each_case
def test_both_paths_are_strict_without_a_refused_call_and_founded(case):
    task, setting = ground(case).task, ground(case).setting
    assert len(task.goldens) == 2
    for k, golden in enumerate(task.goldens):
        play = reference(task, setting, k)
        assert (play.broken, play.minutes) == (frozenset(), golden.minutes)
        assert [each.code for each in play.shown if each.code] == []
        assert unfounded(golden, play) == []
        assert undecided(task, setting, golden, play) == []


@each_case
def test_every_read_and_every_write_of_the_reference_path_is_needed(case):
    found = ground(case)
    cases = case_needs(found.task, found.setting, found.task.goldens[0], found.golden)
    assert useless_reads(found.task, found.setting, found.task.goldens[0], found.golden, cases) == []
    assert superfluous_writes(found) == []


@each_case
def test_the_reference_path_has_the_size_of_a_long_task(case):
    found = ground(case)
    reads = [each for each in found.actions if each.name == "read_document"]
    assert 60 <= len(found.actions) <= 180
    assert 20 <= len(found.writes) <= 35
    assert 12 <= len(reads) == len(found.task.gold_documents) <= 25
    assert 3 <= len(asked(case, "fact")) <= 8
    assert 2 <= len(asked(case, "approval")) <= 5
    assert set(acts(case)) <= set(found.task.tool_subset) <= set(TOOLS)


@each_case
def test_every_check_has_a_counterexample_that_breaks_it_alone(case):
    found = ground(case)
    assert [each.breaks for each in found.task.counterexamples] == [each.id for each in found.task.checks]
    assert [why for _, why in faults(found) if why] == []


def swept(case):
    """The number of the sweep, and what it keeps."""
    (k,) = [k for k in ground(case).writes if ground(case).actions[k].arguments["name"] == "account_sweep"]
    return k, ground(case).actions[k].arguments["arguments"]["keep"]


@each_case
@pytest.mark.parametrize(("rule", "broken"), [("R-FLOOR-USD-1", "F6"), ("R-FLOOR-USD-3", "G8")])
def test_a_floor_that_is_not_in_force_decides_the_sweep_wrongly(case, rule, broken):
    found = ground(case)
    k, keep = swept(case)
    row = found.setting.rules.rows[rule]
    if case == "payout_kingfisher":
        broken = "F6"  # its own floor is higher than any that is announced for others
    assert row.value.to_json() != keep
    given = {**found.actions[k].arguments["arguments"], "keep": row.value.to_json()}
    wrong = varied(found.actions[k], k, arguments=given)
    assert played(found, replaced_by(found.parts, k, wrong)).broken == {broken}


@each_case
def test_the_bill_that_is_paid_twice_is_one_of_the_morning(case):
    found = ground(case)
    (example,) = [each for each in found.task.counterexamples if each.breaks == "F5"]
    drafts = [each.arguments for each in example.plays if not isinstance(each, str) and each.name == "call_tool"]
    (again,) = [each["arguments"] for each in drafts if each["name"] == "payout_draft"]
    (essential,) = [each.form for each in found.task.checks if each.id == "G1"]
    morning = [each["eq"][0]["field"][0] for each in essential["finally"]["all"]]
    bills = [found.setting.base.records[each] for each in morning]
    assert (again["beneficiary"], again["amount"]) in [(each.beneficiary, each.amount.to_json()) for each in bills]


@each_case
def test_the_fees_of_a_run_that_is_made_later_count_as_well(case):
    """Without the larger consent the evening's run costs more than the customer has agreed to."""
    found = ground(case)
    (example,) = [each for each in found.task.counterexamples if each.breaks == "F5"]
    plays = [each if isinstance(each, str) or each.of is None else str(each.of) for each in example.plays]
    assert played(found, unfolded(plays)).broken == {"F5", "P3"}


def test_the_bill_that_looks_like_a_double_differs_from_it_by_what_the_records_say():
    found = ground("payout_goldenrod")
    records = found.setting.base.records.values()
    bills = {each.id: each for each in records if each.kind == "bill" and each.merchant == found.task.customer}
    paid = [each for each in records if each.kind == "payout" and each.state.value == "settled"]
    (double,) = [each for each in paid if each.bill is None and each.id == "PAY-31"]
    (before,) = [each for each in paid if each.bill is not None and each.amount == bills["BIL-3"].amount]
    assert double.amount == bills["BIL-9"].amount
    assert (before.beneficiary, bills[before.bill].state.value) == (bills["BIL-3"].beneficiary, "paid")
    assert before.execute_at > -found.setting.rules.rows["R-DUPLICATE-1"].value * 24 * 60
    others = [set(each.traps) for each in packaged().tasks if each.family == "payout_run" and each.split != "test"]
    assert set(found.task.traps) - set().union(*others) == {"look_alike"}


def test_a_look_alike_that_is_taken_for_a_double_leaves_an_essential_bill_unpaid():
    found = ground("payout_goldenrod")
    (example,) = [each for each in found.task.counterexamples if each.breaks == "G1"]
    taken = Action(name="call_tool", arguments={"name": "bill_cancel", "arguments": {"bill": "BIL-3"}})
    parts = unfolded(example.plays)
    assert played(found, (varied(taken, None), *parts)).broken == {"G1"}

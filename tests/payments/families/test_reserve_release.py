"""Family 2: the stored golden paths are strict, of the promised size, and nothing is spare."""

import json
from functools import cache

import pytest
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.families import reserve_release
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.proofs.cases import case_needs, undecided
from bizgym.envs.payments.proofs.counterexamples import faults
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.play import reference
from bizgym.envs.payments.proofs.provenance import unfounded, useless_reads
from bizgym.envs.payments.scoring import Played, outcome_of, played

FAMILY = "reserve_release"
TASKS = [each.task_id for each in packaged().tasks if each.family == FAMILY]


@cache
def found(task_id):
    task = packaged().tasks.get(task_id)
    return task, packaged().setting(task)


def calls(task_id, manner=0):
    task, _ = found(task_id)
    return [(each.name, each.arguments) for each in task.goldens[manner].actions]


def business(task_id):
    return [arguments["name"] for name, arguments in calls(task_id) if name == "call_tool"]


def writes(task_id):
    """Places of the business tools that write."""
    return [
        k
        for k, (name, arguments) in enumerate(calls(task_id))
        if name == "call_tool" and TOOLS[arguments["name"]].effect == "write"
    ]


def broken(task_id, history, ok=False):
    """The checks that a history breaks; calls that are refused are passed over unless `ok`."""
    task, setting = found(task_id)
    episode = played(task, setting, [Played(turn, *call, ok) for turn, call in enumerate(history, 1)])
    return {each.id for each in outcome_of(task, setting, episode).checks if not each.passed}


def test_every_task_stores_two_other_right_ways():
    assert [len(found(task_id)[0].goldens) for task_id in TASKS] == [len(reserve_release.MANNERS)] * 4


@pytest.mark.parametrize("task_id", TASKS)
def test_every_path_is_strict_and_none_of_its_calls_is_refused(task_id):
    for manner in range(len(found(task_id)[0].goldens)):
        assert broken(task_id, calls(task_id, manner), ok=True) == set()


@pytest.mark.parametrize("task_id", TASKS)
def test_the_path_is_as_long_as_work_of_this_kind_is(task_id):
    task, _ = found(task_id)
    asked = [each for name, arguments in calls(task_id) if name == "message_user" for each in arguments["asks"]]
    assert 60 <= len(calls(task_id)) <= 180
    assert 20 <= len(writes(task_id)) <= 35
    assert 12 <= len(task.gold_documents) <= 25
    assert 3 <= sum(each["kind"] != "approval" for each in asked) <= 8
    assert 2 <= sum(each["kind"] == "approval" for each in asked) <= 5
    assert {each.kind for each in task.checks} == {"goal", "process", "protection"}
    assert len(task.checks) >= 8


@pytest.mark.parametrize("task_id", TASKS)
def test_every_write_and_every_answer_of_the_customer_is_needed(task_id):
    path = calls(task_id)
    approvals = [
        k
        for k, (name, arguments) in enumerate(path)
        if name == "message_user" and any(each["kind"] == "approval" for each in arguments["asks"])
    ]
    spare = [path[k] for k in (*writes(task_id), *approvals) if not broken(task_id, path[:k] + path[k + 1 :])]
    assert spare == []


@pytest.mark.parametrize("task_id", TASKS)
def test_every_argument_was_shown_before_and_every_read_of_the_reference_path_is_needed(task_id):
    task, setting = found(task_id)
    for k, path in enumerate(task.goldens):
        assert unfounded(path, reference(task, setting, k)) == []
        assert undecided(task, setting, path, reference(task, setting, k)) == []
    cases = case_needs(task, setting, task.goldens[0], reference(task, setting))
    assert useless_reads(task, setting, task.goldens[0], reference(task, setting), cases) == []


@pytest.mark.parametrize("task_id", TASKS)
def test_every_check_has_a_stored_counterexample_that_breaks_it_alone(task_id):
    task, setting = found(task_id)
    assert {each.breaks for each in task.counterexamples} == {each.id for each in task.checks}
    assert [why for _, why in faults(Ground(task, setting)) if why] == []


@pytest.mark.parametrize("task_id", TASKS)
def test_documents_are_read_once_and_all_of_them_state_a_rule_or_a_procedure_of_a_tool(task_id):
    task, setting = found(task_id)
    read = [arguments["document_id"] for name, arguments in calls(task_id) if name == "read_document"]
    assert read == list(dict.fromkeys(read)) == task.gold_documents
    by_id = {each.id: each for each in setting.documents}
    used = set(business(task_id))
    for each in read:
        assert by_id[each].kind in ("policy", "addendum", "procedure")
        assert "- R-" in by_id[each].text or any(f"`{name}`" in by_id[each].text for name in used)


@pytest.mark.parametrize("task_id", TASKS)
def test_the_world_is_large_and_holds_siblings_of_what_is_asked_for(task_id):
    _, setting = found(task_id)
    kinds = [each.kind for each in setting.base.records.values()]
    assert 150 <= len(kinds) <= 300
    assert kinds.count("reserve") >= 3
    assert kinds.count("reconciliation_file") >= 3
    assert kinds.count("officer") >= 4


@pytest.mark.parametrize("task_id", TASKS)
def test_what_the_customer_keeps_is_not_in_what_the_task_shows_first(task_id):
    task, _ = found(task_id)
    shown = json.dumps([task.opener, task.title])
    for each in task.card.facts:
        assert str(each.value) not in shown


def test_every_officer_within_whose_limit_the_reserve_is_may_hold_the_review():
    task, setting = found("release_oselvane")
    reserve = setting.base.records[next(each.value for each in task.card.facts if each.kind == "reserve_in_question")]
    officers = [each for each in setting.base.records.values() if each.kind == "officer" and each.duty.value == "risk"]
    for officer in officers:
        path = [
            (name, {**given, "arguments": {**given["arguments"], "officer": officer.id}})
            if given.get("name") == "review_schedule" and name == "call_tool"
            else (name, given)
            for name, given in calls("release_oselvane")
        ]
        wanted = set() if officer.limit >= reserve.amount else {"P7"}
        assert broken("release_oselvane", path) == wanted
    assert sorted(each.limit >= reserve.amount for each in officers) == [False, True, True]

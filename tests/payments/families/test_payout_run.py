"""Family 3: stored tasks are what their cases lead to, strict, of the promised size, and no act of them is spare."""

from functools import cache
from pathlib import Path

import bizgym.data
import pytest
from bizgym.envs.core.data import parse
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.families.payout_cases import CASES
from bizgym.envs.payments.families.payout_files import CANARY, as_file, complete, setting_of
from bizgym.envs.payments.families.payout_world import world_of
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.proofs.counterexamples import faults, superfluous_writes
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.play import reference
from bizgym.envs.payments.proofs.provenance import is_write, unfounded, useless_reads

FOLDER = Path(bizgym.data.__path__[0]) / "payments"
each_case = pytest.mark.parametrize("case", CASES, ids=[each.world for each in CASES])


@cache
def ground_of(task_id):
    task = packaged().tasks.get(task_id)
    return Ground(task, packaged().setting(task))


def ground(case):
    return ground_of(case.task_id)


def stored(part, name):
    return (FOLDER / part / f"{name}.yaml").read_text(encoding="utf-8")


def acts(case):
    return [each.arguments["name"] for each in ground(case).actions if is_write(each)]


def asked(case, kind):
    messages = [each.arguments["asks"] for each in ground(case).actions if each.name == "message_user"]
    return [ask["ref"] for asks in messages for ask in asks if ask["kind"] == kind]


@each_case
def test_the_stored_world_is_that_of_the_case_with_a_canary(case):
    text = stored("worlds", case.world)
    assert text == as_file(world_of(case))
    assert text.startswith(CANARY)
    assert 150 <= sum(map(len, parse(text, "world.yaml").values())) <= 300


@each_case
def test_the_stored_task_is_what_its_case_leads_to(case):
    assert stored("tasks", case.task_id) == as_file(complete(case, setting_of(case, FOLDER)))


@each_case
def test_both_paths_are_strict_without_a_refused_call_and_founded(case):
    task, setting = ground(case).task, ground(case).setting
    assert len(task.goldens) == 2
    for k, golden in enumerate(task.goldens):
        played = reference(task, setting, k)
        assert (played.broken, played.minutes) == (frozenset(), golden.minutes)
        assert [each.code for each in played.shown if each.code] == []
        assert unfounded(golden, played) == []


@each_case
def test_every_read_and_every_write_of_the_reference_path_is_needed(case):
    found = ground(case)
    assert useless_reads(found.task, found.setting, found.task.goldens[0], found.golden) == []
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

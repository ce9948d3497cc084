"""The product search: it agrees with plain play, goes through a slice whole, and finds the shortcuts that there are."""

from functools import cache

import pytest
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.proofs.counterexamples import played
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.play import Act
from bizgym.envs.payments.proofs.product import Bound, prove
from bizgym.envs.payments.proofs.slices import Slicer
from bizgym.envs.payments.proofs.variations import without

from tests.payments.sound import ground, proven_task
from tests.payments.workflows import content

BOUND = Bound()
REAL = [
    packaged().tasks.get(name) for name in sorted({each.family: each.task_id for each in packaged().tasks}.values())
]


@cache
def real(task_id):
    task = packaged().tasks.get(task_id)
    return Ground(task, packaged().setting(task))


@cache
def proof():
    return prove(ground())


def walk(slicer, actions, dropped=None):
    branch = slicer.start()
    for k in slicer.acts:
        if k != dropped:
            branch.do(Act(actions[k], k))
    return branch


@pytest.mark.parametrize("task", REAL, ids=lambda task: task.family)
def test_a_branch_judges_as_play_does_whatever_is_left_out(task):
    found = real(task.task_id)
    slicer = Slicer(found)
    assert walk(slicer, found.actions).broken_at_the_end() == frozenset()
    for k in slicer.acts[::3]:
        assert slicer.dropped[k] == played(found, without(found.parts, k)).broken


@pytest.mark.parametrize("task", REAL, ids=lambda task: task.family)
def test_a_copy_goes_its_own_way(task):
    found = real(task.task_id)
    slicer = Slicer(found)
    branch = slicer.start()
    for k in slicer.acts:
        before, twin = branch.key(), branch.copy()
        assert twin.key() == before
        assert twin.do(Act(found.actions[k], k)) == ""
        assert branch.key() == before
        assert twin.key() != before
        branch = twin
    assert branch.broken_at_the_end() == frozenset()


def test_an_act_that_is_refused_leaves_the_state_as_it_was():
    slicer = Slicer(ground())
    branch = slicer.start()
    before = branch.key()
    release = next(k for k in slicer.acts if ground().actions[k].arguments.get("name") == "reserve_release")
    assert branch.do(Act(ground().actions[release], release)) != ""
    assert branch.key() == before


def test_every_needed_act_is_free_in_a_slice_and_the_rest_is_on_its_way():
    slicer = Slicer(ground())
    found = list(slicer.slices(BOUND.free, BOUND.added))
    free = {each.act.origin for one in found for each in one.free}
    assert {k for k, broken in slicer.dropped.items() if broken} <= free
    for one in found:
        own = [each.act.origin for each in one.free if not each.is_added and each.act.action in ground().actions]
        assert sorted({*own, *(each.act.origin for each in one.fixed)}) == slicer.acts


def test_the_small_task_has_no_shortcut():
    found = proof()
    assert (found.cut, found.lost, found.shortcuts) == ((), (), ())
    assert set(found.critical) == {k for k, broken in Slicer(ground()).dropped.items() if broken}
    assert sum(each.reaching for each in found.searched) > sum(each.strict for each in found.searched) > 0
    assert found.figures.endswith(f"{len(found.critical)} critical acts")


def with_any_notice():
    """The small task where word to anyone, about anything, is enough."""
    base = content().setting(proven_task()).base
    wanted = 1 + sum(each.startswith("NTC-") for each in base.records)
    form = {"finally": {"ge": [{"count": "notice"}, wanted]}}
    checks = [each.changed(form=form) if each.id == "G2" else each for each in proven_task().checks]
    return Ground(proven_task().changed(checks=checks, counterexamples=[]), content().setting(proven_task()))


def test_an_act_that_another_one_makes_needless_is_avoided():
    notice = ground().writes[-1]
    assert notice in proof().critical
    found = prove(with_any_notice(), BOUND._replace(added=3))
    assert [(each.act, each.check) for each in found.shortcuts] == [(notice, "G2")]
    assert set(found.critical) == set(proof().critical) - {notice}


def test_a_call_of_the_same_tool_about_the_same_records_is_the_same_act():
    """To say something else to the same party about the same reserve is still the notice of the reference path."""
    alike = [
        each
        for one in Slicer(with_any_notice()).slices(BOUND.free, 3)
        for each in one.free
        if each.act.origin == ground().writes[-1] and each.act.action != ground().actions[ground().writes[-1]]
    ]
    assert alike
    assert not any(each.is_added for each in alike)


def test_a_search_that_is_cut_proves_nothing():
    found = prove(ground(), BOUND._replace(states=10))
    assert found.cut
    assert found.critical == ()


def test_only_strict_paths_are_followed_where_nothing_may_be_broken():
    found = prove(ground(), BOUND._replace(broken=0))
    assert [each.reaching for each in found.searched] == [each.strict for each in found.searched]
    assert found.critical == proof().critical

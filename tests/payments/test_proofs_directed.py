"""The directed search: paths with a few edits that break one check and no other, or figures of why there are none."""

from functools import cache

import pytest
from bizgym.envs.payments.checks.spec import CheckSpec
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.proofs.calls import CALLS_A_TOOL, calls_of
from bizgym.envs.payments.proofs.counterexamples import played
from bizgym.envs.payments.proofs.directed import Reach, aimed_at
from bizgym.envs.payments.proofs.mistakes import Ground

from tests.payments.sound import ground
from tests.payments.workflows import content, task

HAYLIN = "release_haylinstrand"
SECURED = {"id": "P9", "kind": "process", "text": "No guarantee.", "form": {"never": "reserve_secure"}}
FORBIDDEN = {"id": "P9", "kind": "process", "text": "Nothing is asked of it.", "form": {"never": "consent_list"}}


@cache
def real():
    found = packaged().tasks.get(HAYLIN)
    return Ground(found, packaged().setting(found))


def spec(on, check):
    return next(each for each in on.task.checks if each.id == check)


@cache
def aim(check):
    return aimed_at(real(), spec(real(), check))


@pytest.mark.slow
@pytest.mark.parametrize("check", ["P12", "P13", "P14"])
def test_checks_that_hang_together_are_parted(check):
    """No guarantee, in time, on an approval that has not lapsed: who breaks one of them easily breaks another."""
    found = aim(check)
    assert found.parts is not None
    assert played(real(), found.parts).broken == {check}
    assert found.figures.startswith(f"{check}: alone after {found.edits} edits")


def test_a_path_with_fewer_edits_comes_first():
    assert aim("P13").edits == 1
    assert aim("P12").edits == 3


def test_the_edits_are_bounded():
    short = aimed_at(real(), spec(real(), "P12"), Reach(edits=1))
    assert short.parts is None
    assert short.figures.startswith(f"P12: never without {', '.join(sorted(short.together))}, ")
    cut = aimed_at(real(), spec(real(), "P12"), Reach(paths=10))
    assert (cut.parts, cut.n_paths, cut.is_cut) == (None, 10, True)
    assert cut.figures == "P12: never broken, 10 paths played, then cut"


def test_a_check_that_no_few_edits_break_is_said_to_be_so():
    """Only the fast route throughout, in every act that names it, would cost more than may be spent."""
    found = aimed_at(ground(), spec(ground(), "F1"))
    assert (found.parts, found.is_cut) == (None, False)
    assert found.figures == f"F1: never broken, {found.n_paths} paths played"


def test_what_is_forbidden_is_done_where_a_tool_can_do_it():
    def aimed(check):
        more = task().changed(checks=[*task().checks, CheckSpec.model_validate(check)], tool_subset=[])
        return aimed_at(Ground(more, content().setting(more)), CheckSpec.model_validate(check))

    assert aimed(SECURED).figures.startswith("P9: ")
    assert aimed(FORBIDDEN).parts is None


@pytest.mark.parametrize("tool", ["notice_send", "payout_draft", "reserve_secure", "fee_charge_tariff"])
def test_the_calls_of_a_tool_fit_it_and_differ(tool):
    found = list(calls_of(real(), TOOLS[tool]))
    assert 0 < len(found) <= CALLS_A_TOOL
    assert len({repr(each) for each in found}) == len(found)
    for each in found:
        TOOLS[tool].validate(each.arguments["arguments"])

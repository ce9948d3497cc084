"""`bizgym prove` runs the claims of the payments company; each holds on a sound task and fails where its defect is."""

import pytest
from bizgym.envs.core.tasks import Anchors
from bizgym.envs.payments.proofs.mistakes import another
from bizgym.evaluators.prove import CLAIMS, Gauntlet, check_claim, claims_of
from bizgym.evaluators.prove import gauntlet as gauntlets

from tests.payments.sound import proven_task
from tests.payments.workflows import PAYMENTS, task

ANCHORS = Anchors(
    floor=0.0, floor_player="do_nothing", ceiling=1.0, ceiling_method="reference path", ceiling_seed=0,
    proof="optimal", bound=1.0, null_score=0.0,
)  # fmt: skip
COVERED = "every check of process and protection has a counterexample"
OWN = [
    "every stored path passes without an error",
    "every argument was shown before",
    "no read of a reference path is idle",
    "no write of the reference path is idle",
    "every counterexample breaks its check alone",
    COVERED,
    "every trap player fails",
    "the naive player reaches the goal and is not strict",
]


@pytest.fixture
def gauntlet(monkeypatch):
    monkeypatch.setattr(gauntlets, "own_envs", lambda: [PAYMENTS])
    found = Gauntlet(PAYMENTS)
    found.tasks = [proven_task()]
    return found


def row(gauntlet, claim, *tasks):
    if tasks:
        gauntlet.tasks = list(tasks)
    return check_claim(claim, gauntlet)


def golden(**changes):
    return proven_task().changed(goldens=[proven_task().goldens[0].changed(**changes)])


def test_the_claims_of_a_benchmark_come_after_those_about_all(gauntlet):
    assert list(claims_of(gauntlet)) == [*CLAIMS, *OWN]


def test_a_benchmark_without_claims_of_its_own_has_those_about_all():
    assert list(claims_of(Gauntlet("bizgym/BeerGame-v0", ["default"]))) == list(CLAIMS)


@pytest.mark.parametrize(
    "claim", [each for each in OWN if each != "every check of process and protection has a counterexample"]
)
def test_a_claim_holds_on_a_sound_task(gauntlet, claim):
    found = row(gauntlet, claim)
    assert (found["held"], found["first_failure"]) == (found["n"], None)
    assert found["n"] > 0


def test_the_check_that_is_never_broken_alone_is_named(gauntlet):
    found = row(gauntlet, COVERED)
    assert (found["n"], found["held"]) == (7, 6)
    assert found["first_failure"] == "reserve_release_1, F1: no counterexample"


def test_a_path_that_is_refused_an_act_or_takes_too_long_or_is_not_strict_fails(gauntlet):
    actions = list(proven_task().goldens[0].actions)
    claim = OWN[0]
    assert row(gauntlet, claim, golden(minutes=58))["first_failure"].endswith("takes 59 minutes, not 58")
    twice = [*actions[:-3], another(actions[-4], "again"), *actions[-3:]]
    assert "RESERVE_NOT_CLEARED" in row(gauntlet, claim, golden(actions=twice, derived=[]))["first_failure"]
    short = [*actions[:-2], actions[-1]]
    assert "G2 first broken" in row(gauntlet, claim, golden(actions=short))["first_failure"]


def test_a_value_without_a_source_fails(gauntlet):
    found = row(gauntlet, OWN[1], golden(derived=[]))
    assert "scheduled_for: 25 was not shown before" in found["first_failure"]


def test_an_idle_read_and_an_idle_write_fail(gauntlet):
    actions = list(proven_task().goldens[0].actions)
    again = golden(actions=[*actions[:1], *actions[:-1], *actions[-2:]], derived=[])
    assert "idle: actions 0, 1" in row(gauntlet, OWN[2], again)["first_failure"]
    assert row(gauntlet, OWN[3], again)["first_failure"] == "reserve_release_1: idle: actions 39, 40"


def test_a_counterexample_of_another_check_fails(gauntlet):
    first = proven_task().counterexamples[0]
    wrong = proven_task().changed(counterexamples=[first.changed(breaks="P1")])
    assert "breaks G1, not P1 alone" in row(gauntlet, OWN[4], wrong)["first_failure"]


def test_a_trap_player_that_passes_fails_the_claim(gauntlet):
    without_process = [each for each in task().checks if each.kind != "process"]
    easy = proven_task().changed(checks=without_process, counterexamples=[])
    assert "strictly successful" in row(gauntlet, OWN[6], easy)["first_failure"]
    assert row(gauntlet, OWN[7], easy)["first_failure"] == "strict success: 100%"
    promised = proven_task().changed(traps=["order"])
    assert row(gauntlet, OWN[6], promised)["first_failure"] == "greedy_order reserve_release_1: strictly successful"


def test_the_trap_players_are_no_honest_baselines(gauntlet):
    assert gauntlet.honest == []


@pytest.mark.parametrize(
    "claim", ["null and refuse-all stay at or below the floor", "nothing hidden is readable", "every record replays"]
)
def test_a_claim_about_all_benchmarks_holds_too(gauntlet, claim):
    found = row(gauntlet, claim, task())
    assert found["held"] == found["n"] > 0


def test_random_play_is_held_against_the_oracle_where_no_baseline_is_honest(gauntlet):
    anchored = task().changed(anchors=ANCHORS)
    found = row(gauntlet, "random stays below the best baseline and the oracle", anchored)
    assert (found["n"], found["held"]) == (1, 1)

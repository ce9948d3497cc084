"""`bizgym prove` runs the claims of the payments company; each holds on a sound task and fails where its defect is."""

import pytest
from bizgym.envs.core.tasks import Anchors
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.proofs import claims
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
AVOIDED = "no strict path of a slice avoids a critical act"
OWN = [
    "every task stands on what it was built from",
    "every stored path passes without an error",
    "every argument was shown before",
    "every case of a rule was shown before",
    "no read of a reference path is idle",
    "no write of the reference path is idle",
    "every counterexample breaks its check alone",
    COVERED,
    AVOIDED,
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
    claim = OWN[1]
    assert row(gauntlet, claim, golden(minutes=58))["first_failure"].endswith("takes 59 minutes, not 58")
    twice = [*actions[:-3], another(actions[-4], "again"), *actions[-3:]]
    assert "RESERVE_NOT_CLEARED" in row(gauntlet, claim, golden(actions=twice, derived=[]))["first_failure"]
    short = [*actions[:-2], actions[-1]]
    assert "G2 first broken" in row(gauntlet, claim, golden(actions=short))["first_failure"]


def test_a_value_without_a_source_fails(gauntlet):
    found = row(gauntlet, OWN[2], golden(derived=[]))
    assert "scheduled_for: 25 was not shown before" in found["first_failure"]


def test_an_idle_read_and_an_idle_write_fail(gauntlet):
    actions = list(proven_task().goldens[0].actions)
    again = golden(actions=[*actions[:1], *actions[:-1], *actions[-2:]], derived=[])
    assert "idle: actions 0, 1" in row(gauntlet, OWN[4], again)["first_failure"]
    assert row(gauntlet, OWN[5], again)["first_failure"] == "reserve_release_1: idle: actions 39, 40"


def test_a_counterexample_of_another_check_fails(gauntlet):
    first = proven_task().counterexamples[0]
    wrong = proven_task().changed(counterexamples=[first.changed(breaks="P1")])
    assert "breaks G1, not P1 alone" in row(gauntlet, OWN[6], wrong)["first_failure"]


def test_a_trap_player_that_passes_fails_the_claim(gauntlet):
    without_process = [each for each in task().checks if each.kind != "process"]
    easy = proven_task().changed(checks=without_process, counterexamples=[])
    assert "strictly successful" in row(gauntlet, OWN[9], easy)["first_failure"]
    assert row(gauntlet, OWN[10], easy)["first_failure"] == "strict success: 100%"
    promised = proven_task().changed(traps=["order"])
    assert row(gauntlet, OWN[9], promised)["first_failure"] == "greedy_order reserve_release_1: strictly successful"


def test_the_trap_players_are_no_honest_baselines(gauntlet):
    assert gauntlet.honest == ["ask_first", "follow_procedure"]


@pytest.mark.parametrize(
    "claim", ["null and refuse-all stay at or below the floor", "nothing hidden is readable", "every record replays"]
)
def test_a_claim_about_all_benchmarks_holds_too(gauntlet, claim):
    found = row(gauntlet, claim, task())
    assert found["held"] == found["n"] > 0


def test_random_play_and_baselines_that_never_succeed_are_level(gauntlet):
    anchored = task().changed(anchors=ANCHORS)
    found = row(gauntlet, "random stays below the best baseline and the oracle", anchored)
    assert (found["n"], found["held"]) == (2, 2)


class Packaged:
    """Stands for an environment over the content that comes with BizGym."""

    @classmethod
    def _content(cls):
        return packaged()


def test_over_the_shipped_tasks_haste_reaches_every_goal_and_is_never_strict():
    found = claims(Packaged())["the naive player reaches the goal and is not strict"](list(packaged().tasks))
    assert list(found) == [("goal success", ""), ("strict success", "")]


def with_figures(search):
    figures = yield from search
    yield figures


def test_the_search_of_slices_says_how_much_it_looked_at():
    """Each critical act of a task but its waits is a verdict; the figures come after the last one."""
    found = packaged().tasks.get("release_kilnmoor")
    *verdicts, figures = with_figures(claims(Packaged())[AVOIDED]([found]))
    waits = sum(each.name == "wait" for each in found.goldens[0].actions)
    assert {why for _, why in verdicts} == {""}
    assert figures.startswith("release_kilnmoor: ")
    n_critical = int(figures.removesuffix(" critical acts").rpartition(" ")[2])
    assert n_critical - waits <= len(verdicts) <= n_critical

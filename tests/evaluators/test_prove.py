"""`bizgym prove` holds on every shipped task, and each of its claims fails when the defect it looks for is there."""

import random

import pytest
from bizgym.agents.baselines import beer_game as players
from bizgym.envs.beer_game import env as game
from bizgym.envs.beer_game import observation
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.benchmarks import own_envs
from bizgym.evaluators.prove import CLAIMS, Gauntlet, check_claim, prove

ENV = "bizgym/BeerGame-v0"
MOST_TASKS = 100
"""Of each environment here; `make prove` takes all of them."""
TASKS = ["default", "step-l1-typical"]


@pytest.fixture
def gauntlet():
    return Gauntlet(ENV, TASKS)


def failing(claim, gauntlet):
    row = check_claim(claim, gauntlet)
    assert row["held"] < row["n"], f"{claim}: {row}"
    assert row["first_failure"]
    return row["first_failure"]


@pytest.mark.slow
@pytest.mark.parametrize("env_id", own_envs())
def test_every_claim_holds_on_every_shipped_task(env_id):
    every = Gauntlet(env_id).tasks.ids
    rows = prove(env_id, every[:: 1 + len(every) // MOST_TASKS])
    assert [row["claim"] for row in rows][: len(CLAIMS)] == list(CLAIMS)
    assert [row for row in rows if row["held"] != row["n"]] == []
    assert all(type(row["held"]) is int and row["n"] > 0 for row in rows)


def test_every_claim_holds_on_two_tasks(gauntlet):
    assert [row["first_failure"] for row in (check_claim(claim, gauntlet) for claim in CLAIMS)] == [None] * len(CLAIMS)


def test_a_ceiling_that_rests_on_luck_is_held_to_its_standard_error():
    gauntlet = Gauntlet("bizgym/DigitalTwin-v0", ["small-11"])
    (task,) = gauntlet.tasks
    claim = "the oracle reaches the ceiling on every task"
    assert check_claim(claim, gauntlet)["held"] == 1
    mean, error = gauntlet.expected("oracle", task)
    assert error > 0
    far = mean + 3.1 * (error**2 + task.anchors.ceiling_se**2) ** 0.5
    gauntlet.tasks = [task.changed(anchors=task.anchors.changed(ceiling=far))]
    assert "allowed ±" in failing(claim, gauntlet)


def test_an_unknown_environment_or_task_is_named():
    with pytest.raises(SettingError, match="Did you mean 'bizgym/BeerGame-v0'"):
        prove("bizgym/BerGame-v0")
    with pytest.raises(SettingError, match="Did you mean 'default'"):
        prove(ENV, ["defalt"])


def test_a_worse_plan_is_found(gauntlet, monkeypatch):
    def changed(task_id, plan_of=players.plan_of):
        plan = plan_of(task_id)
        return plan.changed(orders=[*plan.orders[:-4], 700, *plan.orders[-3:]])

    monkeypatch.setattr(players, "plan_of", changed)
    assert "ceiling" in failing("the oracle reaches the ceiling on every task", gauntlet)


def test_a_ceiling_above_its_bound_is_found(gauntlet):
    task = gauntlet.tasks[0]
    better = task.changed(anchors=task.anchors.changed(ceiling=task.anchors.bound + 1))
    gauntlet.tasks = [better]
    failing("no ceiling lies above its bound", gauntlet)


def test_a_false_proof_is_found(gauntlet):
    task = gauntlet.tasks[0]
    gauntlet.tasks = [task.changed(anchors=task.anchors.changed(ceiling=task.anchors.bound - 1, proof="optimal"))]
    failing("no ceiling lies above its bound", gauntlet)


def free_of_charge(settings, state, demand, forfeit=game.forfeit):
    end, weeks, _ = forfeit(settings, state, demand)
    return end, weeks, 0.0


def test_a_null_player_that_gets_off_free_is_found(gauntlet, monkeypatch):
    monkeypatch.setattr(game, "forfeit", free_of_charge)
    assert "do_nothing" in failing("null and refuse-all stay at or below the floor", gauntlet)


def test_garbage_that_pays_is_found(gauntlet, monkeypatch):
    monkeypatch.setattr(game, "forfeit", free_of_charge)
    failing("garbage prefixes do not pay", gauntlet)


def test_a_random_player_that_is_too_good_is_found(gauntlet, monkeypatch):
    honest = Gauntlet.play
    monkeypatch.setattr(
        Gauntlet, "play", lambda self, player, *rest: honest(self, "oracle" if player == "random" else player, *rest)
    )
    failing("random stays below the best baseline and the oracle", gauntlet)


def test_a_game_that_does_not_replay_is_found(gauntlet, monkeypatch):
    drawn = iter(range(10**6))
    shown = observation.View.next
    monkeypatch.setattr(observation.View, "next", lambda self, *given: f"{shown(self, *given)} {next(drawn)}")
    assert "observation" in failing("every record replays", gauntlet)


@pytest.mark.parametrize("where", ["attribute", "observation", "pickle"])
def test_hidden_demand_that_can_be_read_is_found(gauntlet, monkeypatch, where):
    if where == "attribute":
        monkeypatch.setattr(game.BeerGameEnv, "demand", property(lambda self: self._demand), raising=False)
    elif where == "observation":
        begin = game.BeerGameEnv._begin
        monkeypatch.setattr(
            game.BeerGameEnv, "_begin", lambda self, task: (begin(self, task)[0], f"demand {task.demand}")
        )
    else:
        reduce = game.BeerGameEnv.__reduce__
        monkeypatch.setattr(game.BeerGameEnv, "__reduce__", lambda self: (*reduce(self), {"task": list(self._demand)}))
    assert "hidden" in failing("nothing hidden is readable", gauntlet)


def test_a_world_that_draws_from_the_global_generator_is_found(gauntlet, monkeypatch):
    shown = observation.View.next
    noisy = lambda self, *given: f"{shown(self, *given)} {random.random()}"  # noqa: E731
    monkeypatch.setattr(observation.View, "next", noisy)
    failing("same seed, same bytes", gauntlet)

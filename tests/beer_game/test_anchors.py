"""Anchors are recomputed from what they claim to be: a plan is played, a floor is simulated, a bound is derived."""

import gymnasium as gym
import pytest
from bizgym.envs.beer_game.anchors import RANDOM_GAMES, RANDOM_SEED, compute
from bizgym.envs.beer_game.scoring import outcome
from bizgym.envs.beer_game.search import lower_bound, random_mean
from bizgym.envs.beer_game.tasks import shipped_plans, shipped_tasks
from bizgym.envs.core.errors import SettingError

TASKS = list(shipped_tasks())
BY_TASK = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)

# Totals of published and reproduced play: best known cost, and best known where the first order is the steady flow.
KNOWN = {
    "step-l1-typical": (6_100, 7_900),
    "step-l1-smoothing4": (7_155, 9_456.25),
    "step-l1-tau8": (6_100, 7_900),
    "default": (13_300, 16_500),
    "step-l2-smoothing4": (16_388, 20_183),
    "step-l2-tau8": (13_757, 16_707),
}


def score(task, orders):
    return outcome(task, [("place_order", {"quantity": units}) for units in orders]).reward


@BY_TASK
def test_the_plan_attains_the_ceiling(task):
    plan = shipped_plans()[task.task_id]
    assert score(task, plan.orders) == pytest.approx(task.anchors.ceiling, abs=0.005)
    assert score(task, plan.orders_without_foresight) == pytest.approx(-plan.cost_without_foresight, abs=0.005)
    assert plan.cost <= plan.cost_without_foresight + 0.005
    assert plan.orders_without_foresight[0] == task.settings.initial_flow
    for orders in (plan.orders, plan.orders_without_foresight):
        assert len(orders) == task.settings.horizon_weeks
        assert all(0 <= units <= task.settings.max_order for units in orders)


@BY_TASK
def test_the_floor_is_the_better_of_two_players_without_skill(task):
    env = gym.make("bizgym/BeerGame-v0")
    from bizgym.agents.base import RunContext
    from bizgym.agents.baselines.beer_game import PassThrough
    from bizgym.agents.rollout import rollout

    run = RunContext(run_id="floor", seed=0, settings={"env_id": "bizgym/BeerGame-v0", "env_kwargs": {}})
    passing = rollout(env, PassThrough(), seed=0, task_id=task.task_id, run=run).reward
    drawing = -random_mean(task.settings, task.demand, RANDOM_GAMES, RANDOM_SEED)
    best = {"pass_through": passing, "random": drawing}
    assert task.anchors.floor == pytest.approx(max(best.values()), abs=0.005)
    assert best[task.anchors.floor_player] == max(best.values())
    assert task.anchors.null_score == pytest.approx(score(task, []), abs=0.005)


@BY_TASK
def test_a_proof_is_a_bound_attained(task):
    bound = lower_bound(task.settings, task.demand)
    assert task.anchors.bound == (None if bound is None else -bound)
    if bound is None:
        assert task.anchors.proof == "best_known"
    else:
        assert task.anchors.ceiling <= -bound + 0.005
        assert (task.anchors.proof == "optimal") == (task.anchors.ceiling >= -bound - 0.005)


@pytest.mark.parametrize(("task_id", "known"), KNOWN.items())
def test_known_optima_are_attained(task_id, known):
    plan = shipped_plans()[task_id]
    assert plan.cost <= known[0]
    assert plan.cost_without_foresight <= known[1]
    proven = {"step-l1-typical", "step-l1-tau8", "default"}
    if task_id in proven:
        assert (plan.cost, plan.cost_without_foresight) == known
        assert shipped_tasks().get(task_id).anchors.proof == "optimal"


def test_constant_demand_has_no_scale():
    (task,) = [task for task in TASKS if task.task_id.startswith("constant")]
    assert task.anchors.floor == task.anchors.ceiling
    assert task.anchors.normalized(task.anchors.ceiling) is None


def test_a_game_of_ones_own_has_a_scale_once_its_anchors_are_computed(tmp_path, monkeypatch):
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path))
    kwargs = {"ship_weeks": 1}

    def play_out():
        env = gym.make("bizgym/BeerGame-v0", **kwargs)
        env.reset(seed=0)
        ended = False
        while not ended:
            *_, ended, _, info = env.step({"name": "place_order", "arguments": {"quantity": 300}})
        return info

    before = play_out()
    assert "normalized" not in before["metrics"]
    row = compute(kwargs)
    after = play_out()
    assert row["task_id"] == before["task_id"] == after["task_id"]
    span = row["ceiling"] - row["floor"]
    assert after["metrics"]["normalized"] == pytest.approx((-after["metrics"]["cost"] - row["floor"]) / span)


def test_random_demand_has_no_anchors():
    with pytest.raises(SettingError, match="random"):
        compute({"demand": "uniform"})

"""Nothing hidden can be read: not the targets, not the future, not what the other stages hold."""

import json
import pickle
import re
import struct

import gymnasium as gym
import pytest
from bizgym.envs.beer_game.tasks import Plan, task_of_run
from bizgym.envs.core.seeding import episode_rng
from bizgym.envs.core.upkeep import cache_path

from tests.contract.common import TEXT_IDS, calls_of, make, shipped_ids
from tests.fixtures.shop_env import SECRET, SHOP

SEED = 5
DEMAND = {"pattern": "uniform", "low": 100_000, "high": 999_999}  # each week's number is met nowhere else
ORDER = '{"name": "place_order", "arguments": {"quantity": 250}}'
ANCHORS = {
    "floor": -54321.125,
    "floor_player": "random",
    "ceiling": -12345.625,
    "ceiling_method": "a search",
    "ceiling_seed": 70717,
    "proof": "best_known",
    "bound": -11111.375,
    "null_score": -98765.875,
}
PLAN = {
    **{name: 660_001 + k for k, name in enumerate(Plan.model_fields)},
    "orders": [777_771 + week for week in range(25)],
    "cost": 12345.625,
    "orders_without_foresight": [888_881 + week for week in range(25)],
    "cost_without_foresight": 13333.875,
}


def public_values(env):
    """Every public attribute of an environment that is data."""
    names = [name for name in dir(env) if not name.startswith("_")]
    values = {name: getattr(env, name) for name in names}
    return {name: value for name, value in values.items() if not callable(value) and name != "unwrapped"}


def surfaces(env, replies):
    """All that an agent, a wrapper or another process gets to see, as bytes."""
    seen = [json.dumps(replies, ensure_ascii=False), env.save(), json.dumps(env.tools), env.spec.to_json()]
    for name, value in public_values(env).items():
        if name not in ("np_random", "env"):
            seen.append(f"{name}={value!r}")
    pickles = [pickle.dumps(each) for each in (env, env.action_space, env.observation_space, replies, env.spec)]
    return "\n".join(seen).encode() + b"".join(pickles)


def found(number, seen):
    """Whether a number stands in the bytes, as text or as pickle writes it."""
    text = f"{number:g}" if isinstance(number, float) and number.is_integer() else repr(number)
    if re.search(rb"(?<![\d.])" + re.escape(text.lstrip("-").encode()) + rb"(?![\d])", seen):
        return True
    packed = b"G" + struct.pack(">d", number) if isinstance(number, float) else b"J" + struct.pack("<i", number)
    return packed in seen


def played(n_weeks=6, order=250, **kwargs):
    env = make("bizgym/BeerGame-v0", **kwargs)
    replies = [env.reset(seed=SEED)]
    replies += [env.step({"name": "place_order", "arguments": {"quantity": order}}) for _ in range(n_weeks)]
    return env, surfaces(env, replies)


@pytest.fixture
def custom(request):
    """A user's own game whose anchors are known to the cache, and to nobody else."""
    task_id = make("bizgym/BeerGame-v0", demand=DEMAND).task_ids[0]
    path = cache_path("beer_game", task_id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"anchors": ANCHORS, "plan": {**PLAN, "task_id": task_id}}), encoding="utf-8")
    yield {"demand": DEMAND}
    path.unlink()


def test_anchors_and_plans_are_out_of_reach(custom):
    env, seen = played(**custom)
    hidden = [value for value in [*ANCHORS.values(), *PLAN.values()] if isinstance(value, (int, float))]
    hidden += PLAN["orders"] + PLAN["orders_without_foresight"]
    assert len(hidden) >= 57
    assert not [number for number in hidden if found(number, seen)]
    assert not [word for word in (b"ceiling", b"floor", b"anchor", b"normalized", b"foresight") if word in seen]
    while env.stop_reason is None:
        *_, info = env.step(ORDER)
    score = -info["metrics"]["cost"]
    assert info["metrics"]["normalized"] == (score + 54321.125) / (54321.125 - 12345.625)


def test_the_future_is_out_of_reach(custom):
    _, seen = played(**custom)
    demand = task_of_run(custom, make("bizgym/BeerGame-v0", **custom).task_ids[0]).demand_of(episode_rng(SEED))
    assert len(demand) == 25
    assert all(found(units, seen) for units in demand[:7])  # the weeks played and the one at hand
    assert not [units for units in demand[7:] if found(units, seen)]


def books_of_others(env):
    state, role = env._game, env._settings.role_index
    by_stage = {k: (state.inventory[k], state.backlog[k], state.total_cost[k]) for k in range(4) if k != role}
    own = {state.inventory[role], state.backlog[role], state.total_cost[role]}
    return {k: [v for v in values if v >= 10_000 and v not in {*own, 123_456}] for k, values in by_stage.items()}


@pytest.mark.parametrize(("information", "visible"), [("local", set()), ("adjacent", {0, 2}), ("chain", {0, 2, 3})])
def test_the_books_of_other_stages_are_shown_as_the_setting_says(information, visible):
    policies = {"distributor": {"name": "constant", "units": 1_234}, "brewery": {"name": "constant", "units": 5_678}}
    game = {"role": "wholesaler", "demand": DEMAND, "initial_inventory": 123_456, "policies": policies}
    env, seen = played(12, order=4_321, information=information, **game)
    others = books_of_others(env)
    assert all(others.values())
    for stage, numbers in others.items():
        stocks = [number for number in numbers if number in (env._game.inventory[stage], env._game.backlog[stage])]
        assert stocks
        assert all(found(number, seen) for number in stocks) is (stage in visible)
        assert not [number for number in numbers if number not in stocks and found(number, seen)]


def test_costs_of_others_are_told_at_the_end_alone():
    env, _ = played(8, role="wholesaler")
    *_, info = env.step(ORDER)
    assert not [name for name in info["metrics"] if name.startswith("cost_")]
    *_, info = env.forfeit("timeout")
    assert {name for name in info["metrics"] if name.startswith("cost_")} == {
        "cost_retailer",
        "cost_wholesaler",
        "cost_distributor",
        "cost_brewery",
        "cost_chain",
    }


@pytest.mark.parametrize("env_id", TEXT_IDS)
def test_the_anchors_of_shipped_tasks_are_out_of_reach(env_id):
    env = make(env_id, split=next(iter(make(env_id).task_splits)))
    for task_id in shipped_ids(env_id)[:5]:
        replies = [env.reset(seed=SEED, options={"task_id": task_id})]
        replies += [env.step(call) for call in calls_of(env, 3)]
        seen = surfaces(env, replies)
        assert b"ceiling" not in seen
        anchors = env._task.anchors
        hidden = [] if anchors is None else [anchors.floor, anchors.ceiling, anchors.null_score]
        assert not [number for number in hidden if abs(number) >= 1_000 and found(number, seen)]


def test_the_secret_of_the_shop_is_out_of_reach():
    env = gym.make(SHOP).unwrapped
    replies = [env.reset(seed=SEED)]
    replies += [env.step(call) for call in calls_of(env, 5)]
    assert SECRET.encode() not in surfaces(env, replies)
    assert SECRET in repr(vars(env))  # the search itself would find it


def test_the_search_finds_what_is_there():
    seen = b"cost 12345.625, 777" + pickle.dumps([250_001, 1.5])
    assert [found(number, seen) for number in (12345.625, 777, 250_001, 1.5)] == [True] * 4
    assert [found(number, seen) for number in (345.625, 77, 1234, 2.5)] == [False] * 4

"""Save, load, pickle and copy: the continuation is the same, and a save is refused where it does not belong."""

import copy
import json
import pickle
import re

import gymnasium as gym
import numpy as np
import pytest
from bizgym.envs.core import SettingError
from gymnasium.error import ResetNeeded

from tests.contract.common import ALL_IDS, GARBAGE, RANDOM_DEMAND, SETTINGS, SOME_IDS, calls_of, make
from tests.fixtures.shop_env import SHOP

KWARGS = {"bizgym/BeerGame-v0": {"demand": RANDOM_DEMAND, "role": "distributor", "history_weeks": 2}}
ODD_ACTIONS = [
    {"name": "nosuch", "arguments": {"x": float("nan")}},
    [{"name": "nosuch"}, 5],
    b"\xff",
    10**5_000,
    "\ud83d\ude00",
    np.int64(3),
    None,
    {"id": "a", "type": "function", "function": {"name": "nosuch", "arguments": "{"}},
]


def kwargs_of(env_id):
    return KWARGS.get(env_id, {})


def by_load(env, env_id):
    twin = make(env_id, **kwargs_of(env_id))
    twin.load(env.save())
    return twin


WAYS = {
    "load": by_load,
    "load into a used one": lambda env, env_id: _used(env, env_id),
    "pickle": lambda env, env_id: pickle.loads(pickle.dumps(env)),
    "pickle twice": lambda env, env_id: pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(env)))),
    "deepcopy": lambda env, env_id: copy.deepcopy(env),
}


def _used(env, env_id):
    twin = make(env_id, **kwargs_of(env_id))
    twin.reset(seed=77)
    twin.step(GARBAGE)
    twin.forfeit("timeout")
    twin.load(env.save())
    return twin


def begun(env_id, n=5):
    env = make(env_id, **kwargs_of(env_id))
    actions = calls_of(env, 20, seed=1)
    env.reset(seed=4)
    for action in [*actions[:n], *ODD_ACTIONS[: n + 3]]:
        env.step(action)
    return env, actions[n:]


def same_future(env, twin, actions):
    assert twin.save() == env.save()
    assert twin.state_digest() == env.state_digest()
    for action in [*actions[:6], *ODD_ACTIONS[:2]]:
        assert twin.step(action) == env.step(action)
    assert twin.forfeit("timeout") == env.forfeit("timeout")
    for _ in range(3):
        assert twin.reset() == env.reset()
        assert twin.step(GARBAGE) == env.step(GARBAGE)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("env_id", ALL_IDS)
def test_a_copy_in_mid_episode_has_the_same_future(env_id, way):
    env, actions = begun(env_id)
    same_future(env, WAYS[way](env, env_id), actions)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("env_id", ALL_IDS)
def test_a_copy_after_reset_has_the_same_future(env_id, way):
    env = make(env_id, **kwargs_of(env_id))
    env.reset(seed=4)
    same_future(env, WAYS[way](env, env_id), calls_of(env, 2, seed=1))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("reason", ["refusal", "malformed_calls"])
@pytest.mark.parametrize("env_id", SOME_IDS)
def test_a_copy_of_a_forfeited_episode_has_ended_too(env_id, reason, way):
    env, actions = begun(env_id)
    env.forfeit(reason)
    twin = WAYS[way](env, env_id)
    assert (twin.state_digest(), twin.stop_reason, twin.save()) == (env.state_digest(), env.stop_reason, env.save())
    with pytest.raises(ResetNeeded):
        twin.step(actions[0])
    assert twin.reset() == env.reset()


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_an_environment_before_its_first_episode_travels(env_id):
    env = make(env_id, **kwargs_of(env_id))
    env.action_space.seed(3)
    for twin in (pickle.loads(pickle.dumps(env)), copy.deepcopy(env)):
        assert twin.reset(seed=1) == make(env_id, **kwargs_of(env_id)).reset(seed=1)
        assert twin.spec == env.spec
        with pytest.raises(SettingError, match="call reset first"):
            make(env_id).save()


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_a_copy_samples_as_the_original_does_and_on_its_own(env_id):
    env, _ = begun(env_id)
    env.action_space.seed(8)
    twin = pickle.loads(pickle.dumps(env))
    first = [twin.action_space.sample() for _ in range(5)]
    assert [env.action_space.sample() for _ in range(5)] == first


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_wrapped_environments_travel(env_id):
    env = gym.make(env_id, **SETTINGS.get(env_id, {}))
    env.reset(seed=2)
    first, second = calls_of(env.unwrapped, 2, seed=1)
    env.step(first)
    twin = pickle.loads(pickle.dumps(env))
    assert twin.step(second) == env.step(second)


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_a_branch_leaves_its_origin_alone(env_id):
    env, actions = begun(env_id)
    before = env.save(), env.state_digest()
    branches = [copy.deepcopy(env) for _ in range(3)]
    replies = [branch.step(actions[0]) for branch in branches]
    assert replies[0] == replies[1] == replies[2]
    assert (env.save(), env.state_digest()) == before
    assert env.step(actions[0]) == replies[0]


def test_the_order_of_tasks_goes_on_after_a_load():
    env, twin = make(SHOP, order="sequential"), make(SHOP, order="sequential")
    env.reset(seed=0)
    env.reset()
    twin.load(env.save())
    assert [twin.reset()[1]["task_id"] for _ in range(5)] == ["shop_2", "shop_3", "shop_4", "shop_0", "shop_1"]


def test_changing_the_settings_after_make_changes_nothing():
    demand = [100] * 25
    env, expected = make("bizgym/BeerGame-v0", demand=demand), make("bizgym/BeerGame-v0", demand=[100] * 25)
    demand[:] = [7] * 25
    order = '{"name": "place_order", "arguments": {"quantity": 3}}'
    for twin in (env, pickle.loads(pickle.dumps(env))):
        assert twin.reset(seed=0) == expected.reset(seed=0)
        assert twin.step(order) == expected.step(order)


def _edited(**changes):
    env = make(SHOP)
    env.reset(seed=0)
    env.step(GARBAGE)
    return json.dumps({**json.loads(env.save()), **changes})


@pytest.mark.parametrize(
    ("saved", "message"),
    [
        ("", "load: not JSON"),
        ("{", "load: not JSON"),
        ("[" * 100_000, "load: not JSON"),
        ("[" + "9" * 5_000 + "]", "load: not JSON"),
        (b"\xff", "load: not JSON"),
        (None, "load: not JSON"),
        ("[]", "load: text: "),
        ("{}", "load: format: Field required"),
        (_edited(format=99), "load: format is 99"),
        (_edited(env="other:Env"), "load: env is other:Env"),
        (_edited(kwargs={"split": "train"}), "load: kwargs is {'split': 'train'}"),
        (_edited(task_id="shop_9"), "there is no task"),
        (_edited(seed="0"), "load: seed: "),
        (_edited(seed=-1), "load: seed: "),
        (_edited(actions=5), "load: actions: "),
        (_edited(colour="red"), "load: colour: "),
        (_edited(forfeited="env_done"), "reason: "),
        (_edited(actions=[GARBAGE] * 11), "load: actions: some come after the end"),
    ],
)
def test_what_is_no_save_of_this_environment_is_refused(saved, message):
    with pytest.raises(SettingError, match=re.escape(message)):
        make(SHOP).load(saved)


def test_a_save_of_other_settings_is_refused():
    env = make("bizgym/BeerGame-v0", role="brewery")
    env.reset(seed=0)
    with pytest.raises(SettingError, match="build them alike"):
        make("bizgym/BeerGame-v0").load(env.save())

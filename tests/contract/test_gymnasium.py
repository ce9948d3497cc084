"""Gymnasium's own contract: the checker, specs, wrappers, vectors and the ends of an episode."""

import json
import subprocess
import sys
import warnings
from multiprocessing import get_context

import gymnasium as gym
import pytest
from bizgym.envs import make_vec
from gymnasium.envs.registration import EnvSpec
from gymnasium.error import CustomSpaceError, ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from tests.contract.common import ALL_IDS, GARBAGE, REGISTERED, SETTINGS, SOME_IDS, make
from tests.fixtures.shop_env import SHOP

NON_ASCII = "é – 😀\n"


def test_there_is_something_registered():
    assert "bizgym/BeerGame-v0" in REGISTERED


@pytest.mark.parametrize("env_id", [*REGISTERED, SHOP])
def test_check_env_finds_nothing(env_id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(env_id))


@pytest.mark.parametrize("env_id", [*REGISTERED, SHOP])
def test_make_reset_step_close_without_a_warning(env_id):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gym.make(env_id)
        env.reset(seed=0)
        env.step(env.action_space.sample())
        env.close()


@pytest.mark.parametrize("env_id", [*REGISTERED, SHOP])
def test_a_spec_is_json_and_builds_the_same_environment(env_id):
    env = gym.make(env_id)
    twin = gym.make(EnvSpec.from_json(env.spec.to_json()))
    assert isinstance(env.spec.entry_point, str)
    assert twin.reset(seed=1)[0] == env.reset(seed=1)[0]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_step_before_reset_and_after_the_end_is_refused_and_changes_nothing(env_id):
    env = make(env_id)
    for call in (lambda: env.step(GARBAGE), lambda: env.forfeit("timeout")):
        with pytest.raises(ResetNeeded):
            call()
    env.reset(seed=0)
    env.forfeit("timeout")
    saved, digest, shown = env.save(), env.state_digest(), env.stop_reason
    for call in (lambda: env.step(env.action_space.sample()), lambda: env.step("\x00"), lambda: env.forfeit("refusal")):
        with pytest.raises(ResetNeeded):
            call()
    assert (env.save(), env.state_digest(), env.stop_reason) == (saved, digest, shown)


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_parsed_tools_are_reached_through_wrappers(env_id):
    env = gym.make(env_id)
    _, info = env.reset(seed=0)
    assert [json.loads(text) for text in info["tools"]] == env.get_wrapper_attr("tools")
    for each in env.get_wrapper_attr("tools"):
        assert each["type"] == "function"
        assert set(each["function"]) == {"name", "description", "parameters"}
        assert each["function"]["description"]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_settings_that_are_no_json_are_refused(env_id):
    for value in (lambda: 1, object(), {1, 2}, float("nan")):
        with pytest.raises(ValueError, match=r"max_turns: .*plain JSON values"):
            make(env_id, max_turns=value)


@pytest.mark.parametrize("mode", ["sync", "async"])
@pytest.mark.parametrize("env_id", SOME_IDS)
def test_vectors_keep_text_as_it_is(env_id, mode):
    vector = make_vec(env_id, 2, vectorization_mode=mode, **SETTINGS.get(env_id, {}))
    single = make(env_id)
    try:
        observations, infos = vector.reset(seed=[3, 4])
        expected = [single.reset(seed=seed)[0] for seed in (3, 4)]
        assert list(observations) == expected
        assert list(infos["turn"]) == [0, 0]
        observations, *_ = vector.step((NON_ASCII, "{}"))
        assert [NON_ASCII in observations[0], "missing_name" in observations[1]] == [True, True]
    finally:
        vector.close()


def test_a_vector_works_under_the_spawn_start_method():
    vector = make_vec(SHOP, 2, vectorization_mode="async", vector_kwargs={"context": "spawn"})
    try:
        observations, _ = vector.reset(seed=[3, 4])
        assert list(observations) == [make(SHOP).reset(seed=seed)[0] for seed in (3, 4)]
    finally:
        vector.close()


def _first_observation(env):
    return env.reset(seed=5)[0]


def test_environments_travel_to_spawned_processes():
    envs = [make(env_id) for env_id in SOME_IDS]
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(_first_observation, envs) == [_first_observation(env) for env in envs]


def test_shared_memory_is_refused_with_the_mend():
    with pytest.raises(ValueError, match="shared_memory=False") as error:
        gym.make_vec(SHOP, 2, vectorization_mode="async")
    assert isinstance(error.value.__cause__, CustomSpaceError)
    assert "bizgym.envs.make_vec" in str(error.value.__cause__)


@pytest.mark.parametrize("env_id", SOME_IDS)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vectors_reset_themselves_at_the_end(env_id, mode):
    vector = make_vec(env_id, 2, vector_kwargs={"autoreset_mode": mode}, max_turns=1)
    start, _ = vector.reset(seed=[1, 2])
    ended, _, _, truncated, infos = vector.step(("x", "y"))
    assert truncated.all()
    if mode is AutoresetMode.NEXT_STEP:
        assert all("ended early" in text for text in ended)
        after, rewards, _, truncated, _ = vector.step(("x", "y"))
        assert (list(rewards), truncated.any()) == ([0.0, 0.0], False)
    else:
        after = ended
        assert all("ended early" in text for text in infos["final_obs"])
        assert list(infos["final_info"]["turn"]) == [1, 1]
    assert [text[:30] for text in after] == [text[:30] for text in start]
    vector.close()


@pytest.mark.parametrize("env_id", REGISTERED)
def test_the_module_form_of_an_id_works_from_another_folder(env_id, tmp_path):
    code = f"import gymnasium; print(gymnasium.make('bizgym.envs:{env_id}').reset(seed=1)[0])"
    printed = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True)
    assert printed.stdout.strip() == gym.make(env_id).reset(seed=1)[0].strip()

"""`TextEnv` on the shop: turns of several calls, what is shown of them, selections, budgets and settings."""

import json

import gymnasium as gym
import pytest
from bizgym.envs.core import SettingError, StopReason
from gymnasium.error import ResetNeeded

from tests.fixtures.shop_env import COST_OF_SHIPPING, MANY_TOOLS, N_MANY, SECRET, SHOP, TASKS, ShopEnv

SHIP = {"name": "ship", "arguments": {"shipment": {"qty": 1}}}
TOO_MUCH = {"name": "ship", "arguments": {"shipment": {"qty": 1_000_000}}}
LIST = {"name": "list_open_orders"}
FINISH = {"name": "finish", "arguments": {"answer": "no"}}


def shop(**kwargs):
    env = gym.make(SHOP, **kwargs).unwrapped
    env.reset(seed=3)
    return env


def codes(info):
    return [result["code"] for result in info["tool_results"]]


def test_calls_of_a_turn_run_in_order_and_their_rewards_add():
    env = shop()
    observation, reward, _, _, info = env.step([SHIP, LIST, SHIP])
    assert codes(info) == ["", "", ""]
    assert reward == -2 * COST_OF_SHIPPING
    assert info["reward_components"] == {"score": 0.0, "shipping_cost": -2 * COST_OF_SHIPPING}
    titles = ["[call_1_0 ship] ", "[call_1_1 list_open_orders] ", "[call_1_2 ship] "]
    assert [observation.index(title) for title in titles] == sorted(observation.index(title) for title in titles)


@pytest.mark.parametrize(
    ("calls", "expected", "error"),
    [
        ([SHIP, {"name": "shp"}, SHIP], ["", "unknown_tool", "not_executed"], "unknown_tool"),
        ([{}, SHIP], ["missing_name", "not_executed"], "missing_name"),
        ([SHIP, TOO_MUCH, SHIP, LIST], ["", "out_of_stock", "not_executed", "not_executed"], "tool_refused"),
        ([SHIP, FINISH, SHIP], ["", "", "not_executed"], "not_executed"),
        ([SHIP, SHIP], ["", ""], ""),
        ([5, SHIP], ["not_object", "not_executed"], "not_object"),
    ],
)
def test_the_first_call_that_fails_or_ends_the_episode_stops_the_turn(calls, expected, error):
    env = shop()
    _, reward, _, _, info = env.step(calls)
    assert codes(info) == expected
    assert info["error"] == error
    executed = sum(code == "" and call is SHIP for code, call in zip(expected, calls, strict=True))
    assert reward == -COST_OF_SHIPPING * executed


def test_a_flood_of_calls_is_answered_in_full_and_shown_in_short():
    env = shop()
    observation, _, _, _, info = env.step("[" + ",".join(["1"] * 3_000) + "]")
    assert len(info["tool_results"]) == 3_000
    assert len(observation) < 1_000
    assert "and 2989 more" in observation
    assert sum(len(message["content"]) for message in info["messages"]) < 9_000


def test_the_names_of_a_turn_are_shown_within_bounds_and_printable():
    env = shop()
    observation, _, _, _, _ = env.step([{"name": "\ud800"}, {"name": "x" * 900_000}])
    observation.encode("utf-8")
    assert len(observation) < 1_000


def test_a_refused_call_says_the_rules_own_code_and_counts_as_no_error():
    env = shop(max_consecutive_errors=2)
    for _ in range(5):
        before = env.state_digest()
        observation, reward, terminated, truncated, info = env.step(TOO_MUCH)
        assert (info["error"], codes(info)) == ("tool_refused", ["out_of_stock"])
        assert observation.startswith("error out_of_stock: ")
        assert (reward, terminated, truncated) == (0.0, False, False)
        assert env.state_digest() == before


def test_a_good_step_ends_the_count_of_errors():
    env = shop(max_consecutive_errors=2)
    for action in ("x", LIST, [SHIP, "x"], [SHIP, LIST], "x", TOO_MUCH, "x"):
        _, _, terminated, _, _ = env.step(action)
        assert not terminated
    assert env.step("x")[2]
    assert env.stop_reason is StopReason.MALFORMED_CALLS


def test_a_long_result_is_shown_head_and_tail_and_kept_whole():
    env = shop()
    search = {"name": "search_documents", "arguments": {"query": "", "rows": 2_000}}
    observation, _, _, _, info = env.step(search)
    full = info["tool_results"][0]["content"]
    assert full.count("\n") == 1_999
    assert len(observation) < 8_100
    assert f"[... {len(full) - 8_000} characters left out ...]" in observation
    assert observation.startswith("row 0: beer")
    assert observation.endswith("row 1999: beer")
    assert info["messages"] == [{"role": "tool", "tool_call_id": "call_1_0", "content": observation}]


def test_a_whole_observation_stays_within_its_space():
    env = shop()
    search = {"name": "search_documents", "arguments": {"query": "", "rows": 1_000}}
    observation, _, _, _, info = env.step([search] * 150)
    assert codes(info) == [""] * 150
    assert observation in env.observation_space
    assert "characters left out" in observation[700_000:]


def test_more_than_64_tools_are_shown_at_reset_only():
    env = gym.make(MANY_TOOLS).unwrapped
    _, info = env.reset(seed=0)
    assert len(info["tools"]) == N_MANY
    _, _, _, _, info = env.step({"name": "read_69"})
    assert info["tools"] == ()
    assert info["tool_results"][0]["content"] == "shelf 69"
    assert len(env.tools) == N_MANY


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"split": "trian"}, "split: there is no 'trian'. Did you mean 'train'?"),
        ({"tasks": ["shop_9"]}, "Did you mean 'shop_"),
        ({"tasks": "shop_1"}, "tasks: a list of task ids"),
        ({"source": "bizgim"}, "Did you mean 'bizgym'?"),
        ({"order": "sequental"}, "order: 'random' or 'sequential'"),
        ({"max_turns": 0}, "max_turns: an integer of at least 1"),
        ({"max_turns": True}, "max_turns: an integer of at least 1"),
        ({"max_consecutive_errors": 1.5}, "max_consecutive_errors: an integer of at least 1"),
        ({"render_mode": "human"}, "render_mode: None or 'ansi'"),
        ({"tasks": [{1, 2}]}, "tasks: Object of type set is not JSON serializable"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*not in the possible render_modes")
def test_wrong_settings_are_refused_with_the_setting_named(kwargs, message):
    with pytest.raises(SettingError) as error:
        gym.make(SHOP, **kwargs)
    assert message in str(error.value)


@pytest.mark.parametrize("options", [{"task_id": "shop_9"}, {"taskid": "shop_1"}, {"split": "trian"}, {"order": 1}])
def test_a_refused_reset_leaves_the_episode_and_the_generator_alone(options):
    env, twin = shop(), shop()
    for each in (env, twin):
        each.step(SHIP)
    for seed in (None, 7):
        with pytest.raises(SettingError):
            env.reset(seed=seed, options=options)
    assert env.state_digest() == twin.state_digest()
    assert env.step(LIST)[0] == twin.step(LIST)[0]
    assert env.reset()[0] == twin.reset()[0]


@pytest.mark.parametrize(
    ("kwargs", "expected"),
    [
        ({"split": "train"}, {"shop_0", "shop_1", "shop_2"}),
        ({"split": "test"}, {"shop_3", "shop_4"}),
        ({"tasks": ["shop_4", "shop_0"]}, {"shop_0", "shop_4"}),
        ({}, set(TASKS.ids)),
    ],
)
def test_splits_and_tasks_bound_what_is_drawn(kwargs, expected):
    env = gym.make(SHOP, **kwargs).unwrapped
    assert {env.reset(seed=seed)[1]["task_id"] for seed in range(40)} == expected == set(env.task_ids)


def test_options_override_the_constructor_for_one_episode():
    env = gym.make(SHOP, tasks=["shop_0"]).unwrapped
    assert {env.reset(seed=seed, options={"split": "test"})[1]["task_id"] for seed in range(20)} == {"shop_3", "shop_4"}
    assert env.reset(seed=0, options={"tasks": ["shop_2"]})[1]["task_id"] == "shop_2"
    assert env.reset(seed=0)[1]["task_id"] == "shop_0"


def test_a_fixed_task_plays_as_the_drawn_one_does():
    env = gym.make(SHOP).unwrapped
    for seed in range(10):
        drawn = env.reset(seed=seed)
        assert env.reset(seed=seed, options={"task_id": drawn[1]["task_id"]})[0] == drawn[0]


def test_the_turn_budget_truncates():
    env = shop(max_turns=2)
    assert env.step(LIST)[2:4] == (False, False)
    observation, _, terminated, truncated, info = env.step("x")
    assert (terminated, truncated) == (False, True)
    assert (env.stop_reason, info["error"]) == (StopReason.MAX_STEPS, "not_json")
    assert "ended early (max_steps)" in observation
    with pytest.raises(ResetNeeded):
        env.step(LIST)


def test_the_right_answer_pays_and_passes_the_check():
    env = gym.make(SHOP).unwrapped
    env.reset(seed=0, options={"task_id": "shop_2"})
    answer = {"name": "finish", "arguments": {"answer": f"{SECRET}-2"}}
    _, reward, terminated, truncated, _ = env.step(json.dumps(answer))
    assert (reward, terminated, truncated, env.stop_reason) == (1.0, True, False, StopReason.ENV_DONE)
    assert [check.passed for check in env.checks()] == [True]
    assert env.task_set_hash == TASKS.hash


def test_render_returns_the_last_observation_in_ansi_only():
    env = gym.make(SHOP, render_mode="ansi").unwrapped
    observation, _ = env.reset(seed=0)
    assert env.render() == observation
    assert env.render() != env.step(LIST)[0] == env.render()
    assert shop().render() is None


def test_settings_are_passed_by_keyword():
    class Positional(ShopEnv):
        def __init__(self, split):
            super().__init__(split=split)

    assert Positional(split="test").task_ids == ("shop_3", "shop_4")
    with pytest.raises(SettingError, match="by keyword"):
        Positional("test")

"""What `info` holds, at reset and at every step, and what it never holds."""

import copy
import json
import re

import pytest

from tests.contract.common import ALL_IDS, GARBAGE, INFO_KEYS, SOME_IDS, TEXT_IDS, actions_of, calls_of, make, play

FORBIDDEN = re.compile(r"^(episode|final_.*|_.*)$")
METRICS = {
    "bizgym/EnterpriseQA-v0": {"correct_paper", "correct_strict", "normalized"},
    "bizgym/Consulting-v0": {
        "structure",
        "quantitative",
        "business_sense",
        "communication",
        "overall_mean",
        "normalized",
    },
    "bizgym/PaymentWorkflows-v0": {"strict", "goal", "process", "protection", "normalized"},
    "bizgym/BeerGame-v0": {
        "cost",
        "cost_retailer",
        "cost_wholesaler",
        "cost_distributor",
        "cost_brewery",
        "cost_chain",
        "fill_rate",
        "bullwhip",
        "weeks_in_backlog",
        "normalized",
    },
    "bizgym/DigitalTwin-v0": {
        "earnings",
        "earnings_full",
        "revenue",
        "utilization",
        "peak_staff",
        "projects_won",
        "projects_lost",
        "normalized",
    },
}


def infos(env_id, n=12):
    env = make(env_id)
    rows = play(env, actions_of(env, n), seed=0)
    return [rows[0][1], *(row[4] for row in rows[1:])]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_info_has_exactly_the_documented_keys_and_types(env_id):
    for info in infos(env_id):
        assert set(info) == INFO_KEYS
        assert type(info["task_id"]) is str
        assert type(info["turn"]) is int
        assert type(info["error"]) is str
        assert type(info["tools"]) is tuple
        assert all(type(text) is str for text in info["tools"])
        assert all(type(value) is float for value in info["reward_components"].values())
        assert all(type(value) is float for value in info["metrics"].values())
        for result in info["tool_results"]:
            assert list(result) == ["id", "name", "ok", "code", "content"]
            assert type(result["ok"]) is bool
            assert result["ok"] == (result["code"] == "")
        json.dumps(info, allow_nan=False)


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_turns_are_counted_and_calls_numbered_from_the_first(env_id):
    for turn, info in enumerate(infos(env_id)):
        assert info["turn"] == turn
        assert [result["id"] for result in info["tool_results"]] == ([f"call_{turn}_0"] if turn else [])


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_no_key_is_reserved_by_gymnasium(env_id):
    for info in infos(env_id):
        for keys in (info, info["metrics"], info["reward_components"]):
            assert not [key for key in keys if FORBIDDEN.match(key)]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_the_tools_are_the_same_texts_each_time(env_id):
    env = make(env_id)
    _, first = env.reset(seed=0)
    *_, second = env.step(GARBAGE)
    _, third = env.reset(seed=1, options={"task_id": first["task_id"]})
    for info in (second, third):
        assert all(a is b for a, b in zip(first["tools"], info["tools"], strict=False))
    assert first["tools"] == third["tools"]


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_every_info_is_a_fresh_object(env_id):
    env = make(env_id)
    _, first = env.reset(seed=0)
    *_, second = env.step(calls_of(env, 1)[0])
    *_, third = env.step(GARBAGE)
    for key in ("messages", "tool_results", "reward_components", "metrics"):
        assert len({id(info[key]) for info in (first, second, third)}) == 3
    assert len({id(info) for info in (first, second, third)}) == 3


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_what_a_caller_does_to_an_info_changes_no_episode(env_id):
    env, twin = make(env_id), make(env_id)
    actions = actions_of(env, 6)
    expected = play(twin, actions, seed=3)
    observation, info = env.reset(seed=3)
    for k, action in enumerate(actions, start=1):
        kept = copy.deepcopy(info)
        info["reward_components"].update(dict.fromkeys(info["reward_components"], 1e9))
        info["metrics"].clear()
        info["messages"].clear()
        info["tool_results"].append(kept)
        observation, reward, terminated, truncated, info = env.step(action)
        assert [observation, reward, terminated, truncated, info, env.state_digest()] == expected[k]
        if terminated or truncated:
            break


@pytest.mark.parametrize("env_id", ALL_IDS)
def test_the_reward_is_the_sum_of_its_components_and_a_float(env_id):
    env = make(env_id)
    for row in play(env, actions_of(env, 30), seed=1)[1:]:
        _, reward, terminated, truncated, info, _ = row
        assert type(reward) is float
        assert reward == sum(info["reward_components"].values())
        assert terminated in (True, False)
        assert type(terminated) is bool
        assert type(truncated) is bool
        assert set(info["reward_components"]) == set(env.component_names)


@pytest.mark.parametrize("env_id", TEXT_IDS)
def test_metrics_are_the_documented_ones(env_id):
    env = make(env_id)
    rows = play(env, [env.action_space.sample() for _ in range(200)], seed=1)
    assert rows[-1][2]
    seen = set().union(*(row[4]["metrics"] for row in rows[1:]))
    assert seen <= METRICS[env_id]
    assert METRICS[env_id] - seen <= {"normalized"}
    for row in rows[1:-1]:
        assert "normalized" not in row[4]["metrics"]


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_the_first_observation_is_its_two_messages(env_id):
    env = make(env_id)
    observation, info = env.reset(seed=0)
    assert [message["role"] for message in info["messages"]] == ["system", "user"]
    assert observation == "\n\n".join(message["content"] for message in info["messages"])
    assert info["error"] == ""
    assert info["tool_results"] == []
    assert set(info["reward_components"].values()) == {0.0}

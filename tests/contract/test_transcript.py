"""The environment's messages and the agent's turns form a transcript that a provider accepts."""

import json

import pytest
from bizgym.envs.core import parse_action

from tests.contract.common import GARBAGE, SOME_IDS, TEXT_IDS, make


def check_transcript(messages):
    """Raise unless each assistant call is answered exactly once, in order, before anything that is no answer.

    These are the rules of the OpenAI chat interface for `tool_calls` and `tool` messages.
    """
    waiting = []
    for message in messages:
        if message["role"] == "tool":
            assert set(message) == {"role", "tool_call_id", "content"}
            assert waiting, "an answer to no call"
            assert message["tool_call_id"] == waiting.pop(0)
        else:
            assert not waiting, f"{waiting} were not answered"
        assert message["role"] in {"system", "user", "assistant", "tool"}
        assert isinstance(message["content"], str)
        message["content"].encode("utf-8")
        waiting.extend(call["id"] for call in message.get("tool_calls", ()))
    assert not waiting
    ids = [call["id"] for message in messages for call in message.get("tool_calls", ())]
    assert all(ids)


def assistant_message(action, turn):
    """The agent's turn as a chat message: what it sent as calls, and its text where it sent none."""
    calls = [call for call in parse_action(action, turn) if call.addressed]
    message = {"role": "assistant", "content": "" if calls else str(action)}
    if calls:
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
            }
            for call in calls
        ]
    return message


def native(name, arguments, call_id):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def turns_of(env):
    """Turns of every kind: text, calls, several calls, broken ones with and without an id."""
    good = json.loads(env.action_space.sample())
    name, arguments = good["name"], json.dumps(good["arguments"])
    return [
        GARBAGE,
        good,
        json.dumps(good),
        [good, good],
        [native(name, arguments, "a"), native(name, arguments, "b")],
        [native(name, arguments, "a"), native(name, arguments, "a")],
        [native(name, arguments[:-1], "a"), native(name, arguments, "b"), native("nosuch", "{}", "c")],
        [native("", "", "call_8_0"), native(name, arguments, "call_8_1")],
        [5, good, "text", native("nosuch", "", "z")],
        [good, 5, good],
        {"type": "tool_use", "id": "toolu_1", "name": name, "input": {"nosuch": 1}},
        [],
        "",
        {},
    ]


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_messages_and_turns_form_a_transcript(env_id):
    env = make(env_id, max_consecutive_errors=1_000)
    env.action_space.seed(11)
    _, info = env.reset(seed=0)
    transcript = list(info["messages"])
    for turn, action in enumerate(turns_of(env), start=1):
        if env.stop_reason is not None:
            break
        *_, info = env.step(action)
        transcript += [assistant_message(action, turn), *info["messages"]]
        check_transcript(transcript)
        results = {result["id"]: result for result in info["tool_results"]}
        assert len(results) == len(info["tool_results"]) == len(parse_action(action, turn))
    assert turn >= 10 or env.stop_reason is not None
    if env.stop_reason is None:
        *_, info = env.forfeit("max_tokens")
        assert info["messages"][0]["role"] == "user"
        check_transcript(transcript + info["messages"])


@pytest.mark.parametrize("env_id", TEXT_IDS)
@pytest.mark.parametrize("last", [GARBAGE, [{"name": "nosuch", "id": "a"}, {"name": "nosuch", "id": "b"}]])
def test_the_last_turn_of_an_episode_is_answered_too(env_id, last):
    env = make(env_id, max_turns=1)
    _, info = env.reset(seed=0)
    *_, end = env.step(last)
    check_transcript([*info["messages"], assistant_message(last, 1), *end["messages"]])
    assert "ended early" in end["messages"][-1]["content"]


@pytest.mark.parametrize(
    "broken",
    [
        [{"role": "assistant", "content": "", "tool_calls": [{"id": "a"}]}, {"role": "user", "content": "x"}],
        [{"role": "tool", "tool_call_id": "a", "content": "x"}],
        [{"role": "assistant", "content": "", "tool_calls": [{"id": "a"}]}],
        [
            {"role": "assistant", "content": "", "tool_calls": [{"id": "a"}, {"id": "b"}]},
            {"role": "tool", "tool_call_id": "b", "content": "x"},
            {"role": "tool", "tool_call_id": "a", "content": "x"},
        ],
    ],
)
def test_the_check_itself_refuses_broken_transcripts(broken):
    with pytest.raises(AssertionError):
        check_transcript(broken)

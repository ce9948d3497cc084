"""Chat messages translated into formats that say the same in another order."""

import json
from typing import Any

import pytest
from bizgym.agents.clients import wire_chat, wire_messages, wire_responses
from bizgym.agents.clients.faults import AttemptFailed
from bizgym.agents.clients.reply import as_sent, read_object, usage_of
from bizgym.agents.clients.wire_messages import UNREAD
from bizgym.envs.core.chat import ChatSettings, Finish, Usage
from bizgym.envs.core.errors import SettingError
from hypothesis import given
from hypothesis import strategies as st

from tests.fixtures.clients import SETTINGS, WIRE_NAMES, client_of, player
from tests.fixtures.stub_model import StubModel

UNREADABLE = ("[1]", "7", '{"cents": 12', '{"a": 1, "a": 2}', '{"a": NaN}', "[" * 9_999, '{"a": ' + "9" * 5_000 + "}")
READERS = {"openai": wire_chat, "openai_responses": wire_responses, "anthropic": wire_messages}


def call(call_id: str, arguments: Any = "{}") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": "pay", "arguments": arguments}}


def result(call_id: str, content: str = "done") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": content}


def turns(*messages: dict[str, Any]) -> list[tuple[str, list[str]]]:
    body = wire_messages.request_body(messages, [], ChatSettings())
    return [(turn["role"], [block["type"] for block in turn["content"]]) for turn in body["messages"]]


def test_results_of_one_turn_stand_together_before_other_words():
    asked = {"role": "assistant", "content": "Two at once.", "tool_calls": [call("a"), call("b")]}
    user = {"role": "user", "content": "Hurry."}
    assert turns({"role": "user", "content": "hi"}, asked, result("a"), user, result("b")) == [
        ("user", ["text"]),
        ("assistant", ["text", "tool_use", "tool_use"]),
        ("user", ["tool_result", "tool_result", "text"]),
    ]


def test_empty_words_make_no_block():
    silent = {"role": "assistant", "content": None}
    assert turns({"role": "user", "content": "a"}, silent, {"role": "user", "content": "b"}) == [
        ("user", ["text", "text"])
    ]


def test_the_systems_words_stand_apart_and_later_ones_in_their_place():
    system = [{"role": role, "content": role} for role in ("system", "developer")]
    messages = [*system, {"role": "user", "content": "hi"}, {"role": "system", "content": "later"}]
    body = wire_messages.request_body(messages, [], ChatSettings())
    assert [block["text"] for block in body["system"]] == ["system", "developer"]
    assert [block["text"] for block in body["messages"][0]["content"]] == ["hi", "later"]


def test_a_system_prompt_alone_becomes_the_one_turn_that_is_needed():
    body = wire_messages.request_body([{"role": "system", "content": "go"}], [], ChatSettings())
    assert body == {"messages": [{"role": "user", "content": [{"type": "text", "text": "go"}]}]}


@pytest.mark.parametrize(
    ("arguments", "sent"),
    [
        ('{"cents": 12, "to": {"name": "é"}}', {"cents": 12, "to": {"name": "é"}}),
        ("", {}),
        ("  ", {}),
        (None, {}),
        ({"cents": 3}, {"cents": 3}),
        *[(text, {UNREAD: text}) for text in UNREADABLE],
    ],
)
def test_arguments_become_an_object_or_are_quoted(arguments, sent):
    message = {"role": "assistant", "tool_calls": [call("a", arguments)]}
    body = wire_messages.request_body([{"role": "user", "content": "hi"}, message], [], ChatSettings())
    assert body["messages"][1]["content"][0]["input"] == sent


def test_responses_get_words_calls_and_results_as_items():
    asked = {"role": "assistant", "content": "I pay.", "tool_calls": [call("a", '{"n": 1}'), call("b")]}
    body = wire_responses.request_body([asked, result("a"), result("b", "refused")], [], ChatSettings())
    assert body["input"] == [
        {"role": "assistant", "content": "I pay."},
        {"type": "function_call", "call_id": "a", "name": "pay", "arguments": '{"n": 1}'},
        {"type": "function_call", "call_id": "b", "name": "pay", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": "done"},
        {"type": "function_call_output", "call_id": "b", "output": "refused"},
    ]


def test_what_an_agent_notes_on_a_message_is_not_sent():
    noted = {"role": "user", "content": "hi", "stub_of": "doc_3"}
    assert wire_chat.request_body([noted], [], ChatSettings())["messages"] == [{"role": "user", "content": "hi"}]


def test_content_in_parts_is_joined():
    parts = {"role": "user", "content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}
    assert wire_responses.request_body([parts], [], ChatSettings())["input"][0]["content"] == "ab"


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"role": "robot", "content": "x"}, r"messages\[1\]\.role: .*not robot"),
        ("hi", r"messages\[1\]: a mapping with role and content, not hi"),
        ({"content": "x"}, r"messages\[1\]\.role"),
        ({"role": "tool", "content": "x"}, r"messages\[1\]\.tool_call_id"),
        ({"role": "assistant", "tool_calls": [{"id": "a"}]}, r"messages\[1\]\.tool_calls\[0\]\.function\.name"),
    ],
)
@pytest.mark.parametrize("name", WIRE_NAMES)
def test_malformed_messages_are_named_and_not_sent(name, message, place):
    with StubModel(player) as stub:
        with pytest.raises(SettingError, match=place):
            client_of(name, stub).complete([{"role": "user", "content": "hi"}, message], [], SETTINGS)
        with pytest.raises(SettingError, match="messages: at least one"):
            client_of(name, stub).complete([], [], SETTINGS)
    assert stub.log == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(value=JSON)
def test_arguments_are_written_as_they_were_sent(value):
    sent = json.dumps(value, ensure_ascii=False)
    assert as_sent(read_object(f'{{"input": {sent}}}')["input"]) == sent


@given(text=st.text(max_size=60) | st.sampled_from(['{"a": 1', "[]", "null", "7", "[" * 200_000, '{"error": "x"}', ""]))
def test_no_body_does_more_than_fail(text):
    for reader in READERS.values():
        with pytest.raises(AttemptFailed):
            reader.read_reply(text)


HOSTILE = st.dictionaries(
    st.sampled_from(["choices", "output", "content", "usage", "status", "stop_reason", "id", "model", "error"]),
    st.recursive(
        st.none() | st.integers(-2, 9) | st.sampled_from(["stop", "completed", "end_turn", "tool_use", "message"]),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["message", "finish_reason", "type", "content", "text", "tool_calls", "function", "input"]
                ),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    ),
)


@given(body=HOSTILE)
def test_a_reply_of_any_form_is_read_or_refused(body):
    for reader in READERS.values():
        try:
            reply = reader.read_reply(json.dumps(body))
        except AttemptFailed:
            continue
        assert reply.finish is None or isinstance(reply.finish, Finish)
        assert isinstance(reply.text, str)
        assert all(isinstance(each.arguments, str) for each in reply.tool_calls)


COUNT = st.none() | st.integers() | st.floats() | st.text(max_size=3) | st.booleans() | st.lists(st.integers())


@given(counts=st.tuples(COUNT, COUNT, COUNT, COUNT, COUNT))
def test_counts_are_sound_or_absent(counts):
    usage = usage_of(*counts)
    if usage is not None:
        assert 0 <= usage.cached + usage.cache_write <= usage.input
        assert 0 <= usage.reasoning <= usage.output
        assert usage.input + usage.output > 0


def test_deepseek_states_its_cache_in_a_field_of_its_own():
    body = {
        "choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "prompt_cache_hit_tokens": 90},
    }
    assert wire_chat.read_reply(json.dumps(body)).usage == Usage(input=100, cached=90, output=3)


@pytest.mark.parametrize(
    ("finish", "retriable"), [("insufficient_system_resource", True), ("abort", True), (None, True), ("tired", False)]
)
def test_a_break_off_is_no_answer(finish, retriable):
    body = {"choices": [{"message": {"content": "half an"}, "finish_reason": finish}]}
    with pytest.raises(AttemptFailed) as raised:
        wire_chat.read_reply(json.dumps(body))
    assert raised.value.retriable is retriable


@pytest.mark.parametrize(
    ("reader", "body"),
    [
        (wire_chat, {"choices": [{"message": {"content": None, "refusal": "No."}, "finish_reason": "stop"}]}),
        (
            wire_responses,
            {
                "status": "completed",
                "output": [{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}],
            },
        ),
        (wire_messages, {"content": [{"type": "text", "text": "No."}], "stop_reason": "refusal"}),
    ],
)
def test_a_refusal_is_read_in_each_formats_way(reader, body):
    reply = reader.read_reply(json.dumps(body))
    assert (reply.finish, reply.text) == (Finish.REFUSAL, "No.")


def test_a_window_that_runs_full_is_an_overflow():
    with pytest.raises(AttemptFailed) as raised:
        wire_messages.read_reply(json.dumps({"content": [], "stop_reason": "model_context_window_exceeded"}))
    assert raised.value.overflow

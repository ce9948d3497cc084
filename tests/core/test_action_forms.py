"""What an action may be: every accepted form says the same call, and every broken one says what to mend."""

import json

import pytest
from anthropic.types import ToolUseBlock
from bizgym.envs.core import parse_action
from openai.types.chat import ChatCompletionMessageFunctionToolCall
from openai.types.chat.chat_completion_message_function_tool_call import Function
from openai.types.responses import ResponseFunctionToolCall

ARGUMENTS = {"order_ids": ["ORD-3"], "detail": "full"}
TEXT = json.dumps(ARGUMENTS)
FORMS = {
    "text": json.dumps({"name": "look_up", "arguments": ARGUMENTS}),
    "bytes": json.dumps({"name": "look_up", "arguments": ARGUMENTS}).encode(),
    "text with white space": f'\n {{"name": "look_up",\n "arguments": {TEXT}}} \n',
    "arguments as text in text": json.dumps({"name": "look_up", "arguments": TEXT}),
    "dict": {"name": "look_up", "arguments": ARGUMENTS},
    "dict with text": {"name": "look_up", "arguments": TEXT},
    "list": [{"name": "look_up", "arguments": ARGUMENTS}],
    "tuple": ({"name": "look_up", "arguments": ARGUMENTS},),
    "list as text": json.dumps([{"name": "look_up", "arguments": ARGUMENTS}]),
}
NAMED_FORMS = {
    "openai chat": {"id": "abc", "type": "function", "function": {"name": "look_up", "arguments": TEXT}},
    "openai chat as text": json.dumps(
        {"id": "abc", "type": "function", "function": {"name": "look_up", "arguments": TEXT}}
    ),
    "openai chat object": ChatCompletionMessageFunctionToolCall(
        id="abc", type="function", function=Function(name="look_up", arguments=TEXT)
    ),
    "openai chat with extras": {
        "id": "abc",
        "type": "function",
        "index": 0,
        "function": {"name": "look_up", "arguments": TEXT, "parsed_arguments": None},
    },
    "openai responses": {
        "type": "function_call",
        "id": "fc_1",
        "call_id": "abc",
        "name": "look_up",
        "arguments": TEXT,
        "status": "completed",
    },
    "openai responses object": ResponseFunctionToolCall(
        type="function_call", id="fc_1", call_id="abc", name="look_up", arguments=TEXT
    ),
    "anthropic": {"type": "tool_use", "id": "abc", "name": "look_up", "input": ARGUMENTS},
    "anthropic object": ToolUseBlock(type="tool_use", id="abc", name="look_up", input=ARGUMENTS),
}


def only(action, turn=3):
    (call,) = parse_action(action, turn)
    return call


@pytest.mark.parametrize("form", FORMS)
def test_forms_without_an_id_say_the_same_call(form):
    assert only(FORMS[form])[:4] == ("call_3_0", "look_up", ARGUMENTS, "")


@pytest.mark.parametrize("form", NAMED_FORMS)
def test_forms_with_an_id_say_the_same_call(form):
    assert only(NAMED_FORMS[form])[:4] == ("abc", "look_up", ARGUMENTS, "")
    if not isinstance(NAMED_FORMS[form], str):
        assert [call.id for call in parse_action([NAMED_FORMS[form], FORMS["dict"]], 7)] == ["abc", "call_7_1"]


@pytest.mark.parametrize("raw", ["", "  ", "\n\t", None, {}, "{}"])
@pytest.mark.parametrize("key", ["arguments", "input"])
def test_blank_arguments_are_an_empty_object(raw, key):
    assert only({"name": "list_open_orders", key: raw})[2:4] == ({}, "")
    assert only(json.dumps({"name": "list_open_orders", key: raw}))[2:4] == ({}, "")
    assert only({"id": "abc", "type": "function", "function": {"name": "list_open_orders", key: raw}})[2:4] == ({}, "")


def test_absent_arguments_are_an_empty_object():
    assert only({"name": "list_open_orders"})[2:4] == ({}, "")
    assert only('{"name": "list_open_orders"}')[2:4] == ({}, "")


@pytest.mark.parametrize("raw", ["[1, 2]", "7", "true", "null", '"x"', [1, 2], 7, True, 1.5])
def test_arguments_that_are_no_object_are_refused(raw):
    call = only({"name": "look_up", "arguments": raw})
    assert (call.name, call.arguments, call.error) == ("look_up", {}, "not_object")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        ('{"invoice_id": "INV-7", "amount_cents": 12', "not_json"),
        ("not json", "not_json"),
        ('{"a": 1, "a": 2}', "duplicate_key"),
        ('{"a": NaN}', "non_finite"),
        ('{"a": 1e400}', "non_finite"),
        (" " * 1_000_001, "too_long"),
        ('{"a": "' + "x" * 1_000_000 + '"}', "too_long"),
        ("[" * 65 + "]" * 65, "too_deep"),
        ('{"a": ' + "9" * 5_000 + "}", "bad_arguments"),
    ],
)
def test_arguments_text_is_held_to_strict_json(raw, code):
    call = only({"id": "abc", "type": "function", "function": {"name": "pay", "arguments": raw}})
    assert (call.id, call.name, call.arguments, call.error, call.addressed) == ("abc", "pay", {}, code, True)
    assert call.message
    assert len(call.message) < 1_000


@pytest.mark.parametrize("action", ["[]", "null", "7", "true", '"look_up"', "1.5", [], (), None, 7, True, 1.5])
def test_what_is_no_object_is_no_call(action):
    call = only(action)
    assert (call.id, call.name, call.error, call.addressed) == ("call_3_0", "", "not_object", False)


@pytest.mark.parametrize(
    "action",
    [
        "{}",
        {},
        {"name": None},
        {"name": ""},
        {"name": 7},
        {"name": ["look_up"]},
        {"arguments": {}},
        {"function": {}},
        {"function": {"arguments": "{}"}},
        {"function": "look_up"},
    ],
)
def test_a_call_without_a_name_says_so(action):
    call = only(action)
    assert (call.error, call.addressed) == ("missing_name", False)
    assert '"name"' in call.message


@pytest.mark.parametrize(
    "action",
    [
        {"name": "place_order", "quantity": 400},
        {"name": "place_order", "arguments": {}, "args": {"quantity": 400}},
        '{"name": "place_order", "parameters": {"quantity": 400}}',
        {"name": "place_order", 3: 4},
    ],
)
def test_stray_keys_are_named_not_dropped(action):
    call = only(action)
    assert call.error == "bad_arguments"
    assert 'inside "arguments"' in call.message


def test_plain_text_is_no_json():
    call = only("I would order 400 units.")
    assert (call.error, call.addressed) == ("not_json", False)
    assert "I would order 400 units." in call.message
    assert '{"name": "<tool>", "arguments": {...}}' in call.message


@pytest.mark.parametrize(
    ("ids", "expected"),
    [
        ([None, None], ["call_2_0", "call_2_1"]),
        (["a", "a"], ["a", "call_2_1"]),
        (["a", "a", "a"], ["a", "call_2_1", "call_2_2"]),
        (["call_2_1", None], ["call_2_0", "call_2_1"]),
        (["call_2_1", "call_2_0"], ["call_2_0", "call_2_1"]),
        (["call_2_0", "call_2_1"], ["call_2_0", "call_2_1"]),
        (["call_1_0", "b"], ["call_1_0", "b"]),
        (["", "x" * 129], ["call_2_0", "call_2_1"]),
        (["x" * 128, "\ud800"], ["x" * 128, "call_2_1"]),
        (["a\nb", "\x00"], ["call_2_0", "call_2_1"]),
        ([7, ["a"]], ["call_2_0", "call_2_1"]),
        ([{"a": 1}, True], ["call_2_0", "call_2_1"]),
    ],
)
def test_missing_doubled_and_hostile_ids_are_numbered(ids, expected):
    calls = [{"name": "look_up", "arguments": {}, "id": call_id} for call_id in ids]
    assert [call.id for call in parse_action(calls, 2)] == expected
    assert [call.id for call in parse_action(json.dumps(calls), 2)] == expected


@pytest.mark.parametrize("call_id", ["abc", "call_3_0"])
def test_a_broken_call_with_an_id_is_answered_as_a_call(call_id):
    call = only({"id": call_id, "type": "function", "function": {"name": "", "arguments": "{}"}})
    assert (call.id, call.error, call.addressed) == (call_id, "missing_name", True)


def test_half_characters_are_refused_with_tool_and_field():
    for action in (
        '{"name": "pay", "arguments": {"to": ["a\\ud800"]}}',
        {"name": "pay", "arguments": {"to": ["a\ud800"]}},
    ):
        call = only(action)
        assert call.error == "bad_arguments"
        assert call.message.startswith("pay: to.0: ")
        call.message.encode("utf-8")
    assert only('{"name": "pay", "arguments": {"\\ud800": 1}}').error == "bad_arguments"
    assert only('{"name": "pay", "arguments": {"to": "\\ud83d\\ude00"}}').arguments == {"to": "😀"}

"""Tool calls of models that know none: one JSON object, held to the tools' schemas, becomes a call."""

import json

import pytest
from bizgym.agents.clients.json_action import JsonAction, action_schema
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.cot import ChainOfThought
from bizgym.envs.core.chat import ChatSettings, Finish, ToolCall
from bizgym.envs.core.stop import StopReason
from pydantic import TypeAdapter

from tests.fixtures.models import converse, make, says
from tests.fixtures.shop_env import SHOP

BEER = "bizgym/BeerGame-v0"
GOOD = '{"name": "place_order", "arguments": {"quantity": 400}}'


def tools_of(env_id):
    env = make(env_id)
    env.reset(seed=0)
    return env.unwrapped.tools


def asked(text, tools, finish=Finish.STOP, **settings):
    """Return what comes of a text, and the request that the model was given."""
    seen = []
    inner = ScriptedClient(lambda *request: seen.append(request) or says(text=text, finish=finish))
    messages = [{"role": "system", "content": "Rules."}, {"role": "user", "content": "Go."}]
    return JsonAction(inner).complete(messages, tools, ChatSettings(**settings)), seen[0]


def test_the_object_becomes_a_call_and_the_model_is_given_the_tools_as_text_and_schema():
    completion, (messages, tools, settings) = asked(GOOD, tools_of(BEER))
    assert completion.tool_calls == (ToolCall("", "place_order", '{"quantity": 400}'),)
    assert (completion.text, completion.finish) == ("", Finish.TOOL_CALLS)
    assert (list(tools), settings.tool_choice) == ([], "none")
    assert messages[0]["content"].startswith("Rules.\n\n")
    assert "place_order" in messages[0]["content"]
    assert settings.response_schema["properties"]["name"] == {"const": "place_order"}


def refers_well(schema, definitions):
    """Whether every reference of a schema names a definition at its root."""
    if isinstance(schema, dict):
        if "$ref" in schema and schema["$ref"].removeprefix("#/$defs/") not in definitions:
            return False
        return all(refers_well(each, definitions) for each in schema.values())
    return all(refers_well(each, definitions) for each in schema) if isinstance(schema, list) else True


def test_the_schema_is_a_union_over_the_tools_with_nested_arguments():
    tools = tools_of(SHOP)
    schema = action_schema(tools)
    names = [option["properties"]["name"]["const"] for option in schema["anyOf"]]
    assert names == [tool["function"]["name"] for tool in tools]
    assert all(option["required"] == ["name", "arguments"] for option in schema["anyOf"])
    assert set(schema["$defs"]) == {"ship_Shipment", "ship_Place"}
    assert refers_well(schema, schema["$defs"])
    assert "$defs" in next(t for t in tools if t["function"]["name"] == "ship")["function"]["parameters"]  # untouched


@pytest.mark.parametrize("after", [" ", "\n\n{", GOOD, " and so on"])
def test_what_follows_the_object_is_dropped_even_where_the_length_ended(after):
    completion, _ = asked(f"\n {GOOD}{after}", tools_of(BEER), Finish.LENGTH)
    assert [call.arguments for call in completion.tool_calls] == ['{"quantity": 400}']
    assert completion.finish is Finish.TOOL_CALLS


@pytest.mark.parametrize(
    ("text", "finish", "error"),
    [
        ("I would order 400.", Finish.STOP, "not_json"),
        (GOOD[:-2], Finish.STOP, "not_json"),
        ('{"name": "place_order", "arguments": {"quantity": 1, "quantity": 2}}', Finish.STOP, "duplicate_key"),
        ('{"name": "place_order", "arguments": {"quantity": NaN}}', Finish.STOP, "non_finite"),
        ('{"name": "place_order", "arguments": "{\\"quantity\\": 4"}', Finish.STOP, "not_json"),
        ('{"name": "place_order", "arguments": [4]}', Finish.STOP, "not_object"),
        ('{"name": 7, "arguments": {}}', Finish.STOP, "missing_name"),
        ("[1]", Finish.STOP, "not_object"),
        ("[" * 100_000, Finish.STOP, "too_deep"),
        ("", Finish.STOP, "not_json"),
    ],
)
def test_nothing_is_repaired(text, finish, error):
    agent = ChainOfThought(tool_calls="json")
    row, prompts = converse(make(BEER), says(text=text, finish=finish), says(text=GOOD), agent=agent)
    assert [step.error for step in row.steps] == [error, "", ""]
    assert all(message["role"] != "tool" and "tool_calls" not in message for prompt in prompts for message in prompt)


def test_a_cut_object_is_truncated_output():
    row, _ = converse(make(BEER), says(text=GOOD[:-3], finish=Finish.LENGTH), agent=ChainOfThought(tool_calls="json"))
    assert row.stop_reason is StopReason.OUTPUT_TRUNCATED


def test_calls_and_results_of_earlier_turns_are_shown_as_text():
    agent = ChainOfThought(tool_calls="json")
    row, prompts = converse(make(BEER), says(text=GOOD), says(text=GOOD), agent=agent)
    assert [step.error for step in row.steps] == ["", "", ""]
    said = [message["content"] for message in prompts[1] if message["role"] == "assistant"]
    assert [json.loads(text) for text in said] == [json.loads(GOOD)]
    assert prompts[1][-1]["role"] == "user"
    assert prompts[1][-1]["content"] == row.steps[0].observation
    assert row.client["name"] == "scripted"


def test_without_tools_it_is_the_client_itself():
    completion, (messages, _, settings) = asked("words", ())
    assert (completion.text, messages[0]["content"], settings.response_schema) == ("words", "Rules.", None)
    assert TypeAdapter(dict).validate_python(dict(JsonAction(ScriptedClient()).description))["tool_calls"] == "json"

"""The client without a model: rules, functions and drawn calls, the same for the same conversation."""

import json

import pytest
from bizgym.agents.clients import make_client
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.envs.core.chat import ChatClient, ChatSettings, Completion, Finish, ProviderError
from bizgym.envs.core.errors import SettingError

from tests.fixtures.models import make, says
from tests.fixtures.shop_env import SHOP

SETTINGS = ChatSettings()


def ask(client, *texts, tools=()):
    messages = [{"role": "user", "content": text} for text in texts]
    return client.complete(messages, tools, SETTINGS)


def test_the_first_rule_that_is_found_in_the_last_message_answers():
    rules = [
        {"when": r"Week 2 of \d+", "text": "More.", "calls": [{"name": "place_order", "arguments": {"quantity": 7}}]},
        {"when": "Week", "text": "Thinking.", "finish": "length"},
        {"text": "I do not know."},
    ]
    client = make_client(name="scripted", rules=rules)
    assert isinstance(client, ChatClient)
    second = ask(client, "Week 1", "It is Week 2 of 5")
    assert (second.text, second.finish) == ("More.", Finish.TOOL_CALLS)
    assert [(call.name, call.arguments) for call in second.tool_calls] == [("place_order", '{"quantity":7}')]
    assert (ask(client, "Week 2 of 5", "Week 3").text, ask(client, "Week 3").finish) == ("Thinking.", Finish.LENGTH)
    assert ask(client, "Hello").text == "I do not know."


@pytest.mark.parametrize(
    ("reply", "text", "calls", "finish"),
    [
        ("words", "words", [], Finish.STOP),
        ({"name": "look_up", "arguments": '{"order_ids": ['}, "", [("look_up", '{"order_ids": [')], Finish.TOOL_CALLS),
        ([{"name": "a"}, {"name": "b", "id": "mine"}], "", [("a", "{}"), ("b", "{}")], Finish.TOOL_CALLS),
        (says(text="whole", finish=Finish.REFUSAL), "whole", [], Finish.REFUSAL),
    ],
)
def test_a_function_may_return_whatever_a_model_may_say(reply, text, calls, finish):
    found = ask(ScriptedClient(lambda messages, tools, settings: reply), "x")
    assert (found.text, found.finish) == (text, finish)
    assert [(call.name, call.arguments) for call in found.tool_calls] == calls
    assert len({call.id for call in found.tool_calls}) == len(calls)


def test_a_function_may_raise_and_may_not_return_anything_else():
    def fails(messages, tools, settings):
        raise ProviderError("503")

    with pytest.raises(ProviderError, match="503"):
        ask(ScriptedClient(fails), "x")
    with pytest.raises(TypeError, match="the script returned int"):
        ask(ScriptedClient(lambda messages, tools, settings: 7), "x")


def test_without_rules_valid_calls_are_drawn_by_the_conversation():
    env = make(SHOP)
    env.reset(seed=0)
    tools = env.unwrapped.tools
    drawn = [ask(ScriptedClient(), f"turn {k}", tools=tools) for k in range(60)]
    assert {call.name for each in drawn for call in each.tool_calls} == {t["function"]["name"] for t in tools}
    assert drawn == [ask(ScriptedClient(), f"turn {k}", tools=tools) for k in range(60)]
    for each in drawn:
        (call,) = each.tool_calls
        env.reset(seed=0)
        *_, info = env.step({"name": call.name, "arguments": json.loads(call.arguments)})
        assert info["error"] in ("", "tool_refused")
    assert ask(ScriptedClient(), "no tools").text == ""


def test_its_counts_are_marked_as_estimates_and_its_record_names_it():
    found: Completion = ask(ScriptedClient(lambda messages, tools, settings: "y" * 40), "x" * 400)
    assert (found.usage.input, found.usage.output, found.usage.estimated) == (100, 10, True)
    assert ScriptedClient(model="m").description == {"name": "scripted", "model": "m"}


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ([{"when": "("}], r"client\.rules\.0: .*unterminated"),
        ([{}, {"wen": "x"}], r"client\.rules\.1: wen"),
        ([{"calls": ["x"]}], r"client\.rules\.0: calls\.0"),
        ([{"finish": "bored"}], r"client\.rules\.0: .*bored"),
        (["x"], r"client\.rules\.0"),
    ],
)
def test_a_rule_that_does_not_hold_is_named(rules, message):
    with pytest.raises(SettingError, match=message):
        ScriptedClient(rules)

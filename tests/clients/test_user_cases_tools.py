"""What users report against comparable suites: tool calls (T), each through a model client."""

import json

import pytest
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.cot import ChainOfThought
from bizgym.envs.core.chat import Finish
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import check_transcript, converse, make, order, says, tool_call
from tests.fixtures.shop_env import SHOP

BEER = "bizgym/BeerGame-v0"
LOOKS = says(tool_call("list_open_orders", "", "last"))


def refused(env_id, call, code, **agent):
    """Play a call that must be refused, then a good one; return the record and what the model was told of the first."""
    last = order() if env_id == BEER else LOOKS.tool_calls[0]
    row, prompts = converse(make(env_id), says(call), says(last), says(last), agent=ChainOfThought(**agent))
    for prompt in prompts:
        check_transcript(prompt)
    assert [step.error for step in row.steps] == [code, "", "", ""]
    assert row.steps[0].turn.calls[0]["function"]["arguments"] == call.arguments
    (answer,) = [message for message in prompts[1] if message["role"] == "tool"]
    assert answer["tool_call_id"] == row.steps[0].results[0].id
    assert row.metrics.get("refunded", 0.0) == 0.0
    assert [result.ok for result in row.steps[1].results] == [True]
    return row, answer["content"]


def test_T01_invalid_json_arguments_come_back_as_the_result_of_the_call():
    row, told = refused(SHOP, tool_call("refund", '{"order_id": "INV-7", "amount": 12'), "not_json")
    assert row.steps[0].results[0].id == "abc"
    assert "not JSON" in told


def test_T02_an_unparsed_call_is_never_run_and_the_place_is_named():
    _, told = refused(SHOP, tool_call("refund", '{"amount": 12'), "not_json")
    assert "not JSON at line 1 column 14" in told
    assert "required" not in told.lower()


CUT = tool_call("ship", '{"note": "Dear Ms')


def test_T03_a_reply_that_is_cut_off_ends_the_episode_with_its_raw_text_in_the_record():
    row, _ = converse(make(SHOP), says(CUT, text="I write", finish=Finish.LENGTH))
    assert row.stop_reason is StopReason.OUTPUT_TRUNCATED
    assert row.error.endswith('...I write ship {"note": "Dear Ms')
    assert (row.scored, row.truncated) == (True, True)
    assert row.usage["act"]["calls"] == 1


def test_T03_or_is_played_as_it_is_and_refused():
    row, prompts = converse(
        make(SHOP), says(CUT, finish=Finish.LENGTH), LOOKS, agent=ChainOfThought(on_truncated="continue")
    )
    assert [step.error for step in row.steps] == ["not_json", "", ""]
    assert row.steps[0].turn.calls[0]["function"]["arguments"] == '{"note": "Dear Ms'
    check_transcript(prompts[1])


@pytest.mark.parametrize("blank", ["", "  ", "{}"])
def test_T04_blank_arguments_are_an_empty_object(blank):
    row, prompts = converse(make(SHOP), says(tool_call("list_open_orders", blank)), LOOKS)
    assert row.steps[0].results[0].ok
    check_transcript(prompts[1])


@pytest.mark.parametrize("arguments", ["[1, 2]", "7", "true"])
def test_T05_arguments_that_are_no_object_are_refused(arguments):
    _, told = refused(SHOP, tool_call("refund", arguments), "not_object")
    assert "the arguments must be a JSON object" in told


def test_T06_a_giant_payload_is_kept_in_the_record_and_quoted_in_short_in_the_next_prompt():
    giant = "x" * 2_000_000
    row, prompts = converse(make(SHOP), says(tool_call("refund", giant)), says(text=giant), LOOKS)
    assert [step.error for step in row.steps] == ["too_long", "too_long", "", ""]
    assert row.steps[0].turn.calls[0]["function"]["arguments"] == row.steps[1].turn.text == giant
    assert len(json.dumps(prompts[2])) - len(json.dumps(prompts[0])) < 4_000
    said = [message for message in prompts[2] if message["role"] == "assistant"]
    assert said[0]["tool_calls"][0]["function"]["arguments"].endswith("(2000000 characters in all)")
    assert said[1]["content"].endswith("(2000000 characters in all)")


def test_T06_long_arguments_that_ran_stay_whole_in_the_prompt():
    words = "beer " * 4_000
    row, prompts = converse(make(SHOP), says(tool_call("search_documents", json.dumps({"query": words}))), LOOKS)
    assert row.steps[0].results[0].ok
    (said,) = [message for message in prompts[1] if message["role"] == "assistant"]
    assert json.loads(said["tool_calls"][0]["function"]["arguments"]) == {"query": words}


def test_T07_a_call_without_a_name_is_malformed():
    _, told = refused(SHOP, tool_call("", "{}"), "missing_name")
    assert '{"name": "<tool>", "arguments": {...}}' in told


@pytest.mark.parametrize(
    ("env_id", "call"),
    [
        (BEER, tool_call("place_order", '{"quantity": "40"}')),
        (SHOP, tool_call("look_up", '{"order_ids": "[\\"A\\",\\"B\\"]"}')),
    ],
)
def test_T08_values_as_strings_are_refused(env_id, call):
    _, told = refused(env_id, call, "bad_arguments")
    assert "Input should be a valid" in told


def test_T09_a_bare_string_for_a_list_names_tool_and_field():
    _, told = refused(SHOP, tool_call("look_up", '{"order_ids": "ORD-3"}'), "bad_arguments")
    assert "look_up: order_ids" in told


def test_T10_every_call_of_a_turn_is_run_and_answered():
    both = says(tool_call("list_open_orders", "", "a"), tool_call("refund", '{"amount": 5}', "b"))
    row, prompts = converse(make(SHOP), both, LOOKS)
    assert [(result.id, result.ok) for result in row.steps[0].results] == [("a", True), ("b", True)]
    assert [m["tool_call_id"] for m in prompts[1] if m["role"] == "tool"] == ["a", "b"]


@pytest.mark.parametrize("ids", [("a", "b", "c"), ("a", "a", "a"), ("", "", ""), ("a", "", "x" * 500)])
def test_T11_each_call_has_one_result_also_after_errors_and_whatever_its_id(ids):
    names = ("ship", "refund", "nosuch")
    arguments = ('{"shipment": {"qty": 1000000}}', '{"amount": 5}', "{")
    broken = says(*(tool_call(*each) for each in zip(names, arguments, ids, strict=True)))
    row, prompts = converse(make(SHOP), broken, broken, LOOKS)
    for prompt in prompts:
        check_transcript(prompt)
    assert [result.code for result in row.steps[0].results] == ["out_of_stock", "not_executed", "not_executed"]
    assert len([message for message in prompts[2] if message["role"] == "tool"]) == 6


def test_T11_calls_written_as_text_leave_no_result_without_a_call():
    written = json.dumps({"name": "list_open_orders", "arguments": {}})
    row, prompts = converse(make(SHOP), says(text=written), says(text=""), LOOKS)
    assert [step.error for step in row.steps] == ["", "not_json", "", ""]
    assert prompts[1][-1]["role"] == "user"
    assert "open orders" in prompts[1][-1]["content"]
    for prompt in prompts:
        check_transcript(prompt)


def test_T12_an_unknown_tool_is_answered_with_the_valid_names_nearest_first():
    _, told = refused(SHOP, tool_call("refnd", '{"amount": 1}'), "unknown_tool")
    assert told.index("Did you mean 'refund'?") < told.index("The tools are: list_open_orders, ")


@pytest.mark.parametrize("name", ["functions.place_order", "server__place_order"])
def test_T13_a_prefixed_name_is_not_resolved_in_silence(name):
    _, told = refused(BEER, tool_call(name, '{"quantity": 4}'), "unknown_tool")
    assert "Did you mean 'place_order'?" in told


def test_T14_the_model_is_given_nested_schemas_and_unknown_keys_are_refused():
    _, told = refused(SHOP, tool_call("ship", '{"shipment": {"qty": 4, "colour": "red"}}'), "bad_arguments")
    assert "ship: shipment.colour: Extra inputs are not permitted" in told
    given = []
    client = ScriptedClient(lambda messages, tools, settings: given.append(tools) or LOOKS)
    converse(make(SHOP), LOOKS, client=client)
    ship = next(each["function"] for each in given[0] if each["function"]["name"] == "ship")
    assert set(ship["parameters"]["$defs"]["Shipment"]["properties"]) == {"qty", "to"}


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ('{"quantity": true}', "bad_arguments"),
        ('{"quantity": 5.0}', "bad_arguments"),
        ('{"quantity": NaN}', "non_finite"),
    ],
)
def test_T15_types_are_strict_and_numbers_finite(arguments, code):
    refused(BEER, tool_call("place_order", arguments), code)


def test_T16_repeated_keys_and_infinite_numbers_are_refused():
    _, told = refused(SHOP, tool_call("refund", '{"amount": 10, "amount": 9999}'), "duplicate_key")
    assert "'amount' stands twice" in told
    refused(SHOP, tool_call("refund", '{"amount": 1e400}'), "non_finite")

"""What users report against comparable suites: tool calls (T), and errors that end an episode (S13)."""

import json

import pytest
from bizgym.envs.core import StopReason

from tests.contract.common import make
from tests.fixtures.shop_env import SHOP

BEER_GAME = "bizgym/BeerGame-v0"


@pytest.fixture
def shop():
    env = make(SHOP)
    env.reset(seed=0)
    return env


@pytest.fixture
def game():
    env = make(BEER_GAME)
    env.reset(seed=0)
    return env


def native(name, arguments, call_id="abc"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def refused(env, action, code):
    """Play an action that must be refused; return its observation."""
    before = env.state_digest()
    observation, reward, terminated, truncated, info = env.step(action)
    assert info["error"] == code
    assert not info["tool_results"][0]["ok"]
    assert (reward, terminated, truncated) == (0.0, False, False)
    assert env.state_digest() == before
    return observation, info


def ran(env, action):
    *_, info = env.step(action)
    assert info["error"] == ""
    return info


def test_T01_invalid_json_arguments_come_back_as_the_result_of_the_call(shop):
    cut = '{"invoice_id": "INV-7", "amount_cents": 12'
    _, info = refused(shop, native("refund", cut), "not_json")
    assert info["messages"] == [{"role": "tool", "tool_call_id": "abc", "content": info["tool_results"][0]["content"]}]
    ran(shop, native("refund", '{"amount": 12}'))


def test_T02_an_unparsed_call_is_never_run_and_the_place_is_named(shop):
    observation, _ = refused(shop, native("refund", '{"amount": 12'), "not_json")
    assert "not JSON at line 1 column 14" in observation
    assert "required" not in observation.lower()


def test_T03_the_raw_text_of_a_cut_call_is_kept(shop):
    cut = '{"note": "Dear Ms'
    refused(shop, native("ship", cut), "not_json")
    assert json.loads(shop.save())["actions"] == [native("ship", cut)]
    ran(shop, native("list_open_orders", ""))


@pytest.mark.parametrize("blank", ["", "  ", None, "{}"])
def test_T04_blank_arguments_are_an_empty_object(shop, blank):
    ran(shop, native("list_open_orders", blank))
    ran(shop, {"name": "list_open_orders", "arguments": blank})
    ran(shop, {"name": "list_open_orders"})


@pytest.mark.parametrize("arguments", ["[1, 2]", "7", "true", "null"])
def test_T05_arguments_that_are_no_object_are_refused(shop, arguments):
    observation, _ = refused(shop, native("refund", arguments), "not_object")
    assert "the arguments must be a JSON object" in observation
    refused(shop, f'{{"name": "refund", "arguments": {arguments.replace("null", "[null]")}}}', "not_object")


def test_T06_a_giant_payload_is_not_echoed(shop):
    observation, _ = refused(shop, native("refund", "x" * 2_000_000), "too_long")
    assert len(observation) < 1_000
    assert "2000000 characters" in observation
    observation, _ = refused(shop, "x" * 900_000, "not_json")
    assert len(observation) < 1_000
    assert "(900000 characters in all)" in observation


@pytest.mark.parametrize("call", ["{}", '{"name": null}', {"name": None}, {"arguments": {}}])
def test_T07_a_call_without_a_name_is_malformed(shop, call):
    observation, _ = refused(shop, call, "missing_name")
    assert '{"name": "<tool>", "arguments": {...}}' in observation


@pytest.mark.parametrize("quantity", ["40", 40.0, True, "[40]", [40], None])
def test_T08_numbers_as_strings_are_refused(game, quantity):
    observation, _ = refused(game, {"name": "place_order", "arguments": {"quantity": quantity}}, "bad_arguments")
    assert "place_order: quantity: Input should be a valid integer" in observation


def test_T08_lists_and_objects_as_strings_are_refused(shop):
    observation, _ = refused(shop, {"name": "look_up", "arguments": {"order_ids": '["A","B"]'}}, "bad_arguments")
    assert "look_up: order_ids: Input should be a valid list" in observation
    refused(shop, {"name": "ship", "arguments": {"shipment": '{"qty": 4}'}}, "bad_arguments")


def test_T09_a_bare_string_for_a_list_names_tool_and_field(shop):
    observation, _ = refused(shop, {"name": "look_up", "arguments": {"order_ids": "ORD-3"}}, "bad_arguments")
    assert "look_up: order_ids: Input should be a valid list, got the string ORD-3" in observation


def test_T10_every_call_of_a_turn_is_run_and_answered(shop):
    info = ran(shop, [native("list_open_orders", "", "a"), native("refund", '{"amount": 5}', "b")])
    assert [(result["id"], result["ok"]) for result in info["tool_results"]] == [("a", True), ("b", True)]
    assert info["metrics"]["refunded"] == 5.0


def test_T11_each_call_id_has_one_result_on_errors_and_at_the_end(shop):
    turns = [
        [native("ship", '{"shipment": {"qty": 1000000}}', "a"), native("refund", '{"amount": 5}', "b")],
        [native("nosuch", "{}", "a"), native("refund", "{", "b"), native("", "", "c")],
        [native("finish", '{"answer": "x"}', "a"), native("list_open_orders", "", "b")],
    ]
    for calls in turns:
        *_, info = shop.step(calls)
        ids = [call["id"] for call in calls]
        assert [result["id"] for result in info["tool_results"]] == ids
        assert [message["tool_call_id"] for message in info["messages"]] == ids
    assert shop.stop_reason is StopReason.ENV_DONE


def test_T12_an_unknown_tool_is_answered_with_the_valid_names_nearest_first(shop):
    observation, _ = refused(shop, {"name": "refnd", "arguments": {"amount": 1}}, "unknown_tool")
    assert observation.index("Did you mean 'refund'?") < observation.index("The tools are: list_open_orders, ")


@pytest.mark.parametrize("name", ["functions.place_order", "server__place_order", "Place_Order", " place_order"])
def test_T13_a_prefixed_name_is_not_resolved_in_silence(game, name):
    observation, _ = refused(game, {"name": name, "arguments": {"quantity": 4}}, "unknown_tool")
    assert "Did you mean 'place_order'?" in observation


def test_T14_nested_arguments_keep_their_schema_and_unknown_keys_are_refused(shop):
    schema = next(each["function"] for each in shop.tools if each["function"]["name"] == "ship")["parameters"]
    assert set(schema["$defs"]["Shipment"]["properties"]) == {"qty", "to"}
    call = {"name": "ship", "arguments": {"shipment": {"qty": 4, "colour": "red"}}}
    observation, _ = refused(shop, call, "bad_arguments")
    assert "ship: shipment.colour: Extra inputs are not permitted" in observation
    ran(shop, {"name": "ship", "arguments": {"shipment": {"qty": 4}}})


@pytest.mark.parametrize("quantity", ["true", "5.0", '"5"', "5e0"])
def test_T15_types_are_strict(game, quantity):
    refused(game, f'{{"name": "place_order", "arguments": {{"quantity": {quantity}}}}}', "bad_arguments")


@pytest.mark.parametrize("amount", ["NaN", "Infinity", "-Infinity", "1e400"])
def test_T15_numbers_are_finite(shop, game, amount):
    refused(shop, f'{{"name": "refund", "arguments": {{"amount": {amount}}}}}', "non_finite")
    refused(game, f'{{"name": "place_order", "arguments": {{"quantity": {amount}}}}}', "non_finite")


def test_T16_repeated_keys_are_refused(shop):
    observation, _ = refused(shop, '{"name": "refund", "arguments": {"amount": 10, "amount": 9999}}', "duplicate_key")
    assert "'amount' stands twice" in observation
    refused(shop, native("refund", '{"amount": 10, "amount": 9999}'), "duplicate_key")
    refused(shop, '{"name": "refund", "name": "finish", "arguments": {"amount": 10}}', "duplicate_key")


def test_T18_a_long_result_is_cut_for_the_agent_and_kept_in_the_record(shop):
    info = ran(shop, {"name": "search_documents", "arguments": {"query": "", "rows": 5_000}})
    full, shown = info["tool_results"][0]["content"], info["messages"][0]["content"]
    assert len(full.splitlines()) == 5_000
    assert f"[... {len(full) - 8_000} characters left out ...]" in shown
    assert len(shown) < 8_100
    assert (shown[:6_000], shown[-2_000:]) == (full[:6_000], full[-2_000:])


def test_S13_too_many_errors_end_with_their_own_reason(game):
    for k in range(1, 11):
        *_, terminated, truncated, _ = game.step("20 invalid calls in a row")
        assert (terminated, truncated) == (k == 10, False)
    assert game.stop_reason is StopReason.MALFORMED_CALLS


def test_S13_each_stop_has_one_reason(game):
    assert game.stop_reason is None
    game.forfeit("max_cost")
    assert game.stop_reason is StopReason.MAX_COST
    game.reset()
    assert game.stop_reason is None
    for _ in range(25):
        game.step({"name": "place_order", "arguments": {"quantity": 400}})
    assert game.stop_reason is StopReason.ENV_DONE

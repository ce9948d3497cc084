"""The wire form: what is recorded plays as the original did, whatever the original was."""

import collections
import itertools
import json
from types import SimpleNamespace
from unittest.mock import MagicMock

import gymnasium as gym
import numpy as np
import pytest
from bizgym.envs.core import parse_action, to_wire
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.hostile import HOSTILE, nested, nested_mapping
from tests.fixtures.shop_env import SHOP

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters())
    | st.text(st.sampled_from("a\ud83d\ude00é"))
    | st.sampled_from([4_000, 4_400, 20_000]).map(lambda digits: 10**digits)
    | st.sampled_from([1.0, "40", b"x", 1j])
    | st.sampled_from([np.int64(3), np.float32(1.5), np.float64("nan"), np.bool_(True), np.arange(2), np.str_("x")])
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner)
        | st.dictionaries(st.text(max_size=3) | st.integers() | st.just("\ud800"), inner, max_size=3)
    ),
    max_leaves=8,
)
NAMES = st.sampled_from(["list_open_orders", "search_documents", "look_up", "ship", "refund", "refnd", "", "\ud800"])
ARGUMENTS = st.fixed_dictionaries(
    {},
    optional={
        "query": st.text(max_size=3) | VALUES,
        "order_ids": st.lists(st.text(max_size=3), max_size=2) | VALUES,
        "shipment": st.fixed_dictionaries({"qty": st.integers(1, 9)}, optional={"to": VALUES, "colour": VALUES}),
        "extra": st.dictionaries(st.text(max_size=2), VALUES, max_size=2) | VALUES,
        "amount": st.floats(0, 1e6) | VALUES,
    },
)
PLAIN_CALLS = st.fixed_dictionaries(
    {"name": NAMES | VALUES},
    optional={"arguments": ARGUMENTS | VALUES, "id": st.text(max_size=3) | VALUES, "type": VALUES, "junk": VALUES},
)
CALLS = PLAIN_CALLS | st.fixed_dictionaries({"id": VALUES, "function": PLAIN_CALLS | VALUES}) | VALUES
PIECES = st.sampled_from([b'{"id": "', b'", "name": "list_open_orders"}', b"\\", b"\xff", b"\xc3\xa9"])
BYTES = st.lists(PIECES, max_size=5)
ACTIONS = CALLS | st.lists(CALLS, max_size=3) | BYTES.map(b"".join)
ENV = gym.make(SHOP).unwrapped


def played(action):
    ENV.reset(seed=5)
    before = ENV.state_digest()
    observation, reward, _, _, info = ENV.step(action)
    if info["error"] not in ("", "not_executed"):
        assert not info["tool_results"][0]["ok"] or len(info["tool_results"]) > 1
    if info["error"] and len(info["tool_results"]) == 1:
        assert ENV.state_digest() == before
    observation.encode("utf-8")
    return observation, reward, info, ENV.state_digest()


@settings(max_examples=400)
@given(ACTIONS)
def test_the_wire_form_plays_as_the_original(action):
    wire = to_wire(action)
    text = json.dumps(wire, allow_nan=False)
    assert to_wire(json.loads(text)) == json.loads(text) == wire
    assert played(json.loads(text)) == played(action)


@settings(max_examples=200)
@given(st.text(st.characters(), max_size=30) | st.text(st.sampled_from('{}[]":,ane1\\u\ud83d\ude00'), max_size=30))
def test_any_text_survives_a_save(action):
    first = played(action)
    saved = ENV.save()
    ENV.load(json.dumps(json.loads(saved)))
    assert (ENV.render() or ENV._rendered, ENV.state_digest()) == (first[0], first[3])


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_objects_are_data(name):
    make, code = HOSTILE[name]
    observation, _, info, _ = played(make())
    assert info["error"] == code, observation
    assert len(observation) < 2_000
    saved = ENV.save()
    ENV.load(saved)
    assert ENV._rendered == observation
    assert "0x" not in observation


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_arguments_do_not_run(name):
    make, _ = HOSTILE[name]
    _, _, info, _ = played({"id": "abc", "name": "refund", "arguments": {"amount": 1.0, "order_id": make()}})
    assert info["error"] in {"bad_arguments", "too_deep", "too_long", "non_finite", "duplicate_key"}
    assert info["tool_results"][0]["id"] == "abc"


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": 10**5_000}}}, "bad_arguments"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": {1, 2}}}}, "bad_arguments"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": float("nan")}}}, "non_finite"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": nested(63)}}}, "too_deep"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": nested_mapping(3_000)}}}, "too_deep"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": "x" * 1_000_001}}}, "too_long"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": [0] * 1_000_001}}}, "too_long"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {3: 4}}}, "bad_arguments"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": "\ud800"}}}, "bad_arguments"),
        ({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"\ud800": 1}}}, "bad_arguments"),
        ({"name": "list_open_orders", "arguments": " " * 1_000_001}, "too_long"),
        ({"name": "x" * 2_000_000, "arguments": {}}, "unknown_tool"),
        (b'{"id": "\\\xff", "name": "list_open_orders"}', "not_json"),
        (b'{"id": "\xff", "name": "list_open_orders"}', "not_json"),
        (("é" * 2_000_001).encode(), "too_long"),
    ],
)
def test_what_json_cannot_say_is_refused_even_where_any_value_fits(action, code):
    observation, _, info, _ = played(action)
    assert info["error"] == code, observation
    assert played(to_wire(action)) == played(action)


def test_the_deepest_arguments_that_are_allowed_run():
    assert played({"name": "ship", "arguments": {"shipment": {"qty": 3}, "extra": {"a": nested(62)}}})[2]["error"] == ""


def test_an_action_that_changes_after_the_call_is_recorded_as_it_was():
    action = [{"name": "refund", "arguments": {"amount": 1.0}}]
    _, _, _, digest = played(action)
    action[0]["arguments"]["amount"] = 9.0
    action.append({"name": "refund", "arguments": {"amount": 5.0}})
    ENV.load(ENV.save())
    assert ENV.state_digest() == digest


def test_an_object_that_lies_is_looked_at_once():
    answers = itertools.cycle([{"amount": 1.0}, {"amount": 9.0}])

    class Liar:
        name = "refund"
        arguments = property(lambda self: next(answers))

    _, _, info, digest = played(Liar())
    assert info["metrics"]["refunded"] == 1.0
    ENV.load(ENV.save())
    assert ENV.state_digest() == digest


@pytest.mark.parametrize(
    "action",
    [
        SimpleNamespace(name="refund", arguments={"amount": np.float64(1)}),
        SimpleNamespace(id="a", function=SimpleNamespace(name="refund", arguments='{"amount": 1}')),
        collections.UserDict(name="refund", arguments=collections.UserDict(amount=1)),
        collections.OrderedDict(name="refund", arguments=collections.ChainMap({"amount": np.int64(1)})),
        {"name": np.str_("refund"), "arguments": {"amount": 1}},
    ],
)
def test_plain_objects_and_mappings_are_calls(action):
    assert played(action)[2]["metrics"]["refunded"] == 1.0


def test_a_mock_is_no_call():
    assert [call.error for call in parse_action([MagicMock(), MagicMock(spec=str)], 1)] == [
        "missing_name",
        "not_object",
    ]

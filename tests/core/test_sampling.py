"""Sampling: every sample fits its schema, whatever pydantic writes, and every choice is reached."""

import json
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from bizgym.envs.core import SettingError, Toolbox
from bizgym.envs.core.jsontext import decode
from bizgym.envs.core.sampling import sample_schema
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, create_model

from tests.fixtures.shop_env import ShopEnv

CLOSED = ConfigDict(extra="forbid", strict=True)


@st.composite
def bounded(draw, kind, numbers):
    low, high = sorted([draw(numbers), draw(numbers)])
    bounds = {}
    if draw(st.booleans()):
        bounds[draw(st.sampled_from(["ge", "gt"]))] = low
    if draw(st.booleans()):
        bounds[draw(st.sampled_from(["le", "lt"]))] = high + kind(2)
    return Annotated[kind, Field(**bounds)]


@st.composite
def multiples(draw, kind):
    step = draw(st.integers(1, 5_000)) if kind is int else draw(st.sampled_from([0.25, 0.5, 2.0, 1_500.0]))
    low = draw(st.integers(-10_000, 10_000))
    bounds = draw(st.sampled_from([{}, {"ge": low}, {"le": low}, {"ge": low, "le": low + 6_000}]))
    return Annotated[kind, Field(multiple_of=step, **bounds)]


@st.composite
def texts(draw):
    low = draw(st.integers(0, 30))
    return Annotated[str, Field(min_length=low, max_length=low + draw(st.integers(0, 30)))]


@st.composite
def lists(draw, inner):
    low = draw(st.integers(0, 3))
    return Annotated[list[draw(inner)], Field(min_length=low, max_length=low + draw(st.integers(0, 3)))]


@st.composite
def models(draw, inner):
    fields = {}
    for name in draw(st.lists(st.sampled_from("abcd"), min_size=1, unique=True)):
        kind = draw(inner)
        fields[name] = draw(st.sampled_from([(kind, ...), (kind | None, None)]))
    return create_model("Model", __config__=CLOSED, **fields)


LEAVES = st.one_of(
    st.sampled_from([int, float, str, bool, Any, dict, list, Literal["a"], Literal["a", "b"], Literal[1, "x", None]]),
    bounded(int, st.integers(-(10**25), 10**25)),
    bounded(int, st.integers(-20, 20)),
    bounded(float, st.floats(-1e12, 1e12)),
    multiples(int),
    multiples(float),
    texts(),
    st.just(Annotated[str, Field(pattern="^INV-[0-9]$", examples=["INV-7", "INV-8"])]),
)
KINDS = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        lists(inner),
        models(inner),
        inner.map(lambda kind: kind | None),
        st.tuples(inner, inner).map(lambda pair: pair[0] | pair[1]),
        inner.map(lambda kind: dict[str, kind]),
    ),
    max_leaves=6,
)


@settings(max_examples=400)
@given(KINDS, st.integers(0, 2**32))
def test_every_sample_fits_its_schema_and_its_type(kind, seed):
    adapter = TypeAdapter(kind)
    schema = adapter.json_schema()
    value = sample_schema(schema, np.random.default_rng(seed))
    adapter.validate_python(json.loads(json.dumps(value, allow_nan=False)))
    if "multipleOf" not in str(schema):  # whose remainder jsonschema takes without a tolerance
        Draft202012Validator(schema).validate(value)


class Node(BaseModel):
    model_config = CLOSED
    name: str
    children: "list[Node]"
    twin: "Node | None" = None


def test_models_that_hold_themselves_end():
    rng = np.random.default_rng(0)
    schema = TypeAdapter(Node).json_schema()
    for _ in range(200):
        text = json.dumps(sample_schema(schema, rng))
        Node.model_validate(decode(text))


@pytest.mark.parametrize("name", list(Toolbox.of(ShopEnv)))
def test_samples_of_a_tool_are_accepted_by_it(name):
    rng, each = np.random.default_rng(1), Toolbox.of(ShopEnv)[name]
    for _ in range(300):
        each.validate(decode(json.dumps(sample_schema(each.parameters, rng))))


def samples(kind, n=400):
    rng = np.random.default_rng(2)
    return [sample_schema(TypeAdapter(kind).json_schema(), rng) for _ in range(n)]


def test_both_ends_of_a_range_and_every_choice_are_reached():
    assert set(samples(Annotated[int, Field(ge=-2, le=2)])) == {-2, -1, 0, 1, 2}
    assert set(samples(Annotated[int, Field(gt=-2, lt=2)])) == {-1, 0, 1}
    assert set(samples(Annotated[int, Field(ge=-7, le=7, multiple_of=3)])) == {-6, -3, 0, 3, 6}
    assert set(samples(Literal["a", "b", "c"])) == {"a", "b", "c"}
    assert set(samples(bool)) == {True, False}
    assert {type(value) for value in samples(int | str | None)} == {int, str, type(None)}
    assert {len(value) for value in samples(Annotated[list[int], Field(min_length=1, max_length=3)])} == {1, 2, 3}


def test_integers_are_uniform_on_their_bounds():
    drawn = samples(Annotated[int, Field(ge=0, le=5_000)], 4_000)
    standard_error = 5_000 / 12**0.5 / 4_000**0.5
    assert abs(np.mean(drawn) - 2_500) < 4 * standard_error


def test_optional_properties_appear_half_the_time():
    model = create_model("Model", __config__=CLOSED, a=(int, 1))
    present = sum("a" in value for value in samples(model, 1_000))
    assert abs(present - 500) < 4 * (1_000 * 0.25) ** 0.5


def test_the_same_generator_draws_the_same_values():
    first = [sample_schema(TypeAdapter(Node).json_schema(), np.random.default_rng(9)) for _ in range(2)]
    assert first[0] == first[1]


def test_a_pattern_without_examples_is_refused():
    with pytest.raises(SettingError, match="pattern needs examples"):
        samples(Annotated[str, Field(pattern="^x$")])

"""Random values that fit a JSON schema: what makes `action_space.sample()` a real random agent."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .errors import SettingError

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_OPEN_BOUND = 1_000  # where a schema leaves a side open
_OPTIONAL_SHARE = 0.5
_FEW = 3
_DEEP = 6  # levels after which everything optional is left out, so that models that hold themselves end


def sample_schema(
    schema: dict[str, Any],
    rng: np.random.Generator,
    definitions: dict[str, Any] | None = None,
    depth: int = 0,
) -> Any:
    """Draw a value that fits `schema`.

    Integers and numbers are uniform on their bounds, choices uniform on their options, optional properties
    appear half the time. A property that lists `examples` draws one of them.

    Args:
        schema: A JSON schema as pydantic writes it.
        rng: What to draw from.
        definitions: The schemas that a `$ref` may name; those of `schema` itself by default.
        depth: Number of containers around the value; deep ones stay small.

    Raises:
        SettingError: The schema uses a `pattern` without `examples`.
    """
    definitions = definitions if definitions is not None else schema.get("$defs", {})
    if "$ref" in schema:
        return sample_schema(definitions[schema["$ref"].rsplit("/", 1)[-1]], rng, definitions, depth)
    if "const" in schema:
        return schema["const"]
    for key in ("enum", "examples"):
        if schema.get(key):
            return schema[key][int(rng.integers(len(schema[key])))]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            options = [each for each in schema[key] if depth < _DEEP or each.get("type") == "null"] or schema[key]
            return sample_schema(options[int(rng.integers(len(options)))], rng, definitions, depth)
    kind = schema.get("type", "object")
    if kind in _CONTAINERS:
        return _CONTAINERS[kind](schema, rng, definitions, depth + 1)
    return _SCALARS[kind](schema, rng)


def _bounds(schema: dict[str, Any], inside: Callable[[Any, int], Any], width: float) -> tuple[Any, Any]:
    """The least and the greatest value: next to an exclusive bound, `width` from the other where a side is open."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if "exclusiveMinimum" in schema:
        low = inside(schema["exclusiveMinimum"], 1)
    if "exclusiveMaximum" in schema:
        high = inside(schema["exclusiveMaximum"], -1)
    if low is None:
        low = min(0, 0 if high is None else high) - width
    return low, max(0, low) + width if high is None else high


def _next_integer(value: Any, way: int) -> Any:
    return value + way


def _next_number(value: Any, way: int) -> float:
    return math.nextafter(value, way * math.inf)


def _multiple(low: float, high: float, step: float, rng: np.random.Generator) -> Any:
    """Draw a multiple of `step`; ranges that no machine integer holds are drawn through a float."""
    first, last = -int(-low // step), int(high // step)
    count = last - first + 1
    drawn = int(rng.integers(count)) if count < 2**63 else min(int(rng.random() * count), count - 1)
    return (first + drawn) * step


def _integer(schema: dict[str, Any], rng: np.random.Generator) -> int:
    step = schema.get("multipleOf", 1)
    return int(_multiple(*_bounds(schema, _next_integer, _OPEN_BOUND * step), step, rng))


def _number(schema: dict[str, Any], rng: np.random.Generator) -> float:
    step = schema.get("multipleOf")
    low, high = _bounds(schema, _next_number, float(_OPEN_BOUND) * (step or 1))
    if step:
        return float(_multiple(low, high, step, rng))
    share = float(rng.random())
    return float(min(max(low * (1.0 - share) + high * share, low), high))


def _string(schema: dict[str, Any], rng: np.random.Generator) -> str:
    if "pattern" in schema:
        raise SettingError("a string parameter with a pattern needs examples, so that it can be sampled")
    low = schema.get("minLength", min(1, schema.get("maxLength", 1)))
    length = int(rng.integers(low, min(schema.get("maxLength", low + 12), low + 12) + 1))
    return "".join(_LETTERS[k] for k in rng.integers(len(_LETTERS), size=length))


def _boolean(schema: dict[str, Any], rng: np.random.Generator) -> bool:
    return bool(rng.integers(2))


def _null(schema: dict[str, Any], rng: np.random.Generator) -> None:
    return None


def _array(schema: dict[str, Any], rng: np.random.Generator, definitions: dict[str, Any], depth: int) -> list[Any]:
    low = schema.get("minItems", 0)
    most = low if depth > _DEEP else low + _FEW
    length = int(rng.integers(low, min(schema.get("maxItems", most), most) + 1))
    items = schema.get("items", {"type": "string"})
    return [sample_schema(items, rng, definitions, depth) for _ in range(length)]


def _object(
    schema: dict[str, Any], rng: np.random.Generator, definitions: dict[str, Any], depth: int
) -> dict[str, Any]:
    required = schema.get("required", ())
    drawn = {
        name: sample_schema(part, rng, definitions, depth)
        for name, part in schema.get("properties", {}).items()
        if name in required or (depth <= _DEEP and rng.random() < _OPTIONAL_SHARE)
    }
    extra = schema.get("additionalProperties")
    if isinstance(extra, dict):
        for _ in range(int(rng.integers(_FEW)) if depth <= _DEEP else 0):
            drawn[_string({}, rng)] = sample_schema(extra, rng, definitions, depth)
    return drawn


_CONTAINERS = {"array": _array, "object": _object}
_SCALARS = {"integer": _integer, "number": _number, "string": _string, "boolean": _boolean, "null": _null}

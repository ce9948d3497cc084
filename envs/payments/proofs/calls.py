"""Calls of business tools that are no part of the reference path, with arguments of it and of the records at hand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from ...core.jsontext import canonical
from ..kernel.tools import BusinessTool
from ..tasks import Action
from .mistakes import Ground, inner
from .play import prefix_of
from .support import is_id
from .values import is_money, leaves

CALLS_A_TOOL = 24
VALUES_AN_ARGUMENT = 3
EXTRA_MINUTES = 60
_KEY = "extra-act"


def calls_of(ground: Ground, tool: BusinessTool, named: Sequence[str] = ()) -> Iterator[Action]:
    """Yield calls of a tool with arguments of the reference path and of the records at hand, a few of them.

    Args:
        ground: The task with its reference path.
        tool: The tool.
        named: Records that come before those of the reference path.
    """
    return islice(_calls(ground, tool, named), CALLS_A_TOOL)


def _calls(ground: Ground, tool: BusinessTool, named: Sequence[str]) -> Iterator[Action]:
    schema = tool.parameters
    names = schema.get("required", [])
    values = [_candidates(ground, tool.name, name, schema["properties"][name], named) for name in names]
    for given in product(*values):
        arguments = dict(zip(names, given, strict=True))
        yield Action(name="call_tool", arguments={"name": tool.name, "arguments": arguments})


def _candidates(ground: Ground, tool: str, name: str, schema: Mapping[str, Any], named: Sequence[str]) -> list[Any]:
    if name == "idempotency_key":
        return [_KEY]
    if "$ref" in schema:
        return _amounts(ground)
    if "enum" in schema:
        return list(schema["enum"][:VALUES_AN_ARGUMENT])
    if schema.get("type") == "array":
        return [[]]
    if schema.get("type") == "boolean":
        return [True, False]
    if schema.get("type") == "integer":
        return [ground.golden.minutes + EXTRA_MINUTES]
    examples = [each for each in schema.get("examples", []) if is_id(str(each))]
    return _records(ground, prefix_of(examples[0]), named) if examples else _given(ground, tool, name)


def _given(ground: Ground, tool: str, name: str) -> list[str]:
    """Return what the reference path gives for an argument of this name, in calls of the tool if there are any."""
    calls = [ground.actions[k] for k in ground.writes if name in inner(ground.actions[k])]
    own = [each for each in calls if each.arguments["name"] == tool]
    found = [inner(each)[name] for each in own or calls]
    return list(dict.fromkeys(each for each in found if isinstance(each, str)))[:VALUES_AN_ARGUMENT]


def _records(ground: Ground, prefix: str, first: Sequence[str]) -> list[str]:
    """Return the records of a kind: those that are named first, then those of the reference path."""
    wanted = [each for each in first if prefix_of(each) == prefix]
    named = [leaf.value for action in ground.actions for leaf in leaves(action) if isinstance(leaf.value, str)]
    own = [each for each in named if is_id(each) and prefix_of(each) == prefix]
    base = [each for each in ground.setting.base.records if prefix_of(each) == prefix]
    return list(dict.fromkeys([*wanted, *own, *base]))[:VALUES_AN_ARGUMENT]


def _amounts(ground: Ground) -> list[Any]:
    """Return amounts of the reference path: the largest and the smallest."""
    found = [leaf.value for action in ground.actions for leaf in leaves(action) if is_money(leaf.value)]
    ranked = sorted(found, key=lambda each: each["minor"])
    return list({canonical(each): each for each in (ranked[-1:] + ranked[:1])}.values())

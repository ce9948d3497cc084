"""Directed search: acts that are no part of the reference path, aimed at one check that no mistake breaks alone.

The search is over a slice: one more act, of a business tool whose footprint meets what the check looks at, with
arguments of the reference path and of the records at hand, at a few instants. What it does not find may still exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

from ...core.jsontext import canonical
from ..checks.spec import CheckSpec
from ..kernel.tools import BusinessTool
from ..modules.catalog import TOOLS
from ..records import KINDS
from ..tasks import Action
from .mistakes import Ground
from .play import prefix_of
from .values import is_money, leaves
from .variations import Parts, inserted, varied

CALLS_A_TOOL = 24
VALUES_AN_ARGUMENT = 3
EXTRA_MINUTES = 60
_ID = re.compile(r"[A-Z]{3}-[0-9]+")
_KEY = "extra-act"
_PREFIXES = {kind.prefix: name for name, kind in KINDS.items()}


def extra_acts(ground: Ground, check: CheckSpec) -> Iterator[Parts]:
    """Yield the reference path with one more act that touches what a check looks at."""
    places = sorted(
        {ground.writes[0], ground.writes[len(ground.writes) // 2], ground.writes[-1], len(ground.parts) - 1}
    )
    wanted = ground.task.tool_subset or list(TOOLS)
    for name in sorted(wanted, key=list(TOOLS).index):
        if not meets(TOOLS[name], check):
            continue
        for act in islice(_calls(ground, TOOLS[name]), CALLS_A_TOOL):
            yield from (inserted(ground.parts, place, varied(act, None)) for place in reversed(places))


def meets(tool: BusinessTool, check: CheckSpec) -> bool:
    """Whether a check looks at a tool, at one of the fields in its footprint, or at records of a kind that it makes.

    A frame looks at everything.
    """
    if "frame" in check.form:
        return bool(tool.writes)
    text = canonical(check.form)
    kinds = {_PREFIXES[prefix_of(each)] for each in _ID.findall(text) if prefix_of(each) in _PREFIXES}
    words = set(re.findall(r"[a-z_]+", text))
    if tool.name in words:
        return bool(tool.writes)
    kinds |= words.intersection(KINDS)
    return any(_touches(write, kinds, words) for write in tool.writes)


def _touches(write: str, kinds: set[str], words: set[str]) -> bool:
    if write.endswith("+"):
        return write[:-1] in words
    kind, _, name = write.partition(".")
    return kind in kinds and name in words


def _calls(ground: Ground, tool: BusinessTool) -> Iterator[Action]:
    schema = tool.parameters
    names = schema.get("required", [])
    values = [_candidates(ground, name, schema["properties"][name]) for name in names]
    for given in product(*values):
        arguments = dict(zip(names, given, strict=True))
        yield Action(name="call_tool", arguments={"name": tool.name, "arguments": arguments})


def _candidates(ground: Ground, name: str, schema: Mapping[str, Any]) -> list[Any]:
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
    examples = [each for each in schema.get("examples", []) if _ID.fullmatch(str(each))]
    return _records(ground, prefix_of(examples[0])) if examples else []


def _records(ground: Ground, prefix: str) -> list[str]:
    """Return the records of a kind: those of the reference path first."""
    named = [leaf.value for action in ground.actions for leaf in leaves(action) if isinstance(leaf.value, str)]
    own = [each for each in named if _ID.fullmatch(each) and prefix_of(each) == prefix]
    base = [each for each in ground.setting.base.records if prefix_of(each) == prefix]
    return list(dict.fromkeys([*own, *base]))[:VALUES_AN_ARGUMENT]


def _amounts(ground: Ground) -> list[Any]:
    """Return amounts of the reference path: the largest and the smallest."""
    found = [leaf.value for action in ground.actions for leaf in leaves(action) if is_money(leaf.value)]
    ranked = sorted(found, key=lambda each: each["minor"])
    return list({canonical(each): each for each in (ranked[-1:] + ranked[:1])}.values())

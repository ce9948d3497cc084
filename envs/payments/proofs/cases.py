"""Where an agent can know from which row of a rule applies: the case of a rule has to be shown before it is gone by.

The rows of a key differ by scope: the jurisdiction and the segment of a party, a currency, the priority of a bill.
Whoever decides by a rule must have seen what the case is in each of these dimensions, even where the row that applies
is the general one, since a narrower one could have applied. What a document says in its header is for whom it holds,
and not who the customer is: the case stands in the request, in the results of business tools, and in the customer's
answers. Dimensions that the agent chooses itself (a method, a route, an action) stand in the arguments of its acts,
and so do instants other than that of the act.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache

from ..checks.spec import CheckSpec
from ..content import Setting
from ..kernel.records import to_json
from ..kernel.rules import RuleRow
from ..modules.catalog import TOOLS
from ..records.parties import Party
from ..tasks import GoldenPath, PaymentTask
from .beliefs import rows_in_use
from .play import Play
from .provenance import Need, is_write
from .support import meets
from .values import leaves

DIMENSIONS = ("jurisdiction", "segment", "currency", "priority")
"""Dimensions of scope that records show, and no agent chooses."""
_OPENING = -1
_OF_CASES = ("call_tool", "message_user", "wait")


def case_needs(task: PaymentTask, setting: Setting, golden: GoldenPath, played: Play) -> list[Need]:
    """Return what a path needs to know of the case of each rule that it decides by, and where that was shown.

    These are the rules on which checks rest, and those whose values stand in arguments. The first write that meets
    such a check, or uses such a value, is what needs to know.

    Args:
        task: The task.
        setting: What it is played in.
        golden: The path.
        played: The path as it was played.
    """
    texts = [played.request, *(each.text if each.action.name in _OF_CASES else "" for each in played.shown)]
    found: dict[tuple[int, str, str], Need] = {}
    for row, act in _decided(task, setting, golden, played):
        for dimension, value in _case(task, setting, row).items():
            sources = tuple(k + _OPENING for k, text in enumerate(texts[: act + 1]) if _tells(dimension, value, text))
            found.setdefault((act, dimension, value), Need(act, f"{dimension} for {row.key}", value, sources))
    return list(found.values())


def undecided(task: PaymentTask, setting: Setting, golden: GoldenPath, played: Play) -> list[str]:
    """Return the cases that a path goes by without their having been shown; none if it is sound."""
    return [str(need) for need in case_needs(task, setting, golden, played) if not need.sources]


def _decided(task: PaymentTask, setting: Setting, golden: GoldenPath, played: Play) -> Iterator[tuple[RuleRow, int]]:
    """Yield each rule that is decided by, with the number of the act that needs to know it."""
    writes = [k for k, each in enumerate(played.shown) if is_write(each.action)]
    for check in task.checks:
        first = _first_that_meets(check, writes, played)
        yield from ((setting.rules.rows[rule], first) for rule in check.rules)
    for row in rows_in_use(task, setting, played):
        using = (k for k in writes if any(_is_value(row, leaf.value) for leaf in leaves(golden.actions[k])))
        yield from ((row, k) for k in list(using)[:1])


def _first_that_meets(check: CheckSpec, writes: list[int], played: Play) -> int:
    tools = {k: TOOLS[played.shown[k].action.arguments["name"]] for k in writes}
    return next((k for k in writes if meets(tools[k], check)), writes[-1])


def _is_value(row: RuleRow, value: object) -> bool:
    return bool(to_json(row.value) == value)


def _case(task: PaymentTask, setting: Setting, row: RuleRow) -> Mapping[str, str]:
    """Return what is to be known: the scope of the row, and else what the customer is, where its case is this one."""
    told = {name for each in setting.rules.rows_of(row.key) for name in each.scope}
    customer = setting.base.records[task.customer]
    assert isinstance(customer, Party)
    own = {"jurisdiction": customer.jurisdiction.value, "segment": customer.segment.value}
    if any(own.get(name, value) != value for name, value in row.scope.items()):
        own = {}  # another party's case
    case = {**own, **row.scope}
    return {name: case[name] for name in DIMENSIONS if name in told and name in case}


def _tells(dimension: str, value: str, text: str) -> bool:
    return _matcher(dimension, value).search(text) is not None


@cache
def _matcher(dimension: str, value: str) -> re.Pattern[str]:
    """Find a value as a result shows it; a currency also stands in every amount, a priority in answers."""
    shown = rf'"{dimension}": "{value}"'
    return re.compile(rf"{shown}|\b{value}\b" if dimension in ("currency", "priority") else shown)

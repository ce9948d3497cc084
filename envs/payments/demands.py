"""What a task demands of its rules: a key that nothing rules would be found out in the middle of an episode."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..core.errors import DataError, ToolRefused
from .kernel.engine import Engine
from .kernel.rules import RuleBook
from .kernel.world import Base
from .modules.catalog import HANDLERS, TOOLS, opening
from .tasks import Action, PaymentTask


def require_rules(task: PaymentTask, base: Base, rules: RuleBook) -> None:
    """Refuse a task whose rules leave out what its tools, its checks, its customer or its beginning go by.

    The tools are those that it offers in the mode `flat` and those of its stored paths; any other one can be called
    too, and then refuses with the code `NO_RULE`.

    Args:
        task: The task.
        base: The records that it starts from.
        rules: The rules that hold in it.

    Raises:
        DataError: Nothing rules a key; the message says what needs it.
    """
    for place, key in _keys(task):
        if key not in rules.keys:
            raise DataError(f"{task.task_id}.{place}: nothing in its rule_sets rules {key}")
    try:
        opening(Engine(base, rules, TOOLS, HANDLERS).context)
    except ToolRefused as refused:
        raise DataError(f"{task.task_id}.world: the episode cannot begin: {refused.message}") from None


def _keys(task: PaymentTask) -> Iterator[tuple[str, str]]:
    """Yield where a rule is needed and its key."""
    for name in sorted({*task.tool_subset, *_called(task)} & TOOLS.keys()):
        yield from ((f"tools.{name}", key) for key in sorted(TOOLS[name].rule_keys))
    for spec in task.checks:
        yield from ((f"checks.{spec.id}", key) for key in _named(spec.form))
    yield from (("card", key) for key in _named(task.card.model_dump()))


def _called(task: PaymentTask) -> Iterator[str]:
    """Yield the business tools of the stored paths."""
    plays = [each for path in task.goldens for each in path.actions]
    plays += [each for example in task.counterexamples for each in example.plays if isinstance(each, Action)]
    yield from (str(each.arguments.get("name")) if each.name == "call_tool" else each.name for each in plays)


def _named(source: Any) -> Iterator[str]:
    """Yield the keys of the rules that an expression resolves."""
    if isinstance(source, Mapping):
        if isinstance(source.get("rule"), str):
            yield source["rule"]
        for each in source.values():
            yield from _named(each)
    elif isinstance(source, (list, tuple)):
        for each in source:
            yield from _named(each)

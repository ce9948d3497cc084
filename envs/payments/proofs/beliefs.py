"""What an agent may take for the value of a rule: another row of its key, instead of the one that applies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ...core.jsontext import canonical
from ..content import Setting
from ..kernel.records import to_json
from ..kernel.rules import RuleRow
from ..tasks import Action, PaymentTask
from .play import Play
from .values import leaves, replaced

Belief = Mapping[str, Any]
"""What is taken for a value, by the value as canonical JSON."""
Choice = Callable[[RuleRow, list[RuleRow]], RuleRow | None]
"""Which row of a key an agent goes by: given the one that applies and all of its key."""
_TELLING = 10
"""Integers below it, like amounts of nothing, stand for too many things to be told as a rule's."""


class Mistaken(NamedTuple):
    """One row that is taken for another."""

    right: RuleRow
    wrong: RuleRow

    @property
    def belief(self) -> Belief:
        """What is taken for what."""
        return {canonical(to_json(self.right.value)): to_json(self.wrong.value)}


def rows_in_use(task: PaymentTask, setting: Setting, golden: Play) -> list[RuleRow]:
    """Return the rules whose values stand in the arguments of a path, one of a key.

    They are rules that its acts resolved, or on which a check rests; of others the same number says nothing.
    """
    used = [rule for event in golden.log for rule in event.rule_ids]
    used += [rule for check in task.checks for rule in check.rules]
    given = {canonical(leaf.value) for action in golden.actions for leaf in leaves(action)}
    found: dict[str, RuleRow] = {}
    for rule in used:
        row = setting.rules.rows[rule]
        if _tells(to_json(row.value)) and canonical(to_json(row.value)) in given:
            found.setdefault(row.key, row)
    return list(found.values())


def mistaken(task: PaymentTask, setting: Setting, golden: Play) -> Iterator[Mistaken]:
    """Yield every way of taking another row of the key for one in use, each other value once."""
    for right in rows_in_use(task, setting, golden):
        values = {canonical(to_json(right.value))}
        for wrong in setting.rules.rows_of(right.key):
            if canonical(to_json(wrong.value)) not in values:
                values.add(canonical(to_json(wrong.value)))
                yield Mistaken(right, wrong)


def belief_by(task: PaymentTask, setting: Setting, golden: Play, choice: Choice) -> Belief:
    """Return what an agent takes for what that chooses among the rows of a key in its own way."""
    found: dict[str, Any] = {}
    for each in _mistaken_by(task, setting, golden, choice):
        found.update(each.belief)
    return found


def mistaken_keys(task: PaymentTask, setting: Setting, golden: Play, choice: Choice) -> frozenset[str]:
    """Return the keys of the rules of which it takes another row for the one that applies."""
    return frozenset(each.right.key for each in _mistaken_by(task, setting, golden, choice))


def _mistaken_by(task: PaymentTask, setting: Setting, golden: Play, choice: Choice) -> Iterator[Mistaken]:
    for right in rows_in_use(task, setting, golden):
        wrong = choice(right, setting.rules.rows_of(right.key))
        if wrong is not None and wrong.value != right.value:
            yield Mistaken(right, wrong)


def believed(action: Action, belief: Belief) -> Action:
    """Return an action as an agent of this belief does it."""
    return replaced(action, lambda value: belief.get(canonical(value), value))


def documents_of(setting: Setting, row: RuleRow) -> list[str]:
    """Return the ids of the documents that state a rule."""
    return [document for document, rules in setting.rendered.items() if row.id in rules]


def stated_in(setting: Setting, rows: Iterable[RuleRow], document: str) -> RuleRow | None:
    """Return the first of some rows that a document states."""
    stated = setting.rendered.get(document, ())
    return next((row for row in rows if row.id in stated), None)


def _tells(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value["minor"])
    return type(value) is int and abs(value) >= _TELLING

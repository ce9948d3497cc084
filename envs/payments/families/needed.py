"""Leaves out of a path the reads that it can do without, from what was shown in a single play of it.

A read is needed if some later act uses a value that nothing else which stays has shown, if nothing else shows the case
by which a rule is chosen, or if no other document that stays states a rule on which a check rests. Reads take no time,
so that what the other acts bring about is the same.
"""

from __future__ import annotations

from typing import NamedTuple

from ..content import Setting
from ..proofs.cases import case_needs
from ..proofs.play import Play, reference
from ..proofs.provenance import is_read, needs
from ..tasks import Derived, GoldenPath, PaymentTask


class _Use(NamedTuple):
    """Something that is needed: the act that needs it, None for a check, and the acts that show it."""

    act: int | None
    sources: frozenset[int]


def needed(task: PaymentTask, setting: Setting, path: GoldenPath) -> GoldenPath:
    """Return a path without its idle reads; of two that show the same the earlier one stays.

    Args:
        task: The task that the path is of.
        setting: What it is played in.
        path: A path that passes.
    """
    played = reference(task.changed(goldens=[path]), setting)
    known = (*needs(path, played), *case_needs(task, setting, path, played))
    uses = [*(_Use(each.act, frozenset(each.sources)) for each in known), *_rules(task, setting, played)]
    reads = [k for k, each in enumerate(path.actions) if is_read(each)]
    dropped: set[int] = set()
    idle = True
    while idle:
        idle = False
        for k in reversed(reads):
            if k not in dropped and _is_idle(k, dropped, uses):
                dropped.add(k)
                idle = True
    return _without(path, dropped)


def _is_idle(read: int, dropped: set[int], uses: list[_Use]) -> bool:
    gone = dropped | {read}
    return all(use.act in gone or use.sources - gone for use in uses if read in use.sources)


def _rules(task: PaymentTask, setting: Setting, played: Play) -> list[_Use]:
    read = [(k, each.action) for k, each in enumerate(played.shown) if each.action.name == "read_document"]
    stated = {k: setting.rendered[action.arguments["document_id"]] for k, action in read}
    rules = {rule for check in task.checks for rule in check.rules}
    return [_Use(None, frozenset(k for k, rows in stated.items() if rule in rows)) for rule in sorted(rules)]


def _without(path: GoldenPath, dropped: set[int]) -> GoldenPath:
    kept = [k for k in range(len(path.actions)) if k not in dropped]
    number = {old: new for new, old in enumerate(kept)}
    derived: list[Derived] = []
    for each in path.derived:
        if each.action in number:
            derived.append(each.changed(action=number[each.action]))
    return GoldenPath(minutes=path.minutes, actions=[path.actions[k] for k in kept], derived=derived)

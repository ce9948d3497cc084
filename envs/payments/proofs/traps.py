"""Paths of players who make one kind of mistake throughout, derived from the reference path; no task has its own.

Each of them fails on the tasks whose traps it falls for, and for its own reason: by a check that is about its mistake.
`NAIVE` is the one that makes all the usual mistakes of haste and still gets what was asked for: the distance between
goal and strict success.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from ...core.jsontext import canonical
from ..checks.spec import CheckSpec
from ..kernel.money import Money
from ..kernel.rules import Authority, RuleRow
from ..modules.catalog import TOOLS
from ..records.approvals import Consent
from ..tasks import Action
from .beliefs import Choice, belief_by, believed, documents_of, mistaken_keys, stated_in
from .habits import close_first, closings, greedy_order, pay_twice
from .mistakes import Ground, under
from .play import Act, Patience, Play, names_of, play, prefix_of
from .slices import Slicer
from .support import meets
from .values import leaves
from .variations import Parts, acts_of, inserted, replaced_by, varied, without

ALWAYS = "always"
NAIVE = "naive"
_FAQ = "faq"
_HASTE = frozenset({ALWAYS})


class Trap(NamedTuple):
    """A kind of player.

    Attributes:
        falls_for: Names of the traps on which it must fail; `ALWAYS` for every task whose path it changes.
        path: What it makes of the reference path.
        about: Ids of the checks that are about its mistake.
    """

    falls_for: frozenset[str]
    path: Callable[[Ground], Parts]
    about: Callable[[Ground], frozenset[str]]


def _believing(choice: Callable[[Ground], Choice]) -> Trap:
    """Return a player that goes by another row of a rule, by the choice that it makes among them."""

    def path(ground: Ground) -> Parts:
        return under(ground, belief_by(ground.task, ground.setting, ground.golden, choice(ground)))

    def about(ground: Ground) -> frozenset[str]:
        keys = mistaken_keys(ground.task, ground.setting, ground.golden, choice(ground))
        rows = ground.setting.rules.rows
        ruled = _checks(ground, lambda check: keys & (_words(check) | {rows[rule].key for rule in check.rules}))
        changed = {part.of for part in path(ground) if not isinstance(part, int) and part.of is not None}
        dropped = _dropped(ground)  # a wrong act that is refused is as good as none
        return ruled.union(*(dropped.get(k, frozenset()) for k in changed))

    return Trap(_HASTE, path, about)


def _leaving_out(left_out: Callable[[Ground], list[int]]) -> Trap:
    """Return a player that leaves acts out; what any one of them is needed for is about its mistake."""

    def path(ground: Ground) -> Parts:
        return without(ground.parts, *left_out(ground))

    def about(ground: Ground) -> frozenset[str]:
        dropped = _dropped(ground)
        return frozenset(check for k in left_out(ground) for check in dropped[k])

    return Trap(_HASTE, path, about)


@lru_cache(maxsize=16)
def _dropped(ground: Ground) -> Mapping[int, frozenset[str]]:
    """Return which checks are broken without each act of the reference path; every player of a task asks for it."""
    return Slicer(ground).dropped


def _checks(ground: Ground, holds: Callable[[CheckSpec], object]) -> frozenset[str]:
    return frozenset(check.id for check in ground.task.checks if holds(check))


def _words(check: CheckSpec) -> set[str]:
    return set(re.findall("[a-z_]+", canonical(check.form)))


def _newest(ground: Ground) -> Choice:
    return lambda right, rows: max(rows, key=lambda row: (row.effective_from, row.id))


def _first_hit(ground: Ground) -> Choice:
    library = ground.setting.library("bm25")

    def choose(right: RuleRow, rows: list[RuleRow]) -> RuleRow | None:
        stating = {document for row in rows for document in documents_of(ground.setting, row)}
        hits = [hit["id"] for hit in library.search(right.key.replace("_", " "), now=0)]
        first = next((hit for hit in hits if hit in stating), None)
        return None if first is None else stated_in(ground.setting, rows, first)

    return choose


def _by_faq(ground: Ground) -> Choice:
    faqs = [each.id for each in ground.setting.documents if each.kind == _FAQ]

    def choose(right: RuleRow, rows: list[RuleRow]) -> RuleRow | None:
        own = [row for row in rows if row.authority is Authority.FAQ]
        stated = (stated_in(ground.setting, rows, faq) for faq in faqs)
        return next(iter(own), None) or next((row for row in stated if row is not None), None)

    return choose


def _consents(ground: Ground) -> list[int]:
    """Return the writes that ask for a consent, and the messages that ask the customer for it."""
    found = []
    for message in ground.approvals:
        opened = ground.opened_by(message)
        created = [each for k in opened for each in ground.golden.shown[k].created]
        if any(prefix_of(each) == Consent.prefix for each in created):
            found += [message, *opened]
    return found


def _about_order(ground: Ground) -> frozenset[str]:
    """What is spent first is missing later, and what a rule ranks leaves out of its rank."""
    return _checks(ground, lambda check: {"before", "always", "respects"} & set(check.form))


def _about_closing(ground: Ground) -> frozenset[str]:
    tools = {str(ground.actions[k].arguments["name"]) for k in closings(ground)}
    return _checks(ground, lambda check: tools & _words(check))


def _about_repeating(ground: Ground) -> frozenset[str]:
    own = [part for part in pay_twice(ground) if not isinstance(part, int)]
    tools = [TOOLS[str(each.arguments["name"])] for each in own]
    return _checks(ground, lambda check: check.kind != "goal" and any(meets(tool, check) for tool in tools))


def _about_haste(ground: Ground) -> frozenset[str]:
    return _checks(ground, lambda check: check.kind != "goal")


def _naive(ground: Ground) -> Parts:
    """Approvals are asked for as soon as what they name exists, on the terms of yesterday; consents are left out."""
    left = without(ground.parts, *_consents(ground), *ground.waits, *_look_ups(ground))
    for message in (each for each in ground.approvals if each in left):
        for opening in ground.opened_by(message):
            left = _asked_early(ground, left, opening, message)
    return left


def _asked_early(ground: Ground, left: Parts, opening: int, message: int) -> Parts:
    first = _first_place(ground, opening, left)
    rest = without(left, opening, message)
    place = next((part for part in rest if isinstance(part, int) and part >= first), ground.task.n_golden_calls - 1)
    early = inserted(rest, place, opening, message)
    return replaced_by(early, opening, varied(_of_yesterday(ground, opening), opening))


def _look_ups(ground: Ground) -> list[int]:
    return [k for k, each in enumerate(ground.actions) if each.name in ("search_documents", "read_document")]


def _first_place(ground: Ground, act: int, left: Parts) -> int:
    """Return the first write that is left after everything that an act names has come into being."""
    named = {str(leaf.value) for leaf in leaves(ground.actions[act])}
    makers = [k for k in range(act) if named.intersection(ground.golden.shown[k].created)]
    latest = max(makers, default=-1)
    return min(k for k in ground.writes if k > latest and (k == act or k in left))


def _of_yesterday(ground: Ground, act: int) -> Action:
    def before(right: RuleRow, rows: list[RuleRow]) -> RuleRow | None:
        older = [row for row in rows if row.effective_from < right.effective_from or row.id == right.supersedes]
        cheaper = [row for row in older or rows if _below(row.value, right.value)]
        return next(iter(cheaper), None)

    return believed(ground.actions[act], belief_by(ground.task, ground.setting, ground.golden, before))


def _below(value: Any, other: Any) -> bool:
    if isinstance(value, Money) and isinstance(other, Money):
        return value.currency is other.currency and value < other
    return type(value) is type(other) and value < other


TRAPS: Mapping[str, Trap] = {
    "newest_doc_wins": _believing(_newest),
    "first_hit_wins": _believing(_first_hit),
    "faq_believer": _believing(_by_faq),
    "assume_consent": _leaving_out(_consents),
    "greedy_order": Trap(frozenset({"order", "greedy_order"}), greedy_order, _about_order),
    "close_first": Trap(frozenset({"closing_order", "close_first"}), close_first, _about_closing),
    "pay_twice_on_timeout": Trap(frozenset({"pay_twice", "pay_twice_on_timeout"}), pay_twice, _about_repeating),
    "never_wait": _leaving_out(lambda ground: ground.waits),
    "oracle_without_asking": _leaving_out(lambda ground: ground.talks),
    NAIVE: Trap(_HASTE, _naive, _about_haste),
}
"""The players by name."""


def must_fail(trap: Trap, ground: Ground) -> bool:
    """Whether a player has to fail on a task."""
    if not trap.falls_for.isdisjoint(ground.task.traps):
        return True
    return ALWAYS in trap.falls_for and trap.path(ground) != ground.parts


def own_reasons(name: str, ground: Ground, played: Play) -> list[str]:
    """Return the ids of the checks that a player has broken and that are about its mistake."""
    return sorted(played.broken & TRAPS[name].about(ground))


def walked(name: str, ground: Ground) -> Play:
    """Play what a player makes of the reference path of a task.

    The naive player is stopped by nothing that only takes time: where the systems refuse an act, it waits as the
    reference path did before it, and tries again.

    Raises:
        KeyError: There is no such player.
    """
    acts = acts_of(ground.task, TRAPS[name].path(ground))
    if name != NAIVE:
        return play(ground.task, ground.setting, acts, names_of(ground.golden))
    minutes = [each.minute for each in ground.golden.shown]
    patience = Patience({k: Act(ground.actions[k], k) for k in ground.waits}, minutes)
    return play(ground.task, ground.setting, acts, names_of(ground.golden), patience)

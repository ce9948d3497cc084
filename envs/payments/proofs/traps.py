"""Paths of players who make one kind of mistake throughout, derived from the reference path; no task has its own.

Each of them fails on the tasks whose traps it falls for. `NAIVE` is the one that makes all the usual mistakes of haste
and still gets what was asked for: the distance between goal and strict success.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ..kernel.money import Money
from ..kernel.rules import Authority, RuleRow
from ..records.approvals import Consent
from ..records.payouts import Payout
from ..tasks import Action
from .beliefs import belief_by, believed, documents_of, stated_in
from .mistakes import Ground, another, inner, under
from .play import Act, Patience, Play, names_of, play, prefix_of
from .values import is_money, leaves
from .variations import Part, Parts, acts_of, inserted, replaced_by, varied, without

ALWAYS = "always"
NAIVE = "naive"
_FAQ = "faq"


class Trap(NamedTuple):
    """A kind of player.

    Attributes:
        falls_for: Names of the traps on which it must fail; `ALWAYS` for every task whose path it changes.
        path: What it makes of the reference path.
    """

    falls_for: frozenset[str]
    path: Callable[[Ground], Parts]


def _newest_wins(ground: Ground) -> Parts:
    def newest(right: RuleRow, rows: list[RuleRow]) -> RuleRow:
        return max(rows, key=lambda row: (row.effective_from, row.id))

    return under(ground, belief_by(ground.task, ground.setting, ground.golden, newest))


def _first_hit_wins(ground: Ground) -> Parts:
    library = ground.setting.library("bm25")

    def first_hit(right: RuleRow, rows: list[RuleRow]) -> RuleRow | None:
        stating = {document for row in rows for document in documents_of(ground.setting, row)}
        hits = [hit["id"] for hit in library.search(right.key.replace("_", " "), now=0)]
        first = next((hit for hit in hits if hit in stating), None)
        return None if first is None else stated_in(ground.setting, rows, first)

    return under(ground, belief_by(ground.task, ground.setting, ground.golden, first_hit))


def _faq_believer(ground: Ground) -> Parts:
    faqs = [each.id for each in ground.setting.documents if each.kind == _FAQ]

    def by_faq(right: RuleRow, rows: list[RuleRow]) -> RuleRow | None:
        own = [row for row in rows if row.authority is Authority.FAQ]
        stated = (stated_in(ground.setting, rows, faq) for faq in faqs)
        return next(iter(own), None) or next((row for row in stated if row is not None), None)

    return under(ground, belief_by(ground.task, ground.setting, ground.golden, by_faq))


def _assume_consent(ground: Ground) -> Parts:
    return without(ground.parts, *_consents(ground))


def _consents(ground: Ground) -> Iterator[int]:
    """Yield the writes that ask for a consent, and the messages that ask the customer for it."""
    for message in ground.approvals:
        opened = ground.opened_by(message)
        created = [each for k in opened for each in ground.golden.shown[k].created]
        if any(prefix_of(each) == Consent.prefix for each in created):
            yield from (message, *opened)


def _greedy_order(ground: Ground) -> Parts:
    """What is done several times with an amount is done for the largest one first."""
    by_tool: dict[str, list[int]] = {}
    for k in ground.writes:
        if _amount(ground.actions[k]) is not None:
            by_tool.setdefault(ground.actions[k].arguments["name"], []).append(k)
    put: dict[Part, int] = {}
    for places in by_tool.values():
        ranked = sorted(places, key=lambda k: -(_amount(ground.actions[k]) or 0))
        put.update(dict(zip(places, ranked, strict=True)))
    chosen = _largest_chosen_first(ground)
    return tuple(chosen.get(put.get(part, part), put.get(part, part)) for part in ground.parts)


def _largest_chosen_first(ground: Ground) -> dict[Part, Part]:
    """Return the writes that are to choose among payouts, such as those for a run, with the largest one first."""
    worth = {
        str(each.id): each.amount.minor for each in ground.setting.base.records.values() if isinstance(each, Payout)
    }
    for k in ground.writes:
        amount = _amount(ground.actions[k])
        worth.update({each: amount for each in ground.golden.shown[k].created if amount is not None})
    by_tool: dict[str, list[tuple[int, str]]] = {}
    for k in ground.writes:
        payout = inner(ground.actions[k]).get("payout")
        if payout in worth and _amount(ground.actions[k]) is None:
            by_tool.setdefault(ground.actions[k].arguments["name"], []).append((k, payout))
    found: dict[Part, Part] = {}
    for pairs in by_tool.values():
        ranked = sorted((payout for _, payout in pairs), key=lambda payout: -worth[payout])
        for (k, payout), other in zip(pairs, ranked, strict=True):
            if other != payout:
                given = {**inner(ground.actions[k]), "payout": other}
                found[k] = varied(ground.actions[k], k, arguments=given)
    return found


def _amount(action: Action) -> int | None:
    return next((leaf.value["minor"] for leaf in leaves(action) if is_money(leaf.value)), None)


def _close_first(ground: Ground) -> Parts:
    """What is to be closed is closed before anything else is done."""
    closing = [k for k in ground.writes if "close" in ground.actions[k].arguments["name"].split("_")]
    left = without(ground.parts, *closing)
    first = next((part for part in left if part in ground.writes), left[-1])
    assert isinstance(first, int)
    return inserted(left, first, *closing)


def _pay_twice(ground: Ground) -> Parts:
    """Whatever has a key against repetition is done again under another one."""
    parts = ground.parts
    for k in ground.writes:
        if "idempotency_key" in inner(ground.actions[k]):
            parts = inserted(parts, k + 1, varied(another(ground.actions[k], "again"), None))
    return parts


def _never_wait(ground: Ground) -> Parts:
    return without(ground.parts, *ground.waits)


def _never_ask(ground: Ground) -> Parts:
    return without(ground.parts, *ground.talks)


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


_HASTE = frozenset({ALWAYS})
TRAPS: Mapping[str, Trap] = {
    "newest_doc_wins": Trap(_HASTE, _newest_wins),
    "first_hit_wins": Trap(_HASTE, _first_hit_wins),
    "faq_believer": Trap(_HASTE, _faq_believer),
    "assume_consent": Trap(_HASTE, _assume_consent),
    "greedy_order": Trap(frozenset({"order", "greedy_order"}), _greedy_order),
    "close_first": Trap(frozenset({"closing_order", "close_first"}), _close_first),
    "pay_twice_on_timeout": Trap(frozenset({"pay_twice", "pay_twice_on_timeout"}), _pay_twice),
    "never_wait": Trap(_HASTE, _never_wait),
    "oracle_without_asking": Trap(_HASTE, _never_ask),
    NAIVE: Trap(_HASTE, _naive),
}
"""The players by name."""


def must_fail(trap: Trap, ground: Ground) -> bool:
    """Whether a player has to fail on a task."""
    if not trap.falls_for.isdisjoint(ground.task.traps):
        return True
    return ALWAYS in trap.falls_for and trap.path(ground) != ground.parts


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

"""Counterexamples: paths that break one check and no other. They are searched for, stored, and tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..tasks import Counterexample
from .directed import extra_acts
from .mistakes import Ground, Mistake, mistakes
from .play import Play, names_of, play
from .variations import Parts, acts_of, folded, unfolded, without


class Tried(NamedTuple):
    """A mistake and what it broke."""

    mistake: Mistake
    broken: frozenset[str]


class Search(NamedTuple):
    """What a search over mistakes has found.

    Attributes:
        found: The first path of each check that breaks this check alone, in the order of the checks.
        vacuous: Ids of the checks that no mistake breaks: they test nothing, or the operators miss what they are for.
        entangled: Ids of the checks that are broken only together with others.
        n_tried: Number of paths that were played.
    """

    found: tuple[Counterexample, ...]
    vacuous: tuple[str, ...]
    entangled: tuple[str, ...]
    n_tried: int


def played(ground: Ground, parts: Parts) -> Play:
    """Play a variation of the reference path."""
    return play(ground.task, ground.setting, acts_of(ground.task, parts), names_of(ground.golden))


def tried(ground: Ground) -> Iterator[Tried]:
    """Play every mistake; paths that come out alike are played once."""
    seen: set[str] = set()
    for mistake in mistakes(ground):
        key = repr(mistake.parts)
        if key not in seen:
            seen.add(key)
            yield Tried(mistake, played(ground, mistake.parts).broken)


def search(ground: Ground) -> Search:
    """Look for a counterexample of every check among the mistakes, then by acts that are aimed at it."""
    found = _Found()
    for each in tried(ground):
        found.note(each)
    for check in ground.task.checks:
        for parts in extra_acts(ground, check):
            if check.id in found.first:
                break
            found.note(Tried(Mistake("extra_act", parts), played(ground, parts).broken))
    ids = [check.id for check in ground.task.checks]
    examples = tuple(
        Counterexample(breaks=check, mistake=found.first[check].operator, plays=folded(found.first[check].parts))
        for check in ids
        if check in found.first
    )
    vacuous = tuple(check for check in ids if check not in found.broken)
    entangled = tuple(check for check in ids if check in found.broken and check not in found.first)
    return Search(examples, vacuous, entangled, found.n_tried)


class _Found:
    """What a search has come across so far."""

    def __init__(self) -> None:
        self.first: dict[str, Mistake] = {}
        self.broken: set[str] = set()
        self.n_tried = 0

    def note(self, each: Tried) -> None:
        self.n_tried += 1
        self.broken |= each.broken
        if len(each.broken) == 1:
            self.first.setdefault(next(iter(each.broken)), each.mistake)


def faults(ground: Ground) -> Iterator[tuple[str, str]]:
    """Yield each stored counterexample with why it is none, "" where it breaks exactly its check."""
    for k, each in enumerate(ground.task.counterexamples):
        broken = played(ground, unfolded(each.plays)).broken
        seen = ", ".join(sorted(broken)) or "nothing"
        why = "" if broken == {each.breaks} else f"breaks {seen}, not {each.breaks} alone"
        yield f"counterexample {k} ({each.mistake})", why


def superfluous_writes(ground: Ground) -> list[int]:
    """Return the numbers of the writes of the reference path that can be dropped with every check still held."""
    return [k for k in ground.writes if played(ground, without(ground.parts, k)).strict]

"""Counterexamples: paths that break one check and no other. They are searched for, stored, and tested."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ..tasks import Counterexample
from .directed import Aimed, Reach, aimed_at
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
        n_tried: Number of mistakes that were played.
        aimed: What was found for each check that no single mistake breaks alone.
    """

    found: tuple[Counterexample, ...]
    vacuous: tuple[str, ...]
    entangled: tuple[str, ...]
    n_tried: int
    aimed: tuple[Aimed, ...]


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


def search(ground: Ground, reach: Reach | None = None) -> Search:
    """Look for a counterexample of every check among the mistakes, then by edits that are aimed at it.

    Args:
        ground: The task with its reference path.
        reach: How far the edits go, None for what a test can afford.
    """
    found = _Found()
    for each in tried(ground):
        found.note(each)
    aimed = [aimed_at(ground, check, reach) for check in ground.task.checks if check.id not in found.first]
    for aim in aimed:
        found.note_aimed(aim)
    ids = [check.id for check in ground.task.checks]
    examples = tuple(
        Counterexample(breaks=check, mistake=found.first[check].operator, plays=folded(found.first[check].parts))
        for check in ids
        if check in found.first
    )
    vacuous = tuple(check for check in ids if check not in found.broken)
    entangled = tuple(check for check in ids if check in found.broken and check not in found.first)
    return Search(examples, vacuous, entangled, found.n_tried, tuple(aimed))


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

    def note_aimed(self, aim: Aimed) -> None:
        if aim.parts is not None:
            self.first.setdefault(aim.check, Mistake("aimed", aim.parts))
        if aim.parts is not None or aim.together:
            self.broken |= {aim.check}


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

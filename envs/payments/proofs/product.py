"""Product search: every order and every choice of the acts of a slice, over states of the world and of the monitors.

Each slice of a task (see `slices`) is gone through whole: at every state the next act that is on its way, or any free
act that is left, may come. Two ways into one state go on as one, and of acts that commute only one order is tried.
What is critical comes out of it: an act without which the reference path is not strict, and that no strict path of
its slice does without.

The proof is relative to the slice: a shortcut through acts that are not in it, or through more added acts than are
allowed at once, is not seen. Trap players and random play look there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .branches import Branch
from .mistakes import Ground
from .slices import Move, Slice, Slicer


class Bound(NamedTuple):
    """How far a search goes.

    Attributes:
        free: Most acts of the reference path that are free in a slice.
        added: Most acts beside them in a slice.
        at_once: Most of the added acts on one path.
        broken: Most checks of process and protection that a path may have broken on its way and still be followed;
            with 0 of them only strict paths are.
        states: Most states of a slice; a search that comes to more is cut, and proves nothing.
    """

    free: int = 3
    added: int = 1
    at_once: int = 1
    broken: int = 1
    states: int = 20_000


class Searched(NamedTuple):
    """What was found in a slice.

    Attributes:
        slice: The slice.
        states: Number of states.
        reaching: Number of states at which a path can end with every goal reached.
        strict: Number of those at which every check holds.
        done: The acts of the reference path, done or replaced, of each strict path, without the fixed ones.
        is_cut: Whether there were more states than allowed.
    """

    slice: Slice
    states: int
    reaching: int
    strict: int
    done: frozenset[frozenset[int]]
    is_cut: bool


class Shortcut(NamedTuple):
    """A strict path without an act that the reference path needs.

    Attributes:
        act: Number of the act.
        check: Id of the check in whose slice the path lies.
    """

    act: int
    check: str


class Proof(NamedTuple):
    """What the slices of a task prove.

    Attributes:
        searched: What was found in each slice.
        critical: Numbers of the acts of the reference path that every strict path does.
        shortcuts: Strict paths that do without an act that the reference path needs.
        cut: Ids of the checks whose slices were not gone through whole.
        lost: Ids of the checks in whose slices nothing strict was found, not even the reference path.
    """

    searched: tuple[Searched, ...]
    critical: tuple[int, ...]
    shortcuts: tuple[Shortcut, ...]
    cut: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def figures(self) -> str:
        """How much was searched and found, in words."""
        totals = {
            "slices": len(self.searched),
            "states": sum(each.states for each in self.searched),
            "goal-reaching": sum(each.reaching for each in self.searched),
            "strict": sum(each.strict for each in self.searched),
            "critical acts": len(self.critical),
        }
        return ", ".join(f"{number:,} {name}" for name, number in totals.items())


def prove(ground: Ground, bound: Bound | None = None) -> Proof:
    """Search every slice of a task.

    Args:
        ground: The task with its reference path.
        bound: How far to go, None for what a test can afford.
    """
    limits = bound or Bound()
    slicer = Slicer(ground)
    searched = tuple(_Search(each, limits).over(slicer.start()) for each in slicer.slices(limits.free, limits.added))
    shortcuts = tuple(each for found in searched for each in _shortcuts(found, slicer))
    avoided = {each.act for each in shortcuts}
    whole = [each for each in searched if each.strict and not each.is_cut]
    needed = {k for found in whole for k in _needed(found.slice, slicer)}
    return Proof(
        searched,
        tuple(sorted(needed - avoided)),
        shortcuts,
        tuple(each.slice.check for each in searched if each.is_cut),
        tuple(each.slice.check for each in searched if not each.strict),
    )


def _needed(found: Slice, slicer: Slicer) -> list[int]:
    own = [each.act.origin for each in found.free if not each.is_added]
    return sorted({k for k in own if k is not None and slicer.dropped[k]})


def _shortcuts(found: Searched, slicer: Slicer) -> Iterator[Shortcut]:
    for k in _needed(found.slice, slicer):
        if any(k not in done for done in found.done):
            yield Shortcut(k, found.slice.check)


class _Path(NamedTuple):
    """Where a search stands.

    Attributes:
        place: Number of fixed acts that are done or passed over.
        done: Numbers of the free acts that are done.
        owed: Numbers of the free acts that were done last and could as well have waited so far: something that does
            not commute with them has to come next, or else they come later.
    """

    place: int
    done: frozenset[int]
    owed: frozenset[int]


class _Search:
    """The search over one slice."""

    def __init__(self, over: Slice, bound: Bound) -> None:
        self._slice = over
        self._bound = bound
        self._seen: set[tuple[object, ...]] = set()
        self._strict: set[frozenset[int]] = set()
        self._reaching = 0
        self._n_strict = 0
        self._is_cut = False

    def over(self, start: Branch) -> Searched:
        """Go through the slice."""
        left = [(_Path(0, frozenset(), frozenset()), start)]
        while left:
            path, branch = left.pop()
            key = (*path, branch.key())
            if key in self._seen:
                continue
            if len(self._seen) >= self._bound.states:
                self._is_cut = True
                break
            self._seen.add(key)
            if path.place == len(self._slice.fixed):
                self._judge(path, branch)
            left.extend(self._next(path, branch))
        found = frozenset(self._strict)
        return Searched(self._slice, len(self._seen), self._reaching, self._n_strict, found, self._is_cut)

    def _judge(self, path: _Path, branch: Branch) -> None:
        broken = branch.broken_at_the_end()
        if branch.is_goal_reached(broken):
            self._reaching += 1
        if not broken:
            self._n_strict += 1
            self._strict.add(self._origins(path.done))

    def _origins(self, done: frozenset[int]) -> frozenset[int]:
        origins = (self._slice.free[number].act.origin for number in done)
        return frozenset(each for each in origins if each is not None)

    def _next(self, path: _Path, branch: Branch) -> Iterator[tuple[_Path, Branch]]:
        """Yield where the search can go from here; the act that is on its way comes last, and is followed first."""
        after = branch.copy()
        for move in self._worth_doing(path):
            owed = self._owed(path, move, is_free=True)
            if owed is None or after.do(move.act):
                continue  # what is refused changes nothing
            if len(after.broken) <= self._bound.broken:
                yield _Path(path.place, path.done | {move.number}, owed | {move.number}), after
            after = branch.copy()
        if path.place < len(self._slice.fixed):
            move = self._slice.fixed[path.place]
            owed = self._owed(path, move, is_free=False)
            if owed is not None and not after.do(move.act) and len(after.broken) <= self._bound.broken:
                yield _Path(path.place + 1, path.done, owed), after

    def _worth_doing(self, path: _Path) -> list[Move]:
        """Return the free acts that may come now, and for which it makes a difference that they do not come later."""
        left = [each for each in self._slice.free if self._may_come(each, path.done)]
        if path.place == len(self._slice.fixed):
            return left
        found: list[Move] = []
        reasons = [self._slice.fixed[path.place]]
        while reasons:
            reason = reasons.pop()
            new = [each for each in left if each not in found and not each.commutes_with(reason)]
            found += new
            reasons += new
        return found

    def _owed(self, path: _Path, move: Move, *, is_free: bool) -> frozenset[int] | None:
        """Return which acts still could have waited when this one comes, None where one of them should have."""
        still = frozenset(each for each in path.owed if self._slice.free[each].commutes_with(move))
        return still if not still or (is_free and max(still) < move.number) else None

    def _may_come(self, move: Move, done: frozenset[int]) -> bool:
        if move.number in done:
            return False
        if move.act.origin is not None:
            return move.act.origin not in self._origins(done)
        return sum(self._slice.free[each].is_added for each in done) < self._bound.at_once

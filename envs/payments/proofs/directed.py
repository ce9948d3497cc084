"""Directed search: the shortest path that breaks one check and no other, with every goal of others reached.

It is for checks that no single mistake breaks alone. A path is the reference path with a few edits: an act more, a
wait until an instant at which something lapses, another code in an act, an act that is moved (with the message that
asks for it) or left out. The first edit is aimed at the check; where it breaks others along with it, the next one is
aimed at these too. What the search does not find may still exist: it is bounded, and says by how much it looked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from ...core.jsontext import canonical
from ..checks.spec import CheckSpec
from ..kernel.events import world_after
from ..modules.catalog import TOOLS
from .branches import Branch
from .calls import calls_of
from .mistakes import Ground, asks_approval, coded, wait_until
from .play import Act, names_of
from .provenance import is_read
from .support import meets
from .values import leaves
from .variations import Part, Parts, acts_of, inserted, replaced_by, varied, without

_MINUTES = re.compile(r"(?<![A-Z-])\b[0-9]+\b")
_IDS = re.compile(r"[A-Z]{3}-[0-9]+")
_MINUTE_FIELDS = ("valid_until", "due_at", "by", "cut_off_at", "expires_at")
INSTANTS = 6


class Reach(NamedTuple):
    """How far a directed search goes.

    Attributes:
        edits: Most edits of one path.
        beside: Most checks that an edit may break beside the one that is wanted, and still be followed.
        followed: Most paths that are edited further.
        of_each: Most edits of each of these.
        paths: Most paths that are played for one check.
    """

    edits: int = 3
    beside: int = 2
    followed: int = 4
    of_each: int = 300
    paths: int = 4_000


class Aimed(NamedTuple):
    """What a directed search has found.

    Attributes:
        check: Id of the check that was wanted alone.
        parts: The path, None where there is none within reach.
        edits: How many edits it has.
        n_paths: How many paths were played.
        together: The fewest checks that were broken along with it, where it was never alone.
        is_cut: Whether there were more paths than allowed.
    """

    check: str
    parts: Parts | None
    edits: int
    n_paths: int
    together: frozenset[str]
    is_cut: bool

    @property
    def figures(self) -> str:
        """What was looked at, and what came of it, in words."""
        looked = f"{self.n_paths:,} paths played" + (", then cut" if self.is_cut else "")
        if self.parts is not None:
            return f"{self.check}: alone after {self.edits} edits, {looked}"
        beside = f"never without {', '.join(sorted(self.together))}" if self.together else "never broken"
        return f"{self.check}: {beside}, {looked}"


def aimed_at(ground: Ground, check: CheckSpec, reach: Reach | None = None) -> Aimed:
    """Look for the path with the fewest edits that breaks a check and no other.

    Args:
        ground: The task with its reference path.
        check: The check.
        reach: How far to go, None for what a test can afford.
    """
    return _Aim(ground, check, reach or Reach()).find()


class _Followed(NamedTuple):
    """A path that breaks the check, and others along with it."""

    others: frozenset[str]
    parts: Parts


class _Aim:
    """The search for one check."""

    def __init__(self, ground: Ground, check: CheckSpec, reach: Reach) -> None:
        self._ground = ground
        self._check = check
        self._reach = reach
        self._specs = {each.id: each for each in ground.task.checks}
        self._starts = _starts(ground)
        self._seen: set[str] = set()
        self._together: frozenset[str] = frozenset()

    def find(self) -> Aimed:
        """Edit the reference path, then what came nearest, again and again."""
        followed = [_Followed(frozenset(), self._ground.parts)]
        for edits in range(1, self._reach.edits + 1):
            nearest: list[_Followed] = []
            for parts in self._edited(followed, first=edits == 1):
                if len(self._seen) >= self._reach.paths:
                    return self._found(None, edits, is_cut=True)
                others = self._others(parts)
                if others is not None and not others:
                    return self._found(parts, edits)
                if others:
                    nearest.append(_Followed(others, parts))
            followed = sorted(nearest, key=lambda each: len(each.others))[: self._reach.followed]
        return self._found(None, self._reach.edits)

    def _edited(self, followed: list[_Followed], *, first: bool) -> Iterator[Parts]:
        for each in followed:
            yield from islice(self._edits(each), None if first else self._reach.of_each)

    def _found(self, parts: Parts | None, edits: int, *, is_cut: bool = False) -> Aimed:
        return Aimed(self._check.id, parts, edits, len(self._seen), self._together, is_cut)

    def _others(self, parts: Parts) -> frozenset[str] | None:
        """Return what a path breaks beside the check, None where it does not break it or too much, or was played."""
        key = repr(parts)
        if key in self._seen:
            return None
        self._seen.add(key)
        acts = acts_of(self._ground.task, parts)
        same = next((k for k, part in enumerate(parts) if part != k), len(parts))
        branch = self._starts[same].copy()
        for act in acts[same:]:
            if not is_read(act.action):
                branch.do(act)
            if len(branch.broken - {self._check.id}) > self._reach.beside:
                return None
        broken = branch.broken_at_the_end()
        others = broken - {self._check.id}
        if self._check.id not in broken or len(others) > self._reach.beside:
            return None
        if not self._together or len(others) < len(self._together):
            self._together = others
        return others

    def _edits(self, path: _Followed) -> Iterator[Parts]:
        """Yield a path with one more edit, the plainest first."""
        aims = [self._check, *(self._specs[each] for each in sorted(path.others))]
        acts = [k for k in self._touching(aims) if k in path.parts]
        places = [k for k in self._ground.acts if k in path.parts] + [self._ground.task.n_golden_calls - 1]
        yield from (without(path.parts, k) for k in self._ground.waits if k in path.parts)
        for k in acts:
            yield from (replaced_by(path.parts, k, varied(act, k)) for act in coded(self._ground, k))
        yield from self._waits(path.parts, aims, places)
        for k in acts:
            cluster = self._cluster(k, path.parts)
            left = without(path.parts, *cluster)
            yield left
            yield from (inserted(left, place, *cluster) for place in places if place in left)
        yield from self._more(path.parts, aims, places)

    def _touching(self, aims: Sequence[CheckSpec]) -> list[int]:
        """Return the writes that what is aimed at looks at, and those that make what these name."""
        tools = {k: TOOLS[str(self._ground.actions[k].arguments["name"])] for k in self._ground.writes}
        met = [k for k, tool in tools.items() if any("frame" not in aim.form and meets(tool, aim) for aim in aims)]
        named = {leaf.value for k in met for leaf in leaves(self._ground.actions[k]) if isinstance(leaf.value, str)}
        makers = [k for k in self._ground.writes if named.intersection(self._ground.golden.shown[k].created)]
        return sorted({*met, *makers})

    def _cluster(self, k: int, parts: Parts) -> tuple[int, ...]:
        """Return an act with the message that asks the customer for what it opens."""
        asking = [each for each in self._ground.approvals if k in self._ground.opened_by(each) and each in parts]
        assert all(asks_approval(self._ground.actions[each]) for each in asking)
        return (k, *asking)

    def _waits(self, parts: Parts, aims: Sequence[CheckSpec], places: list[int]) -> Iterator[Parts]:
        for place in reversed(places):
            minute = self._ground.golden.shown[place].minute
            later = [each for each in _instants(self._ground, aims) if each > minute]
            yield from (inserted(parts, place, wait_until(each)) for each in later[:INSTANTS])

    def _more(self, parts: Parts, aims: Sequence[CheckSpec], places: list[int]) -> Iterator[Parts]:
        offered = self._ground.task.tool_subset or list(TOOLS)
        for name in sorted(offered, key=list(TOOLS).index):
            if any(meets(TOOLS[name], aim) for aim in aims):
                for act in calls_of(self._ground, TOOLS[name], _IDS.findall(canonical([aim.form for aim in aims]))):
                    added: Part = varied(act, None)
                    yield from (inserted(parts, place, added) for place in reversed(places))


def _instants(ground: Ground, aims: Sequence[CheckSpec]) -> list[int]:
    """Return the minutes just after something lapses: those that checks state, and those in records at the end."""
    stated = {int(each) for aim in aims for each in _MINUTES.findall(canonical(aim.form))}
    log = ground.golden.log
    records = world_after(ground.setting.base, log, len(log)).changed().values()
    held = {getattr(each, name, None) for each in records for name in _MINUTE_FIELDS}
    return sorted({each + 1 for each in (*stated, *held) if isinstance(each, int) and 0 < each < 2 * _last(ground)})


def _last(ground: Ground) -> int:
    return max(ground.golden.minutes, 1)


def _starts(ground: Ground) -> list[Branch]:
    """Return the state before each act of the reference path, and the one after the last."""
    branch = Branch(ground.task, ground.setting, names_of(ground.golden))
    found = [branch]
    for k, action in enumerate(ground.actions):
        if not is_read(action):
            branch = branch.copy()
            branch.do(Act(action, k))
        found.append(branch)
    return found

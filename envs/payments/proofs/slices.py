"""Slices of a task: the acts that a search leaves free, for one check, with everything else on its way.

Free are the acts of the reference path without which the check does not hold, and those whose write footprint meets
what the check looks at; beside them what a mistaken agent might do in their stead: the same acts under another row of
a rule, and other calls of tools that meet the check, with values of the reference path and of records at hand.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ..checks.spec import CheckSpec
from ..kernel.events import Actor
from ..modules.catalog import TOOLS
from ..records.approvals import ApprovalRequest
from ..tasks import Action
from .beliefs import believed, mistaken
from .branches import Branch, names_in
from .calls import calls_of
from .footprints import Footprint
from .mistakes import Ground
from .play import Act, names_of
from .provenance import is_read
from .support import is_id, meets
from .values import leaves

_ORDERING = frozenset(["before", "up_to_date"])
"""Forms of checks that are about an order."""


class Move(NamedTuple):
    """An act that a search may do.

    Attributes:
        number: Its place among the acts of a slice; of two that commute the lower one comes first.
        act: What is done.
        footprint: What it touches.
        passes: Whether its point is that time passes.
        is_added: Whether it is no act of the reference path, nor stands for one.
    """

    number: int
    act: Act
    footprint: Footprint
    passes: bool
    is_added: bool

    @property
    def lapses(self) -> bool:
        """Whether what it brings about holds for some minutes only."""
        return ApprovalRequest.kind in self.footprint.makes

    def commutes_with(self, other: Move) -> bool:
        """Whether the order of the two makes no difference; the minutes that they take are left out of account.

        An act does not commute with the waits that come after it on the reference path: it may have to be early. A
        request for approval commutes with no wait: what is granted lapses.
        """
        if (self.passes and other.lapses) or (other.passes and self.lapses):
            return False
        if (self.passes and _comes_before(other, self)) or (other.passes and _comes_before(self, other)):
            return False
        return self.footprint.is_apart_from(other.footprint)


class Slice(NamedTuple):
    """What a search goes over.

    Attributes:
        check: Id of the check.
        fixed: Acts that are done in the order of the reference path.
        free: Acts that may be done at any time, or not at all.
    """

    check: str
    fixed: tuple[Move, ...]
    free: tuple[Move, ...]


class Slicer:
    """Makes the slices of one task.

    Args:
        ground: The task with its reference path.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self.names = names_of(ground.golden)

    @cached_property
    def acts(self) -> list[int]:
        """Numbers of the acts of the reference path that change anything."""
        return [k for k, each in enumerate(self._ground.actions) if not is_read(each) and each.name != "finish"]

    @cached_property
    def dropped(self) -> Mapping[int, frozenset[str]]:
        """The checks that are broken without an act, by the number of the act."""
        return {k: self._broken_without(k) for k in self.acts}

    @cached_property
    def _orders(self) -> Mapping[str, frozenset[str]]:
        """What the checks hear that want the customer to have said something first, or last, by their ids."""
        shown = self._ground.golden.shown
        said = {event.name for each in shown for event in each.events if event.actor is Actor.USER}
        ordering = [each for each in self._ground.task.checks if _ORDERING.intersection(each.form)]
        heard = {each.id: names_in(each.form) for each in ordering}
        return {name: names for name, names in heard.items() if not said.isdisjoint(names)}

    def _ordered(self, names: Iterable[str]) -> frozenset[str]:
        """Return, as if they were records, the orders in which such acts stand: no two acts of an order commute."""
        done = frozenset(names)
        return frozenset(f"order of {name}" for name, heard in self._orders.items() if not heard.isdisjoint(done))

    def start(self) -> Branch:
        """Return the state in which the task begins."""
        return Branch(self._ground.task, self._ground.setting, self.names)

    def slices(self, max_free: int, max_added: int) -> Iterator[Slice]:
        """Yield slices, such that every act that the reference path needs is free in one of them.

        Args:
            max_free: Most acts of the reference path that are free at once; those that the check needs come first.
            max_added: Most acts beside them.
        """
        left: set[int | None] = {k for k, broken in self.dropped.items() if broken}
        for check in self._ground.task.checks:
            needed = [k for k in self.acts if k in left and check.id in self.dropped[k]]
            for first in range(0, len(needed), max_free):
                found = self._slice(check, needed[first : first + max_free], max_free, max_added)
                left -= {each.act.origin for each in found.free if not each.is_added}
                yield found

    def _slice(self, check: CheckSpec, needed: list[int], max_free: int, max_added: int) -> Slice:
        met = [k for k in self._ground.writes if k not in needed and meets(TOOLS[self._tool_of(k)], check)]
        near = sorted(met, key=lambda k: (min(abs(k - each) for each in needed), k))
        free = sorted([*needed, *near[: max_free - len(needed)]])
        fixed = [self._own(k) for k in self.acts if k not in free]
        added = islice(self._added(check, free), max_added)
        moves = [*(self._own(k) for k in free), *(self._other(act) for act in added)]
        return Slice(check.id, tuple(fixed), tuple(each._replace(number=n) for n, each in enumerate(moves)))

    def _tool_of(self, k: int) -> str:
        return str(self._ground.actions[k].arguments["name"])

    def _added(self, check: CheckSpec, free: list[int]) -> Iterator[Act]:
        """Yield what a mistaken agent might do, each act once."""
        seen = [self._ground.actions[k] for k in free]
        for act in (*self._under_other_rules(free), *(self._named_alike(each, free) for each in self._further(check))):
            if act.action not in seen:
                seen.append(act.action)
                yield act

    def _under_other_rules(self, free: list[int]) -> Iterator[Act]:
        for each in mistaken(self._ground.task, self._ground.setting, self._ground.golden):
            for k in (k for k in free if k in self._ground.writes):
                yield Act(believed(self._ground.actions[k], each.belief), k)

    def _further(self, check: CheckSpec) -> Iterator[Act]:
        """Yield calls of tools that meet the check, one of each tool in turn."""
        offered = self._ground.task.tool_subset or list(TOOLS)
        tools = [TOOLS[name] for name in sorted(offered, key=list(TOOLS).index) if meets(TOOLS[name], check)]
        found = [list(calls_of(self._ground, tool)) for tool in tools]
        for turn in range(max(map(len, found), default=0)):
            yield from (Act(calls[turn], None) for calls in found if turn < len(calls))

    def _named_alike(self, act: Act, free: list[int]) -> Act:
        """Return a call as one that stands for a free act of the same tool about the same records, if it is one.

        It may name fewer: what a tool does not require is left out of further calls.
        """
        same = [k for k in free if self._ground.actions[k].name == "call_tool" and self._tool_of(k) == _tool(act)]
        origin = next((k for k in same if _ids(act.action) <= _ids(self._ground.actions[k])), act.origin)
        return Act(act.action, origin)

    def _own(self, k: int) -> Move:
        action = self._ground.actions[k]
        events = self._ground.golden.shown[k].events
        touched = Footprint.of_events(events, self._ground.setting.base)
        touched = touched._replace(writes=touched.writes | self._ordered(each.name for each in events))
        return Move(k, Act(action, k), touched, action.name == "wait", False)

    def _other(self, act: Act) -> Move:
        """Return an added act, of which only the declaration says what it may touch."""
        touched = Footprint.declared(TOOLS[act.action.arguments["name"]], act.action)
        touched = touched._replace(writes=touched.writes | self._ordered([_tool(act)]))
        return Move(0, act, touched, False, act.origin is None)

    def _broken_without(self, dropped: int) -> frozenset[str]:
        branch = self.start()
        for k in self.acts:
            if k != dropped:
                branch.do(Act(self._ground.actions[k], k))
        return branch.broken_at_the_end()


def _comes_before(one: Move, other: Move) -> bool:
    first, second = one.act.origin, other.act.origin
    return first is None or second is None or first < second


def _tool(act: Act) -> str:
    return str(act.action.arguments["name"])


def _ids(action: Action) -> frozenset[str]:
    return frozenset(leaf.value for leaf in leaves(action) if isinstance(leaf.value, str) and is_id(leaf.value))

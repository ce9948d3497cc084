"""Logical time: minutes of the episode, and a queue of what is due. Nothing here knows the time of day outside."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heapify, heappop, heappush
from typing import Any, NamedTuple

MINUTES_PER_DAY = 1_440
MAX_MINUTE = 10**7


class Due(NamedTuple):
    """Something that will happen by itself. The order of the fields is the order of what is due.

    Attributes:
        t: When, in minutes of the episode.
        priority: Who goes first at one instant, smaller numbers first.
        number: In order of scheduling, where priorities are equal.
        name: Which handler it is for.
        payload: What the handler needs, as JSON values.
    """

    t: int
    priority: int
    number: int
    name: str
    payload: Mapping[str, Any]


class Clock:
    """The time and what is due.

    Attributes:
        now: In minutes of the episode.
    """

    __slots__ = ("_number", "_queue", "now")

    def __init__(self, now: int = 0) -> None:
        self.now = now
        self._queue: list[Due] = []
        self._number = 0

    def schedule(self, t: int, name: str, payload: Mapping[str, Any], priority: int = 0) -> None:
        """Put something on the queue; what lies beyond the last minute never comes, and so is not kept.

        Raises:
            ValueError: The time lies in the past.
        """
        if t < self.now:
            raise ValueError(f"minute {t} lies before minute {self.now}")
        self._number += 1
        if t <= MAX_MINUTE:
            heappush(self._queue, Due(t, priority, self._number, name, payload))

    @property
    def mark(self) -> int:
        """How many times something was put on the queue, for `take_back`."""
        return self._number

    def take_back(self, mark: int) -> None:
        """Take off the queue what was put there since a mark; nothing may have been popped since."""
        if self._number != mark:
            self._queue = [each for each in self._queue if each.number <= mark]
            heapify(self._queue)
            self._number = mark

    def pop(self, until: int) -> Due | None:
        """Take what is due next, at `until` at the latest, and set the clock to it; None where nothing is."""
        if not self._queue or self._queue[0].t > until:
            return None
        due = heappop(self._queue)
        self.now = due.t
        return due

    def pending(self) -> list[Due]:
        """Return what is due, in order."""
        return sorted(self._queue)

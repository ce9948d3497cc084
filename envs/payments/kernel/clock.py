"""Logical time: minutes of the episode, and a queue of what is due. Nothing here knows the time of day outside."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
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

    __slots__ = ("_cancelled", "_number", "_queue", "now")

    def __init__(self, now: int = 0) -> None:
        self.now = now
        self._queue: list[Due] = []
        self._cancelled: set[int] = set()
        self._number = 0

    def schedule(self, t: int, name: str, payload: Mapping[str, Any], priority: int = 0) -> int:
        """Put something on the queue; return its number, by which it can be cancelled.

        Raises:
            ValueError: The time lies in the past or beyond the last minute.
        """
        if not self.now <= t <= MAX_MINUTE:
            raise ValueError(f"minute {t} does not lie between {self.now} and {MAX_MINUTE}")
        self._number += 1
        heappush(self._queue, Due(t, priority, self._number, name, payload))
        return self._number

    def cancel(self, number: int) -> None:
        """Take something off the queue; what has happened already stays so."""
        self._cancelled.add(number)

    def next_due(self) -> int | None:
        """Return the minute of what is due next, None where nothing is."""
        self._drop_cancelled()
        return self._queue[0].t if self._queue else None

    def pop(self, until: int) -> Due | None:
        """Take what is due next, at `until` at the latest, and set the clock to it; None where nothing is."""
        self._drop_cancelled()
        if not self._queue or self._queue[0].t > until:
            return None
        due = heappop(self._queue)
        self.now = due.t
        return due

    def pending(self) -> list[Due]:
        """Return what is due, in order."""
        return sorted(each for each in self._queue if each.number not in self._cancelled)

    def _drop_cancelled(self) -> None:
        while self._queue and self._queue[0].number in self._cancelled:
            self._cancelled.discard(heappop(self._queue).number)

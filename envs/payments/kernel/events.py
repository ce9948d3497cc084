"""The event log: who did what when, what was read, what changed. It is all that grading ever looks at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple, overload

from ...core.jsontext import canonical
from .records import to_json
from .world import Base, World, Write


class Actor(StrEnum):
    """Who an event comes from."""

    AGENT = "agent"
    USER = "user"
    CLOCK = "clock"
    COUNTERPARTY = "counterparty"


class Event(NamedTuple):
    """One event.

    Attributes:
        seq: Number in the log, from 0.
        t: When it happened, in minutes of the episode.
        actor: Who did it.
        name: The tool, or what happened by itself.
        arguments: As JSON values.
        code: Error code, "" where it was done.
        result: What the actor was told, as JSON values.
        minutes: How long it took; the clock went on by so much.
        reads: Ids of the records that were read.
        writes: What changed.
        rule_ids: The rules whose values were used.
    """

    seq: int
    t: int
    actor: Actor
    name: str
    arguments: Mapping[str, Any]
    code: str
    result: Any
    minutes: int
    reads: tuple[str, ...]
    writes: tuple[Write, ...]
    rule_ids: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether it was done."""
        return self.code == ""

    def to_json(self) -> dict[str, Any]:
        """Return the event as JSON values."""
        shown = self._asdict()
        writes = [[each.record_id, each.field, to_json(each.old), to_json(each.new)] for each in self.writes]
        return {
            **shown,
            "actor": self.actor.value,
            "reads": list(self.reads),
            "writes": writes,
            "rule_ids": list(self.rule_ids),
        }


class EventLog(Sequence[Event]):
    """Events in order; each digest covers all events before it."""

    __slots__ = ("_digest", "_digested", "_events")

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._digest = sha256(b"payments event log").hexdigest()
        self._digested = 0

    def append(self, event: Event) -> None:
        """Add the next event.

        Raises:
            ValueError: It is not the next one, or lies before the last one in time.
        """
        if event.seq != len(self._events):
            raise ValueError(f"event {event.seq} is not the next one, {len(self._events)} is")
        if self._events and event.t < self._events[-1].t:
            raise ValueError(f"event {event.seq} at minute {event.t} lies before minute {self._events[-1].t}")
        self._events.append(event)

    def __len__(self) -> int:
        return len(self._events)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        return self._events[index]

    def __iter__(self) -> Iterator[Event]:
        return iter(self._events)

    def digest(self) -> str:
        """Return a digest of the whole log; only events that are new since the last time are digested."""
        for event in self._events[self._digested :]:
            self._digest = sha256(f"{self._digest}{canonical(event.to_json())}".encode()).hexdigest()
        self._digested = len(self._events)
        return self._digest


def states(base: Base, log: Sequence[Event]) -> Iterator[tuple[Event, World]]:
    """Yield each event with the world after it: one world that is carried along, so look at it before going on."""
    world = World(base)
    for event in log:
        world.redo(event.writes)
        yield event, world


def world_after(base: Base, log: Sequence[Event], n_events: int) -> World:
    """Return the world as it stood after the first `n_events` events."""
    world = World(base)
    for event in log[:n_events]:
        world.redo(event.writes)
    return world

"""Which events a check is about: `{"event": "payout_send", "where": predicate}`; refused calls never match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...core.errors import DataError
from ..kernel.events import Actor
from .expressions import MISSING, Moment, Predicate, plain, predicate

_FIELDS = ("event", "actor", "where")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A kind of event.

    Attributes:
        names: Tools, or what happens by itself.
        actor: Who must have done it, None for anyone.
        where: What must hold of it and the state before it, None for nothing.
    """

    names: frozenset[str]
    actor: Actor | None
    where: Predicate | None

    def matches(self, moment: Moment) -> bool:
        """Whether the event of a moment is one of these; `moment` holds the state before it."""
        event = moment.event
        if event is None or not event.ok or event.name not in self.names:
            return False
        if self.actor is not None and event.actor is not self.actor:
            return False
        return self.where is None or self.where(moment)


def pattern(source: Any, place: str) -> Pattern:
    """Compile a pattern; a bare name stands for the event of this name.

    Raises:
        DataError: It is none; the message gives the path.
    """
    if isinstance(source, str):
        return Pattern(frozenset([source]), None, None)
    if not isinstance(source, Mapping) or "event" not in source:
        raise DataError(f"{place}: a name, or an object with {', '.join(_FIELDS)}, not {source!r}")
    unknown = [name for name in source if name not in _FIELDS]
    if unknown:
        raise DataError(f"{place}.{unknown[0]}: no part of a pattern; there are {', '.join(_FIELDS)}")
    names = source["event"] if isinstance(source["event"], list) else [source["event"]]
    if "actor" in source and source["actor"] not in Actor.__members__.values():
        raise DataError(f"{place}.actor: one of {', '.join(Actor)}, not {source['actor']!r}")
    actor = Actor(source["actor"]) if "actor" in source else None
    where = predicate(source["where"], f"{place}.where") if "where" in source else None
    return Pattern(frozenset(names), actor, where)


def key_of(moment: Moment, names: list[str]) -> tuple[Any, ...]:
    """Return the values of an event's arguments by which it is told from others of its kind."""
    assert moment.event is not None
    return tuple(plain(moment.event.arguments.get(name, MISSING)) for name in names)

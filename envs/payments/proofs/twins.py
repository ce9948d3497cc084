"""Copies of a running episode, so that a search can go on from one state in several ways.

What an episode changes is copied, what it only looks at is shared: records, events, rules, tools and the card are
immutable. Which objects change is listed here by class; their lists, dictionaries and sets are copied with them.
"""

from __future__ import annotations

from typing import Any, TypeVar

from ..checks.monitors import FORMS
from ..episode import Episode
from ..kernel.clock import Clock
from ..kernel.engine import Engine
from ..kernel.events import EventLog
from ..kernel.tools import Context
from ..kernel.world import World
from ..user.conversation import Conversation
from ..user.memory import Exchange, Memory

_CHANGING = frozenset({Episode, Engine, Context, World, Clock, EventLog, Conversation, Memory, Exchange})
_SLOTS = {
    kind: tuple(name for each in kind.__mro__ for name in each.__dict__.get("__slots__", ())) for kind in _CHANGING
}
"""The slots of each class; none where its objects have a dictionary."""
_FORMS = frozenset(each for each in FORMS.values() if isinstance(each, type))
_CONTAINERS = frozenset({list, dict, set})
_OF_CONTAINERS = ("_created",)
_LAST_CHANGES = ("exchanges",)
"""Attributes that hold lists, and a list of which only the last element changes; all others hold immutable things."""
ThingT = TypeVar("ThingT")


def copied(thing: ThingT) -> ThingT:
    """Return a copy that goes its own way: of an episode, a world, a monitor, or a container of immutable things."""
    found: ThingT = _copied(thing, {})
    return found


def _copied(thing: Any, known: dict[int, Any]) -> Any:
    kind = type(thing)
    if kind in _CONTAINERS:
        return thing.copy()
    if kind in _FORMS:
        return _monitor(thing)
    if kind not in _CHANGING:
        return thing
    if id(thing) not in known:
        twin = known[id(thing)] = object.__new__(kind)
        for name in _SLOTS.get(kind) or thing.__dict__:
            setattr(twin, name, _attribute(name, getattr(thing, name), known))
    return known[id(thing)]


def _monitor(thing: Any) -> Any:
    twin = object.__new__(type(thing))
    twin.__dict__ = {name: each.copy() if type(each) is set else each for name, each in thing.__dict__.items()}
    return twin


def _attribute(name: str, value: Any, known: dict[int, Any]) -> Any:
    if name in _OF_CONTAINERS:
        return {key: each.copy() for key, each in value.items()}
    if name in _LAST_CHANGES and value:
        return [*value[:-1], _copied(value[-1], known)]
    return _copied(value, known)

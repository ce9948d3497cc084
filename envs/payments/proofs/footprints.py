"""What an act touches, so that a search can tell which acts make no difference to one another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, Self

from ..kernel.events import Event
from ..kernel.tools import BusinessTool
from ..kernel.world import Base
from ..tasks import Action
from .support import is_id, kind_of
from .values import leaves


class Footprint(NamedTuple):
    """What an act touches.

    Attributes:
        reads: Records that it looks at; of new ones also the kind, since another act may bring more of them.
        writes: Records that it changes.
        makes: Kinds of which it brings records into being.
        spread: Kinds of which it may change records that are not known beforehand.
        kinds: Kinds of all records that it looks at or changes.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    makes: frozenset[str]
    spread: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def of_events(cls, events: Iterable[Event], base: Base) -> Self:
        """Return what was touched in some events, what happened by itself meanwhile included."""
        listed = list(events)
        reads = frozenset(each for event in listed for each in event.reads)
        writes = frozenset(write.record_id for event in listed for write in event.writes if write.field)
        makes = frozenset(kind_of(write.record_id) for event in listed for write in event.writes if not write.field)
        new = frozenset(kind_of(each) for each in reads if each not in base.records)
        return cls(reads | new, writes, makes, frozenset(), frozenset(map(kind_of, reads | writes)) | makes)

    @classmethod
    def declared(cls, tool: BusinessTool, action: Action) -> Self:
        """Return what a tool may touch by its declaration, when it is called for the records that an action names."""
        texts = [leaf.value for leaf in leaves(action) if isinstance(leaf.value, str)]
        named = frozenset(each for each in texts if is_id(each))
        changed = frozenset(each.partition(".")[0] for each in tool.writes if not each.endswith("+"))
        makes = frozenset(each.removesuffix("+") for each in tool.writes if each.endswith("+"))
        writes = frozenset(each for each in named if kind_of(each) in changed)
        kinds = frozenset(map(kind_of, named)) | changed | makes
        return cls(named, writes, makes, changed - frozenset(map(kind_of, writes)), kinds)

    def is_apart_from(self, other: Footprint) -> bool:
        """Whether neither act looks at, or changes, what the other one changes."""
        if not (self.spread.isdisjoint(other.kinds) and other.spread.isdisjoint(self.kinds)):
            return False
        return self._spares(other) and other._spares(self) and self.writes.isdisjoint(other.writes)

    def _spares(self, other: Footprint) -> bool:
        return self.writes.isdisjoint(other.reads) and self.makes.isdisjoint(other.reads)

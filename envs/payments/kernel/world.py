"""A world: an immutable base that all episodes share, an overlay of one episode, and every change as a delta."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from ...core.errors import DataError
from .records import Id, Record, field_types, id_number

RecordT = TypeVar("RecordT", bound=Record)


class Write(NamedTuple):
    """One change.

    Attributes:
        record_id: What changed.
        field: Which field; "" for a record that came into being.
        old: The value before, None for a new record.
        new: The value after; the record itself where it is new.
    """

    record_id: str
    field: str
    old: Any
    new: Any


class Base:
    """The records that every episode of a world starts from.

    Raises:
        DataError: Two records share an id, or an id does not fit its kind.
    """

    def __init__(self, records: Iterable[Record]) -> None:
        by_id: dict[str, Record] = {}
        by_kind: dict[str, list[str]] = {}
        numbers: dict[str, int] = {}
        for record in records:
            if record.id in by_id:
                raise DataError(f"{record.id}: two records share this id")
            if not record.id.startswith(f"{record.prefix}-") or not record.id[len(record.prefix) + 1 :].isdigit():
                raise DataError(f"{record.id}: an id of a {record.kind} is {record.prefix}- and a number")
            by_id[record.id] = record
            by_kind.setdefault(record.kind, []).append(record.id)
            numbers[record.prefix] = max(numbers.get(record.prefix, 0), id_number(record.id))
        self.records: Mapping[str, Record] = MappingProxyType(by_id)
        self.by_kind: Mapping[str, tuple[str, ...]] = MappingProxyType({k: tuple(ids) for k, ids in by_kind.items()})
        self.numbers: Mapping[str, int] = MappingProxyType(numbers)


class World:
    """The state of one episode. Reads and writes are collected until `take_delta`.

    Args:
        base: Shared by all episodes, never changed.
    """

    __slots__ = ("_base", "_created", "_numbers", "_overlay", "_reads", "_writes")

    def __init__(self, base: Base) -> None:
        self._base = base
        self._overlay: dict[str, Record] = {}
        self._created: dict[str, list[str]] = {}
        self._numbers: dict[str, int] = {}
        self._reads: dict[str, None] = {}
        self._writes: list[Write] = []

    def find(self, record_id: str) -> Record | None:
        """Return a record, None where there is none."""
        self._reads[record_id] = None
        return self._overlay.get(record_id) or self._base.records.get(record_id)

    def is_new(self, record_id: str) -> bool:
        """Whether a record came into being in this episode."""
        return record_id in self._overlay and record_id not in self._base.records

    def get(self, kind: type[RecordT], record_id: str) -> RecordT:
        """Return a record that is known to exist.

        Raises:
            KeyError: There is none of this kind; a defect of the caller, since ids from outside are resolved first.
        """
        found = self.find(record_id)
        if type(found) is not kind:
            raise KeyError(f"{record_id} is no {kind.kind}")
        return found

    def all(self, kind: type[RecordT], **wanted: Any) -> Iterator[RecordT]:
        """Yield the records of a kind whose fields have the values wanted, in order of their coming into being."""
        overlay, records = self._overlay, self._base.records
        for record_id in (*self._base.by_kind.get(kind.kind, ()), *self._created.get(kind.kind, ())):
            record = overlay.get(record_id) or records[record_id]
            if not wanted or all(getattr(record, name) == value for name, value in wanted.items()):
                self._reads[record_id] = None
                yield cast("RecordT", record)

    def create(self, kind: type[RecordT], **values: Any) -> RecordT:
        """Bring a record into being; its id follows from the records of its prefix before it."""
        number = self._numbers.get(kind.prefix, self._base.numbers.get(kind.prefix, 0)) + 1
        record = kind(id=Id(f"{kind.prefix}-{number}"), **values)
        self._numbers[kind.prefix] = number
        self._overlay[record.id] = record
        self._created.setdefault(kind.kind, []).append(record.id)
        self._writes.append(Write(record.id, "", None, record))
        return record

    def update(self, record: RecordT, **values: Any) -> RecordT:
        """Change fields of a record; fields that have the value already leave no trace."""
        current = self.get(type(record), record.id)
        changed = {name: value for name, value in values.items() if getattr(current, name) != value}
        if not changed:
            return current
        after = replace(current, **changed)
        self._overlay[record.id] = after
        self._writes += [Write(record.id, name, getattr(current, name), value) for name, value in changed.items()]
        return after

    def take_delta(self) -> tuple[tuple[str, ...], tuple[Write, ...]]:
        """Return what was read and written since the last time, and begin anew."""
        delta = tuple(self._reads), tuple(self._writes)
        self._reads, self._writes = {}, []
        return delta

    def undo(self, writes: Sequence[Write]) -> None:
        """Take changes back, the last one first; they leave no trace."""
        for write in reversed(writes):
            if write.field == "":
                record = self._overlay.pop(write.record_id)
                self._created[record.kind].pop()
                self._numbers[record.prefix] -= 1
            else:
                record = self._overlay[write.record_id]
                self._overlay[write.record_id] = replace(record, **{write.field: write.old})

    def redo(self, writes: Iterable[Write]) -> None:
        """Make recorded changes again; they leave no trace."""
        for write in writes:
            if write.field == "":
                record: Record = write.new
                self._overlay[record.id] = record
                self._created.setdefault(record.kind, []).append(record.id)
                self._numbers[record.prefix] = id_number(record.id)
            else:
                current = self._overlay.get(write.record_id) or self._base.records[write.record_id]
                self._overlay[write.record_id] = replace(current, **{write.field: write.new})

    def changed(self) -> dict[str, Record]:
        """Return the records that differ from the base, by id in a fixed order."""
        base = self._base.records
        differing = (each for each, record in self._overlay.items() if base.get(each) != record)
        return {each: self._overlay[each] for each in sorted(differing)}


def footprint_of(writes: Iterable[Write], world: World) -> set[str]:
    """Return what was written as a declaration names it: `kind.field`, or `kind+` for a new record."""
    found = set()
    for write in writes:
        record = write.new if write.field == "" else world.find(write.record_id)
        assert isinstance(record, Record)
        found.add(f"{record.kind}+" if write.field == "" else f"{record.kind}.{write.field}")
    return found


def check_fields(kind: type[Record], names: Iterable[str]) -> None:
    """Refuse names that are no fields of a kind.

    Raises:
        DataError: One is none.
    """
    for name in names:
        if name not in field_types(kind):
            raise DataError(f"{kind.kind}.{name}: no such field; there are {', '.join(field_types(kind))}")

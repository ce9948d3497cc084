"""Typed, immutable records: what the company knows, one class a kind.

A kind is a frozen, slotted dataclass that derives from `Record`. Its fields hold ids, integers, truth values, codes
from an enumeration or a machine, amounts of money, or tuples of these: nothing that a check would have to read as
prose. What people write stands in `Text` fields, which no check may name.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from enum import Enum
from functools import cache
from operator import attrgetter
from typing import Any, ClassVar, Union, get_args, get_origin, get_type_hints

from pydantic import TypeAdapter, ValidationError

from ...core.errors import DataError
from .money import Money, money_of


class Id(str):
    """The id of a record."""

    __slots__ = ()


class Code(str):
    """A code that a machine writes and nobody words: a digest, a reference, a key."""

    __slots__ = ()


class Text(str):
    """Free text: shown, never graded."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Record:
    """The base of every kind.

    Attributes:
        kind: Name of the kind, in snake case.
        prefix: What its ids begin with, for example `ACC` in `ACC-12`.
        id: Unique in a world.
    """

    kind: ClassVar[str]
    prefix: ClassVar[str]

    id: Id


_Show = Callable[[Any], Any] | None
_FIELD_TYPES: dict[type[Record], Mapping[str, Any]] = {}
_GRADED: dict[type[Record], tuple[str, ...]] = {}
_SHOWN_BY: dict[type[Record], tuple[tuple[str, _Show], ...]] = {}


def id_number(record_id: str) -> int:
    """Return the number behind the prefix of an id."""
    return int(record_id.rpartition("-")[2])


def field_types(kind: type[Record]) -> Mapping[str, Any]:
    """Return the types of a kind's fields by name, in order.

    Raises:
        TypeError: A field could hold prose, or something that is not a value.
    """
    if kind in _FIELD_TYPES:
        return _FIELD_TYPES[kind]
    hints = get_type_hints(kind)
    found = {each.name: hints[each.name] for each in fields(kind)}
    for name, hint in found.items():
        if not _is_value(hint):
            raise TypeError(
                f"{kind.__name__}.{name}: {hint} is no type of a graded field; use Text for what people write"
            )
    _FIELD_TYPES[kind] = types.MappingProxyType(found)
    return _FIELD_TYPES[kind]


def graded_fields(kind: type[Record]) -> tuple[str, ...]:
    """Return the fields that checks may name: all but free text."""
    if kind not in _GRADED:
        _GRADED[kind] = tuple(name for name, hint in field_types(kind).items() if not _holds(hint, Text))
    return _GRADED[kind]


def _is_value(hint: Any) -> bool:
    if get_origin(hint) in (Union, types.UnionType):
        return all(_is_value(each) for each in get_args(hint))
    if get_origin(hint) is tuple:
        return all(each is Ellipsis or _is_value(each) for each in get_args(hint))
    if hint in (type(None), int, bool, Id, Code, Text, Money):
        return True
    return isinstance(hint, type) and issubclass(hint, Enum)


def _holds(hint: Any, wanted: type) -> bool:
    return hint is wanted or any(_holds(each, wanted) for each in get_args(hint))


def to_json(value: Any) -> Any:
    """Return a record or a field's value as JSON values."""
    if isinstance(value, Record):
        shown: dict[str, Any] = {"kind": value.kind}
        for name, show in _shown_by(type(value)):
            found = getattr(value, name)
            shown[name] = found if show is None else show(found)
        return shown
    if isinstance(value, Money):
        return value.to_json()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [to_json(each) for each in value]
    return str(value) if isinstance(value, str) else value


def _shown_by(kind: type[Record]) -> tuple[tuple[str, _Show], ...]:
    """Return how each field of a kind is written, by its type; None where the value is written as it is."""
    if kind not in _SHOWN_BY:
        _SHOWN_BY[kind] = tuple((name, _shown_as(hint)) for name, hint in field_types(kind).items())
    return _SHOWN_BY[kind]


def _shown_as(hint: Any) -> _Show:
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _VALUE
    return _SHOWN.get(hint, to_json)


_VALUE = attrgetter("_value_")  # `value` is a descriptor in Python, several times slower


_SHOWN: Mapping[Any, _Show] = {
    bool: None,
    int: None,
    int | None: None,
    Id: str,
    Code: str,
    Text: str,
    Money: Money.to_json,
}


def from_json(kind: type[Record], value: Any, place: str) -> Record:
    """Read a record from JSON values.

    Args:
        kind: The class to build.
        value: Its fields by name.
        place: How a message calls the record.

    Raises:
        DataError: A field is missing, unknown or of another type; the message gives its path.
    """
    if not isinstance(value, Mapping):
        raise DataError(f"{place}: an object of fields, not {value!r}")
    hints = field_types(kind)
    unknown = [name for name in value if name not in hints]
    if unknown:
        raise DataError(f"{place}.{unknown[0]}: {kind.kind} has no such field; its fields are {', '.join(hints)}")
    given = {name: value_of(hints[name], each, f"{place}.{name}") for name, each in value.items()}
    try:
        return kind(**given)
    except TypeError as error:
        raise DataError(f"{place}: {error}") from None


def value_of(hint: Any, value: Any, place: str) -> Any:
    """Read a value of one type from JSON.

    Raises:
        DataError: It is of another type.
    """
    if get_origin(hint) in (Union, types.UnionType):
        return _first_that_fits(get_args(hint), value, place)
    if hint is Money:
        return money_of(value, place)
    if get_origin(hint) is tuple:
        if not isinstance(value, list):
            raise DataError(f"{place}: a list, not {value!r}")
        return tuple(value_of(get_args(hint)[0], each, f"{place}.{k}") for k, each in enumerate(value))
    if hint in (Id, Code, Text):
        if not isinstance(value, str):
            raise DataError(f"{place}: a text, not {value!r}")
        return hint(value)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _member(hint, value, place)
    try:
        return _adapter(hint).validate_python(value, strict=True)
    except ValidationError as error:
        raise DataError(f"{place}: {error.errors(include_url=False)[0]['msg']}, not {value!r}") from None


def _member(kind: type[Enum], value: Any, place: str) -> Enum:
    for member in kind:
        if type(member.value) is type(value) and member.value == value:
            return member
    raise DataError(f"{place}: one of {', '.join(str(each.value) for each in kind)}, not {value!r}")


def _first_that_fits(hints: tuple[Any, ...], value: Any, place: str) -> Any:
    problems = []
    for hint in hints:
        try:
            return value_of(hint, value, place)
        except DataError as error:
            problems.append(str(error))
    raise DataError(problems[0])


@cache
def _adapter(hint: Any) -> TypeAdapter[Any]:
    return TypeAdapter(hint)


def by_kind(kinds: Mapping[str, type[Record]], rows: Mapping[str, Any], place: str) -> Iterator[Record]:
    """Read the records of a world file: `{kind: [record, ...]}`.

    Raises:
        DataError: A kind does not exist, or a record breaks its kind.
    """
    for name, listed in rows.items():
        if name not in kinds:
            raise DataError(f"{place}.{name}: no kind of record; there are {', '.join(kinds)}")
        if not isinstance(listed, list):
            raise DataError(f"{place}.{name}: a list of records, not {type(listed).__name__}")
        for k, row in enumerate(listed):
            yield from_json(kinds[name], row, f"{place}.{name}.{k}")

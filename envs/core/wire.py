"""The wire form of an action: the JSON value from which it is read, and in which it is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import numpy as np

from .jsontext import MAX_CHARACTERS, MAX_DEPTH, JsonRefused
from .text import echo, whole

_TEXT_FIELDS = ("id", "call_id", "type", "name")
_ARGUMENT_FIELDS = ("arguments", "input")
CALL_FIELDS = (*_TEXT_FIELDS, *_ARGUMENT_FIELDS, "function")
_NO_CALLS = (str, bytes, int, float, list, tuple, set, frozenset, type(None))
_MAX_INTEGER_BITS = 14_000  # Python writes no more than 4,300 digits
_HUGE = "\x00 an integer of thousands of digits \x00"
_REFUSED_TEXT = {  # for arguments that cannot be copied: a text that is refused with the same code
    "duplicate_key": '{"the same name": 0, "the same name": 0}',
    "too_deep": "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1),
    "too_long": " " * (MAX_CHARACTERS + 1),
    "bad_arguments": '{"a name that is no string": ' + "9" * 5_000 + "}",
}


def to_wire(action: Any) -> Any:
    """Return the action as the JSON value from which it is read: the form in which it is recorded.

    Text stays text; call objects become dicts. Arguments that JSON cannot hold (NaN, integers of thousands
    of digits, endless nesting, Python objects) become a text that is refused for the same reason.
    """
    if type(action) is str and action.isascii():
        return action
    try:
        if isinstance(action, str):
            return _text(action)
        if isinstance(action, bytes):
            return _text_of_bytes(action)
        if isinstance(action, (list, tuple)):
            return [_wire_call(value) for value in _items(action)]
    except Exception:  # whatever a foreign object does when it is looked at, it is no call
        return [_nothing(action)]
    wired = _wire_call(action)
    return [wired] if type(wired) is str else wired


def _wire_call(value: Any) -> Any:
    try:
        fields = _fields_of(value)
        return _wire_other(value) if fields is None else _wire_fields(fields)
    except Exception:  # see to_wire
        return _nothing(value)


def _nothing(value: Any) -> str:
    """Name what is no call and no JSON, by its class alone: its own words may be anything, and hold addresses."""
    return f"a Python {echo(type.__dict__['__name__'].__get__(type(value)), 80)}"


def _fields_of(value: Any) -> dict[str, Any] | None:
    """The fields of a mapping or of a provider SDK's call object, None for anything else."""
    if isinstance(value, Mapping):
        named = {_text(key) if isinstance(key, str) else _nothing(key): inner for key, inner in _items(value)}
        if len(named) > MAX_CHARACTERS:
            raise JsonRefused("too_long", "")
        return named
    if isinstance(value, _NO_CALLS):
        return None
    found = ((key, getattr(value, key, None)) for key in CALL_FIELDS)
    fields = {key: inner for key, inner in found if inner is not None}
    return fields if "name" in fields or "function" in fields else None


def _wire_fields(fields: dict[str, Any], inner: bool = False) -> dict[str, Any]:
    wired: dict[str, Any] = {}
    for key, value in fields.items():
        if key in _ARGUMENT_FIELDS:
            wired[key] = _wire_arguments(value)
        elif key in _TEXT_FIELDS:
            wired[key] = _text(value)[:MAX_CHARACTERS] if isinstance(value, str) else None
        else:
            function = _fields_of(value) if key == "function" and not inner else None
            wired[key] = _wire_other(value) if function is None else _wire_fields(function, inner=True)
    return wired


def _wire_arguments(value: Any) -> Any:
    if isinstance(value, str):
        return _text(value)
    copy = _Copy()
    try:
        plain = copy.of(value, 0)
        return copy.as_text(plain) if copy.odd else plain
    except JsonRefused as refused:
        return _REFUSED_TEXT[refused.code]
    except Exception:  # see to_wire
        return _REFUSED_TEXT["bad_arguments"]


def _wire_other(value: Any) -> Any:
    copy = _Copy()
    try:
        plain = copy.of(value, 0)
    except JsonRefused:
        return _nothing(value)
    return _nothing(value) if copy.odd else plain


class _Copy:
    """Copies a Python value into what JSON text could have said, bounded in size and depth.

    Attributes:
        room: Characters and values that are left.
        odd: Whether the copy holds what strict JSON refuses (NaN, half a character) or cannot say.
    """

    def __init__(self) -> None:
        self.room = MAX_CHARACTERS
        self.odd = False

    def of(self, value: Any, depth: int) -> Any:
        """Return the copy; `depth` containers are around it."""
        self.room -= 1
        if isinstance(value, str):
            text = _text(value)
            self.room -= len(text)
            self.odd = self.odd or not whole(text)
            value = text
        if self.room < 0:
            raise JsonRefused("too_long", "")
        if isinstance(value, (Mapping, list, tuple)):
            if depth >= MAX_DEPTH:
                raise JsonRefused("too_deep", "")
            return self._container(value, depth + 1)
        return value if type(value) is str else self._scalar(value)

    def _container(self, value: Any, depth: int) -> Any:
        if not isinstance(value, Mapping):
            return [self.of(inner, depth) for inner in _items(value)]
        copied: dict[str, Any] = {}
        for key, inner in _items(value):
            name = self.of(key, depth) if isinstance(key, str) else None
            if name is None:
                raise JsonRefused("bad_arguments", "")
            if name in copied:
                raise JsonRefused("duplicate_key", "")
            copied[name] = self.of(inner, depth)
        return copied

    def _scalar(self, value: Any) -> Any:
        if isinstance(value, (np.integer, np.floating, np.bool_)):
            value = value.item()
        if value is None or value is True or value is False:
            return value
        if isinstance(value, int) and int.bit_length(value) <= _MAX_INTEGER_BITS:
            return int.__int__(value)
        if isinstance(value, float):
            number = float.__float__(value)
            self.odd = self.odd or number - number != 0.0
            return number
        self.odd = True
        return _HUGE

    def as_text(self, plain: Any) -> str:
        """Return an odd copy as JSON text that is refused where it is odd."""
        return json.dumps(plain).replace(json.dumps(_HUGE), "9" * 5_000, 1)


def _items(value: Any) -> Iterable[Any]:
    """What a container holds, past whatever its class says of it."""
    if isinstance(value, list):
        return list.__iter__(value)
    if isinstance(value, tuple):
        return tuple.__iter__(value)
    return dict.items(value) if isinstance(value, dict) else islice(value.items(), MAX_CHARACTERS + 1)


def _text(value: str) -> str:
    """The text itself, past its class, with pairs of surrogates joined as JSON joins them."""
    text = str.__str__(value)
    return text if whole(text) else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _text_of_bytes(value: bytes) -> str:
    try:
        return bytes.decode(value, "utf-8")
    except UnicodeDecodeError:
        return "\ufffd" + bytes.decode(value, "utf-8", "replace")  # the first character keeps it from being JSON

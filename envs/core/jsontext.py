"""Strict JSON: what Python's reader lets through (NaN, repeated keys, infinities, any depth) is refused."""

from __future__ import annotations

import json
from typing import Any, NoReturn

MAX_CHARACTERS = 1_000_000
MAX_DEPTH = 64
_SHORT_CHARACTERS = 2 * MAX_DEPTH  # too short to be nested too deep
_CONTAINERS = (dict, list, tuple)


class JsonRefused(Exception):
    """A text that is not strict JSON; `code` is one of the action error codes."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class Unacceptable:
    """Stands for a value that no schema accepts, such as an integer with more digits than Python reads."""

    def __init__(self, description: str) -> None:
        self.description = description

    def __repr__(self) -> str:
        return self.description


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise JsonRefused("duplicate_key", f"the key {key[:100]!r} stands twice in one object; send it once")
            seen.add(key)
    return found


def _constant(name: str) -> NoReturn:
    raise JsonRefused("non_finite", f"{name} is not a JSON number; send a finite number")


def _float(digits: str) -> float:
    number = float(digits)
    if number - number != 0.0:
        raise JsonRefused("non_finite", f"{digits[:40]} is too large for a number; send a finite number")
    return number


def _int(digits: str) -> int | Unacceptable:
    try:
        return int(digits)
    except ValueError:
        return Unacceptable(f"an integer of {len(digits.lstrip('-'))} digits")


_PLAIN: Any = json.JSONDecoder(parse_constant=_constant, parse_float=_float)
_DECODER: Any = json.JSONDecoder(object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float)
_DECODE_HUGE = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int
).decode


def _read(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except ValueError:  # an integer beyond Python's digit limit
        return _DECODE_HUGE(text)


def _read_plain(text: str) -> Any:
    """Read a short flat object, the usual case, without a Python function for every object in it.

    A key that stands twice leaves more colons than keys; then, and for whatever else is unusual, the answer is
    None and the strict reader decides.
    """
    try:
        value, end = _PLAIN.scan_once(text, 0)
    except (ValueError, StopIteration, JsonRefused):
        return None
    if type(value) is not dict or end != len(text):
        return None
    keys = len(value)
    for inner in value.values():
        if type(inner) is dict:
            keys += len(inner)
    return value if text.count(":") == keys else None


def decode(text: str) -> Any:
    """Read one JSON value.

    Raises:
        JsonRefused: `too_long` (over 1,000,000 characters), `too_deep` (over 64 levels), `not_json`,
            `duplicate_key` or `non_finite`, with a message that says what to mend.
    """
    if len(text) <= _SHORT_CHARACTERS:
        value = _read_plain(text)
        if value is not None:
            return value
    if len(text) > MAX_CHARACTERS:
        raise JsonRefused("too_long", f"{len(text)} characters; send at most {MAX_CHARACTERS}")
    try:
        value = _read(text)
    except json.JSONDecodeError as error:
        raise JsonRefused("not_json", f"not JSON at line {error.lineno} column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise _too_deep() from None
    if len(text) > MAX_DEPTH and text.count("{") + text.count("[") > MAX_DEPTH and depth_exceeds(value, MAX_DEPTH):
        raise _too_deep()
    return value


def depth_exceeds(value: Any, limit: int) -> bool:
    """Whether containers are nested more than `limit` levels deep (cycles count as endless)."""
    level: list[Any] = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(limit):
        inside: dict[int, Any] = {}  # by identity, so that a cycle does not multiply
        for outer in level:
            for inner in outer.values() if isinstance(outer, dict) else outer:
                if isinstance(inner, _CONTAINERS):
                    inside[id(inner)] = inner
        level = list(inside.values())
        if not level:
            return False
    return bool(level)


def _too_deep() -> JsonRefused:
    return JsonRefused("too_deep", f"nested more than {MAX_DEPTH} levels deep; send a flatter value")


def canonical(value: Any) -> str:
    """Write a value as the one JSON text that equal values share: sorted keys, no spaces, finite numbers."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)

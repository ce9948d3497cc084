"""The value of a program as text. Inside the second tier this file stands alone, so it imports nothing of BizGym."""

from __future__ import annotations

from typing import Any

MAX_CHARACTERS = 10_000
_PLAIN = (bool, int, float, complex, str, type(None))


def text_of_value(value: Any) -> str:
    """Return a value as Python writes it: numbers bare, also those of numpy and decimal; text as it is.

    Raises:
        ValueError: It is longer than `MAX_CHARACTERS`, or no text that can be encoded.
    """
    text = _written(value, 0)
    text.encode("utf-8")
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"the value is {len(text)} characters long; {MAX_CHARACTERS} are taken")
    return text


def _written(value: Any, depth: int) -> str:
    if isinstance(value, str) and depth == 0:
        return value
    if isinstance(value, (list, tuple)) and depth < 8:
        inner = [_written(each, depth + 1) for each in value]
        if isinstance(value, list):
            return "[" + ", ".join(inner) + "]"
        return "(" + ", ".join(inner) + ("," if len(inner) == 1 else "") + ")"
    if isinstance(value, _PLAIN):
        return repr(value)
    return str(value)

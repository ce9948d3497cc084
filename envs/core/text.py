"""Small functions on text that comes from outside: bounded, printable, never executed."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from fractions import Fraction

RESULT_LIMIT_CHARACTERS = 8_000
ECHO_LIMIT_CHARACTERS = 200
_HEAD_SHARE = Fraction(3, 4)


def clip(text: str, limit_characters: int = RESULT_LIMIT_CHARACTERS, head_share: Fraction = _HEAD_SHARE) -> str:
    """Return `text`, or its head and tail with the number of characters left out between them."""
    if len(text) <= limit_characters:
        return text
    head = int(limit_characters * head_share)
    tail = limit_characters - head
    return f"{text[:head]}\n[... {len(text) - head - tail} characters left out ...]\n{text[-tail:]}"


def whole(text: str) -> bool:
    """Whether `text` holds no lone surrogate, and so encodes as UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def printable(text: str) -> str:
    """Return `text` with lone surrogates written as escapes, so that it encodes as UTF-8."""
    return text if whole(text) else text.encode("utf-8", "backslashreplace").decode("utf-8")


def echo(value: object, limit_characters: int = ECHO_LIMIT_CHARACTERS) -> str:
    """Return a bounded quotation of something an agent sent, with its full length when it was cut."""
    text = printable(value if isinstance(value, str) else ascii_repr(value))
    if len(text) <= limit_characters:
        return text
    return f"{text[:limit_characters]}... ({len(text)} characters in all)"


def ascii_repr(value: object) -> str:
    """`repr` that also survives integers beyond Python's digit limit, endless nesting and classes that raise."""
    try:
        return repr(value)
    except Exception:  # a foreign class may raise anything; its name is all that can be said of it
        return f"<{type(value).__name__}>"


def nearest(name: str, names: Iterable[str]) -> str:
    """Return ` Did you mean 'x'?`, or an empty string when nothing is near."""
    found = get_close_matches(name[:100], list(names), n=1, cutoff=0.5)
    return f" Did you mean {found[0]!r}?" if found else ""

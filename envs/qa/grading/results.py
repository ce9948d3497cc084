"""The value that a program came to, as its sandbox reports it.

Containers of one element are opened. Booleans, None, complex numbers, NaN and infinities are no answers. A text is
read as a reply would be, since programs often end by formatting their figure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from decimal import Decimal, InvalidOperation

from ..answers import AnswerSpec, Verdict
from .numerals import MOST_DIGITS, MOST_EXPONENT
from .numeric import grade_number, grade_quantity
from .quantities import Quantity

_DEEPEST = 8
_WRAPPED = re.compile(
    r"(?:(?:np|numpy)\.(?:float\d+|int\d+|array)|array|Decimal|decimal\.Decimal|set|list|tuple)\((.*)\)", re.DOTALL
)
_KEYED = re.compile(r"(?:'[^'\n]{0,60}'|\"[^\"\n]{0,60}\") ?: ?(.*)", re.DOTALL)
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_PLAIN = re.compile(r"[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d{1,6})?")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)
_COMPLEX = re.compile(r"\(?[+-]?[\d.e+-]*\d[jJ]\)?")
_NO_NUMBER = ("True", "False", "None", "true", "false", "null")


def unwrapped(value: object) -> object:
    """Return what containers of one element hold, at most eight deep."""
    for _ in range(_DEEPEST):
        if isinstance(value, Mapping):
            value = list(value.values())
        if isinstance(value, str | bytes) or not isinstance(value, Collection) or len(value) != 1:
            break
        value = next(iter(value))
    return value


def grade_result(result: str, spec: AnswerSpec, strict: bool) -> Verdict:
    """Judge the value that a program came to, as text."""
    text = _opened(result.strip())
    if text in _NO_NUMBER or _NOT_FINITE.fullmatch(text) or _COMPLEX.fullmatch(text):
        return Verdict(False, None, f"{text[:20]} is no number")
    if text[:1] in _CLOSING and text[-1:] == _CLOSING[text[0]]:
        return Verdict(False, None, "a container of several values, or of none")
    if not _PLAIN.fullmatch(text):
        return grade_number(_unquoted(text), spec, strict)
    value = _python_number(text)
    if value is None:
        return Verdict(False, None, f"a number of more than {MOST_DIGITS} digits")
    return grade_quantity(Quantity(value, 0, len(text)), spec, strict)


def _opened(text: str) -> str:
    for _ in range(_DEEPEST):
        wrapped = _WRAPPED.fullmatch(text)
        if wrapped:
            inner = wrapped[1].strip()
        elif text[:1] in _CLOSING and text[-1:] == _CLOSING[text[0]]:
            inner = text[1:-1].strip().removesuffix(",").rstrip()
            keyed = _KEYED.fullmatch(inner) if text[0] == "{" else None
            inner = keyed[1] if keyed else inner
        else:
            break
        if _several(inner) or not inner:
            break
        text = _unquoted(inner)
    return text


def _several(inner: str) -> bool:
    """Whether a comma stands between the values of a container, outside of quotes and of inner containers."""
    if "," not in inner:
        return False
    return not (inner[:1] in "[({'\"" and inner[-1:] in "])}'\"" and _one_group(inner))


def _one_group(inner: str) -> bool:
    if inner[0] in "'\"":
        return inner[0] == inner[-1] and inner.count(inner[0]) == 2
    depth = 0
    for place, character in enumerate(inner):
        depth += (character in "[({") - (character in "])}")
        if depth == 0:
            return place == len(inner) - 1
    return False


def _unquoted(text: str) -> str:
    return text[1:-1].strip() if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def _python_number(text: str) -> Decimal | None:
    if len(text) > MOST_DIGITS:
        return None
    try:
        value = Decimal(text.replace("_", ""))
    except InvalidOperation:
        return None
    return value if abs(value.adjusted()) <= MOST_EXPONENT or not value else None

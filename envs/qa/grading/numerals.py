"""Digits with separators as one exact decimal, by rules that do not look at the answer.

- A single point is the decimal point: `1.234` is one and a bit. Twice or more it groups thousands: `1.234.567`.
- A single comma before exactly three digits groups thousands (`1,234`), unless the number begins with 0 or with more
  than three digits (`0,234`, `1234,567`); before any other number of digits it is the decimal comma (`1,5`).
- With both, the later one is the decimal sign: `1,234.5` and `1.234,5`.
- Spaces, apostrophes and underscores group thousands: `1 234,5`, `1'234.5`, `1_234`. Indian groups stand as well.
- Groups of another size are no number: `12,34`-like pieces, versions, lists without spaces.
"""

from __future__ import annotations

import re
from decimal import Context, Decimal

MOST_DIGITS = 1_000
MOST_EXPONENT = 400
EXACT = Context(prec=2 * (MOST_DIGITS + MOST_EXPONENT), Emax=10_000, Emin=-10_000, traps=[])
"""Wide enough that nothing read here is ever rounded."""
_QUOTIENT = Context(prec=60, traps=[])
_SEPARATOR = re.compile(r"[.,' _]")
_GROUPING_ONLY = "' _"


def decimal_text(raw: str) -> str | None:
    """Return digits with at most one point for a number as written (no sign), None where it is no number."""
    if raw.isdigit():
        return raw
    separators = [match[0] for match in _SEPARATOR.finditer(raw)]
    groups = _SEPARATOR.split(raw)
    point = _decimal_place(separators, groups)
    if point is None:
        return None
    whole, fraction = groups[: point + 1], groups[point + 1 :]
    kinds = set(separators[:point])
    if len(kinds) > 1 or (kinds and not _grouped(whole, kinds.pop())):
        return None
    return "".join(whole) + ("." + fraction[0] if fraction else "")


def number_of(raw: str) -> Decimal | None:
    """Return the number as written (no sign), None where it is none or has more than 1,000 digits."""
    if len(raw) > 2 * MOST_DIGITS:
        return None
    text = decimal_text(raw)
    if text is None or len(text) > MOST_DIGITS:
        return None
    return Decimal(text)


def quotient(whole: str | None, over: str, under: str) -> Decimal | None:
    """Return `whole over/under`, None for a division by zero or a mixed number whose fraction is no proper one."""
    if not int(under) or (whole and int(over) >= int(under)):
        return None
    return EXACT.add(Decimal(whole or 0), _QUOTIENT.divide(Decimal(over), Decimal(under)))


def scaled(value: Decimal, power: int) -> Decimal:
    """Return value * 10**power, exactly."""
    return EXACT.scaleb(value, power) if power else value


def text_of(value: Decimal) -> str:
    """Write a number without exponent or trailing zeros, in scientific form where that would be long."""
    if not value:
        return "0"
    short = EXACT.normalize(value)
    return format(short, "f") if -30 < short.adjusted() < 30 else str(short)


def _decimal_place(separators: list[str], groups: list[str]) -> int | None:
    """Return the index of the separator that is the decimal sign, their number where none is, None for no number."""
    last, n = separators[-1], len(separators)
    if last in _GROUPING_ONLY:
        return n
    if separators.count(last) > 1:
        return n if len(set(separators)) == 1 else None
    if n > 1 or last == "." or groups[0].startswith("0") or len(groups[0]) > 3:
        return n - 1
    return n if len(groups[1]) == 3 and groups[0] else n - 1


def _grouped(groups: list[str], separator: str) -> bool:
    first, *middle, last = groups
    if len(last) != 3 or not 1 <= len(first) <= 3 or (first.startswith("0") and len(groups) > 1):
        return False
    sizes = {len(group) for group in middle}
    return sizes <= {3} or (separator == "," and sizes == {2} and len(first) <= 2)  # 12,34,567 counts lakhs

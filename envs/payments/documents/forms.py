"""The readable form of a rule's value, one for each type and unit, so that a document can be read back exactly.

The unit of an integer stands at the end of its key: `_minutes` (a duration), `_bps` (hundredths of a per cent),
`_hours`, `_days`, `_weeks`, `_months`, `_years`; any other integer is a plain number.

    amount      USD 1,234.50                    duration   1 day, 2 hours and 30 minutes
    per cent    2.50 %                          number     1,500
    code        `instant`                       codes      `card`, `transfer` and `wallet`; only `card`; none
    truth       yes
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...core.errors import DataError
from ..kernel.clock import MINUTES_PER_DAY
from ..kernel.money import Currency, Money
from ..kernel.rules import Value

_UNITS = ("hour", "day", "week", "month", "year")
_UNIT_WORDS = {"minutes": "minutes", "bps": "basis points", **{f"{unit}s": f"{unit}s" for unit in _UNITS}}
_MINUTES_PER_HOUR = 60
_NUMBER = r"-?\d{1,3}(?:,\d{3})*"
_CODE = r"`[A-Za-z0-9][A-Za-z0-9_.:-]*`"
_AMOUNT = rf"(?:{'|'.join(Currency)}) {_NUMBER}(?:\.\d\d)?"
_PERCENT = rf"{_NUMBER}\.\d\d %"
_DURATION = rf"{_NUMBER} (?:day|hour|minute)s?(?:(?:, | and )\d+ (?:hour|minute)s?){{0,2}}"
_COUNTED = rf"{_NUMBER} (?:{'|'.join(_UNITS)})s?"
_LIST = rf"(?:none|only {_CODE}|{_CODE}(?:, {_CODE})* and {_CODE})"


def pattern(key: str) -> str:
    """Return a regular expression, without groups, for the values that a key may have.

    Between two values must stand words, not only a comma or an "and": a list of codes would run into the next one.
    """
    integer = {"minutes": _DURATION, "bps": _PERCENT}.get(
        key.rpartition("_")[2], _COUNTED if _counted_unit(key) else _NUMBER
    )
    return f"(?:{_AMOUNT}|{integer}|{_LIST}|{_CODE}|yes|no)"


def write(key: str, value: Value) -> str:
    """Write the value of a rule.

    Args:
        key: What is ruled; its ending names the unit of an integer.
        value: Of any type that a rule row may hold.

    Raises:
        DataError: A code has characters that codes do not have, or a duration is negative.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Money):  # a tuple too, and so before the lists
        return str(value)
    if isinstance(value, str):
        return _code(key, value)
    if isinstance(value, int):
        return _integer(key, value)
    return _listed([_code(key, each) for each in value])


def read(key: str, text: str) -> Value:
    """Read what `write` wrote.

    Raises:
        DataError: The text is not the form of any value of this key.
    """
    value = _read(key, text)
    if value is None or write(key, value) != text:
        raise DataError(f"{key}: {text[:80]!r} is not how a value of this key is written")
    return value


def in_words(name: str) -> str:
    """Write a key, a dimension of scope or an instant as words."""
    return name.replace("_", " ")


def from_words(words: str) -> str:
    """Read what `in_words` wrote."""
    return words.replace(" ", "_")


def key_in_words(key: str) -> str:
    """Write what a key rules, without the unit at its end: `own_fault_share_bps` is the own fault share."""
    name, _, unit = key.rpartition("_")
    return in_words(name if unit in _UNIT_WORDS and name else key)


def key_with_unit(key: str) -> str:
    """Write a key so that it can be read back: `own fault share, in basis points`."""
    unit = key.rpartition("_")[2]
    short = key_in_words(key)
    return short if short == in_words(key) else f"{short}, in {_UNIT_WORDS[unit]}"


def key_of(words: str) -> str:
    """Read what `key_with_unit` wrote."""
    name, _, unit = words.partition(", in ")
    ending = next((each for each, said in _UNIT_WORDS.items() if said == unit), unit)
    return from_words(name) + (f"_{ending}" if ending else "")


def _integer(key: str, value: int) -> str:
    unit = key.rpartition("_")[2]
    if unit == "minutes":
        return _duration(key, value)
    if unit == "bps":
        whole, part = divmod(abs(value), 100)
        return f"{'-' if value < 0 else ''}{whole:,}.{part:02d} %"
    counted = _counted_unit(key)
    return _count(value, counted) if counted else f"{value:,}"


def _counted_unit(key: str) -> str:
    """Return the unit that a number of this key is followed by, "" where it is none."""
    unit = key.rpartition("_")[2]
    return unit[:-1] if unit[-1:] == "s" and unit[:-1] in _UNITS else ""


def _duration(key: str, minutes: int) -> str:
    if minutes < 0:
        raise DataError(f"{key}: a duration is at least 0 minutes, not {minutes}")
    days, rest = divmod(minutes, MINUTES_PER_DAY)
    hours, rest = divmod(rest, _MINUTES_PER_HOUR)
    parts = [_count(each, unit) for each, unit in ((days, "day"), (hours, "hour"), (rest, "minute")) if each]
    return _joined(parts) if parts else "0 minutes"


def _count(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if abs(number) == 1 else 's'}"


def _code(key: str, value: str) -> str:
    written = f"`{value}`"
    if re.fullmatch(_CODE, written) is None:
        raise DataError(f"{key}: a code is of letters, digits and _.:- and begins with one of the first, not {value!r}")
    return written


def _listed(codes: Sequence[str]) -> str:
    if not codes:
        return "none"
    return f"only {codes[0]}" if len(codes) == 1 else _joined(codes)


def _joined(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _read(key: str, text: str) -> Value | None:
    if text in ("yes", "no"):
        return text == "yes"
    if re.fullmatch(_AMOUNT, text):
        code, _, number = text.partition(" ")
        return Money(int(re.sub(r"[,.]", "", number)), Currency(code))
    if re.fullmatch(_LIST, text):
        return tuple(each.strip("`") for each in re.findall(_CODE, text))
    if re.fullmatch(_CODE, text):
        return text.strip("`")
    return _read_integer(key, text)


def _read_integer(key: str, text: str) -> int | None:
    if key.endswith("_minutes") and re.fullmatch(_DURATION, text):
        minutes = {"day": MINUTES_PER_DAY, "hour": _MINUTES_PER_HOUR, "minute": 1}
        found = re.findall(r"([\d,]+) (day|hour|minute)", text)
        return sum(int(number.replace(",", "")) * minutes[unit] for number, unit in found)
    if re.fullmatch(rf"{_PERCENT}|{_COUNTED}|{_NUMBER}", text):
        return int(re.sub(r"[^\d-]", "", text))
    return None

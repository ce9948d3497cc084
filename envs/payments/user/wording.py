"""Values in prose: how they are said, and how they are found in what somebody wrote."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from enum import Enum
from typing import Any, NamedTuple
from unicodedata import normalize

from ..kernel.money import Money, money_of
from .vocabulary import RECORD_ID, ValueType, words

_NUMBER = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?")
_BASIS_POINTS = 100
# fmt: off
_SMALL = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)
# fmt: on
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_SMALLEST_SOUGHT, _LARGEST_SPELLED = 3, 999_999


class Traces(NamedTuple):
    """What a text holds that could be a value.

    Attributes:
        numbers: Every number in figures.
        ids: Every id of a record.
        spoken: All words in order, with a space before and after each.
    """

    numbers: frozenset[Decimal]
    ids: frozenset[str]
    spoken: str

    def mention(self, value: Any, kind: ValueType) -> bool:
        """Whether a value stands in the text: in figures, spelled out, as a code or as an id.

        Truth values leave no trace, since `yes` and `no` say nothing without a question; nor do the words up to two,
        which people use for much else.
        """
        if isinstance(value, bool):
            return False
        if isinstance(value, str):
            return value in self.ids or _phrase(value) in self.spoken
        numbers = _numbers_of(value, kind)
        if not self.numbers.isdisjoint(numbers):
            return True
        if isinstance(value, Money) and _spelled_with_cents(value, self.spoken):
            return True
        return any(f" {spelled(int(each))} " in self.spoken for each in numbers if _can_be_spelled(each))


def traces(*texts: str) -> Traces:
    """Return what texts hold that could be values."""
    numbers: set[Decimal] = set()
    ids: set[str] = set()
    spoken: list[str] = []
    for text in (normalize("NFKC", each) for each in texts):
        ids.update(RECORD_ID.findall(text))
        rest = RECORD_ID.sub(" ", text)
        numbers.update(Decimal(each.replace(",", "")) for each in _NUMBER.findall(rest))
        spoken += words(text.replace("_", " "))
    plain = f" {' '.join(spoken)} ".replace(" hundred and ", " hundred ").replace(" thousand and ", " thousand ")
    return Traces(frozenset(numbers), frozenset(ids), plain)


def written_forms(value: Any, kind: ValueType = "amount") -> str:
    """Return a text that mentions a value in every form in which it may be written; any field's value will do."""
    if value is None:
        return ""
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, (tuple, list)) and not isinstance(value, Money):
        return " ".join(written_forms(each, kind) for each in value)
    if isinstance(value, Mapping):
        return written_forms(money_of(dict(value), "amount"))
    if isinstance(value, (bool, str)):
        return str(value)
    return " ".join(f"{each:f}" for each in sorted(_numbers_of(value, kind)))


def said(value: Any, kind: ValueType) -> str:
    """Return a value as the customer says it.

    Args:
        value: Of the kind's type.
        kind: What type of value it is.
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if kind == "basis_points":
        return f"{Decimal(value) / _BASIS_POINTS:f} %"
    if kind == "minute":
        return f"minute {value}"
    return str(value)


def sentences(parts: Iterable[str]) -> str:
    """Join sentences, each with a capital letter and a full stop."""
    whole = []
    for part in parts:
        text = part.strip()
        if text:
            whole.append(text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else "."))
    return " ".join(whole)


def spelled(number: int) -> str:
    """Spell a number from 0 to 999,999 out in English, without `and` and without hyphens."""
    if number < 20:
        return _SMALL[number]
    if number < 100:
        tens, rest = divmod(number, 10)
        return _TENS[tens - 2] + (f" {_SMALL[rest]}" if rest else "")
    size, name = (1_000, "thousand") if number >= 1_000 else (100, "hundred")
    many, rest = divmod(number, size)
    return f"{spelled(many)} {name}" + (f" {spelled(rest)}" if rest else "")


def _numbers_of(value: Any, kind: ValueType) -> frozenset[Decimal]:
    """Return the numbers by which a value may be written: in both units, and a share also in per cent."""
    if isinstance(value, Money):
        minor = Decimal(abs(value.minor))
        return frozenset([minor, minor.scaleb(-value.currency.digits)])
    exact = Decimal(abs(value))
    return frozenset([exact, exact / _BASIS_POINTS] if kind == "basis_points" else [exact])


def _spelled_with_cents(value: Money, spoken: str) -> bool:
    """Whether an amount with a broken part is spelled out: `sixty one dollars and fifty cents`."""
    whole, part = divmod(abs(value.minor), 10**value.currency.digits)
    if not part or not _can_be_spelled(Decimal(whole)):
        return False
    return re.search(rf" {spelled(whole)} (?:[a-z]+ )?(?:and |point )?{spelled(part)} ", spoken) is not None


def _can_be_spelled(number: Decimal) -> bool:
    return number == number.to_integral_value() and _SMALLEST_SOUGHT <= number <= _LARGEST_SPELLED


def _phrase(code: str) -> str:
    return f" {' '.join(words(code.replace('_', ' ')))} "

"""The quantities of a stretch of plain text: sign, digits, scale and unit, each read where it stands.

Around each run of digits a bounded number of characters is looked at, so that reading is linear in the text. What is
glued to letters is no quantity (`Q3`, `10-K`, `1st`, `0x1F`); neither is a date or a clock time.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from .numerals import MOST_EXPONENT, number_of, quotient, scaled
from .prefixes import Before, read_before
from .suffixes import Behind, is_bounded, read_behind
from .units import COUNTS, CURRENCIES, RATES, SCALES, SUBUNITS, TIMES, one_of

_NUMERAL = re.compile(
    r"(?<![\d/.,])(?:(?P<whole>\d{1,9}) )?(?P<over>\d{1,9})/(?P<under>\d{1,9})(?![\d/]|[.,]\d)"
    r"|(?P<plain>(?<![\d.,])\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?![\d])|(?:(?<![\w.,])\.)?\d+(?:[.,'_]\d+)*)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DATE = re.compile(
    rf"\b\d{{4}}-\d\d-\d\d\b|\b\d{{1,2}}/\d{{1,2}}/\d{{2,4}}\b|\b\d{{1,2}}:\d\d(?::\d\d)?\b"
    rf"|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?(?:,? \d{{4}})?\b|\b(?:\d{{1,2}}(?:st|nd|rd|th)? )?{_MONTH} \d{{4}}\b",
    re.IGNORECASE,
)
_CURRENCY = one_of(CURRENCIES)
_ANNOUNCED = re.compile(
    rf"(?:\bin |\()(?:(?P<currency>{_CURRENCY}) ?)?(?P<word>thousands|millions|billions)\b"
    rf"|(?:\bin |\()(?P<money>{_CURRENCY}) ?(?P<short>thousand|million|billion|mn|mm|m|bn|k|'?000s?)(?![A-Za-z0-9])",
    re.IGNORECASE,
)
_COUNTED = re.compile(rf" ?(?P<word>{'|'.join(COUNTS)})(?![A-Za-z0-9])", re.IGNORECASE)
_SHORTEST_DATE = 5


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it was written.

    Attributes:
        value: With its sign, without scale and unit; its exponent shows how precisely it was written.
        start, end: Where it stands in the text, signs and units included.
        scale: Power of ten of the scale stated, None where none is; -2 for cents.
        rate: Name of the pure unit stated (`percent`, `bps`, `permille`, `ratio`), None where none is.
        power: Power of ten of `rate`.
        currencies: The currencies that the sign or word stated can mean, None where none is.
        time: Span of time stated, None where none is.
        bracketed: Whether it stands in brackets of its own.
        bound: Whether it is only a bound (`at least 5`, `5+`, `±5`), denied (`not 5`, `5 is wrong`) or part of an
            expression in words (`half of 5`, `5 squared`, `√5`).
        letter_m: Whether the scale is the letter `m` alone, which abbreviates other words as well.
        adjective: Whether a hyphen joins a span of time to it, as in `the 5-year bond`.
        counted: The word behind it for what is counted, where that is no unit of money, time or share.
    """

    value: Decimal
    start: int
    end: int
    scale: int | None = None
    rate: str | None = None
    power: int = 0
    currencies: frozenset[str] | None = None
    time: str | None = None
    bracketed: bool = False
    bound: bool = False
    letter_m: bool = False
    adjective: bool = False
    counted: str = ""

    @property
    def bare(self) -> bool:
        """Whether neither a scale nor a unit is stated."""
        return self.scale is None and self.rate is None and self.currencies is None and self.time is None

    @property
    def magnitude(self) -> Decimal:
        """The value with scale and rate multiplied out: 1.2 million is 1200000, 60 % is 0.6."""
        return scaled(self.value, (self.scale or 0) + self.power)


def quantities(text: str) -> Iterator[Quantity]:
    """Yield the quantities of a plain text in their order."""
    if len(text) >= _SHORTEST_DATE:
        text = _DATE.sub(lambda date: " " * len(date[0]), text)
    text = text.replace("+/-", "  ±")
    announced = _ANNOUNCED.search(text) if "(" in text or "in " in text or "In " in text else None
    end = 0
    for match in _NUMERAL.finditer(text):
        if match.start() < end:  # the 10 of `3 x 10^5`
            continue
        found = _quantity(text, match, end)
        if found is not None:
            end = found.end
            yield _announced(found, announced) if announced else found


def _quantity(text: str, match: re.Match[str], floor: int) -> Quantity | None:
    if match["plain"] is not None:
        value, start = number_of(match["plain"]), match.start("plain")
    else:
        value, start = quotient(match["whole"], match["over"], match["under"]), match.start()
    if value is None:
        return None
    before = read_before(text, start, floor)
    behind = read_behind(text, match.end(), opened=before.opened)
    if before.glued or behind.glued or abs(behind.power) > MOST_EXPONENT:
        return None
    bracketed, trailing = before.opened and "close" in behind.stated, "minus" in behind.stated
    if before.signs > 1 or (before.signs and (trailing or (bracketed and not before.negative))):
        return None  # two signs, or two that do not agree
    value = scaled(value, behind.power)
    if before.negative or bracketed or trailing:
        value = value.copy_negate()
    bound = before.bound or is_bounded(text, behind.end)
    found = Quantity(value, before.start, behind.end, bracketed=bracketed, bound=bound)
    counted = _COUNTED.match(text, behind.end)
    return _stated(replace(found, counted=counted["word"].lower()) if counted else found, before, behind)


def _stated(found: Quantity, before: Before, behind: Behind) -> Quantity:
    """Return the quantity with scale and units as stated before and behind it."""
    stated = behind.stated
    scale = stated.get("scale") or stated.get("in") or (before.scale or "").lower()
    currency = (before.currency or stated.get("currency") or "").upper()
    rate, power = RATES.get(stated.get("rate", ""), (None, 0))
    subunit = stated.get("subunit", "").upper()
    return replace(
        found,
        scale=-2 if subunit else SCALES.get(scale),
        rate=rate,
        power=power,
        currencies=SUBUNITS[subunit] if subunit else CURRENCIES.get(currency),
        time=TIMES.get(stated.get("time", "")),
        letter_m=scale == "m",
        adjective="adjective" in stated,
    )


def _announced(found: Quantity, announced: re.Match[str]) -> Quantity:
    """Apply a scale that the line announces (`in millions: 12.4`) to a number that states none of its own."""
    if found.scale is not None or found.rate or found.time:
        return found
    currency = (announced["currency"] or announced["money"] or "").upper()
    scale = SCALES[(announced["word"] or announced["short"]).lower()]
    return replace(found, scale=scale, currencies=found.currencies or CURRENCIES.get(currency))

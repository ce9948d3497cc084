"""Numbers in what a candidate writes: their values, and their units as far as prose tells them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .stems import stem, stems
from .units import PURE, Dimension, product, unit_of

_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "thousands": 1e3, "k": 1e3, "tsd": 1e3, "million": 1e6, "millions": 1e6, "m": 1e6,
    "mn": 1e6, "mln": 1e6, "mio": 1e6, "billion": 1e9, "billions": 1e9, "bn": 1e9,
}  # fmt: skip
_PERCENT = {"%", "percent", "pct", "pp"}
_PURE = {"", "1", "ratio", "x", "times", "none", "number"}
_TIME = {
    "year": "year", "years": "year", "annum": "year", "annual": "year", "yr": "year", "y": "year", "pa": "year",
    "month": "month", "months": "month", "quarter": "quarter", "quarters": "quarter", "week": "week", "weeks": "week",
    "day": "day", "days": "day", "hour": "hour", "hours": "hour", "h": "hour", "minute": "minute", "minutes": "minute",
    "min": "minute", "kg": "kg", "tonne": "tonne", "tonnes": "tonne", "t": "tonne",
}  # fmt: skip
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
_PER = re.compile(r"\s+(?:per|a|an|each|for each)\s+|\s*/\s*")
_NUMBER = re.compile(
    r"(?<!\w)(?<![0-9][.,])(?P<before>[$€£]|[A-Z]{3}\s?)?(?P<sign>[-−+])?(?P<digits>[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?)"
    r"(?P<behind>\s?%|(?:k|m|mn|bn)\b|[\s-]?(?:hundred|thousand|million|billion|percent|per cent|percentage points)\b)?"
    r"(?P<money>\s?(?:[A-Z]{3}\b|[$€£]))?"
)
_WORD_BEHIND = re.compile(r"[\s-]?([A-Za-z]+)")
MAX_DIGITS = 18


class Claim(NamedTuple):
    """A number that a candidate states.

    Attributes:
        value: With its scale; a share as a part of 1.
        kind: `percent`, `money` or `other`.
        half_step: Half of the last digit shown, in the same terms.
        behind: The word behind it, in lower case.
        text: As written.
    """

    value: float
    kind: str
    half_step: float
    behind: str
    text: str


def claims(text: str, currency: str) -> Iterator[Claim]:
    """Yield the numbers of a text; what is part of a word is none, nor are more than 18 digits."""
    for found in _NUMBER.finditer(text):
        digits = found["digits"].replace(",", "")
        if len(digits) > MAX_DIGITS:
            continue
        scale, kind = 1.0, "other"
        behind = (found["behind"] or "").strip(" -").lower()
        if behind in ("%", "percent", "per cent", "percentage points"):
            scale, kind = 0.01, "percent"
        elif behind:
            scale = _SCALES[behind]
        money = {(found["before"] or "").strip(), (found["money"] or "").strip()}
        if kind == "other" and money & {currency, *(s for s, code in _SYMBOLS.items() if code == currency)}:
            kind = "money"
        decimals = len(digits.partition(".")[2])
        value = float(digits) * scale * (-1 if found["sign"] in ("-", "−") else 1)
        word = _WORD_BEHIND.match(text, found.end())
        yield Claim(value, kind, 0.5 * 10.0**-decimals * scale, word[1].lower() if word else "", found[0].strip())


class UnitReader:
    """Reads units as candidates write them, in the words of one case.

    Args:
        currency: Code of the currency.
        nouns: What base units are called, one and several.
    """

    def __init__(self, currency: str, nouns: Mapping[str, Sequence[str]]) -> None:
        self._currency = currency
        self._nouns = {frozenset(stems(form)): atom for atom, forms in nouns.items() for form in (*forms, atom)}

    def read(self, text: str) -> tuple[Dimension, float] | None:
        """Return the dimension and the scale of a unit, None where it is not understood."""
        cleaned = " ".join(
            re.sub(r"[.,()]", "", text.lower().replace("p.a.", "per year").replace("'000", " k")).split()
        )
        if cleaned in _PURE:
            return PURE, 1.0
        cleaned = cleaned.replace("per cent", "percent").replace("percentage points", "percent")
        numerator, *below = _PER.split(f"{cleaned}")
        head = self._numerator(numerator.replace("%", " % ").split())
        if head is None:
            return None
        dimension, scale = head
        for part in below:
            found = self._atom(part.split())
            if found is None:
                return None
            dimension, scale = product(dimension, found[0], -1), scale / found[1]
        return dimension, scale

    def _numerator(self, words: list[str]) -> tuple[Dimension, float] | None:
        scale, yearly, rest = 1.0, False, []
        for word in words:
            if word in _SCALES:
                scale *= _SCALES[word]
            elif word in ("yearly", "annually", "annual"):
                yearly = True
            elif word != "of":
                rest.append(word)
        found = (PURE, 1.0) if not rest else (PURE, 0.01) if set(rest) <= _PERCENT else self._atom(rest)
        if found is None:
            return None
        dimension = product(found[0], (("year", 1),), -1) if yearly else found[0]
        return dimension, scale * found[1]

    def _atom(self, words: Sequence[str]) -> tuple[Dimension, float] | None:
        joined = " ".join(words)
        if len(words) == 1 and words[0] in _TIME:
            unit = unit_of(_TIME[words[0]])
            return unit.dimension, unit.scale
        codes = {self._currency.lower(), *(sign for sign, code in _SYMBOLS.items() if code == self._currency)}
        names = {"USD": "dollar", "EUR": "euro", "GBP": "pound", "CHF": "franc"}
        if joined in codes or (len(words) == 1 and stem(words[0]) == stem(names.get(self._currency, "-"))):
            return (("cur", 1),), 1.0
        atom = self._nouns.get(frozenset(stems(joined))) if stems(joined) else None
        if atom is None:
            return None
        unit = unit_of(atom)
        return unit.dimension, unit.scale


@lru_cache(maxsize=64)
def reader_of(currency: str, nouns: tuple[tuple[str, tuple[str, ...]], ...]) -> UnitReader:
    """Return the reader of a case's words."""
    return UnitReader(currency, dict(nouns))


def finite(value: float) -> bool:
    """Whether a number can be compared at all."""
    return math.isfinite(value) and abs(value) < 1e30

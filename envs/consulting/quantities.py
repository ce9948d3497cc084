"""Numbers in what a candidate writes: their values, and their units as far as prose tells them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .numerals import in_figures
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
    "min": "minute", "a": "year", "kg": "kg", "tonne": "tonne", "tonnes": "tonne", "t": "tonne",
}  # fmt: skip
_SYMBOLS = {"$": "USD", "€": "EUR", "£": "GBP"}
_PER = re.compile(r"\s+(?:per|a|an|each|for each)\s+|\s*/\s*")
_CODE = r"(?:[A-Z]{3}|(?:US)?[$€£])"
_GROUPED = r"[0-9]{1,3}(?P<mark>[, \u00a0\u202f\u2009'’_])[0-9]{3}(?:(?P=mark)[0-9]{3})*(?![0-9])(?:\.[0-9]+)?"
_NUMBER = re.compile(
    rf"(?<!\w)(?<![0-9][.,])(?!24/7\b)(?P<before>(?:(?:US)?[$€£]|[A-Z]{{3}})\s?)?(?P<sign>[-−+])?"
    rf"(?P<digits>{_GROUPED}|[0-9]+,[0-9]{{1,2}}(?![0-9])|[0-9]+(?:\.[0-9]+)?)(?P<power>[eE][-+]?[0-9]{{1,3}}\b)?"
    rf"(?P<behind>\s?%|\s?(?:k|m|mn|bn)(?=\s?{_CODE}|\b)"
    r"|[\s-]?(?:hundred|thousand|million|billion|percent|per cent|percentage points)\b)?"
    rf"(?P<money>\s?(?:[A-Z]{{3}}\b|(?:US)?[$€£]))?"
)
_WORD_BEHIND = re.compile(r"[\s-]?([A-Za-z]+)")
_WORD_BEFORE = re.compile(r"([A-Za-z0-9]+)\W*$")
_LARGEST = 1e300
YEARS = range(1990, 2100)
_CUES = """in by since until till from to before after during through of for between and fy year years end early mid
    late spring summer autumn winter season january february march april may june july august september october november
    december q1 q2 q3 q4 h1 h2"""
_YEAR_CUES = frozenset(_CUES.split())
_COUNTS_NOTHING = "sales costs prices profits wages fees rents is was has as its this"
_NO_COUNTED = frozenset(_COUNTS_NOTHING.split())


class Claim(NamedTuple):
    """A number that a candidate states.

    Attributes:
        value: With its scale; a share as a part of 1.
        kind: `percent`, `money` or `other`.
        half_step: Half of the last digit shown, in the same terms.
        behind: The word behind it, in lower case.
        text: As written.
        figure: The digits alone, without scale.
        is_year: Whether it is plainly a year of the calendar.
    """

    value: float
    kind: str
    half_step: float
    behind: str
    text: str
    figure: float
    is_year: bool = False

    @property
    def is_bare(self) -> bool:
        """Whether it has neither unit nor scale."""
        return self.kind == "other" and self.value == self.figure


def claims(text: str, currency: str) -> Iterator[Claim]:
    """Yield the numbers of a text, those that are written out as well; what is part of a word is none."""
    plain = in_figures(text)
    for found in _NUMBER.finditer(plain):
        digits = _plain_digits(found)
        scale, kind = 1.0, "other"
        behind = (found["behind"] or "").strip(" -").lower()
        if behind in ("%", "percent", "per cent", "percentage points"):
            scale, kind = 0.01, "percent"
        elif behind:
            scale = _SCALES[behind]
        money = {(found[name] or "").strip().replace("US$", "$") for name in ("before", "money")}
        codes = {currency, *(sign for sign, code in _SYMBOLS.items() if code == currency)}
        if kind == "other" and money & codes:
            kind = "money"
        decimals = len(digits.partition(".")[2])
        power = 10.0 ** min(300, int((found["power"] or "e0")[1:]))
        figure = min(float(digits) * power, _LARGEST) * (-1 if found["sign"] in ("-", "−") else 1)
        value = max(-_LARGEST, min(_LARGEST, figure * scale))
        word = _WORD_BEHIND.match(plain, found.end())
        after = word[1].lower() if word else ""
        year = kind == "other" and scale == 1.0 and _is_year(plain[: found.start()], found[0].strip(), after)
        half_step = 0.5 * 10.0**-decimals * scale * min(power, 1e200)
        yield Claim(value, kind, half_step, after, found[0].strip(), figure, year)


def _plain_digits(found: re.Match[str]) -> str:
    digits = found["digits"]
    if found["mark"]:
        return digits.replace(found["mark"], "")
    return digits.replace(",", ".")


def _is_year(before: str, written: str, after: str) -> bool:
    """Whether four digits stand where a year of the calendar does: behind such words, and not in front of a plural."""
    if not (written.isdecimal() and len(written) == 4 and int(written) in YEARS):
        return False
    counted = after.endswith("s") and not after.endswith("ss") and after not in _NO_COUNTED
    cue = _WORD_BEFORE.search(before)
    return not counted and cue is not None and (cue[1].lower() in _YEAR_CUES or cue[1].isdecimal())


class UnitReader:
    """Reads units as candidates write them, in the words of one case.

    Args:
        currency: Code of the currency.
        nouns: What base units are called, one and several.
    """

    def __init__(self, currency: str, nouns: Mapping[str, Sequence[str]]) -> None:
        self._currency = currency
        money = rf"(?:{currency.lower()}|us\$|[$€£])"
        self._glued = re.compile(rf"\b(k|m|mn|mio|bn)(?={money})|({money})(?=(?:k|m|mn|bn)\b)")
        self._nouns = {frozenset(stems(form)): atom for atom, forms in nouns.items() for form in (*forms, atom)}

    def read(self, text: str) -> tuple[Dimension, float] | None:
        """Return the dimension and the scale of a unit, None where it is not understood."""
        told = text.lower().replace("p.a.", "per year").replace("'000", " k").replace("us dollar", "dollar")
        cleaned = " ".join(self._glued.sub(r"\1\2 ", re.sub(r"[.,()]", "", told)).replace("us$", "$").split())
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

"""Shares and multiples that are written in words: a third, two out of five, every fourth, twice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_NAMED = {
    "half": 2, "halve": 2, "second": 2, "third": 3, "quarter": 4, "fourth": 4, "fifth": 5, "sixth": 6, "eighth": 8,
    "tenth": 10,
}  # fmt: skip
_COUNTS = {
    "a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10,
}  # fmt: skip
_TIMES = {
    "twice": 2, "double": 2, "doubled": 2, "doubles": 2, "triple": 3, "tripled": 3, "threefold": 3, "fourfold": 4,
    "tenfold": 10,
}  # fmt: skip
_COUNT = "|".join(name for name in _COUNTS if name != "a")
_THINGS = r"(?! (?:part(?:y|ies)|options?|ones?|questions?|things?|topics?|times?|turns?)\b)"
_FRACTION = re.compile(rf"\b(a|{_COUNT})[ -](half|halve|third|quarter|fourth|fifth|sixth|eighth|tenth)s?\b{_THINGS}")
_HALF = re.compile(r"\bhalf\b(?! an? (?:hour|day|minute|moment)\b)")
_OUT_OF = re.compile(rf"\b({_COUNT}) (?:in|out of|of)(?: every)? ({_COUNT})\b")
_EVERY = re.compile(rf"\bevery (second|third|fourth|fifth|sixth|eighth|tenth)\b{_THINGS}")
_MULTIPLE = re.compile(rf"\b(?:{'|'.join(_TIMES)})\b")


class Part(NamedTuple):
    """A share or a multiple: its value, one for the whole, and its words."""

    value: float
    words: str


def parts(text: str) -> Iterator[Part]:
    """Yield the shares and multiples of a text that are words."""
    plain = text.lower()
    for found in _FRACTION.finditer(plain):
        yield Part(_COUNTS[found[1]] / _NAMED[found[2]], found[0])
    for found in _HALF.finditer(plain):
        yield Part(1 / 2, found[0])
    for found in _OUT_OF.finditer(plain):
        yield Part(_COUNTS[found[1]] / _COUNTS[found[2]], found[0])
    for found in _EVERY.finditer(plain):
        yield Part(1 / _NAMED[found[1]], found[0])
    for found in _MULTIPLE.finditer(plain):
        yield Part(float(_TIMES[found[0]]), found[0])

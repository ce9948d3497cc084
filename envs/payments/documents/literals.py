"""Numbers, dates and amounts that people have written where a slot belongs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .calendar import MONTHS

_NUMBERS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fourteen|fifteen|twenty|twenty-four|thirty|forty|"
    "forty-eight|fifty|sixty|seventy|seventy-two|eighty|ninety|hundred|thousand|million|half an?|a quarter of an?"
)
_UNITS = "minute|hour|day|week|month|quarter|year|cent|dollar|euro|pound|yen|per cent|percent|basis point"
_ALSO_VERBS = ("March", "May")
_MONTHS = "|".join(month for month in MONTHS if month not in _ALSO_VERBS)
_STEP = re.compile(r"^\s*\d{1,2}\. ", re.MULTILINE)
_LITERALS = (
    (re.compile(r"\w*\d[\w.,:-]*"), "a number"),
    (re.compile(r"[$€£¥%‰]"), "an amount or a percentage"),
    (re.compile(rf"\b(?:{_MONTHS})\b"), "a date"),
    (re.compile(rf"\b(?:in|of|by|since|until|from|before|after|on) (?:{'|'.join(_ALSO_VERBS)})\b"), "a date"),
    (re.compile(rf"\b(?:{_NUMBERS})[ -](?:[a-z]+ )?(?:{_UNITS})s?\b", re.IGNORECASE), "a number in words"),
)
"""What no prose may hold; March and May count only where they are months."""


def literals(text: str) -> Iterator[tuple[str, str]]:
    """Yield (what it is, what stands there) of each literal; the numbers of the steps of a list are none."""
    prose = _STEP.sub("", text)
    for pattern, what in _LITERALS:
        for found in pattern.finditer(prose):
            yield what, found[0]

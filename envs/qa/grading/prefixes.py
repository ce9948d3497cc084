"""What stands before a run of digits: signs, an opening bracket, a currency, a scale; read from right to left.

A dash that touches its number is a sign, unless a digit or a letter touches it from the left: `10-12` is a range,
`COVID-19` a name. One that stands apart is a sign where a number is to follow: at the beginning, behind `=`, `:`,
`(` or a verb. A true minus is a sign wherever no number stands before it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .units import CURRENCIES, SCALES, one_of

_CURRENCY = one_of(CURRENCIES)
_PREFIX = re.compile(
    rf"(?<![A-Za-z])(?P<currency>{_CURRENCY.replace('(?![A-Za-z0-9])', '')}) ?"
    rf"(?P<scale>{one_of(SCALES)}|k|mm?|mn|bn|b|'?000s?(?= ))? ?$",
    re.IGNORECASE,
)
_SIGN_WORD = re.compile(r"(?<![A-Za-z])(?:minus|negative) $", re.IGNORECASE)
_BOUND = re.compile(
    r"(?:[<>≥≤±]|\+/-|(?<![A-Za-z])(?:at least|at most|more than|less than|fewer than|greater than|up to|no more than"
    r"|over|under|above|below|exceeds?|between|max(?:imum)?\.?|min(?:imum)?\.?|anything but|far from"
    r"|(?:not|never|neither|nor|cannot|[a-z]{2,7}n't)(?: be| equal| equal to)?"
    r"|twice|double|triple|half(?: of)?|(?:a |one )?(?:third|quarter|fifth|tenth) of|(?:square|cube) root of"
    r"|(?:sqrt|ln|log(?:10|2)?|exp|abs|round|floor|ceil|max|min|sum|f)[({])) ?$"
    r"|√ ?[({]?$"
    r"|\bdoubt\b[^.\n;:]{0,20}$"
    r"|\b(?:wrong|incorrect|false|naive|mistaken|my (?:first|initial|earlier)) (?:answer|figure|value|number|result"
    r"|guess)\b[^.\n;:,]{0,12}$",
    re.IGNORECASE,
)
_SPACED_SIGN_BEHIND = re.compile(r"(?:^|[=:(≈]|\b(?:is|are|was|of|equals|to|at))$", re.IGNORECASE)
_SIGNS = "-−–+"
_LOOK_BACK = 48
_MOST_PREFIXES = 4


@dataclass(slots=True)
class Before:
    """What was read.

    Attributes:
        start: Where it begins.
        signs: Number of signs, words for them included.
        negative: Whether one of them is a minus.
        opened: Whether a bracket opens.
        currency: The currency as written, None where there is none.
        scale: The scale word behind the currency, None where there is none.
        operator: Whether a dash joins the number to one before it.
        glued: Whether letters touch the digits, so that they are no number.
        bound: Whether the number is only said to be a bound, or is denied.
    """

    start: int
    signs: int = 0
    negative: bool = False
    opened: bool = False
    currency: str | None = None
    scale: str | None = None
    operator: bool = False
    glued: bool = False
    bound: bool = False


def read_before(text: str, start: int, floor: int) -> Before:
    """Read what stands before the digits at `start`, at most back to `floor`, where an earlier number ends."""
    found = Before(start)
    for _ in range(_MOST_PREFIXES):
        step = _read_bracket(text, found, floor) or _read_sign(text, found, floor) or _read_currency(text, found, floor)
        if not step:
            break
    if not found.operator and _SIGN_WORD.search(text, max(floor, found.start - 12), found.start):
        found.signs, found.negative = found.signs + 1, True
    last = text[found.start - 1 : found.start]
    letter = last.isascii() and last.isalpha()  # scripts that set no spaces are read: `答案是12`
    found.glued = found.glued or (found.start == start and (letter or last in ("_", "^", "#")) and last != "")
    found.bound = bool(_BOUND.search(text[max(0, found.start - _LOOK_BACK) : found.start]))
    return found


def _read_bracket(text: str, found: Before, floor: int) -> bool:
    place = found.start - 1
    if text[place : place + 1] == " ":
        place -= 1
    if found.opened or place < floor or text[place] != "(":
        return False
    if place and text[place - 1].isalpha() and not _PREFIX.search(text, max(floor, place - _LOOK_BACK), place):
        return False  # a function's argument
    found.opened, found.start = True, place
    return True


def _read_sign(text: str, found: Before, floor: int) -> bool:
    place = found.start - 1
    while place >= floor and text[place] == " ":
        place -= 1
    if place < 0 or found.operator or text[place] not in _SIGNS:
        return False
    spaced, sign, left = place < found.start - 1, text[place], text[max(0, place - _LOOK_BACK) : place]
    last = left[-1:]
    if last.isascii() and last.isalpha() and not spaced and not _PREFIX.search(left):
        found.glued = not found.currency and not found.opened
        return False
    if (last.isalnum() and not last.isalpha()) or last in (")", "%"):
        found.operator = True  # a range or a sum: the dash joins two numbers
        return False
    if last in _SIGNS and last:
        found.signs = 2
        return False
    left = left.rstrip()
    if spaced and not (sign == "−" and not left[-1:].isdigit()) and not _SPACED_SIGN_BEHIND.search(left):
        return False
    found.signs, found.negative, found.start = found.signs + 1, found.negative or sign != "+", place
    return True


def _read_currency(text: str, found: Before, floor: int) -> bool:
    if found.currency:
        return False
    begin = max(floor, found.start - _LOOK_BACK)
    if begin == found.start or not (text[found.start - 1] == " " or not text[found.start - 1].isdigit()):
        return False
    match = _PREFIX.search(text, begin, found.start)
    if not match:
        return False
    found.currency, found.scale, found.start = match["currency"], match["scale"], match.start()
    return True

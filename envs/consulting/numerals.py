"""Numbers that are written in words, or in the digits of another script, put in plain figures."""

from __future__ import annotations

import re
import unicodedata

_ONES = """zero one two three four five six seven eight nine
    ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_BELOW_HUNDRED = {name: k for k, name in enumerate(_ONES.split())}
_BELOW_HUNDRED |= {name: 10 * k for k, name in enumerate(_TENS.split(), 2)}
_ABOVE = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}
_SCALE = "|".join(_ABOVE)
_NAME = "|".join([*_BELOW_HUNDRED, *_ABOVE])
_WRITTEN = re.compile(
    rf"(?<![\w-])(?:an? (?=(?:{_SCALE}|dozen)\b))?(?:{'|'.join(_BELOW_HUNDRED)}|dozen|(?<![0-9][ \u00a0])(?:{_SCALE}))"
    rf"(?:(?:[ -]|,? and )(?:{_NAME}|dozen))*(?!\w|-(?:first|second|third|\w+(?:th|ths|fold)\b))",
    re.IGNORECASE,
)
_PART = re.compile(r"[a-z]+")
_FULL_WIDTH = str.maketrans("．，％", ".,%")


def in_figures(text: str) -> str:
    """Return a text with its numbers in figures: "twenty-three million" becomes "23000000".

    Words for one and less are left alone, as they are rarely meant as numbers.
    """
    digits = (
        text
        if text.isascii()
        else "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)
    )
    return _WRITTEN.sub(lambda found: _figure(found[0]), digits.translate(_FULL_WIDTH))


def _figure(written: str) -> str:
    """Return words for a number in figures, as they stand where they make none."""
    total, part, seen = 0, 0, False
    for name in _PART.findall(written.lower()):
        if name in _BELOW_HUNDRED:
            value = _BELOW_HUNDRED[name]
            if seen and part % 100 and not (part % 100 >= 20 and value < 10 and part % 10 == 0):
                return written  # "two three" is no number
            part, seen = part + value, True
        elif name == "dozen":
            part, seen = max(part, 1) * 12, True
        elif name == "hundred":
            part, seen = max(part, 1) * 100, True
        elif name in _ABOVE:
            total, part, seen = total + max(part, 1) * _ABOVE[name], 0, True
    whole = total + part
    return str(whole) if whole > 1 else written

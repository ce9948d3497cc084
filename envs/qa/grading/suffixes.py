"""What stands behind a run of digits: an exponent, a bracket, percent and its kin, a scale, a currency, a minus."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .units import CURRENCIES, RATES, SCALES, SUBUNITS, TIMES, one_of

_CURRENCY, _SCALE = one_of(CURRENCIES), one_of(SCALES)
_LARGE = r"(?P<word>thousand|million|billion)s?"
_BOUND_SCALE = rf"(?:{_SCALE}|(?:k|m|mm|mn|bn|b)(?={_CURRENCY}))"
_EXPONENT = re.compile(
    r"[eE](?P<e>[-−–+]?\d{1,9})(?![\w.]?\w)"
    r"| ?(?:[×xX*·] ?)10 ?(?:\^|\*\*) ?[({]?(?P<power>[-−–+]?\d{1,9})[)}]?(?![\w.]?\w)"
)
_SUFFIXES = {
    "close": re.compile(r" ?\)"),
    "rate": re.compile(rf"[ -]?(?P<word>{one_of(RATES)})(?!(?<=[xX×1]) ?\d)", re.IGNORECASE),
    "to one": re.compile(r" (?:to|:) 1(?![\d.,]*\d| ?[%a-zA-Z$€£¥:×/^*+-])"),
    "scale": re.compile(rf" ?(?P<word>{_BOUND_SCALE})", re.IGNORECASE),
    "currency": re.compile(rf" ?(?:of )?(?P<word>{_CURRENCY})", re.IGNORECASE),
    "subunit": re.compile(rf" ?(?P<word>{one_of(SUBUNITS)})", re.IGNORECASE),
    "time": re.compile(rf"[ -]?(?P<word>{one_of(TIMES)})", re.IGNORECASE),
    "in": re.compile(
        rf",? ?(?:\(?in |\()(?:(?P<currency>{_CURRENCY}) ?)?{_LARGE}(?: of (?P<of>{_CURRENCY}))?\)?",
        re.IGNORECASE,
    ),
    "minus": re.compile(r"[-−](?![\w$€£¥(]|\.\d)"),
}
_BOUND = re.compile(
    r"\+(?! ?[\w(.$€£¥+-])"
    r"| ?\((?:wrong|incorrect|false|not (?:right|correct|the answer)|at (?:least|most)|min(?:imum)?|max(?:imum)?)\b"
    r"|,? ?\(?(?:[a-z]{1,12} )?(?:or|and) (?:more|less|fewer|greater|higher|lower|above|below|over|under|up|beyond)\b"
    r"| (?:at (?:the )?(?:very )?(?:most|least|minimum|maximum)|minimum|maximum|max|tops|upwards)\b"
    r"| (?:is|are|was|were|would be|seems|looks)(?: clearly| simply| just| definitely)?"
    r" (?:wrong|incorrect|false|too (?:high|low|large|small|big|much|little))\b"
    r"| (?:(?:is|was|would|could) ?(?:not|n't)|can(?:not|'t| not)|won't)(?: be)?"
    r"(?: (?:the (?:right |correct |final )?(?:answer|value|figure|number|result|one)|right|correct|it|true)\b|[ .!]*$)"
    r"|[,;.]* (?:which|but (?:that|this|it)) (?:is|was|would be)(?: clearly)?"
    r" (?:wrong|incorrect|false|not (?:right|correct|it))\b"
    r"|[.…]*\? ?no\b"
    r"| (?:squared|cubed|to the power)\b",
    re.IGNORECASE,
)
_MOST_SUFFIXES = 5
_PLAIN_SIGN = {ord("−"): "-", ord("–"): "-"}


@dataclass(slots=True)
class Behind:
    """What was read.

    Attributes:
        end: Where it ends.
        power: The exponent, 0 where none is written.
        stated: By name of what was found (`rate`, `scale`, `currency` ...) the word for it in small letters.
        glued: Whether letters touch the digits, so that they are no number.
    """

    end: int
    power: int = 0
    stated: dict[str, str] = field(default_factory=dict)
    glued: bool = False


def read_behind(text: str, end: int, *, opened: bool) -> Behind:
    """Read what stands behind the digits that end at `end`.

    Args:
        text: Plain text.
        end: Where to begin.
        opened: Whether a bracket stands before the digits.
    """
    exponent = _EXPONENT.match(text, end)
    found = Behind(end)
    if exponent:
        found.power = int((exponent["e"] or exponent["power"]).translate(_PLAIN_SIGN))
        found.end = exponent.end()
    begin = found.end
    for _ in range(_MOST_SUFFIXES):
        if not _read_one(text, found, opened):
            break
    found.glued = found.end == begin and _glued(text, begin)
    return found


def is_bounded(text: str, end: int) -> bool:
    """Whether the words behind a number make it a bound, deny it, or reckon on with it."""
    return bool(_BOUND.match(text, end))


def _read_one(text: str, found: Behind, opened: bool) -> bool:
    for name, pattern in _SUFFIXES.items():
        match = pattern.match(text, found.end) if _may_follow(name, found.stated, opened) else None
        if match is None:
            continue
        words = match.groupdict()
        found.stated[name] = (words.get("word") or "").lower().replace("-", " ")
        if name == "to one":
            found.stated["rate"] = "ratio"
        if name == "time" and text[match.start()] == "-":
            found.stated["adjective"] = "-"
        currency = words.get("currency") or words.get("of")
        if currency:
            found.stated["currency"] = currency.lower()
        found.end = match.end()
        return True
    return False


def _may_follow(name: str, stated: dict[str, str], opened: bool) -> bool:
    if name in stated:
        return False
    if name == "close":
        return opened
    if name == "minus":
        return not stated
    if name in ("scale", "in"):
        return not stated.keys() & {"rate", "scale", "in"}
    return name == "currency" or not stated.keys() - {"close"}


def _glued(text: str, end: int) -> bool:
    behind = text[end : end + 2]
    first, second = behind[:1], behind[1:]
    return first.isalnum() or (first != "" and first in "_^") or (first == "-" and second.isalpha())

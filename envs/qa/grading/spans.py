"""A stretch of text, compared after what carries no meaning has fallen away."""

from __future__ import annotations

import re
import unicodedata

from ..answers import AnswerSpec, Verdict
from .cleaning import plain
from .finals import finals

_QUOTES, _POINTS = " \t\n\"'", ".,;:!?"
_BRACKETS = {"(": ")", "[": "]", "{": "}"}
_OPENING, _CLOSING = "([{", ")]}"
_MOST_LAYERS = 8
_FIGURES = re.compile(r"[-+]?[$€£¥]? ?\.?\d[\d.,' ]*%?")
_DASHES = str.maketrans("−–", "--")
_SPACE = re.compile(r"\s+")
LONGEST_SHOWN = 200


def normalized(text: str) -> str:
    """Return a text in lower case, with single spaces and hyphens, without outer quotes, brackets and points.

    What carries meaning stays: the point before a digit (`.5`), and round brackets around a figure (`(1,234)`), which
    are its sign.
    """
    folded = unicodedata.normalize("NFKC", plain(text)).translate(_DASHES).casefold()
    folded = _SPACE.sub(" ", folded)
    for _ in range(_MOST_LAYERS):
        peeled = _peeled(folded)
        if peeled == folded:
            break
        folded = peeled
    return folded


def _peeled(text: str) -> str:
    """Return a text without its outermost layer of quotes, points and brackets."""
    text = text.strip(_QUOTES).rstrip(_POINTS + _QUOTES).lstrip(_QUOTES + ",;:!?")
    bare = text.lstrip("." + _QUOTES)
    text = text if bare[:1].isdigit() and text[-len(bare) - 1 : -len(bare)] == "." else bare
    if not any(each in text for each in _CLOSING):
        return text.lstrip(_OPENING)
    if not any(each in text for each in _OPENING):
        return text.rstrip(_CLOSING)
    if text[-1] != _BRACKETS.get(text[0]) or not _one_pair(text):
        return text
    inner = text[1:-1]
    return text if text[0] == "(" and _FIGURES.fullmatch(inner.strip()) else inner


def _one_pair(text: str) -> bool:
    """Whether the bracket that opens a text is closed by its last character alone."""
    depth = 0
    for place, character in enumerate(text):
        depth += (character in _OPENING) - (character in _CLOSING)
        if depth == 0:
            return place == len(text) - 1
    return False


def grade_span(reply: str, spec: AnswerSpec) -> Verdict:
    """Judge a reply that must be a stretch of text: all of it, or all of what is marked as the answer."""
    gold = normalized(str(spec.value))
    said = normalized(reply)
    if not said:
        return Verdict(False, None, "no answer")
    if said == gold:
        return Verdict(True, said, "right")
    marked = list(dict.fromkeys(filter(None, map(normalized, finals(plain(reply))))))
    if len(marked) > 1:
        return Verdict(False, None, "final answers that differ")
    said = marked[0] if marked else said
    return Verdict(said == gold, said[:LONGEST_SHOWN], "right" if said == gold else "not the text asked for")

"""Words of a text without their endings, so that `raised` and `raising` meet; and groups of words that a text meets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")
_ENDINGS = ("ingly", "edly", "ing", "est", "ely", "ed", "er", "ly")
_NOUN_ENDINGS = (
    ("isation", "is"),
    ("ization", "is"),
    ("ation", "at"),
    ("ition", "it"),
    ("otion", "ot"),
    ("ction", "ct"),
    ("ment", ""),
)
_SHORTEST_STEM = 3
_VOWEL = re.compile("[aeiouy]")
_IRREGULAR = {
    "fell": "fall", "fallen": "fall", "rose": "rise", "risen": "rise", "grew": "grow", "grown": "grow", "lost": "lose",
    "sold": "sell", "bought": "buy", "won": "win", "kept": "keep", "shrank": "shrink", "shrunk": "shrink",
    "built": "build", "paid": "pay", "spent": "spend", "left": "leave", "made": "make", "held": "hold",
    "sought": "seek", "broke": "break", "broken": "break", "growth": "grow", "loss": "lose", "sale": "sell",
    "expansion": "expand", "reduction": "reduce", "decision": "decide", "conversion": "convert", "extension": "extend",
    "production": "produce", "ran": "run", "chosen": "choose", "chose": "choose", "hidden": "hide", "hid": "hide",
    "agreed": "agree", "agreement": "agree", "agreeing": "agree", "need": "need", "needed": "need", "speed": "speed",
    "supplier": "supply", "supplied": "supply", "supplying": "supply", "studied": "study", "carried": "carry",
    "carrying": "carry", "carrier": "carry", "crew": "crew", "new": "new", "hydrogen": "hydrogen",
}  # fmt: skip
_STOP_LINES = (
    "a an the and or but nor so yet of in on at by for from to into onto with without about over under",
    "than then as is are was were be been being am do does did done has have had having will would shall",
    "should can could may might must it its this that these those there here they them their we our us",
    "you your he she his her i me my who whom whose which what when where why how all any both each few",
    "more most other some such no not only own same too very just also up down out off again once if",
    "because while until per vs one two three year years",
)
STOP_WORDS = frozenset(word for line in _STOP_LINES for word in line.split())
MEASURES = frozenset(
    ("thousand", "million", "billion", "hundr", "eur", "usd", "gbp", "chf", "nok", "sek", "dkk", "aud")
)
"""Stems of scales and currencies, which say nothing of what is measured."""
_GROUP_BAR = "|"


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """Return a word, in lower case, without its ending."""
    word = word.removesuffix("'s").replace("'", "")
    word = _IRREGULAR.get(word, word)
    if word.endswith("ies") and len(word) > _SHORTEST_STEM + 1:
        word = word[:-3] + "y"
    elif word.endswith(("sses", "xes", "ches", "shes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > _SHORTEST_STEM:
        word = word[:-1]
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        rest = word[: len(word) - len(ending)]
        if word.endswith(ending) and len(rest) >= _SHORTEST_STEM + (ending == "est") and _VOWEL.search(rest):
            word = _undoubled(rest)
            break
    for ending, instead in _NOUN_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST_STEM:
            word = word[: len(word) - len(ending)] + instead
            break
    if word.endswith(("ee", "e")) and len(word) > _SHORTEST_STEM:
        word = word.rstrip("e")
    word = word[:-1] + "i" if word.endswith("y") else word
    return word[:-2] + "is" if word.endswith("iz") else word


def _undoubled(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


def stems(text: str) -> list[str]:
    """Return the stems of all words, in order."""
    return [stem(word) for word in _WORD.findall(text.lower())]


@lru_cache(maxsize=8192)
def content(text: str) -> frozenset[str]:
    """Return the stems of the words that carry meaning."""
    return frozenset(stem(word) for word in _WORD.findall(text.lower()) if word not in STOP_WORDS)


def meets(groups: Iterable[str], text: str) -> bool:
    """Whether a text holds, of each group, all words of one alternative at least."""
    there = frozenset(stems(text))
    return all(any(set(stems(each)) <= there for each in group.split(_GROUP_BAR)) for group in groups)

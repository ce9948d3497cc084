"""Whether words are a question at all: the bare name of a topic, its description copied, or a choice from a menu."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ..fact_types import fact_types
from ..stems import content, stem, stems
from .cues import cues, spoken

_COPIED_SHARE = 0.75
_COPIED_LEAST = 2
_ORDINALS = (("1", "one", "first"), ("2", "two", "second"), ("3", "three", "third"))
_PLACE_NAMES = ("number", "option", "topic")
_PLACES = frozenset(stem(each) for each in (*_PLACE_NAMES, "take"))
_NAMED_FIRST = re.compile(r"^\W*([A-Za-z_ ]+?)\W*[:\u2013\u2014-]\s+\S")


def topics_named(text: str) -> list[str]:
    """Return the topics whose names a text holds."""
    there = set(stems(text.replace("_", " ")))
    return [topic for topic in fact_types().topics if _name(topic) <= there]


def is_bare(question: str, topic: str | None = None) -> bool:
    """Whether words ask for nothing: courtesies at most, the name of a topic, or the description of one, copied.

    Args:
        question: What the candidate says.
        topic: The topic that is asked about; None for any.
    """
    said = spoken(question.replace("_", " "))
    words = told(question)
    for each in fact_types().topics if topic is None else (topic,):
        if words <= _name(each):
            return cues().found(said, "vague") or not (words and cues().starts(said, "opens"))
        if words <= _covers(each) | _name(each) and _is_copy(words, said, each):
            return True
    return False


def told(text: str) -> frozenset[str]:
    """Return the stems of the words that tell something: courtesies and words of asking left out."""
    return frozenset(word for word in content(text.replace("_", " ")) if len(word) > 1) - cues().filler


def beyond_list(text: str) -> frozenset[str]:
    """Return the stems of what a text tells beyond the words of the public list of topics."""
    return told(text) - _listed()


def chosen(menu: Sequence[str], reply: str) -> str | None:
    """Return the topic of a menu that a reply plainly chooses, by its name, its number or its description; else None.

    A question is none, even if it holds the name of a topic.
    """
    said = spoken(reply)
    by_number = _numbered(menu, reply, said)
    if by_number is not None:
        return by_number
    ahead = _NAMED_FIRST.match(reply)
    if ahead is not None:
        named = [topic for topic in menu if frozenset(stems(ahead[1].replace("_", " "))) == _name(topic)]
        if named:
            return named[0]
    words = told(reply)
    if not words or (cues().starts(said, "opens") and not cues().starts(said, "picks")):
        return None
    by_name = [topic for topic in menu if words == _name(topic)]
    by_words = [topic for topic in menu if words <= _name(topic) | _covers(topic)]
    found = by_name or ([] if "?" in reply else by_words)
    return found[0] if len(found) == 1 else None


def _numbered(menu: Sequence[str], reply: str, said: str) -> str | None:
    """Return the topic whose place in the menu is all that a reply says."""
    digits = re.findall(r"[0-9]+", reply)
    places = [k for k, names in enumerate(_ORDINALS, 1) if digits == [names[0]] or _is_place(names, said)]
    rest = content(reply) - cues().filler - _PLACES - {stem(name) for names in _ORDINALS for name in names}
    return menu[places[0] - 1] if len(places) == 1 and not rest and places[0] <= len(menu) else None


def _is_place(names: Sequence[str], said: str) -> bool:
    """Whether a place is named: "the second", "number two", "two"; not "one", which stands for anything."""
    _, count, ordinal = names
    return f" {ordinal} " in said or said == f" {count} " or any(f" {each} {count} " in said for each in _PLACE_NAMES)


def _is_copy(words: frozenset[str], said: str, topic: str) -> bool:
    covers = _covers(topic)
    asks = cues().starts(said, "opens")
    least = len(covers) if asks else _COPIED_SHARE * len(covers)
    return spoken(fact_types().topics[topic]) in said or len(words & covers) >= max(_COPIED_LEAST, least)


@lru_cache(maxsize=1)
def _listed() -> frozenset[str]:
    return frozenset[str]().union(*(_name(topic) | _covers(topic) for topic in fact_types().topics))


@lru_cache(maxsize=64)
def _name(topic: str) -> frozenset[str]:
    return content(topic.replace("_", " "))


@lru_cache(maxsize=64)
def _covers(topic: str) -> frozenset[str]:
    return content(fact_types().topics[topic])

"""How near the facts of a case are to a question: by what it was understood to mean, and by words that they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import fsum, log
from typing import NamedTuple

from .case import Case, CaseFact
from .fact_types import fact_types
from .matches import Match
from .matching import ideas
from .matching.text import bounded
from .stems import content

_FLOOR = 0.02
_WORD = 2.5
_IDEA = 1.0
_SEGMENT = 5.0
_COMMON = 2.0
_MEANING = 1.0
_DISTINCT = 0.8


class Near(NamedTuple):
    """A fact and how near it is to a question.

    Attributes:
        fact: The fact.
        score: Higher is nearer; comparable within one question.
        shared: What its words and those of the question have in common: about one for each word that few facts hold.
    """

    fact: CaseFact
    score: float
    shared: float


def nearest(case: Case, question: str, match: Match) -> list[Near]:
    """Return the facts of a case, the nearest to a question first."""
    text = bounded(question)
    words, meant = content(text), ideas(text)
    by_type = dict(match.types)
    whole = sum(by_type.get(name, 0.0) for name in {fact.type for fact in case.facts}) or 1.0
    held = [words_of(fact) for fact in case.facts]
    hints = [ideas(fact.sentence) for fact in case.facts]
    rare_words, rare_ideas = _rarity(words, held), _rarity(meant, hints)
    found = []
    for fact, own, hint in zip(case.facts, held, hints, strict=True):
        shared = fsum(rare_words[each] for each in words & own)
        alike = fsum(rare_ideas[each] for each in meant & hint)
        score = log(by_type.get(fact.type, 0.0) / whole + _FLOOR) + _WORD * shared + _IDEA * alike
        score += _MEANING * len(words & meaning_of(fact.type))
        score += sum(_COMMON if each in meaning_of(fact.type) else _SEGMENT for each in words & _segment(fact))
        found.append(Near(fact, score, shared))
    return sorted(found, key=lambda each: -each.score)


def topics_of(near: Iterable[Near]) -> list[str]:
    """Return the topics of facts, each once, in order."""
    return list(dict.fromkeys(each.fact.topic for each in near))


def outdone(best: Near, near: Sequence[Near]) -> bool:
    """Whether a fact shares nothing with the question, while one of another type shares a word that few others have."""
    return best.shared <= 0 and telling(each for each in near if each.fact.type != best.fact.type)


def telling(near: Iterable[Near]) -> bool:
    """Whether a fact shares a word with the question that few others have."""
    return any(each.shared >= _DISTINCT for each in near)


def words_of(fact: CaseFact) -> frozenset[str]:
    """Return the stems of what a fact tells and is about."""
    return _words(fact.sentence) | _segment(fact)


def _segment(fact: CaseFact) -> frozenset[str]:
    return _words((fact.segment or "").replace("_", " "))


@lru_cache(maxsize=20_000)
def _words(text: str) -> frozenset[str]:
    return content(text)


@lru_cache(maxsize=128)
def meaning_of(fact_type: str) -> frozenset[str]:
    """Return the stems of what a type of fact tells."""
    return content(fact_types().types[fact_type].means)


def _rarity(wanted: Iterable[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """Return for each word how rare it is among facts: about one where a single fact holds it, 0 where all do."""
    count = Counter(word for own in held for word in own)
    most = log(len(held) + 1)
    return {word: log((len(held) + 1) / (count[word] + 0.5)) / most for word in wanted if most}

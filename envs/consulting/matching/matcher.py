"""From the scores of a question to what the interviewer does with it.

A fact is released on a question's own words only where the model is sure and nothing in the wording speaks against it;
in doubt the interviewer offers topics, which costs the candidate nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..fact_types import fact_types
from ..matches import NONSENSE, Match
from .cues import Cues, cues, spoken
from .lexicon import INSTRUCTION, PURPOSELESS
from .model import Model, Scored, model
from .text import bounded

SURE = 0.75
LEAD = 0.5
DOUBT = 0.1
NOTHING = 0.85
_HINT = 0.1
_PART_SURE = 0.5
_MENU_SIZE = 3
_MOST_CLAUSES = 20
_MOST_UNKNOWN_SHARE = 0.34
_SHORT_WORDS = 4
_BLOCKING = ("opinion", "solution", "definition", "procedure", "passing")
_SENTENCE = re.compile(r"[.!:;]")
_CLAUSE = re.compile(
    r"[,;:.?!()]|\s-\s|\b(?:and|plus|also|as well as|along with|together with|besides)\b", re.IGNORECASE
)


class Ranked(NamedTuple):
    """Types of a question.

    Attributes:
        types: Types and probabilities, best first.
        other: Probability that no type is asked for.
        purposeless: Probability that everything is.
        aside: The likeliest kind of what asks for no fact, "" where a type is likelier.
    """

    types: tuple[tuple[str, float], ...]
    other: float
    purposeless: float
    aside: str


class QuestionMatcher:
    """Understands questions with a model and cues."""

    def __init__(self, scores: Model, signs: Cues) -> None:
        self._scores = scores
        self._cues = signs
        self._topic_of = fact_types().topic_of
        self._types = frozenset(fact_types().types)

    def match(self, question: str) -> Match:
        """Return what a question asks for, and how certain that is."""
        question = bounded(question)
        said = spoken(question)
        if not said.strip():
            return Match("none")
        scored = self._scores.score(question)
        ranked = self._ranked(scored)
        aside = NONSENSE if scored.words.unknown == len(scored.words.surface) else ranked.aside
        return self._decided(question, said, scored, ranked)._replace(aside=aside)

    def _decided(self, question: str, said: str, scored: Scored, ranked: Ranked) -> Match:
        ordered = self._cues.found(said, "instruction")
        if ordered and not ("?" in question and scored.likely.get(INSTRUCTION, 0.0) < DOUBT):
            return Match("none", ranked.types)
        blocked = ordered or self._blocked(question, said)
        wants_all = self._cues.found(said, "purposeless")
        if ranked.purposeless >= SURE or (wants_all and ranked.purposeless >= _HINT and ranked.types[0][1] < SURE):
            return Match("purposeless", ranked.types)
        if ranked.other >= NOTHING and (blocked or not scored.words.ideas):
            return Match("none" if blocked else "menu", ranked.types)
        topics = self._topics(ranked)
        if blocked or wants_all or _strange(scored):
            return Match("menu", ranked.types, topics)
        several = self._several(question)
        if len(several) > 1:
            return self._for_several(several, ranked)
        sure = ranked.types[0][1] >= SURE and ranked.types[0][1] - ranked.types[1][1] >= LEAD and ranked.other <= DOUBT
        return Match("release" if sure else "menu", ranked.types, topics)

    def _ranked(self, scored: Scored) -> Ranked:
        types = sorted(
            ((t, p) for t, p in scored.likely.items() if t in self._types), key=lambda each: (-each[1], each[0])
        )
        purposeless = scored.likely.get(PURPOSELESS, 0.0)
        first = max(scored.likely, key=scored.likely.__getitem__)
        return Ranked(
            tuple((t, round(p, 6)) for t, p in types),
            1 - sum(p for _, p in types) - purposeless,
            purposeless,
            "" if first in self._types else first,
        )

    def _blocked(self, question: str, said: str) -> bool:
        if any(self._cues.found(said, kind) for kind in _BLOCKING):
            return True
        return not self._asks(question, said) and len(said.split()) > _SHORT_WORDS

    def _asks(self, question: str, said: str) -> bool:
        if "?" in question or self._cues.found(said, "asks"):
            return True
        return any(self._cues.starts(spoken(sentence), "opens") for sentence in _SENTENCE.split(question))

    def _topics(self, ranked: Ranked) -> tuple[str, ...]:
        """Return the three most likely topics, each as likely as its types together."""
        likely: dict[str, float] = {}
        for name, probability in ranked.types:
            topic = self._topic_of(name)
            likely[topic] = likely.get(topic, 0.0) + probability
        return tuple(sorted(likely, key=lambda topic: (-likely[topic], topic))[:_MENU_SIZE])

    def _several(self, question: str) -> list[tuple[str, float]]:
        """Return the types that the clauses of a question ask for one by one, in order."""
        found: dict[str, float] = {}
        for clause in _CLAUSE.split(question)[:_MOST_CLAUSES]:
            said = spoken(clause)
            if not said.strip() or self._cues.starts(said, "leads"):
                continue
            name, probability = self._ranked(self._scores.score(clause)).types[0]
            if probability >= _PART_SURE:
                found.setdefault(name, probability)
        return list(found.items())

    def _for_several(self, several: list[tuple[str, float]], ranked: Ranked) -> Match:
        """Return the types of the clauses: sure where the first is so, and is among the likeliest of the whole too."""
        asked = (self._topic_of(name) for name, _ in several)
        topics = tuple(dict.fromkeys((*asked, *self._topics(ranked))))[:_MENU_SIZE]
        name, probability = several[0]
        whole = {each for each, likely in ranked.types[: len(several)] if likely >= _HINT}
        sure = probability >= SURE and name in whole
        return Match("several" if sure else "menu", tuple(several), topics, parts=len(several))


def _strange(scored: Scored) -> bool:
    return scored.words.unknown > _MOST_UNKNOWN_SHARE * len(scored.words.surface)


@lru_cache(maxsize=1)
def matcher() -> QuestionMatcher:
    """Return the matcher with the packaged lexicon; made once a process.

    Raises:
        DataError: A file breaks its schema.
    """
    return QuestionMatcher(model(), cues())


@lru_cache(maxsize=20_000)
def ideas(text: str) -> frozenset[str]:
    """Return the ideas in a text, by which words of one meaning meet; read to 600 characters.

    Raises:
        DataError: A packaged file breaks its schema.
    """
    return model().ideas(text)


def match(question: str) -> Match:
    """Return what a question asks for: one fact for certain, several, one of some topics, everything, or nothing.

    Args:
        question: What the candidate says; read to 600 characters.

    Raises:
        DataError: A packaged file breaks its schema.
    """
    return matcher().match(question)

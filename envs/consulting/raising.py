"""Which topic a question brings up by the candidate's own words: what credit for topics rests on.

A question brings up the topic that it is surely understood to mean, or the topic of the fact that is nearest to it,
where that is clear from its type or their words meet in more than what the public list of topics says; once a menu has
named the topic, they have to meet. So does a question that leads to a menu, once that topic is chosen; a choice
of another topic brings up nothing, then or later.
"""

from __future__ import annotations

from collections.abc import Sequence

from .fact_types import fact_types
from .matches import NONSENSE, Match
from .matching.wording import beyond_list, is_bare, topics_named
from .nearness import Near, words_of
from .state import Progress

NO_QUESTION = ("chat", "instruction", NONSENSE)
"""What words are that ask for nothing, as `Match.aside` has it."""
_CLEAR = 0.5
"""How likely a type has to be."""


def raises(topic: str, question: str, match: Match, near: Sequence[Near], progress: Progress) -> bool:
    """Whether a question brings up a topic by its own words.

    Args:
        topic: The topic.
        question: In the candidate's words.
        match: How it was understood.
        near: Facts by nearness to it.
        progress: The state before it.
    """
    if is_bare(question, topic) or topic in progress.chosen:
        return False
    if topic == likely_topic(question, match, near, progress):
        return True
    if topic in progress.offered:
        return topic == sure_topic(match) and _shares(topic, question, near)
    return topic == sure_topic(match) or topic in topics_named(question)


def likely_topic(question: str, match: Match, near: Sequence[Near], progress: Progress) -> str:
    """Return the topic that a single question, if it is one, is most likely about by its own words; "" for none.

    Args:
        question: In the candidate's words.
        match: How it was understood.
        near: Facts by nearness to it.
        progress: The state before it; a topic that a menu has named takes more, and one that was chosen is none.
    """
    if not near or match.kind not in ("menu", "release") or match.parts > 1 or match.aside in NO_QUESTION:
        return ""
    first = near[0].fact
    clear = first.topic not in progress.offered and dict(match.types).get(first.type, 0.0) >= _CLEAR
    own = _shares(first.topic, question, near) or (clear and bool(beyond_list(question)))
    return first.topic if own and not is_bare(question) and first.topic not in progress.chosen else ""


def sure_topic(match: Match) -> str | None:
    """Return the topic that a question is sure to mean, None where nothing is sure."""
    if match.kind not in ("release", "several") or not match.types:
        return None
    return fact_types().topic_of(match.types[0][0])


def raised_at(progress: Progress, turn: int, topic: str, own: bool) -> int | None:
    """Return the step whose question brought a topic up for the first time, None where none does now.

    Args:
        progress: The state before the answer, with the menu that waited.
        turn: The step of the answer.
        topic: What it is about.
        own: Whether the question that is answered brings the topic up.
    """
    if topic in progress.raised:
        return None
    if topic in progress.menu and topic == progress.likely:
        return progress.asked[-1].turn
    return turn if own else None


def _shares(topic: str, question: str, near: Sequence[Near]) -> bool:
    """Whether a question and the nearest fact of a topic share a word that the public list of topics lacks."""
    fact = next((each.fact for each in near if each.fact.topic == topic), None)
    return fact is not None and not beyond_list(question).isdisjoint(words_of(fact))

"""The scripted interviewer: one fact a turn, prerequisites first, and a question back where it is not sure.

Every answer is a function of the case, the state and the question. No answer holds anything of the solution: the only
texts of a case that it can speak are the sentences of facts and the tables of exhibits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .case import Case, CaseFact
from .fact_types import fact_types
from .matches import Match, Matcher
from .state import Answered, Asked, Progress
from .stems import content, stems

_MENU_SIZE = 3
_LAST_PART = 4
NOTHING = "We have nothing on that."
MORE_NOTED = "I have noted the rest; one thing at a time."
PURPOSE = "What would you use it for? Tell me what you want to find out, and ask for that."
ONE_THING = "I cannot hand over everything. Ask for one thing, and say what you want to learn from it."
TIME_IS_UP = "We are out of time: I need your recommendation now."


class Answer(NamedTuple):
    """What the interviewer says, and the state behind it."""

    text: str
    progress: Progress


class _Heard(NamedTuple):
    """A question as it is understood: where in the state it falls, and what it is taken to mean."""

    turn: int
    question: str
    match: Match
    own_words: bool


def ask(case: Case, progress: Progress, turn: int, question: str, topic: str | None, match: Matcher) -> Answer:
    """Answer a question.

    Args:
        case: The case.
        progress: The state before.
        turn: Step of the episode.
        question: In the candidate's words.
        topic: A topic of the public list, or None.
        match: How free text is understood.
    """
    found = match(question)
    chosen = topic or _choice_of(progress, question)
    if chosen is not None:
        own = chosen not in progress.offered and own_words_on(chosen, question, found)
        heard = _Heard(turn, f"{progress.unclear} {question}", found, own)
        return _on_topic(case, settled(progress), heard, chosen)
    if found.kind == "purposeless":
        again = any(each.answered == "purpose" for each in progress.asked)
        if not again:
            return Answer(PURPOSE, noted(progress, Asked(turn, "purpose")))
        return Answer(ONE_THING, noted(settled(progress), Asked(turn, "nothing")))
    if found.kind == "menu" and found.topics:
        return _menu(progress, turn, question, found.topics[:_MENU_SIZE])
    if found.kind in ("release", "several") and found.types:
        own = _first_topic(found) not in progress.offered
        return _on_type(case, settled(progress), _Heard(turn, question, found, own))
    return Answer(NOTHING, noted(settled(progress), Asked(turn, "nothing")))


def time_note(case: Case, progress: Progress) -> str:
    """Return what the interviewer says of time: how many turns are left; towards the end, to conclude."""
    left = case.turns - progress.turns
    if left <= 0:
        return TIME_IS_UP
    soon = "; come to a recommendation" if left <= case.turns // _LAST_PART else ""
    return f"({left} of {case.turns} turns left{soon}.)"


def _on_topic(case: Case, progress: Progress, heard: _Heard, topic: str) -> Answer:
    """Release the fact of a topic that fits the question best, among those that are not known."""
    facts = [fact for fact in case.facts if fact.topic == topic]
    fresh = [fact for fact in facts if fact.fact_id not in progress.known and not _near(fact, heard.question)]
    if not fresh:
        known = [fact for fact in facts if fact.fact_id in progress.known]
        if known:
            best = max(known, key=lambda fact: _fit(fact, heard))
            return _say(case, progress, heard, best, "repeated")
        return Answer(NOTHING, noted(progress, Asked(heard.turn, "nothing", topic, "", _first(progress, heard, topic))))
    ready = [fact for fact in fresh if not _missing(fact, progress)]
    best = max(fresh, key=lambda fact: _fit(fact, heard))
    if ready and _missing(best, progress) and _fit(best, heard) == max(_fit(fact, heard) for fact in ready):
        best = max(ready, key=lambda fact: _fit(fact, heard))
    return _give(case, progress, heard, best)


def _on_type(case: Case, progress: Progress, heard: _Heard) -> Answer:
    """Release the fact of the type that the question is sure to mean."""
    wanted = heard.match.types[0][0]
    facts = [fact for fact in case.facts if fact.type == wanted and not _near(fact, heard.question)]
    topic = fact_types().topic_of(wanted)
    if not facts:
        told = any(fact_id.partition(":")[0] == wanted for fact_id in case.given)
        answered: Answered = "told" if told else "nothing"
        text = "That stands in the description of the case." if told else NOTHING
        return Answer(text, noted(progress, Asked(heard.turn, answered, topic, "", _first(progress, heard, topic))))
    fresh = [fact for fact in facts if fact.fact_id not in progress.known]
    if not fresh:
        return _say(case, progress, heard, max(facts, key=lambda fact: _fit(fact, heard)), "repeated")
    best = max(facts, key=lambda fact: _fit(fact, heard))
    if best not in fresh and _fit(best, heard) > max(_fit(fact, heard) for fact in fresh):
        return _say(case, progress, heard, best, "repeated")
    return _give(case, progress, heard, max(fresh, key=lambda fact: _fit(fact, heard)))


def _give(case: Case, progress: Progress, heard: _Heard, fact: CaseFact) -> Answer:
    missing = _missing(fact, progress)
    if not missing:
        return _say(case, progress, heard, fact, "released")
    first = topic_text(case.by_id[missing[0]].topic)
    asked = Asked(heard.turn, "refused", fact.topic, fact.fact_id, _first(progress, heard, fact.topic))
    text = f"We will come to that. First I would want to hear what you ask about another topic: {first}."
    return Answer(text, noted(progress, asked))


def _say(case: Case, progress: Progress, heard: _Heard, fact: CaseFact, answered: Answered) -> Answer:
    own = _first(progress, heard, fact.topic)
    progress = noted(progress, Asked(heard.turn, answered, fact.topic, fact.fact_id, own))
    text = fact.sentence if answered == "released" else f"As I said: {fact.sentence}"
    if fact.exhibit is not None and fact.exhibit not in progress.named:
        progress = progress.with_(named=(*progress.named, fact.exhibit))
        text += exhibit_note(fact.exhibit)
    if heard.match.kind == "several":
        text += f" {MORE_NOTED}"
    return Answer(text, progress)


def _menu(progress: Progress, turn: int, question: str, topics: Sequence[str]) -> Answer:
    shown = "; ".join(topic_text(topic) for topic in topics)
    offered = (*progress.offered, *(topic for topic in topics if topic not in (*progress.offered, *progress.raised)))
    progress = progress.with_(offered=offered, menu=tuple(topics), unclear=question)
    return Answer(f"Which of these do you mean? {shown}.", noted(progress, Asked(turn, "menu")))


def exhibit_note(name: str) -> str:
    """Return the words by which an exhibit is named."""
    return f" There is an exhibit on this, `{name}`."


def topic_text(topic: str) -> str:
    """Return a topic and what it covers, for people."""
    covers = fact_types().topics[topic]
    return f"`{topic}` ({covers[0].lower()}{covers[1:]})"


def _first(progress: Progress, heard: _Heard, topic: str) -> bool:
    return heard.own_words and topic not in progress.raised


def own_words_on(topic: str, question: str, match: Match) -> bool:
    """Whether the words of a question bring up a topic: they name it, or are surely understood so."""
    return topic in _topics_named(question) or _first_topic(match) == topic


def noted(progress: Progress, asked: Asked) -> Progress:
    """Return the state with one more question."""
    return progress.with_(asked=(*progress.asked, asked))


def settled(progress: Progress) -> Progress:
    """Return the state without the menu that waited for a choice."""
    return progress.with_(menu=(), unclear="")


def _missing(fact: CaseFact, progress: Progress) -> list[str]:
    return [each for each in fact.prerequisites if each not in progress.known]


def _near(fact: CaseFact, question: str) -> bool:
    """Whether a question holds one of the phrases that come close to a fact, its words in any form and in a row."""
    said = f" {' '.join(stems(question))} "
    return any(f" {' '.join(stems(phrase))} " in said for phrase in fact.near_triggers)


def _choice_of(progress: Progress, question: str) -> str | None:
    """Return the topic of a waiting menu that a question names, None for none or several."""
    named = [topic for topic in progress.menu if topic in _topics_named(question)]
    return named[0] if len(named) == 1 else None


def _topics_named(question: str) -> list[str]:
    """Return the topics whose names a question holds."""
    there = set(stems(question))
    return [topic for topic in fact_types().topics if set(stems(topic.replace("_", " "))) <= there]


def _first_topic(match: Match) -> str | None:
    if match.kind not in ("release", "several") or not match.types:
        return None
    return fact_types().topic_of(match.types[0][0])


def _fit(fact: CaseFact, heard: _Heard) -> float:
    """Return how well a fact fits a question: by words of its segment, of its type and sentence, and by its score."""
    there = content(heard.question)
    segment = content((fact.segment or "").replace("_", " "))
    means = content(fact_types().types[fact.type].means)
    by_type = dict(heard.match.types)
    return (
        10.0 * len(segment & there)
        + len(means & there)
        + len(content(fact.sentence) & there)
        + by_type.get(fact.type, 0.0)
    )

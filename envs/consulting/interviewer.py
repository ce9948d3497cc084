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
from .matching.wording import chosen, is_bare, told, topics_named
from .nearness import Near, meaning_of, nearest, outdone, telling, topics_of
from .raising import NO_QUESTION, likely_topic, raised_at, raises, sure_topic
from .state import Answered, Asked, Progress
from .stems import content, stems

_MENU_SIZE = 3
_LAST_PART = 4
_MOST_VAGUE = 2
_LIKELY = 0.05
_AGAIN = 2.0
_NEXT_TO = 2.0
NOTHING = "We have nothing on that."
MORE_NOTED = "I have noted the rest; one thing at a time."
PURPOSE = "What would you use it for? Tell me what you want to find out, and ask for that."
ONE_THING = "I cannot hand over everything. Ask for one thing, and say what you want to learn from it."
EXACTLY = "What exactly do you want to know? Put it as a question about one thing."
TOLD = "That stands in the description of the case."
TIME_IS_UP = "We are out of time: I need your recommendation now."


class Answer(NamedTuple):
    """What the interviewer says, and the state behind it."""

    text: str
    progress: Progress


class _Heard(NamedTuple):
    """A question as it is understood: where in the state it falls, how near facts are to it, what it is taken to mean.

    Facts that the question comes close to by a phrase, and does not mean, are left out of `near`. `raised` is the step
    whose question brings the topic of the answer up, None where none does.
    """

    turn: int
    match: Match
    near: list[Near]
    raised: int | None = None


def ask(case: Case, progress: Progress, turn: int, question: str, topic: str | None, match: Matcher) -> Answer:
    """Answer a question.

    A menu that waits is answered by one of its topics; any other question is a new one, and the menu lapses.

    Args:
        case: The case.
        progress: The state before.
        turn: Step of the episode.
        question: In the candidate's words.
        topic: A topic of the public list, or None.
        match: How free text is understood.
    """
    about = topic or chosen(progress.menu, question)
    waiting, progress = progress, settled(progress)
    if about is not None:
        unclear = waiting.unclear if about in waiting.menu and (topic is None or is_bare(question)) else ""
        found = match(unclear or question)
        heard = _Heard(turn, found, _near(case, f"{unclear} {question}", found))
        if not unclear and _asks_nothing(question, about, heard):
            return _ask_back(progress, turn)
        own = not unclear and raises(about, question, found, heard.near, waiting)
        raised = raised_at(waiting, turn, about, own)
        return _on_topic(case, settled_by(waiting, about, raised), heard._replace(raised=raised), about)
    if is_bare(question):
        return _ask_back(progress, turn)
    found = match(question)
    if found.kind == "purposeless":
        again = any(each.answered == "purpose" for each in progress.asked)
        asked = Asked(turn, "nothing" if again else "purpose")
        return Answer(ONE_THING if again else PURPOSE, noted(progress, asked))
    heard = _Heard(turn, found, _near(case, question, found))
    sure = sure_topic(found)
    if sure is not None:
        own = raises(sure, question, found, heard.near, waiting)
        return _on_type(case, progress, question, heard._replace(raised=raised_at(waiting, turn, sure, own)))
    if found.kind == "menu" and (found.topics or telling(heard.near)):
        return _menu(progress, question, heard)
    return Answer(NOTHING, noted(progress, Asked(turn, "nothing")))


def time_note(case: Case, progress: Progress) -> str:
    """Return what the interviewer says of time: how many turns are left; towards the end, to conclude."""
    left = case.turns - progress.turns
    if left <= 0:
        return TIME_IS_UP
    soon = "; come to a recommendation" if left <= case.turns // _LAST_PART else ""
    return f"({left} of {case.turns} turns left{soon}.)"


def _on_topic(case: Case, progress: Progress, heard: _Heard, topic: str) -> Answer:
    """Release the fact of a topic that is nearest to the question, among those that are not known."""
    there = [each for each in heard.near if each.fact.topic == topic]
    fresh = [each for each in there if each.fact.fact_id not in progress.known]
    if not there:
        return Answer(NOTHING, noted(progress, _about(progress, heard, "nothing", topic)))
    if not fresh or _asked_again(there[0], fresh[0]):
        return _say(progress, heard, there[0].fact, "repeated")
    return _give(case, progress, heard, _ready(fresh, progress))


def _ready(fresh: Sequence[Near], progress: Progress) -> CaseFact:
    """Return the nearest fact; where it has to wait, one just as near, or the one of its type that it waits for."""
    best = fresh[0]
    missing = _missing(best.fact, progress)
    for each in fresh if missing else ():
        before = each.fact.type == best.fact.type and each.fact.fact_id in missing
        if not _missing(each.fact, progress) and each.score >= best.score - (_NEXT_TO if before else 0):
            return each.fact
    return best.fact


def _asked_again(known: Near, fresh: Near) -> bool:
    """Whether a question is clearly about the nearest fact, which may be known, and about none of its kind."""
    return known.fact.type != fresh.fact.type and known.score > fresh.score + _AGAIN


def _on_type(case: Case, progress: Progress, question: str, heard: _Heard) -> Answer:
    """Release the fact of the type that the question is sure to mean; offer topics where the case speaks against it."""
    wanted = heard.match.types[0][0]
    topic = fact_types().topic_of(wanted)
    own = [each for each in heard.near if each.fact.type == wanted]
    if not own and not telling(heard.near) and any(name.partition(":")[0] == wanted for name in case.given):
        return Answer(TOLD, noted(progress, _about(progress, heard, "told", topic)))
    if not own or outdone(own[0], heard.near):
        return _menu(progress, question, heard)
    fresh = [each for each in own if each.fact.fact_id not in progress.known]
    if not fresh or own[0].score > fresh[0].score:
        return _say(progress, heard, own[0].fact, "repeated")
    return _give(case, progress, heard, _ready(fresh, progress))


def _give(case: Case, progress: Progress, heard: _Heard, fact: CaseFact) -> Answer:
    missing = _missing(fact, progress)
    if not missing:
        return _say(progress, heard, fact, "released")
    first = topic_text(case.by_id[missing[0]].topic)
    asked = _about(progress, heard, "refused", fact.topic, fact.fact_id)
    text = f"We will come to that. First I would want to hear what you ask about another topic: {first}."
    return Answer(text, noted(progress, asked))


def _say(progress: Progress, heard: _Heard, fact: CaseFact, answered: Answered) -> Answer:
    progress = noted(progress, _about(progress, heard, answered, fact.topic, fact.fact_id))
    text = fact.sentence if answered == "released" else f"As I said: {fact.sentence}"
    if fact.exhibit is not None and fact.exhibit not in progress.named:
        progress = progress.with_(named=(*progress.named, fact.exhibit))
        text += exhibit_note(fact.exhibit)
    if heard.match.kind == "several":
        text += f" {MORE_NOTED}"
    return Answer(text, progress)


def _menu(progress: Progress, question: str, heard: _Heard) -> Answer:
    """Offer the topics of the nearest facts; nothing where there are none."""
    topics = topics_of(heard.near)[:_MENU_SIZE]
    if not topics:
        return Answer(NOTHING, noted(progress, Asked(heard.turn, "nothing")))
    likely = likely_topic(question, heard.match, heard.near, progress)
    shown = "; ".join(topic_text(topic) for topic in topics)
    offered = (*progress.offered, *(topic for topic in topics if topic not in (*progress.offered, *progress.raised)))
    progress = progress.with_(offered=offered, menu=tuple(topics), unclear=question, likely=likely)
    return Answer(f"Which of these do you mean? {shown}.", noted(progress, Asked(heard.turn, "menu")))


def _ask_back(progress: Progress, turn: int) -> Answer:
    """Ask what exactly is wanted; from the third time on that takes a turn."""
    free = sum(each.answered == "vague" for each in progress.asked) < _MOST_VAGUE
    return Answer(EXACTLY, noted(progress, Asked(turn, "vague" if free else "nothing")))


def _asks_nothing(question: str, topic: str, heard: _Heard) -> bool:
    """Whether words with a topic's name beside them are no question on that topic, so that no fact can be meant."""
    found = heard.match
    if is_bare(question, topic) or found.aside in NO_QUESTION:
        return True
    if any(each.shared > 0 for each in heard.near if each.fact.topic == topic):
        return False
    types = [name for name, each in fact_types().types.items() if each.topic == topic]
    meant = told(question) & frozenset[str]().union(*map(meaning_of, types))
    if found.kind == "purposeless":
        return meant <= content(topic.replace("_", " "))
    if meant or topic in topics_named(question):
        return False
    return not found.topics or sum(score for name, score in found.types if name in types) < _LIKELY


def exhibit_note(name: str) -> str:
    """Return the words by which an exhibit is named."""
    return f" There is an exhibit on this, `{name}`."


def topic_text(topic: str) -> str:
    """Return a topic and what it covers, for people."""
    covers = fact_types().topics[topic]
    return f"`{topic}` ({covers[0].lower()}{covers[1:]})"


def _about(progress: Progress, heard: _Heard, answered: Answered, topic: str, fact_id: str = "") -> Asked:
    return Asked(heard.turn, answered, topic, fact_id, heard.raised, topic in progress.offered)


def noted(progress: Progress, asked: Asked) -> Progress:
    """Return the state with one more question."""
    return progress.with_(asked=(*progress.asked, asked))


def settled(progress: Progress) -> Progress:
    """Return the state without the menu that waited for a choice."""
    return progress.with_(menu=(), unclear="", likely="")


def settled_by(progress: Progress, topic: str, raised: int | None) -> Progress:
    """Return the state after a topic was taken, of the menu that waited or not; a choice that raises none is kept."""
    taken = topic in progress.menu and raised is None and topic not in (*progress.raised, *progress.chosen)
    return settled(progress).with_(chosen=(*progress.chosen, topic)) if taken else settled(progress)


def _missing(fact: CaseFact, progress: Progress) -> list[str]:
    return [each for each in fact.prerequisites if each not in progress.known]


def _near(case: Case, question: str, match: Match) -> list[Near]:
    """Return the facts by nearness, but for those that a phrase of the question only comes close to."""
    said = f" {' '.join(stems(question))} "
    return [each for each in nearest(case, question, match) if not _comes_close(each.fact, said)]


def _comes_close(fact: CaseFact, said: str) -> bool:
    """Whether a question holds one of the phrases that come close to a fact, its words in any form and in a row."""
    return any(f" {' '.join(stems(phrase))} " in said for phrase in fact.near_triggers)

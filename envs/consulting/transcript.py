"""An interview as a reader follows it: who said what, what each answer told, and how far the issue tree was covered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .case import Case, CaseFact
from .play import EXHIBIT, Interview
from .points import Point
from .state import Asked, Coverage, Progress


class Exchange(NamedTuple):
    """One call of the candidate, and what the interviewer said to it.

    Attributes:
        step: Step of the episode.
        name: The tool.
        arguments: As they stand in the record.
        said: What the interviewer said.
        asked: What became of a question, None for another call or one that came too late.
        menu: Topics that the answer offers.
        exhibit: Name of the exhibit that the answer shows, "" for none.
        turns: Interviewer turns used so far.
    """

    step: int
    name: str
    arguments: Mapping[str, Any]
    said: str
    asked: Asked | None
    menu: tuple[str, ...]
    exhibit: str
    turns: int

    @property
    def released(self) -> str:
        """Id of the fact that the answer told for the first time, "" for none."""
        return self.asked.fact_id if self.asked is not None and self.asked.answered == "released" else ""


class Branch(NamedTuple):
    """A required topic and how the interview covered it.

    Attributes:
        topic: One of the solution's.
        coverage: How it came up.
        step: When it did, None where it did not.
        told: Ids of its facts that were told, noise left out.
        untold: Those that were not.
    """

    topic: str
    coverage: Coverage
    step: int | None
    told: tuple[str, ...]
    untold: tuple[str, ...]


def exchanges(interview: Interview, calls: Iterable[tuple[int, str, Mapping[str, Any]]]) -> Iterator[Exchange]:
    """Play calls, each with its step, in an interview that has just begun, and yield what they came to.

    Args:
        interview: The interview; it is closed, or broken off, once all is yielded.
        calls: (step, name, arguments).
    """
    for step, name, arguments in calls:
        before = interview.progress
        if before.closed:
            return
        said = interview.play(step, name, arguments)
        after = interview.progress
        asked = after.asked[-1] if len(after.asked) > len(before.asked) else None
        menu = after.menu if asked is not None and asked.answered == "menu" else ()
        yield Exchange(step, name, arguments, said, asked, menu, _shown(interview.case, name, arguments), after.turns)


def coverage(case: Case, progress: Progress) -> list[Branch]:
    """Return the required topics in the order of the solution, each with how the interview covered it."""
    return [_branch(case, topic, progress) for topic in case.solution.topics]


def described(interview: Interview, told: Sequence[Exchange], points: Sequence[Point]) -> dict[str, Any]:
    """Return an interview as JSON values, for the page of its episode.

    `{turns, used, ending, exchanges, tree, missed, points}`: interviewer turns there were and were used; the exchanges
    with the fact that each told; the branches of the issue tree; essential facts that were never told; the points.
    """
    case = interview.case
    ending = "recommendation" if interview.recommendation else "out of time" if interview.ran_out else "broken off"
    known = set(interview.progress.known)
    return {
        "turns": case.turns,
        "used": interview.progress.turns,
        "ending": ending,
        "exchanges": [_exchange_json(case, each) for each in told],
        "tree": [each._asdict() for each in coverage(case, interview.progress)],
        "missed": [_fact_json(fact) for fact in case.facts if fact.essential and fact.fact_id not in known],
        "points": [each._asdict() for each in points],
    }


def _shown(case: Case, name: str, arguments: Mapping[str, Any]) -> str:
    wanted = arguments["name"] if name == EXHIBIT else ""
    return wanted if wanted in case.by_name else ""


def _branch(case: Case, topic: str, progress: Progress) -> Branch:
    facts = [fact.fact_id for fact in case.facts if fact.topic == topic and not fact.noise]
    known = tuple(fact_id for fact_id in facts if fact_id in progress.known)
    untold = tuple(fact_id for fact_id in facts if fact_id not in progress.known)
    return Branch(topic, *progress.came_up(topic), known, untold)


def _exchange_json(case: Case, each: Exchange) -> dict[str, Any]:
    asked = each.asked
    fact = case.by_id.get(asked.fact_id) if asked is not None and asked.fact_id else None
    return {
        "step": each.step,
        "name": each.name,
        "arguments": dict(each.arguments),
        "said": each.said,
        "answered": "" if asked is None else asked.answered,
        "topic": "" if asked is None else asked.topic,
        "raised": None if asked is None else asked.raised,
        "fact": None if fact is None else _fact_json(fact),
        "menu": list(each.menu),
        "exhibit": each.exhibit,
        "turns": each.turns,
    }


def _fact_json(fact: CaseFact) -> dict[str, str]:
    weight = "essential" if fact.essential else "noise" if fact.noise else "useful"
    return {"id": fact.fact_id, "type": fact.type, "topic": fact.topic, "weight": weight}

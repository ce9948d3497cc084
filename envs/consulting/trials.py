"""Gates on play: what candidates score on a case that is to be shipped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .candidate import Call, interviewed
from .case import Case
from .play import Interview
from .scoring import outcome_of, points_of
from .tasks import POINTS
from .traps import hoarder_calls, talker_calls

CANDIDATE_LEAST = 9.5
TALKER_MOST = 4.0
HOARDER_MOST = 6.0


def score(case: Case, calls: Iterable[Call]) -> float:
    """Return what a list of calls scores, 0 to 10."""
    interview = Interview(case)
    for turn, (name, arguments) in enumerate(calls, 1):
        if not interview.progress.closed:
            interview.play(turn, name, arguments)
    return outcome_of(interview, None).metrics["overall_mean"]


def candidate(case: Case) -> Iterator[str]:
    """The candidate has full marks, and less than 9.5 without any one of the essential facts."""
    interview = interviewed(case)
    found = outcome_of(interview, None).metrics["overall_mean"]
    if found < POINTS:
        lost = [f"{point.name} ({point.observed})" for point in points_of(interview) if point.earned < point.possible]
        yield f"the candidate scores {found:.2f}: {'; '.join(lost)}"
    for fact in case.facts:
        if fact.essential:
            less = outcome_of(interviewed(case, fact.fact_id), None).metrics["overall_mean"]
            if less >= CANDIDATE_LEAST:
                yield f"the candidate scores {less:.2f} without the essential {fact.fact_id}"


def traps(case: Case) -> Iterator[str]:
    """The talker scores 4 at most, whatever it decides, the hoarder 6."""
    for option in case.options:
        talked = score(case, talker_calls(case, option))
        if talked > TALKER_MOST:
            yield f"the talker scores {talked:.2f} with {option}"
    hoarded = score(case, hoarder_calls(case))
    if hoarded > HOARDER_MOST:
        yield f"the hoarder scores {hoarded:.2f}"

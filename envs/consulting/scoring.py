"""The verifiable score of an interview: four dimensions of 0 to 10, every point with the step that earned it.

structure (10)       6 x share of the required topics that the candidate's own words raised first (`raising.py`); 2 x
                     share of questions that were neither refused for want of another fact nor asked twice; 2 x share of
                     questions that released a fact which is no noise
quantitative (10)    10 x share of the numbers asked for that are within 2 % and have the right unit; less 2 for each
                     number without a source
business_sense (10)  decision 4; root cause as the first reason, its fact known, nowhere denied, and no red herring
                     named as a cause 2; constraint named, known, kept and nowhere set aside 2; a risk and a next step
                     that rest on a revealed fact, 1 each, where a number is right or one of the two before counts
communication (10)   the headline says the decision 3; length 3; no repeats 2; closed within the turns 2

Causes, constraint, risk and next step have to be put in the candidate's own words: what repeats a sentence of the
interviewer or of the case counts for none of them. For the least length, words count that the case has use for, in own
sentences that rest on a revealed fact or say the decision, the root cause or the constraint.

Their mean is `overall_mean`, the reward. A recommendation that decides wrongly and cites no revealed fact scores 0, and
so does an interview without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..core.actions import parse_action
from ..core.counterpart import CounterpartSetting
from ..core.errors import RecordError
from ..core.outcome import Check, Outcome
from ..core.tasks import Anchors
from ..core.trajectory import Trajectory
from .argued import Argument
from .case import Case
from .drivers import ReplayDriver
from .play import Interview, live
from .points import DIMENSIONS, POSSIBLE, Point
from .reckoned import quantitative
from .state import FREE
from .tasks import ConsultingTask, all_tasks
from .transcript import described, exchanges

COMPONENTS = ("overall",)
CHECK_KIND = "points"
"""One class for all: a rate by dimension would be that of full marks, beside the dimension's own mean."""
UNITS: dict[str, str] = {}
"""Unit of each metric that has one; those here are points."""
REFERENCE_PLAYER = "oracle"
"""The player without a model whose calls are about as many as an interview takes: an estimate of cost rests on it."""
History = Iterable[tuple[str, Mapping[str, Any]]]


def task_of(env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> ConsultingTask:
    """Return the task of a recorded episode.

    Args:
        env_kwargs: Of the environment; no task depends on them.
        task_id: Id of the task.
        seed: Of the episode; no task depends on it.

    Raises:
        SettingError: There is no such task.
    """
    return all_tasks().get(task_id)


def outcome(task: ConsultingTask, history: History) -> Outcome:
    """Score a history; one without a recommendation scores 0.

    Args:
        task: The task.
        history: The executed calls, in order, as (name, arguments); each counts as a step of its own.
    """
    return outcome_of(played(task.case, ((k, *call) for k, call in enumerate(history, 1))), task.anchors)


def outcome_of_record(trajectory: Trajectory) -> Outcome:
    """Score a record by playing its calls again.

    Raises:
        SettingError: Its task is not there.
    """
    task = task_of(trajectory.env_kwargs, trajectory.task_id, trajectory.seed)
    return outcome_of(played(task.case, _calls_of(trajectory), _replies_of(trajectory)), task.anchors)


def played(
    case: Case, calls: Iterable[tuple[int, str, Mapping[str, Any]]], replies: Sequence[Any] | None = None
) -> Interview:
    """Play calls, each with its step, until the interview is closed.

    Args:
        case: The case.
        calls: (step, name, arguments).
        replies: What an interviewer that was no script said; None for the script.
    """
    interview = Interview(case, None if replies is None else live(ReplayDriver(replies)))
    for turn, name, arguments in calls:
        if interview.progress.closed:
            break
        interview.play(turn, name, arguments)
    return interview


def interview_of_record(trajectory: Trajectory) -> dict[str, Any]:
    """Return what the page of an episode shows of its interview, see `transcript.described`.

    Raises:
        SettingError: Its task is not there.
        RecordError: Played again, the interviewer says something else.
    """
    case = task_of(trajectory.env_kwargs, trajectory.task_id, trajectory.seed).case
    interview = played(case, (), _replies_of(trajectory))
    found = list(exchanges(interview, _calls_of(trajectory)))
    heard = [result.content for step in trajectory.steps for result in step.results if result.ok]
    if [each.said for each in found] != heard:
        raise RecordError(f"{trajectory.task_id}: played again, the interviewer says something else")
    return described(interview, found, points_of(interview))


def _calls_of(trajectory: Trajectory) -> Iterator[tuple[int, str, Mapping[str, Any]]]:
    for turn, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            continue
        for call, result in zip(parse_action(step.turn.action, turn), step.results, strict=True):
            if result.ok:
                yield turn, call.name, call.arguments


def _replies_of(trajectory: Trajectory) -> list[Any] | None:
    if CounterpartSetting.of(trajectory.env_kwargs.get("counterpart")).driver == "scripted":
        return None
    return [turn for step in trajectory.steps if step.counterpart for turn in step.counterpart["turns"]]


def outcome_of(interview: Interview, anchors: Anchors | None) -> Outcome:
    """Score an interview, closed or broken off."""
    points = points_of(interview)
    by_dimension = dict.fromkeys(DIMENSIONS, 0.0)
    for point in points:
        by_dimension[point.dimension] += point.earned
    scores = {name: round(min(10.0, max(0.0, score)), 6) for name, score in by_dimension.items()}
    if interview.recommendation is None or is_baseless(interview):
        scores = dict.fromkeys(DIMENSIONS, 0.0)
    overall = sum(scores.values()) / len(scores)
    metrics = {**scores, "overall_mean": overall}
    normalized = None if anchors is None else anchors.normalized(overall)
    if normalized is not None:
        metrics["normalized"] = normalized
    return Outcome({"overall": overall}, metrics, tuple(_check(point) for point in points))


def is_baseless(interview: Interview) -> bool:
    """Whether a recommendation decides wrongly and cites no fact that was revealed."""
    given = interview.recommendation
    return given is not None and Argument(interview, given).is_baseless()


def points_of(interview: Interview) -> list[Point]:
    """Return every point of an interview, earned or not."""
    found = list(_structure(interview))
    given = interview.recommendation
    if given is None:
        return found
    turn = interview.submitted_turn
    argument, numbers = Argument(interview, given), list(quantitative(interview, given))
    said = [*numbers, *argument.business_sense(numbers), *argument.communication()]
    return [*found, *(point if point.turn else point._replace(turn=turn) for point in said)]


def series(task: ConsultingTask, history: History) -> list[dict[str, Any]]:
    """Return the panels that a report plots: an interview has none."""
    return []


def _check(point: Point) -> Check:
    passed = point.earned >= point.possible
    observed = f"{point.earned:g} of {point.possible:g}: {point.observed}"
    return Check(f"{point.dimension}.{point.name}", CHECK_KIND, passed, point.expected, observed, point.turn)


def _structure(interview: Interview) -> Iterator[Point]:
    progress, required = interview.progress, interview.case.solution.topics
    for topic in required:
        seen, turn = progress.came_up(topic)
        possible = POSSIBLE["branches"] / len(required)
        earned = possible if topic in progress.raised else 0.0
        yield Point("structure", f"branch.{topic}", earned, possible, topic, seen, turn)
    counted = [each for each in progress.asked if each.answered not in FREE]
    n = max(1, len(counted))
    wasted = [each for each in counted if each.answered in ("refused", "repeated")]
    noise = {fact.fact_id for fact in interview.case.facts if fact.noise}
    useful = [each for each in counted if each.answered == "released" and each.fact_id not in noise]
    orderly = (len(counted) - len(wasted)) / n
    yield Point(
        "structure",
        "order",
        POSSIBLE["order"] * orderly,
        POSSIBLE["order"],
        "no question too early or twice",
        f"{len(wasted)} of {len(counted)}",
        wasted[0].turn if wasted else None,
    )
    yield Point(
        "structure",
        "purpose",
        POSSIBLE["purpose"] * len(useful) / n,
        POSSIBLE["purpose"],
        "questions that release facts with a bearing",
        f"{len(useful)} of {len(counted)}",
    )

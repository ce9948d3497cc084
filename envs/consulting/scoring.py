"""The verifiable score of an interview: four dimensions of 0 to 10, every point with the step that earned it.

structure (10)       6 x share of the required topics first raised in the candidate's own words; 2 x share of questions
                     that were neither refused for want of another fact nor asked twice; 2 x share of questions that
                     released a fact which is no noise
quantitative (10)    10 x share of the numbers asked for that are within 2 % and have the right unit; less 2 for each
                     number without a source
business_sense (10)  decision 4; root cause as the first reason, its fact known, and no red herring named as a cause 2;
                     constraint named, known and kept 2; a risk and a next step that rest on a revealed fact, 1 each
communication (10)   the headline says the decision 3; length 3; no repeats 2; closed within the turns 2

Their mean is `overall_mean`, the reward. A recommendation that decides wrongly and cites no revealed fact scores 0, and
so does an interview without one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ..core.actions import parse_action
from ..core.counterpart import CounterpartSetting
from ..core.outcome import Check, Outcome
from ..core.tasks import Anchors
from ..core.trajectory import Trajectory
from .case import Case, CaseFact, KeyNumber
from .drivers import ReplayDriver
from .play import Interview, live, node_named, unit_reader
from .points import DIMENSIONS, POSSIBLE, Point
from .quantities import claims, finite
from .recommendation import Recommendation, StatedNumber, asserts, names, rests_on, says, texts_alike
from .state import FREE
from .stems import content
from .tasks import ConsultingTask, all_tasks
from .units import unit_of

COMPONENTS = ("overall",)
CHECK_KIND = "points"
"""One class for all: a rate by dimension would be that of full marks, beside the dimension's own mean."""
UNITS: dict[str, str] = {}
"""Unit of each metric that has one; those here are points."""
TOLERANCE = 0.02
UNSUPPORTED_PENALTY = 2.0
WORDS = (25, 320)
"""A recommendation has at least so many different words that carry meaning, and at most so many words in all."""
_SMALL = 12
_TIME_WORDS = frozenset(("day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years"))
_YEARS = range(1990, 2100)
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
    given, case = interview.recommendation, interview.case
    if given is None or given.decision == case.solution.decision:
        return False
    return not any(rests_on(text, _revealed(interview), case) for text in given.texts)


def points_of(interview: Interview) -> list[Point]:
    """Return every point of an interview, earned or not."""
    found = list(_structure(interview))
    given = interview.recommendation
    if given is None:
        return found
    turn = interview.submitted_turn
    for lines in (_quantitative, _business_sense, _communication):
        found += [point if point.turn else point._replace(turn=turn) for point in lines(interview, given)]
    return found


def series(task: ConsultingTask, history: History) -> list[dict[str, Any]]:
    """Return the panels that a report plots: an interview has none."""
    return []


def _check(point: Point) -> Check:
    passed = point.earned >= point.possible
    observed = f"{point.earned:g} of {point.possible:g}: {point.observed}"
    return Check(f"{point.dimension}.{point.name}", CHECK_KIND, passed, point.expected, observed, point.turn)


def _revealed(interview: Interview) -> list[CaseFact]:
    return [interview.case.by_id[fact_id] for fact_id in interview.progress.known]


def _structure(interview: Interview) -> Iterator[Point]:
    progress, required = interview.progress, interview.case.solution.topics
    for topic in required:
        turn = progress.raised.get(topic)
        seen = "not raised" if turn is None else "raised"
        earned = 0.0 if turn is None else POSSIBLE["branches"] / len(required)
        yield Point("structure", f"branch.{topic}", earned, POSSIBLE["branches"] / len(required), topic, seen, turn)
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


def _quantitative(interview: Interview, given: Recommendation) -> Iterator[Point]:
    case = interview.case
    wanted = case.solution.key_numbers
    possible = POSSIBLE["numbers"] / len(wanted)
    for number in wanted:
        stated = next((each for each in given.key_numbers if node_named(case, each.metric) == number.metric), None)
        right = stated is not None and _is_right(case, stated, number)
        seen = "not stated" if stated is None else f"{stated.value:g} {stated.unit}"
        expected = f"{number.value:g} {case.unit_text(number.unit)}"
        yield Point("quantitative", f"number.{number.metric}", possible * right, possible, expected, seen)
    for k, text in enumerate(_unsupported(interview, given), 1):
        yield Point("quantitative", f"unsupported.{k}", -UNSUPPORTED_PENALTY, 0.0, "a source for each number", text)


def _is_right(case: Case, stated: StatedNumber, number: KeyNumber) -> bool:
    read, unit = unit_reader(case).read(stated.unit), unit_of(number.unit)
    if read is None or read[0] != unit.dimension or not finite(stated.value * read[1]):
        return False
    return abs(stated.value * read[1] - number.base_value) <= TOLERANCE * abs(number.base_value)


def _unsupported(interview: Interview, given: Recommendation) -> list[str]:
    """Return the numbers of a recommendation that have no source, each once."""
    case, sources = interview.case, interview.sources()
    reader, found = unit_reader(case), dict[str, None]()
    wanted = {number.metric: number for number in case.solution.key_numbers}
    for stated in given.key_numbers:
        number = wanted.get(node_named(case, stated.metric) or "")
        read = reader.read(stated.unit)
        value = stated.value * (1.0 if read is None else read[1])
        held = finite(value) and read is not None and sources.hold_value(value, read[0])
        if not held and not (number is not None and _is_right(case, stated, number)):
            found[f"{stated.value:g} {stated.unit}"] = None
    for text in given.texts:
        for claim in claims(text, case.currency):
            plain = claim.kind == "other"
            plan = claim.behind in _TIME_WORDS and text in given.next_steps
            small = plain and (abs(claim.value) <= _SMALL or claim.value in _YEARS) and claim.value == int(claim.value)
            if not (plan or small or sources.hold(claim)):
                found[claim.text] = None
    return list(found)


def _business_sense(interview: Interview, given: Recommendation) -> Iterator[Point]:
    case, progress, solution = interview.case, interview.progress, interview.case.solution
    known = {*progress.known, *case.given}
    when = {each.fact_id: each.turn for each in progress.asked if each.answered == "released"}
    right = given.decision == solution.decision
    yield Point("business_sense", "decision", 4.0 * right, 4.0, solution.decision, given.decision[:80])
    root = next(cause for cause in case.causes if cause.role == "root")
    herrings = [cause for cause in case.causes if cause.role == "red_herring"]
    named = [cause.cause_id for cause in herrings if any(asserts(cause.words, text) for text in given.counted)]
    found = bool(given.counted) and names(root.words, given.counted[0])
    earned = 2.0 * (found and root.fact in known and not named)
    seen = f"names {', '.join(named)}" if named else "named" if found else "not named"
    seen += "" if root.fact in known else ", not shown by a fact"
    yield Point("business_sense", "root_cause", earned, 2.0, root.cause_id, seen, when.get(root.fact))
    constraint = solution.constraint
    said = any(names(constraint.words, text) for text in given.texts)
    kept = given.decision in case.options and given.decision not in constraint.barred
    earned = 2.0 * (said and kept and constraint.fact in known)
    seen = f"{'named' if said else 'not named'}, {'kept' if kept else 'not kept'}"
    yield Point("business_sense", "constraint", earned, 2.0, constraint.text, seen, when.get(constraint.fact))
    for name, texts in (("risk", given.risks), ("next_step", given.next_steps)):
        tied = [fact for fact in (rests_on(text, _revealed(interview), case) for text in texts) if fact]
        seen = f"rests on {tied[0]}" if tied else "rests on no fact that was revealed"
        turn = when.get(tied[0]) if tied else None
        yield Point("business_sense", name, 1.0 * bool(tied), 1.0, "rests on a revealed fact", seen, turn)


def _communication(interview: Interview, given: Recommendation) -> Iterator[Point]:
    first = says(interview.case, given.decision, given.headline)
    yield Point(
        "communication", "answer_first", 3.0 * first, 3.0, "the headline says the decision", given.headline[:80]
    )
    distinct = len(content(" ".join(given.texts)))
    total = sum(len(text.split()) for text in given.texts)
    fits = WORDS[0] <= distinct and total <= WORDS[1]
    expected = f"{WORDS[0]} different words or more, {WORDS[1]} in all or fewer"
    yield Point("communication", "length", 3.0 * fits, 3.0, expected, f"{distinct} different, {total} in all")
    again = texts_alike(given.texts)
    yield Point(
        "communication", "no_repeats", 2.0 * (not again and bool(given.texts)), 2.0, "no repeats", again or "none"
    )
    yield Point("communication", "closed", 2.0, 2.0, "closed within the turns", "closed")

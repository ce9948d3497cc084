"""The score of an answer: 1 or 0 by the tolerances of the item (`paper`), and beside it by `strict`.

A recorded episode is scored from its record alone: of a program the result stands in it, and nothing is run again.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from ..core.actions import parse_action
from ..core.errors import RecordError
from ..core.outcome import Check, Outcome
from ..core.tasks import Anchors
from ..core.trajectory import Trajectory
from .answers import AnswerSpec, Verdict
from .difficulty import BANDS
from .grading import Profile, grade, label_share
from .grading.spoken import without_fence
from .items import CAPABILITIES, Item
from .tasks import QATask, shipped_tasks

__all__ = [
    "BANDS",
    "CAPABILITIES",
    "AnswerSpec",
    "Item",
    "Profile",
    "Verdict",
    "given_in",
    "grade",
    "label_share",
    "outcome",
    "outcome_of_record",
    "task_of",
]

COMPONENTS = ("correct",)
ANSWER = "answer"
_LONGEST_WORDED = 60
UNITS: dict[str, str] = {}
"""Unit of each metric that has one; those here have none."""
RATES = frozenset({"reward", "normalized", "correct_paper", "correct_strict"})
"""Metrics that are 0 or 1."""
History = Iterable[tuple[str, Mapping[str, Any]]]


class Given(NamedTuple):
    """An answer as it was given.

    Attributes:
        reply: What is graded: the answer itself, or what its code came to.
        turn: The turn in which it was given, None where that is not known.
        fault: Why the code came to nothing, "" where it came to something.
        report: What the sandbox says of the code, as JSON text; "" where none was run.
    """

    reply: str
    turn: int | None = None
    fault: str = ""
    report: str = ""


def task_of(env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> QATask:
    """Return the task of a recorded episode.

    Args:
        env_kwargs: Of the environment; no task depends on them.
        task_id: Id of the task.
        seed: Of the episode; no task depends on it.

    Raises:
        SettingError: There is no such task.
        DataError: It is of a public set that has not been imported.
    """
    return shipped_tasks().get(task_id)


def outcome(task: QATask, history: History) -> Outcome:
    """Score a history; one without an answer scores 0. An answer that is code is run in the sandbox.

    Args:
        task: The task.
        history: The executed calls, in order, as (name, arguments).
    """
    for name, arguments in history:
        if name == ANSWER:
            return outcome_of(task.item, given_by(task.item, arguments["value"], None), task.anchors)
    return outcome_of(task.item, None, task.anchors)


def outcome_of_record(trajectory: Trajectory) -> Outcome:
    """Score a record by what stands in it.

    Raises:
        RecordError: Its task is not there, or the result of its answer is none.
    """
    task = task_of(trajectory.env_kwargs, trajectory.task_id, trajectory.seed)
    return outcome_of(task.item, given_in(task.item, trajectory), task.anchors)


def given_in(item: Item, trajectory: Trajectory) -> Given | None:
    """Return the answer of a record, None where it has none.

    Raises:
        RecordError: The result of an answer that is code is none.
    """
    for turn, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            continue
        for call, result in zip(parse_action(step.turn.action, turn), step.results, strict=True):
            if call.name == ANSWER and result.ok:
                value = call.arguments["value"]
                return Given(text_of(value), turn) if not _is_code(item, value) else _ran(result.content, turn)
    return None


def given_by(item: Item, value: str | int | float, turn: int | None) -> Given:
    """Return an answer that has just been given; code is run in the sandbox, without thinking and a Markdown fence.

    Raises:
        ToolRefused: The code cannot be run here.
    """
    if not _is_code(item, value):
        return Given(text_of(value), turn)
    from .execution import executed  # of all answers only code needs the sandbox

    return _ran(executed(without_fence(str(value))), turn)


def outcome_of(item: Item, given: Given | None, anchors: Anchors | None) -> Outcome:
    """Score an answer, None where there was none."""
    paper, strict = (_verdict(item, given, profile) for profile in ("paper", "strict"))
    score = float(bool(paper.correct))
    metrics = {"correct_paper": score, "correct_strict": float(bool(strict.correct))}
    normalized = None if anchors is None else anchors.normalized(score)
    if normalized is not None:
        metrics["normalized"] = normalized
    check = Check(
        id=ANSWER,
        kind="goal",
        passed=bool(paper.correct),
        expected=gold_text(item.answer),
        observed=f"{_shown(paper)}: {paper.reason}",
        turn=None if given is None else given.turn,
    )
    return Outcome({"correct": score}, metrics, (check,))


def series(task: QATask, history: History) -> list[dict[str, Any]]:
    """Return the panels that a report plots: a question has none."""
    return []


def gold_text(spec: AnswerSpec) -> str:
    """Return the gold with its scale and unit, for people."""
    value = ", ".join(spec.value) if isinstance(spec.value, list) else str(spec.value)
    scale = "" if spec.scale == 1 else f" x {spec.scale:,}"
    return f"{value}{scale}{'' if spec.unit is None else f' {spec.unit}'}"


def text_of(value: str | int | float) -> str:
    """Return an answer as the text that is graded."""
    return value if isinstance(value, str) else repr(value)


def _verdict(item: Item, given: Given | None, profile: Profile) -> Verdict:
    if given is None:
        return Verdict(False, None, "no answer was given")
    if given.fault:
        return Verdict(False, None, given.fault)
    return grade(given.reply, item.answer, profile)


def _shown(verdict: Verdict) -> str:
    value = verdict.value
    return "nothing" if value is None else value if isinstance(value, str) else ", ".join(value)


def _is_code(item: Item, value: str | int | float) -> bool:
    """Whether an answer is code to be run: a line that is no Python is an answer in words, such as `146.2 %`."""
    if item.answer.kind != "program" or not isinstance(value, str):
        return False
    text = without_fence(value).strip()
    if "\n" in text or len(text) > _LONGEST_WORDED:
        return True
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _ran(content: str, turn: int | None) -> Given:
    try:
        found = json.loads(content)
        fault = "" if found["status"] == "ok" else f"{found['status']}: {found['error']}"
        return Given(str(found["value"]), turn, fault, content)
    except (ValueError, TypeError, KeyError):
        raise RecordError(f"results: that of the answer in turn {turn} does not say what its code came to") from None

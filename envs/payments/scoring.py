"""The score of an episode, from its event log alone: every check held, and the agent has finished.

A recorded episode is scored by playing its calls again in a fresh one; what a customer that is no script said comes
from the record.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..core.actions import parse_action
from ..core.counterpart import CounterpartSetting
from ..core.errors import RecordError, ToolRefused
from ..core.outcome import Check, Outcome
from ..core.text import echo
from ..core.tools import ArgumentsRefused, UnknownTool
from ..core.trajectory import Trajectory
from .checks.spec import Verdict, judge
from .content import Content, Setting, packaged
from .course import course, panels
from .documents.desk import Library
from .episode import Episode
from .modules.catalog import TOOLS
from .records import KINDS
from .surface import SURFACE, PaymentTools
from .tasks import GOALS, PaymentTask
from .user.drivers import ReplayDriver
from .user.scripted import ScriptedDriver

COMPONENTS = ("strict",)
CLASSES = ("goal", "process", "protection")
FINISH_CHECK = "G0"
_ACTS = ("call_tool", "message_user", "wait", "finish")
UNITS: dict[str, str] = {}
"""Unit of each metric that has one; those here have none."""
RATES = frozenset({"reward", "normalized", "strict", *CLASSES})
"""Metrics that are 0 or 1."""

REFERENCE_PLAYER = "oracle"
"""The player without a model whose calls are about as many as an episode takes: an estimate of cost rests on it."""

History = Iterable[tuple[str, Mapping[str, Any]]]


class Played(NamedTuple):
    """A call that was executed.

    Attributes:
        turn: The turn in which it was made.
        name: The tool.
        arguments: As JSON values.
        ok: Whether it was done; a call that was refused has left its mark in the log all the same.
    """

    turn: int
    name: str
    arguments: Mapping[str, Any]
    ok: bool


def task_of(env_kwargs: Mapping[str, Any], task_id: str, seed: int, content: Content | None = None) -> PaymentTask:
    """Return the task of a recorded episode.

    Args:
        env_kwargs: Of the environment; no task depends on them.
        task_id: Id of the task.
        seed: Of the episode; no task depends on it.
        content: Where the task stands, None for what comes with BizGym.
    """
    return (content or packaged()).tasks.get(task_id)


def outcome(task: PaymentTask, history: History, content: Content | None = None) -> Outcome:
    """Score a history whose customer was the script; one without `finish` scores 0.

    Args:
        task: The task.
        history: The executed calls, in order, as (name, arguments); each is a turn.
        content: Where the task stands, None for what comes with BizGym.

    Raises:
        RecordError: A call of the history cannot be executed.
    """
    setting = (content or packaged()).setting(task)
    return outcome_of(task, setting, played(task, setting, _each_a_turn(history)))


def outcome_of_record(trajectory: Trajectory, content: Content | None = None) -> Outcome:
    """Score a record: turn by turn, with what a customer that was no script said in it.

    Args:
        trajectory: The record.
        content: Where its task stands, None for what comes with BizGym.

    Raises:
        RecordError: A call of the record cannot be executed.
    """
    return outcome_of(*_replayed(trajectory, content))


def _replayed(trajectory: Trajectory, content: Content | None) -> tuple[PaymentTask, Setting, Episode]:
    found = content or packaged()
    task = found.tasks.get(trajectory.task_id)
    setting = found.setting(task)
    return task, setting, played(task, setting, _calls_of(trajectory), _replies_of(trajectory))


def _each_a_turn(history: History) -> Iterator[Played]:
    for turn, (name, arguments) in enumerate(history, 1):
        yield Played(turn, name, arguments, True)


def _calls_of(trajectory: Trajectory) -> Iterator[Played]:
    for turn, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            continue
        for call, result in zip(parse_action(step.turn.action, turn), step.results, strict=True):
            if not call.error and result.code != "not_executed":
                yield Played(turn, call.name, call.arguments, result.ok)


def _replies_of(trajectory: Trajectory) -> list[Any] | None:
    if CounterpartSetting.of(trajectory.env_kwargs.get("counterpart")).driver == "scripted":
        return None
    return [turn for step in trajectory.steps if step.counterpart for turn in step.counterpart["turns"]]


def played(
    task: PaymentTask, setting: Setting, calls: Iterable[Played], replies: Sequence[Any] | None = None
) -> Episode:
    """Play calls in a fresh episode; what reads documents or the catalogue is left out.

    Args:
        task: The task.
        setting: What it is played in.
        calls: In order.
        replies: The recorded turns of a customer that was no script.

    Raises:
        RecordError: A call that was done is refused.
    """
    player = _Player(task, setting, ScriptedDriver() if replies is None else ReplayDriver(replies))
    for call in calls:
        try:
            player.play(call.name, call.arguments)
        except (ArgumentsRefused, ToolRefused, UnknownTool) as refused:
            if call.ok:
                place = f"turn {call.turn}, {echo(call.name, 80)}"
                raise RecordError(f"{place}: refused when it is played again: {refused}") from None
        player.episode.note_turn(call.turn)
    return player.episode


class _Player(PaymentTools):
    """Plays calls without an environment around them."""

    def __init__(self, task: PaymentTask, setting: Setting, driver: ScriptedDriver | ReplayDriver) -> None:
        self._episode = Episode(task, setting, driver)
        self._library: Library = setting.library("none")

    @property
    def episode(self) -> Episode:
        return self._episode

    def play(self, name: str, arguments: Mapping[str, Any]) -> None:
        if name in _ACTS:
            getattr(self, name)(**SURFACE[name].validate(dict(arguments)))
        elif name in TOOLS:
            self._episode.call(name, arguments)


def outcome_of(task: PaymentTask, setting: Setting, episode: Episode) -> Outcome:
    """Return the verdict on an episode."""
    verdicts = judge(task.checks, setting.base, episode.engine.log, setting.rules, KINDS)
    checks = (_finished(episode), *(_check(each, episode.turns) for each in verdicts))
    strict = float(all(each.passed for each in checks))
    found = {"strict": strict}
    for kind in CLASSES:
        found[kind] = float(all(each.passed for each in checks if each.kind == kind))
    normalized = None if task.anchors is None else task.anchors.normalized(strict)
    if normalized is not None:
        found["normalized"] = normalized
    return Outcome({"strict": strict}, found, checks)


def _finished(episode: Episode) -> Check:
    seen = "finished" if episode.finished else "not finished"
    return Check(FINISH_CHECK, GOALS, episode.finished, "the agent ends the episode with finish", seen)


def _check(verdict: Verdict, turns: Sequence[int]) -> Check:
    spec, event = verdict.spec, None if verdict.at_the_end else verdict.event
    turn = turns[event.seq] if event is not None and event.seq < len(turns) else None
    return Check(spec.id, spec.kind, verdict.passed, spec.text, verdict.blame or "held", turn)


def series(task: PaymentTask, history: History, content: Content | None = None) -> list[dict[str, Any]]:
    """Return what a report plots of a history, as `course.panels` describes it; the customer is the script."""
    setting = (content or packaged()).setting(task)
    return panels(task, setting, played(task, setting, _each_a_turn(history)).engine.log)


def course_of_record(trajectory: Trajectory, content: Content | None = None) -> dict[str, Any]:
    """Return what an episode's page shows: `{panels, events, decided}`, as `course.course` describes them.

    Args:
        trajectory: The record.
        content: Where its task stands, None for what comes with BizGym.

    Raises:
        RecordError: A call of the record cannot be executed.
    """
    return course(*_replayed(trajectory, content))


def reads(name: str, arguments: Mapping[str, Any]) -> bool:
    """Whether a call only reads: of the surface's tools, or of a business tool, called by itself or by `call_tool`."""
    inner = arguments.get("name") if name == "call_tool" else name
    found = SURFACE.get(name) if name in SURFACE and name != "call_tool" else TOOLS.get(str(inner))
    return found is not None and found.effect == "read"

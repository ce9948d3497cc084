"""The scoring module of a registered environment, found beside its class: `….env:Name` scores in `….scoring`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Protocol

import gymnasium as gym

from .. import envs
from ..envs.core.actions import parse_action
from ..envs.core.errors import RecordError
from ..envs.core.outcome import Outcome
from ..envs.core.trajectory import Trajectory

gym.register_envs(envs)
History = Sequence[tuple[str, Mapping[str, Any]]]


class Scoring(Protocol):
    """What every benchmark's `scoring` module offers."""

    def task_of(self, env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> Any:
        """Return the task of a recorded episode."""

    def outcome(self, task: Any, history: History) -> Outcome:
        """Score a history; an unfinished one counts as finished badly."""

    def series(self, task: Any, history: History) -> list[dict[str, Any]]:
        """Return the panels that a report plots: `{title, unit, x_label, x, lines: {name: values}}`.

        Instead of `lines` a panel may have `bars`, a Gantt chart as `gantt.Gantt` describes it.
        """

    # Some offer more: `RATES`, names of metrics that are 0 or 1; `REFERENCE_PLAYER`, the option of a player whose calls
    # are about as many as an episode takes; `outcome_of_record(trajectory)`, where the counterpart
    # may be a model; `reads(name, arguments)`, which calls only read; `course_of_record(trajectory)` and
    # `interview_of_record(trajectory)`, what the page of an episode shows beside its steps.


def own_envs() -> list[str]:
    """Return the ids of BizGym's environments, in the order of their registration."""
    return [env_id for env_id in gym.registry if env_id.startswith("bizgym/")]


def scoring_of(env_id: str) -> Scoring:
    """Return the scoring module of an environment.

    Raises:
        RecordError: No such environment is registered here, or it cannot be scored.
    """
    try:
        entry_point = gym.spec(env_id).entry_point
    except gym.error.Error as error:
        raise RecordError(f"env_id: {error}") from None
    if not isinstance(entry_point, str):
        raise RecordError(f"env_id: {env_id} is registered without an importable entry point, so it cannot be scored")
    module = entry_point.partition(":")[0].rpartition(".")[0]
    try:
        scoring: Any = import_module(f"{module}.scoring")
    except ImportError as error:
        raise RecordError(f"env_id: {env_id} has no scoring module beside its class ({error})") from None
    return scoring  # type: ignore[no-any-return]


def history_of(trajectory: Trajectory) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the executed calls of a record, in order, as (name, arguments)."""
    executed: list[tuple[str, Mapping[str, Any]]] = []
    for number, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            continue
        calls = parse_action(step.turn.action, number)
        executed += [(call.name, call.arguments) for call, result in zip(calls, step.results, strict=True) if result.ok]
    return executed


def task_of(env_id: str, env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> Any:
    """Return the task of a recorded episode.

    Raises:
        RecordError: Its environment is not installed here, or its settings do not hold.
    """
    scoring = scoring_of(env_id)
    try:
        return scoring.task_of(env_kwargs, task_id, seed)
    except Exception as error:  # a record may hold any settings, or name a file that is gone
        raise RecordError(f"{env_id}: the recorded settings do not hold ({type(error).__name__}: {error})") from error


def rescore(trajectory: Trajectory) -> Outcome:
    """Score a record anew from its executed calls alone."""
    scoring = scoring_of(trajectory.env_id)
    own = getattr(scoring, "outcome_of_record", None)  # of a benchmark whose counterpart may be a model
    if own is not None:
        return own(trajectory)  # type: ignore[no-any-return]
    task = task_of(trajectory.env_id, trajectory.env_kwargs, trajectory.task_id, trajectory.seed)
    return scoring.outcome(task, history_of(trajectory))


def replies_of(trajectory: Trajectory) -> list[Any]:
    """Return the turns of a counterpart that was no script, in order, as its benchmark records them."""
    return [turn for step in trajectory.steps if step.counterpart for turn in step.counterpart["turns"]]


def reads_of(env_id: str) -> Callable[[str, Mapping[str, Any]], bool]:
    """Return which calls of an environment only read, given as name and arguments; none where it does not say."""
    try:
        found: Callable[[str, Mapping[str, Any]], bool] = getattr(scoring_of(env_id), "reads", _never)
    except RecordError:  # an environment from elsewhere that is not installed here
        return _never
    return found


def rates_of(env_id: str) -> frozenset[str]:
    """Return the numbers of an environment that are 0 or 1 in every episode, so that their mean is a rate."""
    try:
        found: frozenset[str] = getattr(scoring_of(env_id), "RATES", frozenset())
    except RecordError:  # an environment from elsewhere that is not installed here
        return frozenset()
    return found


def _never(name: str, arguments: Mapping[str, Any]) -> bool:
    return False


def course_of(trajectory: Trajectory) -> dict[str, Any]:
    """Return what an episode's page shows beside its steps, empty where its benchmark shows nothing.

    `{panels, events, decided}`: the panels of `Scoring.series`; the events that changed something, each as
    `{turn, event, minute, actor, name, code, changes}` with `changes` as [what, before, after]; and by id of a check
    the `{event, minute}` that broke it.

    Raises:
        RecordError: The record cannot be played again.
    """
    return _of_record("course_of_record", trajectory)


def interview_of(trajectory: Trajectory) -> dict[str, Any]:
    """Return what an episode's page shows of its interview, empty where its benchmark holds none.

    `{turns, used, ending, exchanges, tree, missed, points}`, as `scoring.interview_of_record` of the benchmark says.

    Raises:
        RecordError: The record cannot be played again.
    """
    return _of_record("interview_of_record", trajectory)


def _of_record(name: str, trajectory: Trajectory) -> dict[str, Any]:
    own = getattr(scoring_of(trajectory.env_id), name, None)
    if own is None:
        return {}
    try:
        return own(trajectory)  # type: ignore[no-any-return]
    except RecordError:
        raise
    except Exception as error:  # a record may hold anything, such as a task that does not exist
        raise RecordError(f"{trajectory.env_id}: cannot be played again ({type(error).__name__}: {error})") from error

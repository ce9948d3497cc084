"""The development slice of routing: every method on the same practice tasks, and what its scores say by trait."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from statistics import median
from typing import Any

import numpy as np

from ..envs.core.trajectory import Trajectory
from .base import Agent, AgentTurn, Feedback, RunContext, TaskCard
from .practice import Practice
from .team import Team
from .traits import TRAITS, Traits, traits_of

FIRST_TRIAL = 1_000
"""Number of the repetition that development plays: its seeds are not those on which a method itself practises."""
_SHUFFLE = 0x5F1E
_MOST_VALUES = 8


@dataclass(frozen=True, slots=True)
class Trace:
    """One episode of development.

    Attributes:
        method: Who played it.
        task_id: What was played.
        traits: What could be seen of the task beforehand.
        trajectory: What may be seen of the episode: a record without checks.
        score: From 0 to 1.
    """

    method: str
    task_id: str
    traits: Traits
    trajectory: Trajectory
    score: float


def develop(run: RunContext, team: Team, practice_env: dict[str, Any] | None, n_dev: int) -> list[Trace]:
    """Let every method play the development slice; return the traces, method by method.

    A method that learns is told after an episode what the run tells. The slice is taken from the end of the practice
    tasks: a method that practises itself begins at their other end, and is judged here on tasks that it does not know
    where there are enough.

    Raises:
        ProviderError: The provider failed.
        AgentStop: The run's budget is spent.
        SettingError: There is no task to practise on, or a method cannot be built.
    """
    practice = Practice(run, practice_env)
    try:
        tasks = practice.task_ids[-n_dev:]
        team.begin_run(practice.context())
        feedback = str(run.settings.get("feedback", "none"))
        return [_trace(practice, team, name, task_id, feedback) for name in team for task_id in tasks]
    finally:
        practice.close()


def shuffled(traces: Sequence[Trace], seed: int) -> list[Trace]:
    """Return the traces with their scores dealt out anew: what routing learns from them then means nothing."""
    order = np.random.default_rng([seed, _SHUFFLE]).permutation(len(traces))
    return [replace(trace, score=traces[int(k)].score) for trace, k in zip(traces, order, strict=True)]


def means(traces: Sequence[Trace]) -> dict[str, float]:
    """Return the mean score by method, in the order of the methods."""
    scores: dict[str, list[float]] = {}
    for trace in traces:
        scores.setdefault(trace.method, []).append(trace.score)
    return {method: fsum(found) / len(found) for method, found in scores.items()}


def best_of(mean_scores: Mapping[str, float]) -> str:
    """Return the method with the best mean, the first of equals."""
    return max(mean_scores, key=lambda method: mean_scores[method])


def varying_traits(traces: Sequence[Trace]) -> list[str]:
    """Return the traits that are not the same for all tasks: no other can tell where a method is better."""
    return [name for name in TRAITS if len({trace.traits.get(name) for trace in traces}) > 1]


def means_by_trait(traces: Sequence[Trace]) -> list[str]:
    """Return a line for each value that a trait takes: how many tasks, and the mean score of each method there.

    A number with many values is cut at its median.
    """
    lines: list[str] = []
    for name in varying_traits(traces):
        for label, part in _parts(name, traces):
            tasks = len({trace.task_id for trace in part})
            scores = ", ".join(f"{method} {mean:.2f}" for method, mean in means(part).items())
            lines.append(f"- {label} ({tasks} {'task' if tasks == 1 else 'tasks'}): {scores}")
    return lines


def note_line(note: Mapping[str, Any], varying: Sequence[str]) -> str:
    """Return what was noted of a trace as a line of JSON, its traits without those that all tasks share."""
    traits = {name: value for name, value in note["traits"].items() if name in varying}
    return json.dumps({**note, "traits": traits}, ensure_ascii=False)


def _parts(name: str, traces: Sequence[Trace]) -> list[tuple[str, list[Trace]]]:
    having = [trace for trace in traces if name in trace.traits]
    values = list(dict.fromkeys(trace.traits[name] for trace in having))
    if len(values) > _MOST_VALUES and TRAITS[name].startswith("number"):
        cut = median(float(trace.traits[name]) for trace in having)
        low = [trace for trace in having if float(trace.traits[name]) <= cut]
        high = [trace for trace in having if float(trace.traits[name]) > cut]
        return [(f"{name} at most {cut:g}", low), *([(f"{name} above {cut:g}", high)] if high else [])]
    return [
        (f"{name} = {_shown(value)}", [trace for trace in having if trace.traits[name] == value])
        for value in sorted(values, key=str)
    ]


def _shown(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _trace(practice: Practice, team: Team, method: str, task_id: str, feedback: str) -> Trace:
    watched = _Watched(team, method)
    played = practice.play(watched, task_id, FIRST_TRIAL, feedback)
    return Trace(method, task_id, watched.traits, played.trajectory, played.score)


class _Watched(Agent):
    """A method whose task is looked at on the way."""

    def __init__(self, team: Team, method: str) -> None:
        self._team, self._method = team, method
        self.traits: Traits = {}

    def begin_episode(self, task: TaskCard) -> None:
        self.traits = traits_of(task)
        self._agent = self._team.seat(self._method, task.seed)
        self._agent.begin_episode(task)

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn | str | dict[str, Any] | list[Any]:
        return self._agent.act(observation, info)

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        self._agent.end_episode(trajectory, feedback)

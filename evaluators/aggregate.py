"""From the records of a run to its totals: always counted anew from the rows, never from counters."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ..envs.core.run_folder import SUMMARY, RunFolder
from ..envs.core.trajectory import Trajectory
from .benchmarks import rates_of
from .costs import add_usage, cost_of, judge_alone, without_judge
from .judge.rows import judged_rows
from .provenance import caveat_of, model_of
from .reliability import Trials, curve
from .statistics import ci95_by_task, mean, quantile
from .strict_success import Judged, judged, rate_intervals, rates

BAD_TAIL = 0.05
REWARD = "reward"
HIGHER_IS_BETTER = frozenset({"reward", "normalized"})


@dataclass(slots=True)
class Counts:
    """How many episodes a number rests on.

    Attributes:
        n: Episodes asked for.
        attempted: Episodes with a row.
        errored: Valid rows that failed for reasons of the infrastructure.
        unscored: Rows without a verdict though the episode ended.
    """

    n: int = 0
    attempted: int = 0
    errored: int = 0
    unscored: int = 0

    @property
    def complete(self) -> bool:
        """Whether every episode asked for has a score."""
        return self.sound and self.unscored == 0

    @property
    def sound(self) -> bool:
        """Whether every episode asked for was played, and none failed for reasons of the infrastructure."""
        return self.attempted == self.n and self.errored == 0

    def as_dict(self) -> dict[str, int]:
        """Return the four counts by name."""
        return {"n": self.n, "attempted": self.attempted, "errored": self.errored, "unscored": self.unscored}


@dataclass(slots=True)
class AgentTotals:
    """The episodes of one agent in one environment, reduced to numbers.

    Attributes:
        scores: By metric (`reward` among them) and task, the values of the scored episodes, one a trial.
        verdicts: By task, the verdicts on the scored episodes that have checks; `trials` the same counted.
        failures: The first failure by stop reason.
        usage: What models used, by role: of every row on disk, since rows that were run again were paid for too, and
            of judges, under their own role.
        models: The clients and models that played; `caveats` what a reader has to know of them.
    """

    env_id: str
    counts: Counts = field(default_factory=Counts)
    scores: dict[str, dict[str, list[float]]] = field(default_factory=dict)
    verdicts: dict[str, list[Judged]] = field(default_factory=dict)
    trials: dict[str, Trials] = field(default_factory=dict)
    stop_reasons: Counter[str] = field(default_factory=Counter)
    errors: Counter[str] = field(default_factory=Counter)
    failures: dict[str, str] = field(default_factory=dict)
    steps: int = 0
    usage: dict[str, dict[str, float]] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    caveats: set[str] = field(default_factory=set)

    def values(self, metric: str) -> list[float]:
        """Return a metric, or `reward`, of all scored episodes that have it."""
        return [value for values in self.scores.get(metric, {}).values() for value in values]

    @property
    def rewards(self) -> list[float]:
        """The score of each scored episode."""
        return self.values(REWARD)

    @property
    def judged(self) -> list[Judged]:
        """The verdicts on the scored episodes that have checks."""
        return [verdict for verdicts in self.verdicts.values() for verdict in verdicts]

    @property
    def rate_intervals(self) -> dict[str, tuple[float, float] | None]:
        """The 95 % interval of each rate that its checks come to."""
        return rate_intervals((self.verdicts.get(task, []), each.attempted) for task, each in self.trials.items())

    def spend(self, row: Trajectory) -> None:
        """Count what a row used, valid or superseded."""
        add_usage(self.usage, row.usage)

    def add(self, row: Trajectory) -> None:
        """Count one valid row."""
        self.counts.attempted += 1
        self.stop_reasons[row.stop_reason.value] += 1
        self.errors.update(row.errors)
        self.steps += row.n_steps
        if row.client is not None:
            self.models.add(model_of(row.client))
            self.caveats |= {caveat_of(row.client)} - {""}
        if row.error.strip():
            message = row.error.strip().splitlines()[-1]
            self.failures.setdefault(row.stop_reason.value, f"{row.task_id}, trial {row.trial}: {message}")
        if not row.stop_reason.scored:
            self.counts.errored += 1
        elif row.reward is None:
            self.counts.unscored += 1
        else:
            for name, value in {**(row.metrics or {}), REWARD: row.reward}.items():
                self.scores.setdefault(name, {}).setdefault(row.task_id, []).append(value)
        self._judge(row)

    def ask_for(self, task_id: str) -> None:
        """Count one episode that was asked for."""
        self.counts.n += 1
        self.trials.setdefault(task_id, Trials()).asked += 1

    def _judge(self, row: Trajectory) -> None:
        verdict, trials = judged(row), self.trials.setdefault(row.task_id, Trials())
        if verdict is None:
            trials.unknown += 1
            return
        self.verdicts.setdefault(row.task_id, []).append(verdict)
        trials.successes += verdict.strict
        trials.failures += not verdict.strict


@dataclass(slots=True)
class RunTotals:
    """A run, counted: `by_agent` in the order of the configuration, `not_asked` episodes on disk left out."""

    run_key: str
    by_agent: dict[str, AgentTotals]
    not_asked: int = 0

    @property
    def counts(self) -> Counts:
        """The counts over all agents."""
        total = Counts()
        for agent in self.by_agent.values():
            for name, value in agent.counts.as_dict().items():
                setattr(total, name, getattr(total, name) + value)
        return total


def count(folder: RunFolder) -> RunTotals:
    """Count a run from its records; memory does not grow with the length of its episodes.

    Raises:
        RecordError: A row cannot be read, or an episode has two scores.
    """
    description = folder.description()
    totals = {name: AgentTotals(asked.env_id) for asked in description.asked for name in asked.agents}
    wanted = {key for asked in description.asked for key in asked.rows()}
    for _, name, task_id, _ in wanted:
        totals[name].ask_for(task_id)
    valid, not_asked = set(folder.valid().values()), 0
    for position, row in enumerate(folder.rows(with_steps=False)):
        if row.key not in wanted:
            not_asked += position in valid
            continue
        totals[row.agent["name"]].spend(row)
        if position in valid:
            totals[row.agent["name"]].add(row)
    for judgement in judged_rows(folder):
        if judgement.row in wanted:
            add_usage(totals[judgement.agent].usage, judgement.usage)
    return RunTotals(description.run_key, totals, not_asked)


def summary(totals: RunTotals) -> dict[str, Any]:
    """Return the content of `summary.json`; a value that is undefined is `{value: null, reason}`."""
    reasons: Counter[str] = Counter()
    for agent in totals.by_agent.values():
        reasons.update(agent.stop_reasons)
    return {
        "run_key": totals.run_key,
        **totals.counts.as_dict(),
        "complete": totals.counts.complete,
        "stop_reasons": dict(sorted(reasons.items())),
        "by_agent": {name: _agent_summary(agent) for name, agent in totals.by_agent.items()},
    }


def write_summary(folder: RunFolder) -> dict[str, Any]:
    """Count a run and write its `summary.json`; return its content."""
    content = summary(count(folder))
    folder.write_text(SUMMARY, json.dumps(content, indent=1, allow_nan=False))
    return content


def score_rows(totals: RunTotals) -> list[dict[str, Any]]:
    """Return one row a metric and agent: `{agent, env, metric, value, ci95, p95, n, attempted, errored, unscored}`.

    `ci95` is the 95 % interval of the mean as `statistics.ci95_by_task` has it: by Student's t over tasks where a task
    has several trials; else by Wilson's score where a number is 0 or 1, by Student's t elsewhere. `p95` is
    the value that 95 % of the episodes are at least as good as for `reward` and `normalized` (the 5 % quantile), and
    the 95 % quantile of every other metric.
    """
    rows = []
    for name, agent in totals.by_agent.items():
        counted = _rate_rows(agent)
        told = {row["metric"] for row in counted}  # a rate that an environment reports too is told once, as a rate
        names = [REWARD, *sorted(agent.scores.keys() - {REWARD})]
        zero_or_one = rates_of(agent.env_id)
        described = [
            {"metric": each, **_described(each, agent, is_rate=each in zero_or_one)}
            for each in names
            if each not in told
        ]
        head, counts = {"agent": name, "env": agent.env_id}, agent.counts.as_dict()
        rows += [{**head, **row, **counts} for row in [*described, *counted]]
    return rows


def reliability_rows(totals: RunTotals) -> list[dict[str, Any]]:
    """Return `{agent, env, k, ...}`, the fields of `reliability.PassHatK`, of the agents whose episodes have checks."""
    return [
        {"agent": name, "env": agent.env_id, **row.to_json()}
        for name, agent in totals.by_agent.items()
        if agent.judged
        for row in curve(agent.trials)
    ]


def _described(metric: str, agent: AgentTotals, *, is_rate: bool) -> dict[str, Any]:
    numbers = agent.values(metric)
    if not numbers:
        return {"value": None, "ci95": None, "p95": None, "reason": "no scored episode"}
    interval = ci95_by_task(agent.scores[metric].values(), is_rate=is_rate)
    return {
        "value": mean(numbers),
        "ci95": None if interval is None else list(interval),
        "p95": quantile(numbers, BAD_TAIL if metric in HIGHER_IS_BETTER else 1 - BAD_TAIL),
    }


def _rate_rows(agent: AgentTotals) -> list[dict[str, Any]]:
    """What the checks of an agent's episodes come to, each rate with its 95 % interval."""
    intervals = agent.rate_intervals
    return [
        {
            "metric": rate.metric,
            "value": rate.value,
            "ci95": None if (ends := intervals[rate.metric]) is None else list(ends),
            "p95": None,
        }
        for rate in rates(agent.judged, agent.counts.attempted)
    ]


def _agent_summary(agent: AgentTotals) -> dict[str, Any]:
    rewards = agent.rewards
    undefined = {"value": None, "reason": "no scored episode"}
    no_scale = {"value": None, "reason": "no scale" if rewards else "no scored episode"}
    by_task = agent.scores.get(REWARD, {})
    interval = ci95_by_task(by_task.values(), is_rate=REWARD in rates_of(agent.env_id))
    alone = "several trials of one task alone" if len(rewards) > 1 else "fewer than two scored episodes"
    normalized = agent.values("normalized")
    return {
        "env_id": agent.env_id,
        **agent.counts.as_dict(),
        "reward": mean(rewards) if rewards else undefined,
        "normalized": mean(normalized) if normalized else no_scale,
        "ci95": list(interval) if interval else {"value": None, "reason": alone},
        "p95": quantile(rewards, BAD_TAIL) if rewards else undefined,
        "stop_reasons": dict(sorted(agent.stop_reasons.items())),
        "errors": dict(sorted(agent.errors.items())),
        "steps": agent.steps,
        "usage": agent.usage,
        "cost": cost_of(without_judge(agent.usage)).value,
        **({"judge_cost": cost_of(judged_by).value} if (judged_by := judge_alone(agent.usage)) else {}),
        "models": sorted(agent.models),
        "caveats": sorted(agent.caveats),
    }

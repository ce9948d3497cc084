"""The tables of a report: each agent's numbers as cells, every one with what it rests on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .aggregate import AgentTotals, RunTotals, score_rows
from .benchmarks import rates_of
from .costs import Cost, amount_names, cost_of, role_and_phase
from .report_cells import (
    INTERVAL,
    NONE,
    OVER_TASKS,
    STUDENT,
    WILSON,
    Cell,
    Head,
    Table,
    aligned,
    count_cells,
    count_heads,
    interval_cell,
    interval_head,
    number,
    number_cell,
    spoken,
)
from .resources import Resources
from .statistics import mean

LEADING_METRICS = (
    "cost",
    "fill_rate",
    "bullwhip",
    "weeks_in_backlog",
    "earnings",
    "utilization",
    "overall_mean",
    "correct_strict",
    "goal",
    "process",
    "protection",
)
LEADING_METRICS_SHOWN = 3
METRIC_UNITS = {
    "cost": "$",
    "earnings": "$",
    "revenue": "$",
    "fill_rate": "share",
    "utilization": "share",
    "bullwhip": "ratio",
    "weeks_in_backlog": "weeks",
}
"""Units by metric, or by the first word of its name; a benchmark's own are in `scoring.UNITS`."""
_AMOUNT_HINTS = {
    "input": "tokens read, those of the cache included",
    "cached": "tokens read from the provider's cache",
    "cache_write": "tokens written to the provider's cache",
    "output": "tokens written, reasoning included",
    "estimated": "calls whose tokens were estimated, since the provider sent no counts",
    "replayed": "calls answered from recorded replies, at no cost",
}
_TAIL = "95 % of the episodes are at least as good"


@dataclass(slots=True)
class Standing:
    """One agent in one environment of the report.

    Attributes:
        label: Its name, with the run's where names collide.
        totals: Its episodes, counted.
        points: (reward, link) of each scored episode.
        by_task: Rewards by task, one a trial.
        resources: What each scored episode took, of those that have checks.
    """

    label: str
    totals: AgentTotals
    points: list[tuple[float, str]] = field(default_factory=list)
    by_task: dict[str, list[float]] = field(default_factory=dict)
    resources: list[Resources] = field(default_factory=list)

    @property
    def scored(self) -> int:
        """Number of episodes with a score."""
        return len(self.totals.rewards)

    @property
    def missing(self) -> int:
        """Number of episodes that were asked for and have no record."""
        return self.totals.counts.n - self.totals.counts.attempted

    @property
    def order(self) -> tuple[float, str]:
        """Sort key: the best mean reward first, agents without a score last."""
        rewards = self.totals.rewards
        return (-mean(rewards) if rewards else math.inf), self.label


def unit_of(metric: str, units: Mapping[str, str]) -> str:
    """Return the unit of a metric, "" where none is known."""
    known = {**METRIC_UNITS, **units}
    return known.get(metric, known.get(metric.partition("_")[0], ""))


def leaderboard(standings: Sequence[Standing], units: Mapping[str, str]) -> Table:
    """Return the leading table: the agents from the best mean reward to the worst."""
    values = _values(standings)
    metrics = [name for name in LEADING_METRICS if any(name in found for found in values.values())]
    metrics = metrics[:LEADING_METRICS_SHOWN]
    successes = any(standing.totals.judged for standing in standings)
    unit = units.get("reward", "")
    method = method_of(standings, is_rate=any("reward" in rates_of(each.totals.env_id) for each in standings))
    heads = [
        Head("agent", numeric=False),
        Head("mean reward", unit),
        interval_head("the mean reward", method, unit),
        Head("normalized", "", "(score - floor) / (ceiling - floor) of each task, averaged"),
        Head("p95 tail", unit, f"the reward that {_TAIL}"),
        Head("sd over trials", unit, "standard deviation between the trials of a task, pooled over tasks"),
        *([Head("success", "share", "every check passed; errored episodes count as failures")] if successes else []),
        *(Head(spoken(name), unit_of(name, units), "mean over scored episodes") for name in metrics),
        Head("steps", "mean", "per attempted episode"),
        Head("tool errors", "by code", "over all episodes"),
        *count_heads(),
        Head("stop reasons", numeric=False),
    ]
    names = ["strict", *metrics] if successes else metrics
    rows = [_row(standing, values[standing.label], names) for standing in standings]
    return aligned(heads, rows, but=(INTERVAL, "tool errors"))


def method_of(standings: Sequence[Standing], *, is_rate: bool) -> str:
    """Return how the intervals of agents come about: over tasks where a task has several trials."""
    if any(each.asked > 1 for standing in standings for each in standing.totals.trials.values()):
        return OVER_TASKS
    return WILSON if is_rate else STUDENT


def _row(standing: Standing, values: Mapping[str, Mapping[str, Any]], metrics: Sequence[str]) -> list[Cell]:
    totals, reward = standing.totals, values["reward"]
    spread = sd_over_trials(standing.by_task.values())
    steps = totals.steps / totals.counts.attempted if totals.counts.attempted else None
    return [
        Cell(standing.label),
        _flagged(standing, reward["value"]),
        interval_cell(reward["ci95"]),
        _normalized(standing, values.get("normalized")),
        number_cell(reward["p95"]),
        number_cell(spread),
        *(_flagged(standing, values[name]["value"]) if name in values else Cell(NONE) for name in metrics),
        number_cell(steps),
        _tally(totals.errors),
        *count_cells(totals.counts),
        Cell(_tally(totals.stop_reasons).text if totals.stop_reasons else NONE),
    ]


def _values(standings: Iterable[Standing]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the score rows by agent and metric."""
    totals = RunTotals("", {standing.label: standing.totals for standing in standings})
    found: dict[str, dict[str, dict[str, Any]]] = {label: {} for label in totals.by_agent}
    for row in score_rows(totals):
        found[row["agent"]][row["metric"]] = row
    return found


def metric_table(standings: Sequence[Standing], units: Mapping[str, str]) -> Table:
    """Return every metric of every agent with its interval and tail."""
    heads = [
        Head("agent", numeric=False),
        Head("metric", numeric=False),
        Head("unit", numeric=False),
        Head("mean"),
        Head(INTERVAL, "", _interval_hint(standings)),
        Head("p95 tail", "", f"reward, normalized: {_TAIL}; other metrics: the 95 % quantile"),
        *count_heads(),
    ]
    order = {standing.label: standing for standing in standings}
    rows = [
        [
            Cell(row["agent"]),
            Cell(row["metric"]),
            Cell(unit_of(row["metric"], units)),
            _flagged(order[row["agent"]], row["value"]),
            interval_cell(row["ci95"]),
            number_cell(row["p95"]),
            *count_cells(order[row["agent"]].totals.counts),
        ]
        for row in sorted(score_rows(RunTotals("", {s.label: s.totals for s in standings})), key=lambda r: r["metric"])
    ]
    return Table(heads, rows)


def _interval_hint(standings: Sequence[Standing]) -> str:
    method = method_of(standings, is_rate=False)
    return f"by {method}" if method == OVER_TASKS else f"by {method}; of rates by {WILSON}"


def usage_table(standings: Sequence[Standing]) -> Table | None:
    """Return what each agent used by role and phase, superseded episodes included; None where no model was called."""
    used = [(standing, key, amounts) for standing in standings for key, amounts in standing.totals.usage.items()]
    if not used:
        return None
    names = amount_names(standing.totals.usage for standing, _, _ in used)
    heads = [
        *(Head(name, numeric=False) for name in ("agent", "model", "role", "phase")),
        *(Head(spoken(name), "", _AMOUNT_HINTS.get(name, "")) for name in names),
        Head("cost", "", "in $, by the price file at the time of play"),
    ]
    rows = [
        [
            Cell(standing.label),
            Cell(", ".join(sorted(standing.totals.models)) or NONE),
            *map(Cell, role_and_phase(key)),
            *(number_cell(amounts.get(name)) for name in names),
            _money(cost_of({key: amounts})),
        ]
        for standing, key, amounts in used
    ]
    return aligned(heads, rows, but=("cost",))


def _money(cost: Cost) -> Cell:
    return Cell(cost.text, cost.usd if cost.unpriced < cost.calls else None)


def sd_over_trials(tasks: Iterable[Sequence[float]]) -> float | None:
    """Return the standard deviation between trials of a task, pooled over tasks; None without a second trial."""
    repeated = [rewards for rewards in tasks if len(rewards) > 1]
    freedom = sum(len(rewards) - 1 for rewards in repeated)
    if not freedom:
        return None
    squares = math.fsum((reward - mean(rewards)) ** 2 for rewards in repeated for reward in rewards)
    return math.sqrt(squares / freedom)


def _flagged(standing: Standing, value: float | None) -> Cell:
    """A headline number, with what it rests on where that is not the whole set."""
    counts = standing.totals.counts
    flag = "" if counts.complete else f"{standing.scored}/{counts.n}"
    return Cell(number(value), value, flag)


def _normalized(standing: Standing, row: Mapping[str, Any] | None) -> Cell:
    values = standing.totals.values("normalized")
    if row is None or not values:
        return Cell("no scale" if standing.scored else NONE)
    cell = _flagged(standing, row["value"])
    part = "" if len(values) == standing.scored else f"{len(values)}/{standing.totals.counts.n}"
    return Cell(cell.text, cell.sort, part or cell.flag)


def _tally(counts: Counter[str]) -> Cell:
    listed = ", ".join(
        f"{name} {count}" for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    )
    return Cell(listed or "0", sum(counts.values()))

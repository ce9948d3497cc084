"""The tables of a report for benchmarks with checks: success by class, reliability, and what the episodes took."""

from __future__ import annotations

from collections.abc import Sequence

from .reliability import PassHatK, curve
from .report_cells import (
    INTERVAL,
    Cell,
    Head,
    Table,
    aligned,
    interval_cell,
    interval_head,
    number,
    number_cell,
    spoken,
)
from .report_tables import Standing, method_of
from .resources import HINTS, Resources, mean_of
from .strict_success import HINTS as RATE_HINTS
from .strict_success import STRICT_OF_SCORED, rates


def rates_table(standings: Sequence[Standing]) -> Table | None:
    """Return strict success and its parts, agent by agent; None where no episode has checks of several classes."""
    found = {
        each.label: {rate.metric: rate for rate in rates(each.totals.judged, each.totals.counts.attempted)}
        for each in standings
    }
    names = list(dict.fromkeys(name for told in found.values() for name in told))
    if len(names) <= 2:
        return None
    heads = [
        Head("agent", numeric=False),
        *(
            Head(spoken(name), "share", RATE_HINTS.get(name, f"every {name} check passed; of scored episodes"))
            for name in names
        ),
        interval_head("the strict rate of scored episodes", method_of(standings, is_rate=True), "share"),
    ]
    intervals = {each.label: each.totals.rate_intervals for each in standings}
    rows = [
        [
            Cell(label),
            *(number_cell(told[name].value if name in told else None) for name in names),
            interval_cell(intervals[label][STRICT_OF_SCORED]),
        ]
        for label, told in found.items()
        if told
    ]
    return aligned(heads, rows, but=(INTERVAL,))


def reliability_table(standings: Sequence[Standing]) -> Table | None:
    """Return pass^k of every agent under the three conventions; None where no episode has checks."""
    rows = [
        _reliability(each.label, row) for each in standings if each.totals.judged for row in curve(each.totals.trials)
    ]
    if not rows:
        return None
    heads = [
        Head("agent", numeric=False),
        Head("k", "", "trials that all have to succeed"),
        Head("tasks", "", "tasks asked for"),
        Head("excluded", "pass^k", "trials without a verdict are left out, and tasks with fewer than k others"),
        Head("as failures", "pass^k", "errored and unscored trials count as failures"),
        Head("bounds", "pass^k", "all without a verdict, never played ones too, as failures and as successes"),
    ]
    return Table(heads, rows)


def _reliability(label: str, row: PassHatK) -> list[Cell]:
    bounds = None if row.lower is None or row.upper is None else (row.lower, row.upper)
    return [
        Cell(label),
        number_cell(row.k),
        number_cell(row.tasks),
        _on_tasks(row.excluded, row.excluded_tasks, row.tasks),
        _on_tasks(row.as_failures, row.as_failures_tasks, row.tasks),
        interval_cell(bounds),
    ]


def _on_tasks(value: float | None, n: int, tasks: int) -> Cell:
    """A number, with the tasks that it rests on where these are not all."""
    text = number(value) if value is None else number(value, 3)
    return Cell(text if n == tasks or value is None else f"{text} ({n})", value)


def resource_table(standings: Sequence[Standing]) -> Table | None:
    """Return what the scored episodes of every agent took on average; None where no episode has checks."""
    told = [each for each in standings if each.resources]
    if not told:
        return None
    heads = [
        Head("agent", numeric=False),
        Head("n", "", "scored episodes"),
        *(Head(spoken(name), "mean", HINTS[name]) for name in Resources._fields),
    ]
    rows = [
        [Cell(each.label), number_cell(len(each.resources)), *map(number_cell, mean_of(each.resources))]
        for each in told
    ]
    return aligned(heads, rows)

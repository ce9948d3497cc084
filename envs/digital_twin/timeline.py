"""A run month by month, as a report plots it: earnings, staff, and a bar for each project."""

from __future__ import annotations

from typing import Any

from . import kernel
from .kpis import Result
from .scenario import Scenario
from .state import Coins, State, advance, initial_state


def states(scenario: Scenario, coins: Coins) -> list[State]:
    """Return the firm after each step of a run."""
    state = initial_state(scenario)
    found = []
    for _ in range(scenario.n_steps):
        state, _ = advance(scenario, state, coins)
        found.append(state)
    return found


def panels(scenario: Scenario, coins: Coins, result: Result) -> list[dict[str, Any]]:
    """Return the panels of a run on a shared axis of months.

    Lines are `{title, unit, x_label, x, lines: {name: values}}`; the projects are `{title, unit, x_label, x, bars}`
    with a bar a project: `{label, window: [from, to], work: [[from, to, consultants], ...], won}`.
    """
    times = list(scenario.times)
    played = states(scenario, coins)
    lines = {
        "earnings": ("$", {"accumulated earnings": [step.accumulated_earnings for step in result.steps]}),
        "staff": (
            "consultants",
            {"employed": [step.consultant_capacity_fte for step in result.steps], "at work": _at_work(played)},
        ),
    }
    drawn: list[dict[str, Any]] = [
        {"title": title, "unit": unit, "x_label": "month", "x": times, "lines": curves}
        for title, (unit, curves) in lines.items()
    ]
    bars = [
        {
            "label": project.name,
            "window": [project.start_month, project.deadline_month],
            "work": _work(scenario, played, number),
            "won": project.won,
        }
        for number, project in enumerate(result.projects)
    ]
    return [*drawn, {"title": "projects", "unit": "", "x_label": "month", "x": times, "bars": bars}]


def _at_work(played: list[State]) -> list[float]:
    """Number of consultants posted on something after each step."""
    return [sum(sum(row) for row in state.postings) for state in played]


def _work(scenario: Scenario, played: list[State], number: int) -> list[list[float]]:
    """Return the spells in which effort was delivered to a project: from, to (both months), consultants posted."""
    spells: list[list[float]] = []
    before, last_step = 0.0, -2
    for step, (t, state) in enumerate(zip(scenario.times, played, strict=True)):
        row = state.projects[number]
        delivered, before = row[kernel.DELIVERED] - before, row[kernel.DELIVERED]
        staff = row[kernel.STAFF]
        if delivered <= 0:
            continue
        if last_step == step - 1 and spells[-1][2] == staff:
            spells[-1][1] = t
        else:
            spells.append([t - scenario.dt_months, t, staff])
        last_step = step
    return spells

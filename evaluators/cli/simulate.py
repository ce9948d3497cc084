"""`bizgym simulate`: run the scenarios of a file, or a shipped one, and print what controlling reports."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...envs.core.errors import DataError, SettingError
from ...envs.core.text import echo, nearest
from ...envs.digital_twin.kpis import Result, final
from ...envs.digital_twin.plan import Firm, Plan
from ...envs.digital_twin.scenario import Gate, Scenario
from ...envs.digital_twin.scenario_file import load_firms, load_plan
from ...envs.digital_twin.simulate import coins_of, planned, simulate, to_json
from ...envs.digital_twin.tasks import is_file, is_folder, shipped_tasks
from ...envs.digital_twin.timeline import panels
from ..tables import console, counted, one_line, print_json, print_table

STEP_COLUMNS = {
    "t": "month",
    "revenue": "revenue",
    "expenses": "expenses",
    "earnings": "earnings",
    "accumulated_earnings": "accumulated",
    "avg_utilization": "utilization",
    "projects": "projects",
    "consultant_demand": "demand",
    "revenue_risk": "risk",
    "cash": "cash",
}
"""Field of a step -> its name on a terminal; those that a narrow one leaves out come last."""
PROJECT_COLUMNS = {
    "name": "project",
    "start_month": "start",
    "deadline_month": "due",
    "contracted_months": "contracted",
    "delivered_months": "delivered",
    "extensions": "extended",
    "revenue": "revenue",
    "won": "won",
    "state": "state",
}
_WIDE_CHARACTERS = 110
_NARROW_STEP_COLUMNS, _NARROW_PROJECT_COLUMNS = 7, 8


def simulate_command(
    scenario: str,
    *,
    name: str | None,
    plan: Path | None,
    gate: Gate | None,
    seed: int,
    plot: Path | None,
    as_json: bool,
) -> int:
    """Run every scenario asked for and print it; return the exit status.

    Args:
        scenario: Path of a scenario file, or id of a shipped task.
        name: The one scenario of the file that is run, None for all.
        plan: Path of a plan that each of them is run with.
        gate: Another gate than the scenarios' own.
        seed: Of the random numbers, the same for every scenario.
        plot: Where to write a figure, None for none.
        as_json: Print JSON alone on standard output.

    Raises:
        SettingError: A file, a name, the plan or the seed is not usable; the message names the field.
    """
    if plot is not None and plot.suffix.lower() != ".svg":
        raise SettingError(f"--plot: the figure is SVG; give a file that ends in .svg, not {echo(str(plot))}")
    try:
        with warnings.catch_warnings(record=True) as remarks:
            warnings.simplefilter("always")
            firms = _chosen(_firms(scenario), name)
        plans = {each: None if plan is None else load_plan(plan, firm) for each, firm in firms.items()}
    except DataError as error:  # the file is the user's
        raise SettingError(str(error)) from None
    for remark in remarks:
        console(stderr=True).print(one_line(f"bizgym: {remark.message}"))
    results = {each: simulate(firm, plans[each], gate=gate, seed=seed) for each, firm in firms.items()}
    if plot is not None:
        _write_plot(plot, firms, plans, results, gate, seed)
    if as_json:
        print_json({each: to_json(result) for each, result in results.items()})
    else:
        for each, result in results.items():
            _print_result(each, result)
        if plot is not None:
            console().print(f"Plot: {plot.resolve()}")
    return 0


def _firms(scenario: str) -> Mapping[str, Firm]:
    """Return the firms of a file, or the one of a shipped task that is called so; a file goes first."""
    if is_file(scenario):
        return load_firms(scenario)
    known = shipped_tasks()
    if scenario in known.ids:
        return {scenario: known.get(scenario).firm}
    if is_folder(scenario):
        return load_firms(scenario)  # which says why not
    raise SettingError(
        f"scenario: there is no file {echo(scenario)}, and no shipped scenario that is called so."
        f"{nearest(scenario, known.ids)} There are: {', '.join(known.ids)}"
    )


def _chosen(firms: Mapping[str, Firm], name: str | None) -> Mapping[str, Firm]:
    if name is None:
        return firms
    if name not in firms:
        known = echo(", ".join(firms), 1_000)
        raise SettingError(f"--scenario: there is no {echo(name)}.{nearest(name, firms)} There are: {known}")
    return {name: firms[name]}


def _print_result(name: str, result: Result) -> None:
    """Print the steps, the projects and the totals of one scenario."""
    label = one_line(name)
    _print_rows(f"{label}: steps", STEP_COLUMNS, result.steps, _NARROW_STEP_COLUMNS)
    _print_rows(f"{label}: projects", PROJECT_COLUMNS, result.projects, _NARROW_PROJECT_COLUMNS)
    totals = {**final(result), "earnings_full": result.earnings_full}
    print_table(f"{label}: final", ["figure", "value"], [[key, value] for key, value in totals.items()])


def _print_rows(title: str, columns: Mapping[str, str], rows: Sequence[Any], narrow: int) -> None:
    """Print fields of rows: all of them under their own names, on a terminal as many as fit under short ones."""
    screen = console()
    shown = len(columns) if not screen.is_terminal or screen.width >= _WIDE_CHARACTERS else narrow
    fields = list(columns)[:shown]
    names = [columns[field] for field in fields] if screen.is_terminal else fields
    print_table(title, names, [[_value(row, field) for field in fields] for row in rows])


def _value(row: Any, field: str) -> Any:
    """Return a field of a row; times keep the digits that a fraction of a month has."""
    value = getattr(row, field)
    return f"{value:g}" if field == "t" else value


def _write_plot(
    path: Path,
    firms: Mapping[str, Firm],
    plans: Mapping[str, Plan | None],
    results: Mapping[str, Result],
    gate: Gate | None,
    seed: int,
) -> None:
    """Write one SVG about all scenarios that were run."""
    try:
        from ..course_plot import Column
        from ..simulation_plot import simulation_file
    except ImportError as error:
        raise SettingError(f"--plot: {error.name} is not installed (pip install 'bizgym[report]')") from None
    columns = []
    for name, firm in firms.items():
        scenario = planned(firm, plans[name], gate)
        drawn = panels(scenario, coins_of(firm, scenario, seed), results[name])
        columns.append(Column(name, _note(scenario, results[name]), "", drawn))
    path.write_text(simulation_file(columns), encoding="utf-8", newline="\n")


def _note(scenario: Scenario, result: Result) -> str:
    """Say in a few words what was run and what came of it."""
    delivered = sum(project.won for project in result.projects)
    return (
        f"{counted(scenario.n_consultants, 'consultant')}, revenue risk {scenario.revenue_risk:g} ({scenario.gate}): "
        f"{delivered} of {counted(len(result.projects), 'project')} delivered, earnings {result.earnings:,.0f} $"
    )

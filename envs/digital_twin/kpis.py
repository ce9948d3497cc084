"""The figures that controlling reports step by step, and what became of each project.

Definitions follow the enterprise digital twin of the transentis BPTK tutorial; `accumulated_*` are sums over the steps
before the one reported, so that the last report leaves the last step out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from . import kernel
from .scenario import WORKING_DAYS_PER_MONTH, Scenario
from .state import Booked, Run

CASH_LAG_STEPS = 2
"""Steps after which revenue is paid."""


class Kpis(NamedTuple):
    """One step as controlling reports it.

    Attributes:
        t: Time in months.
        revenue: Fees for the work of the step before.
        expenses: Salaries, workplaces and fixed cost.
        earnings: Revenue less expenses.
        accumulated_revenue, accumulated_expenses, accumulated_earnings: Sums over the steps before.
        avg_utilization: Effort over capacity, 0 where there is no capacity.
        overall_avg_utilization: The same over all steps before.
        consultant_capacity_fte: Consultants at work or waiting.
        consultant_demand: Sum of the staffing caps of open projects.
        projects: Projects seen so far.
        revenue_risk: Share of the step's revenue that was not certain.
        cash: Sum of the cash flows of the steps before.
        cash_flow: Revenue of two steps earlier less expenses.
        profit_margin: Earnings over revenue, 0 where there is none.
        day_rate: Fee for a day of work, 0 where none was done.
    """

    t: float
    revenue: float
    expenses: float
    earnings: float
    accumulated_revenue: float
    accumulated_expenses: float
    accumulated_earnings: float
    avg_utilization: float
    overall_avg_utilization: float
    consultant_capacity_fte: float
    consultant_demand: float
    projects: float
    revenue_risk: float
    cash: float
    cash_flow: float
    profit_margin: float
    day_rate: float


class ProjectResult(NamedTuple):
    """What became of a project.

    Attributes:
        name: Id of the project; a follow-on is called after its parent.
        state: Its state at the end.
        start_month, deadline_month: Its window.
        contracted_months: Effort contracted, in consultant-months.
        delivered_months: Effort delivered and billed.
        extensions: How often it was extended.
        revenue: What was billed.
        won: Whether all contracted effort was delivered in time.
    """

    name: str
    state: str
    start_month: float
    deadline_month: float
    contracted_months: float
    delivered_months: float
    extensions: int
    revenue: float
    won: bool


class Result(NamedTuple):
    """A run, reported.

    Attributes:
        steps: One report a step.
        projects: One result a project, in order of appearance.
        earnings_full: Earnings of all steps, the last one included.
    """

    steps: list[Kpis]
    projects: list[ProjectResult]
    earnings_full: float

    @property
    def earnings(self) -> float:
        """Accumulated earnings as last reported: what a plan is scored by."""
        return self.steps[-1].accumulated_earnings


def earnings(scenario: Scenario, booked: list[Booked]) -> float:
    """Return accumulated earnings as last reported, without building the reports."""
    fixed = scenario.fixed_cost_per_month * scenario.dt_months
    total = 0.0
    for step in booked[:-1]:
        total += step.revenue - (step.salaries + step.workplaces + fixed)
    return total


def report(scenario: Scenario, run: Run) -> Result:
    """Report a run as controlling does."""
    fixed = scenario.fixed_cost_per_month * scenario.dt_months
    revenues: list[float] = []
    steps: list[Kpis] = []
    sum_revenue = sum_expenses = sum_earnings = sum_effort = sum_capacity = cash = 0.0
    for t, step in zip(scenario.times, run.booked, strict=True):
        expenses = step.salaries + step.workplaces + fixed
        gain = step.revenue - expenses
        paid = revenues[-CASH_LAG_STEPS] if len(revenues) >= CASH_LAG_STEPS else 0.0
        steps.append(
            Kpis(
                t=t,
                revenue=step.revenue,
                expenses=expenses,
                earnings=gain,
                accumulated_revenue=sum_revenue,
                accumulated_expenses=sum_expenses,
                accumulated_earnings=sum_earnings,
                avg_utilization=_ratio(step.effort_months, step.capacity_months),
                overall_avg_utilization=_ratio(sum_effort, sum_capacity),
                consultant_capacity_fte=step.capacity_months / scenario.dt_months,
                consultant_demand=step.demand,
                projects=step.projects,
                revenue_risk=_ratio(step.risky_revenue, step.revenue),
                cash=cash,
                cash_flow=paid - expenses,
                profit_margin=_ratio(gain, step.revenue),
                day_rate=_ratio(step.revenue, step.effort_months * WORKING_DAYS_PER_MONTH),
            )
        )
        revenues.append(step.revenue)
        sum_revenue += step.revenue
        sum_expenses += expenses
        sum_earnings += gain
        sum_effort += step.effort_months
        sum_capacity += step.capacity_months
        cash += paid - expenses
    return Result(steps, project_results(scenario, run), sum_earnings)


def project_results(scenario: Scenario, run: Run) -> list[ProjectResult]:
    """Return what became of each project."""
    names = [project.project_id for project in scenario.projects]
    return [_project_result(row, _name(names, int(row[kernel.COINS]))) for row in run.projects]


def final(result: Result) -> dict[str, Any]:
    """Return the totals as last reported, by name."""
    last = result.steps[-1]
    names = ("accumulated_revenue", "accumulated_expenses", "accumulated_earnings", "overall_avg_utilization")
    return {**{name: getattr(last, name) for name in names}, "projects": last.projects}


def _ratio(part: float, whole: float) -> float:
    return part / whole if whole > 0 else 0.0


def _name(offered: list[str], row: int) -> str:
    """Name a project by the row of random numbers that belongs to it: offered, follow-on, or from a campaign."""
    n = len(offered)
    if row < n:
        return offered[row]
    return f"{offered[row - n]} (follow-on)" if row < 2 * n else f"campaign project {row - 2 * n + 1}"


def _project_result(row: list[float], name: str) -> ProjectResult:
    delivered = row[kernel.DELIVERED]
    return ProjectResult(
        name=name,
        state=kernel.STATE_NAMES[int(row[kernel.STATE])],
        start_month=row[kernel.START],
        deadline_month=row[kernel.DEADLINE],
        contracted_months=row[kernel.CONTRACTED],
        delivered_months=delivered,
        extensions=int(row[kernel.EXTENSIONS]),
        revenue=row[kernel.BILLED],
        won=delivered >= row[kernel.CONTRACTED] > 0,
    )

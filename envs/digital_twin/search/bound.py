"""Earnings that no plan of a firm can exceed, whatever the random numbers."""

from __future__ import annotations

from typing import NamedTuple

from ..kernel import CAMPAIGN_PROJECT_CAP, CAMPAIGN_PROJECT_RATE, CAMPAIGN_PROJECTS
from ..plan import Firm
from ..scenario import Campaign, Consultants, Controlling, Project


class _Demand(NamedTuple):
    """Work that may be on offer from one month to another: fee for a consultant-month, and for how many at most."""

    rate: float
    cap: float
    first: float
    last: float


def upper_bound(firm: Firm) -> float:
    """Return earnings that no plan can exceed.

    In every step whose work is still reported, each consultant does the best paid work that could be on offer then,
    and no more is paid than what is contracted where nothing is extended. Waiting, opening and leaving cost nothing.
    """
    staff = firm.bounds.consultants
    return max(_bound_of(firm, consultants) for consultants in range(int(staff.low), int(staff.high) + 1))


def _bound_of(firm: Firm, consultants: int) -> float:
    scenario, dt = firm.template, firm.template.dt_months
    demands = [demand for agent in scenario.agents for demand in _demands(firm, agent)]
    # The last step is not reported; nor is the work of the one before where controlling acts before projects do.
    reported = scenario.times[: -2 if _stands_before(firm, Controlling, Project) else -1]
    revenue = sum(_best_fees(demands, consultants, t) * dt for t in reported)
    revenue = min(revenue, sum(_most_paid(firm, agent) for agent in scenario.agents))
    paid_steps = scenario.n_steps - (1 if _stands_before(firm, Consultants, Controlling) else 2)
    staff_cost = consultants * (firm.salary_per_month + firm.workplace_cost_per_month) * dt * paid_steps
    return revenue - staff_cost - scenario.fixed_cost_per_month * dt * (scenario.n_steps - 1)


def _best_fees(demands: list[_Demand], consultants: int, t: float) -> float:
    """Return the fees of a month if each consultant does the best paid work that is on offer at t."""
    fees, free = 0.0, float(consultants)
    for demand in sorted(demands, reverse=True):
        if demand.first <= t <= demand.last:
            hired = min(free, demand.cap)
            fees += hired * demand.rate
            free -= hired
    return fees


def _demands(firm: Firm, agent: object) -> list[_Demand]:
    end = firm.template.times[-1]
    if isinstance(agent, Campaign):
        cap = CAMPAIGN_PROJECTS * CAMPAIGN_PROJECT_CAP
        return [_Demand(CAMPAIGN_PROJECT_RATE, cap, agent.start_month, end)]
    if not isinstance(agent, Project):
        return []
    bounds = firm.bounds.projects[agent.project_id]
    # Consultants who act before a project find it ready in the step after its start.
    wait = firm.template.dt_months if _stands_before(firm, Consultants, Project) else 0.0
    # A cap is met exactly or never.
    cap = agent.staffing_cap if agent.staffing_cap >= 1 and float(agent.staffing_cap).is_integer() else float("inf")
    # A follow-on opens when its parent is over, so that the two never offer work at the same time.
    last = end if _can_come_about(firm, agent.follow_on_probability) else bounds.deadline_month.high
    return [_Demand(agent.rate_per_month, cap, bounds.start_month.low + wait, last)]


def _most_paid(firm: Firm, agent: object) -> float:
    """Return what an agent's projects can be paid in all."""
    if isinstance(agent, Campaign):
        return float("inf")
    if not isinstance(agent, Project):
        return 0.0
    if agent.extension_effort_months > 0 and _can_come_about(firm, agent.extension_probability):
        return float("inf")
    projects = 2 if _can_come_about(firm, agent.follow_on_probability) else 1
    return projects * agent.effort_months * agent.rate_per_month


def _can_come_about(firm: Firm, probability: float) -> bool:
    if firm.template.gate == "bernoulli":
        return probability > 0.0
    return probability > 1.0 - firm.bounds.revenue_risk.high


def _stands_before(firm: Firm, kind: type, other: type) -> bool:
    """Whether the first agent of one kind acts before the first of another; staff stands after controlling if new."""
    kinds = [type(agent) for agent in firm.template.agents]
    if Consultants not in kinds:
        kinds.insert(kinds.index(Controlling) + 1, Consultants)
    return kind in kinds and other in kinds and kinds.index(kind) < kinds.index(other)

"""A scenario: a firm, the agents in it in the order in which they act, and the clock. All of it is immutable.

Money is in US dollars, effort in consultant-months, time in months. Rules: the enterprise digital twin of the
transentis BPTK tutorial (agent-based model of a professional service firm).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite
from typing import Literal, TypeAlias

from ..core.errors import DataError

Gate = Literal["threshold", "bernoulli"]
GATES: tuple[Gate, ...] = ("threshold", "bernoulli")
DEFAULT_START_MONTH = 1
DEFAULT_STOP_MONTH = 25
DEFAULT_DT_MONTHS = 1.0
WORKING_DAYS_PER_MONTH = 18
"""Days that a consultant bills in a month: a day rate is a month's rate divided by it."""
MAX_CONSULTANTS = 10_000
MAX_PROJECTS = 1_000
MAX_STEPS = 10_000
MAX_AMOUNT = 1e12


@dataclass(frozen=True, slots=True)
class Controlling:
    """The agent that books what the others have reported since its last turn."""


@dataclass(frozen=True, slots=True)
class Consultants:
    """Consultants who act one after another.

    Attributes:
        count: How many.
        salary_per_month: Paid to each every month, busy or not.
        workplace_cost_per_month: Cost of each one's workplace, busy or not.
        name: A label, "" for none.
    """

    count: int
    salary_per_month: float
    workplace_cost_per_month: float
    name: str = ""


@dataclass(frozen=True, slots=True)
class Project:
    """A project that a client offers.

    Attributes:
        project_id: Unique within the scenario.
        name: A label.
        effort_months: Contracted effort in consultant-months.
        staffing_cap: Number of consultants at which nobody joins any more.
        start_month: The month in which it opens; work begins in the step after.
        deadline_month: The last month in which effort is paid.
        rate_per_month: Fee for a consultant-month.
        contracted_probability: Probability of the contract; one minus it is the risk of the revenue.
        extension_probability: Probability that the client extends the project when its effort is used up.
        extension_effort_months: Effort that an extension adds.
        follow_on_probability: Probability that a follow-on project is ordered at the deadline.
        is_follow_on: Whether it is a follow-on itself; a label.
    """

    project_id: str
    name: str
    effort_months: float
    staffing_cap: float
    start_month: float
    deadline_month: float
    rate_per_month: float
    contracted_probability: float = 1.0
    extension_probability: float = 0.0
    extension_effort_months: float = 0.0
    follow_on_probability: float = 0.0
    is_follow_on: bool = False


@dataclass(frozen=True, slots=True)
class Campaign:
    """A marketing campaign: unpaid effort that brings two projects when it is done.

    Attributes:
        effort_months: Effort in consultant-months.
        staffing_cap: Number of consultants at which nobody joins any more; the first one is not counted against it.
        start_month: The month in which it opens.
    """

    effort_months: float
    staffing_cap: float
    start_month: float


ScenarioAgent: TypeAlias = Controlling | Consultants | Project | Campaign


@dataclass(frozen=True)
class Scenario:
    """A firm and its clock.

    Attributes:
        name: The scenario's name.
        agents: In the order in which they act in every step; exactly one is `Controlling`.
        fixed_cost_per_month: Paid every month.
        revenue_risk: The firm's appetite for uncertain revenue, 0 to 1: it decides whether extensions and follow-ons
            come about.
        gate: `threshold` (an event comes about where its probability is above 1 - revenue_risk) or `bernoulli` (with
            its probability times revenue_risk).
        start_month: First month.
        stop_month: Last month, inclusive.
        dt_months: Length of a step; 1 / dt_months is a whole number.

    Raises:
        DataError: A field is out of range; the message names it.
    """

    name: str
    agents: tuple[ScenarioAgent, ...]
    fixed_cost_per_month: float
    revenue_risk: float
    gate: Gate = "threshold"
    start_month: int = DEFAULT_START_MONTH
    stop_month: int = DEFAULT_STOP_MONTH
    dt_months: float = DEFAULT_DT_MONTHS

    def __post_init__(self) -> None:
        """Refuse what cannot be simulated."""
        _require(self.gate in GATES, "gate", f"one of {', '.join(GATES)}", self.gate)
        _check_number("revenue_risk", self.revenue_risk, 0.0, 1.0)
        _check_number("fixed_cost_per_month", self.fixed_cost_per_month, 0.0, MAX_AMOUNT)
        _require(self.stop_month >= self.start_month, "stop_month", "not before start_month", self.stop_month)
        _check_number("dt_months", self.dt_months, 1e-3, 1.0)
        whole = abs(1 / self.dt_months - round(1 / self.dt_months)) < 1e-9
        _require(whole, "dt_months", "a month in whole steps: 1, 0.5, 0.25 ...", self.dt_months)
        _require(self.n_steps <= MAX_STEPS, "dt_months", f"at most {MAX_STEPS} steps", self.dt_months)
        found = sum(isinstance(agent, Controlling) for agent in self.agents)
        _require(found == 1, "agents", "exactly one controlling agent", found)
        _require(self.n_consultants <= MAX_CONSULTANTS, "agents", f"at most {MAX_CONSULTANTS} consultants", "more")
        _require(len(self.projects) <= MAX_PROJECTS, "agents", f"at most {MAX_PROJECTS} projects", len(self.projects))
        for agent in self.agents:
            _check_agent(agent)
        ids = [project.project_id for project in self.projects]
        doubles = [each for k, each in enumerate(ids) if each in ids[:k]]
        _require(not doubles, "agents", "projects with ids of their own", doubles[:1])

    @property
    def steps_per_month(self) -> int:
        """Number of steps in a month."""
        return round(1 / self.dt_months)

    @property
    def n_steps(self) -> int:
        """Number of steps of a run."""
        return (self.stop_month - self.start_month + 1) * self.steps_per_month

    @cached_property
    def times(self) -> tuple[float, ...]:
        """The time of each step in months; the last one lies up to a month less a step behind `stop_month`."""
        months = range(self.start_month, self.stop_month + 1)
        return tuple(month + step * self.dt_months for month in months for step in range(self.steps_per_month))

    @cached_property
    def projects(self) -> tuple[Project, ...]:
        """The projects offered, in order."""
        return tuple(agent for agent in self.agents if isinstance(agent, Project))

    @cached_property
    def campaigns(self) -> tuple[Campaign, ...]:
        """The marketing campaigns, in order."""
        return tuple(agent for agent in self.agents if isinstance(agent, Campaign))

    @property
    def n_consultants(self) -> int:
        """Number of consultants."""
        return sum(agent.count for agent in self.agents if isinstance(agent, Consultants))

    def with_gate(self, gate: Gate) -> Scenario:
        """Return the same scenario under another gate."""
        return replace(self, gate=gate)

    def staffed(self, consultants: int, salary_per_month: float, workplace_cost_per_month: float) -> Scenario:
        """Return the scenario with one group of consultants in place of all of its own.

        The group stands where the first one stood, and after controlling where there was none.
        """
        group = Consultants(consultants, salary_per_month, workplace_cost_per_month)
        first = next((k for k, agent in enumerate(self.agents) if isinstance(agent, Consultants)), None)
        kept: list[ScenarioAgent] = []
        for k, agent in enumerate(self.agents):
            if not isinstance(agent, Consultants):
                kept.append(agent)
            if k == first or (first is None and isinstance(agent, Controlling)):
                kept.append(group)
        return replace(self, agents=tuple(kept))

    def with_projects(self, projects: Iterable[Project]) -> Scenario:
        """Return the scenario with these projects in place of those of the same id; others are left out."""
        by_id = {project.project_id: project for project in projects}
        kept = [
            by_id[agent.project_id] if isinstance(agent, Project) else agent
            for agent in self.agents
            if not isinstance(agent, Project) or agent.project_id in by_id
        ]
        return replace(self, agents=tuple(kept))


def _require(holds: bool, field: str, wanted: str, found: object) -> None:
    if not holds:
        raise DataError(f"{field}: {wanted}, not {found!r}")


def _check_number(field: str, value: float, low: float, high: float) -> None:
    if not (isinstance(value, (int, float)) and isfinite(value) and low <= value <= high):
        raise DataError(f"{field}: a number from {low:g} to {high:g}, not {value!r}")


def _check_agent(agent: ScenarioAgent) -> None:
    """Refuse amounts below zero and probabilities outside 0 to 1."""
    if isinstance(agent, Consultants):
        _check_number("consultants.count", agent.count, 0, MAX_CONSULTANTS)
        _check_number("consultants.salary_per_month", agent.salary_per_month, 0.0, MAX_AMOUNT)
        _check_number("consultants.workplace_cost_per_month", agent.workplace_cost_per_month, 0.0, MAX_AMOUNT)
    elif isinstance(agent, (Project, Campaign)):
        place = agent.project_id if isinstance(agent, Project) else "campaign"
        for field in ("effort_months", "staffing_cap", "start_month", "deadline_month", "rate_per_month"):
            _check_number(f"{place}.{field}", getattr(agent, field, 0.0), 0.0, MAX_AMOUNT)
        _check_number(f"{place}.extension_effort_months", getattr(agent, "extension_effort_months", 0.0), 0.0, 1e9)
        for field in ("contracted_probability", "extension_probability", "follow_on_probability"):
            _check_number(f"{place}.{field}", getattr(agent, field, 0.0), 0.0, 1.0)

"""BizGym's own form of a scenario: strict, with the bounds of every decision beside the terms.

A YAML file holds `scenarios`, a list of `ScenarioSpec`. Money is in US dollars, effort in consultant-months.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field, model_validator

from ..core.tasks import Frozen
from .plan import Bounds, Firm, ProjectBounds, Range
from .scenario import (
    DEFAULT_DT_MONTHS,
    DEFAULT_STOP_MONTH,
    MAX_AMOUNT,
    MAX_CONSULTANTS,
    Campaign,
    Consultants,
    Controlling,
    Project,
    Scenario,
    ScenarioAgent,
)

MAX_CAMPAIGNS = 100
Amount = Annotated[float, Field(ge=0, le=MAX_AMOUNT)]
Share = Annotated[float, Field(ge=0, le=1)]
Months = Annotated[float, Field(ge=0, le=1200)]
Headcount = Annotated[int, Field(ge=0, le=MAX_CONSULTANTS)]
Cap = Annotated[int, Field(ge=1, le=MAX_CONSULTANTS)]


class Whole(Frozen):
    """The whole numbers from `low` to `high`, both included."""

    low: Annotated[int, Field(ge=0, le=MAX_CONSULTANTS)]
    high: Annotated[int, Field(ge=0, le=MAX_CONSULTANTS)]

    @model_validator(mode="after")
    def _ordered(self) -> Whole:
        if self.high < self.low:
            raise ValueError(f"high: at least low ({self.low}), not {self.high}")
        return self

    @property
    def range(self) -> Range:
        """The same as a `Range`."""
        return Range(self.low, self.high)


class FirmSpec(Frozen):
    """The firm: what every month costs, and what it may decide.

    Attributes:
        fixed_cost_per_month: Paid every month.
        salary_per_month: Of each consultant.
        workplace_cost_per_month: Of each consultant.
        consultants: How many may be employed.
        max_revenue_risk: Greatest appetite for uncertain revenue that the owners allow.
    """

    fixed_cost_per_month: Amount
    salary_per_month: Amount
    workplace_cost_per_month: Amount
    consultants: Whole
    max_revenue_risk: Share = 1.0


class ProjectSpec(Frozen):
    """A project on offer.

    Attributes:
        id: Short, unique within the scenario.
        name: What it is, and for what kind of client.
        effort_months: Contracted effort in consultant-months.
        staffing_cap: Most consultants at a time.
        rate_per_month: Fee for a consultant-month.
        start_month: Months in which it may open; work begins in the month after.
        deadline_month: Months that may be agreed as the deadline; effort after it is not paid.
        extension_probability: Chance that the client extends it when the effort is used up, at full risk.
        extension_effort_months: Effort that each extension adds.
        follow_on_probability: Chance of a follow-on at the deadline, at full risk.
    """

    id: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$")]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    effort_months: Annotated[float, Field(gt=0, le=10_000)]
    staffing_cap: Cap
    rate_per_month: Amount
    start_month: Whole
    deadline_month: Whole
    extension_probability: Share = 0.0
    extension_effort_months: Annotated[float, Field(ge=0, le=10_000)] = 0.0
    follow_on_probability: Share = 0.0

    @model_validator(mode="after")
    def _workable(self) -> ProjectSpec:
        if self.deadline_month.high <= self.start_month.low:
            raise ValueError("deadline_month: no deadline lies after a start")
        return self

    @property
    def bounds(self) -> ProjectBounds:
        """The months that the client accepts."""
        return ProjectBounds(self.start_month.range, self.deadline_month.range)

    @property
    def widest(self) -> Project:
        """The project in its widest window."""
        return Project(
            project_id=self.id,
            name=self.name,
            effort_months=self.effort_months,
            staffing_cap=float(self.staffing_cap),
            start_month=float(self.start_month.low),
            deadline_month=float(self.deadline_month.high),
            rate_per_month=self.rate_per_month,
            extension_probability=self.extension_probability,
            extension_effort_months=self.extension_effort_months,
            follow_on_probability=self.follow_on_probability,
        )


class CampaignSpec(Frozen):
    """A marketing campaign that is run whatever the plan: unpaid effort that brings two projects when it is done."""

    effort_months: Annotated[float, Field(gt=0, le=10_000)]
    staffing_cap: Cap
    start_month: Annotated[int, Field(ge=1, le=1200)]


class ScenarioSpec(Frozen):
    """A scenario in BizGym's own form.

    Attributes:
        name: Unique within a file.
        title: What the scenario is about, in a few words.
        brief: The situation of the firm, as its managing partner tells it.
        gate: Whether risk is priced (`bernoulli`) or a threshold.
        months: Length of a run in months.
        dt_months: Length of a step.
        firm: The firm.
        projects: On offer, in the order in which free consultants look for work.
        campaigns: Marketing campaigns that are run in any case.
    """

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    brief: Annotated[str, Field(min_length=1, max_length=2000)]
    gate: Literal["threshold", "bernoulli"] = "bernoulli"
    months: Annotated[int, Field(ge=3, le=1200)] = DEFAULT_STOP_MONTH
    dt_months: Annotated[float, Field(gt=0, le=1)] = DEFAULT_DT_MONTHS
    firm: FirmSpec
    projects: Annotated[list[ProjectSpec], Field(min_length=1, max_length=200)]
    campaigns: list[CampaignSpec] = Field(default_factory=list, max_length=MAX_CAMPAIGNS)

    @model_validator(mode="after")
    def _playable(self) -> ScenarioSpec:
        for k, project in enumerate(self.projects):
            if project.start_month.low >= self.months:
                raise ValueError(
                    f"projects.{k}.start_month: no work is possible, since the run ends in month {self.months}"
                )
        return self

    @cached_property
    def as_firm(self) -> Firm:
        """The firm that plans are made for; its template accepts every project in its widest window."""
        firm = self.firm
        consultants = min(firm.consultants.high, sum(project.staffing_cap for project in self.projects))
        agents: list[ScenarioAgent] = [
            Controlling(),
            Consultants(consultants, firm.salary_per_month, firm.workplace_cost_per_month),
            *(project.widest for project in self.projects),
            *(Campaign(each.effort_months, each.staffing_cap, each.start_month) for each in self.campaigns),
        ]
        template = Scenario(
            name=self.name,
            agents=tuple(agents),
            fixed_cost_per_month=firm.fixed_cost_per_month,
            revenue_risk=firm.max_revenue_risk,
            gate=self.gate,
            stop_month=self.months,
            dt_months=self.dt_months,
        )
        bounds = Bounds(
            consultants=firm.consultants.range,
            revenue_risk=Range(0.0, firm.max_revenue_risk),
            projects={project.id: project.bounds for project in self.projects},
        )
        return Firm(
            template, bounds, firm.salary_per_month, firm.workplace_cost_per_month, title=self.title, brief=self.brief
        )

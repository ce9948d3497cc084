"""A plan, the bounds it must keep, and the firm that it is made for.

As JSON a plan is `{"consultants": 10, "revenue_risk": 0.6, "projects": {"p1": {"start_month": 1, "deadline_month": 18},
"p2": null}}`; a project that is null or left out is declined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from ..core.errors import DataError
from ..core.text import echo, nearest
from .scenario import Consultants, Gate, Scenario

_FIELDS = ("consultants", "revenue_risk", "projects")
_SHOWN_ERRORS = 5


class Window(NamedTuple):
    """When a project opens and until when its effort is paid, in months."""

    start_month: int
    deadline_month: int


class Range(NamedTuple):
    """The values that a field may take, both ends included."""

    low: float
    high: float

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (int, float)) and self.low <= value <= self.high

    def __str__(self) -> str:
        return f"from {plain(self.low)} to {plain(self.high)}"


class ProjectBounds(NamedTuple):
    """The months that a project's client accepts."""

    start_month: Range
    deadline_month: Range

    @property
    def windows(self) -> list[Window]:
        """Every window in which work is possible, earlier starts first and longer ones first."""
        starts = range(int(self.start_month.low), int(self.start_month.high) + 1)
        ends = range(int(self.deadline_month.high), int(self.deadline_month.low) - 1, -1)
        return [Window(start, end) for start in starts for end in ends if end > start]


@dataclass(frozen=True, slots=True)
class Bounds:
    """The bounds of every field of a plan.

    Attributes:
        consultants: Number of consultants.
        revenue_risk: The firm's appetite for uncertain revenue.
        projects: By project id.
    """

    consultants: Range
    revenue_risk: Range
    projects: Mapping[str, ProjectBounds]


@dataclass(frozen=True, slots=True)
class Plan:
    """A decision.

    Attributes:
        consultants: How many to employ from the first month to the last.
        revenue_risk: The firm's appetite for uncertain revenue, 0 to 1.
        projects: The windows of the projects that are accepted, by id; all others are declined.
    """

    consultants: int = 0
    revenue_risk: float = 0.0
    projects: Mapping[str, Window] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        """Return the plan as JSON values; declined projects are left out."""
        windows = {project_id: window._asdict() for project_id, window in self.projects.items()}
        return {"consultants": self.consultants, "revenue_risk": self.revenue_risk, "projects": windows}


@dataclass(frozen=True)
class Firm:
    """What plans are made for.

    Attributes:
        template: The scenario as its file gives it, every project with the window of the file.
        bounds: What a plan may choose.
        salary_per_month: Of each consultant.
        workplace_cost_per_month: Of each consultant.
        title: What the scenario is about, in a few words.
        brief: The situation of the firm in its managing partner's words, "" where nothing is told.
    """

    template: Scenario
    bounds: Bounds
    salary_per_month: float
    workplace_cost_per_month: float
    title: str = ""
    brief: str = ""

    def scenario(self, plan: Plan) -> Scenario:
        """Return the scenario that a plan makes of the template."""
        kept = [
            replace(project, start_month=window.start_month, deadline_month=window.deadline_month)
            for project in self.template.projects
            if (window := plan.projects.get(project.project_id)) is not None
        ]
        staffed = self.template.staffed(plan.consultants, self.salary_per_month, self.workplace_cost_per_month)
        return replace(staffed.with_projects(kept), revenue_risk=plan.revenue_risk)

    @property
    def empty_plan(self) -> Plan:
        """What a round that is not rolled out counts as: hire nobody, or as few as the firm may, and decline all."""
        return Plan(consultants=int(self.bounds.consultants.low))

    @property
    def doing_nothing(self) -> str:
        """The empty plan in words."""
        return "employing as few as it may" if self.empty_plan.consultants else "hiring nobody"

    def with_gate(self, gate: Gate) -> Firm:
        """Return the same firm under another gate."""
        return replace(self, template=self.template.with_gate(gate))

    def parse(self, value: Any) -> Plan:
        """Read a plan from JSON values.

        Raises:
            DataError: A field is missing, unknown or out of bounds; the message gives each field's path.
        """
        if not isinstance(value, Mapping):
            raise DataError(f"plan: an object with {', '.join(_FIELDS)}, not {_shown(value, 60)}")
        problems = [
            f"{echo(name, 60)}: no field of a plan.{nearest(str(name), _FIELDS)}"
            for name in value
            if name not in _FIELDS
        ]
        consultants, revenue_risk = value.get("consultants"), value.get("revenue_risk")
        problems += integer_problem("consultants", consultants, self.bounds.consultants)
        problems += _number_problem("revenue_risk", revenue_risk, self.bounds.revenue_risk)
        projects = value.get("projects", {})
        if not isinstance(projects, Mapping):
            problems.append(f"projects: an object of windows by project id, not {_shown(projects, 60)}")
            projects = {}
        for project_id, window in projects.items():
            problems += self._window_problems(project_id, window)
        if problems:
            more = [f"and {len(problems) - _SHOWN_ERRORS} more"] if len(problems) > _SHOWN_ERRORS else []
            raise DataError("; ".join([*problems[:_SHOWN_ERRORS], *more]))
        assert type(consultants) is int
        assert isinstance(revenue_risk, (int, float))
        windows = {each: Window(**window) for each, window in projects.items() if window is not None}
        return Plan(consultants, float(revenue_risk), windows)

    def _window_problems(self, project_id: Any, window: Any) -> list[str]:
        bounds = self.bounds.projects.get(project_id)
        place = f"projects.{echo(project_id, 60)}"
        if bounds is None:
            return [f"{place}: there is no such project.{nearest(str(project_id), self.bounds.projects)}"]
        if window is None:
            return []
        if not isinstance(window, Mapping) or set(window) != set(Window._fields):
            return [f"{place}: null, or an object of {' and '.join(Window._fields)}, not {_shown(window, 80)}"]
        return window_problems(place, window["start_month"], window["deadline_month"], bounds)


def window_problems(place: str, start_month: Any, deadline_month: Any, bounds: ProjectBounds) -> list[str]:
    """Return what is wrong with a window, each with the path of its field."""
    problems = integer_problem(f"{place}.start_month", start_month, bounds.start_month)
    problems += integer_problem(f"{place}.deadline_month", deadline_month, bounds.deadline_month)
    if not problems and deadline_month <= start_month:
        problems.append(f"{place}.deadline_month: after start_month {start_month}, not {deadline_month}")
    return problems


def integer_problem(place: str, value: Any, allowed: Range) -> list[str]:
    """Return what is wrong with a whole number, nothing where it is within its bounds."""
    if type(value) is int and value in allowed:
        return []
    return [f"{place}: an integer {allowed}, not {_shown(value, 60)}"]


def _number_problem(place: str, value: Any, allowed: Range) -> list[str]:
    if type(value) in (int, float) and value in allowed:
        return []
    return [f"{place}: a number {allowed}, not {_shown(value, 60)}"]


def plain(value: float) -> str:
    """Write a number so that it reads back as the same number, without a needless fraction."""
    return f"{value + 0.0:.0f}" if value == int(value) else repr(float(value))  # + 0.0: no minus before zero


def _shown(value: Any, limit_characters: int) -> str:
    """Quote what was sent; a number that came as text is seen to be text."""
    return f"{echo(value, limit_characters)} as text" if isinstance(value, str) else echo(value, limit_characters)


def terms_of(scenario: Scenario) -> tuple[float, float]:
    """Return what the first group of consultants costs a month, (salary, workplace), zeros where there is none."""
    for agent in scenario.agents:
        if isinstance(agent, Consultants):
            return agent.salary_per_month, agent.workplace_cost_per_month
    return 0.0, 0.0

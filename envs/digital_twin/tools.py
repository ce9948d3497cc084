"""The tools of the Digital Twin: the decision field by field, or the whole plan in one call."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ..core.tools import Toolbox, tool
from .plan import Bounds, Firm, Range

_STRICT = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class DigitalTwinTools:
    """The calls a planner can make; `DigitalTwinEnv` does what they say."""

    def _show(self, what: str, project_id: str = "") -> str:
        raise NotImplementedError

    def _decide(self, **fields: Any) -> str:
        raise NotImplementedError

    def _take(self, plan: Any) -> str:
        raise NotImplementedError

    def _roll_out(self) -> str:
        raise NotImplementedError

    @tool(effect="read")
    def list_projects(self) -> str:
        """List every project on offer with its terms and the months that its client accepts."""
        return self._show("projects")

    @tool(effect="read")
    def get_project(self, project_id: str) -> str:
        """Show one project: its terms, the months that its client accepts, and what your plan does with it.

        Args:
            project_id: Id of the project.
        """
        return self._show("project", project_id)

    @tool(effect="read")
    def get_firm(self) -> str:
        """Show the firm: monthly costs, the length of a run, and the bounds of staff and revenue risk."""
        return self._show("firm")

    @tool(effect="read")
    def get_plan(self) -> str:
        """Show the plan as it stands."""
        return self._show("plan")

    @tool(effect="write")
    def set_workforce(self, consultants: int) -> str:
        """Set how many consultants the firm employs from the first month to the last.

        Args:
            consultants: Number of consultants.
        """
        return self._decide(consultants=consultants)

    @tool(effect="write")
    def set_revenue_risk(self, level: float) -> str:
        """Set the firm's appetite for uncertain revenue, which decides on extensions and follow-on projects.

        Args:
            level: 0 accepts certain revenue alone, 1 takes every chance.
        """
        return self._decide(revenue_risk=level)

    @tool(effect="write")
    def schedule_project(self, project_id: str, start_month: int, deadline_month: int) -> str:
        """Accept a project in a window that its client accepts.

        Args:
            project_id: Id of the project.
            start_month: Month in which it opens; work begins in the month after.
            deadline_month: Last month in which work on it is paid.
        """
        return self._decide(project_id=project_id, window=(start_month, deadline_month))

    @tool(effect="write")
    def decline_project(self, project_id: str) -> str:
        """Decline a project.

        Args:
            project_id: Id of the project.
        """
        return self._decide(project_id=project_id, window=None)

    @tool(effect="write")
    def submit_plan(self, plan: dict[str, Any]) -> str:
        """Replace the whole plan; projects that are null or left out are declined. It does not run yet.

        Args:
            plan: Consultants, revenue risk, and the window of each accepted project by its id.
        """
        return self._take(plan)

    @tool(effect="write")
    def run_simulation(self) -> str:
        """Roll the plan out over all months and report. This uses up a round; the last round ends the task."""
        return self._roll_out()


def toolbox(firm: Firm) -> Toolbox:
    """Return the tools with the bounds of a firm in their schemas."""
    return _toolbox(_Key(firm.bounds))


class _Key:
    """Bounds as a cache key: by identity, since they hold a mapping."""

    def __init__(self, bounds: Bounds) -> None:
        self.bounds = bounds

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Key) and other.bounds == self.bounds

    def __hash__(self) -> int:
        return hash((self.bounds.consultants, self.bounds.revenue_risk, *self.bounds.projects))


@lru_cache(maxsize=64)
def _toolbox(key: _Key) -> Toolbox:
    bounds = key.bounds
    starts = [each.start_month for each in bounds.projects.values()]
    ends = [each.deadline_month for each in bounds.projects.values()]
    months = {"start_month": _within(_hull(starts)), "deadline_month": _within(_hull(ends))}
    one_of = (choice, (tuple(bounds.projects),))
    tools = Toolbox.of(DigitalTwinTools)
    special = {
        "get_project": tools["get_project"].typed(project_id=one_of),
        "set_workforce": tools["set_workforce"].bounded(consultants=_within(bounds.consultants)),
        "set_revenue_risk": tools["set_revenue_risk"].bounded(level=_within(bounds.revenue_risk)),
        "schedule_project": tools["schedule_project"].typed(project_id=one_of).bounded(**months),
        "decline_project": tools["decline_project"].typed(project_id=one_of),
        "submit_plan": tools["submit_plan"].typed(plan=(plan_model, (bounds,))),
    }
    return Toolbox(special.get(name, each) for name, each in tools.items())


def choice(names: tuple[str, ...]) -> Any:
    """Return the type of a parameter that takes one of these names."""
    return Literal[names]


def plan_model(bounds: Bounds) -> Any:
    """Return the type of a plan within these bounds: every project by its id, with the months of its client."""
    windows: dict[Any, Any] = {}
    projects: dict[str, Any] = {}
    for number, (project_id, each) in enumerate(bounds.projects.items(), 1):
        if each not in windows:
            start, end = _integer(each.start_month), _integer(each.deadline_month)
            name = f"window_{len(windows) + 1}"
            windows[each] = create_model(name, __config__=_STRICT, start_month=(start, ...), deadline_month=(end, ...))
        projects[f"project_{number}"] = (windows[each] | None, Field(None, alias=project_id))
    by_id: type[BaseModel] = create_model("projects", __config__=_STRICT, **projects)
    level = Annotated[float, Field(**_within(bounds.revenue_risk))]
    return create_model(
        "plan",
        __config__=_STRICT,
        consultants=(_integer(bounds.consultants), ...),
        revenue_risk=(level, ...),
        projects=(by_id, Field(default_factory=by_id)),
    )


def _integer(allowed: Range) -> Any:
    return Annotated[int, Field(**_within(allowed))]


def _within(allowed: Range) -> dict[str, Any]:
    return {"ge": allowed.low, "le": allowed.high}


def _hull(ranges: list[Range]) -> Range:
    return Range(min(each.low for each in ranges), max(each.high for each in ranges))

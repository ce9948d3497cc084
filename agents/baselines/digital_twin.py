"""Players of the Digital Twin without a model: plans by rule of thumb and by search, an oracle, and the traps."""

from __future__ import annotations

from typing import Any, ClassVar

from ...envs.core.errors import SettingError
from ...envs.core.text import echo
from ...envs.digital_twin.plan import Firm, Plan
from ...envs.digital_twin.search import heuristics
from ...envs.digital_twin.tasks import StoredPlan, TaskPlans, plan_of, plans_for, task_of_run
from ..base import Agent, RunContext, TaskCard
from .generic import DoNothing, RandomCalls, RefuseAll

__all__ = [
    "DoNothing",
    "Greedy",
    "GreedyTuned",
    "Margin",
    "Oracle",
    "RandomCalls",
    "RandomSearch",
    "RefuseAll",
    "Trivial",
]

MAX_RANDOM_PLANS = 1_000_000


class Planner(Agent):
    """Submits one plan and rolls it out in every round.

    The plan of a shipped task is the stored one where it is stored, so that no episode waits for a search.
    """

    stored_as: ClassVar[str] = ""

    def begin_run(self, run: RunContext) -> None:
        """Remember the settings of the environment, which are public."""
        self._env_kwargs = dict(run.settings.get("env_kwargs", {}))

    def begin_episode(self, task: TaskCard) -> None:
        """Make the plan."""
        played = task_of_run(self._env_kwargs, task.task_id)
        plans = plans_for(played)
        stored = None if plans is None else self._stored(plans)
        self._plan = self._make(played.firm) if stored is None else plan_of(stored, played.firm)
        self._submitted = False

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Submit the plan, then run."""
        if self._submitted:
            return {"name": "run_simulation", "arguments": {}}
        self._submitted = True
        return {"name": "submit_plan", "arguments": {"plan": self._plan.to_json()}}

    def _stored(self, plans: TaskPlans) -> StoredPlan | None:
        return plans.heuristics.get(self.stored_as)

    def _make(self, firm: Firm) -> Plan:
        raise NotImplementedError


class Trivial(Planner):
    """Accepts everything in its widest window, at full risk, with as many people as the caps ask for or it may."""

    def _make(self, firm: Firm) -> Plan:
        return heuristics.trivial(firm)


class Margin(Planner):
    """Accepts what bills above the cost of a consultant, at half the risk, with staff for 80 % utilization."""

    def _make(self, firm: Firm) -> Plan:
        return heuristics.margin(firm)


class Greedy(Planner):
    """Forward selection on the simulator: adds the project and window that raises mean earnings most."""

    stored_as = "greedy"

    def _make(self, firm: Firm) -> Plan:
        return heuristics.greedy(firm)


class GreedyTuned(Planner):
    """Forward selection, then the best staff and risk for it, and again with these."""

    stored_as = "greedy_tuned"

    def _make(self, firm: Firm) -> Plan:
        return heuristics.greedy_tuned(firm)


class RandomSearch(Planner):
    """The best of many random plans on the simulator.

    Args:
        plans: How many are drawn, 1 to 1,000,000.
    """

    def __init__(self, plans: int = heuristics.RANDOM_PLANS) -> None:
        if type(plans) is not int or not 1 <= plans <= MAX_RANDOM_PLANS:
            raise SettingError(f"plans: an integer from 1 to {MAX_RANDOM_PLANS:,}, not {echo(plans)}")
        self._plans = plans

    def _stored(self, plans: TaskPlans) -> StoredPlan | None:
        return plans.heuristics.get("random_search") if self._plans == heuristics.RANDOM_PLANS else None

    def _make(self, firm: Firm) -> Plan:
        return heuristics.random_search(firm, self._plans)


class Oracle(Planner):
    """Plays the best plan known."""

    def _stored(self, plans: TaskPlans) -> StoredPlan | None:
        return plans.best

    def _make(self, firm: Firm) -> Plan:
        raise SettingError("there is no plan for these settings; run `bizgym anchors` with them first")

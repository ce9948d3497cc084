"""The score of a plan: rounds rolled out, metrics of an ended episode, and the outcome of a recorded history.

The score is accumulated earnings in $ as the firm's controlling last reports them, over the rounds of an episode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..core.errors import DataError
from ..core.outcome import Outcome
from ..core.seeding import episode_rng
from ..core.tasks import Anchors
from .kpis import Result, report
from .plan import Firm, Plan, Window, window_problems
from .scenario import Scenario
from .simulate import coins_for as coins_for
from .state import Coins, draw_coins, no_coins, run
from .tasks import DigitalTwinTask, task_of_run
from .timeline import panels

COMPONENTS = ("earnings",)
UNITS = {**dict.fromkeys(("reward", "earnings", "earnings_full", "revenue"), "$"), "peak_staff": "consultants"}
"""Unit of the reward and of each metric that has one."""


class Round(NamedTuple):
    """One round: the scenario that the plan made, its random numbers, and the report of the run."""

    scenario: Scenario
    coins: Coins
    result: Result


@dataclass(slots=True)
class Draft:
    """A plan in the making: None until it is decided; projects that do not appear are declined."""

    consultants: int | None = None
    revenue_risk: float | None = None
    projects: dict[str, Window] = field(default_factory=dict)

    def replace(self, plan: Plan) -> None:
        """Take over a whole plan."""
        self.consultants, self.revenue_risk = plan.consultants, plan.revenue_risk
        self.projects = dict(plan.projects)

    def schedule(self, firm: Firm, project_id: str, window: Window | None) -> None:
        """Accept a project in a window, or decline it.

        Raises:
            DataError: The window is not one that the client accepts; the message gives the field's path.
        """
        if window is None:
            self.projects.pop(project_id, None)
            return
        problems = window_problems(f"projects.{project_id}", *window, firm.bounds.projects[project_id])
        if problems:
            raise DataError("; ".join(problems))
        self.projects[project_id] = window

    @property
    def missing(self) -> list[str]:
        """The fields that are still to be decided before the plan can be rolled out."""
        return [name for name in ("consultants", "revenue_risk") if getattr(self, name) is None]

    @property
    def plan(self) -> Plan:
        """The plan as it stands."""
        return Plan(self.consultants or 0, self.revenue_risk or 0.0, dict(self.projects))

    def to_json(self) -> dict[str, Any]:
        """Return the draft as JSON values."""
        shown = self.plan.to_json()
        return {**shown, "consultants": self.consultants, "revenue_risk": self.revenue_risk}


def roll_out(firm: Firm, plan: Plan, rng: Any) -> Round:
    """Roll a plan out; each round draws new random numbers."""
    # Drawn for every project on offer, so that a project's luck is the same whatever else the plan accepts.
    drawn = draw_coins(firm.template, rng)
    scenario = firm.scenario(plan)
    coins = coins_for(firm, scenario, drawn)
    return Round(scenario, coins, report(scenario, run(scenario, coins)))


def empty_earnings(firm: Firm) -> float:
    """Return what a round that is not rolled out counts as, in $: hire nobody, or as few as one may; decline all."""
    scenario = firm.scenario(firm.empty_plan)
    return report(scenario, run(scenario, no_coins(scenario))).earnings


def score_of(how: str, rounds: Sequence[float]) -> float:
    """Return the score of an episode from the earnings of its rounds, in $: the last, the best or the mean."""
    if how == "last":
        return rounds[-1]
    return max(rounds) if how == "best" else sum(rounds) / len(rounds)


def final_score(task: DigitalTwinTask, played: Sequence[Round], rounds: int, how: str) -> float:
    """Return the score of an episode in $; rounds that were not rolled out count as hire nobody, decline all."""
    earned = [each.result.earnings for each in played]
    if len(played) < rounds:
        earned += [empty_earnings(task.firm)] * (rounds - len(played))
    return score_of(how, earned)


def metrics(played: Sequence[Round], score: float, anchors: Anchors | None) -> dict[str, float]:
    """Return the metrics of an ended episode: `earnings` is its score, the others describe the last round rolled out.

    revenue ($) as last reported; utilization, effort over capacity of all reported months; peak_staff, most
    consultants at work or waiting; projects_won, projects whose contracted effort was delivered in time, follow-ons
    included; projects_lost, accepted or ordered projects where it was not; normalized by the task's anchors.
    """
    found = {"earnings": score}
    if played:
        result = played[-1].result
        last = result.steps[-1]
        won = sum(project.won for project in result.projects)
        found["earnings_full"] = result.earnings_full
        found["revenue"] = last.accumulated_revenue
        found["utilization"] = last.overall_avg_utilization
        found["peak_staff"] = max(step.consultant_capacity_fte for step in result.steps)
        found["projects_won"] = float(won)
        found["projects_lost"] = float(len(result.projects) - won)
    normalized = anchors.normalized(score) if anchors is not None else None
    if normalized is not None:
        found["normalized"] = normalized
    return found


def task_of(env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> DigitalTwinTask:
    """Return the task of a recorded episode, with the seed that its random numbers follow from."""
    return task_of_run(env_kwargs, task_id).changed(episode_seed=seed)


def play(task: DigitalTwinTask, history: Iterable[tuple[str, Mapping[str, Any]]]) -> list[Round]:
    """Roll out the rounds of a recorded history."""
    firm, draft, played = task.firm, Draft(), []
    rng = episode_rng(task.episode_seed or 0)
    for name, arguments in history:
        if name == "run_simulation":
            played.append(roll_out(firm, draft.plan, rng))
        else:
            apply(firm, draft, name, arguments)
    return played


def apply(firm: Firm, draft: Draft, name: str, arguments: Mapping[str, Any]) -> None:
    """Change a draft as a call says; calls that decide nothing leave it.

    Raises:
        DataError: The call does not keep the firm's bounds.
    """
    if name == "submit_plan":
        draft.replace(firm.parse(arguments["plan"]))
    elif name == "set_workforce":
        draft.consultants = arguments["consultants"]
    elif name == "set_revenue_risk":
        draft.revenue_risk = float(arguments["level"])
    elif name == "schedule_project":
        window = Window(arguments["start_month"], arguments["deadline_month"])
        draft.schedule(firm, arguments["project_id"], window)
    elif name == "decline_project":
        draft.schedule(firm, arguments["project_id"], None)


def outcome(task: DigitalTwinTask, history: Iterable[tuple[str, Mapping[str, Any]]]) -> Outcome:
    """Score a history; rounds that were not rolled out count as hire nobody, decline all.

    Args:
        task: The task, with the seed of the episode.
        history: The executed calls, in order, as (name, arguments).
    """
    played = play(task, history)
    score = final_score(task, played, task.rounds, task.score)
    return Outcome({"earnings": score}, metrics(played, score, task.anchors))


def series(task: DigitalTwinTask, history: Iterable[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Return what a report plots of the last round: earnings, staff and a bar for each project."""
    played = play(task, history)
    return panels(played[-1].scenario, played[-1].coins, played[-1].result) if played else []

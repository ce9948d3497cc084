"""The score of a game: costs by week, metrics of an ended game, and the outcome of a recorded history.

Reward is the negative cost of the week of the played stage, so that the return is minus its total cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from operator import mul
from typing import Any

from ..core.outcome import Outcome
from ..core.tasks import Anchors
from .policies import SCALAR_OPS, STAGES, Quantity
from .state import Settings, State, Week, advance, initial_state
from .tasks import BeerGameTask, realised_task

COMPONENTS = ("holding_cost", "backlog_cost", "forfeit_cost")
_COST_KEYS = tuple(f"cost_{stage}" for stage in STAGES)
UNITS = {**dict.fromkeys(("reward", "cost", "cost_chain", *_COST_KEYS), "$"), "weeks_in_backlog": "weeks"}
"""Unit of the reward and of each metric that has one."""


def task_of(env_kwargs: Mapping[str, Any], task_id: str, seed: int) -> BeerGameTask:
    """Return the task of a recorded episode, its random demand drawn as the episode drew it."""
    return realised_task(env_kwargs, task_id, seed)


def orders_of(history: Iterable[tuple[str, Mapping[str, Any]]]) -> list[int]:
    """Return the units ordered in each week played, from the executed calls of an episode."""
    return [arguments["quantity"] for name, arguments in history if name == "place_order"]


def week_costs(settings: Settings, week: Week) -> tuple[float, float]:
    """Return what the week cost the played stage: for inventory and for backlog, in $."""
    _, _, _, _, _, _, backlog, _, cost, _ = week
    backlog_cost = settings.backlog_cost_per_unit_week * backlog[settings.role_index]
    return cost[settings.role_index] - backlog_cost, backlog_cost


def play(settings: Settings, demand: Sequence[int], orders: Sequence[int]) -> tuple[State, list[Week]]:
    """Play the weeks that have an order; return the state after them and their records."""
    state, weeks = initial_state(settings), []
    for order, consumer_order in zip(orders, demand, strict=False):
        state, week = advance(settings, state, order, consumer_order, SCALAR_OPS)
        weeks.append(week)
    return state, weeks


def forfeit(settings: Settings, state: State, demand: Sequence[int]) -> tuple[State, list[Week], float]:
    """Play the weeks that are left with orders of 0; return the end, their records and what they cost, in $."""
    weeks: list[Week] = []
    for consumer_order in demand[state.week :]:
        state, week = advance(settings, state, 0, consumer_order, SCALAR_OPS)
        weeks.append(week)
    return state, weeks, float(sum(week.cost[settings.role_index] for week in weeks))


def metrics(settings: Settings, weeks: Sequence[Week], anchors: Anchors | None) -> dict[str, float]:
    """Return the metrics of an ended game.

    cost, cost_<stage>, cost_chain: total cost in $ of the played stage, of each stage, of all four.
    fill_rate: units shipped in the week they were asked for, over units asked for (the beta service level); absent
        where nothing was asked for.
    weeks_in_backlog: weeks that ended with units owed.
    bullwhip: variance of the orders placed over the variance of the orders received (Chen, Drezner, Ryan and
        Simchi-Levi 2000); absent where the orders received do not vary.
    normalized: (score - floor) / (ceiling - floor) with score = -cost; absent where the task has no scale.
    """
    role, total = settings.role_index, weeks[-1].total_cost
    cost = float(total[role])
    found = {"cost": cost, **dict(zip(_COST_KEYS, map(float, total), strict=True)), "cost_chain": float(sum(total))}
    asked = [week.demanded[role] for week in weeks]
    placed = [week.ordered[role] for week in weeks]
    owed = [week.backlog[role] for week in weeks]
    found["weeks_in_backlog"] = float(len(owed) - owed.count(0))
    if sum(asked):
        late = sum(map(min, asked, owed))  # old debts are served first, so what is owed at the end is the week's own
        found["fill_rate"] = float((sum(asked) - late) / sum(asked))
    variation = _spread(asked)
    if variation > 0:
        found["bullwhip"] = float(_spread(placed) / variation)
    normalized = anchors.normalized(-cost) if anchors is not None else None
    if normalized is not None:
        found["normalized"] = normalized
    return found


def _spread(units: Sequence[Quantity]) -> Quantity:
    """Return the variance times the square of the number of weeks: exact for whole units."""
    return len(units) * sum(map(mul, units, units)) - sum(units) ** 2


def running_metrics(settings: Settings, state: State) -> dict[str, float]:
    """Return the one metric that is defined before the end: what the weeks played have cost the played stage, in $.

    What the other stages hold and pay is hidden until the game is over.
    """
    return {"cost": float(state.total_cost[settings.role_index])}


def outcome(task: BeerGameTask, history: Iterable[tuple[str, Mapping[str, Any]]]) -> Outcome:
    """Score a history; weeks that were not played are played with orders of 0 and charged.

    Args:
        task: The game, its demand a list.
        history: The executed calls, in order, as (name, arguments).
    """
    settings = task.settings
    state, weeks = play(settings, task.demand, orders_of(history))
    costs = [week_costs(settings, week) for week in weeks]
    _, unplayed, forfeited = forfeit(settings, state, task.demand)
    components = {
        "holding_cost": -float(sum(holding for holding, _ in costs)),
        "backlog_cost": -float(sum(backlog for _, backlog in costs)),
        "forfeit_cost": -forfeited,
    }
    return Outcome(components, metrics(settings, [*weeks, *unplayed], task.anchors))


def series(task: BeerGameTask, history: Iterable[tuple[str, Mapping[str, Any]]]) -> list[dict[str, Any]]:
    """Return what a report plots, one panel a quantity on a shared axis of weeks.

    Each panel is `{title, unit, x_label, x, lines: {name: values}}`; only weeks that were played appear.
    """
    settings, role = task.settings, task.settings.role_index
    _, weeks = play(settings, task.demand, orders_of(history))
    x = [week.week for week in weeks]
    panels = {
        "orders": {"customer order": "demanded", "order placed": "ordered", "shipment received": "received"},
        "inventory": {"inventory at end of week": "inventory"},
        "backlog": {"backlog at end of week": "backlog"},
    }
    drawn = [
        {
            "title": title,
            "unit": "units",
            "x_label": "week",
            "x": x,
            "lines": {name: [float(getattr(week, field)[role]) for week in weeks] for name, field in lines.items()},
        }
        for title, lines in panels.items()
    ]
    costs = {"cost of the week": [float(week.cost[role]) for week in weeks]}
    return [*drawn, {"title": "cost", "unit": "$", "x_label": "week", "x": x, "lines": costs}]

"""The generator of the shipped tasks: the same list at every call, all demand drawn and stored.

A family is one kind of consumer demand. Roles, delays, ordering habits, costs, order limits and lengths go round in
cycles of different lengths, so that over the list they meet in many combinations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np

from . import stories
from .demand import classic_settings, demand_weeks
from .policies import STAGES
from .state import DEFAULT_FLOW_UNITS, DEFAULT_HORIZON_WEEKS, Settings
from .stories import Rng, Story, Teller
from .tasks import DEFAULT_TASK, BeerGameTask

SEED = 1989
TEST_EVERY = 3
"""Every third task is a test task."""

PAPER = "paper"
PAPER_DELAYS = (2, 1)
PAPER_HABITS = ("typical", "smoothing4", "tau8")

FAMILIES: dict[str, tuple[int, Teller]] = {
    "step": (8, stories.step),
    "uniform": (8, stories.uniform),
    "seasonal": (9, stories.seasonal),
    "classic": (8, stories.classic),
    "ramp": (8, stories.ramp),
    "surge": (8, stories.surge),
    "shift": (8, stories.shift),
    "constant": (1, stories.constant),
}
"""Family -> number of tasks, and what draws their demand. The six games of the paper come on top."""

ROLES = ("retailer", "wholesaler", "retailer", "distributor", "retailer", "brewery", "retailer")
FAR_STAGES = ("distributor", "brewery")
DELAYS = ((1, 2), (1, 1), (1, 3), (2, 2), (1, 2), (2, 1), (1, 4), (2, 3), (1, 1))
"""Weeks of an order, weeks of a shipment."""

CLASSIC_DELAYS = ((2, 2), (1, 3), (2, 3))
"""Of the board game: in three weeks or less its first stock of 12 outlasts the step, and passing orders on is best."""

HABITS = (
    *("smoothing4", "cautious", "mixed", "tau8", "supply_line", "cautious"),
    *("order_balance", "ignore_backlog", "mixed", "typical", "mixed"),
)
CALM_HABITS = ("tau8", "cautious", "calm", "order_balance", "cautious")
"""Before a played distributor or brewery: orders that swell tenfold leave a player nothing to decide."""

PARTNERS = {
    "typical": "partners forget what is on order",
    "smoothing4": "partners average four weeks",
    "ignore_backlog": "partners forget backlog",
    "supply_line": "partners count what is on order",
    "tau8": "partners adjust slowly",
    "order_balance": "partners balance their orders",
    "cautious": "cautious partners",
    "mixed": "partners of different habits",
    "calm": "partners of different calm habits",
}
"""What the other stages do, in the words of a title."""

CAUTIOUS_WEIGHTS = (0.25, 0.5, 0.75)
"""Weights of inventory gap and backlog of cautious partners, who else order by the typical rule."""

MIXES = {
    "mixed": ("smoothing4", "tau8", "supply_line", "order_balance", "ignore_backlog", "pass_through"),
    "calm": ("tau8", "order_balance", "pass_through"),
}

COSTS = (
    *((0.5, 1.0), (0.5, 1.0), (0.5, 2.0), (0.5, 1.0), (0.5, 1.0), (0.5, 1.0), (0.5, 1.0), (0.5, 1.0)),
    *((0.5, 2.0), (0.5, 1.0), (0.5, 1.0), (1.0, 3.0), (0.5, 1.0)),
)
"""$ a unit and week in stock, and owed."""

PAID_SHARES = (0.0, 0.25, 0.0, 0.5)
"""Share of the initial stock whose holding cost is the minimum inventory cost; 1 in the default game."""

HORIZONS = (*[DEFAULT_HORIZON_WEEKS] * 9, 40, *[DEFAULT_HORIZON_WEEKS] * 5, 15)
LIMITED = (False, False, True, False, False)
LIMITS = (600, 1000, 2000)
LIMIT_OVER_PEAK = 2
"""Where orders are limited, the limit is the least of `LIMITS` that is at least this many times the highest demand."""

LEVELS = (80, 100, 120, 150, 200, 250)
"""Units a week that consumers ask for, and every delay holds, when a game begins."""

COVER_WEEKS = (2, 3, 4)
"""Weeks of demand that every stage has in stock when a game begins and that its partners aim at."""

_DEFAULTS = {field.name: field.default for field in fields(Settings) if field.init} | {"policies": "typical"}


def shipped_task_definitions() -> list[BeerGameTask]:
    """Return the shipped tasks without their anchors, in the order of `data/beer_game/tasks.yaml`."""
    tasks = [*_paper(), *_generated()]
    splits = ["test" if k % TEST_EVERY == TEST_EVERY - 1 else "train" for k in range(len(tasks))]
    return [task.changed(split=split) for task, split in zip(tasks, splits, strict=True)]


def family_of(task_id: str) -> str:
    """Return the family of a shipped task: `paper` for the six games of the paper, else the word before the number."""
    family, _, number = task_id.rpartition("-")
    return family if number.isdigit() else PAPER


def _paper() -> Iterator[BeerGameTask]:
    """Yield the game of the experiments with language models and its five relatives in delay and partners' habit."""
    demand = demand_weeks("step", DEFAULT_HORIZON_WEEKS, np.random.default_rng(0))
    for ship_weeks in PAPER_DELAYS:
        for habit in PAPER_HABITS:
            rules = {"ship_weeks": ship_weeks, "policies": habit}
            task_id = f"step-l{ship_weeks}-{habit}" if _changed(rules) else DEFAULT_TASK
            yield _task(task_id, Story(list(demand), "the paper's game"), habit, rules)


def _generated() -> Iterator[BeerGameTask]:
    numbered = [(name, n + 1) for name, (count, _) in FAMILIES.items() for n in range(count)]
    for k, (family, number) in enumerate(numbered):
        rng = np.random.default_rng([SEED, number, *family.encode()])
        habit, rules = (
            ("typical", {}) if family == "constant" else _habit_and_rules(rng, k, classic=family == "classic")
        )
        weeks, level = rules.get("horizon_weeks", DEFAULT_HORIZON_WEEKS), rules.get("initial_flow", DEFAULT_FLOW_UNITS)
        story = FAMILIES[family][1](rng, level, weeks, number)
        if LIMITED[k % len(LIMITED)] and rules and "max_order" not in rules and rules["role"] not in FAR_STAGES:
            rules["max_order"] = next(limit for limit in LIMITS if limit >= LIMIT_OVER_PEAK * max(story.demand))
        yield _task(f"{family}-{number:02d}", story, habit, rules)


def _task(task_id: str, story: Story, habit: str, rules: dict[str, Any]) -> BeerGameTask:
    settings = Settings(**{name: value for name, value in rules.items() if name != "policies"})
    delays = f"{settings.order_weeks}+{settings.ship_weeks} weeks"
    title = f"{story.words}; {settings.role}, lead time {delays}, {PARTNERS[habit]}"
    return BeerGameTask(task_id=task_id, split="", title=title, rules=_changed(rules), demand=story.demand)


def _changed(rules: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in rules.items() if value != _DEFAULTS[name]}


def _habit_and_rules(rng: Rng, k: int, *, classic: bool) -> tuple[str, dict[str, Any]]:
    """Return the partners' habit and the rules of the `k`-th generated game."""
    role = ROLES[k % len(ROLES)]
    habits = CALM_HABITS if role in FAR_STAGES else HABITS
    delays = CLASSIC_DELAYS if classic else DELAYS
    habit, (order_weeks, ship_weeks) = habits[k % len(habits)], delays[k % len(delays)]
    holding_cost, backlog_cost = COSTS[k % len(COSTS)]
    rules: dict[str, Any] = {
        "role": role,
        "order_weeks": order_weeks,
        "ship_weeks": ship_weeks,
        "horizon_weeks": HORIZONS[k % len(HORIZONS)],
        "policies": _policies(rng, habit, role),
        "holding_cost_per_unit_week": holding_cost,
        "backlog_cost_per_unit_week": backlog_cost,
    }
    paid_cost = holding_cost * PAID_SHARES[k % len(PAID_SHARES)]
    return habit, rules | (classic_settings() if classic else _stock(rng, paid_cost))


def _stock(rng: Rng, paid_cost_per_unit_week: float) -> dict[str, Any]:
    flow = int(rng.choice(LEVELS))
    stock = flow * int(rng.choice(COVER_WEEKS))
    return {
        "initial_inventory": stock,
        "target_inventory": stock,
        "initial_flow": flow,
        "minimum_inventory_cost_per_week": paid_cost_per_unit_week * stock,
    }


def _policies(rng: Rng, habit: str, role: str) -> Any:
    if habit == "cautious":
        alpha, beta = (float(weight) for weight in rng.choice(CAUTIOUS_WEIGHTS, size=2))
        return {"name": "typical", "alpha": alpha, "beta": beta}
    if habit in MIXES:
        return {stage: str(rng.choice(MIXES[habit])) for stage in STAGES if stage != role}
    return habit

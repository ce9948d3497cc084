"""Players of the Beer Game without a model: the field's order rules, an oracle, and the traps every benchmark has."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from ...envs.beer_game.policies import (
    MAX_UNITS,
    PAST_WEEKS,
    SCALAR_OPS,
    Policy,
    Quantity,
    check_integer,
    check_policy,
)
from ...envs.beer_game.search import best_base_stock, best_constant
from ...envs.beer_game.state import Settings
from ...envs.beer_game.tasks import BeerGameTask, plan_of, sampled_demand, task_of_run
from ...envs.core.errors import SettingError
from ..base import Agent, RunContext, TaskCard
from .generic import DoNothing, RandomCalls, RefuseAll

__all__ = [
    "BaseStock",
    "Constant",
    "DoNothing",
    "Oracle",
    "PassThrough",
    "RandomCalls",
    "RefuseAll",
    "Tau8",
    "Typical",
]

_NUMBERS = re.compile(
    r"Week (?P<week>\d+) of \d+\..*\n"
    r"- inventory: (?P<inventory>[\d.]+) units\n"
    r"- backlog: (?P<backlog>[\d.]+) units.*\n"
    r"- on order: (?P<on_order>[\d.]+) units.*\n"
    r"- shipment arriving in week \d+: (?P<arriving>[\d.]+) units.*\n"
    r"- customer order of week \d+: (?P<customer_order>[\d.]+) units"
)


@dataclass(frozen=True, slots=True)
class Situation:
    """What an observation says about the week to be played, in units."""

    week: int
    inventory: float
    backlog: float
    on_order: float
    arriving: float
    customer_order: float


def read_situation(observation: str) -> Situation:
    """Read the numbers of an observation.

    Raises:
        ValueError: The text is no situation of the Beer Game.
    """
    found = _NUMBERS.search(observation)
    if found is None:
        raise ValueError("the observation does not describe a week of the Beer Game")
    numbers = found.groupdict()
    return Situation(int(numbers.pop("week")), **{name: float(text) for name, text in numbers.items()})


class OrderRule(Agent):
    """A player that orders by a rule of the current situation; the order is rounded and kept within the limit."""

    def begin_run(self, run: RunContext) -> None:
        """Remember the settings of the game, which are public."""
        self._env_kwargs = dict(run.settings.get("env_kwargs", {}))

    def begin_episode(self, task: TaskCard) -> None:
        """Look up the game."""
        self._game = task_of_run(self._env_kwargs, task.task_id)
        self._prepare(self._game, self._game.settings)

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Place the order of the week."""
        units = round(self._order(read_situation(observation)))
        quantity = min(max(units, 0), self._game.settings.max_order)
        return {"name": "place_order", "arguments": {"quantity": quantity}}

    def _prepare(self, task: BeerGameTask, settings: Settings) -> None:
        """Set up for a game."""

    def _order(self, now: Situation) -> Quantity:
        raise NotImplementedError


class PolicyRule(OrderRule):
    """Plays one of the simulated stages' own policies, on the environment's own rule for it."""

    def __init__(self, policy: Policy) -> None:
        check_policy(policy)
        self._policy = policy

    def _prepare(self, task: BeerGameTask, settings: Settings) -> None:
        self._rule, self._terms = settings.plan_of(self._policy)
        self._past: list[tuple[float, ...]] = [(settings.initial_flow,)] * PAST_WEEKS

    def _order(self, now: Situation) -> Quantity:
        books = (now.inventory, now.backlog, now.on_order, tuple(self._past), 0)
        self._past = [*self._past[1:], (now.customer_order,)]
        return self._rule(self._terms, books, now.customer_order, SCALAR_OPS)


class Typical(PolicyRule):
    """Customer order + alpha * (target - inventory) + beta * backlog: blind to what is on order.

    Args:
        alpha: Weight of the inventory gap, 0 to 10.
        beta: Weight of the backlog, 0 to 10.
    """

    def __init__(self, alpha: float = 1.0, beta: float = 1.0) -> None:
        super().__init__(Policy("typical", alpha=alpha, beta=beta))


class PassThrough(PolicyRule):
    """Orders what the customer ordered this week."""

    def __init__(self) -> None:
        super().__init__(Policy("pass_through"))


class Tau8(PolicyRule):
    """Closes the gap of inventory and supply line over eight weeks."""

    def __init__(self) -> None:
        super().__init__(Policy("tau8"))


class Constant(OrderRule):
    """Orders the same number of units every week.

    Args:
        units: Units a week, 0 to 1,000,000; None for the number that costs least on the game itself, found by
            simulation beforehand (over sampled demand where demand is random). It is a tuned yardstick, not a player
            without foresight.
    """

    def __init__(self, units: int | None = None) -> None:
        if units is not None:
            check_integer("units", units, 0, MAX_UNITS)
        self._given = units

    def _prepare(self, task: BeerGameTask, settings: Settings) -> None:
        plan = plan_of(task.task_id) if self._given is None else None
        if self._given is not None:
            self._units = self._given
        elif plan is not None:
            self._units = plan.constant_units
        else:
            self._units, _ = best_constant(settings, sampled_demand(task))

    def _order(self, now: Situation) -> Quantity:
        return self._units


class BaseStock(OrderRule):
    """Orders up to a fixed level: level - (inventory - backlog + on order - customer order).

    Args:
        level: Units, 0 to 1,000,000; None for the level that costs least on the game itself, found by simulation
            beforehand (over sampled demand where demand is random). It is a tuned yardstick, not a player without
            foresight.
    """

    def __init__(self, level: int | None = None) -> None:
        if level is not None:
            check_integer("level", level, 0, MAX_UNITS)
        self._given = level

    def _prepare(self, task: BeerGameTask, settings: Settings) -> None:
        plan = plan_of(task.task_id) if self._given is None else None
        if self._given is not None:
            self._level = self._given
        elif plan is not None:
            self._level = plan.base_stock_level
        else:
            self._level, _ = best_base_stock(settings, sampled_demand(task))

    def _order(self, now: Situation) -> Quantity:
        return self._level - (now.inventory - now.backlog + now.on_order - now.customer_order)


class Oracle(OrderRule):
    """Plays the best plan known, found with the demand of the whole game in view.

    Args:
        foresight: False for the best plan whose first order is the steady flow: what a player can reach who does
            not know in week 1 that demand will change.
    """

    def __init__(self, foresight: bool = True) -> None:
        self._foresight = foresight

    def _prepare(self, task: BeerGameTask, settings: Settings) -> None:
        plan = plan_of(task.task_id)
        if plan is None:
            raise SettingError(f"there is no plan for {task.task_id}; run `bizgym anchors` with its settings first")
        self._orders = plan.orders if self._foresight else plan.orders_without_foresight

    def _order(self, now: Situation) -> Quantity:
        return self._orders[now.week - 1]

"""Yardsticks of a game: the best plan known, the best base-stock rule, random play, and a cost nobody can undercut.

All of them play on the kernel of `state`, a population of games as one batch of arrays.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .evolution import Costs, Plans, adapt, evolve
from .policies import BATCH_OPS, MAX_CONSTANT_UNITS, SCALAR_OPS, STAGES, Policy, check_integer
from .polish import polish
from .state import Settings, advance, customer_order, initial_state

GAMES_PER_BATCH = 4096
BASE_STOCK_LEVELS = 241
BASE_STOCK_TOP_FLOWS = 60
"""The base-stock grid ends at this many weeks of initial flow: 6000 units in steps of 25 for a flow of 100."""

PEAK_OVER_FLOW = 4
"""Where demand rises above this many times the initial flow, the grid grows in proportion."""

AGREEING_RESTARTS = 2
AGREEMENT = 1e-4
"""Restarts agree whose costs differ by no more than this share."""

FAR_SPREADS = (-0.7, 0.2)
NEAR_SPREADS = (-1.3, -0.3)
"""Powers of ten of mean demand: the first deviations of distributions begun anywhere, and of those about a plan."""


class Budget(NamedTuple):
    """How long `best_plan` looks.

    Attributes:
        restarts: Independent beginnings at most; fewer where they agree.
        joint: Further rounds that begin from the plans of all restarts.
        population: Plans that compete in each of the `generations` of a round.
        runs: Distributions of plans adapted side by side for `run_generations` at the start of a round.
        polished: Plans of a round whose small changes are tried.
        polish_game_weeks: Weeks played for each of them, about a second's worth.
    """

    restarts: int = 6
    joint: int = 2
    population: int = 400
    generations: int = 150
    runs: int = 12
    run_generations: int = 300
    polished: int = 4
    polish_game_weeks: int = 5_000_000


def plan_costs(settings: Settings, demand: Sequence[int], plans: Plans) -> NDArray[np.float64]:
    """Return the played stage's total cost of each plan, shape (games,).

    Args:
        settings: constants of the game.
        demand: consumers' orders, one a week.
        plans: orders of the played stage, shape (games, weeks).
    """
    costs = np.empty(len(plans))
    for start in range(0, len(plans), GAMES_PER_BATCH):
        state: Any = initial_state(settings)
        for order, units in zip(plans[start : start + GAMES_PER_BATCH].T, demand, strict=True):
            state, _ = advance(settings, state, order, units, BATCH_OPS)
        costs[start : start + GAMES_PER_BATCH] = state.total_cost[settings.role_index]
    return costs


def base_stock_plans(
    settings: Settings, demand: Sequence[int], levels: NDArray[np.float64], first_order: int | None = None
) -> tuple[Plans, NDArray[np.float64]]:
    """Play base-stock rules: order max(0, S - (I - B + O - d)), whole units, at most `max_order`.

    The inventory position I - B + O is that of last week's end, d this week's customer order (order-up-to rule of
    Clark and Scarf 1960). `first_order` replaces the order of week 1.

    Returns:
        The orders, shape (levels, weeks), and the costs of the played stage, shape (levels,).
    """
    role, state, orders = settings.role_index, initial_state(settings), []
    for week, units in enumerate(demand):
        asked = customer_order(state, units, role)
        position = state.inventory[role] - state.backlog[role] + state.open_orders[role] - asked
        order = np.clip(np.rint(levels - position), 0, settings.max_order)
        if week == 0 and first_order is not None:
            order = np.full_like(levels, first_order)
        orders.append(order)
        state, _ = advance(settings, state, order, units, BATCH_OPS)
    return np.stack(orders, axis=1), np.broadcast_to(state.total_cost[role], levels.shape)


def best_base_stock(
    settings: Settings, demand_paths: Sequence[Sequence[int]], *, first_order: int | None = None
) -> tuple[int, float]:
    """Return the base-stock level with the least mean cost over the demand paths, and that cost.

    The grid has 241 levels up to 60 weeks of initial flow, or of a quarter of the highest demand if that is more; of
    levels with equal cost the lowest counts.
    """
    levels = _levels(settings, max(max(path) for path in demand_paths))
    costs = np.mean([base_stock_plans(settings, path, levels, first_order)[1] for path in demand_paths], axis=0)
    best = int(np.argmin(costs))
    return int(levels[best]), float(costs[best])


def best_constant(settings: Settings, demand_paths: Sequence[Sequence[int]]) -> tuple[int, float]:
    """Return the weekly order with the least mean cost over the demand paths when it never changes, and that cost.

    The grid is that of `best_base_stock`; of orders with equal cost the lowest counts.
    """
    levels = _levels(settings, max(max(path) for path in demand_paths))
    levels = levels[levels <= settings.max_order]
    plans = levels[:, None] * np.ones(len(demand_paths[0]))
    costs = np.mean([plan_costs(settings, path, plans) for path in demand_paths], axis=0)
    best = int(np.argmin(costs))
    return int(levels[best]), float(costs[best])


def random_mean(settings: Settings, demand: Sequence[int], n: int, seed: int) -> float:
    """Return the mean cost of `n` games of a player who draws each order uniformly from the integers 0..max_order."""
    draws = np.random.default_rng(seed).integers(0, settings.max_order, size=(n, len(demand)), endpoint=True)
    return float(plan_costs(settings, demand, draws.astype(np.float64)).mean())


def lower_bound(settings: Settings, demand: Sequence[int], *, first_order: int | None = None) -> float | None:
    """Return a cost that no plan of the retailer can undercut; None for another role.

    With no backlog at the start, a stage has shipped by week t exactly min(initial stock + received, asked), so more
    orders anywhere never mean less received. The most the retailer can have received is therefore what it gets when it
    orders `max_order` every week and each stage above orders without limit from the week in which a changed order can
    first have reached it; the least is what it gets when all of them stop ordering then. Demand beyond the most is
    backlog, stock beyond what the least leaves must be held, and a week costs at least the minimum inventory cost.

    Args:
        settings: constants of the game.
        demand: consumers' orders, one a week.
        first_order: bound only the plans that order this many units in week 1.
    """
    if settings.role != STAGES[0]:
        return None
    most = _relaxed_receipts(settings, demand, first_order, settings.max_order, MAX_CONSTANT_UNITS)
    least = _relaxed_receipts(settings, demand, first_order, 0, 0)
    asked = np.cumsum(demand)
    backlog = np.maximum(0, asked - settings.initial_inventory - most)
    inventory = np.maximum(0, settings.initial_inventory + least - asked)
    holding = np.maximum(settings.holding_cost_per_unit_week * inventory, settings.minimum_inventory_cost_per_week)
    return float(np.sum(settings.backlog_cost_per_unit_week * backlog + holding))


def _relaxed_receipts(
    settings: Settings, demand: Sequence[int], first_order: int | None, player_units: int, upstream_units: int
) -> NDArray[np.float64]:
    """Return the retailer's cumulative receipts when all stages order fixed quantities as soon as they can differ."""
    free_week = 1 if first_order is None else 2
    state, received = initial_state(settings), []
    for week, units in enumerate(demand, start=1):
        fixed = Policy("constant", units=upstream_units)
        policies = tuple(
            fixed if week >= free_week + stage * settings.order_weeks else policy
            for stage, policy in enumerate(settings.policies)
        )
        order = player_units if first_order is None or week > 1 else first_order
        state, row = advance(replace(settings, policies=policies), state, order, units, SCALAR_OPS)
        received.append(row.received[0])
    return np.cumsum(received, dtype=np.float64)


def best_plan(
    settings: Settings,
    demand: Sequence[int],
    *,
    seed: int,
    first_order: int | None = None,
    known: Sequence[Sequence[int]] = (),
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> tuple[tuple[int, ...], float]:
    """Search the plan (orders known in advance, demand known) with the least cost of the played stage.

    The first restart evolves base-stock and constant plans; later ones adapt normal distributions of plans, begun
    anywhere, and evolve what they find. Each polishes its best plans until no single change, transfer between two weeks
    or removal of an order helps. At last all plans found are evolved together. The search ends early when a plan
    attains `lower_bound`. The same arguments give the same plan.

    Args:
        settings: constants of the game.
        demand: consumers' orders, one a week.
        seed: of the search, 0 or more.
        first_order: units ordered in week 1 in every plan; None leaves week 1 free.
        known: plans to begin from besides; their first order counts only where `first_order` is None.
        budget: length of the search.

    Returns:
        The orders, one a week, and their cost.

    Raises:
        ValueError: `first_order` is not an integer from 0 to `max_order`.
    """
    if first_order is not None:
        check_integer("first_order", first_order, 0, settings.max_order)
    given = () if first_order is None else (first_order,)
    bound = lower_bound(settings, demand, first_order=first_order)

    def costs(plans: Plans) -> NDArray[np.float64]:
        return plan_costs(settings, demand, np.hstack([np.tile(np.array(given, float), (len(plans), 1)), plans]))

    begun = np.minimum(_simple_plans(settings, demand, budget.population), settings.max_order)[:, len(given) :]
    begun = np.concatenate([begun, *(np.array([plan[len(given) :]], float) for plan in known)])
    if not begun.shape[1]:
        return given, float(costs(begun[:1])[0])
    # A far stage is asked for more than consumers ask for; the best simple plan knows how much.
    scale = max(1.0, float(np.mean(demand)), float(begun[np.argmin(costs(begun))].mean()))
    search = _Search(costs, settings.max_order, scale, np.random.default_rng(seed), bound, budget)
    plan, cost = search.run(begun)
    return given + tuple(int(units) for units in plan), cost


def _levels(settings: Settings, peak: int) -> NDArray[np.float64]:
    top = BASE_STOCK_TOP_FLOWS * max(1, settings.initial_flow, -(-peak // PEAK_OVER_FLOW))
    return np.unique(np.rint(np.linspace(0, top, BASE_STOCK_LEVELS)))


def _simple_plans(settings: Settings, demand: Sequence[int], population: int) -> Plans:
    """Return base-stock and constant plans."""
    peak = max(1, *demand)
    stocked, _ = base_stock_plans(settings, demand, _levels(settings, peak))
    steady = np.linspace(0, 4 * peak, max(1, population // 4)).round()[:, None] * np.ones(len(demand))
    return np.concatenate([stocked, steady])


class _Search:
    """The rounds of one search, and the polished plans that they have found."""

    def __init__(
        self, costs: Costs, limit: int, scale: float, rng: np.random.Generator, bound: float | None, budget: Budget
    ) -> None:
        self._costs, self._limit, self._scale, self._rng = costs, limit, scale, rng
        self._bound, self._budget = bound, budget
        self._found: list[tuple[NDArray[np.float64], float]] = []

    def run(self, begun: Plans) -> tuple[NDArray[np.float64], float]:
        """Play all rounds, the first from the plans given, and return the best plan and its cost."""
        costs = [self._round(begun)]
        while len(costs) < self._budget.restarts and not self._proven() and not _agree(costs[1:]):
            costs.append(self._round(self._anywhere(begun.shape[1])))
        for _ in range(self._budget.joint if len(costs) > 1 else 0):
            if not self._proven():
                self._round(self._near())
        return self._best()

    def _best(self) -> tuple[NDArray[np.float64], float]:
        return min(self._found, key=lambda found: found[1])

    def _proven(self) -> bool:
        return self._bound is not None and self._best()[1] <= self._bound

    def _round(self, plans: Plans) -> float:
        """Evolve plans, polish and keep the best of them, and return the least cost."""
        budget, paid = self._budget, []
        evolved = evolve(self._costs, plans, self._limit, self._rng, budget.population, budget.generations)
        for plan in evolved[: budget.polished]:
            self._found.append(polish(self._costs, plan, self._limit, budget.polish_game_weeks))
            paid.append(self._found[-1][1])
            if self._proven():
                break
        return min(paid)

    def _anywhere(self, weeks: int) -> Plans:
        """Return plans of mostly empty weeks with a few larger orders, and what distributions begun so have found."""
        rng, many = self._rng, (self._budget.population, weeks)
        sizes = rng.integers(0, min(self._limit, int(16 * self._scale)), size=many, endpoint=True).astype(float)
        sparse = sizes * (rng.random(many) < rng.random((many[0], 1)))
        few = (self._budget.runs, weeks)
        means = rng.uniform(0, 2 * self._scale, size=few) * (rng.random(few) < rng.random((few[0], 1)))
        return np.concatenate([sparse, self._adapted(means, FAR_SPREADS)])

    def _near(self) -> Plans:
        """Return every plan found, and what distributions about the best of them have found."""
        near = self._adapted(np.tile(self._best()[0], (self._budget.runs, 1)), NEAR_SPREADS)
        return np.concatenate([near, [plan for plan, _ in self._found]])

    def _adapted(self, means: Plans, spreads: tuple[float, float]) -> Plans:
        deviations = self._scale * 10 ** self._rng.uniform(*spreads, size=len(means))
        return adapt(self._costs, means, deviations, self._limit, self._rng, self._budget.run_generations)


def _agree(costs: Sequence[float]) -> bool:
    """Tell whether the least cost has been found more than once."""
    return sum(cost <= min(costs) * (1 + AGREEMENT) for cost in costs) >= AGREEING_RESTARTS if costs else False

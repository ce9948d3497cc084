"""Yardsticks of a game: the best plan known, the best base-stock rule, random play, and a cost nobody can undercut.

All of them play on the kernel of `state`, a population of games as one batch of arrays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .policies import BATCH_OPS, MAX_CONSTANT_UNITS, SCALAR_OPS, STAGES, Policy, check_integer
from .state import Settings, advance, customer_order, initial_state

Plans: TypeAlias = NDArray[np.float64]
"""Orders of the played stage in whole units, one row a game, one column a week."""

GAMES_PER_BATCH = 4096
BASE_STOCK_LEVELS = 241
BASE_STOCK_TOP_FLOWS = 60
"""The base-stock grid ends at this many weeks of initial flow: 6000 units in steps of 25 for a flow of 100."""

PEAK_OVER_FLOW = 4
"""Where demand rises above this many times the initial flow, the grid grows in proportion."""

SINGLE_STEPS = (1, 2, 5, 10, 25, 50, 100, 200, 500, 1000)
TRANSFER_STEPS = (1, 5, 10, 25, 50, 100, 200, 500)
TRANSFER_PAIRS = 2600
"""About so many pairs of weeks are tried: all of a game up to 36 weeks, near ones in a longer game."""

JOINED_MOVES = 32
MUTATIONS = 5


class Budget(NamedTuple):
    """How long `best_plan` looks: restarts, and per restart generations of a population whose best are polished.

    A polish ends when it has played `polish_game_weeks`, one or two seconds' worth.
    """

    restarts: int = 4
    population: int = 400
    generations: int = 150
    polished: int = 4
    polish_game_weeks: int = 30_000_000


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
    budget: Budget = Budget(),  # noqa: B008  # immutable
) -> tuple[tuple[int, ...], float]:
    """Search the plan (orders known in advance, demand known) with the least cost of the played stage.

    Each restart evolves a population, begun from base-stock and constant plans or from random ones in turn, and
    polishes its best members until no single change, transfer between two weeks or removal of an order helps. The
    search ends early when a plan attains `lower_bound`. The same arguments give the same plan.

    Args:
        settings: constants of the game.
        demand: consumers' orders, one a week.
        seed: of the search, 0 or more.
        first_order: units ordered in week 1 in every plan; None leaves week 1 free.
        budget: length of the search.

    Returns:
        The orders, one a week, and their cost.

    Raises:
        ValueError: `first_order` is not an integer from 0 to `max_order`.
    """
    if first_order is not None:
        check_integer("first_order", first_order, 0, settings.max_order)
    rng = np.random.default_rng(seed)
    bound = lower_bound(settings, demand, first_order=first_order)
    best, best_cost = np.zeros(len(demand)), np.inf
    for restart in range(budget.restarts):
        plans = _first_plans(settings, demand, rng, budget.population, informed=restart % 2 == 0)
        for plan in _evolve(settings, demand, _fix(plans, first_order), rng, budget, first_order):
            polished, cost = _polish(settings, demand, plan, first_order, budget.polish_game_weeks)
            if cost < best_cost:
                best, best_cost = polished, cost
            if bound is not None and best_cost <= bound:
                return tuple(int(units) for units in best), best_cost
    return tuple(int(units) for units in best), best_cost


def _levels(settings: Settings, peak: int) -> NDArray[np.float64]:
    top = BASE_STOCK_TOP_FLOWS * max(1, settings.initial_flow, -(-peak // PEAK_OVER_FLOW))
    return np.unique(np.rint(np.linspace(0, top, BASE_STOCK_LEVELS)))


def _fix(plans: Plans, first_order: int | None) -> Plans:
    if first_order is not None:
        plans[:, 0] = first_order
    return plans


def _first_plans(
    settings: Settings, demand: Sequence[int], rng: np.random.Generator, population: int, *, informed: bool
) -> Plans:
    weeks, peak = len(demand), max(1, *demand)
    if informed:
        stocked, _ = base_stock_plans(settings, demand, _levels(settings, peak))
        steady = np.linspace(0, 4 * peak, max(1, population // 4)).round()[:, None] * np.ones(weeks)
        capped: Plans = np.minimum(np.concatenate([stocked, steady]), settings.max_order)
        return capped
    # Mostly empty weeks with a few larger orders: the shape of good plans.
    sizes = rng.integers(0, min(settings.max_order, 8 * peak), size=(population, weeks), endpoint=True).astype(float)
    sparse: Plans = sizes * (rng.random((population, weeks)) < rng.random((population, 1)))
    return sparse


def _evolve(
    settings: Settings,
    demand: Sequence[int],
    plans: Plans,
    rng: np.random.Generator,
    budget: Budget,
    first_order: int | None,
) -> Plans:
    """Return the best different plans after all generations, parents competing with their children."""
    costs = plan_costs(settings, demand, plans)
    for _ in range(budget.generations):
        children = _fix(_children(settings, plans, rng, budget.population), first_order)
        plans = np.concatenate([plans, children])
        costs = np.concatenate([costs, plan_costs(settings, demand, children)])
        _, different = np.unique(plans, axis=0, return_index=True)
        kept = different[np.lexsort((different, costs[different]))][: budget.population]
        plans, costs = plans[kept], costs[kept]
    return plans[: budget.polished]


def _children(settings: Settings, parents: Plans, rng: np.random.Generator, count: int) -> Plans:
    # Squared draws favour the front of the list, where the cheap plans are.
    first, second = (rng.random((2, count)) ** 2 * len(parents)).astype(int)
    weeks = parents.shape[1]
    cut = rng.integers(0, weeks, size=(count, 1), endpoint=True)
    children = np.where(np.arange(weeks) < cut, parents[first], parents[second])
    for _ in range(int(rng.integers(1, 4))):
        _mutate(children, rng, settings)
    allowed: Plans = np.clip(children, 0, settings.max_order)
    return allowed


def _mutate(plans: Plans, rng: np.random.Generator, settings: Settings) -> None:
    """Change each plan in place at one week or between two: step, part transfer, merge, removal, or nothing."""
    rows = np.arange(len(plans))
    kind = rng.integers(0, MUTATIONS, size=len(plans))
    source, target = rng.integers(0, plans.shape[1], size=(2, len(plans)))
    scale = 10 ** rng.uniform(0, np.log10(settings.max_order), size=len(plans))
    step = np.rint(rng.normal(size=len(plans)) * scale)
    moved = np.rint(plans[rows, source] * np.where(kind == 1, rng.random(len(plans)), 1))
    moved[(kind == 0) | (kind == MUTATIONS - 1)] = 0
    plans[rows, source] -= moved
    plans[rows, target] += np.where(kind <= 2, moved, 0) + np.where(kind == 0, step, 0)


def _polish(
    settings: Settings, demand: Sequence[int], plan: NDArray[np.float64], first_order: int | None, game_weeks: int
) -> tuple[NDArray[np.float64], float]:
    """Take the best move, or the best few together, for as long as that is cheaper and the budget lasts."""
    cost = float(plan_costs(settings, demand, plan[None])[0])
    while game_weeks > 0:
        moves = _moves(settings, plan, first_week=0 if first_order is None else 1)
        costs = np.concatenate([plan_costs(settings, demand, plans) for plans in _moved(plan, moves)] or [np.empty(0)])
        game_weeks -= len(costs) * len(plan)
        order = np.argsort(costs, kind="stable")[:JOINED_MOVES]
        order = order[costs[order] < cost]
        if not len(order):
            break
        together = _joined(settings, plan, moves[:, order])
        joined_costs = plan_costs(settings, demand, together)
        best = int(np.argmin(joined_costs))
        plan, cost = together[best], float(joined_costs[best])
    return plan, cost


def _joined(settings: Settings, plan: NDArray[np.float64], moves: NDArray[np.float64]) -> Plans:
    """Return the plans after the first move, the first two, and so on, without moves that no longer fit."""
    plans = []
    for move in moves.T[:, :, None]:
        moved = next(_moved(plan, move))[0]
        if moved.min() >= 0 and moved.max() <= settings.max_order:
            plan = moved
            plans.append(plan)
    return np.array(plans)


def _moves(settings: Settings, plan: NDArray[np.float64], first_week: int) -> NDArray[np.float64]:
    """Return the moves the plan allows, as rows source week, units taken there, target week, units added there."""
    weeks = np.arange(first_week, len(plan))
    window = max(2, min(len(plan), TRANSFER_PAIRS // (2 * len(plan))))
    pairs = [(i, j) for i in weeks for j in weeks if i != j and abs(i - j) < window]
    source, target = np.array(pairs, dtype=int).reshape(-1, 2).T
    nothing = np.zeros(len(weeks))
    groups = [(weeks, nothing, weeks, nothing + step) for size in SINGLE_STEPS for step in (size, -size)]
    groups += [(source, nothing[:1] + step, target, nothing[:1] + step) for step in TRANSFER_STEPS]
    groups += [(weeks, plan[weeks], weeks, nothing), (source, plan[source], target, plan[source])]
    moves = np.concatenate([np.stack(np.broadcast_arrays(*group)) for group in groups], axis=1)
    rest = plan[moves[0].astype(int)] - moves[1]
    grown = plan[moves[2].astype(int)] + moves[3]
    allowed: NDArray[np.float64] = moves[:, (rest >= 0) & (grown >= 0) & (grown <= settings.max_order)]
    return allowed


def _moved(plan: NDArray[np.float64], moves: NDArray[np.float64]) -> Iterator[Plans]:
    """Yield the plans that the moves lead to, a batch at a time."""
    for start in range(0, moves.shape[1], GAMES_PER_BATCH):
        source, taken, target, added = moves[:, start : start + GAMES_PER_BATCH]
        plans = np.tile(plan, (len(taken), 1))
        rows = np.arange(len(plans))
        plans[rows, source.astype(int)] -= taken
        plans[rows, target.astype(int)] += added
        yield plans

"""Run a whole chain and return its books, one row a week.

The columns are those of the transentis BPTK beer game tutorial model, agent-based form: books at the end of the week.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np

from .demand import DemandSpec, classic_settings, demand_weeks, is_classic
from .policies import MAX_UNITS, SCALAR_OPS, STAGES, Policy, check_integer, parse_policies
from .state import (
    DEFAULT_HORIZON_WEEKS,
    DEFAULT_ORDER_WEEKS,
    DEFAULT_SHIP_WEEKS,
    MAX_HORIZON_WEEKS,
    Settings,
    Week,
    advance,
    initial_state,
)

MAX_SEED = 2**63 - 1
COLUMNS = {
    "inventory": "inventory",
    "backlog": "backlog",
    "order": "ordered",
    "in_order": "demanded",
    "in_deliv": "received",
    "out_deliv": "shipped",
    "open_orders": "open_orders",
    "cost": "cost",
    "total_cost": "total_cost",
}
"""Column name (after the stage's initial) -> field of `Week`."""


def simulate(
    *,
    orders: Sequence[int] | None = None,
    role: str = "retailer",
    policies: str | Policy | Mapping[str, Any] = "typical",
    demand: DemandSpec = "step",
    ship_weeks: int = DEFAULT_SHIP_WEEKS,
    order_weeks: int = DEFAULT_ORDER_WEEKS,
    horizon: int = DEFAULT_HORIZON_WEEKS,
    initial_open_orders: int | None = None,
    rounding: str = "trunc",
    target_line: str = "lead_time",
    seed: int = 0,
) -> list[dict[str, float]]:
    """Play all weeks of a game and return its rows.

    Args:
        orders: units that `role` orders in each week, 0 to 1,000,000; a longer list is cut. None: its policy orders.
        role: the stage that `orders` belongs to.
        policies: one policy for all stages, or `{stage: policy}` (stages left out: typical); see `parse_policies`.
        demand: see `demand_weeks`; `"classic"` also sets up the classic board game.
        horizon: weeks to play, 1 to 520.
        ship_weeks, order_weeks, initial_open_orders, rounding, target_line: see `Settings`.
        seed: of random demand, 0 or more.

    Returns:
        One dict a week: `t`, `demand`, then for each stage (prefix r, w, d, b) the columns of `COLUMNS`, then
        `chain_total_cost`. Quantities in units, costs and totals as in `Settings`.

    Raises:
        ValueError: naming the argument that is wrong.
    """
    check_integer("horizon", horizon, 1, MAX_HORIZON_WEEKS)
    check_integer("seed", seed, 0, MAX_SEED)
    settings = Settings(
        role=role,
        policies=parse_policies(policies),
        ship_weeks=ship_weeks,
        order_weeks=order_weeks,
        horizon_weeks=horizon,
        initial_open_orders=initial_open_orders,
        rounding=rounding,
        target_line=target_line,
    )
    if is_classic(demand):
        settings = replace(settings, **classic_settings())
    weeks = demand_weeks(demand, horizon, np.random.default_rng(seed))
    played = repeat(None, horizon) if orders is None else _checked_orders(orders, horizon)
    return list(_rows(settings, played, weeks))


def _rows(settings: Settings, orders: Iterable[int | None], demand: Iterable[int]) -> Iterator[dict[str, float]]:
    state = initial_state(settings)
    for order, units in zip(orders, demand, strict=True):
        state, week = advance(settings, state, order, units, SCALAR_OPS)
        yield _row(week)


def _checked_orders(orders: Sequence[int], horizon: int) -> Sequence[int]:
    if isinstance(orders, str | bytes) or not isinstance(orders, Sequence):
        raise ValueError(f"orders must be a list of integers, one a week, got {orders!r}")
    for week, units in enumerate(orders, start=1):
        check_integer(f"orders: week {week}", units, 0, MAX_UNITS)
    if len(orders) < horizon:
        raise ValueError(f"orders has {len(orders)} weeks, the game {horizon}: give one order for every week")
    return orders[:horizon]


def _row(week: Week) -> dict[str, float]:
    row: dict[str, float] = {"t": week.week, "demand": week.demanded[0]}
    for index, stage in enumerate(STAGES):
        for column, name in COLUMNS.items():
            row[f"{stage[0]}_{column}"] = getattr(week, name)[index]
    row["chain_total_cost"] = sum(week.total_cost)
    return row

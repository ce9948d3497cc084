"""The Beer Game as a value: settings, state, and the one function that plays a week.

Rules, costs and order of events follow the transentis BPTK beer game tutorial model, agent-based form, with books at
the end of the week. `ship_weeks` = 2 is the game of the language-model experiments, `ship_weeks` = 1 the tutorial's.

`advance` runs one game on Python numbers (`SCALAR_OPS`) or a batch of games on float arrays (`BATCH_OPS`); there is no
second copy of any rule.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

from .policies import (
    MAX_UNITS,
    PAST_WEEKS,
    RULES,
    STAGES,
    Ops,
    Policy,
    Quantity,
    Rule,
    Terms,
    check_integer,
    check_number,
    check_policy,
    unknown,
)

DEFAULT_ROLE = "retailer"
DEFAULT_SHIP_WEEKS = 2
DEFAULT_ORDER_WEEKS = 1
DEFAULT_HORIZON_WEEKS = 25
DEFAULT_HOLDING_COST_PER_UNIT_WEEK = 0.5
DEFAULT_BACKLOG_COST_PER_UNIT_WEEK = 1.0
DEFAULT_MINIMUM_INVENTORY_COST_PER_WEEK = 200.0
DEFAULT_INVENTORY_UNITS = 400
DEFAULT_FLOW_UNITS = 100
DEFAULT_MAX_ORDER_UNITS = 5000

MAX_DELAY_WEEKS = 12
MAX_HORIZON_WEEKS = 520
MAX_COST = 1_000_000
ROUNDINGS = ("trunc", "half_even")
TARGET_LINES = ("lead_time", "2d")


@dataclass(frozen=True, slots=True)
class Settings:
    """Every constant of one game. Quantities are units of beer, times are weeks, costs have no currency.

    Attributes:
        role: the played stage, one of `STAGES`.
        ship_weeks: weeks a shipment is under way, 1 to 12.
        order_weeks: weeks an order is in the mail (the brewery: before production begins), 1 to 12.
        horizon_weeks: weeks in a game, 1 to 520.
        holding_cost_per_unit_week: 0 to 1,000,000.
        backlog_cost_per_unit_week: 0 to 1,000,000.
        minimum_inventory_cost_per_week: the inventory cost is never below it, 0 to 1,000,000.
        initial_inventory: of each stage, 0 to 1,000,000.
        target_inventory: that the order policies aim at, 0 to 1,000,000.
        initial_flow: each order and shipment under way when the game begins, 0 to 1,000,000.
        initial_open_orders: of each stage, 0 to 1,000,000; None is initial_flow * (order_weeks + ship_weeks).
        max_order: the largest order of the player, 1 to 1,000,000. Policies know no limit.
        policies: one policy a stage; that of the played stage counts only when no order is given.
        rounding: `trunc` or `half_even`, of the policies that order whole units (`supply_line`, `tau8`,
            `order_balance`).
        target_line: units on order that policies aim at: `lead_time` is (order_weeks + ship_weeks) * demand, `2d` is
            2 * demand whatever the delays.

    Raises:
        ValueError: naming the field and the values it may have.
    """

    role: str = DEFAULT_ROLE
    ship_weeks: int = DEFAULT_SHIP_WEEKS
    order_weeks: int = DEFAULT_ORDER_WEEKS
    horizon_weeks: int = DEFAULT_HORIZON_WEEKS
    holding_cost_per_unit_week: float = DEFAULT_HOLDING_COST_PER_UNIT_WEEK
    backlog_cost_per_unit_week: float = DEFAULT_BACKLOG_COST_PER_UNIT_WEEK
    minimum_inventory_cost_per_week: float = DEFAULT_MINIMUM_INVENTORY_COST_PER_WEEK
    initial_inventory: int = DEFAULT_INVENTORY_UNITS
    target_inventory: int = DEFAULT_INVENTORY_UNITS
    initial_flow: int = DEFAULT_FLOW_UNITS
    initial_open_orders: int | None = None
    max_order: int = DEFAULT_MAX_ORDER_UNITS
    policies: tuple[Policy, ...] = (Policy(),) * len(STAGES)
    rounding: str = "trunc"
    target_line: str = "lead_time"
    role_index: int = field(init=False, repr=False, compare=False)
    stage_plans: tuple[tuple[Rule, Terms], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        _check(self)
        object.__setattr__(self, "role_index", STAGES.index(self.role))
        object.__setattr__(self, "stage_plans", tuple(self.plan_of(policy) for policy in self.policies))

    @property
    def is_whole(self) -> bool:
        """Whether every quantity of the game is an int as long as the player orders whole units."""
        others = [policy for k, policy in enumerate(self.policies) if k != self.role_index]
        return all(policy.is_whole for policy in others)

    def plan_of(self, policy: Policy) -> tuple[Rule, Terms]:
        """Return a policy's rule and the constants it works with in this game."""
        line_weeks = 2 if self.target_line == "2d" else self.order_weeks + self.ship_weeks
        terms = Terms(self.target_inventory, line_weeks, self.rounding, policy.alpha, policy.beta, policy.units)
        return RULES[policy.name], terms


class State(NamedTuple):
    """A game between two weeks; each innermost tuple has one entry a stage, retailer first.

    Attributes:
        week: weeks played, 0 at the start.
        inventory: units in stock.
        backlog: units owed to the customer.
        open_orders: units ordered and not yet received.
        past_demand: customer orders of the last three weeks, oldest first.
        mail: orders under way by sender, `order_weeks` rows, the next to arrive first.
        transit: shipments under way by receiver, `ship_weeks` rows, the next to arrive first.
        total_cost: cost of all weeks played.
    """

    week: int
    inventory: tuple[Quantity, ...]
    backlog: tuple[Quantity, ...]
    open_orders: tuple[Quantity, ...]
    past_demand: tuple[tuple[Quantity, ...], ...]
    mail: tuple[tuple[Quantity, ...], ...]
    transit: tuple[tuple[Quantity, ...], ...]
    total_cost: tuple[Quantity, ...]


class Week(NamedTuple):
    """What happened in one week; each tuple has one entry a stage, retailer first.

    `demanded`, `received`, `shipped` and `ordered` are the week's units; `inventory`, `backlog` and `open_orders` stand
    at its end; `cost` is the week's own, `total_cost` that of all weeks so far.
    """

    week: int
    demanded: tuple[Quantity, ...]
    received: tuple[Quantity, ...]
    shipped: tuple[Quantity, ...]
    ordered: tuple[Quantity, ...]
    inventory: tuple[Quantity, ...]
    backlog: tuple[Quantity, ...]
    open_orders: tuple[Quantity, ...]
    cost: tuple[Quantity, ...]
    total_cost: tuple[Quantity, ...]


def initial_state(settings: Settings) -> State:
    """Return the game before week 1: stock and flows as the settings say, nothing owed, nothing spent."""
    flow = (settings.initial_flow,) * len(STAGES)
    on_order = settings.initial_open_orders
    if on_order is None:
        on_order = settings.initial_flow * (settings.order_weeks + settings.ship_weeks)
    return State(
        week=0,
        inventory=(settings.initial_inventory,) * len(STAGES),
        backlog=(0,) * len(STAGES),
        open_orders=(on_order,) * len(STAGES),
        past_demand=(flow,) * PAST_WEEKS,
        mail=(flow,) * settings.order_weeks,
        transit=(flow,) * settings.ship_weeks,
        total_cost=(0,) * len(STAGES),
    )


def customer_order(state: State, consumer_order: Quantity, stage: int) -> Quantity:
    """Return the order that a stage receives this week: the consumers' at the retailer, today's mail at the others."""
    return consumer_order if stage == 0 else state.mail[0][stage - 1]


def advance(
    settings: Settings, state: State, played_order: Quantity | None, consumer_order: Quantity, ops: Ops
) -> tuple[State, Week]:
    """Play one week.

    Every stage receives what arrives, ships min(stock, owed) and orders from the books of last week's end; then costs
    fall due: backlog_cost * B + max(holding_cost * I, minimum_inventory_cost).

    Args:
        settings: constants of the game.
        state: the game before this week.
        played_order: units (>= 0) that the played stage orders; None lets its policy order.
        consumer_order: units (>= 0) that consumers ask of the retailer this week.
        ops: `SCALAR_OPS` for numbers, `BATCH_OPS` when an order is a float array over games.

    Returns:
        The game after the week, and the week's record. Orders are not checked against `max_order` here.
    """
    minimum = ops.minimum
    week, stocks, debts, due, past, mail, transit, total = state
    # Stage by stage and without a loop: the week of a scalar game takes two thirds of the time.
    i0, i1, i2, i3 = stocks
    b0, b1, b2, b3 = debts
    o0, o1, o2, o3 = due
    a0, a1, a2, a3 = received = transit[0]
    # The brewery's own order is a letter to its production, which sends at once whatever it is asked for.
    d1, d2, d3, produced = mail[0]
    d0 = consumer_order
    demanded = (d0, d1, d2, d3)
    q0, q1, q2, q3 = ordered = _orders(settings, state, played_order, demanded, ops)
    i0, i1, i2, i3 = i0 + a0, i1 + a1, i2 + a2, i3 + a3
    b0, b1, b2, b3 = b0 + d0, b1 + d1, b2 + d2, b3 + d3
    s0, s1, s2, s3 = shipped = minimum(i0, b0), minimum(i1, b1), minimum(i2, b2), minimum(i3, b3)
    inventory = (i0 - s0, i1 - s1, i2 - s2, i3 - s3)
    backlog = (b0 - s0, b1 - s1, b2 - s2, b3 - s3)
    due = (o0 + q0 - a0, o1 + q1 - a1, o2 + q2 - a2, o3 + q3 - a3)
    c0, c1, c2, c3 = cost = _costs(settings, inventory, backlog, ops)
    t0, t1, t2, t3 = total
    total = (t0 + c0, t1 + c1, t2 + c2, t3 + c3)
    row = Week._make((week + 1, demanded, received, shipped, ordered, inventory, backlog, due, cost, total))
    pipelines = ((*past[1:], demanded), (*mail[1:], ordered), (*transit[1:], (s1, s2, s3, produced)))
    return State._make((week + 1, inventory, backlog, due, *pipelines, total)), row


def _orders(
    settings: Settings, state: State, played_order: Quantity | None, demanded: tuple[Quantity, ...], ops: Ops
) -> tuple[Quantity, ...]:
    """Return what each stage orders, from the books of last week's end and today's customer order."""
    _, stocks, debts, due, past, _, _, _ = state
    player = -1 if played_order is None else settings.role_index
    orders: list[Quantity] = []
    for stage, (rule, terms) in enumerate(settings.stage_plans):
        if stage == player:
            orders.append(played_order)
        else:
            orders.append(rule(terms, (stocks[stage], debts[stage], due[stage], past, stage), demanded[stage], ops))
    return tuple(orders)


def _costs(
    settings: Settings, inventory: tuple[Quantity, ...], backlog: tuple[Quantity, ...], ops: Ops
) -> tuple[Quantity, ...]:
    """Return what the week costs each stage: backlog_cost * B + max(holding_cost * I, minimum_inventory_cost)."""
    maximum, b, h = ops.maximum, settings.backlog_cost_per_unit_week, settings.holding_cost_per_unit_week
    least = settings.minimum_inventory_cost_per_week
    i0, i1, i2, i3 = inventory
    b0, b1, b2, b3 = backlog
    return (
        b * b0 + maximum(h * i0, least),
        b * b1 + maximum(h * i1, least),
        b * b2 + maximum(h * i2, least),
        b * b3 + maximum(h * i3, least),
    )


def _check(settings: Settings) -> None:
    for name, value, allowed in (
        ("role", settings.role, STAGES),
        ("rounding", settings.rounding, ROUNDINGS),
        ("target_line", settings.target_line, TARGET_LINES),
    ):
        if value not in allowed:
            raise ValueError(unknown(name, value, allowed))
    for name, low, high in (
        ("ship_weeks", 1, MAX_DELAY_WEEKS),
        ("order_weeks", 1, MAX_DELAY_WEEKS),
        ("horizon_weeks", 1, MAX_HORIZON_WEEKS),
        ("initial_inventory", 0, MAX_UNITS),
        ("target_inventory", 0, MAX_UNITS),
        ("initial_flow", 0, MAX_UNITS),
        ("max_order", 1, MAX_UNITS),
    ):
        check_integer(name, getattr(settings, name), low, high)
    for name in ("holding_cost_per_unit_week", "backlog_cost_per_unit_week", "minimum_inventory_cost_per_week"):
        check_number(name, getattr(settings, name), 0, MAX_COST)
    if settings.initial_open_orders is not None:
        check_integer("initial_open_orders", settings.initial_open_orders, 0, MAX_UNITS)
    if len(settings.policies) != len(STAGES):
        raise ValueError(f"policies must have {len(STAGES)} entries, one a stage, got {len(settings.policies)}")
    for policy in settings.policies:
        check_policy(policy)

"""Order policies of a stage: how many units it orders from what it knows this week.

Every rule is written once, against an `Ops` table, and runs on Python scalars (one game) and on float arrays (a batch
of games) alike. A rule sees the stage's own books at the end of last week and this week's customer order; the shipment
that arrives this week is not in its inventory yet.

Sources: the transentis BPTK beer game tutorial (agent-based and system-dynamics forms) for all rules but `smoothing4`,
which is the four-week moving average of the Beer Game experiments on language models; `pass_through` and `constant` are
the usual yardsticks.
"""

import difflib
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

STAGES = ("retailer", "wholesaler", "distributor", "brewery")
MAX_UNITS = 1_000_000
"""Largest quantity (units) that a setting, an order or a week of demand may name."""

MAX_CONSTANT_UNITS = 1_000_000_000
"""Largest order of the `constant` policy: more than any player can pass on in the longest game."""

MAX_POLICY_WEIGHT = 10
ADJUSTMENT_WEEKS = 8
"""Weeks over which the slow rules (`tau8`, `order_balance`) close a gap."""

SMOOTHING_WEEKS = 4
PAST_WEEKS = SMOOTHING_WEEKS - 1
"""Past customer orders at the head of a stage's order line; smoothing needs them."""

# A Python number in one game, a float array in a batch. No type of numpy or typing covers both with arithmetic.
Quantity: TypeAlias = Any


class Ops(NamedTuple):
    """The four operations in which scalars and batches differ."""

    minimum: Callable[[Quantity, Quantity], Quantity]
    maximum: Callable[[Quantity, Quantity], Quantity]
    trunc: Callable[[Quantity], Quantity]
    round_half_even: Callable[[Quantity], Quantity]


def _smaller(a: Quantity, b: Quantity) -> Quantity:
    return a if a <= b else b


def _larger(a: Quantity, b: Quantity) -> Quantity:
    return a if a >= b else b


# The interpreter calls these two faster than it calls the built-in min and max, which take any number of arguments.
SCALAR_OPS = Ops(minimum=_smaller, maximum=_larger, trunc=math.trunc, round_half_even=round)
BATCH_OPS = Ops(minimum=np.minimum, maximum=np.maximum, trunc=np.trunc, round_half_even=np.rint)


class Terms(NamedTuple):
    """The constants a rule works with, taken from the settings of the game."""

    target_inventory: int
    line_weeks: int
    rounding: str
    alpha: float
    beta: float
    units: int


# Inventory, backlog and open orders at the end of last week, the customer orders of past weeks (a row a week, oldest
# first) and the stage's place in such a row.
Books: TypeAlias = tuple[Quantity, Quantity, Quantity, tuple[tuple[Quantity, ...], ...], int]
Rule: TypeAlias = Callable[[Terms, Books, Quantity, Ops], Quantity]


def typical(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order max(0, d + alpha * (target - I) + beta * B); alpha = beta = 1 is the base rule, blind to open orders."""
    inventory, backlog, _, _, _ = books
    target_inventory, _, _, alpha, beta, _ = terms  # taking the tuple apart at once is faster than asking it for names
    return ops.maximum(0, demand + alpha * (target_inventory - inventory) + beta * backlog)


def smoothing4(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order the mean of the last four customer orders, this week's included, plus (target - I) + B; at least 0."""
    inventory, backlog, _, past, stage = books
    mean = (past[0][stage] + past[1][stage] + past[2][stage] + demand) / SMOOTHING_WEEKS
    return ops.maximum(0, mean + (terms.target_inventory - inventory) + backlog)


def ignore_backlog(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order max(0, d + target - I)."""
    return ops.maximum(0, demand + terms.target_inventory - books[0])


def supply_line(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order max(0, d + (target - I) + (line_weeks * d - O)), rounded: what is on order counts against the gap."""
    return _whole(ops.maximum(0, demand + _line_gap(terms, books, demand)), terms, ops)


def tau8(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order as `supply_line` does, but close the gap over eight weeks: max(0, d + gap / 8), rounded."""
    return _whole(ops.maximum(0, demand + _line_gap(terms, books, demand) / ADJUSTMENT_WEEKS), terms, ops)


def order_balance(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order max(0, d + (line_weeks * d + target - W) / 8), W = own orders less customer orders so far; rounded.

    W needs no memory of its own: counted from the initial inventory and open orders it equals I - B + O in every week.
    """
    inventory, backlog, open_orders, _, _ = books
    gap = terms.line_weeks * demand + terms.target_inventory - (inventory - backlog + open_orders)
    return _whole(ops.maximum(0, demand + gap / ADJUSTMENT_WEEKS), terms, ops)


def pass_through(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order what the customer ordered this week."""
    return demand


def constant(terms: Terms, books: Books, demand: Quantity, ops: Ops) -> Quantity:
    """Order the same number of units every week."""
    return terms.units


def _line_gap(terms: Terms, books: Books, demand: Quantity) -> Quantity:
    inventory, _, open_orders, _, _ = books
    return terms.target_inventory - inventory + terms.line_weeks * demand - open_orders


def _whole(units: Quantity, terms: Terms, ops: Ops) -> Quantity:
    return ops.trunc(units) if terms.rounding == "trunc" else ops.round_half_even(units)


DEFAULT_POLICY = "typical"
RULES: dict[str, Rule] = {
    rule.__name__: rule
    for rule in (typical, smoothing4, ignore_backlog, supply_line, tau8, order_balance, pass_through, constant)
}
ALIASES = {
    "base": "typical",
    "smooth4": "smoothing4",
    "supply_line_tau8": "tau8",
    "order_balance_tau8": "order_balance",
}
FRACTIONAL = ("smoothing4",)
PARAMETERS = {"typical": ("alpha", "beta"), "constant": ("units",)}


class Policy(NamedTuple):
    """A rule by its name, with its parameters.

    `alpha` and `beta` (0 to 10) weigh inventory gap and backlog in `typical`; `units` (0 to 1,000,000,000) is the
    order of `constant`. The other rules take no parameter.
    """

    name: str = DEFAULT_POLICY
    alpha: float = 1
    beta: float = 1
    units: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the rule makes ints of ints."""
        return self.name not in FRACTIONAL and type(self.alpha) is int and type(self.beta) is int


def check_policy(policy: object) -> None:
    """Raise ValueError unless `policy` is a `Policy` whose name and parameters are allowed."""
    if not isinstance(policy, Policy):
        raise ValueError(f"a policy must be a Policy, got {policy!r}")
    if policy.name not in list(RULES):
        raise ValueError(unknown("policy", policy.name, [*RULES, *ALIASES]))
    check_number(f"policy {policy.name}: alpha", policy.alpha, 0, MAX_POLICY_WEIGHT)
    check_number(f"policy {policy.name}: beta", policy.beta, 0, MAX_POLICY_WEIGHT)
    check_integer(f"policy {policy.name}: units", policy.units, 0, MAX_CONSTANT_UNITS)


def parse_policy(spec: object) -> Policy:
    """Read one policy: a `Policy`, a name, or `{"name": "typical", "alpha": 0.5}`.

    Raises:
        ValueError: unknown name (with the nearest one), a parameter the rule does not take, a value out of range.
    """
    if isinstance(spec, Policy):
        check_policy(spec)
        return spec
    fields = {"name": spec} if isinstance(spec, str) else spec
    if not isinstance(fields, Mapping) or not isinstance(fields.get("name"), str):
        raise ValueError(f'a policy is a name or an object like {{"name": "typical", "alpha": 0.5}}, got {spec!r}')
    name = ALIASES.get(fields["name"], fields["name"])
    if name not in RULES:
        raise ValueError(unknown("policy", name, [*RULES, *ALIASES]))
    values = {key: value for key, value in fields.items() if key != "name"}
    for key in values:
        if key not in PARAMETERS.get(name, ()):
            raise ValueError(unknown(f"parameter of policy {name}", key, PARAMETERS.get(name, ())))
    policy = Policy(name=name, **values)
    check_policy(policy)
    return policy


def parse_policies(spec: object) -> tuple[Policy, ...]:
    """Read the policies of the four stages: one policy for all, or `{stage: policy}`; stages left out play `typical`.

    Raises:
        ValueError: an unknown stage (with the nearest one), or what `parse_policy` refuses.
    """
    if not isinstance(spec, Mapping) or "name" in spec:
        return (parse_policy(spec),) * len(STAGES)
    for stage in spec:
        if stage not in STAGES:
            raise ValueError(unknown("stage", stage, STAGES))
    return tuple(parse_policy(spec.get(stage, DEFAULT_POLICY)) for stage in STAGES)


def unknown(kind: str, name: object, allowed: Sequence[str]) -> str:
    """Say that a name is not known, which one is nearest and which there are."""
    nearest = difflib.get_close_matches(str(name), allowed, n=1, cutoff=0.5)
    hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
    return f"unknown {kind} {name!r}{hint} (known: {', '.join(allowed) or 'none'})"


def check_integer(field: str, value: object, low: int, high: int) -> None:
    """Raise ValueError unless `value` is an int (no bool) from `low` to `high`."""
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{field} must be an integer from {low} to {high}, got {value!r}")


def check_number(field: str, value: object, low: float, high: float) -> None:
    """Raise ValueError unless `value` is an int or a float (no bool, no NaN) from `low` to `high`."""
    if type(value) not in (int, float) or not low <= value <= high:  # type: ignore[operator]
        raise ValueError(f"{field} must be a number from {low} to {high}, got {value!r}")

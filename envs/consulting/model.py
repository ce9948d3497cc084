"""The causal model of a case: parameters, and KPIs that formulas make of them.

    m = Model()
    price = m.parameter("price", "cur/unit", 24, 40, 1)
    volume = m.parameter("volume", "thousand unit/year", 200, 400, 20)
    revenue = m.kpi("revenue", "million cur/year", price * volume)

A formula is built by Python's operators and knows its dimension: adding money to pieces, or declaring a unit that does
not fit, is refused when the module of the model is imported. Values are reckoned in base units (money, pieces, years);
`Node.shown` turns them into the declared unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ..core.errors import DataError
from .formulas import Expr, Node, Number, Values, figure, lifted, maximum, minimum
from .units import dimension_text

__all__ = ["Condition", "Expr", "Model", "Node", "Number", "Range", "Values", "figure", "maximum", "minimum"]

_DECIMALS = 6
_CLOSE = 1e-9


@dataclass(frozen=True, slots=True)
class Range:
    """The values that a parameter may take, in its declared unit: low, low + step, ..., high."""

    low: float
    high: float
    step: float

    def draw(self, rng: np.random.Generator, factor: float = 1.0) -> float:
        """Draw one of them, all alike, times a factor."""
        steps = round((self.high - self.low) / self.step)
        return round((self.low + self.step * int(rng.integers(steps + 1))) * factor, _DECIMALS)


@dataclass(frozen=True, slots=True)
class Condition:
    """What every drawn case must fulfil: `left` is at least `right`."""

    left: Expr
    right: Expr

    def holds(self, values: Values) -> bool:
        """Whether it is fulfilled."""
        return self.left.evaluate(values) >= self.right.evaluate(values) - _CLOSE


@dataclass(slots=True)
class Model:
    """Parameters and KPIs in the order in which they were declared; a KPI can use only what stands before it."""

    nodes: dict[str, Node] = field(default_factory=dict)
    ranges: dict[str, Range] = field(default_factory=dict)
    conditions: list[Condition] = field(default_factory=list)

    def parameter(self, name: str, unit: str, low: float, high: float, step: float) -> Node:
        """Declare a quantity that is drawn.

        Args:
            name: In snake case.
            unit: As `units.unit_of` reads it.
            low: Least value, in that unit.
            high: Greatest value.
            step: Distance of neighbouring values; choose it so that one can reckon by hand.

        Raises:
            DataError: The range is empty, or the name is taken.
        """
        if not (step > 0 and high >= low) or abs((high - low) / step - round((high - low) / step)) > _CLOSE:
            raise DataError(f"parameter {name}: from {low} to {high} is no whole number of steps of {step}")
        self.ranges[name] = Range(low, high, step)
        return self._declare(Node(name, unit))

    def kpi(self, name: str, unit: str, formula: Expr) -> Node:
        """Declare a quantity that a formula makes.

        Raises:
            DataError: The unit is of another dimension than the formula, or the name is taken.
        """
        node = Node(name, unit, formula)
        if node.dimension != formula.dimension:
            raise DataError(
                f"kpi {name}: declared in {unit}, but its formula is in {dimension_text(formula.dimension)}"
            )
        return self._declare(node)

    def require(self, left: Expr | float, right: Expr | float) -> None:
        """Have every drawn case fulfil left >= right.

        Raises:
            DataError: The sides are of unlike dimensions.
        """
        condition = Condition(lifted(left), lifted(right))
        if condition.left.dimension != condition.right.dimension:
            raise DataError("a condition compares unlike dimensions")
        self.conditions.append(condition)

    def draw(self, rng: np.random.Generator, factors: Mapping[str, float]) -> dict[str, float]:
        """Draw all parameters; return them and every KPI in base units."""
        shown = {name: each.draw(rng, factors.get(name, 1.0)) for name, each in self.ranges.items()}
        return self.reckon({name: value * self.nodes[name].unit.scale for name, value in shown.items()})

    def reckon(self, known: Values) -> dict[str, float]:
        """Return what is known and every KPI that can be reckoned from it, in base units."""
        values = dict(known)
        for name, node in self.nodes.items():
            if name not in values and node.formula is not None and node.formula.inputs() <= values.keys():
                values[name] = node.formula.evaluate(values)
        return values

    def reachable(self, known: Iterable[str]) -> set[str]:
        """Return the names that can be reckoned from those known, these included."""
        found = set(known)
        for name, node in self.nodes.items():
            if node.formula is not None and node.formula.inputs() <= found:
                found.add(name)
        return found

    def path(self, names: Iterable[str]) -> list[str]:
        """Return the KPIs that lead to these, themselves included, in an order in which they can be reckoned."""
        wanted = set(names)
        for name, node in reversed(self.nodes.items()):
            if name in wanted and node.formula is not None:
                wanted |= node.formula.inputs()
        return [name for name, node in self.nodes.items() if name in wanted and node.formula is not None]

    def sources(self, names: Iterable[str]) -> set[str]:
        """Return the parameters that these depend on."""
        wanted = set(names)
        for name, node in reversed(self.nodes.items()):
            if name in wanted and node.formula is not None:
                wanted |= node.formula.inputs()
        return wanted & self.ranges.keys()

    def _declare(self, node: Node) -> Node:
        if node.name in self.nodes or not node.name.isidentifier():
            raise DataError(f"{node.name!r}: a name is an identifier, and declared once")
        if node.formula is not None and not node.formula.inputs() <= self.nodes.keys():
            raise DataError(f"kpi {node.name}: its formula uses a node of another model")
        self.nodes[node.name] = node
        return node

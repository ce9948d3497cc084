"""Formulas: named quantities, constants, and operations on them, each with its dimension."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

from ..core.errors import DataError
from .units import Dimension, dimension_text, product, unit_of

Values = Mapping[str, float]
_Operator = Literal["+", "-", "*", "/", "min", "max"]
_RANK = {"+": 1, "-": 1, "*": 2, "/": 2, "min": 3, "max": 3}
_SIGNS = {"+": "+", "-": "-", "*": "×", "/": "÷"}
_DECIMALS = 6
_CLOSE = 1e-9


class Expr:
    """A formula: a named node, a number, or an operation on two formulas.

    Attributes:
        dimension: What it measures.
    """

    dimension: Dimension

    def evaluate(self, values: Values) -> float:
        """Return its value in base units.

        Raises:
            KeyError: A value that it needs is not known.
        """
        raise NotImplementedError

    def inputs(self) -> frozenset[str]:
        """Return the names of the nodes that stand in it."""
        raise NotImplementedError

    def written(self, name: Callable[[Node], str]) -> str:
        """Return it as text, each node under the name given."""
        raise NotImplementedError

    rank = 4

    def __add__(self, other: Expr | float) -> Expr:
        return Operation("+", self, lifted(other))

    def __radd__(self, other: float) -> Expr:
        return Operation("+", lifted(other), self)

    def __sub__(self, other: Expr | float) -> Expr:
        return Operation("-", self, lifted(other))

    def __rsub__(self, other: float) -> Expr:
        return Operation("-", lifted(other), self)

    def __mul__(self, other: Expr | float) -> Expr:
        return Operation("*", self, lifted(other))

    def __rmul__(self, other: float) -> Expr:
        return Operation("*", lifted(other), self)

    def __truediv__(self, other: Expr | float) -> Expr:
        return Operation("/", self, lifted(other))

    def __rtruediv__(self, other: float) -> Expr:
        return Operation("/", lifted(other), self)


class Number(Expr):
    """A constant; pure unless a unit is given."""

    def __init__(self, value: float, unit: str = "1") -> None:
        self.unit = unit_of(unit)
        self.value = value
        self.dimension = self.unit.dimension

    def evaluate(self, values: Values) -> float:
        """Return the constant in base units."""
        return self.value * self.unit.scale

    def inputs(self) -> frozenset[str]:
        """Return nothing."""
        return frozenset()

    def written(self, name: Callable[[Node], str]) -> str:
        """Return the figure."""
        return figure(self.value)


class Operation(Expr):
    """Two formulas joined.

    Raises:
        DataError: A sum, a difference, a minimum or a maximum of unlike dimensions.
    """

    def __init__(self, operator: _Operator, left: Expr, right: Expr) -> None:
        self.operator: _Operator = operator
        self.left, self.right = left, right
        self.rank = _RANK[operator]
        if operator in ("*", "/"):
            self.dimension = product(left.dimension, right.dimension, 1 if operator == "*" else -1)
            return
        if left.dimension != right.dimension:
            unlike = f"{dimension_text(left.dimension)} {operator} {dimension_text(right.dimension)}"
            raise DataError(f"a formula joins unlike dimensions: {unlike}")
        self.dimension = left.dimension

    def evaluate(self, values: Values) -> float:
        """Return its value; a division by nothing is infinite."""
        left, right = self.left.evaluate(values), self.right.evaluate(values)
        if self.operator == "+":
            return left + right
        if self.operator == "-":
            return left - right
        if self.operator == "*":
            return left * right
        if self.operator == "/":
            return left / right if abs(right) > _CLOSE else float("inf")
        return min(left, right) if self.operator == "min" else max(left, right)

    def inputs(self) -> frozenset[str]:
        """Return the nodes of both sides."""
        return self.left.inputs() | self.right.inputs()

    def written(self, name: Callable[[Node], str]) -> str:
        """Return both sides with the sign between them, in brackets where they are needed."""
        left, right = self.left.written(name), self.right.written(name)
        if self.operator in ("min", "max"):
            return f"{self.operator}({left}, {right})"
        if self.left.rank < self.rank:
            left = f"({left})"
        if self.right.rank < self.rank or (self.right.rank == self.rank and self.operator in ("-", "/")):
            right = f"({right})"
        return f"{left} {_SIGNS[self.operator]} {right}"


class Node(Expr):
    """A named quantity with a declared unit.

    Attributes:
        name: Unique within the model, in snake case.
        unit: The unit in which it is told and asked for.
        formula: What it is made of; None for a parameter.
    """

    def __init__(self, name: str, unit: str, formula: Expr | None = None) -> None:
        self.name, self.unit, self.formula = name, unit_of(unit), formula
        self.dimension = self.unit.dimension

    def evaluate(self, values: Values) -> float:
        """Return its value."""
        return values[self.name]

    def inputs(self) -> frozenset[str]:
        """Return its own name."""
        return frozenset((self.name,))

    def written(self, name: Callable[[Node], str]) -> str:
        """Return its name."""
        return name(self)

    def shown(self, values: Values) -> float:
        """Return its value in the declared unit."""
        return round(values[self.name] / self.unit.scale, _DECIMALS)


def lifted(value: Expr | float) -> Expr:
    """Return a formula for a formula or a pure number."""
    return value if isinstance(value, Expr) else Number(value)


def minimum(left: Expr | float, right: Expr | float) -> Expr:
    """Return the lesser of two."""
    return Operation("min", lifted(left), lifted(right))


def maximum(left: Expr | float, right: Expr | float) -> Expr:
    """Return the greater of two."""
    return Operation("max", lifted(left), lifted(right))


def figure(value: float) -> str:
    """Return a number as people write it: thousands set apart, and rounded where two decimals do not hold it."""
    digits = 2 if abs(value) >= 1 else 4
    if abs(round(value, digits) - value) > _CLOSE * max(1.0, abs(value)):
        digits = 0 if abs(value) >= 1000 else 1 if abs(value) >= 100 else digits
    text = f"{value:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text

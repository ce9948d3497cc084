"""What the second computations share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

Drawn = Mapping[str, Decimal]
Second = Callable[[Drawn], Decimal]
ONE, HUNDRED = Decimal(1), Decimal(100)


def series(p: Drawn, name: str, count: int) -> list[Decimal]:
    """Return the numbers `name1` to `name<count>`."""
    return [p[f"{name}{k}"] for k in range(1, count + 1)]


def pct(value: Decimal) -> Decimal:
    """Return a percentage as a ratio."""
    return value / HUNDRED


def horner(flows: Sequence[Decimal], factor: Decimal) -> Decimal:
    """Return flows at times 0, 1, 2, ... valued at time 0 by one discount factor a period, from the last one back."""
    value = Decimal(0)
    for flow in reversed(flows):
        value = value * factor + flow
    return value


def annuity(rate: Decimal, periods: int) -> Decimal:
    """Return the present value of 1 at the end of each period: (1 - (1 + i)^-n) / i."""
    return (ONE - (ONE + rate) ** -periods) / rate


def newton(function: Callable[[Decimal], Decimal], start: Decimal, steps: int = 60) -> Decimal:
    """Return a root by Newton's method with a central difference for the slope."""
    x, width = start, Decimal("1e-12")
    for _ in range(steps):
        slope = (function(x + width) - function(x - width)) / (2 * width)
        change = function(x) / slope
        x -= change
        if abs(change) < Decimal("1e-22"):
            break
    return x

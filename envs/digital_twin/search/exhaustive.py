"""Proof by enumeration: every plan of a small firm under the gate `threshold`, played."""

from __future__ import annotations

from itertools import pairwise
from math import prod

from ..plan import Firm, Plan
from .evaluate import Evaluator

MAX_PLANS = 50_000_000


def distinct_levels(firm: Firm) -> list[float]:
    """Return one level of revenue risk for each set of events that can come about under the gate `threshold`.

    An event of probability p comes about where p > 1 - level, so levels matter only by their place among the values
    1 - p. Round levels are preferred.
    """
    low, high = firm.bounds.revenue_risk
    probabilities = {
        p for each in firm.template.projects for p in (each.extension_probability, each.follow_on_probability)
    }
    if firm.template.campaigns:
        probabilities.add(0.8)
    seen: dict[tuple[bool, ...], float] = {}
    for digits in (1, 2, 3, 6):
        for k in range(10**digits + 1) if digits < 6 else _between(probabilities):
            level = k / 10**digits
            if low <= level <= high:
                seen.setdefault(tuple(p > 1.0 - level for p in sorted(probabilities)), level)
    return sorted(seen.values())


def _between(probabilities: set[float]) -> list[float]:
    """Return levels, in millionths, just above and between those at which an event begins to come about."""
    edges = sorted({0.0, 1.0, *(1.0 - p for p in probabilities)})
    return [(a + b) / 2 * 10**6 for a, b in pairwise(edges)]


def count_plans(firm: Firm) -> int:
    """Return the number of plans that differ under the gate `threshold`."""
    windows = [len(bounds.windows) + 1 for bounds in firm.bounds.projects.values()]
    staff = firm.bounds.consultants
    return prod(windows) * int(staff.high - staff.low + 1) * len(distinct_levels(firm))


def is_provable(firm: Firm) -> bool:
    """Whether enumeration is possible: under the gate `threshold`, and not too many plans."""
    return firm.template.gate == "threshold" and count_plans(firm) <= MAX_PLANS


def prove(firm: Firm) -> tuple[Plan, float, int]:
    """Return the best plan, its earnings, and the number of plans played; the first where several tie.

    Raises:
        ValueError: `is_provable` does not hold.
    """
    if not is_provable(firm):
        raise ValueError(
            f"{firm.template.name}: not to be enumerated ({firm.template.gate}, {count_plans(firm):,} plans)"
        )
    return Evaluator(firm).enumerate(distinct_levels(firm))

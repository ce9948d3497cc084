"""Points: what the verifiable score is made of."""

from __future__ import annotations

from typing import NamedTuple

DIMENSIONS = ("structure", "quantitative", "business_sense", "communication")
POSSIBLE = {"branches": 6.0, "order": 2.0, "purpose": 2.0, "numbers": 10.0}
"""Points of those kinds that are shared among several."""


class Point(NamedTuple):
    """Points of one kind.

    Attributes:
        dimension: One of the four.
        name: Unique within the dimension.
        earned: How many were earned; below 0 for a penalty.
        possible: How many there are.
        expected: What earns them.
        observed: What was seen.
        turn: Step of the episode that decided it, None where the end did.
    """

    dimension: str
    name: str
    earned: float
    possible: float
    expected: str
    observed: str
    turn: int | None = None

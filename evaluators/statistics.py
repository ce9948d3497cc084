"""Means, intervals and tails over episodes, each with the number it rests on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

_LEVEL = 0.95
_Z = NormalDist().inv_cdf(0.5 + _LEVEL / 2)


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean of at least one value."""
    return math.fsum(values) / len(values)


def standard_error(values: Sequence[float]) -> float:
    """Return the standard error of the mean, 0.0 for fewer than two values."""
    n = len(values)
    if n < 2:
        return 0.0
    center = mean(values)
    return math.sqrt(math.fsum((value - center) ** 2 for value in values) / (n - 1) / n)


def mean_ci95(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean by Student's t, None for fewer than two values."""
    if len(values) < 2:
        return None
    center, half = mean(values), student_t975(len(values) - 1) * standard_error(values)
    return center - half, center + half


def student_t975(degrees: int) -> float:
    """Return the 97.5 % quantile of Student's t distribution.

    Closed forms for one, two and four degrees of freedom, else the expansion around the normal quantile
    (Abramowitz and Stegun 26.7.5) with four terms; the error is below 0.01 from three degrees on.
    """
    tail = 1 - _LEVEL
    if degrees == 1:
        return 1 / math.tan(math.pi * tail / 2)
    if degrees == 2:
        return (1 - tail) * math.sqrt(2 / (tail * (2 - tail)))
    if degrees == 4:
        alpha = tail * (2 - tail)
        q = math.cos(math.acos(math.sqrt(alpha)) / 3) / math.sqrt(alpha)
        return 2 * math.sqrt(q - 1)
    z, v = _Z, float(degrees)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / v ** (k + 1) for k, term in enumerate(terms))


def rate_ci95(successes: int, n: int) -> tuple[float, float] | None:
    """Return the 95 % interval of a rate by Wilson's score, None for n = 0."""
    if n == 0:
        return None
    rate, z2 = successes / n, _Z**2
    center = (rate + z2 / (2 * n)) / (1 + z2 / n)
    half = _Z / (1 + z2 / n) * math.sqrt(rate * (1 - rate) / n + z2 / (4 * n * n))
    return max(0.0, min(rate, center - half)), min(1.0, max(rate, center + half))  # rounding may pass the rate itself


def quantile(values: Sequence[float], share: float) -> float:
    """Return the `share` quantile of at least one value, interpolated between neighbours."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def standard_deviation(values: Sequence[float]) -> float:
    """Return the sample standard deviation, 0.0 for fewer than two values."""
    return standard_error(values) * math.sqrt(len(values)) if values else 0.0


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return the rank correlation of Spearman, ties at their mean rank; None where one side does not vary.

    Raises:
        ValueError: The sides differ in length.
    """
    if len(left) != len(right):
        raise ValueError(f"{len(left)} values against {len(right)}")
    if len(set(left)) < 2 or len(set(right)) < 2:
        return None
    a, b = _ranks(left), _ranks(right)
    center = (len(a) + 1) / 2
    products = math.fsum((x - center) * (y - center) for x, y in zip(a, b, strict=True))
    squares = [math.fsum((x - center) ** 2 for x in ranks) for ranks in (a, b)]
    return products / math.sqrt(squares[0] * squares[1])


def _ranks(values: Sequence[float]) -> list[float]:
    places: dict[float, list[int]] = {}
    for rank, value in enumerate(sorted(values), 1):
        places.setdefault(value, []).append(rank)
    return [mean(places[value]) for value in values]

"""Means, intervals and tails over episodes, each with the number it rests on."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
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


def ci95(values: Sequence[float], *, is_rate: bool) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean, None where there is none.

    Args:
        values: The values.
        is_rate: Whether they are 0 or 1 by their nature. Then the interval is Wilson's, which stays within 0 and 1 and
            has a width even where all values are alike; else Student's.
    """
    if is_rate and {0.0, 1.0}.issuperset(values):
        return rate_ci95(sum(value == 1.0 for value in values), len(values))
    return mean_ci95(values)


def ci95_by_task(tasks: Iterable[Sequence[float]], *, is_rate: bool) -> tuple[float, float] | None:
    """Return the 95 % interval of the mean over episodes that come in tasks, None where there is none.

    Trials of a task are not independent of one another: those of a deterministic player say the same thing again. So
    where a task has several, the tasks are the sample: Student's t over their mean scores, with as many degrees of
    freedom as there are tasks less one. This is the cluster-robust interval by averaging within clusters (Cameron and
    Miller, A Practitioner's Guide to Cluster-Robust Inference, Journal of Human Resources 50, 2015, section II). Tasks
    with different numbers of trials count by these numbers (the linearised ratio of Cochran, Sampling Techniques,
    1977, section 9A), so that the interval stands around the mean of all episodes.

    Args:
        tasks: The values of each task, one a trial; tasks without values count for nothing.
        is_rate: Whether they are 0 or 1 by their nature. Then the interval is cut to 0 to 1; where all values are
            alike, which Student's t would call certain, it is Wilson's with the tasks as its n.

    Returns:
        The interval of `ci95` where every task has one value; None where several values come from one task alone.
    """
    found = [values for values in tasks if values]
    pooled = [value for values in found for value in values]
    if len(pooled) == len(found):
        return ci95(pooled, is_rate=is_rate)
    if len(found) < 2:
        return None
    if is_rate and len(set(pooled)) == 1 and pooled[0] in (0.0, 1.0):
        return rate_ci95(int(pooled[0]) * len(found), len(found))
    center = mean(pooled)
    squares = math.fsum((math.fsum(values) - len(values) * center) ** 2 for values in found)
    error = math.sqrt(squares * len(found) / (len(found) - 1)) / len(pooled)
    half = student_t975(len(found) - 1) * error
    low, high = center - half, center + half
    return (max(0.0, low), min(1.0, high)) if is_rate and {0.0, 1.0}.issuperset(pooled) else (low, high)


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

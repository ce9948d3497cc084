"""Ratios measured in one run: absolute times swing with the machine, interleaved pairs do not."""

from collections.abc import Callable
from statistics import median

PAIRS = 9


def interleaved(
    mine: Callable[[], float], theirs: Callable[[], float], pairs: int = PAIRS
) -> list[tuple[float, float]]:
    """Measure both in turn, `pairs` times; the first pair warms up and is dropped."""
    return [(mine(), theirs()) for _ in range(pairs + 1)][1:]


def median_ratio(measured: list[tuple[float, float]]) -> float:
    return median(mine / theirs for mine, theirs in measured)


def median_difference(measured: list[tuple[float, float]]) -> float:
    return median(mine - theirs for mine, theirs in measured)


def verdict(what: str, value: float, bar: str, held: bool) -> None:
    print(f"\n{what}: {value:.3f} ({bar}): {'ok' if held else 'NOT MET'}")

"""Consumer demand of the shipped tasks, one kind a function: what it does, and a planner's words for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .demand import demand_weeks

QUIET_WEEKS = 8
"""What changes demand for good leaves at least so many weeks to respond."""

PROMOTION_DIP = 0.7
"""Share of usual demand after a promotion, when consumers drink what they have bought ahead."""

Rng: TypeAlias = np.random.Generator


class Story(NamedTuple):
    """Consumer demand in units, one number a week, and a planner's words for it."""

    demand: list[int]
    words: str


Teller: TypeAlias = Callable[[Rng, int, int, int], Story]
"""Draws a story for a game that opens at `level` units a week and lasts `weeks`; `number` counts within the family."""


def step(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """Demand jumps once and stays; every third time it falls."""
    falls = number % 3 == 0
    after = _units(level * rng.choice([0.3, 0.4, 0.5, 0.6] if falls else [1.5, 2, 2.5, 3, 4]))
    week = _week(rng, 3, weeks)
    demand = demand_weeks({"pattern": "step", "before": level, "after": after, "step_week": week}, weeks, rng)
    return Story(list(demand), f"demand {'falls' if falls else 'rises'} from {level} to {after} in week {week}")


def uniform(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """Each week is drawn anew, all quantities between two limits alike."""
    low = _units(level * rng.choice([0, 0.25, 0.5]))
    high = 2 * level - low
    demand = demand_weeks({"pattern": "uniform", "low": low, "high": high}, weeks, rng)
    return Story(list(demand), f"erratic demand, {low} to {high}")


def seasonal(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """A wave around the level, begun anywhere, with 5 % noise."""
    amplitude, period = _units(level * rng.choice([0.25, 0.4, 0.6])), int(rng.choice([8, 10, 12, 16, 20]))
    week = np.arange(weeks) + rng.integers(period)
    wave = level + amplitude * np.sin(2 * np.pi * week / period)
    return Story(
        _noisy(rng, wave, 0.05 * level), f"seasonal demand, {level} give or take {amplitude}, every {period} weeks"
    )


def ramp(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """Demand grows or, every third time, fades over two to four months, with 5 % noise."""
    fades = number % 3 == 0
    after = _units(level * rng.choice([0.2, 0.4, 0.6] if fades else [1.5, 2, 2.5, 3]))
    start, length = int(rng.integers(2, 6)), int(rng.integers(QUIET_WEEKS, max(QUIET_WEEKS + 1, weeks - QUIET_WEEKS)))
    path = np.interp(np.arange(1, weeks + 1), [start, start + length], [level, after])
    words = f"demand {'fades' if fades else 'grows'} from {level} to {after} over {length} weeks"
    return Story(_noisy(rng, path, 0.05 * level), words)


def surge(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """One to three promotions of one to three weeks, each followed by as many thin weeks, with 5 % noise."""
    slots = np.linspace(4, weeks - 3, 1 + number % 3 + 1)[:-1]
    path, told = np.full(weeks, float(level)), []
    for slot in slots:
        begin, length = int(slot + rng.integers(0, 3)), int(rng.integers(1, 4))
        path[begin - 1 : begin - 1 + length] = _units(level * rng.choice([1.8, 2.5, 3.5]))
        path[begin - 1 + length : begin - 1 + 2 * length] = level * PROMOTION_DIP
        told.append(str(begin))
    *early, last = told
    when = f"promotions in weeks {', '.join(early)} and {last}" if early else f"a promotion in week {last}"
    return Story(_noisy(rng, path, 0.05 * level), f"{when}, {level} otherwise")


def shift(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """A new level, hidden in 12 % noise; every third time only for some weeks."""
    after, start = _units(level * rng.choice([0.4, 0.6, 1.6, 2, 2.5])), _week(rng, 6, weeks)
    passes = number % 3 == 0
    end = start + int(rng.integers(5, 9)) if passes else weeks + 1
    week = np.arange(1, weeks + 1)
    path = np.where((week >= start) & (week < end), after, level).astype(float)
    time = f"in weeks {start} to {end - 1}" if passes else f"from week {start} on"
    return Story(_noisy(rng, path, 0.12 * level), f"noisy demand, {after} instead of {level} {time}")


def classic(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """The board game's cards: 4, and 8 from week 5 on (Sterman 1989)."""
    return Story(list(demand_weeks("classic", weeks, rng)), "the board game, 4 to 8 in week 5")


def constant(rng: Rng, level: int, weeks: int, number: int) -> Story:
    """Demand never changes."""
    return Story([level] * weeks, f"demand stays at {level}")


def _week(rng: Rng, first: int, weeks: int) -> int:
    return int(rng.integers(first, min(first + QUIET_WEEKS, weeks - QUIET_WEEKS), endpoint=True))


def _units(quantity: float) -> int:
    """Round to tens."""
    return 10 * round(float(quantity) / 10)


def _noisy(rng: Rng, path: NDArray[np.float64], deviation: float) -> list[int]:
    return [max(0, round(float(units))) for units in path + rng.normal(0, deviation, size=len(path))]

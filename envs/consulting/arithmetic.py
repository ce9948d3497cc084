"""Which numbers have a source: what was told or revealed, what the model makes of it, and two steps of arithmetic.

A step joins two numbers so that the result means something: sums and differences of like dimensions, products and
quotients that the case has a quantity of, shares and pure numbers. Two steps are a step and a product with a number
that was told (a margin times a volume), a product and a sum with one (a fee times weeks, and what comes on top), what
is left or grows by a share, and changes. Numbers that were told, and what the model makes of them, count within 1 %;
what arithmetic makes of them must agree to the last digit shown, which is a twentieth of
the number at most. A bare figure ("against 153") repeats one that was
told in its own unit. Any two steps in a row would find a source for seven of ten invented amounts of money; these find
one for three of ten, for one invented share in five, and for one bare figure in ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from .quantities import Claim
from .units import PURE, Dimension, product

Array = NDArray[np.float64]
TOLD_TOLERANCE = 0.01
EXACT_TOLERANCE = 0.001
COARSEST = 0.05
"""A number may be rounded by so much of it at most."""
_LARGEST_RATIO = 100.0
_TINY = 1e-12


class Sources:
    """The numbers that have a source.

    Args:
        told: (value, dimension) of what was told, revealed, or follows from it by the model, in base units.
        figures: The same as people write them, in their units.
    """

    def __init__(self, told: Iterable[tuple[float, Dimension]], figures: Iterable[float] = ()) -> None:
        self._told = _arrays(told)
        self._figures = np.array(sorted(figures))
        shares = self._told[PURE]
        wider = {**self._told, PURE: np.unique(np.concatenate([shares, 1.0 - shares, 1.0 + shares]))}
        once = _step(self._told, wider, self._told.keys())
        more = _with_more(_products(self._told, self._told), self._told)
        twice = _merged(_products(once, self._told), more)
        self._made = {**_merged(once, twice), PURE: np.unique(np.concatenate([once[PURE], _changes(self._told)]))}

    def hold(self, claim: Claim) -> bool:
        """Whether a number that a text states has a source."""
        if claim.is_bare and _near(self._figures, claim.figure, TOLD_TOLERANCE, claim.half_step):
            return True
        return any(
            _near(values, claim.value, TOLD_TOLERANCE, claim.half_step)
            for dimension, values in self._told.items()
            if _of_kind(dimension, claim.kind)
        ) or any(
            _near(values, claim.value, EXACT_TOLERANCE, claim.half_step)
            for dimension, values in self._made.items()
            if _of_kind(dimension, claim.kind) and not _is_mere_count(claim, dimension)
        )

    def hold_value(self, value: float, dimension: Dimension) -> bool:
        """Whether a number in a unit has a source."""
        told, made = self._told.get(dimension), self._made.get(dimension)
        return (told is not None and _near(told, value, TOLD_TOLERANCE)) or (
            made is not None and _near(made, value, EXACT_TOLERANCE)
        )


def _arrays(told: Iterable[tuple[float, Dimension]]) -> dict[Dimension, Array]:
    groups: dict[Dimension, list[float]] = {}
    for value, dimension in told:
        groups.setdefault(dimension, []).append(value)
    groups.setdefault(PURE, []).append(1.0)
    return {dimension: np.unique(np.array(values)) for dimension, values in groups.items()}


def _step(
    left: Mapping[Dimension, Array], right: Mapping[Dimension, Array], known: Iterable[Dimension]
) -> dict[Dimension, Array]:
    """Return what one operation makes of two groups of numbers, in known dimensions alone."""
    wanted, found = {*known, PURE}, dict[Dimension, list[Array]]()
    for here, a in left.items():
        for there, b in right.items():
            if here == there:
                found.setdefault(here, []).extend((np.add.outer(a, b).ravel(), np.subtract.outer(a, b).ravel()))
            if product(here, there) in wanted:
                found.setdefault(product(here, there), []).append(np.multiply.outer(a, b).ravel())
            over = product(here, there, -1)
            if over in wanted and there != PURE:
                found.setdefault(over, []).append(np.divide.outer(a, b[np.abs(b) > _TINY]).ravel())
    return {dimension: np.unique(np.concatenate(parts)) for dimension, parts in found.items()}


def _products(left: Mapping[Dimension, Array], told: Mapping[Dimension, Array]) -> dict[Dimension, Array]:
    """Return products with what was told, in known dimensions, such as a margin times a volume or a fee times weeks."""
    found: dict[Dimension, list[Array]] = {}
    for here, a in left.items():
        for there, b in told.items():
            if product(here, there) in told and PURE not in (here, there):
                found.setdefault(product(here, there), []).append(np.multiply.outer(a, b).ravel())
    return {dimension: np.unique(np.concatenate(parts)) for dimension, parts in found.items()}


def _with_more(made: Mapping[Dimension, Array], told: Mapping[Dimension, Array]) -> dict[Dimension, Array]:
    """Return what was made with a number of its dimension added or taken away."""
    return {
        dimension: np.concatenate([np.add.outer(a, told[dimension]), np.subtract.outer(a, told[dimension])]).ravel()
        for dimension, a in made.items()
    }


def _changes(told: Mapping[Dimension, Array]) -> Array:
    """Return by what share each number differs from each other one of its dimension."""
    parts = [np.divide.outer(values, values[np.abs(values) > _TINY]).ravel() - 1.0 for values in told.values()]
    return np.unique(np.concatenate(parts))


def _merged(left: Mapping[Dimension, Array], right: Mapping[Dimension, Array]) -> dict[Dimension, Array]:
    keys = {**left, **right}
    return {key: np.unique(np.concatenate([part[key] for part in (left, right) if key in part])) for key in keys}


def _of_kind(dimension: Dimension, kind: str) -> bool:
    money = dict(dimension).get("cur", 0) == 1
    if kind == "percent":
        return not money and all(n < 0 for _, n in dimension)
    return money if kind == "money" else True


def _is_mere_count(claim: Claim, dimension: Dimension) -> bool:
    """Whether a bare figure, as of 2,000 families, would have to be an amount of money or a ratio above a hundred."""
    ratio = dimension == PURE and abs(claim.value) > _LARGEST_RATIO
    return claim.is_bare and (ratio or "cur" in dict(dimension))


def _near(values: Array, value: float, tolerance: float, half_step: float = 0.0) -> bool:
    distance = np.abs(np.abs(values) - abs(value))
    half_step = min(half_step, COARSEST * abs(value))
    return bool(np.any(distance <= np.maximum(np.abs(values) * tolerance, half_step) * (1 + 1e-9) + _TINY))

"""Units: what a quantity is measured in, as exponents of base units and a scale.

    cur/unit            money for a piece; `cur` and `unit` are called by other names in each industry
    million cur/year    with a scale
    %                   a share in hundredths; `1` is a pure number

Months, quarters and minutes are parts of years and hours, so that sums over a year agree; all other names are base
units of their own, and nothing converts between them but a parameter of the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..core.errors import DataError

Dimension = tuple[tuple[str, int], ...]
"""Base units and their exponents, in alphabetical order, none with the exponent 0."""

PURE: Dimension = ()
SCALES = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTS = {"month": ("year", 1 / 12), "quarter": ("year", 1 / 4), "minute": ("hour", 1 / 60), "tonne": ("kg", 1e3)}
_PERCENT = "%"
_HUNDREDTH = 0.01


class Unit(NamedTuple):
    """A unit of measurement.

    Attributes:
        text: As it is written in a model, for example `million cur/year`.
        dimension: What is measured.
        scale: Size of one of it in base units.
    """

    text: str
    dimension: Dimension
    scale: float

    @property
    def rate_scale(self) -> float:
        """What the parts below the line make of the scale: of `thousand cur/month` 12, as a month is part of a year."""
        head = self.text.rpartition(" ")[0]
        above = SCALES.get(head, 1.0) * (_HUNDREDTH if self.text.startswith(_PERCENT) else 1.0)
        return self.scale / above

    def named(self, nouns: Mapping[str, Sequence[str]]) -> str:
        """Return the unit in the words of an industry, for example `thousand bottles/year`.

        Args:
            nouns: Of a base unit, what one and what several of it are called.
        """
        scale, _, rest = self.text.rpartition(" ")
        parts = []
        for k, part in enumerate(rest.split("/")):
            parts.append("*".join(nouns[each][k == 0] if each in nouns else each for each in part.split("*")))
        return " ".join(filter(None, (scale, "/".join(parts))))


@lru_cache(maxsize=1024)
def unit_of(text: str) -> Unit:
    """Read a unit as models write it.

    Raises:
        DataError: It has another form than `[scale] a*b/c/d`.
    """
    scale_name, _, rest = text.rpartition(" ")
    if scale_name and scale_name not in SCALES:
        raise DataError(f"unit {text!r}: {scale_name!r} is none of {', '.join(SCALES)}")
    scale = SCALES[scale_name] if scale_name else 1.0
    exponents: dict[str, int] = {}
    for k, part in enumerate(rest.split("/")):
        for atom in part.split("*"):
            if atom in ("1", _PERCENT) and k == 0:
                scale *= 1.0 if atom == "1" else _HUNDREDTH
                continue
            if not atom.isidentifier():
                raise DataError(f"unit {text!r}: {atom!r} is no name of a unit")
            base, size = _PARTS.get(atom, (atom, 1.0))
            sign = 1 if k == 0 else -1
            exponents[base] = exponents.get(base, 0) + sign
            scale *= size**sign
    return Unit(text, dimension_of(exponents), scale)


def dimension_of(exponents: Mapping[str, int]) -> Dimension:
    """Return exponents by base unit in their one form."""
    return tuple(sorted((base, n) for base, n in exponents.items() if n))


def product(left: Dimension, right: Dimension, sign: int = 1) -> Dimension:
    """Return the dimension of left times right, or of left over right with the sign -1."""
    exponents = dict(left)
    for base, n in right:
        exponents[base] = exponents.get(base, 0) + sign * n
    return dimension_of(exponents)


def dimension_text(dimension: Dimension) -> str:
    """Return a dimension for people, for example `cur/unit`."""
    above = [base for base, n in dimension for _ in range(n)]
    below = [base for base, n in dimension for _ in range(-n)]
    return "/".join(["*".join(above) or "1", *below])


def atoms_of(units: Iterable[Unit]) -> set[str]:
    """Return the names that units are written with, scales and pure numbers left out."""
    texts = (unit.text.rpartition(" ")[2] for unit in units)
    return {atom for text in texts for part in text.split("/") for atom in part.split("*")} - {"1", _PERCENT}

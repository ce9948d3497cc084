"""The company of a filing: its name, its business, and the figures that its books are drawn from."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from .industries import Economics, Industry, industries
from .words import words

YEARS = 3
_LARGE_FROM_MILLIONS = 6_000
"""Revenue from which a company states its figures in millions."""

_LATEST_YEARS = (2021, 2022, 2023, 2024, 2025)


@dataclass(frozen=True, slots=True)
class Currency:
    """A reporting currency.

    Attributes:
        code: ISO code.
        tax_rate: Statutory rate of income tax at home.
        has_regional_tax: Whether states levy an income tax of their own beside it.
    """

    code: str
    tax_rate: Decimal
    has_regional_tax: bool = False


CURRENCIES = {
    "USD": Currency("USD", Decimal("0.21"), has_regional_tax=True),
    "EUR": Currency("EUR", Decimal("0.25")),
    "DKK": Currency("DKK", Decimal("0.22")),
    "CAD": Currency("CAD", Decimal("0.265")),
}
_HOMES = ("USD", "USD", "USD", "USD", "USD", "EUR", "DKK", "CAD")


@dataclass(frozen=True, slots=True)
class Company:
    """Who reports, and in what form.

    Attributes:
        name: Its invented name.
        industry_key: Key of its industry.
        currency: What it reports in.
        latest_year: The last financial year reported.
        year_end: Day on which its financial years end, for example `September 30`.
        segments: (key, name) of its reportable segments; the first, from which the trade has its name, is the largest
            at the start.
        scale: What its statements are stated in: 1000 or 1000000.
        unit: What one unit of its books is, in whole currency: 1000, or 100000 where statements are in millions
            with one decimal.
    """

    name: str
    industry_key: str
    currency: Currency
    latest_year: int
    year_end: str
    segments: tuple[tuple[str, str], ...]
    scale: int
    unit: int

    @property
    def industry(self) -> Industry:
        """Its industry."""
        return industries()[self.industry_key]

    @property
    def years(self) -> tuple[int, ...]:
        """The financial years reported, from the first."""
        return tuple(range(self.latest_year - YEARS + 1, self.latest_year + 1))

    @property
    def first_year(self) -> int:
        """The first financial year reported."""
        return self.years[0]

    def units(self, millions: float) -> int:
        """Return an amount in millions as whole units of the books."""
        return round(millions * 1_000_000 / self.unit)


class Draw:
    """What the drawing of a filing has in common: the generator, and a point in each range of the industry."""

    def __init__(self, rng: np.random.Generator, economics: Economics) -> None:
        self.rng = rng
        self._economics = economics
        self._points: dict[str, float] = {}

    def point(self, name: str) -> float:
        """Return where the company stands in a range of its industry; drawn once."""
        if name not in self._points:
            low, high = getattr(self._economics, name)
            self._points[name] = float(self.rng.uniform(low, high))
        return self._points[name]

    def near(self, name: str, spread: float = 0.03) -> float:
        """Return a year's value around the company's own point: at most `spread` away, as a share."""
        return self.point(name) * float(self.rng.uniform(1 - spread, 1 + spread))

    def uniform(self, low: float, high: float) -> float:
        """Return a number from an interval."""
        return float(self.rng.uniform(low, high))

    def whole(self, low: int, high: int) -> int:
        """Return a whole number from an interval, both ends included."""
        return int(self.rng.integers(low, high, endpoint=True))

    def happens(self, probability: float) -> bool:
        """Whether something comes about."""
        return bool(self.rng.random() < probability)

    def shares(self, n: int, evenness: float = 3.0) -> list[float]:
        """Return n shares of a whole, from the largest."""
        drawn = sorted((float(x) for x in self.rng.gamma(evenness, size=n) + 0.35), reverse=True)
        return [each / sum(drawn) for each in drawn]


def draw_company(rng: np.random.Generator, industry_key: str | None) -> tuple[Company, float]:
    """Draw a company.

    Args:
        rng: The generator.
        industry_key: Its industry; drawn where None.

    Returns:
        The company, and its revenue in the year before the first reported, in millions.
    """
    keys = sorted(industries())
    key = industry_key or keys[int(rng.integers(len(keys)))]
    industry = industries()[key]
    low, high = industry.economics.revenue_millions
    revenue = float(np.exp(rng.uniform(np.log(low), np.log(high))))
    others = int(rng.integers(2, 3, endpoint=True))
    chosen = [0, *sorted(1 + k for k in rng.permutation(len(industry.segments) - 1)[:others].tolist())]
    names = [industry.segments[k] for k in chosen]
    large = revenue >= _LARGE_FROM_MILLIONS
    stem = words().stems[int(rng.integers(len(words().stems)))]
    end = industry.name_ends[int(rng.integers(len(industry.name_ends)))]
    return Company(
        name=f"{stem} {end}",
        industry_key=key,
        currency=CURRENCIES[_HOMES[int(rng.integers(len(_HOMES)))]],
        latest_year=_LATEST_YEARS[int(rng.integers(len(_LATEST_YEARS)))],
        year_end=words().year_ends[int(rng.integers(len(words().year_ends)))],
        segments=tuple((slug(name), name) for name in names),
        scale=1_000_000 if large else 1_000,
        unit=100_000 if large else 1_000,
    ), revenue


def slug(name: str) -> str:
    """Return a name as a key: small letters, digits and underscores."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")

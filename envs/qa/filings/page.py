"""What the tables of one annual report have in common: headings, measures and forms of numbers."""

from __future__ import annotations

from collections.abc import Callable
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeVar

from .figures import Figures
from .grid import Grid, tenths, thousands
from .restatement import change_before_tax, change_of_income

_T = TypeVar("_T")


class Page:
    """What the tables of one filing have in common: headings, measures and number forms.

    Args:
        figures: What they show.
    """

    def __init__(self, figures: Figures) -> None:
        self.figures, self.company = figures, figures.company
        self.facts, self.years = figures.facts, figures.years
        self.restated = self.facts.restatement.year if self.facts.restatement else None
        self.form = thousands if self.company.scale == 1000 else tenths

    @property
    def measure(self) -> str:
        """In what amounts are stated."""
        return f"in {self.scale_word} of {self.company.currency.code}"

    @property
    def scale_word(self) -> str:
        """`thousands` or `millions`."""
        return "thousands" if self.company.scale == 1000 else "millions"

    def heading(self, year: int) -> str:
        """Return the heading of a year's column."""
        return f"FY{year} (restated)" if year == self.restated else f"FY{year}"

    def grid(self, name: str, years: tuple[int, ...], extra: str = "") -> Grid:
        """Return an empty table with a column for each year."""
        return Grid(name, self.measure + extra, [self.heading(year) for year in years], self.form)

    def shares(self, number: int) -> str:
        """Write a number of shares in thousands as the statements do."""
        return thousands(number) if self.company.scale == 1000 else tenths(round(number / 100))

    def corrected(self, year: int, line: str) -> int:
        """Return what a restatement added to `revenue`, `before_tax` or `net_income` of a year."""
        change = self.facts.restatement
        if change is None or change.year != year:
            return 0
        if line == "revenue":
            return change.income.get("revenue", 0)
        return change_before_tax(change) if line == "before_tax" else change_of_income(change)

    def millions(self, amount: int) -> Decimal:
        """Return an amount in units of the books in millions with one decimal, rounded half up."""
        return self.rounded(amount, 1_000_000, "0.1")

    def rounded(self, amount: int, per: int, places: str) -> Decimal:
        """Return an amount in units of the books in multiples of `per`, rounded half up."""
        return (Decimal(amount) * self.company.unit / per).quantize(Decimal(places), ROUND_HALF_UP)

    def over(self, years: tuple[int, ...], of: Callable[[int], _T]) -> list[_T]:
        """Return a figure of each year."""
        return [of(year) for year in years]

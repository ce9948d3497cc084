"""The books of one company while they are written: ledger, facts, and what the drawing carries from year to year."""

from __future__ import annotations

from decimal import Decimal

from .company import Company, Draw
from .facts import Facts
from .industries import Metric
from .journal import CLOSING, INCOME, Activity, Ledger, Lines

LEAST_ABROAD = 0.02


class Books:
    """The books of a company.

    Attributes:
        run_rate: Revenue of the last year entered, in units of the books, by segment.
        dividend: Declared a share and quarter, in whole currency with two decimals.

    Args:
        company: Whose they are.
        draw: What its figures are drawn with.
        revenue: Revenue of the year before the first reported, in units of the books, by segment.
        lean: How costly each segment is against the industry, 1 the average.
        ledger: With the opening balances.
    """

    def __init__(
        self, company: Company, draw: Draw, revenue: dict[str, float], lean: dict[str, float], ledger: Ledger
    ) -> None:
        self.company, self.draw, self.ledger = company, draw, ledger
        self.run_rate, self.lean = dict(revenue), lean
        self.facts = Facts()
        self.dividend = Decimal(0)
        self._weights: dict[str, float] = {}

    @property
    def abroad(self) -> float:
        """The share of business done abroad; zero where it is too small to tell apart."""
        share = self.draw.point("foreign")
        return share if share >= LEAST_ABROAD else 0.0

    def share(self, name: str) -> float:
        """Return the company's own weight of a part that is told by name; drawn once."""
        if name not in self._weights:
            self._weights[name] = self.draw.uniform(0.3, 1.0)
        return self._weights[name]

    def level(self, metric: Metric) -> float:
        """Return the company's own level of a figure of its business; drawn once."""
        if metric.label not in self._weights:
            self._weights[metric.label] = self.draw.uniform(*metric.range)
        return self._weights[metric.label]

    def post(self, year: int, memo: str, lines: Lines, activity: Activity = "operating") -> None:
        """Enter `lines` in the journal."""
        self.ledger.post(year, memo, lines, activity)

    def earned(self, year: int, *kinds: str) -> int:
        """Return what accounts of the income statement came to in a year; income is positive, expense negative."""
        return -sum(self.ledger.before_closing(year, kind) for kind in kinds)

    def close(self, year: int) -> None:
        """Carry the year's income and expense to retained earnings."""
        lines = {account: -self.ledger.moved(year, account) for account in self.ledger.leaves(INCOME)}
        self.post(year, CLOSING, {**lines, "retained_earnings": -sum(lines.values())})

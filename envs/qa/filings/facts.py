"""What stands behind the notes beside the ledger: debt terms, leases, shares and the steps of the tax charge."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import Literal


@dataclass(slots=True)
class Tranche:
    """One borrowing; what is owed on it stands in the ledger's account `debt:<key>`.

    Attributes:
        key: Key of its account.
        name: Name in the notes.
        kind: A loan repaid by instalments, notes repaid at maturity, or a revolving facility.
        rate_percent: Yearly interest rate.
        issued: Year of issue; the year before the first reported where it stands at the start.
        matures: Financial year in which the rest falls due.
        repaid: Repayments before maturity by financial year, in units of the books.
        commitment: What may be drawn on a revolving facility, in units of the books.
    """

    key: str
    name: str
    kind: Literal["term_loan", "notes", "revolver"]
    rate_percent: Decimal
    issued: int
    matures: int
    repaid: dict[int, int] = field(default_factory=dict)
    commitment: int = 0

    def due(self, owed: int, year: int, at: int) -> int:
        """Return what of `owed` at the end of the year `at` falls due in the later year `year`."""
        left = max(0, owed - sum(self.repaid.get(each, 0) for each in range(at + 1, year)))
        if year == self.matures:
            return left
        return min(self.repaid.get(year, 0), left) if year < self.matures else 0


@dataclass(slots=True)
class Lease:
    """An operating lease; payments fall at the end of each year after it was taken on.

    Attributes:
        begun: Year at whose end it was taken on.
        payments: By financial year, in units of the books.
        rate: Discount rate.
    """

    begun: int
    payments: dict[int, int]
    rate: float

    @property
    def ends(self) -> int:
        """Last year of a payment."""
        return max(self.payments)

    @property
    def cost(self) -> int:
        """Cost a year, all payments spread evenly, in units of the books."""
        return round(sum(self.payments.values()) / len(self.payments))


@dataclass(slots=True)
class Quarter:
    """One quarter's dealings in own shares.

    Attributes:
        repurchased: Shares bought back, in thousands.
        price: Average price paid, in whole currency with two decimals.
        closing: Shares outstanding at its end, in thousands.
    """

    repurchased: int
    price: Decimal
    closing: int


@dataclass(slots=True)
class Options:
    """The movement of share options in a year; numbers in thousands, prices in whole currency with two decimals."""

    opening: int
    opening_price: Decimal
    granted: int
    grant_price: Decimal
    exercised: int
    exercise_price: Decimal
    forfeited: int
    forfeit_price: Decimal
    closing: int
    closing_price: Decimal


@dataclass(slots=True)
class SegmentFacts:
    """What a segment is allotted in a year, in units of the books."""

    operating_income: int
    depreciation: int
    capex: int


@dataclass(frozen=True, slots=True)
class CreditTerms:
    """Terms of the credit agreement.

    Attributes:
        adds_stock_compensation: Whether Consolidated EBITDA adds back stock-based compensation.
        restructuring_cap: Most that is added for restructuring a year, in units of the books.
        cash_cap: Most cash that is deducted from debt, in units of the books.
        max_leverage: Highest Total Net Leverage Ratio.
        min_coverage: Lowest Interest Coverage Ratio.
    """

    adds_stock_compensation: bool
    restructuring_cap: int
    cash_cap: int
    max_leverage: Decimal
    min_coverage: Decimal


@dataclass(frozen=True, slots=True)
class Restatement:
    """The correction of an error in the year before the latest.

    Attributes:
        year: The year restated.
        cause: Key of the error.
        income: What the correction added to lines of the income statement, as shown there, in units of the books.
        balance: Likewise to lines of the balance sheet.
    """

    year: int
    cause: str
    income: dict[str, int]
    balance: dict[str, int]


@dataclass(slots=True)
class YearFacts:
    """One year's facts.

    Attributes:
        tax_steps: From the tax at the statutory rate to the tax charge, in units of the books.
        opening_shares: Shares outstanding at the start, in thousands.
        issued_shares: Issued under share plans, in thousands.
        quarters: Dealings in own shares.
        basic_shares: Weighted average outstanding, in thousands.
        dilutive_shares: Added by options under the treasury stock method, in thousands.
        average_price: Average market price, in whole currency with two decimals.
        dividend: Declared a share, in whole currency with two decimals.
        options: Movement of share options.
        segments: By key of the segment; what is not allotted is corporate.
        regions: Revenue by region, in units of the books; empty where there is one region.
        stocks: Inventories at the end by what they are, in units of the books.
        metrics: Figures of the business, by label.
        announced_savings: Savings announced but not realized, in units of the books.
    """

    tax_steps: dict[str, int] = field(default_factory=dict)
    opening_shares: int = 0
    issued_shares: int = 0
    quarters: list[Quarter] = field(default_factory=list)
    basic_shares: int = 0
    dilutive_shares: int = 0
    average_price: Decimal = Decimal(0)
    dividend: Decimal = Decimal(0)
    options: Options | None = None
    segments: dict[str, SegmentFacts] = field(default_factory=dict)
    regions: dict[str, int] = field(default_factory=dict)
    stocks: dict[str, int] = field(default_factory=dict)
    metrics: dict[str, int | Decimal] = field(default_factory=dict)
    announced_savings: int = 0

    @property
    def repurchased_shares(self) -> int:
        """Shares bought back, in thousands."""
        return sum(quarter.repurchased for quarter in self.quarters)

    @property
    def closing_shares(self) -> int:
        """Shares outstanding at the end, in thousands."""
        return self.opening_shares + self.issued_shares - self.repurchased_shares

    @property
    def diluted_shares(self) -> int:
        """Weighted average with dilution, in thousands."""
        return self.basic_shares + self.dilutive_shares


@dataclass(slots=True)
class Facts:
    """All facts beside the ledger.

    Attributes:
        years: By financial year.
        tranches: Borrowings in the order of the notes.
        leases: Operating leases.
        intangible_cost: Cost of acquired intangible assets so far, in units of the books.
        acquired: Segment added to by year.
        impaired: Segment impaired by year.
        credit: Terms of the credit agreement.
        restatement: The correction of an error; None for none.
        next_dividend: Declared a share after the latest year-end, in whole currency with two decimals.
        quarters: The latest year's revenue, gross profit, operating income and net income by quarter, in units of
            the books.
        wording: A number that the choice among equivalent sentences follows.
    """

    years: dict[int, YearFacts] = field(default_factory=dict)
    tranches: list[Tranche] = field(default_factory=list)
    leases: list[Lease] = field(default_factory=list)
    intangible_cost: int = 0
    acquired: dict[int, str] = field(default_factory=dict)
    impaired: dict[int, str] = field(default_factory=dict)
    credit: CreditTerms | None = None
    restatement: Restatement | None = None
    next_dividend: Decimal = Decimal(0)
    quarters: dict[str, list[int]] = field(default_factory=dict)
    wording: int = 0

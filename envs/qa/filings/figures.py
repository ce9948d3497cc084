"""The figures of an annual report by year, each derived from the books."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .books import Books
from .taxes import income_before_tax, net_income

CENT = Decimal("0.01")
EQUITY = ("common_stock", "paid_in_capital", "treasury_stock", "retained_earnings", "translation")
CURRENT_ASSETS = ("cash", "receivables", "allowance", "inventories", "prepaid")
FIXED_ASSETS = ("property", "depreciated", "right_of_use", "goodwill", "intangibles")
SHORT_CLAIMS = (
    "payables",
    "payroll_payable",
    "interest_payable",
    "tax_payable",
    "dividends_payable",
    "customer_prepayments",
)
LONG_CLAIMS = ("debt", "issuance_costs", "lease_liability", "deferred_tax")
MANAGEMENT_LEAVES_OUT = ("stock_compensation", "restructuring", "impairment", "currency_result")


class Figures:
    """Every figure of the statements by year, in units of the books.

    Args:
        books: The books, closed.
    """

    def __init__(self, books: Books) -> None:
        self.books, self.company, self.ledger, self.facts = books, books.company, books.ledger, books.facts

    @property
    def years(self) -> tuple[int, ...]:
        """The years reported, from the latest."""
        return tuple(reversed(self.company.years))

    def income(self, year: int, *kinds: str) -> int:
        """Return income less expense of some kinds in a year."""
        return self.books.earned(year, *kinds)

    def asset(self, year: int, *kinds: str) -> int:
        """Return what accounts hold at the end of a year, debits positive."""
        return sum(self.ledger.balance(kind, year) for kind in kinds)

    def claim(self, year: int, *kinds: str) -> int:
        """Return what accounts hold at the end of a year, credits positive."""
        return -self.asset(year, *kinds)

    def gross_profit(self, year: int) -> int:
        """Return revenue less its cost."""
        return self.income(year, "revenue", "cost")

    def operating_income(self, year: int) -> int:
        """Return income before interest, currency result and tax."""
        return income_before_tax(self.books, year) - self.income(year, "interest", "interest_income", "currency_result")

    def ebitda(self, year: int) -> int:
        """Return net income before interest, tax, depreciation and amortization."""
        taken = ("interest", "interest_income", "current_tax", "deferred_tax_expense", "depreciation", "amortisation")
        return self.net_income(year) - self.income(year, *taken)

    def adjusted_ebitda(self, year: int) -> int:
        """Return EBITDA before what management leaves out of its own measure."""
        return self.ebitda(year) - self.income(year, *MANAGEMENT_LEAVES_OUT)

    def before_tax(self, year: int) -> int:
        """Return income before tax."""
        return income_before_tax(self.books, year)

    def net_income(self, year: int) -> int:
        """Return net income."""
        return net_income(self.books, year)

    def per_share(self, year: int, thousands_of_shares: int) -> Decimal:
        """Return net income a share, with two decimals."""
        return self.per_share_of(self.net_income(year), thousands_of_shares)

    def per_share_of(self, amount: int, thousands_of_shares: int) -> Decimal:
        """Return an amount in units of the books a share, with two decimals."""
        whole = Decimal(amount * self.company.unit) / (1000 * thousands_of_shares)
        return whole.quantize(CENT, ROUND_HALF_UP)

    def debt_due(self, year: int, due: int) -> int:
        """Return the borrowings owed at the end of `year` that fall due in the year `due`."""
        return sum(tranche.due(self.claim(year, f"debt:{tranche.key}"), due, year) for tranche in self.facts.tranches)

    def total_assets(self, year: int) -> int:
        """Return total assets at the end of a year."""
        return self.asset(year, *CURRENT_ASSETS, *FIXED_ASSETS)

    def current_liabilities(self, year: int) -> int:
        """Return total current liabilities at the end of a year."""
        return self.claim(year, *SHORT_CLAIMS) + self.debt_due(year, year + 1) + self.lease_due(year)

    def total_liabilities(self, year: int) -> int:
        """Return total liabilities at the end of a year."""
        return self.claim(year, *SHORT_CLAIMS, *LONG_CLAIMS)

    def equity(self, year: int) -> int:
        """Return shareholders' equity at the end of a year."""
        return self.claim(year, *EQUITY)

    def lease_due(self, year: int) -> int:
        """Return what of the lease liability at the end of a year is paid off in the next."""
        total = 0
        for k, lease in enumerate(self.facts.leases, 1):
            owed = self.claim(year, f"lease_liability:{k}")
            total += min(owed, lease.payments[year + 1] - round(owed * lease.rate)) if owed else 0
        return total

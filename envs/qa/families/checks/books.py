"""Second computations: what stands in an annual report, taken from the books behind it and not from its tables.

Amounts are in the measure of the filing's tables (thousands or millions), as exact decimals.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

from ...filings import Filing

Line = Callable[[Filing, int, str], Decimal]
"""Filing, year and a part (the key of a segment or of a class of property) to an amount."""

ASSETS = ("cash", "receivables", "allowance", "inventories", "prepaid", "property", "depreciated", "right_of_use")
_DEPRECIATION = ("depreciation", "amortisation")


def amount(filing: Filing, units: int) -> Decimal:
    """Return an amount of the books in the measure of the tables."""
    return Decimal(units) * filing.company.unit / filing.company.scale


def income(*kinds: str) -> Line:
    """Income less expense of some kinds in a year."""
    return lambda filing, year, part: amount(filing, filing.accounts.income(year, *kinds))


def expense(*kinds: str) -> Line:
    """Expense of some kinds in a year, positive."""
    return lambda filing, year, part: -amount(filing, filing.accounts.income(year, *kinds))


def asset(*kinds: str) -> Line:
    """What accounts hold at the end of a year, debits positive."""
    return lambda filing, year, part: amount(filing, filing.accounts.asset(year, *kinds))


def claim(*kinds: str) -> Line:
    """What accounts hold at the end of a year, credits positive."""
    return lambda filing, year, part: amount(filing, filing.accounts.claim(year, *kinds))


def paid(memo: str) -> Line:
    """Cash paid for something in a year, positive."""
    return lambda filing, year, part: -amount(filing, filing.accounts.ledger.moved(year, "cash", memo))


def segment(what: str) -> Line:
    """What is allotted to a segment in a year."""

    def line(filing: Filing, year: int, part: str) -> Decimal:
        return amount(filing, getattr(filing.accounts.facts.years[year].segments[part], what))

    return line


def per_share(shares: str) -> Line:
    """Net income a share, in whole currency."""

    def line(filing: Filing, year: int, part: str) -> Decimal:
        return filing.accounts.per_share(year, getattr(filing.accounts.facts.years[year], shares))

    return line


def due_in(first: int, last: int) -> Line:
    """Principal that falls due from the first to the last year after the latest."""

    def line(filing: Filing, year: int, part: str) -> Decimal:
        latest = filing.years[0]
        return amount(filing, sum(filing.accounts.debt_due(latest, latest + k) for k in range(first, last + 1)))

    return line


def rents_in(first: int, last: int) -> Line:
    """Undiscounted rents that fall due from the first to the last year after the latest."""

    def line(filing: Filing, year: int, part: str) -> Decimal:
        years = range(filing.years[0] + first, filing.years[0] + last + 1)
        leases = filing.accounts.facts.leases
        return amount(filing, sum(lease.payments.get(y, 0) for y in years for lease in leases))

    return line


BOOKS: dict[str, Line] = {
    "revenue": income("revenue"),
    "cost_of_revenue": expense("cost"),
    "gross_profit": lambda filing, year, part: amount(filing, filing.accounts.gross_profit(year)),
    "selling": expense("selling"),
    "administration": expense("administration", "rent", "credit_losses", "stock_compensation"),
    "depreciation": expense(*_DEPRECIATION),
    "operating_income": lambda filing, year, part: amount(filing, filing.accounts.operating_income(year)),
    "interest_expense": expense("interest"),
    "before_tax": lambda filing, year, part: amount(filing, filing.accounts.before_tax(year)),
    "income_tax": expense("current_tax", "deferred_tax_expense"),
    "current_tax": expense("current_tax"),
    "net_income": lambda filing, year, part: amount(filing, filing.accounts.net_income(year)),
    "basic_eps": per_share("basic_shares"),
    "diluted_eps": per_share("diluted_shares"),
    "dividend_per_share": lambda filing, year, part: filing.accounts.facts.years[year].dividend,
    "cash": asset("cash"),
    "receivables": asset("receivables", "allowance"),
    "inventories": asset("inventories"),
    "net_property": asset("property", "depreciated"),
    "intangibles": asset("intangibles"),
    "total_assets": asset(*ASSETS, "goodwill", "intangibles"),
    "payables": claim("payables"),
    "payroll_payable": claim("payroll_payable"),
    "interest_payable": claim("interest_payable"),
    "deferred_tax_liability": claim("deferred_tax"),
    "retained_earnings": claim("retained_earnings"),
    "capex": paid("capex"),
    "dividends_paid": paid("dividend_paid"),
    "repurchases": paid("repurchase"),
    "interest_paid": paid("interest_paid"),
    "tax_paid": paid("tax_paid"),
    "exercise_proceeds": lambda filing, year, part: -paid("exercise")(filing, year, part),
    "segment_revenue": lambda filing, year, part: amount(filing, filing.accounts.income(year, f"revenue:{part}")),
    "segment_operating_income": segment("operating_income"),
    "segment_depreciation": segment("depreciation"),
    "segment_capex": segment("capex"),
    "unit_awards": expense("stock_compensation:units"),
    "option_awards": expense("stock_compensation:options"),
    "short_term_leases": expense("rent:short_term"),
    "variable_leases": expense("rent:variable"),
    "statutory_tax": lambda filing, year, part: amount(
        filing, filing.accounts.facts.years[year].tax_steps["statutory"]
    ),
    "property_cost": lambda filing, year, part: amount(filing, filing.accounts.asset(year, f"property:{part}")),
    "property_depreciated": lambda filing, year, part: amount(
        filing, filing.accounts.claim(year, f"depreciated:{part}")
    ),
    "debt_due_1": due_in(1, 1),
    "debt_due_2": due_in(2, 2),
    "debt_due_3": due_in(3, 3),
    "debt_due_in_three": due_in(1, 3),
    "rents_1": rents_in(1, 1),
    "rents_2": rents_in(2, 2),
    "rents_2_to_4": rents_in(2, 4),
}
"""By name of the line."""

"""The credit agreement: its terms, and Consolidated EBITDA and the ratios as it defines them."""

from __future__ import annotations

from decimal import Decimal

from .books import Books
from .facts import CreditTerms
from .taxes import net_income

_STEP_MILLIONS = 0.5
_CAP_OF_CHARGES, _CHARGES_OF_REVENUE = (0.45, 0.85), 0.006
_CAP_OF_CASH = (0.4, 0.9)
_HEADROOM_TIMES, _LEAST_MAX_LEVERAGE_TIMES = (0.5, 1.4), 1.5
_MIN_COVERAGE_QUARTERS = (8, 14)
_QUARTERS = 4
"""Ratios are agreed in quarters of a turn."""


def credit_terms(books: Books) -> CreditTerms:
    """Draw the terms: the caps below what there is to cap in some year, the leverage above what was reached."""
    draw, ledger, company = books.draw, books.ledger, books.company
    charges = [-books.earned(year, "restructuring") for year in company.years]
    base = max(charges) or books.earned(company.latest_year, "revenue") * _CHARGES_OF_REVENUE
    step = company.units(_STEP_MILLIONS)
    cash = ledger.balance("cash", company.latest_year)
    adds = draw.happens(0.5)
    reached = _leverage(books, adds)
    return CreditTerms(
        adds_stock_compensation=adds,
        restructuring_cap=max(step, round(base * draw.uniform(*_CAP_OF_CHARGES) / step) * step),
        cash_cap=max(step, round(cash * draw.uniform(*_CAP_OF_CASH) / step) * step),
        max_leverage=_in_quarters(max(_LEAST_MAX_LEVERAGE_TIMES, reached + draw.uniform(*_HEADROOM_TIMES))),
        min_coverage=Decimal(draw.whole(*_MIN_COVERAGE_QUARTERS)) / _QUARTERS,
    )


def consolidated_ebitda(books: Books, year: int, terms: CreditTerms) -> int:
    """Return Consolidated EBITDA as the credit agreement defines it, in units of the books."""
    added = net_income(books, year) - books.earned(year, "interest", "current_tax", "deferred_tax_expense")
    added -= books.earned(year, "depreciation", "amortisation", "interest_income", "impairment")
    # Gains are taken out and losses added back, so both lines fall away whatever their sign.
    added -= books.earned(year, "disposal_result") + books.earned(year, "currency_result")
    if terms.adds_stock_compensation:
        added -= books.earned(year, "stock_compensation")
    return added + min(-books.earned(year, "restructuring"), terms.restructuring_cap)


def total_net_debt(books: Books, year: int, terms: CreditTerms) -> int:
    """Return Total Net Debt as the credit agreement defines it, in units of the books."""
    return -books.ledger.balance("debt", year) - min(books.ledger.balance("cash", year), terms.cash_cap)


def _leverage(books: Books, adds_stock_compensation: bool) -> float:
    """Return about the highest leverage of the years reported."""
    terms = CreditTerms(adds_stock_compensation, 0, 0, Decimal(0), Decimal(0))
    reached = [
        total_net_debt(books, year, terms) / max(1, consolidated_ebitda(books, year, terms))
        for year in books.company.years
    ]
    return max(reached)


def _in_quarters(ratio: float) -> Decimal:
    return Decimal(round(ratio * _QUARTERS)) / _QUARTERS

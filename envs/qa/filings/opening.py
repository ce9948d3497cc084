"""The balance sheet from which three years of books start, drawn from the ranges of the industry."""

from __future__ import annotations

import numpy as np

from .books import Books
from .company import Company, Draw, slug
from .facts import YearFacts
from .financing import open_debt
from .investment import LIFE_OF_INTANGIBLES, take_lease
from .journal import Ledger
from .shares import PAR, cents, money
from .trading import DAYS, PAYROLL_OF_OVERHEAD, PREPAID_OF_REVENUE

_EARNINGS_MULTIPLE = (11.0, 21.0)
_PRICE = (16.0, 115.0)
_AFTER_TAX = 0.76
_INTEREST = 0.055
# Balances at the start as shares: of revenue, of payroll, of cost or of income.
_CASH, _ALLOWANCE = (0.04, 0.09), (0.0025, 0.0045)
_PAYROLL_OWED, _INTEREST_OWED, _TAX_OWED = (0.03, 0.05), 0.25, 0.05
_WORN = (0.34, 0.5)
_DEFERRED_OF_PROPERTY, _DEFERRED_OF_INTANGIBLES = (0.045, 0.075), 0.12
_DEFERRED_OF_PAYROLL, _DEFERRED_OF_REVENUE = 0.003, 0.0008
_PAID_IN, _TREASURY, _TRANSLATION, _ISSUED_OF_OUTSTANDING = (0.05, 0.11), (0.012, 0.03), (-0.02, 0.03), 1.12
_LEAN = (0.93, 1.07)
_LEASES = ((0.5, (9, 12)), (0.32, (6, 8)), (0.18, (4, 5)))


def open_books(rng: np.random.Generator, company: Company, revenue_millions: float) -> Books:
    """Draw the opening balance sheet, the share counts and the price of the first year.

    Args:
        rng: The generator.
        company: Whose books.
        revenue_millions: Revenue of the year before the first, in millions.
    """
    draw = Draw(rng, company.industry.economics)
    shares = draw.shares(len(company.segments))
    revenue = company.units(revenue_millions)
    lean = _leanness(draw, shares)
    parts = {key: revenue * share for (key, _), share in zip(company.segments, shares, strict=True)}
    books = Books(company, draw, parts, dict(zip(parts, lean, strict=True)), Ledger({}, company.first_year))
    income = revenue * max(0.02, expected_margin(books)) * _AFTER_TAX
    debt = open_debt(books, revenue_millions * draw.point("debt"))
    _found(books, income)
    opening = {**_trading(books, revenue), **debt, **_property(books, revenue), **_owners(books, revenue, income)}
    opening["retained_earnings"] = -sum(opening.values())
    books.ledger = Ledger(opening, company.first_year)
    rent = revenue * draw.point("rent")
    for share, years in [(share, draw.whole(*span)) for share, span in _LEASES]:
        take_lease(books, company.first_year - 1, max(1, round(rent * share)), "opening", years)
    return books


def expected_income(books: Books) -> int:
    """Return a year's net income as the industry's ranges would have it, in units of the books."""
    return round(sum(books.run_rate.values()) * expected_margin(books) * _AFTER_TAX)


def expected_margin(books: Books) -> float:
    """Return income before tax as a share of revenue, as the industry's ranges would have it."""
    costs = ("purchases", "labour", "selling", "administration", "research", "rent", "stock_compensation")
    draw = books.draw
    worn = draw.point("property") * books.company.industry.worn_a_year + draw.point("intangibles") / LIFE_OF_INTANGIBLES
    return 1 - sum(draw.point(cost) for cost in costs) - worn - _INTEREST * draw.point("debt")


def _found(books: Books, income: float) -> None:
    """Draw the price of a share, how many there are and what dividend they get."""
    company, draw, facts = books.company, books.draw, YearFacts()
    books.facts.years[company.first_year] = facts
    facts.average_price = cents(draw.uniform(*_PRICE))
    worth_thousands = income * draw.uniform(*_EARNINGS_MULTIPLE) * company.unit / 1000
    facts.opening_shares = round(worth_thousands / float(facts.average_price))
    paid_thousands = income * draw.point("payout") * company.unit / 1000
    books.dividend = cents(max(0.01, paid_thousands / facts.opening_shares / 4))


def _trading(books: Books, revenue: int) -> dict[str, int]:
    draw = books.draw
    bought, payroll = revenue * draw.point("purchases"), revenue * _payroll(books)
    return {
        "cash": round(revenue * draw.uniform(*_CASH)),
        "receivables": round(revenue * draw.point("receivable_days") / DAYS),
        "allowance": -round(revenue * draw.uniform(*_ALLOWANCE)),
        "inventories": round(bought * draw.point("inventory_days") / DAYS),
        "prepaid": round(revenue * draw.uniform(*PREPAID_OF_REVENUE)),
        "payables": -round(bought * draw.point("payable_days") / DAYS),
        "payroll_payable": -round(payroll * draw.uniform(*_PAYROLL_OWED)),
        "interest_payable": -round(revenue * draw.point("debt") * 0.05 * _INTEREST_OWED),
        "customer_prepayments": -round(revenue * draw.point("prepayment_days") / DAYS),
        "deferred_tax:compensation": round(payroll * _DEFERRED_OF_PAYROLL),
        "deferred_tax:credit_losses": round(revenue * _DEFERRED_OF_REVENUE),
    }


def _property(books: Books, revenue: int) -> dict[str, int]:
    draw = books.draw
    opening = {
        "intangibles": round(revenue * draw.point("intangibles")),
        "deferred_tax:property": -round(revenue * draw.point("property") * draw.uniform(*_DEFERRED_OF_PROPERTY)),
        "deferred_tax:intangibles": -round(revenue * draw.point("intangibles") * _DEFERRED_OF_INTANGIBLES),
    }
    books.facts.intangible_cost = opening["intangibles"]
    for name, part in books.company.industry.property_classes.items():
        cost = round(revenue * draw.point("property") * part.share)
        opening[f"property:{slug(name)}"] = cost
        opening[f"depreciated:{slug(name)}"] = -round(cost * draw.uniform(*_WORN))
    for key, sold in books.run_rate.items():
        opening[f"goodwill:{key}"] = round(sold * draw.point("goodwill") * draw.uniform(0.7, 1.3))
    return opening


def _owners(books: Books, revenue: int, income: float) -> dict[str, int]:
    draw = books.draw
    outstanding = books.facts.years[books.company.first_year].opening_shares
    return {
        "tax_payable": -round(income * _TAX_OWED),
        "dividends_payable": -money(books, outstanding, books.dividend),
        "common_stock": -money(books, round(outstanding * _ISSUED_OF_OUTSTANDING), PAR),
        "paid_in_capital": -round(revenue * draw.uniform(*_PAID_IN)),
        "treasury_stock": round(revenue * draw.uniform(*_TREASURY)),
        "translation": round(revenue * books.abroad * draw.uniform(*_TRANSLATION)),
    }


def _payroll(books: Books) -> float:
    """Return payroll as a share of revenue."""
    draw = books.draw
    return draw.point("labour") + PAYROLL_OF_OVERHEAD * (draw.point("selling") + draw.point("administration"))


def _leanness(draw: Draw, shares: list[float]) -> list[float]:
    """Return how costly each segment is, 1 on average over the revenue."""
    drawn = [draw.uniform(*_LEAN) for _ in shares]
    mean = sum(share * each for share, each in zip(shares, drawn, strict=True))
    return [each / mean for each in drawn]

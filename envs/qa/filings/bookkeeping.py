"""Three years of books: the opening balance sheet, then each year in the order in which it comes about."""

from __future__ import annotations

import numpy as np

from .acquisitions import acquire, impair
from .allotment import allot, split_into_quarters
from .books import Books
from .company import Company
from .covenants import credit_terms
from .facts import YearFacts
from .financing import borrow, settle_revolver, translate
from .investment import invest
from .opening import expected_income, open_books
from .restatement import restate
from .shares import CENT, cents, pay_owners, reward_staff
from .taxes import net_income, tax
from .trading import trade

_LARGEST_NUMBER_OF_WORDING = 999
_RESTRUCTURED, _RESTRUCTURING_OF_REVENUE, _STILL_OWED = 0.45, (0.003, 0.012), (0.2, 0.5)
_PRICE_AGAINST_LAST_YEAR = (0.92, 1.2)
_DIVIDEND_AGAINST_LAST_YEAR = (1.02, 1.1)


def keep_books(rng: np.random.Generator, company: Company, revenue_millions: float) -> Books:
    """Draw and enter three years.

    Args:
        rng: The generator.
        company: Whose books.
        revenue_millions: Revenue of the year before the first, in millions.
    """
    books = open_books(rng, company, revenue_millions)
    last_income = expected_income(books)
    for year in company.years:
        last_income = _year(books, year, last_income)
    books.facts.credit = credit_terms(books)
    books.facts.restatement = restate(books)
    books.facts.next_dividend = books.dividend
    books.facts.wording = books.draw.whole(0, _LARGEST_NUMBER_OF_WORDING)
    books.facts.quarters = split_into_quarters(books)
    return books


def _year(books: Books, year: int, last_income: int) -> int:
    # Interest comes before tax, and tax before the dividend; what is then short is drawn, and costs interest next year.
    facts = books.facts.years[year]
    trade(books, year)
    invest(books, year)
    acquire(books, year)
    impair(books, year)
    _restructure(books, year)
    reward_staff(books, year, facts)
    borrow(books, year)
    translate(books, year)
    tax(books, year, facts)
    pay_owners(books, year, facts, last_income)
    settle_revolver(books, year)
    income = net_income(books, year)
    allot(books, year)
    books.close(year)
    following = YearFacts(opening_shares=facts.closing_shares)
    following.average_price = cents(float(facts.average_price) * books.draw.uniform(*_PRICE_AGAINST_LAST_YEAR))
    books.dividend = max(
        books.dividend + CENT, cents(float(books.dividend) * books.draw.uniform(*_DIVIDEND_AGAINST_LAST_YEAR))
    )
    if year < books.company.latest_year:
        books.facts.years[year + 1] = following
    return income


def _restructure(books: Books, year: int) -> None:
    if not books.draw.happens(_RESTRUCTURED):
        return
    cost = round(books.earned(year, "revenue") * books.draw.uniform(*_RESTRUCTURING_OF_REVENUE))
    owed = round(cost * books.draw.uniform(*_STILL_OWED))
    books.post(year, "restructuring", {"restructuring": cost, "payables": -owed, "cash": owed - cost})

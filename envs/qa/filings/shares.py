"""Entries of the owners: share plans, dividends, repurchases; and the share counts behind earnings per share."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .books import Books
from .facts import Options, Quarter, YearFacts
from .taxes import net_income

CENT = Decimal("0.01")
PAR = Decimal("0.01")
_QUARTERS = 4
_ENOUGH_CASH = 0.12
_SPARE_CASH_SPENT = 0.6
_VESTED_OF_SHARES = (0.002, 0.006)
_UNVESTED_OF_SHARES = (0.001, 0.004)
_OPTIONS_OF_COST = (0.3, 0.5)
_OPTIONS_OF_SHARES, _FIRST_PRICE_OF_OPTIONS = (0.02, 0.035), (0.5, 0.75)
_GRANTED, _EXERCISED, _FORFEITED = (0.12, 0.22), (0.1, 0.2), (0.02, 0.05)
# Old options, granted when the share was cheaper, are exercised first; new ones are forfeited with their holders.
_GRANT_OF_PRICE, _EXERCISE_OF_AVERAGE, _FORFEIT_OF_AVERAGE = (0.95, 1.05), (0.8, 0.92), (1.03, 1.12)


def cents(value: float | Decimal) -> Decimal:
    """Return an amount with two decimals, halves away from zero."""
    return Decimal(str(value)).quantize(CENT, ROUND_HALF_UP)


def money(books: Books, thousands_of_shares: int, price: Decimal) -> int:
    """Return shares in thousands times a price as units of the books."""
    return int((thousands_of_shares * price * 1000 / books.company.unit).quantize(Decimal(1), ROUND_HALF_UP))


def reward_staff(books: Books, year: int, facts: YearFacts) -> None:
    """Enter share-based compensation and the exercise of options."""
    draw, price = books.draw, facts.average_price
    cost = round(books.earned(year, "revenue") * draw.near("stock_compensation", 0.15))
    options = round(cost * draw.uniform(*_OPTIONS_OF_COST))
    for part, amount in (("options", options), ("units", cost - options)):
        books.post(year, "stock_compensation", {f"stock_compensation:{part}": amount, "paid_in_capital": -amount})
    facts.options = _options(books, year, price)
    vested = round(facts.opening_shares * draw.uniform(*_VESTED_OF_SHARES))
    facts.issued_shares = facts.options.exercised + vested
    paid = money(books, facts.options.exercised, facts.options.exercise_price)
    par = money(books, facts.issued_shares, PAR)
    lines = {"cash": paid, "common_stock": -par, "paid_in_capital": par - paid}
    books.post(year, "exercise", lines, "financing")


def pay_owners(books: Books, year: int, facts: YearFacts, last_income: int) -> None:
    """Enter the quarterly dividends and repurchases, and count the shares."""
    draw, outstanding, counted = books.draw, facts.opening_shares, 0
    spend = _repurchase(books, year, last_income) * books.company.unit / 1000 / float(facts.average_price)
    dividend = books.dividend
    for k in range(_QUARTERS):
        bought = round(spend * draw.uniform(0.15, 0.35))
        price = cents(float(facts.average_price) * draw.uniform(0.9, 1.1))
        before = outstanding
        outstanding += (facts.issued_shares if k == 1 else 0) - bought
        counted += before + outstanding
        facts.quarters.append(Quarter(bought, price, outstanding))
        cost = money(books, bought, price)
        books.post(year, "repurchase", {"treasury_stock": cost, "cash": -cost}, "financing")
        _declare(books, year, money(books, outstanding, dividend))
    facts.basic_shares = _in_steps(books, counted / 2 / _QUARTERS)
    facts.dividend = dividend * _QUARTERS
    if facts.options is not None and net_income(books, year) > 0:  # a loss cannot be diluted
        held, price = facts.options, facts.average_price
        spread = max(Decimal(0), price - held.closing_price) / price
        unvested = facts.opening_shares * draw.uniform(*_UNVESTED_OF_SHARES)
        facts.dilutive_shares = _in_steps(books, float(held.closing * spread) + unvested)


def _in_steps(books: Books, thousands_of_shares: float) -> int:
    """Return a number of shares in thousands, in the steps in which the statements show it."""
    step = 1 if books.company.scale == 1000 else 100
    return round(thousands_of_shares / step) * step


def _repurchase(books: Books, year: int, last_income: int) -> float:
    """Return what is spent on own shares: a share of last year's income, and most of what cash is not needed."""
    spare = books.ledger.now("cash") - _ENOUGH_CASH * books.earned(year, "revenue")
    return max(0, last_income) * books.draw.near("buyback", 0.35) + max(0.0, _SPARE_CASH_SPENT * spare)


def _declare(books: Books, year: int, amount: int) -> None:
    owed = -books.ledger.now("dividends_payable")
    books.post(year, "dividend_paid", {"dividends_payable": owed, "cash": -owed}, "financing")
    books.post(year, "dividend", {"retained_earnings": amount, "dividends_payable": -amount})


def _options(books: Books, year: int, price: Decimal) -> Options:
    draw, last = books.draw, books.facts.years.get(year - 1)
    if last is not None and last.options is not None:
        opening, opening_price = last.options.closing, last.options.closing_price
    else:
        opening = round(books.facts.years[year].opening_shares * draw.uniform(*_OPTIONS_OF_SHARES))
        opening_price = cents(float(price) * draw.uniform(*_FIRST_PRICE_OF_OPTIONS))
    granted, exercised, forfeited = (
        round(opening * draw.uniform(*part)) for part in (_GRANTED, _EXERCISED, _FORFEITED)
    )
    grant = cents(float(price) * draw.uniform(*_GRANT_OF_PRICE))
    exercise, forfeit = (
        cents(float(opening_price) * draw.uniform(*part)) for part in (_EXERCISE_OF_AVERAGE, _FORFEIT_OF_AVERAGE)
    )
    closing = opening + granted - exercised - forfeited
    value = opening * opening_price + granted * grant - exercised * exercise - forfeited * forfeit
    return Options(
        opening, opening_price, granted, grant, exercised, exercise, forfeited, forfeit, closing, cents(value / closing)
    )

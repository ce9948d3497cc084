"""Entries of the operating business: sales, purchases, payroll, collections and what customers never paid."""

from __future__ import annotations

from .books import Books

DAYS = 365
PAYROLL_OF_OVERHEAD = 0.62
_WEEKS_OF_PAYROLL_OWED = (1.4, 2.6)
_WEEKS = 52
_GROWTH_BESIDE_THE_COMPANY = (-0.05, 0.06)
_LOST_OF_REVENUE = (0.0006, 0.0022)
_WRITTEN_OFF_OF_LOST = (0.45, 1.25)
PREPAID_OF_REVENUE = (0.006, 0.012)
# How far a year's ratio strays from the company's own, as a share. Costs stray little: in a trade with thin margins
# one point of cost is most of the profit.
_STRAY_OF_PURCHASES, _STRAY_OF_LABOUR, _STRAY_OF_OVERHEAD = 0.009, 0.014, 0.035
_STRAY_OF_DAYS, _STRAY_OF_PREPAYMENTS = 0.07, 0.12


def trade(books: Books, year: int) -> None:
    """Enter a year's trading."""
    revenue = _sell(books, year)
    _supply(books, year, revenue)
    _overhead(books, year, sum(revenue.values()))
    _collect(books, year, sum(revenue.values()))
    _pay(books, year)


def _sell(books: Books, year: int) -> dict[str, int]:
    draw, revenue = books.draw, dict[str, int]()
    for key, _ in books.company.segments:
        growth = 1 + draw.point("growth") + draw.uniform(*_GROWTH_BESIDE_THE_COMPANY)
        books.run_rate[key] *= growth
        revenue[key] = round(books.run_rate[key])
    total = sum(revenue.values())
    ahead = round(total * draw.near("prepayment_days", _STRAY_OF_PREPAYMENTS) / DAYS) + books.ledger.now(
        "customer_prepayments"
    )
    books.post(
        year,
        "sale",
        {
            "receivables": total + ahead,
            "customer_prepayments": -ahead,
            **{f"revenue:{key}": -amount for key, amount in revenue.items()},
        },
    )
    return revenue


def _supply(books: Books, year: int, revenue: dict[str, int]) -> None:
    draw, stocked = books.draw, books.draw.point("inventory_days") > 0
    bought = 0
    for key, amount in revenue.items():
        goods = round(amount * draw.near("purchases", _STRAY_OF_PURCHASES) * books.lean[key])
        labour = round(amount * draw.near("labour", _STRAY_OF_LABOUR) * books.lean[key])
        books.post(year, "goods", {f"cost:{key}": goods, "inventories" if stocked else "payables": -goods})
        books.post(year, "payroll", {f"cost:{key}": labour, "payroll_payable": -labour})
        bought += goods
    if stocked:
        closing = round(bought * draw.near("inventory_days", _STRAY_OF_DAYS) / DAYS)
        added = closing - books.ledger.now("inventories")
        books.post(year, "purchase", {"inventories": added, "payables": -added})


def _overhead(books: Books, year: int, revenue: int) -> None:
    for account in ("selling", "administration", "research"):
        total = round(revenue * books.draw.near(account, _STRAY_OF_OVERHEAD))
        payroll = round(total * PAYROLL_OF_OVERHEAD * books.draw.uniform(0.95, 1.05))
        books.post(year, "payroll", {account: payroll, "payroll_payable": -payroll})
        books.post(year, "services", {account: total - payroll, "payables": payroll - total})


def _collect(books: Books, year: int, revenue: int) -> None:
    draw, ledger = books.draw, books.ledger
    lost = round(revenue * draw.uniform(*_LOST_OF_REVENUE))
    books.post(year, "credit_loss", {"credit_losses": lost, "allowance": -lost})
    written_off = min(round(lost * draw.uniform(*_WRITTEN_OFF_OF_LOST)), -ledger.now("allowance") - 1)
    books.post(year, "write_off", {"allowance": written_off, "receivables": -written_off})
    closing = round(revenue * draw.near("receivable_days", _STRAY_OF_DAYS) / DAYS)
    collected = ledger.now("receivables") - closing
    books.post(year, "collection", {"cash": collected, "receivables": -collected})
    prepaid = round(revenue * draw.uniform(*PREPAID_OF_REVENUE)) - ledger.now("prepaid")
    books.post(year, "prepayment", {"prepaid": prepaid, "cash": -prepaid})


def _pay(books: Books, year: int) -> None:
    draw, ledger = books.draw, books.ledger
    incurred = -ledger.moved(year, "payables", "goods", "purchase", "services")
    settled = -ledger.now("payables") - round(incurred * draw.near("payable_days", _STRAY_OF_DAYS) / DAYS)
    books.post(year, "settlement", {"payables": settled, "cash": -settled})
    payroll = -ledger.moved(year, "payroll_payable", "payroll")
    owed = round(payroll * draw.uniform(*_WEEKS_OF_PAYROLL_OWED) / _WEEKS)
    paid = -ledger.now("payroll_payable") - owed
    books.post(year, "wages", {"payroll_payable": paid, "cash": -paid})

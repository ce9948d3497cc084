"""Entries of income tax: the charge by steps from the statutory rate, and its current and deferred parts."""

from __future__ import annotations

from .books import Books
from .facts import YearFacts

_BEFORE_TAX = (
    "revenue",
    "cost",
    "selling",
    "administration",
    "research",
    "rent",
    "credit_losses",
    "stock_compensation",
    "depreciation",
    "amortisation",
    "disposal_result",
    "restructuring",
    "impairment",
    "interest",
    "interest_income",
    "currency_result",
)

# Steps from the statutory rate, as shares of income before tax; of the tax benefit of compensation paid in shares.
_REGIONAL, _ABROAD, _OTHER = (0.012, 0.028), (-0.05, 0.04), (-0.008, 0.008)
_SHARES_NOT_DEDUCTED = (-0.35, 0.6)
# What of the current charge states and foreign countries get, and how much of it is still owed at year-end.
_REGIONAL_OF_CURRENT, _ABROAD_OF_SHARE, _TAX_OWED = (0.06, 0.12), (0.7, 1.1), (0.1, 0.24)
# Temporary differences: additions written down faster for tax, pay deducted when paid, amortization not deducted.
_FASTER_OF_CAPEX, _PAY_NOT_YET_DEDUCTED, _SHARES_NOT_YET_DEDUCTED = (0.06, 0.22), 0.9, (0.1, 0.3)
_NOT_AMORTISED_FOR_TAX = (0.5, 0.8)


def income_before_tax(books: Books, year: int) -> int:
    """Return a year's income before tax, in units of the books."""
    return books.earned(year, *_BEFORE_TAX)


def net_income(books: Books, year: int) -> int:
    """Return a year's net income, in units of the books."""
    return books.earned(year, *_BEFORE_TAX, "current_tax", "deferred_tax_expense")


def tax(books: Books, year: int, facts: YearFacts) -> None:
    """Enter a year's tax and keep the steps from the statutory rate."""
    facts.tax_steps = _steps(books, year)
    deferred = _deferred(books, year)
    for part, amount in deferred.items():
        books.post(year, "deferred_tax", {f"deferred_tax_expense:{part}": amount, f"deferred_tax:{part}": -amount})
    current = sum(facts.tax_steps.values()) - sum(deferred.values())
    abroad = round(current * books.abroad * books.draw.uniform(*_ABROAD_OF_SHARE))
    regional = (
        round(current * books.draw.uniform(*_REGIONAL_OF_CURRENT)) if books.company.currency.has_regional_tax else 0
    )
    parts = {"domestic": current - abroad - regional, "regional": regional, "foreign": abroad}
    books.post(
        year, "tax", {"tax_payable": -current, **{f"current_tax:{part}": amount for part, amount in parts.items()}}
    )
    paid = -books.ledger.now("tax_payable") - round(current * books.draw.uniform(*_TAX_OWED))
    books.post(year, "tax_paid", {"tax_payable": paid, "cash": -paid})


def _steps(books: Books, year: int) -> dict[str, int]:
    draw, income, rate = books.draw, income_before_tax(books, year), float(books.company.currency.tax_rate)
    paid_in_shares = -books.earned(year, "stock_compensation")
    steps = {
        "statutory": round(income * rate),
        "regional": round(income * draw.uniform(*_REGIONAL)) * books.company.currency.has_regional_tax,
        "abroad": round(income * books.abroad * draw.uniform(*_ABROAD)),
        "credits": -round(abs(income) * draw.near("credits", 0.2)),
        "stock_compensation": round(paid_in_shares * rate * draw.uniform(*_SHARES_NOT_DEDUCTED)),
        "impairment": round(-books.earned(year, "impairment") * rate),
        "other": round(income * draw.uniform(*_OTHER)),
    }
    return {step: amount for step, amount in steps.items() if amount}


def _deferred(books: Books, year: int) -> dict[str, int]:
    """Return the deferred tax expense by what it comes from; a benefit is negative."""
    draw, ledger, rate = books.draw, books.ledger, float(books.company.currency.tax_rate)
    capex = ledger.moved(year, "property", "capex")
    return {
        "property": round(capex * rate * draw.uniform(*_FASTER_OF_CAPEX)),
        "compensation": round(ledger.moved(year, "payroll_payable") * rate * _PAY_NOT_YET_DEDUCTED)
        - round(ledger.moved(year, "stock_compensation") * rate * draw.uniform(*_SHARES_NOT_YET_DEDUCTED)),
        "credit_losses": round(ledger.moved(year, "allowance") * rate),
        "intangibles": -round(ledger.moved(year, "amortisation") * rate * draw.uniform(*_NOT_AMORTISED_FOR_TAX)),
    }

"""Restatements: what the correction of an error in the year before the latest changed in each line."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .books import Books
from .facts import Restatement
from .words import Error, words

PROBABILITY = 0.4
_MOST_OF_A_BALANCE = 0.6
_EXPENSES = ("cost", "administration", "depreciation")
_ASSETS = ("receivables", "prepaid", "property")


def restate(books: Books) -> Restatement | None:
    """Draw a restatement; the books hold the corrected figures.

    Returns:
        The changes, in units of the books, or None where nothing was restated.
    """
    draw, year = books.draw, books.company.latest_year - 1
    causes = books.company.industry.restatements
    cause = causes[draw.whole(0, len(causes) - 1)]
    size_share, happens = draw.uniform(*words().restatements[cause].size), draw.happens(PROBABILITY)
    if not happens:
        return None
    error = words().restatements[cause]
    size = min(books.earned(year, "revenue") * size_share, _largest_size(books, year, error))
    income = {line: round(size * part) for line, part in error.income.items()}
    before_tax = sum(-amount if line in _EXPENSES else amount for line, amount in income.items())
    balance = {line: round(size * part) for line, part in error.balance.items()}
    first = next(iter(balance))  # takes up what rounding left, so that the correction itself balances
    off = before_tax - sum(amount if line in _ASSETS else -amount for line, amount in balance.items())
    balance[first] += off if first in _ASSETS else -off
    charge = Decimal(before_tax) * books.company.currency.tax_rate
    income["tax"] = int(charge.quantize(Decimal(1), ROUND_HALF_UP))
    balance["tax_payable"] = income["tax"]
    return Restatement(year, cause, income, balance)


def _largest_size(books: Books, year: int, error: Error) -> float:
    """Return the size at which the correction makes up the most that it may of a balance that it adds to.

    A correction larger than the corrected balance would mean that less than nothing had been reported before.
    """
    return min(
        (
            _MOST_OF_A_BALANCE * abs(books.ledger.balance(line, year)) / part
            for line, part in error.balance.items()
            if part > 0
        ),
        default=float("inf"),
    )


def change_of_income(restatement: Restatement) -> int:
    """Return what the correction added to net income, in units of the books."""
    return sum(-amount if line in (*_EXPENSES, "tax") else amount for line, amount in restatement.income.items())


def change_before_tax(restatement: Restatement) -> int:
    """Return what the correction added to income before tax, in units of the books."""
    return change_of_income(restatement) + restatement.income["tax"]

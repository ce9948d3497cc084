"""What a filing must not do: let one cell or sentence answer for another cell, or show a line on the wrong side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal

from ..items import Section
from ..tables import Table, number_of

YEARS_APART = frozenset(
    (
        "income_statement",
        "balance_sheet",
        "cash_flow_statement",
        "segment_revenue",
        "segment_operating_income",
        "segment_depreciation",
        "segment_capex",
        "quarterly_results",
        "revenue_by_region",
        "receivables",
        "credit_loss_allowance",
        "inventories",
        "lease_cost",
        "interest_expense",
        "covenant_addbacks",
        "stock_compensation",
        "tax_expense",
        "tax_reconciliation",
        "deferred_taxes",
        "earnings_per_share",
        "share_counts",
        "adjusted_ebitda",
    )
)
CONSTANT = frozenset(("Common stock", "Goodwill"))
"""Rows that may show one figure twice: par value hardly moves, goodwill only when something happens to it."""

MAY_BE_NEGATIVE = frozenset(
    ("Treasury stock, at cost", "Retained earnings", "Accumulated other comprehensive income (loss)")
)

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_YEAR = re.compile(r"\b(?:FY)?20\d\d\b")
_FEWEST_DIGITS = 3


def blurred(tables: dict[str, Table]) -> list[str]:
    """Return `table: row` wherever two years show the same figure, so that one year's cell answers for the other's."""
    return [
        f"{name}: {row}"
        for name, rows in tables.items()
        if name in YEARS_APART
        for row, cells in rows.items()
        if row not in CONSTANT and _repeats(cells.values())
    ]


def misplaced(tables: dict[str, Table]) -> list[str]:
    """Return the lines of the balance sheet that are negative, and so would stand on its other side."""
    return [
        row
        for row, cells in tables["balance_sheet"].items()
        if row not in MAY_BE_NEGATIVE and any(isinstance(value, Decimal) and value < 0 for value in cells.values())
    ]


def told(sections: Iterable[Section], tables: dict[str, Table]) -> list[str]:
    """Return `section: number` wherever a sentence holds a number of three digits or more that a table holds."""
    cells = {
        abs(value)
        for rows in tables.values()
        for row in rows.values()
        for value in row.values()
        if isinstance(value, Decimal)
    }
    return [
        f"{section.section_id}: {number}"
        for section in sections
        for line in sentences(section.text)
        for number in _numbers(line)
        if number in cells
    ]


def sentences(text: str) -> list[str]:
    """Return the lines of a section that belong to no table."""
    return [line for line in text.splitlines() if line and not line.startswith(("|", "Table: "))]


def _numbers(line: str) -> list[Decimal]:
    found = [number_of(each) for each in _NUMBER.findall(_YEAR.sub("", line))]
    return [number for number in found if number is not None and len(number.as_tuple().digits) >= _FEWEST_DIGITS]


def _repeats(values: Iterable[Decimal | str]) -> bool:
    figures = [value for value in values if value]
    return len(set(figures)) < len(figures)

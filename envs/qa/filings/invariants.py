"""What must hold in every annual report, checked on the tables that a reader sees.

Each check takes the tables of a filing and returns in words what does not hold, nothing where all of it does.
"""

from __future__ import annotations

from decimal import Decimal

from .filing import Filing
from .note_invariants import NOTE_CHECKS
from .owner_invariants import OWNER_CHECKS
from .reading import Check, Reading, differ
from .text_invariants import TEXT_CHECKS


def books_balance(read: Reading) -> list[str]:
    """Every entry balances, and debits equal credits at the end of every year."""
    ledger = read.filing.accounts.ledger
    off = [f"{entry.memo} {entry.year}" for entry in ledger.journal if sum(amount for _, amount in entry.lines)]
    kept = {account for entry in ledger.journal for account, _ in entry.lines} | set(ledger.opening)
    trial = {year: sum(ledger.balance(account, year) for account in kept) for year in read.filing.years}
    return off + [f"trial balance of {year}: {amount}" for year, amount in trial.items() if amount]


def income_statement_adds_up(read: Reading) -> list[str]:
    """Each subtotal of the income statement follows from the lines above it."""
    sheet = read["income_statement"]
    revenue, cost = sheet.rows[:2]
    below = sheet.between("Gross profit", "Operating income")
    tax = "Income tax expense (benefit)"
    gains = ["Operating income", "Interest income", "Foreign currency gain (loss)"]
    return [
        *sheet.total_off("Gross profit", [revenue], [cost]),
        *sheet.total_off("Operating income", ["Gross profit"], below),
        *sheet.total_off("Income before income taxes", gains, ["Interest expense"]),
        *sheet.total_off("Net income", ["Income before income taxes"], [tax]),
    ]


def balance_sheet_balances(read: Reading) -> list[str]:
    """Assets equal liabilities and equity, and every subtotal is the sum of its lines."""
    sheet, equity = read["balance_sheet"], "Total shareholders' equity"
    both, current, liabilities = (
        "Total liabilities and shareholders' equity",
        "Total current assets",
        "Total liabilities",
    )
    return [
        *sheet.total_off("Total assets", [both]),
        *sheet.total_off(both, [liabilities, equity]),
        *sheet.total_off(current, sheet.above(current)),
        *sheet.total_off("Total assets", [current, *sheet.between(current, "Total assets")]),
        *sheet.total_off("Total current liabilities", sheet.between("Total assets", "Total current liabilities")),
        *sheet.total_off(
            liabilities, ["Total current liabilities", *sheet.between("Total current liabilities", liabilities)]
        ),
        *sheet.total_off(equity, sheet.between(liabilities, equity)),
    ]


def cash_rolls(read: Reading) -> list[str]:
    """Cash flows add up by activity, and lead from one year's cash to the next and to the balance sheet."""
    sheet, income = read["cash_flow_statement"], read["income_statement"]
    operating, investing = "Net cash provided by operating activities", "Net cash used in investing activities"
    financing, net = "Net cash provided by (used in) financing activities", "Net increase (decrease) in cash"
    begin, end = "Cash and cash equivalents at beginning of year", "Cash and cash equivalents at end of year"
    found = [
        *sheet.total_off(operating, sheet.above(operating)),
        *sheet.total_off(investing, sheet.between(operating, investing)),
        *sheet.total_off(financing, sheet.between(investing, financing)),
        *sheet.total_off(net, [operating, investing, financing, "Effect of exchange rates on cash"]),
        *sheet.total_off(end, [begin, net]),
    ]
    for later, earlier in zip(read.years, read.years[1:], strict=False):
        found += differ("opening cash", {later: sheet.at(begin, later), earlier: sheet.at(end, earlier)})
    for year in read.years[:2]:
        cash = read["balance_sheet"].at("Cash and cash equivalents", year)
        found += differ(f"cash {year}", {"cash flow": sheet.at(end, year), "balance sheet": cash})
    for year in read.years:
        found += differ("net income", {t.name: t.at("Net income", year) for t in (sheet, income)})
    return found


def cash_flows_agree_with_the_journal(read: Reading) -> list[str]:
    """The indirect statement gives what the cash lines of the journal give by activity."""
    filing, sheet = read.filing, read["cash_flow_statement"]
    rows = {
        "operating": "Net cash provided by operating activities",
        "investing": "Net cash used in investing activities",
        "financing": "Net cash provided by (used in) financing activities",
        "translation": "Effect of exchange rates on cash",
    }
    found = []
    for year in filing.years:
        for activity, row in rows.items():
            booked = sum(
                amount
                for entry in filing.accounts.ledger.journal
                if entry.year == year and entry.activity == activity
                for account, amount in entry.lines
                if account == "cash"
            )
            told = {"statement": sheet.at(row, filing.column(year)), "journal": booked * read.unit}
            found += differ(f"{activity} {year}", told)
    return found


def equity_rolls(read: Reading) -> list[str]:
    """Equity leads from one year-end to the next in every component, and ties to income and the balance sheet."""
    found: list[str] = []
    closing, total = "Balance at end of year", "Total equity"
    for table, year in zip(("equity_rollforward", "equity_rollforward_prior"), read.years, strict=False):
        sheet = read[table]
        found += sheet.total_off(closing, sheet.above(closing))
        parts = [column for column in sheet.columns if column != total]
        for row in sheet.rows:
            told = {"parts": sum((sheet.at(row, part) for part in parts), Decimal(0)), "total": sheet.at(row, total)}
            found += differ(f"{table}, {row}", told)
        balance, income = read["balance_sheet"], read["income_statement"]
        equity = balance.at("Total shareholders' equity", year)
        found += differ(f"equity {year}", {table: sheet.at(closing, total), "balance sheet": equity})
        earned = income.at("Net income", year)
        found += differ(f"net income {year}", {table: sheet.at("Net income", "Retained earnings"), "income": earned})
    opening = read["equity_rollforward"].at("Balance at beginning of year", total)
    return found + differ(
        "opening equity", {"latest": opening, "prior": read["equity_rollforward_prior"].at(closing, total)}
    )


STATEMENT_CHECKS: tuple[Check, ...] = (
    books_balance,
    income_statement_adds_up,
    balance_sheet_balances,
    cash_rolls,
    cash_flows_agree_with_the_journal,
    equity_rolls,
)
CHECKS: tuple[Check, ...] = (*STATEMENT_CHECKS, *NOTE_CHECKS, *OWNER_CHECKS, *TEXT_CHECKS)


def broken(filing: Filing) -> list[str]:
    """Return in words every identity that a filing breaks; nothing where it is sound."""
    read = Reading(filing)
    return [f"{check.__name__}: {fault}" for check in CHECKS for fault in check(read)]

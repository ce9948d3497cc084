"""Tables of the notes on income taxes and on the restatement of a year."""

from __future__ import annotations

from decimal import Decimal

from .facts import Restatement
from .grid import Grid, Value
from .page import Page
from .restatement import change_before_tax, change_of_income

_STEPS = {
    "statutory": "Tax at the statutory rate",
    "regional": "State and regional taxes",
    "abroad": "Foreign rate differential",
    "credits": "Tax credits",
    "stock_compensation": "Stock-based compensation",
    "impairment": "Nondeductible goodwill impairment",
    "other": "Other",
}
_PARTS = {"domestic": "Domestic", "regional": "State and regional", "foreign": "Foreign"}
_DEFERRED_ASSETS = {
    "compensation": "Accrued and stock-based compensation",
    "credit_losses": "Allowance for credit losses",
}
_DEFERRED_LIABILITIES = {"property": "Property and equipment", "intangibles": "Intangible assets"}
_BALANCE_ROWS = {
    "receivables": "Accounts receivable, net",
    "prepaid": "Prepaid expenses and other current assets",
    "property": "Property and equipment, net",
    "payables": "Accounts payable",
    "payroll_payable": "Accrued compensation",
    "tax_payable": "Income taxes payable",
}
_ASSET_ROWS = {
    "receivables": ("receivables", "allowance"),
    "prepaid": ("prepaid",),
    "property": ("property", "depreciated"),
}
_GENERAL = ("administration", "rent", "credit_losses", "stock_compensation")


def tax_expense(page: Page) -> Grid:
    """Return current and deferred tax by where it is owed."""
    f, years = page.figures, page.years
    grid = page.grid("tax_expense", years)
    for part, label in _PARTS.items():
        grid.add(f"Current: {label}", [-f.income(y, f"current_tax:{part}") for y in years])
    grid.add("Total current", [-f.income(y, "current_tax") for y in years])
    grid.add("Deferred", [-f.income(y, "deferred_tax_expense") for y in years])
    grid.add("Income tax expense (benefit)", [-f.income(y, "current_tax", "deferred_tax_expense") for y in years])
    return grid


def tax_reconciliation(page: Page) -> Grid:
    """Return the steps from tax at the statutory rate to the tax charge."""
    years, facts = page.years, page.facts.years
    grid = page.grid("tax_reconciliation", years)
    for step, label in _STEPS.items():
        grid.add(label, [facts[y].tax_steps.get(step, 0) for y in years])
    grid.add("Income tax expense (benefit)", [sum(facts[y].tax_steps.values()) for y in years])
    return grid


def deferred_taxes(page: Page) -> Grid:
    """Return deferred tax by what it comes from at the last two year-ends; liabilities are in brackets."""
    f, years = page.figures, page.years[:2]
    grid = page.grid("deferred_taxes", years)
    for side, parts in (("assets", _DEFERRED_ASSETS), ("liabilities", _DEFERRED_LIABILITIES)):
        for part, label in parts.items():
            grid.add(label, [f.asset(y, f"deferred_tax:{part}") for y in years])
        total = [f.asset(y, *(f"deferred_tax:{part}" for part in parts)) for y in years]
        grid.add(f"Total deferred tax {side}", total)
    grid.add("Net deferred tax liability", [f.asset(y, "deferred_tax") for y in years])
    return grid


def restatement(page: Page, change: Restatement) -> Grid:
    """Return the lines that a correction changed: as previously reported, the change, as restated."""
    f, year = page.figures, change.year
    columns = ["As previously reported", "Adjustment", "As restated"]
    grid = Grid("restatement", f"FY{year}, {page.measure}, except per share amounts", columns, page.form)

    def row(label: str, restated: int, adjustment: int) -> None:
        if adjustment:
            grid.add(label, [restated - adjustment, adjustment, restated])

    income = change.income
    gross = income.get("revenue", 0) - income.get("cost", 0)
    row(page.company.industry.revenue, f.income(year, "revenue"), income.get("revenue", 0))
    row(page.company.industry.cost, -f.income(year, "cost"), income.get("cost", 0))
    row("Gross profit", f.gross_profit(year), gross)
    row("General and administrative", -f.income(year, *_GENERAL), income.get("administration", 0))
    worn = -f.income(year, "depreciation", "amortisation")
    row("Depreciation and amortization", worn, income.get("depreciation", 0))
    row("Operating income", f.operating_income(year), change_before_tax(change))
    row("Income before income taxes", f.before_tax(year), change_before_tax(change))
    charge = -f.income(year, "current_tax", "deferred_tax_expense")
    row("Income tax expense (benefit)", charge, income["tax"])
    row("Net income", f.net_income(year), change_of_income(change))
    grid.add("Diluted earnings per share", _per_share(page, change))
    for line, amount in change.balance.items():
        shown = f.asset(year, *_ASSET_ROWS[line]) if line in _ASSET_ROWS else f.claim(year, line)
        row(_BALANCE_ROWS[line], shown, amount)
    row("Retained earnings", f.claim(year, "retained_earnings"), change_of_income(change))
    return grid


def _per_share(page: Page, change: Restatement) -> list[Value]:
    f, shares = page.figures, page.facts.years[change.year].diluted_shares
    restated = f.per_share(change.year, shares)
    before = f.per_share_of(f.net_income(change.year) - change_of_income(change), shares)
    return [before, Decimal(restated - before), restated]

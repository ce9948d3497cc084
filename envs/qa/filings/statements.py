"""The primary statements: income, financial position and equity."""

from __future__ import annotations

from .figures import CURRENT_ASSETS
from .grid import Grid, Value
from .page import Page


def income_statement(page: Page) -> Grid:
    """Return the income statement of three years; expenses are positive, losses in brackets."""
    f, years, industry = page.figures, page.years, page.company.industry
    grid = page.grid("income_statement", years, ", except per share amounts")

    def expense(*kinds: str) -> list[Value]:
        return page.over(years, lambda year: -f.income(year, *kinds))

    grid.add(industry.revenue, page.over(years, lambda year: f.income(year, "revenue")))
    grid.add(industry.cost, expense("cost"))
    grid.add("Gross profit", page.over(years, f.gross_profit))
    grid.add("Selling and marketing", expense("selling"))
    grid.add("General and administrative", expense("administration", "rent", "credit_losses", "stock_compensation"))
    grid.add("Research and development", expense("research"))
    grid.add("Depreciation and amortization", expense("depreciation", "amortisation"))
    grid.add("Restructuring charges", expense("restructuring"))
    grid.add("Goodwill impairment", expense("impairment"))
    grid.add("Loss (gain) on disposal of property and equipment", expense("disposal_result"))
    grid.add("Operating income", page.over(years, f.operating_income))
    grid.add("Interest expense", expense("interest"))
    grid.add("Interest income", page.over(years, lambda year: f.income(year, "interest_income")))
    grid.add("Foreign currency gain (loss)", page.over(years, lambda year: f.income(year, "currency_result")))
    grid.add("Income before income taxes", page.over(years, f.before_tax))
    grid.add("Income tax expense (benefit)", expense("current_tax", "deferred_tax_expense"))
    grid.add("Net income", page.over(years, f.net_income))
    facts = f.facts.years
    grid.add("Basic earnings per share", page.over(years, lambda y: f.per_share(y, facts[y].basic_shares)))
    grid.add("Diluted earnings per share", page.over(years, lambda y: f.per_share(y, facts[y].diluted_shares)))
    grid.add("Dividends declared per share", page.over(years, lambda y: facts[y].dividend))
    for kind, counts in (
        ("basic", [facts[y].basic_shares for y in years]),
        ("diluted", [facts[y].diluted_shares for y in years]),
    ):
        grid.add(f"Weighted average shares, {kind} ({page.scale_word})", [page.shares(count) for count in counts])
    return grid


def balance_sheet(page: Page) -> Grid:
    """Return the balance sheets of the last two year-ends."""
    f, years = page.figures, page.years[:2]
    grid = page.grid("balance_sheet", years)

    def assets(*kinds: str) -> list[Value]:
        return page.over(years, lambda year: f.asset(year, *kinds))

    def claims(*kinds: str) -> list[Value]:
        return page.over(years, lambda year: f.claim(year, *kinds))

    def due(year: int) -> int:
        return f.debt_due(year, year + 1)

    grid.add("Cash and cash equivalents", assets("cash"))
    grid.add("Accounts receivable, net", assets("receivables", "allowance"))
    grid.add("Inventories", assets("inventories"))
    grid.add("Prepaid expenses and other current assets", assets("prepaid"))
    grid.add("Total current assets", assets(*CURRENT_ASSETS))
    grid.add("Property and equipment, net", assets("property", "depreciated"))
    grid.add("Operating lease right-of-use assets", assets("right_of_use"))
    grid.add("Goodwill", assets("goodwill"))
    grid.add("Intangible assets, net", assets("intangibles"))
    grid.add("Total assets", page.over(years, f.total_assets))
    grid.add("Accounts payable", claims("payables"))
    grid.add("Accrued compensation", claims("payroll_payable"))
    grid.add("Accrued interest", claims("interest_payable"))
    grid.add("Income taxes payable", claims("tax_payable"))
    grid.add("Dividends payable", claims("dividends_payable"))
    grid.add("Deferred revenue", claims("customer_prepayments"))
    grid.add("Current portion of long-term debt", page.over(years, due))
    grid.add("Current operating lease liabilities", page.over(years, f.lease_due))
    grid.add("Total current liabilities", page.over(years, f.current_liabilities))
    grid.add("Long-term debt, net", page.over(years, lambda y: f.claim(y, "debt", "issuance_costs") - due(y)))
    noncurrent = [f.claim(y, "lease_liability") - f.lease_due(y) for y in years]
    grid.add("Noncurrent operating lease liabilities", noncurrent)
    grid.add("Deferred tax liabilities, net", claims("deferred_tax"))
    grid.add("Total liabilities", page.over(years, f.total_liabilities))
    grid.add("Common stock", claims("common_stock"))
    grid.add("Additional paid-in capital", claims("paid_in_capital"))
    grid.add("Treasury stock, at cost", claims("treasury_stock"))
    grid.add("Retained earnings", claims("retained_earnings"))
    grid.add("Accumulated other comprehensive income (loss)", claims("translation"))
    grid.add("Total shareholders' equity", page.over(years, f.equity))
    grid.add(
        "Total liabilities and shareholders' equity", page.over(years, lambda y: f.total_liabilities(y) + f.equity(y))
    )
    return grid


def equity_rollforward(page: Page, year: int, name: str) -> Grid:
    """Return the movement of a year's equity by component."""
    f = page.figures
    parts = {
        "Common stock": "common_stock",
        "Additional paid-in capital": "paid_in_capital",
        "Treasury stock": "treasury_stock",
        "Retained earnings": "retained_earnings",
        "Accumulated other comprehensive income (loss)": "translation",
    }
    grid = Grid(name, page.measure, [*parts, "Total equity"], page.form)

    def row(label: str, *memos: str) -> None:
        moved = [-f.ledger.moved(year, kind, *memos) for kind in parts.values()]
        grid.add(label, [*moved, sum(moved)])

    for label, when in (("Balance at beginning of year", year - 1), ("Balance at end of year", year)):
        held = [f.claim(when, kind) for kind in parts.values()]
        grid.add(label, [*held, sum(held)])
    closing = grid.rows.pop()
    row("Net income", "closing")
    row("Foreign currency translation", "translation")
    row("Stock-based compensation", "stock_compensation")
    row("Shares issued under stock plans", "exercise")
    row("Repurchases of common stock", "repurchase")
    row("Dividends declared", "dividend")
    grid.rows.append(closing)
    return grid

"""The cash flow statement by the indirect method, from the movements of the ledger."""

from __future__ import annotations

from .figures import Figures
from .grid import Grid, Value
from .page import Page

_NOT_CASH = ("credit_loss", "translation", "remeasurement", "acquisition")
_WORKING = {
    "Accounts receivable": ("receivables", "allowance"),
    "Inventories": ("inventories",),
    "Prepaid expenses and other current assets": ("prepaid",),
    "Accounts payable": ("payables",),
    "Accrued compensation": ("payroll_payable",),
    "Accrued interest": ("interest_payable",),
    "Income taxes payable": ("tax_payable",),
    "Deferred revenue": ("customer_prepayments",),
    "Operating leases, net": ("right_of_use", "lease_liability"),
}


def adjustments(f: Figures, year: int) -> dict[str, int]:
    """Return what reconciles net income to cash from operations, but for working capital."""
    return {
        "Depreciation and amortization": -f.income(year, "depreciation", "amortisation"),
        "Stock-based compensation": -f.income(year, "stock_compensation"),
        "Deferred income taxes": -f.income(year, "deferred_tax_expense"),
        "Provision for credit losses": -f.income(year, "credit_losses"),
        "Amortization of debt issuance costs": -f.income(year, "interest:issuance_costs"),
        "Goodwill impairment": -f.income(year, "impairment"),
        "Loss (gain) on disposal of property and equipment": -f.income(year, "disposal_result"),
        "Unrealized foreign currency loss (gain)": -f.income(year, "currency_result"),
    }


def working_capital(f: Figures, year: int) -> dict[str, int]:
    """Return the cash that each part of working capital released; what it took up is negative."""
    ledger = f.ledger
    return {
        label: sum(ledger.moved(year, kind, *_NOT_CASH) - ledger.moved(year, kind) for kind in kinds)
        for label, kinds in _WORKING.items()
    }


def operating_cash(f: Figures, year: int) -> int:
    """Return cash from operations by the indirect method."""
    return f.net_income(year) + sum(adjustments(f, year).values()) + sum(working_capital(f, year).values())


def investing(f: Figures, year: int) -> dict[str, int]:
    """Return the cash flows of investing."""
    return {
        "Capital expenditures": f.ledger.moved(year, "cash", "capex"),
        "Acquisitions of businesses": f.ledger.moved(year, "cash", "acquisition"),
        "Proceeds from disposal of property and equipment": f.ledger.moved(year, "cash", "disposal"),
    }


def financing(f: Figures, year: int) -> dict[str, int]:
    """Return the cash flows of financing."""
    return {
        "Proceeds from revolving credit facility": f.ledger.moved(year, "cash", "drawing"),
        "Proceeds from issuance of senior notes, net of costs": f.ledger.moved(year, "cash", "notes_issue"),
        "Repayments of debt": f.ledger.moved(year, "cash", "repayment"),
        "Proceeds from exercise of stock options": f.ledger.moved(year, "cash", "exercise"),
        "Repurchases of common stock": f.ledger.moved(year, "cash", "repurchase"),
        "Dividends paid": f.ledger.moved(year, "cash", "dividend_paid"),
    }


def cash_flow_statement(page: Page) -> Grid:
    """Return the cash flow statement of three years; what was paid is in brackets."""
    f, years = page.figures, page.years
    grid = page.grid("cash_flow_statement", years)
    columns = [(f, year) for year in years]

    def rows(parts: list[dict[str, int]]) -> None:
        for label in parts[0]:
            grid.add(label, [part[label] for part in parts])

    def total(label: str, values: list[Value]) -> None:
        grid.add(label, values, always=True)

    total("Net income", page.over(years, f.net_income))
    rows([adjustments(*column) for column in columns])
    rows([working_capital(*column) for column in columns])
    total("Net cash provided by operating activities", page.over(years, lambda y: operating_cash(f, y)))
    rows([investing(*column) for column in columns])
    total("Net cash used in investing activities", [sum(investing(*column).values()) for column in columns])
    rows([financing(*column) for column in columns])
    total(
        "Net cash provided by (used in) financing activities", [sum(financing(*column).values()) for column in columns]
    )
    grid.add("Effect of exchange rates on cash", page.over(years, lambda y: f.ledger.cash_of(y, "translation")))
    total("Net increase (decrease) in cash", page.over(years, lambda y: f.ledger.moved(y, "cash")))
    total("Cash and cash equivalents at beginning of year", page.over(years, lambda y: f.asset(y - 1, "cash")))
    total("Cash and cash equivalents at end of year", page.over(years, lambda y: f.asset(y, "cash")))
    grid.add("Supplemental: interest paid", page.over(years, lambda y: -f.ledger.moved(y, "cash", "interest_paid")))
    grid.add("Supplemental: income taxes paid", page.over(years, lambda y: -f.ledger.moved(y, "cash", "tax_paid")))
    return grid

"""Tables of the notes on capital: debt, covenants, share plans, earnings per share, repurchases."""

from __future__ import annotations

from .asset_notes import YEARS_SHOWN
from .facts import CreditTerms
from .figures import CENT
from .grid import DASH, Grid, decimal_text, thousands
from .page import Page

_LAST_MATURITY_AFTER_YEARS = 12


def debt(page: Page) -> Grid:
    """Return what is owed by borrowing at the last two year-ends, in the scale of the statements."""
    f, years = page.figures, page.years[:2]
    grid = page.grid("debt", years)
    for tranche in page.facts.tranches:
        grid.add(tranche.name, [f.claim(y, f"debt:{tranche.key}") for y in years])
    grid.add("Total principal", [f.claim(y, "debt") for y in years])
    grid.add("Unamortized debt issuance costs", [f.claim(y, "issuance_costs") for y in years])
    net, due = [f.claim(y, "debt", "issuance_costs") for y in years], [f.debt_due(y, y + 1) for y in years]
    grid.add("Total debt, net", net)
    grid.add("Current portion", [-amount for amount in due])
    grid.add("Long-term debt, net", [whole - part for whole, part in zip(net, due, strict=True)])
    return grid


def debt_maturities(page: Page) -> Grid:
    """Return the principal that falls due by year after the latest, in millions with one decimal."""
    f, latest = page.figures, page.company.latest_year
    grid = Grid("debt_maturities", f"principal, in millions of {page.company.currency.code}", ["Principal due"], str)
    last = latest + YEARS_SHOWN
    due = {y: f.debt_due(latest, y) for y in range(latest + 1, latest + _LAST_MATURITY_AFTER_YEARS)}
    for year in range(latest + 1, last + 1):
        grid.add(f"FY{year}", [_millions(page, due[year])], always=True)
    grid.add("Thereafter", [_millions(page, sum(amount for year, amount in due.items() if year > last))], always=True)
    grid.add("Total principal", [_millions(page, sum(due.values()))])
    return grid


def interest_expense(page: Page) -> Grid:
    """Return the parts of interest expense."""
    f, years = page.figures, page.years
    grid = page.grid("interest_expense", years)
    borrowed = [f"interest:{tranche.key}" for tranche in page.facts.tranches]
    grid.add("Interest on borrowings", [-f.income(y, *borrowed) for y in years])
    grid.add("Amortization of debt issuance costs", [-f.income(y, "interest:issuance_costs") for y in years])
    grid.add("Interest expense", [-f.income(y, "interest") for y in years])
    return grid


def covenant_terms(page: Page, terms: CreditTerms) -> Grid:
    """Return the limits, caps and commitments of the credit agreement; amounts in millions."""
    code = page.company.currency.code
    grid = Grid("covenant_terms", f"ratios in times, amounts in millions of {code}", ["Level"], str)
    grid.add("Maximum Total Net Leverage Ratio", [decimal_text(terms.max_leverage.quantize(CENT))])
    grid.add("Minimum Interest Coverage Ratio", [decimal_text(terms.min_coverage.quantize(CENT))])
    grid.add("Cap on restructuring charges added back in a year", [_millions(page, terms.restructuring_cap)])
    grid.add("Cap on cash deducted from debt", [_millions(page, terms.cash_cap)])
    commitments = sum(tranche.commitment for tranche in page.facts.tranches)
    grid.add("Commitments under the revolving credit facility", [_millions(page, commitments)])
    return grid


def covenant_addbacks(page: Page) -> Grid:
    """Return amounts that the definition of Consolidated EBITDA speaks of, whether it adds them or not."""
    f, years = page.figures, page.years
    grid = page.grid("covenant_addbacks", years)
    parts = {
        "Stock-based compensation": "stock_compensation",
        "Restructuring charges": "restructuring",
        "Goodwill impairment": "impairment",
        "Loss (gain) on disposal of property and equipment": "disposal_result",
        "Foreign currency loss (gain)": "currency_result",
    }
    for label, kind in parts.items():
        grid.add(label, [-f.income(y, kind) for y in years])
    grid.add("Announced savings not yet realized", [page.facts.years[y].announced_savings for y in years])
    return grid


def stock_compensation(page: Page) -> Grid:
    """Return share-based compensation by kind of award."""
    f, years = page.figures, page.years
    grid = page.grid("stock_compensation", years)
    grid.add("Stock options", [-f.income(y, "stock_compensation:options") for y in years])
    grid.add("Restricted stock units", [-f.income(y, "stock_compensation:units") for y in years])
    grid.add("Total stock-based compensation", [-f.income(y, "stock_compensation") for y in years])
    return grid


def option_activity(page: Page) -> Grid:
    """Return the movement of options in the latest year; numbers in thousands, exercise prices a share."""
    columns = ["Options", "Weighted average exercise price"]
    measure = f"options in thousands, prices in {page.company.currency.code} per share"
    grid = Grid("option_activity", measure, columns, thousands)
    held = page.facts.years[page.company.latest_year].options
    if held is not None:
        grid.add("Outstanding at beginning of year", [held.opening, held.opening_price])
        grid.add("Granted", [held.granted, held.grant_price])
        grid.add("Exercised", [-held.exercised, held.exercise_price])
        grid.add("Forfeited", [-held.forfeited, held.forfeit_price])
        grid.add("Outstanding at end of year", [held.closing, held.closing_price])
    return grid


def earnings_per_share(page: Page) -> Grid:
    """Return how earnings per share follow."""
    f, years, facts = page.figures, page.years, page.facts.years
    measure = f"amounts and shares in {page.scale_word}, earnings per share in {page.company.currency.code}"
    grid = Grid("earnings_per_share", measure, [page.heading(y) for y in years], page.form)
    basic, diluted = [facts[y].basic_shares for y in years], [facts[y].diluted_shares for y in years]
    grid.add("Net income", page.over(years, f.net_income))
    grid.add("Weighted average shares outstanding, basic", [page.shares(n) for n in basic])
    grid.add("Dilutive effect of stock awards", [page.shares(facts[y].dilutive_shares) for y in years])
    grid.add("Weighted average shares outstanding, diluted", [page.shares(n) for n in diluted])
    grid.add("Basic earnings per share", [f.per_share(y, n) for y, n in zip(years, basic, strict=True)])
    grid.add("Diluted earnings per share", [f.per_share(y, n) for y, n in zip(years, diluted, strict=True)])
    return grid


def share_counts(page: Page) -> Grid:
    """Return the movement of shares outstanding, in thousands."""
    years, facts = page.years, page.facts.years
    grid = Grid("share_counts", "shares in thousands", [page.heading(y) for y in years], thousands)
    grid.add("Shares outstanding at beginning of year", [facts[y].opening_shares for y in years])
    grid.add("Issued under stock plans", [facts[y].issued_shares for y in years])
    grid.add("Repurchased", [-facts[y].repurchased_shares for y in years])
    grid.add("Shares outstanding at end of year", [facts[y].closing_shares for y in years])
    return grid


def share_repurchases(page: Page) -> Grid:
    """Return the latest year's repurchases by quarter."""
    columns = ["Shares repurchased", "Average price paid per share"]
    measure = f"shares in thousands, prices in {page.company.currency.code}"
    grid = Grid("share_repurchases", measure, columns, thousands)
    names = ("First quarter", "Second quarter", "Third quarter", "Fourth quarter")
    for name, quarter in zip(names, page.facts.years[page.company.latest_year].quarters, strict=True):
        grid.add(name, [quarter.repurchased, quarter.price])
    return grid


def _millions(page: Page, amount: int) -> str:
    """Write an amount that comes in tenths of a million."""
    return decimal_text(page.millions(amount)) if amount else DASH

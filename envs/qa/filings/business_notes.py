"""Tables of the notes on the business: segments, regions, receivables, inventories and key figures."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal

from .grid import Grid, Value, decimal_text, thousands
from .page import Page


def segment_revenue(page: Page) -> Grid:
    """Return revenue by segment."""
    f, years = page.figures, page.years
    grid = page.grid("segment_revenue", years)
    for key, name in page.company.segments:
        grid.add(name, [f.income(y, f"revenue:{key}") for y in years])
    grid.add("Total revenue", [f.income(y, "revenue") for y in years])
    return grid


def segment_operating_income(page: Page) -> Grid:
    """Return operating income by segment, and what is not allotted."""
    f, years = page.figures, page.years
    grid = page.grid("segment_operating_income", years)
    allotted = _segment_rows(page, grid, "operating_income")
    grid.add("Total segment operating income", allotted)
    grid.add("Corporate and unallocated", _less(page.over(years, f.operating_income), allotted))
    grid.add("Operating income", page.over(years, f.operating_income))
    return grid


def segment_depreciation(page: Page) -> Grid:
    """Return depreciation and amortization by segment."""
    total = [-page.figures.income(y, "depreciation", "amortisation") for y in page.years]
    return _segment_totals(page, "segment_depreciation", "depreciation", "Total depreciation and amortization", total)


def segment_capex(page: Page) -> Grid:
    """Return capital expenditures by segment."""
    total = [page.figures.ledger.moved(y, "property", "capex") for y in page.years]
    return _segment_totals(page, "segment_capex", "capex", "Total capital expenditures", total)


def revenue_by_region(page: Page) -> Grid:
    """Return revenue by region; no rows but the total where all of it comes from one region."""
    facts = page.facts.years
    grid = page.grid("revenue_by_region", page.years)
    for name in facts[page.company.latest_year].regions:
        grid.add(name, [facts[y].regions.get(name, 0) for y in page.years])
    grid.add("Total revenue", [page.figures.income(y, "revenue") for y in page.years])
    return grid


def credit_loss_allowance(page: Page) -> Grid:
    """Return the movement of the allowance for credit losses."""
    f, years = page.figures, page.years
    grid = page.grid("credit_loss_allowance", years)
    grid.add("Balance at beginning of year", [f.claim(y - 1, "allowance") for y in years])
    grid.add("Provision for credit losses", [-f.income(y, "credit_losses") for y in years])
    grid.add("Write-offs", [-f.ledger.moved(y, "allowance", "write_off") for y in years])
    grid.add("Balance at end of year", [f.claim(y, "allowance") for y in years])
    return grid


def receivables(page: Page) -> Grid:
    """Return gross and net receivables at the last two year-ends."""
    f, years = page.figures, page.years[:2]
    grid = page.grid("receivables", years)
    grid.add("Accounts receivable, gross", [f.asset(y, "receivables") for y in years])
    grid.add("Allowance for credit losses", [f.asset(y, "allowance") for y in years])
    grid.add("Accounts receivable, net", [f.asset(y, "receivables", "allowance") for y in years])
    return grid


def inventories(page: Page) -> Grid:
    """Return inventories by what they are at the last two year-ends; empty where there are none."""
    facts, years = page.facts.years, page.years[:2]
    grid = page.grid("inventories", years)
    for name in facts[page.company.latest_year].stocks:
        grid.add(name, [facts[y].stocks[name] for y in years])
    grid.add("Total inventories", [page.figures.asset(y, "inventories") for y in years])
    return grid


def key_figures(page: Page) -> Grid:
    """Return rounded figures as first published: in millions, or in billions where the statements are in millions."""
    f, company, years = page.figures, page.company, page.years
    thousand = company.scale == 1000
    word = "millions" if thousand else "billions"
    measure = f"as first published; money in {word} of {company.currency.code} unless stated otherwise"
    grid = Grid("key_figures", measure, [f"FY{y}" for y in years], str)

    def rounded(amount: int) -> Value:
        return decimal_text(page.millions(amount) if thousand else page.rounded(amount, 1_000_000_000, "0.01"))

    grid.add(company.industry.revenue, [rounded(f.income(y, "revenue") - page.corrected(y, "revenue")) for y in years])
    grid.add("Operating income", [rounded(f.operating_income(y) - page.corrected(y, "before_tax")) for y in years])
    grid.add("Net income", [rounded(f.net_income(y) - page.corrected(y, "net_income")) for y in years])
    for metric in company.industry.metrics:
        values = [page.facts.years[y].metrics[metric.label] for y in years]
        if metric.kind == "money":
            grid.add(metric.label, [rounded(int(value)) for value in values])
        else:
            grid.add(metric.label, [_plain(value) for value in values])
    return grid


def quarterly_results(page: Page) -> Grid:
    """Return the latest year's income by quarter."""
    year = page.company.latest_year
    columns = ["First quarter", "Second quarter", "Third quarter", "Fourth quarter", f"FY{year}"]
    grid = Grid("quarterly_results", f"unaudited, {page.measure}", columns, page.form)
    labels = {
        "revenue": page.company.industry.revenue,
        "gross_profit": "Gross profit",
        "operating_income": "Operating income",
        "net_income": "Net income",
    }
    for line, label in labels.items():
        parts = page.facts.quarters[line]
        grid.add(label, [*parts, sum(parts)])
    return grid


def adjusted_ebitda(page: Page) -> Grid:
    """Return how management's own measure follows from net income."""
    f, years = page.figures, page.years
    grid = page.grid("adjusted_ebitda", years)
    grid.add("Net income", page.over(years, f.net_income))
    taken: Mapping[str, tuple[str, ...]] = {
        "Income tax expense (benefit)": ("current_tax", "deferred_tax_expense"),
        "Interest expense": ("interest",),
        "Interest income": ("interest_income",),
        "Depreciation and amortization": ("depreciation", "amortisation"),
    }
    for label, kinds in taken.items():
        grid.add(label, [-f.income(y, *kinds) for y in years])
    grid.add("EBITDA", page.over(years, f.ebitda))
    left_out: Mapping[str, str] = {
        "Stock-based compensation": "stock_compensation",
        "Restructuring charges": "restructuring",
        "Goodwill impairment": "impairment",
        "Foreign currency loss (gain)": "currency_result",
    }
    for label, kind in left_out.items():
        grid.add(label, [-f.income(y, kind) for y in years])
    grid.add("Adjusted EBITDA", page.over(years, f.adjusted_ebitda))
    return grid


def _segment_rows(page: Page, grid: Grid, what: str) -> list[int]:
    """Add a row for each segment.

    Returns:
        Their sum by year.
    """
    facts = page.facts.years
    rows = [[int(getattr(facts[y].segments[key], what)) for y in page.years] for key, _ in page.company.segments]
    for (_, name), row in zip(page.company.segments, rows, strict=True):
        grid.add(name, row)
    return [sum(column) for column in zip(*rows, strict=True)]


def _segment_totals(page: Page, name: str, what: str, label: str, total: list[int]) -> Grid:
    grid = page.grid(name, page.years)
    allotted = _segment_rows(page, grid, what)
    grid.add("Corporate", _less(total, allotted))
    grid.add(label, total)
    return grid


def _less(total: list[int], parts: list[int]) -> list[int]:
    return [whole - part for whole, part in zip(total, parts, strict=True)]


def _plain(value: int | Decimal) -> str:
    return thousands(value) if isinstance(value, int) else decimal_text(value)

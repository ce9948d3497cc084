"""Tables of the notes on what a company holds: property, goodwill, intangible assets and leases."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

from .company import slug
from .grid import Grid, decimal_text
from .investment import LIFE_OF_INTANGIBLES
from .page import Page

YEARS_SHOWN = 5


def property_cost(page: Page) -> Grid:
    """Return the movement of the cost of property in the latest year by class."""
    moves = {"Additions": "capex", "Disposals": "disposal", "Currency translation": "translation"}
    return _rollforward(page, "property_cost", "property", moves, _classes(page), 1)


def property_depreciation(page: Page) -> Grid:
    """Return the movement of accumulated depreciation in the latest year by class."""
    moves = {"Depreciation": "depreciation", "Disposals": "disposal", "Currency translation": "translation"}
    return _rollforward(page, "property_depreciation", "depreciated", moves, _classes(page), -1)


def goodwill_rollforward(page: Page) -> Grid:
    """Return the movement of goodwill in the latest year by segment."""
    moves = {"Acquisitions": "acquisition", "Impairment": "impairment", "Currency translation": "translation"}
    names = {name: key for key, name in page.company.segments}
    return _rollforward(page, "goodwill_rollforward", "goodwill", moves, names, 1)


def intangible_amortization(page: Page) -> Grid:
    """Return the amortization expected on what intangible assets are held, by year after the latest."""
    latest = page.company.latest_year
    left = page.figures.asset(latest, "intangibles")
    yearly = page.facts.intangible_cost / LIFE_OF_INTANGIBLES
    grid = Grid("intangible_amortization", page.measure, ["Expected amortization"], page.form)
    for k in range(1, YEARS_SHOWN + 1):
        charge = min(left, round(yearly * (1 - 0.035 * k)))
        grid.add(f"FY{latest + k}", [charge], always=True)
        left -= charge
    grid.add("Thereafter", [left], always=True)
    grid.add("Total", [page.figures.asset(latest, "intangibles")])
    return grid


def lease_cost(page: Page) -> Grid:
    """Return the parts of lease cost."""
    f, years = page.figures, page.years
    grid = page.grid("lease_cost", years)
    for part, label in (("operating", "Operating"), ("short_term", "Short-term"), ("variable", "Variable")):
        grid.add(f"{label} lease cost", [-f.income(y, f"rent:{part}") for y in years])
    grid.add("Total lease cost", [-f.income(y, "rent") for y in years])
    return grid


def lease_maturities(page: Page) -> Grid:
    """Return the payments that operating leases ask for by year after the latest, and their present value."""
    f, latest = page.figures, page.company.latest_year
    grid = Grid("lease_maturities", page.measure, ["Operating leases"], page.form)
    due = {y: sum(lease.payments.get(y, 0) for lease in page.facts.leases) for y in range(latest + 1, latest + 15)}
    last = latest + YEARS_SHOWN
    for year in range(latest + 1, last + 1):
        grid.add(f"FY{year}", [due[year]], always=True)
    grid.add("Thereafter", [sum(amount for year, amount in due.items() if year > last)], always=True)
    total, liability = sum(due.values()), f.claim(latest, "lease_liability")
    grid.add("Total lease payments", [total])
    grid.add("Imputed interest", [liability - total])
    grid.add("Present value of lease liabilities", [liability])
    return grid


def lease_terms(page: Page) -> Grid:
    """Return remaining term and discount rate at the latest year-end, weighted by lease liability."""
    f, latest = page.figures, page.company.latest_year
    owed = [f.claim(latest, f"lease_liability:{k}") for k in range(1, len(page.facts.leases) + 1)]
    total = Decimal(sum(owed))
    leases = list(zip(page.facts.leases, owed, strict=True))
    years = sum((Decimal(part * (lease.ends - latest)) for lease, part in leases), Decimal(0)) / total
    rate = sum((Decimal(part) * Decimal(str(lease.rate)) for lease, part in leases), Decimal(0)) / total * 100
    grid = Grid("lease_terms", "weighted by lease liability", [f"FY{latest}"], page.form)
    grid.add("Weighted average remaining lease term (years)", [_rounded(years, "0.1")])
    grid.add("Weighted average discount rate (%)", [_rounded(rate, "0.01")])
    return grid


def _classes(page: Page) -> dict[str, str]:
    return {name: slug(name) for name in page.company.industry.property_classes}


def _rollforward(
    page: Page, name: str, kind: str, moves: Mapping[str, str], parts: Mapping[str, str], sign: int
) -> Grid:
    """Return a movement table: a row for each part and one for all, a column for each memo."""
    ledger, year = page.figures.ledger, page.company.latest_year
    grid = Grid(name, page.measure, ["Opening balance", *moves, "Closing balance"], page.form)
    for label, part in {**parts, "Total": ""}.items():
        account = f"{kind}:{part}" if part else kind
        moved = [sign * ledger.moved(year, account, memo) for memo in moves.values()]
        ends = [sign * ledger.balance(account, when) for when in (year - 1, year)]
        grid.add(label, [ends[0], *moved, ends[1]])
    return grid


def _rounded(value: Decimal, places: str) -> str:
    return decimal_text(value.quantize(Decimal(places), ROUND_HALF_UP))

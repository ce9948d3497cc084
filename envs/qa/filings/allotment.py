"""What of a year is told by parts: by segment, by region, by kind of inventory, and beside the accounts."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from .books import Books
from .facts import SegmentFacts
from .industries import Metric
from .taxes import income_before_tax, net_income
from .words import words

_STRAY_OF_COSTS, _STRAY_OF_DEPRECIATION, _STRAY_OF_CAPEX = (0.92, 1.06), (0.9, 1.06), (0.85, 1.05)
_WORN_BY_SEGMENTS, _SPENT_BY_SEGMENTS = 0.93, 0.94
_STRAY_OF_STOCKS, _STRAY_OF_REGIONS, _STRAY_ABROAD = 0.08, 0.05, (0.94, 1.06)
_STRAY_OF_METRICS = (0.965, 1.045)
_SAVINGS_OF_REVENUE = (0.002, 0.006)
_SEASON, _STRAY_OF_QUARTERS = (0.21, 0.29), {"revenue": 0.0, "gross_profit": 0.02}
_STRAY_OF_QUARTERLY_INCOME = 0.09
_ALLOTTED = {"selling": 1.0, "administration": 0.35, "research": 0.8, "rent": 0.9}


def allot(books: Books, year: int) -> None:
    """Keep a year's parts: they are drawn, and what is left over is the last part or corporate."""
    facts = books.facts.years[year]
    for key, _ in books.company.segments:
        facts.segments[key] = _segment(books, year, key)
    facts.regions = _regions(books, year)
    facts.stocks = _split(books, books.ledger.now("inventories"), books.company.industry.stocks, _STRAY_OF_STOCKS)
    revenue_millions = books.earned(year, "revenue") * books.company.unit / 1e6
    for metric in books.company.industry.metrics:
        facts.metrics[metric.label] = _metric(books, metric, revenue_millions)
    facts.announced_savings = round(books.earned(year, "revenue") * books.draw.uniform(*_SAVINGS_OF_REVENUE))


def split_into_quarters(books: Books) -> dict[str, list[int]]:
    """Return the latest year's lines of income by quarter: a season for all of them, and a movement of each margin."""
    draw, year = books.draw, books.company.latest_year
    season = [draw.uniform(*_SEASON) for _ in range(4)]
    lines = {
        "revenue": books.earned(year, "revenue"),
        "gross_profit": books.earned(year, "revenue", "cost"),
        "operating_income": income_before_tax(books, year)
        - books.earned(year, "interest", "interest_income", "currency_result"),
        "net_income": net_income(books, year),
    }
    quarters = {}
    for line, total in lines.items():
        spread = _STRAY_OF_QUARTERS.get(line, _STRAY_OF_QUARTERLY_INCOME)
        weights = [part * draw.uniform(1 - spread, 1 + spread) for part in season]
        parts = [round(total * weight / sum(weights)) for weight in weights[:3]]
        quarters[line] = [*parts, total - sum(parts)]
    return quarters


def _segment(books: Books, year: int, key: str) -> SegmentFacts:
    draw = books.draw
    sold = books.earned(year, f"revenue:{key}")
    share = sold / books.earned(year, "revenue")
    costs = sum(
        round(-books.earned(year, account) * part * share * draw.uniform(*_STRAY_OF_COSTS))
        for account, part in _ALLOTTED.items()
    )
    worn = round(
        -books.earned(year, "depreciation", "amortisation")
        * _WORN_BY_SEGMENTS
        * share
        * draw.uniform(*_STRAY_OF_DEPRECIATION)
    )
    return SegmentFacts(
        operating_income=sold + books.earned(year, f"cost:{key}") - costs - worn,
        depreciation=worn,
        capex=round(
            books.ledger.moved(year, "property", "capex") * _SPENT_BY_SEGMENTS * share * draw.uniform(*_STRAY_OF_CAPEX)
        ),
    )


def _regions(books: Books, year: int) -> dict[str, int]:
    """Return revenue by region; nothing where hardly any comes from abroad."""
    abroad = books.abroad * books.draw.uniform(*_STRAY_ABROAD)
    if not abroad:
        return {}
    home, *others = words().regions[books.company.currency.code]
    revenue = books.earned(year, "revenue")
    domestic = round(revenue * (1 - abroad))
    return {home: domestic, **_split(books, revenue - domestic, others, _STRAY_OF_REGIONS)}


def _split(books: Books, total: int, names: list[str], spread: float) -> dict[str, int]:
    """Return parts of a total, a company's own shares with some movement from year to year."""
    if not names or not total:
        return {}
    weights = [books.share(name) * books.draw.uniform(1 - spread, 1 + spread) for name in names]
    parts = {name: round(total * weight / sum(weights)) for name, weight in zip(names[:-1], weights, strict=False)}
    return {**parts, names[-1]: total - sum(parts.values())}


def _metric(books: Books, metric: Metric, revenue_millions: float) -> int | Decimal:
    level = books.level(metric) * books.draw.uniform(*_STRAY_OF_METRICS)
    if metric.kind == "money":
        return books.company.units(level * revenue_millions)
    if metric.kind == "count":
        return max(1, round(level * revenue_millions))
    places = Decimal("0.1") if metric.kind == "rate" else Decimal("0.01")
    return Decimal(str(level)).quantize(places, ROUND_HALF_UP)

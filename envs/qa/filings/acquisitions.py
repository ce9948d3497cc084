"""Entries of businesses bought, and of goodwill that has lost its value."""

from __future__ import annotations

from .books import Books

_BOUGHT = 0.3
_IMPAIRED = 0.08
_PRICE_OF_REVENUE = (0.012, 0.05)
_TAKEN_OVER = {"intangibles": (0.25, 0.4), "receivables": (0.02, 0.08), "payables": (0.02, 0.06)}
_LOST_OF_GOODWILL = (0.08, 0.3)


def acquire(books: Books, year: int) -> None:
    """Enter the purchase of a business, in some years."""
    draw = books.draw
    if not draw.happens(_BOUGHT):
        return
    key = books.company.segments[draw.whole(0, len(books.company.segments) - 1)][0]
    price = round(books.earned(year, "revenue") * draw.uniform(*_PRICE_OF_REVENUE))
    taken = {
        "intangibles": round(price * draw.uniform(*_TAKEN_OVER["intangibles"])),
        "receivables": round(price * draw.uniform(*_TAKEN_OVER["receivables"])),
        "payables": -round(price * draw.uniform(*_TAKEN_OVER["payables"])),
    }
    books.facts.intangible_cost += taken["intangibles"]
    books.facts.acquired[year] = key
    goodwill = price - sum(taken.values())
    books.post(year, "acquisition", {**taken, f"goodwill:{key}": goodwill, "cash": -price}, "investing")


def impair(books: Books, year: int) -> None:
    """Enter an impairment of the goodwill of one segment, in a few years."""
    draw = books.draw
    if not draw.happens(_IMPAIRED):
        return
    key = books.company.segments[draw.whole(0, len(books.company.segments) - 1)][0]
    if books.facts.acquired.get(year) == key:
        return
    lost = round(books.ledger.now(f"goodwill:{key}") * draw.uniform(*_LOST_OF_GOODWILL))
    books.facts.impaired[year] = key
    books.post(year, "impairment", {f"impairment:{key}": lost, f"goodwill:{key}": -lost})

"""Entries of property, intangible assets and leases."""

from __future__ import annotations

from .books import Books
from .company import slug
from .facts import Lease

_DISPOSED = (0.010, 0.035)
_MIN_WORN = 0.5
_MOST_WORN = 0.95
LIFE_OF_INTANGIBLES = 11
_RATES_OF_LEASES = (0.038, 0.062)
_RISES_OF_RENT = (0.012, 0.032)
_NEW_RENT = (0.05, 0.17)
_YEARS_OF_LEASES = (5, 10)
_OTHER_RENT = {"short_term": (0.04, 0.11), "variable": (0.12, 0.25)}
_STRAY_OF_CAPEX, _STRAY_OF_CHARGES = 0.16, (0.94, 1.06)
_PROCEEDS_OF_CARRYING_AMOUNT = (0.55, 1.5)


def invest(books: Books, year: int) -> None:
    """Enter a year's additions, disposals, depreciation, amortisation, and lease payments."""
    revenue = books.earned(year, "revenue")
    spent = revenue * books.draw.near("capex", _STRAY_OF_CAPEX)
    for name, part in books.company.industry.property_classes.items():
        _property_class(
            books, year, slug(name), round(spent * part.share * books.draw.uniform(0.8, 1.2)), part.life_years
        )
    amortised = round(books.facts.intangible_cost / LIFE_OF_INTANGIBLES * books.draw.uniform(0.93, 1.04))
    books.post(year, "amortisation", {"amortisation": amortised, "intangibles": -amortised})
    _pay_rent(books, year, revenue)
    new_rent = round(revenue * books.draw.point("rent") * books.draw.uniform(*_NEW_RENT))
    take_lease(books, year, max(1, new_rent), "new_lease")


def take_lease(books: Books, year: int, payment: int, memo: str, years: int | None = None) -> None:
    """Enter a lease taken on at the end of a year, over some years or a drawn number of them."""
    rate = round(books.draw.uniform(*_RATES_OF_LEASES), 4)
    rises = 1 + books.draw.uniform(*_RISES_OF_RENT)
    last = year + (years or books.draw.whole(*_YEARS_OF_LEASES))
    lease = Lease(year, {y: round(payment * rises ** (y - year - 1)) for y in range(year + 1, last + 1)}, rate)
    books.facts.leases.append(lease)
    value = round(present_value(lease, year))
    number = len(books.facts.leases)
    books.post(year, memo, {f"right_of_use:{number}": value, f"lease_liability:{number}": -value})


def present_value(lease: Lease, year: int) -> float:
    """Return the value at the end of a year of the payments that follow, each at the end of its year."""
    return sum(payment / (1 + lease.rate) ** (y - year) for y, payment in lease.payments.items() if y > year)


def _property_class(books: Books, year: int, key: str, added: int, life_years: int) -> None:
    ledger, draw = books.ledger, books.draw
    opening = ledger.now(f"property:{key}")
    gone = round(opening * draw.uniform(*_DISPOSED))
    worn = round(gone * draw.uniform(_MIN_WORN, _MOST_WORN))
    proceeds = round((gone - worn) * draw.uniform(*_PROCEEDS_OF_CARRYING_AMOUNT))
    books.post(year, "capex", {f"property:{key}": added, "cash": -added}, "investing")
    books.post(
        year,
        "disposal",
        {
            "cash": proceeds,
            f"depreciated:{key}": worn,
            f"property:{key}": -gone,
            "disposal_result": gone - worn - proceeds,
        },
        "investing",
    )
    charge = round((opening - gone + added / 2) / life_years * draw.uniform(*_STRAY_OF_CHARGES))
    left = round(ledger.now(f"property:{key}") * _MOST_WORN) + ledger.now(f"depreciated:{key}")
    charge = min(charge, max(1, left))
    books.post(year, "depreciation", {f"depreciation:{key}": charge, f"depreciated:{key}": -charge})


def _pay_rent(books: Books, year: int, revenue: int) -> None:
    for k, lease in enumerate(books.facts.leases, 1):
        owed = -books.ledger.now(f"lease_liability:{k}")
        paid, interest = lease.payments[year], round(owed * lease.rate)
        lines = {
            "rent:operating": lease.cost,
            "cash": -paid,
            f"lease_liability:{k}": paid - interest,
            f"right_of_use:{k}": interest - lease.cost,
        }
        books.post(year, "lease_payment", lines)
    for part, share in _OTHER_RENT.items():
        cost = round(revenue * books.draw.point("rent") * books.draw.uniform(*share))
        books.post(year, "lease_payment", {f"rent:{part}": cost, "cash": -cost})

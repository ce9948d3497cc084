"""The industries that filings are drawn from: their economics, their segments and the words of their trade."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen

Name = Annotated[str, Field(min_length=2)]
Range = Annotated[list[float], Field(min_length=2, max_length=2)]


class PropertyClass(Frozen):
    """A class of property and equipment.

    Attributes:
        share: Its share of the cost of all property.
        life_years: Useful life over which it is depreciated by equal amounts.
    """

    share: Annotated[float, Field(gt=0, le=1)]
    life_years: Annotated[int, Field(ge=2, le=60)]


class Metric(Frozen):
    """A figure of the business that is no money account, told in the management's discussion.

    Attributes:
        label: Its name, with its unit.
        kind: `money` is a share of revenue, `count` a number for each million of revenue, `rate` a percentage with
            one decimal, `price` an amount of the currency with two.
        range: What a company's own level is drawn from.
    """

    label: Name
    kind: Literal["money", "count", "rate", "price"]
    range: Range


class Economics(Frozen):
    """Ranges of what a company of the industry earns, spends and owns.

    Attributes:
        revenue_millions: Revenue of the first year, in millions of the currency.
        growth: Growth of revenue a year.
        purchases: Goods and services in the cost of revenue; through inventories where `inventory_days` is above zero.
        labour: Payroll in the cost of revenue.
        selling: Selling expense.
        administration: Administrative expense without rent, credit losses and stock compensation.
        research: Research and development.
        property: Cost of property at the start.
        capex: Additions to property.
        intangibles: Acquired intangible assets at the start.
        goodwill: Goodwill at the start.
        rent: Payments on operating leases.
        stock_compensation: Share-based compensation.
        receivable_days: Days of revenue.
        inventory_days: Days of purchases.
        payable_days: Days of purchases.
        prepayment_days: Days of revenue that customers pay ahead.
        debt: Borrowings at the start.
        payout: Dividends as a share of the last year's net income.
        buyback: Repurchases as a share of the last year's net income.
        foreign: Share of the business done abroad.
        credits: Tax credits as a share of income before tax.
    """

    revenue_millions: Range
    growth: Range
    purchases: Range
    labour: Range
    selling: Range
    administration: Range
    research: Range
    property: Range
    capex: Range
    intangibles: Range
    goodwill: Range
    rent: Range
    stock_compensation: Range
    receivable_days: Range
    inventory_days: Range
    payable_days: Range
    prepayment_days: Range
    debt: Range
    payout: Range
    buyback: Range
    foreign: Range
    credits: Range


class Industry(Frozen):
    """An industry.

    Attributes:
        trade: What a company of it does, after "The Company".
        name_ends: What the names of its companies end in.
        revenue: What revenue is called.
        cost: What the cost of revenue is called.
        segments: Segments on offer; a company reports some of them.
        property_classes: Its classes of property and equipment.
        stocks: What its inventories consist of, none where it has none.
        metrics: Figures of the business beside the accounts.
        up: Why revenue rises, as parts of a sentence.
        down: Why revenue falls, likewise.
        revenue_policy: When revenue is recognized.
        restructuring: What a restructuring of the trade is for.
        restatements: Keys of the errors that restatements in the trade correct (`filing_words.yaml`).
        economics: Ranges of its figures.
    """

    trade: Name
    name_ends: list[Name]
    revenue: Name
    cost: Name
    segments: Annotated[list[Name], Field(min_length=4)]
    property_classes: dict[str, PropertyClass]
    stocks: list[Name]
    metrics: Annotated[list[Metric], Field(min_length=1)]
    up: Annotated[list[Name], Field(min_length=2)]
    down: Annotated[list[Name], Field(min_length=2)]
    revenue_policy: Name
    restructuring: Name
    restatements: Annotated[list[Name], Field(min_length=1)]
    economics: Economics

    @property
    def worn_a_year(self) -> float:
        """The share of the cost of all property that is depreciated in a year."""
        return sum(part.share / part.life_years for part in self.property_classes.values())


class Industries(Frozen):
    """The file `industries.yaml`."""

    canary: str
    industries: dict[str, Industry]


@lru_cache(maxsize=1)
def industries() -> dict[str, Industry]:
    """Return the industries by key; read once a process."""
    place = "industries.yaml"
    return validate(Industries, parse(packaged_text("qa", place), place), place).industries

"""The words that filings are written with: names, causes of restatements, sentences of the notes."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated

from pydantic import Field

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen

Sentences = Annotated[list[Annotated[str, Field(min_length=3)]], Field(min_length=1)]


class Error(Frozen):
    """An error that a restatement corrects.

    Attributes:
        size: Range of its size as a share of the restated year's revenue.
        income: What the correction adds to lines of the income statement, as shares of its size.
        balance: Likewise to lines of the balance sheet.
        text: What had been wrong.
    """

    size: Annotated[list[float], Field(min_length=2, max_length=2)]
    income: dict[str, float]
    balance: dict[str, float]
    text: str


class Discussion(Frozen):
    """Sentences of the management's discussion; pairs fit what the figures did."""

    rose: Sentences
    fell: Sentences
    segments: str
    margin: dict[str, str]
    cash: dict[str, str]
    published: str
    measure: str
    outlook: Sentences
    outlooks: Sentences


class CreditWords(Frozen):
    """The definitions of the credit agreement."""

    definition: str
    stock: str
    no_stock: str
    not_added_stock: str
    not_added_no_stock: str
    net_debt: str
    ratio: str


class Words(Frozen):
    """The file `filing_words.yaml`.

    Attributes:
        canary: Marks the data.
        stems: First parts of invented company names.
        year_ends: Days on which financial years end.
        regions: Where revenue comes from by reporting currency, the home region first.
        restatements: Errors by key.
        overview: Who reports.
        discussion: The management's discussion.
        footnotes: Under the statements, by section.
        policies: Sentences of the notes.
        restated: Under the restatement.
        credit: The credit agreement.
    """

    canary: str
    stems: Sentences
    year_ends: Sentences
    regions: dict[str, Sentences]
    restatements: dict[str, Error]
    overview: Sentences
    discussion: Discussion
    footnotes: dict[str, Sentences]
    policies: dict[str, str | Sentences]
    restated: str
    credit: CreditWords


@lru_cache(maxsize=1)
def words() -> Words:
    """Return the words; read once a process."""
    place = "filing_words.yaml"
    return validate(Words, parse(packaged_text("qa", place), place), place)

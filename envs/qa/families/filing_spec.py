"""The data form of a family of questions on an annual report: what is looked up, where, and what is taken for it.

A family stands in `data/qa/extraction.yaml`. Placeholders: `{company}`, `{ccy}`, `{money}` (the measure of the tables,
such as `thousands of USD`), `{asked}` (that of the answer), `{year}` and `{column}` (the year asked about and its
heading), `{y0}`, `{c0}`, `{y1}`, `{c1}`, `{y2}`, `{c2}` (years from the latest), `{n1}` ... `{n5}` (headings of years
to come), `{segment}`, `{property}`, `{revenue}`, `{cost}` (labels of this filing), `{convert}` (from the tables'
measure to the answer's), `{from_millions}`, and `{table}`, `{row}`, `{phrase}` of the target.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

from pydantic import Field

from ...core.data import packaged_text, parse, validate
from ...core.tasks import Frozen
from ...core.upkeep import CANARY
from ..items import Capability
from .spec import FOLDER, Exact, Judged, Mistake, Name, Text

FILE = "extraction.yaml"


class Target(Frozen):
    """What is asked for.

    Attributes:
        line: Its second computation, in `checks/books.py` or `checks/derived.py`.
        table: Where it stands.
        row: In which row.
        column: In which column.
        phrase: How the question names it.
        like: `table/row` or `table/row/column` that is easily taken for it.
    """

    line: Name
    table: Name
    row: Text
    phrase: Text = "the figure"
    column: Text = "{column}"
    like: list[Text] = Field(default_factory=list)


class FilingFamily(Frozen):
    """One family.

    Attributes:
        name: Unique.
        capability: What a question of it asks for.
        measure: `table` answers in the measure of the tables, `other` in the other one of thousands and millions,
            `thousands` in thousands whatever the tables, `each` in whole currency or as `unit` says.
        kind: `number` for what is read off or added up exactly, else as in `Asked`.
        unit: Of the answer; the currency where None.
        features: Judged by hand; evidence and distractors are counted.
        sections: Ids of the sections shown, those that the filing has.
        years: Which years may be asked about, 0 the latest.
        targets: One is drawn.
        questions: Wordings; one is drawn.
        terms: `table/row` by name, for placeholders in the program: 0 where the filing leaves the row out, and for
            `stock_added` where its credit agreement does not add stock-based compensation.
        program: Gives the answer.
        mistakes: Beside those that follow from the target's neighbours.
        apart: Whether neighbouring columns and rows are mistakes of this family.
        plausible: The least and the greatest answer that makes sense; None for any.
        explanation: How the answer follows.
    """

    name: Name
    capability: Capability = "information_extraction"
    measure: Literal["table", "other", "thousands", "each"] = "table"
    kind: Literal["number", "formula", "program"] = "number"
    unit: Text | None = None
    features: Judged
    sections: Annotated[list[Name], Field(min_length=1)]
    years: Annotated[list[Annotated[int, Field(ge=0, le=2)]], Field(min_length=1)] = Field(default_factory=lambda: [0])
    targets: Annotated[list[Target], Field(min_length=1)]
    questions: Annotated[list[Text], Field(min_length=3)]
    terms: dict[Name, Text] = Field(default_factory=dict)
    program: Text = 'cell("{table}", "{row}", "{column}"){convert}'
    mistakes: list[Mistake] = Field(default_factory=list)
    apart: bool = True
    plausible: Annotated[list[Exact], Field(min_length=2, max_length=2)] | None = None
    explanation: Text


class FilingFamilies(Frozen):
    """The file."""

    canary: Literal[CANARY]  # type: ignore[valid-type]
    families: Annotated[list[FilingFamily], Field(min_length=1)]


@lru_cache(maxsize=1)
def filing_families() -> dict[str, FilingFamily]:
    """Return the families by name.

    Raises:
        DataError: The file breaks its schema.
    """
    found = validate(FilingFamilies, parse(packaged_text(FOLDER, FILE), FILE), FILE).families
    return {each.name: each for each in found}

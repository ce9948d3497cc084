"""What a public set is to BizGym: where it lies, under which licence, and how its rows become items."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

from ..answers import AnswerSpec
from ..difficulty import Features, band_of, difficulty
from ..items import Capability, Item, Section

Row = Mapping[str, Any]
Split = Literal["train", "test"]
_NO_ID = re.compile(r"[^A-Za-z0-9_\-]+")
_MAX_ID = 80
_SPACES = re.compile(r"\s+")
EXECUTED_REL_TOL = 0.01
"""Relative tolerance of an executed program (EnterpriseBench, A.1)."""


class LeftOut(Exception):
    """A row that becomes no item; the message is the reason that the import counts it under."""


@dataclass(frozen=True, slots=True)
class PublicSet:
    """A public set.

    Attributes:
        name: As `source` and the command line call it.
        title: For people.
        home: Where it is published.
        hub_id: Its id for the package `datasets`, None where it is files of a repository.
        revision: The commit that is read from the hub, None where the user has to name one.
        licence: As its publisher states it.
        ask: Why its licence has to be accepted by name, "" where it need not be.
        files: Which of its files are read.
        items: Makes the items of a row; yields or raises `LeftOut` for what cannot be graded.
    """

    name: str
    title: str
    home: str
    hub_id: str | None
    revision: str | None
    licence: str
    ask: str
    files: str
    items: Callable[[Row, Split], Iterator[Item | LeftOut]]


def item_of(
    source: str,
    original_id: str,
    *,
    licence: str,
    capability: Capability,
    split: Split,
    question: str,
    sections: Sequence[Section],
    answer: AnswerSpec,
    features: Features,
    family: str,
    code: bool = False,
    explanation: str = "",
) -> Item:
    """Return an item of a public set; its id begins with the set's name, and `meta.id` keeps the original one."""
    return Item(
        item_id=f"{source}.{slug(original_id)}",
        capability=capability,
        band=band_of(difficulty(features)),
        split=split,
        source=source,
        licence=licence,
        features=features,
        question=question,
        sections=list(sections),
        answer=answer,
        code=code,
        family=family,
        explanation=explanation,
        meta={"id": original_id},
    )


def slug(original_id: str) -> str:
    """Return an id as letters, digits, `_` and `-`."""
    return _NO_ID.sub("-", original_id).strip("-")[:_MAX_ID] or "row"


def section(section_id: str, title: str, text: str) -> list[Section]:
    """Return a section, or none for a text without a word."""
    return [Section(section_id=section_id, title=title, text=text)] if text.strip() else []


def text_at(row: Row, field: str) -> str:
    """Return a text of a row.

    Raises:
        LeftOut: The row has none.
    """
    value = row.get(field)
    if not isinstance(value, str) or not value.strip():
        raise LeftOut(f"no text in {field}")
    return value


def lines_of(value: Any) -> str:
    """Return a list of sentences as one text."""
    return "\n".join(str(each) for each in value) if isinstance(value, list) else str(value or "")


def markdown(rows: Any) -> str:
    """Return a table, a list of lists of cells, as Markdown; its first row is the heading."""
    if not isinstance(rows, list) or not all(isinstance(each, list) for each in rows) or not rows:
        return ""
    cells = [[_SPACES.sub(" ", str(each)).replace("|", "/").strip() for each in row] for row in rows]
    width = max(map(len, cells))
    padded = [row + [""] * (width - len(row)) for row in cells]
    head, *body = ["| " + " | ".join(row) + " |" for row in padded]
    return "\n".join([head, "|" + "---|" * width, *body])


def number_in(value: Any) -> Decimal | None:
    """Return a number, also one written with commas, a currency or a percent sign; None for anything else."""
    if isinstance(value, bool) or value is None:
        return None
    text = _SPACES.sub("", str(value)).strip("$€£%").replace(",", "")
    negative = text.startswith("(") and text.endswith(")")
    try:
        number = Decimal(text.strip("()$€£%"))
    except InvalidOperation:
        return None
    if not number.is_finite():
        return None
    return -number if negative else number


def executed_spec(value: Any, unit: str | None = None, scale: Literal[1, 1000, 1000000] = 1) -> AnswerSpec:
    """Return the specification of a number that a program reckons; yes and no become a choice.

    Raises:
        LeftOut: The gold is neither.
    """
    word = str(value).strip().lower()
    if word in ("yes", "no"):
        return AnswerSpec(kind="choice", value=word, options=["yes", "no"])
    number = number_in(value)
    if number is None:
        raise LeftOut("the gold is no number")
    return AnswerSpec(kind="program", value=f"{number:f}", unit=unit, scale=scale, rel_tol=EXECUTED_REL_TOL)


def clipped(count: int, most: int) -> int:
    """Return a count within what a feature holds."""
    return max(0, min(count, most))

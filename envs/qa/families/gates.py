"""From a draft to an item: what every computed question must pass before it is asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import Any

from ..answers import AnswerSpec
from ..difficulty import Features, band_of, difficulty
from ..items import Capability, Item, NearMiss, Section
from ..programs import Cell, Reckoned, reckon
from ..tables import Table, tables_of
from .drawing import Split
from .spec import Asked, Judged, Mistake

LEAST_DISTANCE = Decimal("0.03")
"""How far a common mistake must lie from the answer, as a share of it."""

LEAST_MISTAKES = 3
AGREEMENT = Decimal("1e-9")
"""How far the two computations may lie apart, as a share: what is left to binary arithmetic."""

FORMULA_DIGITS = 4
CLEAR_OF_TIES = Decimal("0.96")
"""Of half a unit of the last digit: beyond, people round to either side."""

PROGRAM_DECIMALS, SMALL_DECIMALS = 4, 6
"""Decimals of what a program gives; the second of amounts below 1."""

PROGRAM_TOLERANCE, READ_TOLERANCE = 0.01, 1e-6


@dataclass(frozen=True, slots=True)
class Draft:
    """A question before its gates.

    Attributes:
        capability: As in the item.
        family: As in the item.
        question: As in the item.
        sections: As in the item.
        asked: Kind, unit and scale of the answer.
        judged: The features that are not counted.
        program: As in the item.
        mistakes: Wrong ways, in the program's names.
        second: The answer by the second computation.
        plausible: The least and the greatest answer let through.
        explanation: As in the item.
        meta: As in the item.
    """

    capability: Capability
    family: str
    question: str
    sections: list[Section]
    asked: Asked
    judged: Judged
    program: str
    mistakes: Sequence[Mistake]
    second: Decimal
    plausible: Sequence[Decimal]
    explanation: str
    meta: dict[str, Any] = field(default_factory=dict)


class Refused(Exception):
    """A draft that does not make a good question; another draw may."""


class Disagreement(Exception):
    """The two computations of a family differ, which no other draw mends."""


def to_item(draft: Draft, item_id: str, split: Split, source: str = "bizgym") -> Item:
    """Return the item of a draft.

    Raises:
        Refused: Its answer is not plausible or stands in a table, or fewer than three mistakes lie far enough off.
        Disagreement: The two computations differ.
        ProgramError: The program broke off.
    """
    tables = tables_of(draft.sections)
    done = reckon(draft.program, tables, [each.gives for each in draft.mistakes])
    gold = done.values[0]
    if abs(gold - draft.second) > AGREEMENT * max(abs(draft.second), Decimal("1e-3")):
        raise Disagreement(f"{draft.family}: the program gives {gold}, the second computation {draft.second}")
    if not gold or not draft.plausible[0] <= gold <= draft.plausible[1]:
        raise Refused(f"{draft.family}: {gold} is not plausible")
    evidence, distractors = counted_rows(tables, done.reads)
    features = Features(evidence=evidence, distractors=distractors, **draft.judged.model_dump())
    answer = _answer(draft.asked, draft.second)
    if features.steps and _stands_there(gold, answer, tables):
        raise Refused(f"{draft.family}: the answer {gold} can be read off by luck")
    return Item(
        item_id=item_id,
        capability=draft.capability,
        band=band_of(difficulty(features)),
        split=split,
        source=source,
        features=features,
        question=draft.question,
        sections=draft.sections,
        answer=answer,
        code=draft.asked.kind == "program",
        program=draft.program,
        near_misses=_near_misses(draft, done, answer),
        family=draft.family,
        explanation=draft.explanation,
        meta=draft.meta,
    )


def counted_rows(tables: Mapping[str, Table], reads: Sequence[Cell]) -> tuple[int, int]:
    """Return how many table rows a program reads, and how many other rows hold numbers."""
    used = {(table, row) for table, row, _ in reads}
    rows = {
        (table, row)
        for table, found in tables.items()
        for row, cells in found.items()
        if any(isinstance(cell, Decimal) for cell in cells.values())
    }
    return len(used), len(rows - used)


def significant(value: Decimal, digits: int) -> str:
    """Return a number at so many significant digits, as plain text without an exponent."""
    if not value:
        return "0"
    return format(Context(prec=digits, rounding=ROUND_HALF_EVEN).create_decimal(value), "f")


def rounded(value: Decimal) -> str:
    """Return a number at the decimals of what a program gives, as plain text without trailing zeros."""
    decimals = PROGRAM_DECIMALS if abs(value) >= 1 else SMALL_DECIMALS
    short = value.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_EVEN)
    return format(short.normalize(), "f") if short else "0"


def _answer(asked: Asked, value: Decimal) -> AnswerSpec:
    if asked.kind == "number":
        text = format(value.normalize(), "f")
        return AnswerSpec(kind="number", value=text, unit=asked.unit, scale=asked.scale, abs_tol=READ_TOLERANCE)
    if asked.kind == "program":
        text = rounded(value)
        return AnswerSpec(
            kind="program", value=text, unit=asked.unit, scale=asked.scale, rel_tol=PROGRAM_TOLERANCE, abs_tol=1e-6
        )
    text = significant(value, FORMULA_DIGITS)
    half = Decimal(5).scaleb(value.adjusted() - FORMULA_DIGITS)
    if abs(value - Decimal(text)) > CLEAR_OF_TIES * half:
        raise Refused(f"{value} lies between two roundings")
    return AnswerSpec(kind="formula", value=text, unit=asked.unit, scale=asked.scale, abs_tol=float(half))


def _stands_there(gold: Decimal, answer: AnswerSpec, tables: Mapping[str, Table]) -> bool:
    """Whether some cell holds what counts as the answer."""
    allowed = max(Decimal(str(answer.abs_tol)), Decimal(str(answer.rel_tol)) * abs(gold))
    cells = (cell for rows in tables.values() for row in rows.values() for cell in row.values())
    return any(isinstance(cell, Decimal) and abs(cell - gold) <= allowed for cell in cells)


def _near_misses(draft: Draft, done: Reckoned, answer: AnswerSpec) -> list[NearMiss]:
    """Return the mistakes that lie far enough off, each value once."""
    gold, found = done.values[0], dict[str, str]()
    least = max(LEAST_DISTANCE * abs(gold), Decimal(str(answer.abs_tol)))
    for mistake, value in zip(draft.mistakes, done.values[1:], strict=True):
        if abs(value - gold) > least:
            found.setdefault(rounded(value), mistake.why)
    if len(found) < LEAST_MISTAKES:
        raise Refused(f"{draft.family}: only {len(found)} mistakes lie more than 3 % off")
    return [NearMiss(value=value, why=why) for value, why in found.items()]

"""TAT-QA: questions over a table and the paragraphs around it; the scale of an answer is part of it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal

from ..answers import AnswerSpec
from ..difficulty import Features
from ..items import Capability, Item, Section
from .public_set import EXECUTED_REL_TOL, LeftOut, PublicSet, Row, Split, item_of, markdown, number_in, section, text_at

NAME, LICENCE = "tatqa", "CC BY 4.0"
_SCALES: dict[str, tuple[Literal[1, 1000, 1000000], int, str | None]] = {
    "": (1, 1, None),
    "thousand": (1000, 1, None),
    "million": (1000000, 1, None),
    "billion": (1000000, 1000, None),
    "percent": (1, 1, "percent"),
}
"""By the word of the data: the scale, what the value is multiplied by to be in it, and the unit."""


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make one item a question.

    Raises:
        LeftOut: The row holds no questions.
    """
    questions = row.get("questions")
    if not isinstance(questions, list):
        raise LeftOut("no questions")
    sections = _context(row)
    for asked in questions:
        try:
            yield _item(asked, sections, split)
        except LeftOut as left_out:
            yield left_out
        except (ValueError, TypeError, KeyError, AttributeError) as error:  # one question of any shape
            yield LeftOut(f"question of another form ({type(error).__name__})")


def _item(asked: Row, sections: list[Section], split: Split) -> Item:
    kind, scale, derivation = (str(asked.get(name) or "") for name in ("answer_type", "scale", "derivation"))
    reckoned = kind in ("arithmetic", "count")
    capability: Capability = "numerical_calculation" if reckoned else "information_extraction"
    steps = 1 + sum(derivation.count(sign) for sign in "+*/") if reckoned else 0
    return item_of(
        NAME,
        str(asked.get("uid")),
        licence=LICENCE,
        capability=capability,
        split=split,
        question=text_at(asked, "question").strip(),
        sections=sections,
        answer=_spec(kind, asked.get("answer"), scale),
        features=Features(steps=min(steps, 20), evidence=2, distractors=6, unit_changes=int(scale != "")),
        family=f"table and text, {kind}",
        code=kind == "arithmetic",
        explanation=derivation,
    )


def _context(row: Row) -> list[Section]:
    table = row.get("table")
    paragraphs = sorted(row.get("paragraphs") or (), key=lambda each: int(each.get("order", 0)))
    return [
        *section("table", "Table", markdown(table.get("table") if isinstance(table, dict) else table)),
        *section("text", "Text", "\n\n".join(str(each.get("text", "")) for each in paragraphs)),
    ]


def _spec(kind: str, gold: Any, word: str) -> AnswerSpec:
    scale, times, unit = _SCALES.get(word, (1, 1, None))
    if kind == "multi-span":
        return AnswerSpec(kind="labels", value=[str(each) for each in gold])
    if kind == "span":
        text = str(gold[0] if isinstance(gold, list) and len(gold) == 1 else gold)
        number = number_in(text)
        if number is None:
            return AnswerSpec(kind="span", value=text)
        unit = "percent" if text.rstrip().endswith("%") else unit
        return AnswerSpec(kind="number", value=_plain(number * times), unit=unit, scale=scale)
    number = number_in(gold)
    if number is None:
        raise LeftOut("the gold is no number")
    if kind == "count":
        return AnswerSpec(kind="number", value=_plain(number), unit=unit, scale=scale)
    return AnswerSpec(kind="program", value=_plain(number * times), unit=unit, scale=scale, rel_tol=EXECUTED_REL_TOL)


def _plain(number: Decimal) -> str:
    return f"{number:f}"


SET = PublicSet(
    name=NAME,
    title="TAT-QA",
    home="https://github.com/NExTplusplus/TAT-QA",
    hub_id="next-tat/TAT-QA",
    revision=None,
    licence=f"{LICENCE} (its code: MIT)",
    ask="",
    files="dataset_raw/tatqa_dataset_train.json, _dev.json, _test_gold.json",
    items=items,
)

"""FinQA: questions over a page of a filing, with a program whose execution is the answer."""

from __future__ import annotations

from collections.abc import Iterator

from ..difficulty import Features
from ..items import Item, Section
from .public_set import LeftOut, PublicSet, Row, Split, clipped, executed_spec, item_of, lines_of, markdown, section

NAME, LICENCE = "finqa", "MIT"


def page(row: Row) -> list[Section]:
    """Return the text and the table of a page, as FinQA and ConvFinQA hold it."""
    return [
        *section("before", "Text before the table", lines_of(row.get("pre_text"))),
        *section("table", "Table", markdown(row.get("table"))),
        *section("after", "Text after the table", lines_of(row.get("post_text"))),
    ]


def operations(program: object) -> int:
    """Return the number of operations of a program in FinQA's language: `subtract(5829, 5735), divide(#0, 5735)`."""
    return str(program).count("(")


def _unit(written: object) -> str | None:
    """Return the unit of an executed answer: where the annotator wrote a percentage, the program gives the ratio."""
    return "ratio" if isinstance(written, str) and written.strip().endswith("%") else None


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a row.

    Raises:
        LeftOut: The row has no question, or its answer is neither a number nor yes or no.
    """
    asked = row.get("qa")
    if not isinstance(asked, dict) or not asked.get("question"):
        raise LeftOut("no question")
    gold = asked.get("exe_ans")
    steps = operations(asked.get("program"))
    evidence = len(asked.get("gold_inds") or ())
    answer = executed_spec(gold, unit=_unit(asked.get("answer")))
    yield item_of(
        NAME,
        str(row.get("id")),
        licence=LICENCE,
        capability="numerical_calculation",
        split=split,
        question=str(asked["question"]).strip(),
        sections=page(row),
        answer=answer,
        features=Features(steps=clipped(steps, 20), evidence=clipped(max(1, evidence), 20), distractors=6),
        family="page of a filing",
        code=answer.kind == "program",
        explanation=str(asked.get("program", "")),
    )


SET = PublicSet(
    name=NAME,
    title="FinQA",
    home="https://github.com/czyssrs/FinQA",
    hub_id=None,
    revision=None,
    licence=LICENCE,
    ask="",
    files="dataset/train.json, dev.json, test.json",
    items=items,
)

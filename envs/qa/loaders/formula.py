"""Formula: word problems whose answer is one number by one formula of finance."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from ..answers import AnswerSpec
from ..difficulty import Features
from ..items import Item
from .public_set import LeftOut, PublicSet, Row, Split, item_of, number_in, text_at

NAME, LICENCE = "formula", "Apache-2.0"


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a row.

    Raises:
        LeftOut: It has no question, or its target is no number.
    """
    question = text_at(row, "context" if row.get("context") else "question").strip()
    target = number_in(row.get("target"))
    if target is None:
        raise LeftOut("the target is no number")
    yield item_of(
        NAME,
        f"{crc32(question.encode('utf-8', 'backslashreplace')):08x}",
        licence=LICENCE,
        capability="numerical_calculation",
        split=split,
        question=question,
        sections=[],
        answer=AnswerSpec(kind="formula", value=f"{target:f}"),
        features=Features(steps=2, evidence=3, outside_knowledge=1),
        family="formula",
        code=True,
    )


SET = PublicSet(
    name=NAME,
    title="Formula",
    home="https://github.com/ace-agent/ace (eval/finance)",
    hub_id=None,
    revision=None,
    licence=f"{LICENCE} (of the repository)",
    ask="",
    files="formula_train.jsonl, formula_test.jsonl, with the fields context and target",
    items=items,
)

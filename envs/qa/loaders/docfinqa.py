"""DocFinQA: the questions of FinQA over the whole filing, which is read by `lookup`."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from ..difficulty import Features
from ..items import Item
from .public_set import LeftOut, PublicSet, Row, Split, clipped, executed_spec, item_of, section, text_at

NAME, LICENCE = "docfinqa", "MIT"


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a row.

    Raises:
        LeftOut: It has no question or no filing, or its answer is neither a number nor yes or no.
    """
    question, filing = text_at(row, "Question").strip(), text_at(row, "Context")
    program = str(row.get("Program") or "")
    answer = executed_spec(row.get("Answer"))
    steps = max(1, sum(program.count(sign) for sign in "+-*/"))
    yield item_of(
        NAME,
        f"{crc32(f'{question}{filing}'.encode('utf-8', 'backslashreplace')):08x}",
        licence=LICENCE,
        capability="numerical_calculation",
        split=split,
        question=question,
        sections=section("filing", "Filing", filing),
        answer=answer,
        features=Features(steps=clipped(steps, 20), evidence=2, distractors=8, ambiguity=1),
        family="whole filing",
        code=answer.kind == "program",
        explanation=program,
    )


SET = PublicSet(
    name=NAME,
    title="DocFinQA",
    home="https://huggingface.co/datasets/kensho/DocFinQA",
    hub_id="kensho/DocFinQA",
    revision="64ebaff62f692495bcc182f45cf9a9606251b19b",
    licence=f"{LICENCE} (as its publisher's page states)",
    ask="",
    files="train.json, dev.json, test.json (3.6 GB, 0.5 GB, 0.6 GB)",
    items=items,
)

"""ConvFinQA: conversations over a page of a filing; each turn is an item that shows the turns before it."""

from __future__ import annotations

from collections.abc import Iterator

from ..difficulty import Features
from ..items import Item, Section
from .finqa import operations, page
from .public_set import LeftOut, PublicSet, Row, Split, clipped, executed_spec, item_of

NAME, LICENCE = "convfinqa", "MIT"


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make one item a turn.

    Raises:
        LeftOut: The row holds no conversation, or its turns and answers differ in number.
    """
    found = row.get("annotation")
    if not isinstance(found, dict):
        raise LeftOut("no conversation")
    questions, golds = found.get("dialogue_break"), found.get("exe_ans_list")
    programs = found.get("turn_program") or ()
    if not isinstance(questions, list) or not isinstance(golds, list) or len(questions) != len(golds):
        raise LeftOut("turns and answers differ in number")
    sections = page(row)
    said: list[str] = []
    for turn, (question, gold) in enumerate(zip(questions, golds, strict=True)):
        before = "Earlier in this conversation:\n" + "\n".join(said) + "\n\nNow: " if said else ""
        program = str(programs[turn]) if turn < len(programs) else ""
        try:
            yield _item(f"{row.get('id')}_{turn}", f"{before}{question}", sections, gold, program, turn, split)
        except LeftOut as left_out:
            yield left_out
        said.append(f"Q: {question}\nA: {gold}")


def _item(
    identity: str, question: str, sections: list[Section], gold: object, program: str, turn: int, split: Split
) -> Item:
    answer, steps = executed_spec(gold), operations(program)
    return item_of(
        NAME,
        identity,
        licence=LICENCE,
        capability="numerical_calculation" if steps else "information_extraction",
        split=split,
        question=question,
        sections=sections,
        answer=answer,
        features=Features(steps=clipped(steps, 20), evidence=1 + clipped(turn, 10), distractors=6, ambiguity=1),
        family="conversation over a filing",
        code=answer.kind == "program",
        explanation=program,
    )


SET = PublicSet(
    name=NAME,
    title="ConvFinQA",
    home="https://github.com/czyssrs/ConvFinQA",
    hub_id=None,
    revision=None,
    licence=f"{LICENCE} (of its repository; that of the data is not stated apart)",
    ask="",
    files="data/train.json, dev.json",
    items=items,
)

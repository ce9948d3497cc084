"""BizBench: program synthesis, quantity extraction and domain knowledge, from eight sources."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import ascii_uppercase
from typing import Any
from zlib import crc32

from ..answers import AnswerSpec
from ..difficulty import Features
from ..items import Item, Section
from .public_set import LeftOut, PublicSet, Row, Split, clipped, executed_spec, item_of, number_in, section, text_at

NAME, LICENCE = "bizbench", "Apache-2.0"
_PROGRAMS = ("fincode", "codefinqa", "codetatqa")
_QUANTITIES = ("convfinqae", "tatqae", "secnum")
_KNOWLEDGE = ("finknow",)


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a row.

    Raises:
        LeftOut: Its task is none that an answer can be graded for (FormulaEval needs tests of its own).
    """
    task = text_at(row, "task")
    kind = "".join(each for each in task.lower() if each.isalnum())
    gold = row.get("answer")
    common: dict[str, Any] = {
        "licence": LICENCE,
        "split": split,
        "question": text_at(row, "question").strip(),
        "sections": section("context", "Context", str(row.get("context") or "")),
        "family": task,
    }
    identity = str(row.get("id") or digest_of(common["question"], common["sections"]))
    if kind in _PROGRAMS:
        steps = max(1, sum(str(row.get("program", "")).count(sign) for sign in "+-*/"))
        yield item_of(
            NAME,
            identity,
            capability="numerical_calculation",
            answer=executed_spec(gold),
            features=Features(steps=clipped(steps, 20), evidence=2, distractors=4),
            code=True,
            explanation=str(row.get("program") or ""),
            **common,
        )
    elif kind in _QUANTITIES:
        yield item_of(
            NAME,
            identity,
            capability="information_extraction",
            answer=_quantity(gold),
            features=Features(steps=0, evidence=1, distractors=8),
            **common,
        )
    elif kind in _KNOWLEDGE:
        yield item_of(
            NAME,
            identity,
            capability="domain_knowledge",
            answer=_choice(gold, row.get("options")),
            features=Features(outside_knowledge=2, distractors=4),
            **common,
        )
    else:
        raise LeftOut(f"task {task}")


def digest_of(question: str, sections: Sequence[Section]) -> str:
    """Return an id made of a question and its context; the set's rows have none."""
    text = "\n".join([question, *(each.text for each in sections)])
    return f"{crc32(text.encode('utf-8', 'backslashreplace')):08x}"


def _quantity(gold: Any) -> AnswerSpec:
    number = number_in(gold)
    return (
        AnswerSpec(kind="span", value=str(gold)) if number is None else AnswerSpec(kind="number", value=f"{number:f}")
    )


def _choice(gold: Any, options: Any) -> AnswerSpec:
    if not isinstance(options, list) or not options:
        raise LeftOut("no options")
    texts = [str(each) for each in options]
    if str(gold) in texts:
        return AnswerSpec(kind="choice", value=ascii_uppercase[texts.index(str(gold))], options=texts)
    if str(gold).isdecimal() and int(gold) < len(texts):  # a number in JSON, a text in CSV
        return AnswerSpec(kind="choice", value=ascii_uppercase[int(gold)], options=texts)
    if str(gold).strip().upper() in ascii_uppercase[: len(texts)]:
        return AnswerSpec(kind="choice", value=str(gold).strip().upper(), options=texts)
    raise LeftOut("the gold is none of the options")


SET = PublicSet(
    name=NAME,
    title="BizBench",
    home="https://huggingface.co/datasets/kensho/bizbench",
    hub_id="kensho/bizbench",
    revision=None,
    licence=LICENCE,
    ask="",
    files="its train and test files, as JSON, JSONL or CSV",
    items=items,
)

"""FinanceBench: questions over filings with evidence; those whose answer is one number or yes or no can be graded."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from ..answers import AnswerSpec
from ..difficulty import Features
from ..items import Item, Section
from .public_set import EXECUTED_REL_TOL, LeftOut, PublicSet, Row, Split, item_of, number_in, section, text_at

_SCALES: dict[str, Literal[1, 1000, 1000000]] = {"thousands": 1000, "millions": 1000000}
_ASKED = re.compile(r"\b(?:USD|US dollars|\$) ?(?P<scale>thousands|millions)\b", re.IGNORECASE)
NAME, LICENCE = "financebench", "not stated; reported as CC BY-NC 4.0"


def items(row: Row, split: Split) -> Iterator[Item | LeftOut]:
    """Make the item of a row; all of them are for testing.

    Raises:
        LeftOut: Its answer is prose, which no rule can grade.
    """
    gold = text_at(row, "answer").strip()
    evidence = [each for each in row.get("evidence") or () if isinstance(each, dict)]
    yield item_of(
        NAME,
        text_at(row, "financebench_id"),
        licence=LICENCE,
        capability="numerical_calculation" if number_in(gold) is not None else "complex_reasoning",
        split="test",
        question=text_at(row, "question").strip(),
        sections=_pages(row, evidence),
        answer=_spec(gold, text_at(row, "question")),
        features=Features(steps=2, evidence=max(1, len(evidence)), distractors=8, outside_knowledge=1),
        family=str(row.get("question_type") or "filing"),
        explanation=str(row.get("justification") or ""),
    )


def _pages(row: Row, evidence: list[dict[str, object]]) -> list[Section]:
    document = str(row.get("doc_name") or "filing")
    found: list[Section] = []
    for k, each in enumerate(evidence, 1):
        text = each.get("evidence_text_full_page") or each.get("evidence_text") or ""
        found += section(f"page_{k}", f"{document}, page {each.get('evidence_page_num', '?')}", str(text))
    return found


def _spec(gold: str, question: str) -> AnswerSpec:
    number = number_in(gold)
    if number is not None:
        asked = _ASKED.search(question)
        scale = _SCALES[asked["scale"].lower()] if asked else 1
        unit = "percent" if gold.rstrip(".").endswith("%") else "USD" if asked or gold.startswith("$") else None
        return AnswerSpec(kind="formula", value=f"{number:f}", unit=unit, scale=scale, rel_tol=EXECUTED_REL_TOL)
    word = gold.rstrip(".").lower()
    if word in ("yes", "no"):
        return AnswerSpec(kind="choice", value=word, options=["yes", "no"])
    raise LeftOut("the answer is prose")


SET = PublicSet(
    name=NAME,
    title="FinanceBench (open part)",
    home="https://github.com/patronus-ai/financebench",
    hub_id="PatronusAI/financebench",
    revision=None,
    licence=LICENCE,
    ask="its licence is not stated in its repository and reported as non-commercial",
    files="data/financebench_open_source.jsonl",
    items=items,
)

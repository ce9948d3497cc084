"""Items: one question with its context, its answer and the evidence that the answer is right."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ..core.tasks import Frozen
from .answers import AnswerSpec
from .difficulty import Band, Features, band_of, difficulty

Capability = Literal["information_extraction", "numerical_calculation", "domain_knowledge", "complex_reasoning"]
CAPABILITIES: tuple[Capability, ...] = (
    "information_extraction",
    "numerical_calculation",
    "domain_knowledge",
    "complex_reasoning",
)
Id = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.\-]*$", max_length=120)]
SectionId = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=64)]


class Section(Frozen):
    """A part of what the question is about.

    Attributes:
        section_id: Unique within the item.
        title: Its heading.
        text: Markdown; its tables are read by `tables.tables_of`.
    """

    section_id: SectionId
    title: Annotated[str, Field(min_length=1)]
    text: Annotated[str, Field(min_length=1)]


class NearMiss(Frozen):
    """A wrong answer that a common mistake gives; the scorer rejects it.

    Attributes:
        value: In the form of the gold.
        why: The mistake.
    """

    value: str | int | float | list[str]
    why: Annotated[str, Field(min_length=1)]


class Item(Frozen):
    """One question.

    Attributes:
        item_id: Unique over all items; it begins with the capability's initials in the embedded set.
        capability: What it asks for.
        band: Its difficulty; follows from `features`.
        split: `train` or `test`.
        source: `bizgym`, `generated` or the name of the public set it was read from.
        licence: Under which it may be used.
        features: What makes it hard.
        question: Tolerance, unit and form of the answer are printed by the environment, and are not part of it.
        sections: What it is about, in order; none for a question of pure knowledge.
        answer: The gold and what counts as equal.
        code: Whether code may be run on the way to the answer.
        program: Python that reckons the answer from the tables of the sections by `cell(table, row, column)`;
            its last expression is the answer. None where no table decides.
        reasons: For each option of a choice, in order, why it is right or wrong.
        near_misses: What common mistakes answer.
        family: What kind of question it is; items of one family ask the same of other figures.
        explanation: How the answer follows.
    """

    item_id: Id
    capability: Capability
    band: Band
    split: Literal["train", "test"]
    source: str = "bizgym"
    licence: str = "CC BY 4.0"
    features: Features
    question: Annotated[str, Field(min_length=1)]
    sections: list[Section] = Field(default_factory=list)
    answer: AnswerSpec
    code: bool = False
    program: str | None = None
    reasons: list[str] = Field(default_factory=list)
    near_misses: list[NearMiss] = Field(default_factory=list)
    family: Annotated[str, Field(min_length=1)]
    explanation: str = ""
    meta: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if band_of(difficulty(self.features)) != self.band:
            raise ValueError(f"band: the features give {difficulty(self.features)} of 10, which is not {self.band}")
        ids = [each.section_id for each in self.sections]
        if len(set(ids)) != len(ids):
            raise ValueError("sections: two of them share an id")
        if self.reasons and len(self.reasons) != len(self.answer.options or ()):
            raise ValueError("reasons: one for each option")
        return self

    @property
    def context_characters(self) -> int:
        """Length of all sections together."""
        return sum(len(each.title) + len(each.text) for each in self.sections)

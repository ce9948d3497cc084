"""Sets of questions that were written without sight of the lexicon, to measure with or, later, to learn from."""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from ...core.data import packaged_text, parse, read_user_file, validate
from ...core.tasks import Frozen
from ..fact_types import FOLDER, fact_types


class Asked(Frozen):
    """A question that one type of fact answers."""

    type: str
    question: str
    situation: str


class Negative(Frozen):
    """What releases nothing, or, of the kind `several`, one of its types at most."""

    kind: Literal["near_trigger", "chat", "several", "purposeless", "instruction", "statement"]
    question: str
    situation: str
    types: list[str] = Field(default_factory=list)

    @model_validator(mode="after")
    def _types_where_several(self) -> Self:
        if (self.kind == "several") != bool(self.types):
            raise ValueError("types: belong to the kind several, and to no other")
        return self


class QuestionSet(Frozen):
    """A file of questions."""

    canary: str = ""
    questions: list[Asked]
    negatives: list[Negative]

    @model_validator(mode="after")
    def _types_are_known(self) -> Self:
        named = [each.type for each in self.questions] + [name for each in self.negatives for name in each.types]
        strays = sorted(set(named) - set(fact_types().types))
        if strays:
            raise ValueError(f"type: {', '.join(strays)} is none of the types")
        return self


def read_set(path: str) -> QuestionSet:
    """Return a user's file of questions.

    Raises:
        DataError: It cannot be read, or breaks the schema.
    """
    return validate(QuestionSet, parse(read_user_file(path), path), path)


def packaged_set(name: str) -> QuestionSet:
    """Return `data/consulting/blind/<name>.yaml`.

    Raises:
        DataError: It breaks the schema.
    """
    return validate(QuestionSet, parse(packaged_text(f"{FOLDER}/blind", f"{name}.yaml"), name), name)

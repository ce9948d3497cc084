"""The data form of a family of computed questions: what is drawn, told, asked, reckoned, and got wrong.

A family stands in `data/qa/families/*.yaml`. Placeholders `{name}` are filled with what was drawn, `{name*}` with a
drawn series as the cells of a table row; the programs and mistakes are Python for the sandbox (see `programs.py`).
"""

from __future__ import annotations

from decimal import Decimal
from functools import lru_cache
from importlib.resources import files
from typing import Annotated, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from ...core.data import parse, validate
from ...core.tasks import Frozen
from ...core.upkeep import CANARY
from ..items import Capability, Section

Exact = Annotated[Decimal, BeforeValidator(lambda value: Decimal(str(value)))]
Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]
Text = Annotated[str, Field(min_length=1)]
FOLDER = "qa"


class Draw(Frozen):
    """A number to draw: uniform on `low`, `low + step`, ..., `high`.

    Attributes:
        low: The least; a share of `of` where that is set.
        high: The greatest, likewise.
        step: The grid, which also sets how many decimals are written.
        of: A number drawn before, of which `low` and `high` are shares.
        count: How many; `cf` with count 3 is drawn as `cf1`, `cf2`, `cf3`. 1 is a single number.
        apart: Whether those of a series all differ.
    """

    low: Exact
    high: Exact
    step: Exact = Decimal(1)
    of: Name | None = None
    count: Annotated[int, Field(ge=1, le=12)] = 1
    apart: bool = True


class Mistake(Frozen):
    """A wrong way: an expression in the program's names, and what is wrong with it."""

    gives: Text
    why: Text


class Asked(Frozen):
    """How the answer is given; `unit` may hold a placeholder.

    Attributes:
        kind: `number` is exact, `formula` asks for four significant digits, `program` is within one per cent.
        unit: As in an `AnswerSpec`.
        scale: As in an `AnswerSpec`.
    """

    kind: Literal["number", "formula", "program"]
    unit: Text | None = None
    scale: Literal[1, 1000, 1000000] = 1


class Judged(Frozen):
    """The part of an item's features that is not counted on its program and tables."""

    steps: Annotated[int, Field(ge=0, le=10)]
    unit_changes: Annotated[int, Field(ge=0, le=3)] = 0
    outside_knowledge: Annotated[int, Field(ge=0, le=3)] = 0
    ambiguity: Annotated[int, Field(ge=0, le=2)] = 0


class FamilySpec(Frozen):
    """One family.

    Attributes:
        name: Unique; the second computation in `checks` bears it too.
        answer: How the answer is given.
        features: Judged by hand; evidence and distractors are counted.
        draw: Numbers, drawn in this order.
        choose: Words, drawn in this order.
        sections: What the question is about.
        questions: Wordings of the same question; one is drawn.
        program: Gives the answer from the tables.
        plausible: The least and the greatest answer that is let through.
        mistakes: At least three; three must lie far enough off in an item.
        explanation: How the answer follows.
    """

    name: Name
    answer: Asked
    features: Judged
    draw: dict[Name, Draw]
    choose: dict[Name, Annotated[list[Text], Field(min_length=2)]] = Field(default_factory=dict)
    sections: Annotated[list[Section], Field(min_length=1)]
    questions: Annotated[list[Text], Field(min_length=3)]
    program: Text
    plausible: Annotated[list[Exact], Field(min_length=2, max_length=2)]
    mistakes: Annotated[list[Mistake], Field(min_length=3)]
    explanation: Text

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        known: set[str] = set()
        for name, drawn in self.draw.items():
            if drawn.of is not None and drawn.of not in known:
                raise ValueError(f"draw.{name}: {drawn.of} is not drawn before it")
            known.add(name)
        return self


class FamilyFile(Frozen):
    """One file of families on one subject."""

    canary: Literal[CANARY]  # type: ignore[valid-type]
    capability: Capability
    subject: Text
    families: Annotated[list[FamilySpec], Field(min_length=1)]


@lru_cache(maxsize=1)
def family_files() -> tuple[FamilyFile, ...]:
    """Return all files of families, by name of the file.

    Raises:
        DataError: A file breaks its schema.
    """
    folder = files("bizgym.data").joinpath(FOLDER, "families")
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".yaml"))
    return tuple(
        validate(FamilyFile, parse(folder.joinpath(name).read_text(encoding="utf-8"), name), name) for name in names
    )


@lru_cache(maxsize=1)
def families() -> dict[str, FamilySpec]:
    """Return the families by name, in the order of the files.

    Raises:
        DataError: A file breaks its schema.
        ValueError: Two families share a name.
    """
    found: dict[str, FamilySpec] = {}
    for each in family_files():
        for family in each.families:
            if family.name in found:
                raise ValueError(f"the family {family.name} stands twice")
            found[family.name] = family
    return found

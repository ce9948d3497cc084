"""The words of a blueprint: `data/consulting/blueprints/<id>.yaml`, one model, three industries a blueprint.

Figures are written as `{price}` and filled in from the model, in the unit that the model declares; the unit itself is
written out, since only the author knows how it is said.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import Formatter
from typing import Annotated, Literal, Self, get_args

from pydantic import Field, model_validator

from ..core.data import packaged_text, parse, validate
from ..core.tasks import Frozen
from .fact_types import FOLDER

Skin = Literal["a", "b", "c"]
SKINS: tuple[Skin, ...] = get_args(Skin)
Text = Annotated[str, Field(min_length=10, max_length=1200)]
Short = Annotated[str, Field(min_length=2, max_length=160)]
Group = Annotated[str, Field(min_length=2, max_length=200)]
"""Words of which one must be there, with a bar between them: `close|shut down|end`."""
Groups = Annotated[list[Group], Field(min_length=1, max_length=4)]
_TABLE_NAME = r"^[a-z][a-z0-9_]{2,39}$"


class OptionWords(Frozen):
    """How an option is put.

    Attributes:
        text: As the statement names it: what the client would do, without a reason.
        words: Groups of words by which a headline says it; each must be met.
        why_not: Why it is not best, for the variants in which another one is; may hold figures.
    """

    text: Text
    words: Groups
    why_not: Text


class FactWords(Frozen):
    """How the interviewer tells a fact.

    Attributes:
        say: One or two sentences; each figure stands in braces, with its unit behind it.
        near: Phrases that come close to asking for it and must not bring it out.
    """

    say: Text
    near: list[Short] = Field(default_factory=list)


class RowWords(Frozen):
    """A row of an exhibit: shown once its fact is known; `fact` is None for one that is always shown."""

    fact: str | None
    cells: Annotated[list[Annotated[str, Field(max_length=80)]], Field(min_length=2, max_length=6)]


class ExhibitWords(Frozen):
    """A table: its title, the heads of its columns and its rows."""

    title: Short
    columns: Annotated[list[Short], Field(min_length=2, max_length=6)]
    rows: Annotated[list[RowWords], Field(min_length=2, max_length=8)]

    @model_validator(mode="after")
    def _rows_fit(self) -> Self:
        if any(len(row.cells) != len(self.columns) for row in self.rows):
            raise ValueError("rows: as many cells as columns")
        return self


class CauseWords(Frozen):
    """How a cause is put: a sentence, and the groups of words by which a reason names it; each must be met."""

    text: Text
    words: Groups


class ConstraintWords(Frozen):
    """How a recommendation names the constraint: a sentence, and groups of words that must all be met."""

    text: Text
    words: Groups


class TiedWords(Frozen):
    """A risk or a next step.

    Attributes:
        fact: Id of the fact that it follows from.
        when: Ids of the decisions that it belongs to; empty where it belongs to any.
    """

    fact: str
    text: Text
    when: list[str] = Field(default_factory=list)


class SkinWords(Frozen):
    """One industry.

    Attributes:
        client: Name of an invented company or body.
        industry: What it does.
        currency: Its code, for example EUR.
        nouns: What the model's units are called here, one and several, but for `cur`: `{unit: [bottle, bottles]}`.
        factors: Powers that a parameter's range is multiplied by here, so that its size suits the industry.
        statements: What the candidate reads first, one for each difficulty, each in words of its own.
        ask: What the client wants answered, one sentence.
        options: By id.
        metrics: What the key numbers are called, by node.
        facts: By fact id.
        exhibits: By name.
        causes: By id.
        constraint: How it is named.
        risks: Two at least.
        next_steps: Two at least.
    """

    client: Short
    industry: Short
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$")]
    nouns: dict[str, Annotated[list[Short], Field(min_length=2, max_length=2)]]
    factors: dict[str, Annotated[float, Field(gt=0)]] = Field(default_factory=dict)
    statements: dict[Literal["easy", "middle", "hard"], Text]
    ask: Text
    options: dict[str, OptionWords]
    metrics: dict[str, Short]
    facts: dict[str, FactWords]
    exhibits: Annotated[
        dict[Annotated[str, Field(pattern=_TABLE_NAME)], ExhibitWords], Field(min_length=1, max_length=3)
    ]
    causes: dict[str, CauseWords]
    constraint: ConstraintWords
    risks: Annotated[list[TiedWords], Field(min_length=2, max_length=6)]
    next_steps: Annotated[list[TiedWords], Field(min_length=2, max_length=6)]

    def every_text(self) -> list[str]:
        """Return all texts that may hold figures."""
        rows = [cell for table in self.exhibits.values() for row in table.rows for cell in row.cells]
        options = [text for each in self.options.values() for text in (each.text, each.why_not)]
        tied = [each.text for each in (*self.risks, *self.next_steps)]
        causes = [each.text for each in self.causes.values()]
        facts = [each.say for each in self.facts.values()]
        return [*self.statements.values(), self.ask, self.constraint.text, *options, *facts, *causes, *tied, *rows]


class BlueprintWords(Frozen):
    """The file.

    Attributes:
        canary: The canary string.
        blueprint: Id of the blueprint.
        also: Of a cause, further words by which people speak of it, in any of the industries.
        skins: The industries.
    """

    canary: str
    blueprint: str
    also: dict[str, list[Short]] = Field(default_factory=dict)
    skins: dict[Skin, SkinWords]

    @model_validator(mode="after")
    def _three(self) -> Self:
        if tuple(sorted(self.skins)) != SKINS:
            raise ValueError(f"skins: {', '.join(SKINS)}, no more and no less")
        return self


@lru_cache(maxsize=64)
def words_of(blueprint_id: str) -> BlueprintWords:
    """Return the words of a blueprint.

    Raises:
        DataError: The file breaks its schema.
        FileNotFoundError: There is none.
    """
    place = f"blueprints/{blueprint_id}.yaml"
    text = packaged_text(FOLDER, place)
    return validate(BlueprintWords, parse(text, place), place)


def places(text: str) -> list[str]:
    """Return the names in braces, in order.

    Raises:
        ValueError: A brace is open, or there is something in braces that is no plain name.
    """
    found = [(name, spec, how) for _, name, spec, how in Formatter().parse(text) if name is not None]
    wrong = [name for name, spec, how in found if spec or how or not re.fullmatch(r"[a-z_][a-z0-9_]*", name)]
    if wrong:
        raise ValueError(f"{{{wrong[0]}}}: braces hold the plain name of a node")
    return [name for name, _, _ in found]

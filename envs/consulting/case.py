"""A case: what the candidate sees, what the interviewer knows, and the solution; one line of `cases.jsonl`."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from ..core.tasks import Frozen
from .blueprint import Difficulty, Role
from .units import unit_of

TURNS: dict[Difficulty, int] = {"easy": 8, "middle": 12, "hard": 16}
"""Interviewer turns by difficulty."""
WITHHELD = "(not discussed yet)"
_MARKED = re.compile("`([^`]+)`")
_WORD = re.compile(r"[^\W_]+")


class Number(Frozen):
    """A quantity by name.

    Attributes:
        metric: Name of the node in the model.
        value: In `unit`.
        unit: As models write it; `Case.unit_text` gives it in the words of the industry.
    """

    metric: str
    value: float
    unit: str

    @property
    def base_value(self) -> float:
        """The value in base units."""
        return self.value * unit_of(self.unit).scale


class CaseFact(Frozen):
    """Something that the interviewer knows.

    Attributes:
        fact_id: The type, and the segment behind a colon where there is one.
        type: One of `fact_types.yaml`.
        topic: Of the public list.
        segment: What it is about, None where there is one fact of the type.
        sentence: What the interviewer says; it holds every number with its unit.
        numbers: What it tells.
        prerequisites: Ids of facts that must be known before.
        essential: Whether the case cannot be solved without it.
        noise: Whether it has no bearing on the case.
        needed_for: Key numbers and values of options that depend on it.
        near_triggers: Phrases that come close and must not release it.
        exhibit: Name of the exhibit that shows it, None for none.
    """

    fact_id: str
    type: str
    topic: str
    segment: str | None
    sentence: str
    numbers: list[Number]
    prerequisites: list[str]
    essential: bool
    noise: bool
    needed_for: list[str]
    near_triggers: list[str]
    exhibit: str | None


class Row(Frozen):
    """A row of an exhibit, shown once its fact is known; `fact` is None for one that is always shown."""

    fact: str | None
    cells: list[str]


class Exhibit(Frozen):
    """A table.

    Attributes:
        name: What it is asked for by.
        title: Its heading.
        columns: Heads of its columns.
        rows: Its rows.
    """

    name: str
    title: str
    columns: list[str]
    rows: list[Row]

    @property
    def facts(self) -> list[str]:
        """Ids of the facts that it shows."""
        return [row.fact for row in self.rows if row.fact is not None]

    def text(self, known: frozenset[str] | set[str]) -> str:
        """Return the table as Markdown; what stands in a row of a fact that is not known is withheld."""
        lines = [f"{self.title} (`{self.name}`)", "", _line(self.columns), _line(["---"] * len(self.columns))]
        for row in self.rows:
            shown = row.fact is None or row.fact in known
            lines.append(_line(row.cells if shown else [row.cells[0], *[WITHHELD] * (len(row.cells) - 1)]))
        return "\n".join(lines)


class CaseCause(Frozen):
    """An explanation.

    Attributes:
        cause_id: In snake case.
        role: `root`, `red_herring` or `neutral`.
        fact: Id of the fact that shows it, or shows that it is none.
        text: A sentence.
        words: Groups of words that name it.
        also: Further words by which people speak of it.
    """

    cause_id: str
    role: Role
    fact: str
    text: str
    words: list[str]
    also: list[str] = Field(default_factory=list)


class CaseOption(Frozen):
    """An option: its text, and the groups of words by which a headline says it."""

    text: str
    words: list[str]
    why_not: str


class KeyNumber(Number):
    """A number that the client asks for.

    Attributes:
        label: What it is called in the statement.
        steps: How it is reckoned, a line a step.
    """

    label: str
    steps: list[str]


class Tied(Frozen):
    """A risk or a next step, and the fact that it follows from."""

    fact: str
    text: str


class Constraint(Frozen):
    """What the client will not or must not do.

    Attributes:
        fact: Id of the fact that tells it.
        text: A sentence that names it.
        words: Groups of words that name it.
        barred: Ids of the options that it rules out.
    """

    fact: str
    text: str
    words: list[str]
    barred: list[str]


class Solution(Frozen):
    """What the model comes to.

    Attributes:
        decision: Id of the right option.
        runner_up: Id of the next best one.
        why_not: Why that one is not right.
        naive: What the naive path decides.
        margin: How far the decision is from another one, as a share.
        key_numbers: What the client asks for.
        topics: Branches of the issue tree.
        constraint: What has to be kept.
        risks: Risks, the first one of an essential fact.
        next_steps: Next steps, likewise.
        reference: A recommendation in full.
    """

    decision: str
    runner_up: str
    why_not: str
    naive: str
    margin: float
    key_numbers: list[KeyNumber]
    topics: list[str]
    constraint: Constraint
    risks: list[Tied]
    next_steps: list[Tied]
    reference: str


class Case(Frozen):
    """One case.

    Attributes:
        case_id: `<blueprint>-<difficulty>-<skin>`.
        turns: Interviewer turns.
        currency: Code of the currency.
        nouns: What base units are called, one and several.
        statement: What the candidate reads: the situation, the question, the options with ids, the numbers asked for.
        told: Quantities that stand in the statement.
        given: Ids of the facts that the statement tells.
        options: By id.
        facts: What the interviewer knows.
        exhibits: Tables.
        causes: Explanations.
        solution: What the model comes to.
    """

    case_id: str
    blueprint: str
    archetype: str
    difficulty: Difficulty
    skin: str
    split: Literal["train", "test"]
    turns: Annotated[int, Field(ge=1)]
    client: str
    industry: str
    currency: str
    nouns: dict[str, list[str]]
    statement: str
    told: list[Number]
    given: list[str]
    options: dict[str, CaseOption]
    facts: list[CaseFact]
    exhibits: list[Exhibit]
    causes: list[CaseCause]
    solution: Solution

    def unit_text(self, unit: str) -> str:
        """Return a unit of the model in the words of the industry."""
        currency = {"cur": [self.currency, self.currency]}
        return unit_of(unit).named({**self.nouns, **currency})

    @cached_property
    def by_id(self) -> dict[str, CaseFact]:
        """The facts by id."""
        return {fact.fact_id: fact for fact in self.facts}

    @cached_property
    def by_name(self) -> dict[str, Exhibit]:
        """The exhibits by name."""
        return {each.name: each for each in self.exhibits}

    def exhibit_called(self, name: str) -> Exhibit | None:
        """Return the exhibit of a name or a title as it was shown, with or without its marks, in any case; or None."""
        marked = _MARKED.search(name)
        said = _plain(marked[1] if marked else name)
        return next((each for each in self.exhibits if said in (each.name, _plain(each.title))), None)


def _plain(name: str) -> str:
    words = [word for word in _WORD.findall(name.lower()) if word not in ("exhibit", "the", "please")]
    return "_".join(words)


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"

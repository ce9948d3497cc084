"""What a candidate submits, the facts that its texts rest on, and what they say twice."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from .case import Case, CaseFact
from .quantities import claims
from .stance import sentences
from .stems import MEASURES, content

MAX_REASONS = 3
_TIE_STEMS = 3
_SMALL = 12
_SAME_SHARE = 0.8
_LEAST_REPEATED = 6
Line = Annotated[str, Field(max_length=2_000)]


class StatedNumber(BaseModel):
    """A number with its name and unit."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)

    metric: Annotated[str, Field(max_length=200, description="Name of the number, as the client calls it.")]
    value: Annotated[float, Field(description="In the unit.")]
    unit: Annotated[str, Field(max_length=100, description="For example thousand EUR/year.")]


class Recommendation(NamedTuple):
    """A recommendation as it was submitted."""

    decision: str
    headline: str
    key_numbers: tuple[StatedNumber, ...]
    reasons: tuple[str, ...]
    risks: tuple[str, ...]
    next_steps: tuple[str, ...]

    @classmethod
    def of(cls, arguments: Mapping[str, Any]) -> Recommendation:
        """Read the arguments of a call, validated or as they stand in a record."""
        numbers = (
            each if isinstance(each, StatedNumber) else StatedNumber(**each) for each in arguments["key_numbers"]
        )
        return cls(
            arguments["decision"].strip(" `'\"\n").lower(),
            arguments["headline"],
            tuple(numbers),
            *(tuple(arguments[name]) for name in ("reasons", "risks", "next_steps")),
        )

    @property
    def counted(self) -> tuple[str, ...]:
        """The reasons that count: the first three."""
        return self.reasons[:MAX_REASONS]

    @property
    def texts(self) -> tuple[str, ...]:
        """Every text, the headline first."""
        return (self.headline, *self.reasons, *self.risks, *self.next_steps)


def rests_on(text: str, facts: Iterable[CaseFact], case: Case) -> str | None:
    """Return the id of the first fact that a text rests on: it has three of its words, or one of its figures.

    A figure is one that the sentence of the fact holds, above 12 or with a sign of percent or money.
    """
    words = content(text)
    stated = {(each.value, each.kind) for each in claims(text, case.currency)}
    for fact in facts:
        if len(words & content(fact.sentence)) >= _TIE_STEMS:
            return fact.fact_id
        told = {(each.value, each.kind) for each in claims(fact.sentence, case.currency)}
        if any(kind != "other" or abs(value) > _SMALL for value, kind in stated & told):
            return fact.fact_id
    return None


def _wholes(text: str) -> list[str]:
    """Return a text, and its sentences where it has several."""
    parts = sentences(text)
    return [text, *parts] if len(parts) > 1 else [text]


def texts_alike(texts: Sequence[str]) -> str:
    """Return the start of a text that repeats another one, or a sentence that stands twice; "" for none.

    A text or a sentence repeats another one where the shorter of them has six words that carry meaning, and four
    fifths of them stand in the other. The headline, the first text, may be taken up again.
    """
    wholes = [(k, each) for k, text in enumerate(texts[1:], 1) for each in _wholes(text)]
    parts = [(k, each, content(each) - MEASURES) for k, each in wholes]
    for (k, left, here), (n, right, there) in combinations(parts, 2):
        least = min(len(here), len(there))
        apart = k != n or (left != texts[k] and right != texts[k])
        if apart and least >= _LEAST_REPEATED and len(here & there) >= _SAME_SHARE * least:
            return left[:80]
    seen: set[str] = set()
    for sentence in (" ".join(each.split()).lower() for text in texts for each in sentences(text)):
        if sentence in seen:
            return sentence[:80]
        seen.add(sentence)
    return ""

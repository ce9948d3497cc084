"""What a candidate submits, and what its texts name: facts, causes, the constraint, the decision."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Annotated, Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from .case import Case, CaseFact
from .quantities import claims
from .stems import content, meets

MAX_REASONS = 3
_TIE_STEMS = 3
_SMALL = 12
_SAME_SHARE = 0.75
_LEAST_REPEATED = 6
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s|\n")
_DENIED = re.compile(
    r"\b(?:not|no|nor|never|neither|cannot|isn't|aren't|wasn't|weren't|doesn't|don't|didn't|hardly|barely|little of|"
    r"minor|small part|red herring|only explains|explains only|(?:rather than|instead of)(?! [0-9]))\b",
    re.IGNORECASE,
)
_REJECTED = re.compile(
    r"\b(?:(?:not|never|hardly)(?: simply| only| mainly)? (?:because|due to|caused by|explained by|driven by)|"
    r"(?:not|never|hardly|isn't|wasn't|aren't|weren't) (?:(?:the|a|its|our|their|main|real|root|true|key|primary) )*"
    r"(?:cause|causes|reason|reasons|driver|drivers|explanation|culprit|true))\b",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"\b(?:rather than|instead of|not|never|nor|without)\b[^,;.:]*", re.IGNORECASE)
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


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of a text."""
    yield from (part for part in _SENTENCE_END.split(text) if part.strip())


def denies(text: str) -> bool:
    """Whether a text holds a word of denial."""
    return bool(_DENIED.search(text))


def names(groups: Sequence[str], text: str) -> bool:
    """Whether a text meets groups of words, apart from sentences that say that this is not the reason."""
    return meets(groups, " ".join(each for each in sentences(text) if not _REJECTED.search(each)))


def asserts(groups: Sequence[str], text: str) -> bool:
    """Whether one sentence of a text meets groups of words, without a word of denial in it.

    Stricter than `names`: what is held against a candidate must be said plainly.
    """
    return any(meets(groups, each) and not denies(each) for each in sentences(text))


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


def says(case: Case, decision: str, headline: str) -> bool:
    """Whether a headline says the decision, and no other option but those that it sets aside."""
    option = case.options.get(decision)
    if option is None or not meets(option.words, headline):
        return False
    rest = _ASIDE.sub(" ", headline)
    return not any(meets(each.words, rest) for name, each in case.options.items() if name != decision)


def texts_alike(texts: Sequence[str]) -> str:
    """Return the start of a text that repeats another one, or a sentence that stands twice; "" for none.

    A text repeats another one where the shorter of them has six words that carry meaning, and three quarters of them
    stand in the other. The headline, the first text, may be taken up again.
    """
    words = [content(text) for text in texts[1:]]
    for (k, left), (_, right) in combinations(enumerate(words, 1), 2):
        least = min(len(left), len(right))
        if least >= _LEAST_REPEATED and len(left & right) >= _SAME_SHARE * least:
            return texts[k][:80]
    seen: set[str] = set()
    for sentence in (" ".join(each.split()).lower() for text in texts for each in sentences(text)):
        if sentence in seen:
            return sentence[:80]
        seen.add(sentence)
    return ""

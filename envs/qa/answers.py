"""What an answer must be: the specification that stands in an item, and the verdict on a reply."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ..core.tasks import Frozen

Kind = Literal["number", "formula", "span", "choice", "labels", "program"]
NUMERIC_KINDS: tuple[Kind, ...] = ("number", "formula", "program")


class AnswerSpec(Frozen):
    """The right answer and what counts as equal to it.

    Attributes:
        kind: `number` is read off a document, `formula` reckoned by hand, `program` reckoned by code that ran before;
            `span` is a stretch of text, `choice` one option, `labels` one label for each place asked about, in order.
        value: The gold. A number or decimal text in units of `scale` and `unit` (1234 with scale 1000 is 1,234,000;
            60 with percent is 60 %); a text for a span; the key or the text of an option; a list of labels.
        unit: What is counted, for example `percent`, `ratio`, `USD`, `days`; None for a bare number.
        scale: 1, 1000 or 1000000.
        rel_tol: Share of |gold| that a number may be off; the larger of the two tolerances holds.
        abs_tol: What a number may be off, in units of `scale` and `unit`.
        options: Texts of a choice in order of their keys A, B, C ..., or the labels on offer.
    """

    kind: Kind
    value: str | int | float | list[str]
    unit: Annotated[str, Field(min_length=1)] | None = None
    scale: Literal[1, 1000, 1000000] = 1
    rel_tol: Annotated[float, Field(ge=0)] = 0.0
    abs_tol: Annotated[float, Field(ge=0)] = 1e-6
    options: list[str] | None = None

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.kind == "labels":
            if not isinstance(self.value, list) or not self.value:
                raise ValueError("value: a list of labels, one for each place asked about")
        elif isinstance(self.value, list | bool):
            raise ValueError(f"value: one value for the kind {self.kind}")
        if self.kind in NUMERIC_KINDS:
            decimal_of(self.value)
        if self.kind == "choice" and not self.options:
            raise ValueError("options: the texts of the options")
        return self

    @property
    def number(self) -> Decimal:
        """The gold of a numeric kind, in units of `scale` and `unit`."""
        return decimal_of(self.value)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one reply.

    Attributes:
        correct: Whether it is right; None where it could not be judged for a fault that is not the agent's.
        value: What was read out of the reply, normalised, in the gold's own scale and unit; None for nothing.
        reason: Why, in a few words.
    """

    correct: bool | None
    value: str | tuple[str, ...] | None
    reason: str


def decimal_of(value: object) -> Decimal:
    """Return the exact decimal of a stored number: of a float the shortest text that means it.

    Raises:
        ValueError: It is no finite number.
    """
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        raise ValueError(f"value: a number, not {value!r}") from None
    if isinstance(value, bool) or not number.is_finite():
        raise ValueError(f"value: a finite number, not {value!r}")
    return number

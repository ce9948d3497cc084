"""What a judge has to answer: one JSON object with five numbers from 0 to 10 and a text; nothing else is a verdict."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...envs.core.jsontext import JsonRefused, decode
from ...envs.core.text import echo, printable

DIMENSIONS = ("structure", "quantitative", "business_sense", "communication")
TOP = 10.0
Status = Literal["scored", "unscored", "errored"]
"""What came of judging: a verdict, none that can be read, or none because the judge's provider failed."""
SCORED: Status = "scored"
UNSCORED: Status = "unscored"
ERRORED: Status = "errored"
FEEDBACK_CHARACTERS = 4_000
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_Points = Annotated[float, Field(ge=0, le=TOP)]


class Unreadable(Exception):
    """A reply that holds no verdict; the message says what is wrong with it."""


class Verdict(BaseModel):
    """A judge's verdict.

    Attributes:
        structure: 0 to 10, like the next three: whether the questions opened what matters, in a sensible order.
        quantitative: Whether the numbers are right, and have a source.
        business_sense: Decision, root cause, constraint, risks and next steps.
        communication: Answer first, brief, no repeats.
        overall_holistic: The judge's own view of the whole, 0 to 10, which need not be the mean.
        feedback: A few sentences.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)

    structure: _Points
    quantitative: _Points
    business_sense: _Points
    communication: _Points
    overall_holistic: _Points
    feedback: str = Field(max_length=FEEDBACK_CHARACTERS)

    @property
    def overall_mean(self) -> float:
        """Mean of the four dimensions, by which candidates are ranked."""
        return float(sum(getattr(self, name) for name in DIMENSIONS)) / len(DIMENSIONS)

    @property
    def scores(self) -> dict[str, float]:
        """Every number by name: the four dimensions, `overall_mean` and `overall_holistic`."""
        told = {name: float(getattr(self, name)) for name in DIMENSIONS}
        return {**told, "overall_mean": self.overall_mean, "overall_holistic": float(self.overall_holistic)}


def schema() -> dict[str, Any]:
    """Return the JSON schema of a verdict, for clients that can hold a model to it."""
    points = {name: {"type": "number"} for name in (*DIMENSIONS, "overall_holistic")}
    properties = {"feedback": {"type": "string"}, **points}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def read_verdict(text: str) -> Verdict:
    """Read a judge's reply. The object must be all of it, but for a code fence around it; prose is not searched.

    Raises:
        Unreadable: It is no such object, a number is missing, no number, or not within 0 to 10.
    """
    bare = text.strip()
    fenced = _FENCED.match(bare)
    try:
        value = decode(fenced[1] if fenced else bare)
    except JsonRefused as refused:
        raise Unreadable(f"not one JSON object: {refused.message}") from None
    except (ValueError, RecursionError) as error:
        raise Unreadable(f"not one JSON object: {error}") from None
    if not isinstance(value, dict):
        raise Unreadable(f"a JSON object is asked for, not {echo(value)}")
    try:
        return Verdict.model_validate(value)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False)
        lines = [f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found[:3]]
        raise Unreadable(printable("; ".join(lines))) from None

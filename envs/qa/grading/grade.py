"""The one entry: a reply and a specification in, a verdict out."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from numbers import Real
from typing import Any, Literal

from ...core.data import validate
from ...core.errors import SettingError
from ...core.text import echo
from ..answers import NUMERIC_KINDS, AnswerSpec, Verdict
from .choices import grade_choice
from .labels import grade_labels
from .numeric import grade_number
from .results import grade_result, unwrapped
from .spans import grade_span
from .spoken import answer_of_object, without_thinking

Profile = Literal["paper", "strict"]
_MOST_INTEGER_BITS = 4_000


def grade(reply: object, spec: AnswerSpec | Mapping[str, Any], profile: Profile = "paper") -> Verdict:
    """Judge a reply.

    Under `paper` a number may be off by the larger of the spec's two tolerances, in any unit and scale that it names.
    Under `strict` it must be equal after both are rounded to the decimals of the gold, and a unit or scale that it
    names must be the item's own. Spans, choices and labels must be equal under both.

    Args:
        reply: What was answered; of `program` the value that the program came to. Real numbers are taken as their text,
            a list as its labels, other objects are no answer. Thinking in tags is left aside. No reply raises.
        spec: What the answer must be.
        profile: `paper` or `strict`.

    Returns:
        The verdict; it never tells the gold of a wrong reply.

    Raises:
        DataError: The spec is not sound; the message names the field.
        SettingError: There is no such profile.
    """
    if profile not in ("paper", "strict"):
        raise SettingError(f"profile: 'paper' or 'strict', not {echo(profile)}")
    checked = spec if isinstance(spec, AnswerSpec) else validate(AnswerSpec, spec, "spec")
    text = _text(unwrapped(reply) if checked.kind == "program" else reply, checked)
    if text is None:
        return Verdict(False, None, f"{type(reply).__name__} is no answer")
    text = without_thinking(text)
    if checked.kind != "program":
        found = answer_of_object(text)
        text = text if found is None else _text(found, checked) or ""
    strict = profile == "strict"
    if checked.kind == "program":
        return grade_result(text, checked, strict)
    if checked.kind in NUMERIC_KINDS:
        return grade_number(text, checked, strict)
    if checked.kind == "choice":
        return grade_choice(text, checked)
    return grade_labels(text, checked) if checked.kind == "labels" else grade_span(text, checked)


def _text(reply: object, spec: AnswerSpec) -> str | None:
    """Return a reply as text, None where it is no kind of answer."""
    if isinstance(reply, str):
        return reply
    if isinstance(reply, list | tuple) and spec.kind == "labels":
        return "\n".join(each if isinstance(each, str) else " - " for each in reply)
    if isinstance(reply, bool):
        return None
    if isinstance(reply, int):  # Python refuses to write very long ones
        return str(reply) if reply.bit_length() <= _MOST_INTEGER_BITS else None
    return str(reply) if isinstance(reply, Real | Decimal) else None

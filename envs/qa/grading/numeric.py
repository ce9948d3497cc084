"""Whether a quantity is the right one: brought to the item's own scale and unit, then the tolerance of the profile.

Under `strict` a word behind the number that counts something else (`12.4 shares` where money is asked for) is wrong.
"""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from ..answers import AnswerSpec, Verdict
from .meaning import readings_of
from .numerals import EXACT, text_of
from .quantities import Quantity
from .reading import final_quantity
from .units import unit_of


def grade_number(reply: str, spec: AnswerSpec, strict: bool) -> Verdict:
    """Judge a reply to a question for a number."""
    found, why_not = final_quantity(reply, spec)
    if found is None:
        return Verdict(False, None, why_not)
    return grade_quantity(found, spec, strict)


def grade_quantity(found: Quantity, spec: AnswerSpec, strict: bool) -> Verdict:
    """Judge a quantity."""
    readings = readings_of(found, spec)
    if isinstance(readings, str):
        return Verdict(False, text_of(found.value), readings)
    if strict:
        readings = [each for each in readings if each.own] or readings
    right = next((each for each in readings if _right(each.value, spec, strict)), None)
    value = text_of((right or readings[0]).value)
    if right is None:
        return Verdict(False, value, f"{value} is not the answer")
    if strict and not right.own:
        return Verdict(False, value, "right in another unit or scale than asked for")
    if strict and found.counted and unit_of(spec.unit).family in ("currency", "rate", "time"):
        return Verdict(False, value, f"a number of {found.counted} where {spec.unit} is asked for")
    return Verdict(True, value, "right")


def allowed(spec: AnswerSpec) -> Decimal:
    """Return how far a number may be off under the spec's tolerances, in its own scale and unit."""
    relative = EXACT.multiply(Decimal(str(spec.rel_tol)), spec.number.copy_abs())
    return max(Decimal(str(spec.abs_tol)), relative)


def rounded(value: Decimal, gold: Decimal) -> Decimal:
    """Return a value rounded, halves away from zero, to as many decimals as the gold is written with."""
    decimals = min(0, int(gold.as_tuple().exponent))
    return value.quantize(Decimal((0, (1,), decimals)), rounding=ROUND_HALF_UP, context=EXACT)


def _right(value: Decimal, spec: AnswerSpec, strict: bool) -> bool:
    if strict:
        return rounded(value, spec.number) == rounded(spec.number, spec.number)
    return EXACT.subtract(value, spec.number).copy_abs() <= allowed(spec)

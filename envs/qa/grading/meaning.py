"""What a quantity means in the scale and unit that an item asks for, and whether two quantities say the same.

A bare number is in the item's own scale and unit. What is stated is taken at its word: 60 % is 0.6 where a ratio is
asked for and never 0.6 where percent is; 1.234 million is 1,234 thousand; a currency without a scale word is in whole
units or in the item's own scale, since both are written. A unit that cannot be the item's (another currency, days for
months) is wrong under both profiles.

Two quantities agree where they mean the same in the item's unit, are of one size (0.124 and 12.4 %), or where one is
bare and repeats the digits of the other. One may round the other only if it shows decimals; a whole number beside a
number with decimals is another number, be it a year, a note or a count. Of forms that agree, the one that states the
item's own unit or scale is the answer, and a stated form counts before a bare one that means something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from ..answers import AnswerSpec
from .numerals import EXACT, scaled
from .quantities import Quantity
from .units import Unit, unit_of

POWERS = {1: 0, 1_000: 3, 1_000_000: 6}
_CONVERTED_FROM_NONE = ("percent", "bps", "permille")


@dataclass(frozen=True, slots=True)
class Reading:
    """A value in the item's own scale and unit; `own` says that nothing else was stated."""

    value: Decimal
    own: bool


def readings_of(found: Quantity, spec: AnswerSpec) -> list[Reading] | str:
    """Return what a quantity means in the item's own scale and unit, or why it cannot be of that unit."""
    asked = unit_of(spec.unit)
    if found.rate is not None:
        return _of_rate(found, asked)
    if found.currencies is not None and not _may_be_money(found, asked):
        return f"a sum of money that is not in {spec.unit}"
    if found.time is not None and asked.family not in ("none", "other") and found.time != asked.name:
        return f"{found.time} where {spec.unit} is asked for"
    power = POWERS[spec.scale]
    if found.scale is not None and not _is_month_or_metre(found, asked):
        return [Reading(scaled(found.value, found.scale - power), found.scale == power)]
    own = [Reading(found.value, True)]
    if power and found.currencies is not None:
        own.append(Reading(scaled(found.value, -power), False))
    return own


def agree(one: Quantity, other: Quantity, spec: AnswerSpec, *, choice: bool = False, worked: bool = False) -> bool:
    """Whether two quantities say the same.

    Args:
        one: A quantity.
        other: Another.
        spec: The item's specification; its value is not looked at.
        choice: Whether `or` stands between them: then neither rounds the other nor lends it its unit.
        worked: Whether `=` or `≈` stands between them: then whole numbers may round too.
    """
    pairs = [(one.magnitude, other.magnitude), *_common(one, other, spec)]
    if any(a == b for a, b in pairs):
        return True
    if choice:
        return False
    if one.bare or other.bare:
        pairs.append((one.value, other.value))
    return any(_rounds(*pair, one, other, worked) for pair in pairs)


def same_aside(one: Quantity, aside: Quantity, spec: AnswerSpec) -> Quantity | None:
    """Return an aside in brackets with the sign of the quantity that it repeats, None where it says something else."""
    signed = replace(aside, value=aside.value.copy_sign(one.value))
    return signed if agree(one, signed, spec) else None


def preferred(found: Sequence[Quantity], usual: Quantity, spec: AnswerSpec) -> Quantity:
    """Return the one of several agreeing forms that is the answer; `usual` where none has the better claim."""
    if _states_own(usual, spec):
        return usual
    own = next((each for each in found if _states_own(each, spec)), None)
    if own is None and unit_of(spec.unit).name == "ratio":  # which is written without a unit as a rule
        own = next((each for each in found if each.bare and _mean_the_same(usual, each, spec)), None)
    if own is not None or not usual.bare:
        return own or usual
    return next((each for each in found if not each.bare and not _mean_the_same(usual, each, spec)), usual)


def _mean_the_same(one: Quantity, other: Quantity, spec: AnswerSpec) -> bool:
    return any(_rounds(a, b, one, other, False) for a, b in _common(one, other, spec))


def _states_own(found: Quantity, spec: AnswerSpec) -> bool:
    asked, power = unit_of(spec.unit), POWERS[spec.scale]
    if asked.family in ("rate", "time"):
        return asked.name in (found.rate, found.time)
    return bool(power) and found.scale == power


def _common(one: Quantity, other: Quantity, spec: AnswerSpec) -> list[tuple[Decimal, Decimal]]:
    first, second = readings_of(one, spec), readings_of(other, spec)
    if isinstance(first, str) or isinstance(second, str):
        return []
    return [(a.value, b.value) for a in first for b in second]


def _rounds(a: Decimal, b: Decimal, one: Quantity, other: Quantity, worked: bool) -> bool:
    """Whether two values are equal, or one is the other rounded at the decimals that it shows."""
    if a == b:
        return True
    first, second = int(a.as_tuple().exponent), int(b.as_tuple().exponent)
    coarse = one if first > second else other
    if first == second or (not worked and int(coarse.value.as_tuple().exponent) >= 0):
        return False
    unit = Decimal((0, (1,), max(first, second)))
    return bool(a.quantize(unit, context=EXACT) == b.quantize(unit, context=EXACT) != 0)


def _of_rate(found: Quantity, asked: Unit) -> list[Reading] | str:
    if asked.family == "rate":
        return [Reading(scaled(found.value, found.power - asked.power), found.rate == asked.name)]
    if asked.family == "none":
        return [Reading(found.value, found.rate not in _CONVERTED_FROM_NONE)]
    return f"a pure number in {found.rate} where another unit is asked for"


def _may_be_money(found: Quantity, asked: Unit) -> bool:
    if asked.family == "currency":
        return bool(asked.currencies & (found.currencies or frozenset()))
    return asked.family in ("none", "other")


def _is_month_or_metre(found: Quantity, asked: Unit) -> bool:
    """Whether the letter `m` abbreviates the unit that is asked for, rather than a million."""
    return found.letter_m and asked.name in ("months", "minutes", "metres", "meters")

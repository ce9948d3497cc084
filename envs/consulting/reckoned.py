"""Points for numbers: those that the client wants to see, and a source for each of the others."""

from __future__ import annotations

from collections.abc import Iterator

from .case import Case, KeyNumber
from .play import Interview, node_named, unit_reader
from .points import POSSIBLE, Point
from .quantities import claims, finite
from .recommendation import Recommendation, StatedNumber
from .units import unit_of

TOLERANCE = 0.02
UNSUPPORTED_PENALTY = 2.0
_SMALL = 12
_PLANNED = 100
"""Counts of that size in a next step, such as forty libraries to be asked, are plans and no claims."""
_TIME_WORDS = frozenset(("day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years"))


def quantitative(interview: Interview, given: Recommendation) -> Iterator[Point]:
    """Yield the points for numbers, and a penalty for each one without a source."""
    case = interview.case
    wanted = case.solution.key_numbers
    possible = POSSIBLE["numbers"] / len(wanted)
    for number in wanted:
        stated = next((each for each in given.key_numbers if node_named(case, each.metric) == number.metric), None)
        right = stated is not None and _is_right(case, stated, number)
        seen = "not stated" if stated is None else f"{stated.value:g} {stated.unit}"
        expected = f"{number.value:g} {case.unit_text(number.unit)}"
        yield Point("quantitative", f"number.{number.metric}", possible * right, possible, expected, seen)
    for k, text in enumerate(_unsupported(interview, given), 1):
        yield Point("quantitative", f"unsupported.{k}", -UNSUPPORTED_PENALTY, 0.0, "a source for each number", text)


def _is_right(case: Case, stated: StatedNumber, number: KeyNumber) -> bool:
    read, unit = unit_reader(case).read(stated.unit), unit_of(number.unit)
    if read is None or read[0] != unit.dimension or not finite(stated.value * read[1]):
        return False
    return abs(stated.value * read[1] - number.base_value) <= TOLERANCE * abs(number.base_value)


def _unsupported(interview: Interview, given: Recommendation) -> list[str]:
    """Return the numbers of a recommendation that have no source, each once."""
    case, sources = interview.case, interview.sources()
    reader, found = unit_reader(case), dict[str, None]()
    wanted = {number.metric: number for number in case.solution.key_numbers}
    for stated in given.key_numbers:
        number = wanted.get(node_named(case, stated.metric) or "")
        read = reader.read(stated.unit)
        value = stated.value * (1.0 if read is None else read[1])
        held = finite(value) and read is not None and sources.hold_value(value, read[0])
        if not held and not (number is not None and _is_right(case, stated, number)):
            found[f"{stated.value:g} {stated.unit}"] = None
    written = [(text, claim) for text in given.texts for claim in claims(text, case.currency)]
    told = [claim for _, claim in written if sources.hold(claim)]
    # "against 153 for the other": a bare figure that stands with its unit elsewhere.
    figures = {each.figure for each in told if not each.is_bare} | {each.value for each in given.key_numbers}
    for text, claim in written:
        plan = text in given.next_steps and (claim.behind in _TIME_WORDS or (claim.is_bare and claim.value <= _PLANNED))
        small = claim.is_bare and abs(claim.value) <= _SMALL and claim.value == int(claim.value)
        again = claim.is_bare and claim.figure in figures
        if not (plan or small or again or claim.is_year or claim in told):
            found[claim.text] = None
    return list(found)

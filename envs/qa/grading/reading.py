"""The one quantity that a reply gives as its final answer, by a rule that does not look at the right one.

1. What is boxed, else what stands behind `final answer`, else behind `answer`. Several of one rank must agree.
2. Else the first line, where it is a quantity and nothing else; other lines of that kind must agree.
3. Else the last line that holds a number and is no remark on the answer (`Note: ...`, `This is based on 3 segments`);
   of it what stands behind the last `=`, else the whole, else what stands behind `therefore` and the like, or behind a
   colon.

There, numbers are left aside that belong to the way: list marks, asides in brackets, years in a phrase, what is counted
through (`Note 12`, `Step 3`), everything behind `because` or `per` and, where the answer is marked, behind `over`, `at`
and the like, or behind its sentence. What then remains must be one quantity, however often it is said; two that differ,
ranges, bounds, denials and expressions that were not worked out are no answer, and neither is one that is taken back or
that `or` sets beside another. A direction in words (`a decrease of 5`) is no sign.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice, pairwise

from ..answers import AnswerSpec
from .cleaning import plain
from .finals import finals, from_last_final, last_lines
from .meaning import agree, preferred, same_aside
from .numerals import text_of
from .quantities import Quantity, quantities
from .retractions import others, taken_back

NO_NUMBER = "no number in the reply"
_MOST_QUANTITIES = 60
_MOST_LINES = 200
_LOOK_BACK = 24
_OR = ("or", ", or", "and/or", ",or", "; or", "and", "/")
_EQUALS = re.compile(r"=|≈|\bequals\b", re.IGNORECASE)
_WORKED = re.compile(r"(\d ?[-+−–*×/÷] ?[$(]?\d[\d.,]*[%)]?) (?:is|gives|makes|yields) (?=[$(]?[-−]?\d)", re.IGNORECASE)
_CONCLUSION = re.compile(r"\b(?:therefore|thus|hence|so|altogether|in total)\b,?:?|(?<=[A-Za-z)\]]): ", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|since|given|based|as|which|where|whereas|compared|versus|vs|calculated|computed|derived|using|assuming"
    r"|rounded|down from|up from|instead of|rather than|not|per)\b",
    re.IGNORECASE,
)
_CIRCUMSTANCE = re.compile(
    r"\b(?:over|for|at|on|in|under|with|when|if|after|before|by|of)\b|(?<!\bi\.e)(?<!\be\.g)[.!?;](?= |$)",
    re.IGNORECASE,
)
_BULLET = re.compile(r"[-–*•] +")
_LIST_MARK = re.compile(r"(?:\(\d{1,2}\)|\d{1,2}[.)]) +(?=\S)")
_CITATION = re.compile(
    r"(?<=\S) ?\[(?:\^|(?:note|notes|fn|footnote|ref|source|table|page|p\.) ?)?\d{1,3}\]", re.IGNORECASE
)
_ASIDE = re.compile(r"\([^()]*\)")
_YEARS = range(1900, 2101)
_BEFORE_A_YEAR = re.compile(
    r"(?:\b(?:in|for|of|during|since|by|fiscal|year|years|fy|ended|ending|through|from|to|and|late|early|end|calendar)"
    r"|\bq[1-4]|\() ?$",
    re.IGNORECASE,
)
_JOINS = frozenset("+-−–*×/÷x^±:") | {"to", "**", "minus", "plus", "times"}
_CHOICE = re.compile(r",? ?(?:or|and/or|otherwise)\b[, ]*(?:maybe|possibly|perhaps|even|else)?,? ?")
_HEDGED_ASIDE = re.compile(
    r" ?\((?:or|sorry|no|maybe|possibly|perhaps|actually|alternatively|alternative|correction)\b(?P<other>[^()\n]*)\)",
    re.IGNORECASE,
)
_YEAR_BY_YEAR = re.compile(
    r" ?(?:in|for|at|during) (?:fiscal |fy ?|the year )?(?:19|20)\d\d(?:,|;| and|, and|; and) ?$", re.IGNORECASE
)
_VERSUS = re.compile(r",? (?:vs\.?|versus) ", re.IGNORECASE)
_COUNTED_THROUGH = re.compile(
    r"\b(?:notes?|steps?|sections?|tables?|pages?|items?|years?|figures?|exhibits?|questions?|parts?|schedules?|segments?"
    r"|appendix|lines?|chapters?|articles?|footnotes?|paragraphs?|options?|cases?|scenarios?|quarters?|months?|weeks?"
    r"|periods?|levels?|tiers?|phases?|columns?|rows?|asc|ifrs|ias|topic|no\.) ?(?:no\.? ?|#)?$",
    re.IGNORECASE,
)
_REMARK = re.compile(
    r"(?:\(|\[)?(?:(?:notes?|n\.b\.|nb|sources?|reason|reasoning|explanation|rationale|caveats?|assumptions?|confidence"
    r"|references?|unit|currency)\b[^:=\n]{0,20}:"
    r"|(?:this|these|that|it|the (?:figure|figures|number|answer|result|value))"
    r" (?:is|are|was|were|has been|have been) (?:based|derived|taken|rounded|drawn|found|stated|shown|reported"
    r"|supported)\b"
    r"|(?:this|these|that|it) (?:assumes?|uses?|excludes?|includes?|covers?|reflects?|rests?|follows?|relies)\b)",
    re.IGNORECASE,
)


def final_quantity(reply: str, spec: AnswerSpec) -> tuple[Quantity | None, str]:
    """Return the quantity that a reply gives as its answer, or None and why there is none."""
    text = plain(reply)
    marked = [found for each in finals(text) if (found := _of_line(each, spec, marked=True)) is not None]
    if marked:
        return _agreed(marked, from_last_final(text), spec)
    lines = last_lines(text)
    if len(lines) > 1 and _lone(lines[-1]):
        lone = [(k, found) for k, each in enumerate(lines) if (found := _lone(each))][:_MOST_LINES]
        return _agreed([found for _, found in reversed(lone)], _from_line(lines, lone[0][0]), spec)
    for k, line in enumerate(lines):
        if len(lines) > 1 and _is_remark(line):
            continue
        found = _of_line(_BULLET.sub("", line, count=1) if len(lines) > 1 and _BULLET.match(line) else line, spec)
        if found is not None:
            return _agreed([found], _from_line(lines, k), spec)
    return None, NO_NUMBER


def _from_line(lines: Sequence[str], place: int) -> str:
    """Return the text from a line on; the last line comes first in `lines`."""
    return "\n".join(reversed(lines[: place + 1]))


def _is_remark(line: str) -> bool:
    return bool(_REMARK.match(line)) and not _EQUALS.search(line)


def _agreed(found: Sequence[Quantity | str], behind: str, spec: AnswerSpec) -> tuple[Quantity | None, str]:
    last = found[-1]
    for each in found:
        if isinstance(each, str):
            return None, each
        if isinstance(last, Quantity) and not agree(each, last, spec):
            return None, f"final answers that differ: {text_of(each.value)} and {text_of(last.value)}"
    if isinstance(last, str) or last.bound:
        return None, "a bound or a denial, not a value"
    if taken_back(behind):
        return None, "an answer that is taken back"
    for other in others(behind):
        if any(not agree(last, each, spec, choice=True) for each in islice(quantities(other), _MOST_QUANTITIES)):
            return None, "an answer beside which another is offered"
    return preferred([each for each in found if isinstance(each, Quantity)], last, spec), ""


def _of_line(line: str, spec: AnswerSpec, *, marked: bool = False) -> Quantity | str | None:
    """Return the quantity of one line, why it gives none, or None where it holds no number at all."""
    line = _CITATION.sub("", _without_list_mark(line, marked))
    sides = _EQUALS.split(_WORKED.sub(r"\1 = ", line))
    if len(sides) > 1:
        return _of_sides(sides, spec, marked)
    found = _single(line, spec, marked)
    concluded = list(_CONCLUSION.finditer(line)) if isinstance(found, str) else []
    return _single(line[concluded[-1].end() :], spec, marked) or found if concluded else found


def _of_sides(sides: Sequence[str], spec: AnswerSpec, marked: bool) -> Quantity | str | None:
    """Return what an equation comes to: its last side, or a lone quantity before it where that is an expression."""
    last, lone = _single(sides[-1], spec, marked), [found for each in sides[:-1] if (found := _lone(each))]
    if isinstance(last, Quantity):
        lone = [each for each in lone if not _is_year(each)]
        differs = next((each for each in lone if not agree(each, last, spec, worked=True)), None)
        return f"{text_of(differs.value)} is not {text_of(last.value)}" if differs else preferred(lone, last, spec)
    if lone:
        return lone[-1]
    rest = [single for each in sides if (single := _single(each, spec, marked)) is not None]
    return rest[-1] if rest else None


def _single(text: str, spec: AnswerSpec, marked: bool) -> Quantity | str | None:
    every = list(islice(quantities(text), _MOST_QUANTITIES))
    if not every or (all(each.adjective for each in every) and not marked and not _lone(text)):
        return None
    found = _without_the_way(every, text, marked)
    first, forms = found[0], list(found[:1])
    if any(each.bound for each in found):
        return "a bound, a denial or part of an expression, not a value"
    if _hedged(text, first, every, spec):
        return "an answer beside which another is offered"
    for one, other in pairwise(found):
        gap = text[one.end : other.start].strip().lower()
        if gap in _JOINS:
            return "a range, a choice or an expression that is not worked out"
        if other.bracketed and _is_footnote(other):
            continue
        aside = same_aside(first, other, spec) if other.bracketed else other
        if aside is None or not agree(first, aside, spec, choice=gap in _OR):
            return f"several numbers: {text_of(first.value)} and {text_of(other.value)}"
        forms.append(aside)
    return preferred(forms, first, spec)


def _hedged(text: str, first: Quantity, every: Sequence[Quantity], spec: AnswerSpec) -> bool:
    """Whether `or`, an aside, a comparison or a list of years sets another number beside the first one."""
    aside = _HEDGED_ASIDE.match(text, first.end)
    if aside:
        inside = islice(quantities(aside["other"]), _MOST_QUANTITIES)
        return any(not agree(first, each, spec, choice=True) for each in inside)
    later = [each for each in every if each.start >= first.end]
    if _CHOICE.match(text, first.end):
        return any(not agree(first, each, spec, choice=True) and not _is_year(each) for each in later[:2])
    versus = _VERSUS.match(text, first.end)
    if versus and later:
        return versus.end() == later[0].start and not text[later[0].end :].strip(" .")
    return any(_YEAR_BY_YEAR.fullmatch(text, first.end, each.start) for each in later[:3])


def _without_the_way(found: list[Quantity], text: str, marked: bool) -> list[Quantity]:
    """Leave aside what only leads to the answer, never all of it."""
    end = len(text)
    for pattern in (_REASON, _CIRCUMSTANCE) if marked else (_REASON,):
        match = pattern.search(text, found[0].end)
        end = min(end, match.start() if match else end)
    found = [each for each in found if each.start < end]
    if len(found) > 1:
        asides = [aside.span() for aside in _ASIDE.finditer(text)]
        outside = [each for each in found if each.bracketed or not any(a <= each.start < b for a, b in asides)]
        found = outside or found
        for aside in (_is_adjective, _is_counted_through, _is_year_of_a_phrase):
            found = [each for each in found if not aside(each, text)] or found
        found = [each for k, each in enumerate(found) if not (k and each.bracketed and _is_year(each))]
    return found


def _is_adjective(found: Quantity, text: str) -> bool:
    return found.adjective


def _is_counted_through(found: Quantity, text: str) -> bool:
    return found.bare and bool(_COUNTED_THROUGH.search(text[max(0, found.start - _LOOK_BACK) : found.start]))


def _is_year_of_a_phrase(found: Quantity, text: str) -> bool:
    if not _is_year(found):
        return False
    heads = text[found.end : found.end + 2].lstrip().startswith(":")
    return heads or bool(_BEFORE_A_YEAR.search(text[: found.start][-12:]))


def _without_list_mark(line: str, marked: bool) -> str:
    mark = _LIST_MARK.match(line)
    if mark is None:
        return line
    rest = line[mark.end() :]
    if line[0] != "(":
        return rest if any(map(str.isdigit, rest)) else line
    first = next(quantities(line), None)
    unit_follows = first is not None and first.end >= mark.end()  # `(5) million` is a number, `(1) Revenue` none
    return line if marked or unit_follows else rest


def _lone(text: str) -> Quantity | None:
    """Return the quantity that a text consists of, None where there is more or less."""
    found = list(islice(quantities(text), 2))
    if len(found) != 1 or text[: found[0].start].strip() or text[found[0].end :].strip(" .,"):
        return None
    return found[0]


def _is_year(found: Quantity) -> bool:
    return found.bare and found.value.copy_abs() in _YEARS and found.value.as_tuple().exponent == 0


def _is_footnote(found: Quantity) -> bool:
    return found.bare and -10 < found.value < 0 and found.value.as_tuple().exponent == 0

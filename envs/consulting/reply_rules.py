"""What an interviewer that is no script must keep: one fact, what comes before it, and nothing of the solution."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from .case import Case
from .drivers import ACTS, Reply, View
from .fact_types import fact_types
from .giving_away import Heard, explains, judges, repeats_the_solution, told_beside
from .numerals import in_figures
from .parts import parts
from .quantities import claims

MAX_CHARACTERS = 1_500
_MENU = 3
_SMALL = 3
_NEAR_SHARE = 0.006


def violation(reply: Reply, view: View) -> str:
    """Return what is wrong with a reply and what would do, "" where nothing is."""
    if reply.act not in ACTS:
        return f'IV1: answer with one JSON object whose "act" is one of {", ".join(ACTS)}'
    if not reply.say.strip() or len(reply.say) > MAX_CHARACTERS:
        return f'IV2: "say" holds 1 to {MAX_CHARACTERS} characters'
    if reply.act in ("tell", "repeat", "first"):
        found = _about_a_fact(reply, view)
        if found:
            return found
    elif reply.fact:
        return f'IV3: with "{reply.act}" no fact is told, so leave "fact" empty'
    if reply.act == "menu" and not (1 <= len(reply.topics) <= _MENU and set(reply.topics) <= set(fact_types().topics)):
        return "IV4: a menu has one to three topics of the list"
    if reply.act == "purpose" and any(each.answered == "purpose" for each in view.progress.asked):
        return 'IV5: you have asked for the purpose once; answer with another "act"'
    return _says_too_much(reply, view)


def _about_a_fact(reply: Reply, view: View) -> str:
    fact = view.case.by_id.get(reply.fact)
    if fact is None:
        return 'IV3: "fact" is the id of a fact that you know'
    known = fact.fact_id in view.progress.known
    missing = [name for name in fact.prerequisites if name not in view.progress.known]
    if reply.act == "tell" and known:
        return 'IV6: that fact was told already; the act is "repeat"'
    if reply.act == "repeat" and not known:
        return 'IV6: that fact was not told yet; the act is "tell"'
    if reply.act == "tell" and missing:
        return f'IV7: {fact.fact_id} comes after {missing[0]}, which was not told; the act is "first"'
    if reply.act == "first" and not missing:
        return f'IV7: nothing has to be told before {fact.fact_id}; the act is "tell" or "repeat"'
    if reply.act in ("tell", "repeat"):
        said = [*_figures(reply.say, view.case), *((each.value, "percent") for each in parts(reply.say))]
        if not all(_is_among(figure, said) for figure in _needed(fact.sentence, view.case)):
            return f"IV8: say every number of {fact.fact_id} with its unit: {fact.sentence}"
    return ""


def _says_too_much(reply: Reply, view: View) -> str:
    """Return what a text says that it must not: numbers without permission, another fact, the solution."""
    known = frozenset({*view.progress.known, *((reply.fact,) if reply.act in ("tell", "repeat") else ())})
    told = [view.case.by_id[name].sentence for name in view.case.by_id if name in known]
    fact = view.case.by_id[reply.fact] if reply.fact in known else None
    heard = Heard(view.case, known, (view.case.statement, view.question, *told), fact)
    early = _early(reply.say, view, (view.case.statement, *told))
    if early:
        return f"IV9: {early} has not been told and is none of this fact"
    if judges(reply.say, heard):
        return "IV11: that judges an option; tell what was asked for, and nothing of what is right"
    if explains(reply.say, heard) or repeats_the_solution(reply.say, heard):
        return "IV11: that gives away the solution"
    beside = told_beside(reply.say, heard)
    return f"IV10: that tells {beside} as well; tell one fact" if beside else ""


def _early(say: str, view: View, allowed: Sequence[str]) -> str:
    """Return the first number of a text, in figures or in words, that no other text permits; "" for none."""
    permitted = [figure for text in allowed for figure in _figures(text, view.case)]
    left = view.case.turns - view.progress.turns
    for value, kind in _figures(say, view.case):
        small = kind != "percent" and (abs(value) <= _SMALL or value in (left, view.case.turns))
        if not small and not _is_among((value, kind), permitted):
            return f"the number {value:g}"
    shares = [value for value, kind in permitted if kind == "percent"]
    shares += [each.value for text in allowed for each in parts(text)]
    for part in parts(say):
        if all(abs(part.value - each) > _NEAR_SHARE for each in shares):
            return f'the number "{part.words}"'
    return ""


def _figures(text: str, case: Case) -> list[tuple[float, str]]:
    return [(each.value, each.kind) for each in claims(in_figures(text), case.currency)]


def _needed(sentence: str, case: Case) -> list[tuple[float, str]]:
    """Return the numbers of a fact that have to be said: all but small ones in words, such as "between two orders"."""
    figures = _figures(sentence, case)
    return [each for each in figures if each[1] == "percent" or abs(each[0]) > _SMALL or f"{each[0]:g}" in sentence]


def _is_among(figure: tuple[float, str], permitted: Iterable[tuple[float, str]]) -> bool:
    """Whether a number is one of others; money may be named or not, a share is always one."""
    value, kind = figure
    return any(
        math.isclose(value, other, rel_tol=1e-9) and (kind == "percent") == (of == "percent") for other, of in permitted
    )

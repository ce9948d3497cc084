"""What an interviewer that is no script must keep: one fact, what comes before it, and nothing of the solution."""

from __future__ import annotations

from .case import Case, CaseFact
from .drivers import ACTS, Reply, View
from .fact_types import fact_types
from .quantities import claims
from .similarity import ngrams
from .stems import content

MAX_CHARACTERS = 1_500
_MENU = 3
_SHARE = 0.6
_LEAST_STEMS = 4
_SMALL = 3


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
        said = _figures(reply.say, view.case)
        lacking = [figure for figure in _figures(fact.sentence, view.case) if figure not in said]
        if lacking:
            return f"IV8: say every number of {fact.fact_id} with its unit: {fact.sentence}"
    return ""


def _says_too_much(reply: Reply, view: View) -> str:
    """Return what a text says that it must not: numbers without permission, another fact, the solution."""
    allowed = [view.case.statement, *(view.case.by_id[name].sentence for name in view.progress.known)]
    if reply.act in ("tell", "repeat"):
        allowed.append(view.case.by_id[reply.fact].sentence)
    permitted = {figure for text in allowed for figure in _figures(text, view.case)}
    early = [
        each
        for each in _figures(reply.say, view.case)
        if each not in permitted and (each[1] != "other" or abs(each[0]) > _SMALL)
    ]
    if early:
        return f"IV9: the number {early[0][0]:g} has not been told and is none of this fact"
    free = content(" ".join(allowed))
    for fact in view.case.facts:
        if fact.fact_id not in view.progress.known and fact.fact_id != reply.fact and _tells(reply.say, fact, free):
            return f"IV10: that tells {fact.fact_id} as well; tell one fact"
    return "IV11: that gives away the solution" if _of_the_solution(reply.say, view.case, allowed) else ""


def _figures(text: str, case: Case) -> list[tuple[float, str]]:
    return [(each.value, each.kind) for each in claims(text, case.currency)]


def _tells(text: str, fact: CaseFact, free: frozenset[str]) -> bool:
    """Whether a text has most of the words of a fact that nothing told before has."""
    own = content(fact.sentence) - free
    return len(own) >= _LEAST_STEMS and len(own & content(text)) >= _SHARE * len(own)


def _of_the_solution(text: str, case: Case, allowed: list[str]) -> bool:
    solution = case.solution
    hidden = [solution.reference, solution.why_not, solution.constraint.text, *(cause.text for cause in case.causes)]
    hidden += [each.text for each in (*solution.risks, *solution.next_steps)]
    secret = frozenset[tuple[str, ...]]().union(*map(ngrams, hidden))
    return bool(ngrams(text) & (secret - frozenset[tuple[str, ...]]().union(*map(ngrams, allowed))))

"""A candidate who knows what to ask and how to reckon, and says only what was revealed: the ceiling of each case.

It asks for every essential fact, reckons the key numbers and the options by the model from what it was told, and takes
the texts of its recommendation from the words of the case. What it was not told it cannot reckon.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .blueprint import Need, Option
from .blueprints import blueprint
from .case import Case
from .fact_types import fact_types
from .naming import Reading
from .play import ASK, SUBMIT, Interview
from .scoring import outcome_of

Call = tuple[str, dict[str, Any]]


def ceiling_of(case: Case) -> float:
    """Return what the candidate scores, 0 to 10."""
    return outcome_of(interviewed(case), None).metrics["overall_mean"]


def interviewed(case: Case, unknown: str = "") -> Interview:
    """Play the candidate.

    Args:
        case: The case.
        unknown: Id of a fact that the interviewer has never heard of; the candidate asks for it all the same.
    """
    interview = Interview(without(case, unknown) if unknown else case)
    for turn, (name, arguments) in enumerate(calls(case, unknown), 1):
        interview.play(turn, name, arguments)
    return interview


def without(case: Case, fact_id: str) -> Case:
    """Return a case whose interviewer has never heard of a fact; what had to come after it comes by itself."""
    facts = [
        fact.changed(prerequisites=[name for name in fact.prerequisites if name != fact_id])
        for fact in case.facts
        if fact.fact_id != fact_id
    ]
    return case.changed(facts=facts)


def calls(case: Case, unknown: str = "") -> list[Call]:
    """Return what the candidate does: its questions, and its recommendation; see `interviewed`."""
    interview = Interview(without(case, unknown) if unknown else case)
    done: list[Call] = []
    for fact_id in plan(case):
        if fact_id in interview.progress.known or interview.progress.turns >= case.turns:
            continue
        call = question_for(case, fact_id)
        interview.play(len(done) + 1, *call)
        done.append(call)
    return [*done, (SUBMIT, recommendation(interview))]


def plan(case: Case) -> list[str]:
    """Return the facts to ask for: essential ones, what rests on them, and one of each topic; prerequisites first."""
    root = next(cause for cause in case.causes if cause.role == "root")
    solution = case.solution
    wanted = [fact.fact_id for fact in case.facts if fact.essential]
    wanted += [root.fact, solution.risks[0].fact, solution.next_steps[0].fact]
    covered = {case.by_id[fact_id].topic for fact_id in wanted if fact_id in case.by_id}
    for topic in solution.topics:
        more = [fact.fact_id for fact in case.facts if fact.topic == topic and not fact.noise]
        wanted += more[:1] if topic not in covered else []
    ordered: list[str] = []
    for fact_id in wanted:
        _in_order(case, fact_id, ordered)
    return ordered


def _in_order(case: Case, fact_id: str, ordered: list[str]) -> None:
    if fact_id in ordered or fact_id not in case.by_id:
        return
    for before in case.by_id[fact_id].prerequisites:
        _in_order(case, before, ordered)
    ordered.append(fact_id)


def question_for(case: Case, fact_id: str) -> Call:
    """Return the call that asks for a fact: by what its type means, about its segment, under its topic."""
    fact = case.by_id[fact_id]
    segment = "" if fact.segment is None else f", about {fact.segment.replace('_', ' ')}"
    means = fact_types().types[fact.type].means
    question = f"On {fact.topic.replace('_', ' ')}: {means[0].lower()}{means[1:]}{segment}?"
    return ASK, {"question": question, "topic": fact.topic}


def recommendation(interview: Interview) -> dict[str, Any]:
    """Return what the candidate submits."""
    case, values = interview.case, interview.values()
    known = {*interview.progress.known, *case.given}
    decision, second = _decision(interview, values)
    root = next(cause for cause in case.causes if cause.role == "root")
    solution = case.solution
    reasons = [root.text] if root.fact in known else []
    if second is not None:
        reasons.append(case.options[second].why_not)
    if solution.constraint.fact in known and not any(map(Reading(case).names_constraint, reasons)):
        reasons.append(solution.constraint.text)
    return {
        "decision": decision,
        "headline": case.options[decision].text,
        "key_numbers": list(_key_numbers(interview, values)),
        "reasons": reasons,
        "risks": [each.text for each in solution.risks if each.fact in known][:1],
        "next_steps": [each.text for each in solution.next_steps if each.fact in known][:1],
    }


def _key_numbers(interview: Interview, values: Mapping[str, float]) -> Iterator[dict[str, Any]]:
    case = interview.case
    nodes = blueprint(case.blueprint).model.nodes
    for each in case.solution.key_numbers:
        if each.metric in values:
            value = nodes[each.metric].shown(values)
            yield {"metric": each.metric, "value": value, "unit": case.unit_text(each.unit)}


def _decision(interview: Interview, values: Mapping[str, float]) -> tuple[str, str | None]:
    """Return the best option that nothing known rules out, and the best of the others.

    Where one that no commitment rules out cannot be reckoned, the obvious option, and no other.
    """
    case, worth, barred = interview.case, dict[str, float](), set[str]()
    told = case.solution.constraint.fact in interview.progress.known
    for option in blueprint(case.blueprint).options:
        if option.value is None:
            continue
        if any(need.slack(values) < 0 for need in _known_needs(option, values)) or (option.excluded and told):
            barred.add(option.option_id)
        if option.value.inputs() <= values.keys():
            worth[option.option_id] = option.value.evaluate(values)
        elif not (option.excluded and told):
            return case.solution.naive, None
    ranked = sorted(worth, key=lambda name: -worth[name])
    best = next((name for name in ranked if name not in barred), case.solution.naive)
    return best, next((name for name in ranked if name != best), None)


def _known_needs(option: Option, values: Mapping[str, float]) -> list[Need]:
    return [need for need in option.needs if need.left.inputs() | need.right.inputs() <= values.keys()]

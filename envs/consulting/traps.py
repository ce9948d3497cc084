"""Candidates that must not do well: one talks without asking, one asks for everything and concludes nothing.

They see the case as it is shown, and what the interviewer says; the talker is even handed the right decision.
"""

from __future__ import annotations

from typing import Any

from .case import Case
from .fact_types import fact_types
from .play import ASK, SUBMIT, Interview

Call = tuple[str, dict[str, Any]]

_FRAMEWORK = (
    "First we look at the market: its size, its growth and the customers in it, because every strategy begins there.",
    "Second we look at the company: revenue is price times volume, and costs are fixed or variable.",
    "Third we look at competitors, who may react to whatever the client decides to do.",
)
_RISK = "Execution may take longer than planned, and the organisation may resist the change."
_NEXT_STEP = "Set up a steering committee, agree on milestones and communicate early with all stakeholders."
_GATHERED = "Here is all that could be learned from the interviewer."


def talker_calls(case: Case, decision: str) -> list[Call]:
    """Return a generic framework, without a question, for the decision given."""
    headline = case.options[decision].text if decision in case.options else decision
    return [(SUBMIT, submission(decision, headline, list(_FRAMEWORK), [_RISK], [_NEXT_STEP]))]


def hoarder_calls(case: Case) -> list[Call]:
    """Return questions for every topic until the turns are used up, then what was heard, without a conclusion."""
    interview = Interview(case)
    done: list[Call] = []
    said: list[str] = []
    for question, topic in _questions():
        if interview.progress.turns >= case.turns:
            break
        call: Call = (ASK, {"question": question, "topic": topic})
        before = interview.progress.known
        interview.play(len(done) + 1, *call)
        done.append(call)
        said += [case.by_id[name].sentence for name in interview.progress.known[len(before) :]]
    first = next(iter(case.options))
    return [*done, (SUBMIT, submission(first, _GATHERED, said[:6], said[6:7], said[7:8]))]


def _questions() -> list[tuple[str, str]]:
    """Return a question and its topic for each type of fact: the first type of every topic, then the second, and on."""
    known = fact_types()
    rounds: dict[str, int] = {}
    asked = []
    for name, each in known.types.items():
        rounds[each.topic] = rounds.get(each.topic, 0) + 1
        question = f"On {each.topic.replace('_', ' ')}: {each.means[0].lower()}{each.means[1:]}?"
        asked.append((rounds[each.topic], list(known.topics).index(known.topic_of(name)), question, each.topic))
    return [(question, topic) for _, _, question, topic in sorted(asked)]


def submission(decision: str, headline: str, reasons: list[str], risks: list[str], steps: list[str]) -> dict[str, Any]:
    """Return the arguments of a recommendation without numbers."""
    return {
        "decision": decision,
        "headline": headline,
        "key_numbers": [],
        "reasons": reasons,
        "risks": risks,
        "next_steps": steps,
    }

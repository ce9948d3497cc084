"""What a candidate reads first: how the interview goes, and the case."""

from __future__ import annotations

from functools import cache
from string import Template

from .case import Case
from .fact_types import fact_types

_RULES = Template(
    """You are the candidate in a case interview. A client has a question; an interviewer knows the facts and tells one
at a time, if you ask for it. You have $turns turns. Find out what you need, reckon, and recommend one of the options.

How it goes
- `ask_interviewer(question, topic)` asks for one thing. An answer takes a turn, also where there is nothing on it. Some
  facts are told only after others; the interviewer then says what to ask about first. If your question is not clear
  you are offered topics, which takes no turn: choose one by its name or by the argument `topic`. Any other question is
  a new one. A topic alone is no question: you are asked what exactly you want to know, twice without taking a turn.
- `request_exhibit(name)` shows an exhibit. One that the interviewer has named takes no turn.
- `share_analysis(text, numbers)` takes no turn: you hear which of your numbers are right. Each number is judged twice
  at most.
- `submit_recommendation(...)` ends the interview. It takes no turn, but a question after the last turn ends the
  interview without a recommendation, which scores 0.

How it is scored, 0 to 10 each, and the mean of the four
- Structure: the topics that matter, raised in your own words; no question twice or too early; questions that help.
  Your own words raise the topic that they are surely about, and the one that they are most likely about if you then
  choose it from those offered. Any other choice, and the argument `topic` alone, earns nothing.
- Numbers: those that the client wants to see, within 2 % and in the right unit. A number without a source costs 2.
- Business sense: the decision; the cause of it all as the first reason; the client's constraint named and kept; a risk
  and a next step that follow from what you were told. Three reasons count.
- Communication: the headline says the decision; neither too short nor too long (at most 320 words); nothing twice.

Act by one tool call as JSON: {"name": "ask_interviewer", "arguments": {"question": "..."}}.

Topics
$topics"""
)


@cache
def _topics() -> str:
    return "\n".join(f"- `{name}`: {covers}" for name, covers in fact_types().topics.items())


def rules_text(case: Case) -> str:
    """Return the rules of an interview."""
    return _RULES.substitute(turns=case.turns, topics=_topics())


def request_text(case: Case) -> str:
    """Return the case as the candidate gets it."""
    return f"The case: {case.client}, {case.industry}\n\n{case.statement}"

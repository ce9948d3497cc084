"""Candidates without a model: the oracle, two traps, and two that ask by a list and decide by the words they heard."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from ...envs.consulting.candidate import calls
from ...envs.consulting.case import Case
from ...envs.consulting.fact_types import fact_types
from ...envs.consulting.interviewer import EXACTLY, NOTHING, TIME_IS_UP
from ...envs.consulting.play import ASK, SUBMIT
from ...envs.consulting.stems import content
from ...envs.consulting.tasks import all_tasks
from ...envs.consulting.traps import hoarder_calls, submission, talker_calls
from ..base import Agent, TaskCard
from .generic import DoNothing, RandomCalls, RefuseAll

__all__ = ["ByTopic", "DoNothing", "FirstPrinciples", "Hoarder", "Oracle", "RandomCalls", "RefuseAll", "Talker"]

_OPTION = re.compile(r"^- `(\w+)`: (.*)$", re.MULTILINE)
_TURNS_LEFT = re.compile(r" \(\d+ of \d+ turns left[^)]*\)$")
_QUESTION_BACK = "Which of these do you mean?"
_TOO_EARLY = "We will come to that."
_USUAL_ORDER = (
    "constraints", "price", "variable_cost", "volume", "investment", "customers", "mix", "fixed_cost", "market",
    "competitors", "capacity", "operations", "labour", "supply", "cash", "technology", "regulation", "timing",
    "synergies", "people_and_organisation",
)  # fmt: skip


class _Scripted(Agent):
    """Plays calls that are known before the first turn."""

    def begin_episode(self, task: TaskCard) -> None:
        """Lay them out."""
        laid_out = self._calls(all_tasks().get(task.task_id).case)
        self._left = [{"name": name, "arguments": arguments} for name, arguments in laid_out]

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Make the next call."""
        return self._left.pop(0)

    def _calls(self, case: Case) -> Sequence[tuple[str, dict[str, Any]]]:
        raise NotImplementedError


class Oracle(_Scripted):
    """Asks for every essential fact, reckons by the model, and says only what was revealed."""

    def _calls(self, case: Case) -> Sequence[tuple[str, dict[str, Any]]]:
        return calls(case)


class Talker(_Scripted):
    """Presents a framework that fits any case, without a question, for the option that is named first."""

    def _calls(self, case: Case) -> Sequence[tuple[str, dict[str, Any]]]:
        return talker_calls(case, next(iter(case.options)))


class Hoarder(_Scripted):
    """Asks for everything, and concludes nothing."""

    def _calls(self, case: Case) -> Sequence[tuple[str, dict[str, Any]]]:
        return hoarder_calls(case)


class _Interviewee(Agent):
    """Asks about topics in an order of its own, then recommends by the words of what it heard."""

    def begin_episode(self, task: TaskCard) -> None:
        """Read the case."""
        self._statement = task.text.partition("\nThe case: ")[2]
        self._options = dict(_OPTION.findall(self._statement.partition("Options:")[2].partition("\n\n")[0]))
        self._topics = self._order(self._statement)
        self._heard: dict[str, str] = {}
        self._asked = ""

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Ask about the next topic while there is time; then recommend."""
        if self._asked:
            self._listen(observation)
        if not self._topics or TIME_IS_UP in observation:
            return {"name": SUBMIT, "arguments": self._recommendation()}
        self._asked = self._topics.pop(0)
        return {"name": ASK, "arguments": self._question(self._asked)}

    def _listen(self, observation: str) -> None:
        said = _TURNS_LEFT.sub("", observation).removesuffix(TIME_IS_UP).strip()
        if not said.startswith((EXACTLY, NOTHING, _QUESTION_BACK, _TOO_EARLY)):
            self._heard[self._asked] = said.partition(" There is an exhibit")[0]

    def _order(self, statement: str) -> list[str]:
        raise NotImplementedError

    def _question(self, topic: str) -> dict[str, Any]:
        means = next(each.means for each in fact_types().types.values() if each.topic == topic)
        return {"question": f"On {topic.replace('_', ' ')}: {means[0].lower()}{means[1:]}?", "topic": topic}

    def _recommendation(self) -> dict[str, Any]:
        decision = self._decision()
        heard = [said for topic, said in self._heard.items() if topic != "constraints"]
        reasons = [*heard[:2], *([self._heard["constraints"]] if "constraints" in self._heard else [])]
        risk = [f"This may turn out otherwise: {said}" for said in heard[2:3]]
        step = [f"Verify first with the client: {said}" for said in heard[3:4]]
        return submission(decision, self._options.get(decision, decision), reasons, risk, step)

    def _decision(self) -> str:
        """Return the option that has most words in common with what was heard, and fewest with the constraint."""
        limits = content(self._heard.get("constraints", ""))
        heard = content(" ".join(self._heard.values()))
        shared = {name: content(text) for name, text in self._options.items()}
        return max(
            shared, key=lambda name: (len(shared[name] & heard) - 3 * len(shared[name] & limits), name), default=""
        )


class ByTopic(_Interviewee):
    """Goes through the topics in the order in which a casebook would."""

    def _order(self, statement: str) -> list[str]:
        return list(_USUAL_ORDER)


class FirstPrinciples(_Interviewee):
    """Begins with the constraint, then with the topics that the statement speaks of most."""

    def _order(self, statement: str) -> list[str]:
        words = content(statement)
        types = fact_types()
        means = {topic: content(f"{topic} {covers}") for topic, covers in types.topics.items()}
        for each in types.types.values():
            means[each.topic] |= content(each.means)
        ranked = sorted(means, key=lambda topic: (-len(means[topic] & words), _USUAL_ORDER.index(topic)))
        return ["constraints", *(topic for topic in ranked if topic != "constraints")]

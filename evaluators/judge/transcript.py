"""What a judge is shown: the case with its solution, and the interview; every text fenced as data.

A fence carries a mark that is drawn from the digest of all the texts and stands in none of them, so that no text can
close its own fence and speak as somebody else. Only what the interviewer heard is shown: calls that were carried out. A
model's private thoughts and calls that were refused are no part of an interview.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ...envs.consulting.scoring import task_of
from ...envs.core.actions import parse_action
from ...envs.core.errors import RecordError, SettingError
from ...envs.core.text import printable
from ...envs.core.trajectory import Trajectory

CASE, CANDIDATE, INTERVIEWER = "case", "candidate", "interviewer"
NO_WORD = "(The candidate said nothing.)"
_MARK_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of the candidate, and what the interviewer said to it."""

    name: str
    arguments: dict[str, Any]
    said: str

    @property
    def text(self) -> str:
        """The call as the judge reads it: its name, and its arguments as JSON."""
        return f"{self.name}\n{json.dumps(self.arguments, ensure_ascii=False, indent=1)}"


@dataclass(frozen=True, slots=True)
class Transcript:
    """An interview for a judge.

    Attributes:
        case_id: Id of the case.
        case: Statement, facts and solution as text.
        exchanges: What was said, in order.
    """

    case_id: str
    case: str
    exchanges: tuple[Exchange, ...]

    @property
    def digest(self) -> str:
        """Digest of everything that the judge is shown."""
        return sha256("\x00".join(self._texts()).encode("utf-8")).hexdigest()

    @property
    def mark(self) -> str:
        """The mark of this transcript's fences: hexadecimal, and in none of its texts."""
        texts = list(self._texts())
        for number in range(len(self.digest)):
            mark = sha256(f"{number} {self.digest}".encode()).hexdigest()[:_MARK_CHARACTERS]
            if not any(mark in text for text in texts):
                return mark
        raise RecordError("transcript: no mark can be found that its texts do not hold")

    def fenced(self) -> str:
        """Return case and interview, each text between a line that opens its fence and one that closes it."""
        mark = self.mark
        blocks = [(CASE, self.case)]
        for each in self.exchanges:
            blocks += [(CANDIDATE, each.text), (INTERVIEWER, each.said)]
        told = "\n".join(f"<<{mark} {who}>>\n{printable(text)}\n<<{mark} end>>" for who, text in blocks)
        return told if self.exchanges else f"{told}\n{NO_WORD}"

    def _texts(self) -> Iterator[str]:
        yield printable(self.case)
        for each in self.exchanges:
            yield printable(each.text)
            yield printable(each.said)


def transcript_of(trajectory: Trajectory) -> Transcript:
    """Return the interview of a record.

    Raises:
        RecordError: Its case is not there.
    """
    try:
        case = task_of(trajectory.env_kwargs, trajectory.task_id, trajectory.seed).case
    except SettingError as error:
        raise RecordError(f"{trajectory.task_id}: {error}") from None
    return Transcript(case.case_id, case_text(case), tuple(_exchanges(trajectory)))


def _exchanges(trajectory: Trajectory) -> Iterator[Exchange]:
    for number, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            continue
        for call, result in zip(parse_action(step.turn.action, number), step.results, strict=True):
            if result.ok:
                yield Exchange(call.name, dict(call.arguments), result.content)


def case_text(case: Any) -> str:
    """Return what a judge has to know of a case: what the candidate read, all facts, and the solution."""
    solution = case.solution
    root = next(each.text for each in case.causes if each.role == "root")
    herrings = [each.text for each in case.causes if each.role == "red_herring"]
    numbers = [f"{each.label}: {each.value:g} {case.unit_text(each.unit)}" for each in solution.key_numbers]
    options = [f"{name}: {each.text}" for name, each in case.options.items()]
    return "\n".join(
        [
            f"Case {case.case_id}, {case.turns} interviewer turns. The client: {case.client}, {case.industry}.",
            *("", "What the candidate read:", case.statement),
            *("", "Options:", *_listed(options)),
            *("", "What the interviewer knows, told one at a time when asked for:", *_listed(_facts(case))),
            *("", "Branches of a good issue tree:", *_listed(each.replace("_", " ") for each in solution.topics)),
            *("", f"Right decision: {solution.decision}. Next best: {solution.runner_up}. {solution.why_not}"),
            *("", "Numbers asked for:", *_listed(numbers)),
            *("", f"Root cause: {root}", "Tempting and wrong as causes:", *_listed(herrings)),
            *("", f"Constraint: {solution.constraint.text}"),
            *("", "A sound recommendation:", solution.reference),
        ]
    )


def _facts(case: Any) -> Iterator[str]:
    for fact in case.facts:
        weight = "essential" if fact.essential else "no bearing" if fact.noise else "useful"
        yield f"{fact.sentence} [{fact.topic.replace('_', ' ')}; {weight}]"


def _listed(lines: Sequence[str] | Iterator[str]) -> list[str]:
    return [f"- {line}" for line in lines]

"""Players of Enterprise QA without a model: the oracle, and two that answer from the surface of the text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from decimal import Decimal
from functools import cache
from typing import Any

from ...envs.qa.items import Section
from ...envs.qa.programs import standalone
from ...envs.qa.tables import tables_of
from ...envs.qa.tasks import QATask, shipped_tasks
from ..base import Agent, TaskCard
from .generic import DoNothing, RandomCalls, RefuseAll

__all__ = ["DoNothing", "Majority", "Oracle", "RandomCalls", "RefuseAll", "TableLookup"]

_NUMBER = re.compile(r"\(?[$€£¥]?\d[\d,]*(?:\.\d+)?\)?")
_OPTION = re.compile(r"^([A-Z])\) (.*)$", re.MULTILINE)
_LABELS = re.compile(r"^Labels to choose from: (.*)$", re.MULTILINE)
_MANY = re.compile(r"Answer with (\d+) labels")
_LISTED = re.compile(r"^- ([a-z0-9_.]+): .* \([\d,]+ characters\)$", re.MULTILINE)
_QUESTION = re.compile(r"^Question: ", re.MULTILINE)
_CAPITALS = re.compile(r"(?<=[a-z])(?=[A-Z])")


class Oracle(Agent):
    """Answers from the stored answer; where code is asked for, with the stored program and the figures it reads."""

    def begin_episode(self, task: TaskCard) -> None:
        """Look the answer up."""
        item = _task(task.task_id).item
        spec = item.answer
        if spec.kind == "program" and item.program is not None:
            self._answer: Any = standalone(item.program, item.sections)
        else:
            self._answer = ", ".join(spec.value) if isinstance(spec.value, list) else spec.value

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Give the answer."""
        return _answering(self._answer)


class _Reader(Agent):
    """Reads the question and its context, by `lookup` where it must, then answers."""

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with nothing read."""
        self._opening = ""
        self._left: list[str] = []
        self._texts: list[str] = []

    def act(self, observation: str, info: dict[str, Any]) -> dict[str, Any]:
        """Read what is left to read; then answer."""
        if not self._opening:
            self._opening = observation
            self._left = _LISTED.findall(observation) if "lookup(section)" in observation else []
        else:
            self._texts.append(observation)
        if self._left:
            return {"name": "lookup", "arguments": {"section": self._left.pop(0)}}
        context, question = _parted(self._opening)
        return _answering(self._answer("\n\n".join([context, *self._texts]), question))

    def _answer(self, context: str, question: str) -> str:
        raise NotImplementedError


class Majority(_Reader):
    """Chooses the option and the label that are right most often in training, else the first number of the context."""

    def _answer(self, context: str, question: str) -> str:
        labels = _LABELS.search(question)
        if labels:
            offered = labels[1].split(", ")
            best = max(offered, key=lambda each: _seen()[each])
            return ", ".join([best] * _places(question))
        if _OPTION.search(question):
            letters: list[str] = [each[0] for each in _OPTION.findall(question)]
            return max(letters, key=lambda each: _seen()[each])
        numbers = _NUMBER.findall(context)
        return str(numbers[0]) if numbers else "0"


class TableLookup(_Reader):
    """Looks for the words of the question: in tables for a number, else in the options and labels."""

    def _answer(self, context: str, question: str) -> str:
        labels = _LABELS.search(question)
        if labels:
            asked = _words(context + question.partition("\n")[0])
            best = max(labels[1].split(", "), key=lambda each: len(asked & _words(_CAPITALS.sub(" ", each))))
            return ", ".join([best] * _places(question))
        options = _OPTION.findall(question)
        if options:
            known = _words(context + question.partition("\n")[0])
            return str(max(options, key=lambda each: len(known & _words(each[1])) / (1 + len(_words(each[1]))))[0])
        return self._cell(context, _words(question.partition("\n")[0]))

    def _cell(self, context: str, asked: frozenset[str]) -> str:
        best, found = -1.0, "0"
        for row, column, value in _cells(context):
            share = len(asked & _words(row)) / (1 + len(_words(row))) + len(asked & _words(column))
            if share > best:
                best, found = share, f"{value:f}"
        return found


def _answering(value: Any) -> dict[str, Any]:
    return {"name": "answer", "arguments": {"value": value}}


def _parted(opening: str) -> tuple[str, str]:
    """Part an opening into context and question."""
    starts = [each.start() for each in _QUESTION.finditer(opening)]
    return (opening[: starts[-1]], opening[starts[-1] :]) if starts else ("", opening)


def _places(question: str) -> int:
    found = _MANY.search(question)
    return int(found[1]) if found else 1


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z0-9]+", text.lower()))


def _cells(context: str) -> Iterable[tuple[str, str, Decimal]]:
    try:
        tables = tables_of([Section(section_id="context", title="Context", text=context or "-")])
    except ValueError:  # tables of a public set may be of any form
        return
    for rows in tables.values():
        for row, columns in rows.items():
            yield from ((row, column, value) for column, value in columns.items() if isinstance(value, Decimal))


@cache
def _seen() -> Counter[str]:
    """How often each letter and each label is right among the training items of the embedded set."""
    golds: list[Sequence[str]] = []
    for task in shipped_tasks():
        value = task.item.answer.value
        if task.split == "train" and task.item.answer.kind in ("choice", "labels"):
            golds.append(value if isinstance(value, list) else [str(value)])
    return Counter(each for gold in golds for each in gold)


def _task(task_id: str) -> QATask:
    return shipped_tasks().get(task_id)

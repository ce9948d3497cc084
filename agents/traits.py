"""Traits of a task that can be seen before it is played: what routing may rest on, read from the public card alone."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from .base import TaskCard

Traits = dict[str, str | int | bool]

TRAITS: Mapping[str, str] = {
    "env": "text: the environment",
    "capability": "text: the capability that is asked for, where the task states one",
    "answer": "text: the form of the answer, where the task states it: choice, number, code, labels or words",
    "context": "text: its length: short (under 2,000 characters), medium (to 10,000), long (to 40,000) or very_long",
    "tables": "number: tables in the task",
    "tools": "number: tools on offer",
    "needs_code": "true or false: whether a tool runs code",
    "turns": "number: turns or weeks that the task says there are",
}
"""Every trait, the kind of its value and its meaning, for prompts and for the check of rules."""

_BANDS = ((2_000, "short"), (10_000, "medium"), (40_000, "long"))
_LONGEST = "very_long"
_ANSWERS = (
    ("choice", re.compile(r"^Answer with the letter\b", re.MULTILINE)),
    ("code", re.compile(r"^Answer with Python code\b", re.MULTILINE)),
    ("number", re.compile(r"^Answer with a number\b", re.MULTILINE)),
    ("labels", re.compile(r"^Answer with (?:one|\d+) labels?\b", re.MULTILINE)),
    ("words", re.compile(r"^Answer with (?:the words|\d+ stretches)\b", re.MULTILINE)),
)
_CAPABILITY = re.compile(r"^Capability: *([A-Za-z][A-Za-z _-]{0,60})$", re.MULTILINE)
_TABLE = re.compile(r"^\|(?: *:?-+:? *\|)+ *$", re.MULTILINE)  # the line under the heads of a Markdown table
_TURNS = re.compile(r"\b(?:You have|game lasts) (\d{1,4}) (?:turns|weeks)\b")
_CODE, _RUNS = "code", re.compile(r"run|exec|python|interpreter")


def traits_of(task: TaskCard) -> Traits:
    """Return the traits of a task; one that the task does not show is absent."""
    tools = [json.loads(text)["function"] for text in task.tools]
    found: Traits = {
        "env": task.env_id,
        "context": next((name for limit, name in _BANDS if len(task.text) < limit), _LONGEST),
        "tables": len(_TABLE.findall(task.text)),
        "tools": len(tools),
        "needs_code": any(_runs_code(each) for each in tools),
    }
    answer = next((name for name, form in _ANSWERS if form.search(task.text)), None)
    if answer is not None:
        found["answer"] = answer
    capability = _CAPABILITY.search(task.text)
    if capability is not None:
        found["capability"] = "_".join(capability[1].lower().split())
    turns = _TURNS.search(task.text)
    if turns is not None:
        found["turns"] = int(turns[1])
    return {name: found[name] for name in TRAITS if name in found}


def _runs_code(tool: Mapping[str, Any]) -> bool:
    return bool(_RUNS.search(tool["name"])) and _CODE in tool.get("parameters", {}).get("properties", {})


def traits_text(traits: Mapping[str, Any]) -> str:
    """Return traits as one line of a prompt."""
    return json.dumps(dict(traits), ensure_ascii=False)


def legend() -> str:
    """Return every trait and its meaning, a line each."""
    return "\n".join(f"- {name}: {meaning}" for name, meaning in TRAITS.items())

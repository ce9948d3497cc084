"""What no record of a world may say: a record's text that tells what is to be done would answer the task by itself.

Texts are names, references and notes; they are shown to whoever reads the record. None of them may hold a word that
judges, the id of a rule or document, the name of a trap, or the value of a rule that a check of the task rests on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .content import Setting
from .documents import forms
from .kernel.records import Record, Text, field_types
from .kernel.rules import RuleRow
from .tasks import PaymentTask

_RULE_OR_DOCUMENT = re.compile(r"\b(R-[A-Z0-9]+(?:-[A-Z0-9]+)*|D-\d{4})\b")
_JUDGES = re.compile(
    r"\b(approv\w*|cancel\w*|consent\w*|correct|do not|don't|duplicat\w*|expire[ds]?|forbid\w*|forge[dr]\w*|ignore\w*"
    r"|invalid|laps\w*|must|never|not allowed|obsolete|only if|outdated|overrul\w*"
    r"|policy|rule[sd]?|should|stale|supersed\w*"
    r"|trap|twice|void|waive[ds]?|wrong|free of charge)\b",
    re.IGNORECASE,
)
"""Words by which somebody who knows the outcome would give it away; a buyer's plain words are none of them."""


def find(task: PaymentTask, setting: Setting) -> list[str]:
    """Return every text of the task's world that gives something away, with its place; empty where none does.

    Args:
        task: The task.
        setting: What it is played in.
    """
    values = {forms.write(row.key, row.value) for row in _rows(task, setting) if not isinstance(row.value, bool | str)}
    traps = {each.replace("_", " ") for each in task.traps}
    found = []
    for place, text in _texts(setting):
        for word in _given_away(text, values | traps):
            found.append(f"{task.task_id}: {place} says {word!r}: {text[:120]!r}")
    return found


def _rows(task: PaymentTask, setting: Setting) -> Iterator[RuleRow]:
    for spec in task.checks:
        yield from (setting.rules.rows[each] for each in spec.rules)


def _texts(setting: Setting) -> Iterator[tuple[str, str]]:
    """Yield every free text of the world with its place."""
    for record in setting.base.records.values():
        for name in _text_fields(type(record)):
            yield f"{record.id}.{name}", str(getattr(record, name))


def _text_fields(kind: type[Record]) -> list[str]:
    return [name for name, hint in field_types(kind).items() if hint is Text]


def _given_away(text: str, phrases: set[str]) -> Iterator[str]:
    for pattern in (_RULE_OR_DOCUMENT, _JUDGES):
        yield from (each[0] for each in pattern.finditer(text))
    spoken = text.casefold()
    yield from (each for each in sorted(phrases) if each.casefold() in spoken)

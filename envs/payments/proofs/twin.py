"""A twin of a task, other only in what is hidden: whoever has asked nothing must not be able to tell them apart."""

from __future__ import annotations

from typing import Any

from ..tasks import PaymentTask

_SHIFT = 17
_OTHER_TEXT = "another requirement"


def reveal_turns(task: PaymentTask) -> tuple[int, ...]:
    """Return the numbers of turns after which the twins are compared: before anything was asked."""
    return (0,)


def hidden_twin(task: PaymentTask, turns: int) -> PaymentTask:
    """Return the task with other values wherever a player who has asked nothing must not see.

    That is what the customer knows, what is checked, the paths that pass, the traps, and the anchors.
    """
    card = task.card.changed(
        facts=[each if each.own else each.changed(value=_other(each.value)) for each in task.card.facts]
    )
    anchors = task.anchors
    if anchors is not None:
        anchors = anchors.changed(floor=anchors.floor - 1, ceiling=anchors.ceiling + 1)
    goldens = [each.changed(minutes=each.minutes + _SHIFT) for each in task.goldens]
    checks = [each.changed(text=_OTHER_TEXT) for each in task.checks]
    return task.changed(card=card, checks=checks, goldens=goldens, counterexamples=[], traps=[], anchors=anchors)


def _other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + _SHIFT
    if isinstance(value, dict):
        return {**value, "minor": value["minor"] + _SHIFT}
    return f"{value}{_SHIFT}"

"""What `bizgym prove` needs to know of the Beer Game: a twin of a task, other only in what is hidden."""

from __future__ import annotations

from .tasks import BeerGameTask

_SHIFT_UNITS = 17


def reveal_turns(task: BeerGameTask) -> tuple[int, ...]:
    """Return the numbers of turns after which the twins are compared: early, in the middle, and before the end."""
    last = task.settings.horizon_weeks - 2
    return tuple(sorted({0, 1, last // 2, last}))


def hidden_twin(task: BeerGameTask, turns: int) -> BeerGameTask:
    """Return the task with other values wherever a player who has played `turns` weeks must not see.

    That is the demand of all weeks after the next one, and the anchors.
    """
    shown = turns + 1
    later = [units + _SHIFT_UNITS for units in task.demand[shown:]]
    anchors = task.anchors
    if anchors is not None:
        anchors = anchors.changed(floor=anchors.floor - 1, ceiling=anchors.ceiling + 1)
    return task.changed(demand=[*task.demand[:shown], *later], anchors=anchors)

"""What `bizgym prove` needs to know of the Digital Twin: a twin of a task, other only in what is hidden."""

from __future__ import annotations

from .tasks import DigitalTwinTask


def reveal_turns(task: DigitalTwinTask) -> tuple[int, ...]:
    """Return the numbers of turns after which the twins are compared: before the first and after the plan."""
    return (0, 1)


def hidden_twin(task: DigitalTwinTask, turns: int) -> DigitalTwinTask:
    """Return the task with other anchors: everything else of a firm is told to its planner, and luck is drawn late."""
    anchors = task.anchors
    if anchors is not None:
        anchors = anchors.changed(floor=anchors.floor - 1, ceiling=anchors.ceiling + 1)
    return task.changed(anchors=anchors)

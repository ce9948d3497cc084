"""What `bizgym prove` needs to know of the case interviews: a twin of a task, other only in what is hidden."""

from __future__ import annotations

from .tasks import ConsultingTask

TRAP_PLAYERS = ("talker", "hoarder")


def reveal_turns(task: ConsultingTask) -> tuple[int, ...]:
    """Return the numbers of turns after which the twins are compared: before anything was asked."""
    return (0,)


def hidden_twin(task: ConsultingTask, turns: int) -> ConsultingTask:
    """Return the task with other anchors, other facts and another solution; the statement is the same."""
    case, anchors = task.case, task.anchors
    facts = [fact.changed(sentence=f"{fact.sentence[:-1]}, so they say.") for fact in case.facts]
    other = next(name for name in case.options if name != case.solution.decision)
    solution = case.solution.changed(decision=other, runner_up=case.solution.decision, reference="Another one.")
    if anchors is not None:
        anchors = anchors.changed(ceiling=anchors.ceiling - 1)
    return task.changed(case=case.changed(facts=facts, solution=solution), anchors=anchors)

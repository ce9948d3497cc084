"""What has to hold of the payments tasks beside what holds of every benchmark: one generator of verdicts a claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from ..content import Content
from ..tasks import GOALS, PaymentTask
from .counterexamples import faults, superfluous_writes
from .mistakes import Ground
from .play import Play, reference
from .provenance import unfounded, useless_reads
from .traps import NAIVE, TRAPS, must_fail, walked

GOAL_SHARE_OF_NAIVE = 0.7
STRICT_SHARE_OF_NAIVE = 0.1
Verdict = tuple[str, str]
"""What was tested, and why it failed ("" where it held)."""
Claim = Callable[[Sequence[PaymentTask]], Iterator[Verdict]]


def claims(env: Any) -> Mapping[str, Claim]:
    """Return the claims by name.

    Args:
        env: The environment, unwrapped; its tasks are proven in the content that it plays in.
    """
    gallery = _Gallery(type(env)._content())
    return {
        "every stored path passes without an error": gallery.paths_pass,
        "every argument was shown before": gallery.arguments_are_founded,
        "no read of a reference path is idle": gallery.reads_are_needed,
        "no write of the reference path is idle": gallery.writes_are_needed,
        "every counterexample breaks its check alone": gallery.counterexamples_hold,
        "every check of process and protection has a counterexample": gallery.checks_are_covered,
        "every trap player fails": gallery.traps_fail,
        "the naive player reaches the goal and is not strict": gallery.naive_shows_the_gap,
    }


class _Gallery:
    """The claims over one folder of content."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def paths_pass(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Strict, no call refused, and within the minutes that are stored."""
        for task in tasks:
            for path, golden in enumerate(task.goldens):
                found = reference(task, self._content.setting(task), path)
                yield f"{task.task_id}, path {path}", _why_it_fails(found, golden.minutes)

    def arguments_are_founded(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Every value that a path uses was shown before, or is declared as derived from what was."""
        for task in tasks:
            for path, golden in enumerate(task.goldens):
                found = unfounded(golden, reference(task, self._content.setting(task), path))
                yield f"{task.task_id}, path {path}", "; ".join(found[:3])

    def reads_are_needed(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Every read of the reference path alone shows something that a later act or a check needs."""
        for task in tasks:
            setting = self._content.setting(task)
            idle = useless_reads(task, setting, task.goldens[0], reference(task, setting))
            yield task.task_id, f"idle: actions {', '.join(map(str, idle))}" if idle else ""

    def writes_are_needed(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Without any one of its writes the reference path is not strict."""
        for task in tasks:
            idle = superfluous_writes(self._ground(task))
            yield task.task_id, f"idle: actions {', '.join(map(str, idle))}" if idle else ""

    def counterexamples_hold(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Each breaks exactly the check that it names."""
        for task in tasks:
            for place, why in faults(self._ground(task)):
                yield f"{task.task_id}, {place}", why

    def checks_are_covered(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """A check without a counterexample may test nothing; goals may hang together, one making way for another."""
        for task in tasks:
            covered = {each.breaks for each in task.counterexamples}
            for check in (each for each in task.checks if each.kind != GOALS):
                yield f"{task.task_id}, {check.id}", "" if check.id in covered else "no counterexample"

    def traps_fail(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """A player fails on every task whose traps it falls for."""
        for task in tasks:
            ground = self._ground(task)
            for name, trap in TRAPS.items():
                if must_fail(trap, ground):
                    yield f"{name} {task.task_id}", "strictly successful" if walked(name, ground).strict else ""

    def naive_shows_the_gap(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Over the tasks: goal success of at least 70 %, strict success of at most 10 %."""
        played = [walked(NAIVE, self._ground(task)) for task in tasks]
        goal = sum(each.reached("goal") for each in played) / len(played)
        strict = sum(each.strict for each in played) / len(played)
        yield "goal success", "" if goal >= GOAL_SHARE_OF_NAIVE else f"only {goal:.0%}"
        yield "strict success", "" if strict <= STRICT_SHARE_OF_NAIVE else f"{strict:.0%}"

    def _ground(self, task: PaymentTask) -> Ground:
        return Ground(task, self._content.setting(task))


def _why_it_fails(found: Play, minutes: int) -> str:
    refused = [f"action {k}: {each.code}" for k, each in enumerate(found.shown) if each.code]
    if refused:
        return refused[0]
    if found.broken:
        blames = [check.observed for check in found.outcome.checks if not check.passed]
        return blames[0]
    return f"takes {found.minutes} minutes, not {minutes}" if found.minutes > minutes else ""

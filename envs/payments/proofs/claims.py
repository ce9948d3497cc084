"""What has to hold of the payments tasks beside what holds of every benchmark: one generator of verdicts a claim."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any

from ..content import Content
from ..tasks import GOALS, PaymentTask
from .cases import case_needs, undecided
from .counterexamples import faults, superfluous_writes
from .mistakes import Ground
from .play import Play, reference
from .product import prove
from .provenance import unfounded, useless_reads
from .traps import NAIVE, TRAPS, must_fail, own_reasons, walked

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
        "every task stands on what it was built from": gallery.tasks_are_current,
        "every stored path passes without an error": gallery.paths_pass,
        "every argument was shown before": gallery.arguments_are_founded,
        "every case of a rule was shown before": gallery.cases_are_known,
        "no read of a reference path is idle": gallery.reads_are_needed,
        "no write of the reference path is idle": gallery.writes_are_needed,
        "every counterexample breaks its check alone": gallery.counterexamples_hold,
        "every check of process and protection has a counterexample": gallery.checks_are_covered,
        "no strict path of a slice avoids a critical act": gallery.nothing_critical_is_avoided,
        "every trap player fails": gallery.traps_fail,
        "the naive player reaches the goal and is not strict": gallery.naive_shows_the_gap,
    }


class _Gallery:
    """The claims over one folder of content."""

    def __init__(self, content: Content) -> None:
        self._content = content

    def tasks_are_current(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """No rule, document or tool has changed since a task was built from it."""
        from ..families.stale import stale  # families build on proofs, not the other way round

        for task in tasks:
            yield task.task_id, next(iter(stale(task, self._content.setting(task))), "")

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

    def cases_are_known(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Whoever decides by a rule has seen the case in every dimension by which the rows of its key differ."""
        for task in tasks:
            setting = self._content.setting(task)
            for path, golden in enumerate(task.goldens):
                found = undecided(task, setting, golden, reference(task, setting, path))
                yield f"{task.task_id}, path {path}", "; ".join(found[:3])

    def reads_are_needed(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Every read of the reference path alone shows something that a later act or a check needs."""
        for task in tasks:
            setting = self._content.setting(task)
            golden, played = task.goldens[0], reference(task, setting)
            idle = useless_reads(task, setting, golden, played, case_needs(task, setting, golden, played))
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

    def nothing_critical_is_avoided(self, tasks: Sequence[PaymentTask]) -> Generator[Verdict, None, str]:
        """The product search over the slices of a task is whole, and finds no shortcut.

        Each act of the reference path without which it is not strict is looked at, but for waits, which only let time
        pass. The proof holds within the slices and the bound of `product.Bound`, not beyond.

        Returns:
            How much was searched and found, by task.
        """
        figures = []
        for task in tasks:
            proof = prove(self._ground(task))
            figures.append(f"{task.task_id}: {proof.figures}")
            for check in (*proof.cut, *proof.lost):
                yield f"{task.task_id}, slice of {check}", "is too large" if check in proof.cut else "nothing is strict"
            avoided = {each.act: each.check for each in proof.shortcuts}
            for act in sorted({*proof.critical, *avoided}):
                if task.goldens[0].actions[act].name != "wait":
                    why = f"a strict path of the slice of {avoided[act]} avoids it" if act in avoided else ""
                    yield f"{task.task_id}, action {act}", why
        return "; ".join(figures)

    def traps_fail(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """A player fails on every task whose traps it falls for, by a check that is about its mistake."""
        for task in tasks:
            ground = self._ground(task)
            for name, trap in TRAPS.items():
                if must_fail(trap, ground):
                    played = walked(name, ground)
                    reasons = own_reasons(name, ground, played)
                    yield f"{name} {task.task_id}", "" if reasons else _why_no_trap(played)

    def naive_shows_the_gap(self, tasks: Sequence[PaymentTask]) -> Iterator[Verdict]:
        """Over the tasks: goal success of at least 70 %, strict success of at most 10 %."""
        played = [walked(NAIVE, self._ground(task)) for task in tasks]
        goal = sum(each.reached("goal") for each in played) / len(played)
        strict = sum(each.strict for each in played) / len(played)
        yield "goal success", "" if goal >= GOAL_SHARE_OF_NAIVE else f"only {goal:.0%}"
        yield "strict success", "" if strict <= STRICT_SHARE_OF_NAIVE else f"{strict:.0%}"

    def _ground(self, task: PaymentTask) -> Ground:
        return Ground(task, self._content.setting(task))


def _why_no_trap(played: Play) -> str:
    if played.strict:
        return "strictly successful"
    return f"breaks {', '.join(sorted(played.broken))}, none of which is about its mistake"


def _why_it_fails(found: Play, minutes: int) -> str:
    refused = [f"action {k}: {each.code}" for k, each in enumerate(found.shown) if each.code]
    if refused:
        return refused[0]
    if found.broken:
        blames = [check.observed for check in found.outcome.checks if not check.passed]
        return blames[0]
    return f"takes {found.minutes} minutes, not {minutes}" if found.minutes > minutes else ""

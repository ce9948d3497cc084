"""Says what of a stored task no longer stands because something that it was built from has changed since."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..content import Setting
from ..lineage import Change, changes, log_of
from ..proofs.counterexamples import played
from ..proofs.mistakes import Ground
from ..proofs.play import Play, reference
from ..proofs.variations import unfolded
from ..tasks import GoldenPath, PaymentTask
from .build import MEND


def stale(task: PaymentTask, setting: Setting) -> Iterator[str]:
    """Yield what no longer stands: documents, golden paths and counterexamples, each with what has changed under it.

    Args:
        task: A stored task.
        setting: What it is played in now.
    """
    if task.built_from is None:
        return
    found = list(changes(task.built_from, setting))
    mend = MEND.format(task.task_id)
    for each in found:
        yield f"{task.task_id}: {each.part} {each.name} {each.why}; {mend}"
    for k, golden in enumerate(task.goldens):
        play = reference(task, setting, k)
        under = _under(_documents(golden), setting, play, _rules_of_checks(task), found)
        if under:
            yield f"{task.task_id}: golden path {k} rests on {under}; {mend}"
        elif golden.log and log_of(play.log) != golden.log:
            yield f"{task.task_id}: golden path {k} leads to other events than when it was stored; {mend}"
    yield from _of_counterexamples(task, setting, found, mend)


def _of_counterexamples(task: PaymentTask, setting: Setting, found: list[Change], mend: str) -> Iterator[str]:
    if not found:
        return
    ground = Ground(task, setting)
    by_id = {check.id: check for check in task.checks}
    for each in task.counterexamples:
        play = played(ground, unfolded(each.plays))
        under = _under((), setting, play, by_id[each.breaks].rules, found)
        if under:
            yield f"{task.task_id}: the counterexample of {each.breaks} rests on {under}; {mend}"


def _under(documents: Sequence[str], setting: Setting, play: Play, rules: Sequence[str], found: list[Change]) -> str:
    """Return what has changed under a path: rules that its acts and checks rest on, and what it reads and uses."""
    used = {*rules, *(rule for event in play.log for rule in event.rule_ids)}
    keys = {setting.rules.rows[rule].key for rule in used if rule in setting.rules.rows}
    tools = {event.name for event in play.log}
    touched = {"rule": used, "key": keys, "document": set(documents), "tool": tools}
    return ", ".join(each.name for each in found if each.name in touched.get(each.part, ()))


def _documents(path: GoldenPath) -> list[str]:
    return [each.arguments["document_id"] for each in path.actions if each.name == "read_document"]


def _rules_of_checks(task: PaymentTask) -> list[str]:
    return [rule for check in task.checks for rule in check.rules]

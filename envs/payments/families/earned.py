"""Takes out of a path what it could do without: reads that show nothing which a later act or a check needs."""

from __future__ import annotations

from ..content import Setting
from ..proofs.play import Play, reference
from ..proofs.provenance import unfounded, useless_reads
from ..tasks import Derived, GoldenPath, PaymentTask


def earned(task: PaymentTask, setting: Setting, path: GoldenPath) -> GoldenPath:
    """Return a path without the reads that are of no use; of two that show the same the earlier one stays.

    Args:
        task: The task that the path is of.
        setting: What it is played in.
        path: A path whose arguments were all shown or declared.
    """
    kept: set[int] = set()
    while True:
        of_path = task.changed(goldens=[path])
        played = reference(of_path, setting)
        useless = [k for k in useless_reads(of_path, setting, path, played) if k not in kept]
        if not useless:
            return path
        shorter = _without(path, useless[-1])
        if _is_sound(task.changed(goldens=[shorter]), setting):
            path = shorter
        else:
            kept.add(useless[-1])


def _is_sound(task: PaymentTask, setting: Setting) -> bool:
    played: Play = reference(task, setting)
    return played.strict and not unfounded(task.goldens[0], played)


def _without(path: GoldenPath, dropped: int) -> GoldenPath:
    """Return a path without one action; what was declared of later ones moves with them."""
    actions = [each for k, each in enumerate(path.actions) if k != dropped]
    derived = [_moved(each, dropped) for each in path.derived if each.action != dropped]
    return GoldenPath(minutes=path.minutes, actions=actions, derived=derived)


def _moved(derived: Derived, dropped: int) -> Derived:
    return derived.changed(action=derived.action - 1) if derived.action > dropped else derived

"""What a family of tasks has to offer: from a case and the rules, its world, its task, and the paths through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..content import Setting
from ..kernel.rules import RuleBook
from ..proofs.mistakes import Ground
from ..tasks import Counterexample, GoldenPath, PaymentTask


class Prepared(NamedTuple):
    """A case in its world.

    Attributes:
        world: The records by kind.
        task: The task as data, without paths.
        goldens: Plays the task knowingly and returns how, the reference path first.
        counterexamples: Makes one mistake for each check on the reference path.
        tempting: Business tools that one could be tempted to use in it.
    """

    world: dict[str, Any]
    task: dict[str, Any]
    goldens: Callable[[PaymentTask, Setting], list[GoldenPath]]
    counterexamples: Callable[[Ground], list[Counterexample]]
    tempting: tuple[str, ...]


class Family(NamedTuple):
    """A family.

    Attributes:
        case: The model of its cases, which name their task and world.
        prepare: Puts a case into its world.
    """

    case: Any
    prepare: Callable[[Any, RuleBook], Prepared]

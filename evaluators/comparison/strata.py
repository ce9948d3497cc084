"""What kind of task a task is: its split, its capability, its difficulty, where its benchmark has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ...envs.core.errors import RecordError
from ..benchmarks import task_of

ALL = "all"
DIFFICULTIES = ("easy", "middle", "hard", "small", "medium", "large")
"""In the order of a table; a Digital Twin's firms come in sizes instead."""
_SELECTION = ("split", "tasks", "order", "capability", "band", "render_mode")


class Stratum(NamedTuple):
    """The kind of a task, `ALL` where its benchmark does not tell tasks apart so.

    Attributes:
        split: The split it belongs to.
        capability: What a question asks for.
        difficulty: The band of a question, the difficulty of a case, the size of a firm.
    """

    split: str = ALL
    capability: str = ALL
    difficulty: str = ALL


def kind_of(env_id: str, env_kwargs: Mapping[str, Any], task_id: str) -> tuple[Stratum, bool]:
    """Return the kind of a recorded task, and whether its score may be that of a success: from 0 to 1.

    Nothing is told apart, and nothing is known of the score, where the task is not known here.
    """
    try:
        task = task_of(env_id, env_kwargs, task_id, 0)
    except RecordError:
        return Stratum(), True
    item, case, anchors = (getattr(task, name, None) for name in ("item", "case", "anchors"))
    difficulty = getattr(item, "band", None) or getattr(case, "difficulty", None) or getattr(task, "size", None)
    stratum = Stratum(
        str(getattr(task, "split", None) or ALL),
        str(getattr(item, "capability", None) or ALL),
        str(difficulty or ALL),
    )
    return stratum, anchors is not None and (anchors.floor, anchors.ceiling) == (0.0, 1.0)


def difficulty_order(name: str) -> tuple[int, str]:
    """Sort key: from easy to hard, unknown words behind."""
    return (DIFFICULTIES.index(name) if name in DIFFICULTIES else len(DIFFICULTIES)), name


def settings_of(env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that make a game another one: those that only choose among its tasks are left out."""
    return {name: value for name, value in env_kwargs.items() if value is not None and name not in _SELECTION}

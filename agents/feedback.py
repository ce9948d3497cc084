"""What an agent is told after an episode: by the mode of the run, and nothing beyond it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

from ..envs.core.trajectory import Trajectory
from .base import Feedback

Mode = Literal["none", "outcome", "binary", "gold"]


def told(mode: str, trajectory: Trajectory, gold: Callable[[], Any]) -> tuple[Trajectory, Feedback | None]:
    """Return what an agent may see of an episode, a copy, and the feedback.

    The checks of a record name what was expected, and so are left out in every mode; without feedback, or with a
    verdict alone, so is every number that tells the score.

    Args:
        mode: `none`, `outcome` (the score), `binary` (right or wrong) or `gold` (both, and the target).
        trajectory: The record.
        gold: Gives the target; called in the mode `gold` alone.
    """
    seen = trajectory.model_copy(deep=True, update={"checks": [], "counterpart_beyond": None})
    for step in seen.steps:  # what the other side drafted and threw away may hold what it never told
        step.counterpart = None
    if mode in ("none", "binary"):
        seen.reward = seen.metrics = None
        for step in seen.steps:
            step.reward, step.components = 0.0, {}
    if mode == "none":
        return seen, None
    success = None if mode == "outcome" else trajectory.success
    if mode == "binary":
        return seen, Feedback(mode, success=success)
    normalized = (trajectory.metrics or {}).get("normalized")
    target = gold() if mode == "gold" else None
    return seen, Feedback(mode, trajectory.reward, normalized, success, target)

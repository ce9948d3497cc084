"""The two phases in which an agent calls a model, and the names under which calls are counted."""

from __future__ import annotations

INFERENCE, ADAPTATION = "inference", "adaptation"


def metered_role(role: str, phase: str = INFERENCE) -> str:
    """Return the name under which a role's calls are counted: `act`, or `reflect@adaptation`."""
    return role if phase == INFERENCE else f"{role}@{phase}"


def is_adaptation(metered: str) -> bool:
    """Whether calls counted under a name served adaptation."""
    return metered.endswith(f"@{ADAPTATION}")

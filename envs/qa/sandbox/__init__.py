"""Runs Python that a model wrote: in a worker of pydantic-monty, else under bubblewrap, else not at all.

Nothing of it runs in this process, and nothing in a bare subprocess. The first tier reads a large part of Python and
has no files, no network and no modules but its own; what it cannot read goes to the second one, which is CPython with
numpy in namespaces of its own, behind resource limits and a system call filter, where a probe shows that this works.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

from .execution import DEFAULT_LIMITS, Execution, Limits

__all__ = ["DEFAULT_LIMITS", "TIERS", "Execution", "Limits", "Tier", "run"]

Tier = Literal["monty", "bubblewrap"]
TIERS: tuple[Tier, ...] = get_args(Tier)
"""In the order in which they are tried."""


def run(
    code: str,
    *,
    inputs: Mapping[str, Any] | None = None,
    limits: Limits = DEFAULT_LIMITS,
    tiers: Sequence[Tier] = TIERS,
) -> Execution:
    """Run a program; whatever it is, this returns.

    Args:
        code: Python. Its value is that of the variable `answer`, else that of its last expression.
        inputs: JSON values that the program finds under these names.
        limits: What it may use.
        tiers: Where it may run.
    """
    found = Execution("unsupported", error="no tier was asked for")
    for tier in tiers:
        found = _run_in(tier, code, dict(inputs or {}), limits)
        if found.status != "unsupported":
            return found
    return found


def _run_in(tier: Tier, code: str, inputs: dict[str, Any], limits: Limits) -> Execution:
    if tier == "monty":
        from . import monty

        return monty.run(code, inputs, limits)
    from . import bubblewrap

    return bubblewrap.run(code, inputs, limits)

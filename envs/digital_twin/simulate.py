"""Simulate a firm: with a plan or as its file gives it, under its own gate or another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core.errors import SettingError
from ..core.text import echo, nearest
from .kpis import Result, final, report
from .plan import Firm, Plan
from .scenario import GATES, Gate, Scenario
from .state import Coins, draw_coins, no_coins, run

MAX_SEED = 2**63 - 1


def simulate(firm: Firm, plan: Plan | None = None, *, gate: Gate | None = None, seed: int = 0) -> Result:
    """Run a firm from its first month to its last.

    Args:
        firm: The firm.
        plan: What it decides; None runs it as its file gives it.
        gate: Another gate than the firm's own.
        seed: Of the random numbers, 0 or more; only the gate `bernoulli` reads them.

    Returns:
        The reports of all steps, the results of all projects, and the earnings with the last step included.

    Raises:
        SettingError: The gate does not exist, or the seed is out of range.
    """
    scenario = planned(firm, plan, gate)
    return report(scenario, run(scenario, coins_of(firm, scenario, seed)))


def planned(firm: Firm, plan: Plan | None, gate: Gate | None = None) -> Scenario:
    """Return the scenario that a plan makes of a firm, under the gate asked for.

    Raises:
        SettingError: The gate does not exist.
    """
    if gate is not None and gate not in GATES:
        raise SettingError(f"gate: one of {', '.join(GATES)}, not {echo(gate)}.{nearest(str(gate), GATES)}")
    scenario = firm.template if plan is None else firm.scenario(plan)
    return scenario if gate is None else scenario.with_gate(gate)


def coins_of(firm: Firm, scenario: Scenario, seed: int) -> Coins:
    """Return the random numbers of the run of a firm's scenario that a seed stands for.

    A project's luck is the same whatever else a plan accepts, so that plans can be compared seed by seed.

    Raises:
        SettingError: The seed is out of range.
    """
    if type(seed) is not int or not 0 <= seed <= MAX_SEED:
        raise SettingError(f"seed: an integer from 0 to {MAX_SEED}, not {echo(seed, 60)}")
    drawn = draw_coins(firm.template.with_gate(scenario.gate), np.random.default_rng(seed))
    return coins_for(firm, scenario, drawn)


def coins_for(firm: Firm, scenario: Scenario, drawn: Coins) -> Coins:
    """Pick the random numbers of the projects that a plan accepts: their own, their follow-ons', and campaigns'."""
    if scenario.gate == "threshold":
        return no_coins(scenario)
    offered = [project.project_id for project in firm.template.projects]
    rows = [offered.index(project.project_id) for project in scenario.projects]
    n = len(offered)
    return [*(drawn[k] for k in rows), *(drawn[n + k] for k in rows), *drawn[2 * n :]]


def to_json(result: Result) -> dict[str, Any]:
    """Return a result as JSON values: the totals as last reported, every step, and every project."""
    return {
        "final": final(result),
        "earnings_full": result.earnings_full,
        "projects": [project._asdict() for project in result.projects],
        "steps": [step._asdict() for step in result.steps],
    }

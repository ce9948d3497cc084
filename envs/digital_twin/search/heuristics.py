"""Plans that a firm could make without a long search, from no thought at all to forward selection on the simulator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import ceil
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from ..plan import Firm, Plan, Range, Window
from .evaluate import Candidates, Evaluator

SHARED_RUNS = 100
"""Runs on which the heuristics compare plans under the gate `bernoulli`."""

SHARED_SEED = 11
TARGET_UTILIZATION = 0.8
CAUTIOUS_SHARE_OF_RISK = 0.5
RISK_GRID = 21
STAFF_GRID = 201
TUNING_ROUNDS = 4
RANDOM_PLANS = 2000
RANDOM_SEED = 13
MIN_GAIN = 1e-6


def trivial(firm: Firm) -> Plan:
    """Accept everything in its widest window, at full risk, with staff for all caps at once or as many as allowed."""
    projects = {project.project_id: _widest(firm, project.project_id) for project in firm.template.projects}
    caps = int(sum(project.staffing_cap for project in firm.template.projects))
    return Plan(_within(firm.bounds.consultants, caps), firm.bounds.revenue_risk.high, projects)


def margin(firm: Firm) -> Plan:
    """Accept in its widest window what bills above the cost of a consultant; no simulation."""
    projects = {each: _widest(firm, each) for each in _profitable(firm)}
    return Plan(sensible_staff(firm), sensible_risk(firm), projects)


def greedy(firm: Firm) -> Plan:
    """Add the project and window that raises simulated earnings most, until none does, at a rule's staff and risk."""
    evaluator = Evaluator(firm, SHARED_RUNS, SHARED_SEED)
    return evaluator.decode(forward_selection(evaluator, sensible_staff(firm), sensible_risk(firm)))


def greedy_tuned(firm: Firm) -> Plan:
    """Select as `greedy`, then find the best staff and risk for the selection, and select again with these."""
    evaluator = Evaluator(firm, SHARED_RUNS, SHARED_SEED)
    best = selected = forward_selection(evaluator, sensible_staff(firm), sensible_risk(firm))
    best_score = -np.inf
    for _ in range(TUNING_ROUNDS):
        tuned, score = tune(evaluator, selected)
        if score <= best_score + MIN_GAIN:
            break
        best, best_score = tuned, score
        selected = forward_selection(evaluator, int(tuned.consultants[0]), float(tuned.levels[0]))
    return evaluator.decode(best)


def random_search(firm: Firm, plans: int = RANDOM_PLANS, seed: int = RANDOM_SEED) -> Plan:
    """Return the best of `plans` random plans, each project accepted with probability one half."""
    evaluator = Evaluator(firm, SHARED_RUNS, SHARED_SEED)
    drawn = draw(evaluator, plans, np.random.default_rng(seed))
    return evaluator.decode(drawn, int(np.argmax(evaluator.means(drawn))))


HEURISTICS: Mapping[str, Callable[[Firm], Plan]] = MappingProxyType(
    {
        "trivial": trivial,
        "margin": margin,
        "greedy": greedy,
        "greedy_tuned": greedy_tuned,
        "random_search": random_search,
    }
)


def sensible_staff(firm: Firm) -> int:
    """Return the staff that the contracted effort of profitable projects keeps busy for 80 % of the time."""
    profitable = set(_profitable(firm))
    effort = sum(each.effort_months for each in firm.template.projects if each.project_id in profitable)
    months = firm.template.stop_month - firm.template.start_month
    return _within(firm.bounds.consultants, ceil(effort / (TARGET_UTILIZATION * max(1, months))))


def sensible_risk(firm: Firm) -> float:
    """Return half of the risk that the owners allow."""
    return CAUTIOUS_SHARE_OF_RISK * firm.bounds.revenue_risk.high


def forward_selection(evaluator: Evaluator, consultants: int, level: float) -> Candidates:
    """Begin with nothing accepted, and add the best project and window for as long as earnings rise."""
    chosen = np.zeros((1, len(evaluator.ids)), dtype=np.int64)
    score = float(evaluator.means(_with_terms(chosen, consultants, level))[0])
    while True:
        more = _additions(evaluator, chosen[0])
        if not len(more):
            break
        scores = evaluator.means(_with_terms(more, consultants, level))
        k = int(np.argmax(scores))
        if scores[k] <= score + MIN_GAIN:
            break
        chosen, score = more[k : k + 1], float(scores[k])
    return _with_terms(chosen, consultants, level)


def tune(evaluator: Evaluator, candidate: Candidates) -> tuple[Candidates, float]:
    """Return a plan with the best staff and risk for its projects, from a grid of at most 201 by 21 values."""
    staff, risk = evaluator.firm.bounds.consultants, evaluator.firm.bounds.revenue_risk
    heads = np.unique(np.linspace(staff.low, staff.high, min(STAFF_GRID, int(staff.high - staff.low) + 1)).astype(int))
    levels = np.round(np.linspace(risk.low, risk.high, RISK_GRID), 6)
    choices = np.repeat(candidate.choices, len(heads) * len(levels), axis=0)
    grid = Candidates(choices, np.repeat(heads, len(levels)), np.tile(levels, len(heads)))
    scores = evaluator.means(grid)
    k = int(np.argmax(scores))
    return grid.row(k), float(scores[k])


def draw(evaluator: Evaluator, plans: int, rng: np.random.Generator) -> Candidates:
    """Draw plans: staff and risk uniformly, each project accepted with probability one half, in any window."""
    staff, risk = evaluator.firm.bounds.consultants, evaluator.firm.bounds.revenue_risk
    sizes = np.maximum(evaluator.n_options, 2)
    windows = rng.integers(1, sizes, size=(plans, len(sizes)))
    accepted = (rng.random(windows.shape) < 0.5) & (evaluator.n_options > 1)
    consultants = rng.integers(int(staff.low), int(staff.high), size=plans, endpoint=True)
    return Candidates(windows * accepted, consultants, np.round(rng.uniform(*risk, size=plans), 2))


def _additions(evaluator: Evaluator, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return every row of choices with one more project accepted."""
    pairs = [(k, w) for k in np.flatnonzero(chosen == 0) for w in range(1, int(evaluator.n_options[k]))]
    rows = np.repeat(chosen[None], len(pairs), axis=0)
    for row, (k, choice) in zip(rows, pairs, strict=True):
        row[k] = choice
    return rows


def _with_terms(choices: NDArray[np.int64], consultants: int, level: float) -> Candidates:
    n = len(choices)
    return Candidates(choices, np.full(n, consultants), np.full(n, level))


def _profitable(firm: Firm) -> list[str]:
    cost = firm.salary_per_month + firm.workplace_cost_per_month
    return [project.project_id for project in firm.template.projects if project.rate_per_month > cost]


def _widest(firm: Firm, project_id: str) -> Window:
    bounds = firm.bounds.projects[project_id]
    return Window(int(bounds.start_month.low), int(bounds.deadline_month.high))


def _within(bounds: Range, value: int) -> int:
    return int(min(max(value, bounds.low), bounds.high))

"""A strong search for the best plan: annealing from many starts on shared random numbers, then steepest ascent.

Nothing in it looks at a clock: the same seed and budget give the same plan on every machine.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..plan import Firm, Plan
from .bound import upper_bound
from .evaluate import Candidates, Evaluator
from .heuristics import HEURISTICS, MIN_GAIN, draw


class Budget(NamedTuple):
    """How long `best_plan` looks.

    Attributes:
        walks: Annealing walks; the first begin from the heuristics' plans, the others from the best of random ones.
        steps: Proposals of each walk.
        scout_runs: Shared runs on which the first walks compare plans.
        kept: Different plans that are walked from again, more coolly, on `walk_runs`, and then climbed from.
        walk_runs: Shared runs of the second walks; also those on which all plans of a neighbourhood are compared.
        climb_runs: Shared runs of the ascent, and those that choose what is kept.
        final_runs: Runs, shared by the plans at the end and seen by no search, that choose among them.
    """

    walks: int = 40
    steps: int = 5_000
    scout_runs: int = 40
    kept: int = 4
    walk_runs: int = 200
    climb_runs: int = 2_000
    final_runs: int = 10_000


FIRST_TEMPERATURES = (0.03, 0.1)
SECOND_TEMPERATURE, LAST_TEMPERATURE = 0.01, 0.0005
"""As shares of the spread of random plans' earnings; the first walks begin at one or the other in turn."""

SURE_STEPS = 4
"""Times as many steps where every run is the same and so one run says all."""

RANDOM_BEGINNINGS = 300
SHORTLIST = 24
PAIRED = 600
"""Pairs of changes that each round of the ascent draws beside all single ones."""

MAX_ASCENT_ROUNDS = 60
RISK_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2)
STAFF_STEPS = (1, 2, 3)


def best_plan(firm: Firm, seed: int, budget: Budget | None = None, known: tuple[Plan, ...] = ()) -> tuple[Plan, float]:
    """Return the best plan found, and its mean earnings in the runs that chose it.

    Args:
        firm: The firm.
        seed: Of the search and of its random numbers.
        budget: How long to look, `Budget()` where none is given.
        known: Plans to begin from, beside those of the heuristics.
    """
    budget = budget or Budget()
    rng = np.random.default_rng(seed)
    scout, walker, climber, judge = (
        Evaluator(firm, runs, seed + k)
        for k, runs in enumerate((budget.scout_runs, budget.walk_runs, budget.climb_runs, budget.final_runs), 1)
    )
    steps = budget.steps if firm.template.gate == "bernoulli" else SURE_STEPS * budget.steps
    begun = [*known, *(heuristic(firm) for heuristic in HEURISTICS.values())]
    found = list(begun)
    for walk in range(budget.walks):
        if (proven := _proven(found[-len(begun) :], judge)) is not None:
            return proven
        first = scout.encode([begun[walk]]) if walk < len(begun) else _random_start(scout, rng)
        hot = FIRST_TEMPERATURES[walk % len(FIRST_TEMPERATURES)]
        found.append(scout.decode(anneal(scout, first, steps, hot, rng)))
    ends = []
    for plan in _best_of(found, climber, budget.kept):
        cooled = anneal(walker, walker.encode([plan]), steps, SECOND_TEMPERATURE, rng)
        ends.append(climber.decode(climb(climber, walker, cooled, rng)))
    ends += found[: len(begun)]
    finals = judge.means(judge.encode(ends))
    k = int(np.argmax(finals))
    return ends[k], float(finals[k])


def anneal(
    evaluator: Evaluator, first: Candidates, steps: int, temperature: float, rng: np.random.Generator
) -> Candidates:
    """Walk from a plan to better ones, to worse ones ever more rarely; return the best plan met.

    Args:
        evaluator: Compares plans.
        first: Where to begin.
        steps: Number of proposals.
        temperature: At the beginning, as a share of the spread of random plans' earnings.
        rng: Draws proposals.
    """
    spread = float(np.std(evaluator.means(draw(evaluator, 100, rng)))) or 1.0
    here, score = first, float(evaluator.means(first)[0])
    best, best_score = here, score
    for heat in spread * np.geomspace(temperature, LAST_TEMPERATURE, steps):
        there = _proposal(evaluator, here, rng)
        found = float(evaluator.means(there)[0])
        if found >= score or rng.random() < np.exp((found - score) / heat):
            here, score = there, found
            if score > best_score + MIN_GAIN:
                best, best_score = here, score
    return best


def climb(judge: Evaluator, scout: Evaluator, plan: Candidates, rng: np.random.Generator) -> Candidates:
    """Move to the best neighbour for as long as there is a better one.

    Args:
        judge: Compares the shortlist; an improvement must show here.
        scout: Draws up the shortlist.
        plan: Where to begin.
        rng: Draws the pairs of changes.
    """
    score = float(judge.means(plan)[0])
    for _ in range(MAX_ASCENT_ROUNDS):
        near = _joined([_neighbours(judge, plan), _drawn_neighbours(judge, plan, rng)])
        order = np.argsort(-scout.means(near), kind="stable")[:SHORTLIST]
        short = near.take(order)
        scores = judge.means(short)
        k = int(np.argmax(scores))
        if scores[k] <= score + MIN_GAIN:
            break
        plan, score = short.row(k), float(scores[k])
    return plan


def _proven(plans: list[Plan], judge: Evaluator) -> tuple[Plan, float] | None:
    """Return a plan that attains the bound of its firm, and its earnings; None where none does or runs differ."""
    if judge.is_random:
        return None
    bound, scores = upper_bound(judge.firm), judge.means(judge.encode(plans))
    k = int(np.argmax(scores))
    return (plans[k], float(scores[k])) if scores[k] >= bound - MIN_GAIN else None


def _random_start(evaluator: Evaluator, rng: np.random.Generator) -> Candidates:
    drawn = draw(evaluator, RANDOM_BEGINNINGS, rng)
    return drawn.row(int(np.argmax(evaluator.means(drawn))))


def _best_of(plans: list[Plan], judge: Evaluator, many: int) -> list[Plan]:
    """Return the best plans, no two the same."""
    order = np.argsort(-judge.means(judge.encode(plans)), kind="stable")
    best: list[Plan] = []
    for k in order:
        if plans[k] not in best:
            best.append(plans[k])
    return best[:many]


def _proposal(evaluator: Evaluator, here: Candidates, rng: np.random.Generator) -> Candidates:
    """Change a plan a little: one project's window or acceptance most often, two of them, staff, or risk."""
    choices, consultants, levels = here.choices.copy(), here.consultants.copy(), here.levels.copy()
    kind = rng.random()
    if kind < 0.12:
        consultants[0] = _staff(evaluator, int(consultants[0] + rng.choice(STAFF_STEPS) * rng.choice((-1, 1))))
    elif kind < 0.22:
        levels[0] = _risk(evaluator, float(levels[0] + rng.choice(RISK_STEPS) * rng.choice((-1, 1))))
    else:
        for _ in range(1 if kind < 0.7 else 2):
            _change_project(evaluator, choices[0], rng)
    return Candidates(choices, consultants, levels)


def _change_project(evaluator: Evaluator, choices: NDArray[np.int64], rng: np.random.Generator) -> None:
    """Decline a project or take another of its windows, in place; declined ones are drawn as often as accepted ones."""
    accepted = choices > 0
    pool = np.flatnonzero(accepted if rng.random() < 0.5 else ~accepted)
    k = int(rng.choice(pool)) if len(pool) else int(rng.integers(len(choices)))
    declines = choices[k] > 0 and rng.random() < 0.4
    choices[k] = 0 if declines else rng.integers(0, evaluator.n_options[k])


def _staff(evaluator: Evaluator, consultants: int) -> int:
    bounds = evaluator.firm.bounds.consultants
    return int(min(max(consultants, bounds.low), bounds.high))


def _risk(evaluator: Evaluator, level: float) -> float:
    bounds = evaluator.firm.bounds.revenue_risk
    return round(min(max(level, bounds.low), bounds.high), 2)


def _neighbours(evaluator: Evaluator, plan: Candidates) -> Candidates:
    """Return every plan that differs in one project, in staff or in risk."""
    row, consultants, level = plan.choices[0], int(plan.consultants[0]), float(plan.levels[0])
    changes = [(k, w) for k, size in enumerate(evaluator.n_options) for w in range(int(size)) if w != row[k]]
    staff = sorted({_staff(evaluator, consultants + s * d) for s in STAFF_STEPS for d in (-1, 1)} - {consultants})
    risk = sorted({_risk(evaluator, level + s * d) for s in RISK_STEPS for d in (-1, 1)} - {level})
    n = len(changes) + len(staff) + len(risk)
    near = Candidates(np.repeat(plan.choices, n, axis=0), np.full(n, consultants), np.full(n, level))
    for place, (k, choice) in enumerate(changes):
        near.choices[place, k] = choice
    near.consultants[len(changes) : len(changes) + len(staff)] = staff
    near.levels[len(changes) + len(staff) :] = risk
    return near


def _drawn_neighbours(evaluator: Evaluator, plan: Candidates, rng: np.random.Generator) -> Candidates:
    """Return plans that differ in two or three respects, drawn."""
    drawn = []
    for _ in range(PAIRED):
        there = plan
        for _ in range(2):
            there = _proposal(evaluator, there, rng)
        drawn.append(there)
    return _joined(drawn)


def _joined(parts: list[Candidates]) -> Candidates:
    choices = np.concatenate([part.choices for part in parts])
    consultants = np.concatenate([part.consultants for part in parts])
    return Candidates(choices, consultants, np.concatenate([part.levels for part in parts]))

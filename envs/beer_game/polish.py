"""Improving a plan by the best of its small changes, until none of them helps."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from .evolution import Costs, Plans

SINGLE_STEPS = (1, 2, 5, 10, 25, 50, 100, 200, 500, 1000)
TRANSFER_STEPS = (1, 5, 10, 25, 50, 100, 200, 500)
TRANSFER_PAIRS = 2600
"""About so many pairs of weeks are tried: all of a game up to 36 weeks, near ones in a longer game."""

JOINED_MOVES = 32
MOVES_PER_BATCH = 4096


def polish(costs: Costs, plan: NDArray[np.float64], limit: int, game_weeks: int) -> tuple[NDArray[np.float64], float]:
    """Take the best move, or the best few together, for as long as that is cheaper and the budget lasts.

    A move changes one week, removes its order, or shifts units or the whole order to another week.

    Args:
        costs: what plans cost.
        plan: where to begin, shape (weeks,).
        limit: largest order.
        game_weeks: about how many weeks may be played.

    Returns:
        The plan and its cost.
    """
    cost = float(costs(plan[None])[0])
    while game_weeks > 0:
        moves = _moves(plan, limit)
        paid = np.concatenate([costs(plans) for plans in _moved(plan, moves)] or [np.empty(0)])
        game_weeks -= len(paid) * len(plan)
        order = np.argsort(paid, kind="stable")[:JOINED_MOVES]
        order = order[paid[order] < cost]
        if not len(order):
            break
        together = _joined(plan, moves[:, order], limit)
        joined = costs(together)
        best = int(np.argmin(joined))
        plan, cost = together[best], float(joined[best])
    return plan, cost


def _joined(plan: NDArray[np.float64], moves: NDArray[np.float64], limit: int) -> Plans:
    """Return the plans after the first move, the first two, and so on, without moves that no longer fit."""
    plans = []
    for move in moves.T[:, :, None]:
        moved = next(_moved(plan, move))[0]
        if moved.min() >= 0 and moved.max() <= limit:
            plan = moved
            plans.append(plan)
    return np.array(plans)


def _moves(plan: NDArray[np.float64], limit: int) -> NDArray[np.float64]:
    """Return the moves the plan allows, as rows source week, units taken there, target week, units added there."""
    weeks = np.arange(len(plan))
    window = max(2, min(len(plan), TRANSFER_PAIRS // (2 * len(plan))))
    pairs = [(i, j) for i in weeks for j in weeks if i != j and abs(i - j) < window]
    source, target = np.array(pairs, dtype=int).reshape(-1, 2).T
    nothing = np.zeros(len(weeks))
    groups = [(weeks, nothing, weeks, nothing + step) for size in SINGLE_STEPS for step in (size, -size)]
    groups += [(source, nothing[:1] + step, target, nothing[:1] + step) for step in TRANSFER_STEPS]
    groups += [(weeks, plan[weeks], weeks, nothing), (source, plan[source], target, plan[source])]
    moves = np.concatenate([np.stack(np.broadcast_arrays(*group)) for group in groups], axis=1)
    rest = plan[moves[0].astype(int)] - moves[1]
    grown = plan[moves[2].astype(int)] + moves[3]
    allowed: NDArray[np.float64] = moves[:, (rest >= 0) & (grown >= 0) & (grown <= limit)]
    return allowed


def _moved(plan: NDArray[np.float64], moves: NDArray[np.float64]) -> Iterator[Plans]:
    """Yield the plans that the moves lead to, a batch at a time."""
    for start in range(0, moves.shape[1], MOVES_PER_BATCH):
        source, taken, target, added = moves[:, start : start + MOVES_PER_BATCH]
        plans = np.tile(plan, (len(taken), 1))
        rows = np.arange(len(plans))
        plans[rows, source.astype(int)] -= taken
        plans[rows, target.astype(int)] += added
        yield plans

"""A second search that shares nothing with the first but the rules of the game: it must not find better plans.

Differential evolution of SciPy over continuous orders, rounded for play, and a descent along one week at a time.
`make second-search` runs it; minutes, so not a part of the ordinary tests.
"""

import numpy as np
import pytest
from bizgym.envs.beer_game.search import plan_costs
from bizgym.envs.beer_game.tasks import shipped_tasks
from scipy.optimize import differential_evolution

pytestmark = pytest.mark.second_search
TASKS = list(shipped_tasks())
ALLOWED_GAIN = 0.005
GRID = np.array([0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024])


def descend(task, plan, cost):
    """Move one week's order at a time to the best of a grid around it, until a whole round gains nothing."""
    limit = task.settings.max_order
    improved = True
    while improved:
        improved = False
        for week in range(len(plan)):
            values = np.unique(np.clip(np.concatenate([plan[week] - GRID, plan[week] + GRID, [0]]), 0, limit))
            plans = np.repeat(plan[None], len(values), axis=0)
            plans[:, week] = values
            costs = plan_costs(task.settings, task.demand, plans)
            best = int(np.argmin(costs))
            if costs[best] < cost - 1e-9:
                plan, cost, improved = plans[best], float(costs[best]), True
    return cost


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.task_id)
def test_the_second_search_does_not_beat_the_ceiling(task):
    top = min(task.settings.max_order, 12 * max(task.demand))
    found = differential_evolution(
        lambda orders: plan_costs(task.settings, task.demand, np.rint(orders.T)),
        bounds=[(0, top)] * len(task.demand),
        vectorized=True,
        updating="deferred",
        polish=False,
        popsize=12,
        maxiter=300,
        tol=0,
        rng=7,
    )
    cost = descend(task, np.rint(found.x), float(found.fun))
    gain = (-task.anchors.ceiling - cost) / -task.anchors.ceiling
    print(f"\n{task.task_id:20} ceiling {-task.anchors.ceiling:10.2f} second search {cost:10.2f} gain {gain:+.4f}")
    assert gain <= ALLOWED_GAIN

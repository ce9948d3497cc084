"""Searching plans with populations: crossing and mutating whole plans, and adapting a normal distribution of plans.

Nothing here knows the game. A plan is a row of whole numbers from 0 to a limit, and `Costs` says what plans cost.
"""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Plans: TypeAlias = NDArray[np.float64]
"""Orders of the played stage in whole units, one row a game, one column a week."""

Costs: TypeAlias = Callable[[Plans], NDArray[np.float64]]

MUTATIONS = 5
SAMPLES = 48
"""Plans that a run of `adapt` draws from its distribution in each generation."""

OUTSIDE_COST = 1e-3
"""Cost of a unit that a drawn plan lies outside the limits: it keeps distributions from drifting away."""

LEAST_DEVIATION = 1e-3
MOST_DEVIATION = 1e4
LEAST_VARIANCE = 1e-20


def evolve(
    costs: Costs, plans: Plans, limit: int, rng: np.random.Generator, population: int, generations: int
) -> Plans:
    """Cross and mutate plans for some generations, parents competing with their children.

    Returns:
        The survivors, all different, cheapest first.
    """
    paid = costs(plans)
    for _ in range(generations):
        children = _children(plans, limit, rng, population)
        plans = np.concatenate([plans, children])
        paid = np.concatenate([paid, costs(children)])
        _, different = np.unique(plans, axis=0, return_index=True)
        kept = different[np.lexsort((different, paid[different]))][:population]
        plans, paid = plans[kept], paid[kept]
    return plans


def _children(parents: Plans, limit: int, rng: np.random.Generator, count: int) -> Plans:
    # Squared draws favour the front of the list, where the cheap plans are.
    first, second = (rng.random((2, count)) ** 2 * len(parents)).astype(int)
    weeks = parents.shape[1]
    cut = rng.integers(0, weeks, size=(count, 1), endpoint=True)
    children = np.where(np.arange(weeks) < cut, parents[first], parents[second])
    for _ in range(int(rng.integers(1, 4))):
        _mutate(children, limit, rng)
    allowed: Plans = np.clip(children, 0, limit)
    return allowed


def _mutate(plans: Plans, limit: int, rng: np.random.Generator) -> None:
    """Change each plan in place at one week or between two: step, part transfer, merge, removal, or nothing."""
    rows = np.arange(len(plans))
    kind = rng.integers(0, MUTATIONS, size=len(plans))
    source, target = rng.integers(0, plans.shape[1], size=(2, len(plans)))
    scale = 10 ** rng.uniform(0, np.log10(limit), size=len(plans))
    step = np.rint(rng.normal(size=len(plans)) * scale)
    moved = np.rint(plans[rows, source] * np.where(kind == 1, rng.random(len(plans)), 1))
    moved[(kind == 0) | (kind == MUTATIONS - 1)] = 0
    plans[rows, source] -= moved
    plans[rows, target] += np.where(kind <= 2, moved, 0) + np.where(kind == 0, step, 0)


def adapt(
    costs: Costs, means: Plans, deviations: NDArray[np.float64], limit: int, rng: np.random.Generator, generations: int
) -> Plans:
    """Run covariance matrix adaptation from several means side by side; draws are rounded before they are played.

    The strategy and its constants are those of Hansen and Ostermeier (2001), Completely derandomized self-adaptation
    in evolution strategies, Evolutionary Computation 9(2), with the rank-mu update of Hansen, Mueller and Koumoutsakos
    (2003), Evolutionary Computation 11(1). It follows narrow valleys, where a change pays only if others go with it.

    Args:
        costs: what plans cost.
        means: where the runs begin, shape (runs, weeks).
        deviations: first standard deviation of each run in units, shape (runs,).
        limit: largest order.
        rng: of all draws.
        generations: of each run.

    Returns:
        The cheapest plan that each run has drawn, shape (runs, weeks).
    """
    runs, weeks = means.shape
    best, least = np.clip(np.rint(means), 0, limit), np.full(runs, np.inf)
    search = _Distributions(means.copy(), deviations.copy())
    rows = np.arange(runs)
    for generation in range(generations):
        steps = search.steps(rng)
        drawn = search.means[:, None] + search.deviations[:, None, None] * steps
        inside = np.clip(drawn, 0, limit)
        plans = np.rint(inside)
        paid = costs(plans.reshape(-1, weeks)).reshape(runs, SAMPLES)
        first = paid.argmin(axis=1)
        cheaper = paid[rows, first] < least
        best[cheaper], least[cheaper] = plans[rows, first][cheaper], paid[rows, first][cheaper]
        ranked = np.argsort(paid + OUTSIDE_COST * np.abs(drawn - inside).sum(axis=2), axis=1, kind="stable")
        search.update(np.take_along_axis(steps, ranked[:, : SAMPLES // 2, None], axis=1), generation)
    return best


class _Distributions:
    """One normal distribution of plans a run; names in comments are those of the literature."""

    def __init__(self, means: Plans, deviations: NDArray[np.float64]) -> None:
        runs, n = means.shape
        weights = np.log(SAMPLES / 2 + 0.5) - np.log(np.arange(1, SAMPLES // 2 + 1))
        self._weights = weights / weights.sum()
        mass = self._mass = 1 / float(self._weights @ self._weights)  # mu_eff
        self._path_rate = (4 + mass / n) / (n + 4 + 2 * mass / n)  # c_c
        self._length_rate = (mass + 2) / (n + mass + 5)  # c_sigma
        self._one_rate = 2 / ((n + 1.3) ** 2 + mass)  # c_1
        self._many_rate = min(1 - self._one_rate, 2 * (mass - 2 + 1 / mass) / ((n + 2) ** 2 + mass))  # c_mu
        self._damping = 1 + 2 * max(0.0, ((mass - 1) / (n + 1)) ** 0.5 - 1) + self._length_rate
        self._usual_length = n**0.5 * (1 - 1 / (4 * n) + 1 / (21 * n * n))
        self.means, self.deviations = means, deviations
        self._path, self._length_path = np.zeros((runs, n)), np.zeros((runs, n))  # p_c, p_sigma
        self._covariance = np.tile(np.eye(n), (runs, 1, 1))

    def steps(self, rng: np.random.Generator) -> NDArray[np.float64]:
        """Draw steps of deviation 1, shape (runs, SAMPLES, weeks)."""
        variances, axes = np.linalg.eigh(self._covariance)
        self._spreads, self._axes = np.sqrt(np.maximum(variances, LEAST_VARIANCE)), axes
        normal = rng.normal(size=(len(self.means), SAMPLES, self.means.shape[1]))
        drawn: NDArray[np.float64] = (normal * self._spreads[:, None]) @ axes.transpose(0, 2, 1)
        return drawn

    def update(self, steps: NDArray[np.float64], generation: int) -> None:
        """Move the means along the best steps, best first, and make such steps likelier."""
        step = self._weights @ steps
        self.means = self.means + self.deviations[:, None] * step
        turned = (self._axes.transpose(0, 2, 1) @ step[:, :, None])[:, :, 0] / self._spreads
        white = (self._axes @ turned[:, :, None])[:, :, 0]
        rate = self._length_rate
        self._length_path = (1 - rate) * self._length_path + (rate * (2 - rate) * self._mass) ** 0.5 * white
        length = np.linalg.norm(self._length_path, axis=1) / self._usual_length
        expected = (1 - (1 - rate) ** (2 * (generation + 1))) ** 0.5
        steady = (length / expected < 1.4 + 2 / (step.shape[1] + 1)).astype(float)[:, None]  # h_sigma
        self._adapt_covariance(steps, step, steady)
        growth = np.exp(np.minimum(1, rate / self._damping * (length - 1)))
        self.deviations = np.clip(self.deviations * growth, LEAST_DEVIATION, MOST_DEVIATION)

    def _adapt_covariance(
        self, steps: NDArray[np.float64], step: NDArray[np.float64], steady: NDArray[np.float64]
    ) -> None:
        rate, one, many = self._path_rate, self._one_rate, self._many_rate
        self._path = (1 - rate) * self._path + steady * (rate * (2 - rate) * self._mass) ** 0.5 * step
        lost = ((1 - steady) * rate * (2 - rate))[:, :, None]
        outer = self._path[:, :, None] * self._path[:, None] + lost * self._covariance
        spread = (steps * self._weights[:, None]).transpose(0, 2, 1) @ steps
        self._covariance = (1 - one - many) * self._covariance + one * outer + many * spread

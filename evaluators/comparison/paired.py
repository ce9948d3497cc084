"""Two agents on the same episodes: the mean difference, how sure it is, and how often each is ahead.

Tasks differ more than agents do, so a difference is taken within each (task, trial) and its interval comes from drawing
whole tasks anew (the paired percentile bootstrap of Efron and Tibshirani, An Introduction to the Bootstrap, 1993,
chapter 13): trials of a task stay together, since they are not independent of one another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..statistics import mean
from .contests import Contest, Entry
from .episodes import Episode

RESAMPLES = 10_000
SEED = 8
"""Of the draws: the same tasks give the same interval, in every report."""
FEW_TASKS = 10
"""Below this many tasks the interval of a bootstrap is too narrow to be relied on."""
REWARD, NORMALIZED = "reward", "normalized"
_TAIL = 0.025


@dataclass(frozen=True, slots=True)
class Paired:
    """One agent against another.

    Attributes:
        left, right: Their labels; a difference above 0 speaks for `left`.
        metric: `reward` or `normalized`.
        difference: Mean over the pairs of left - right, None without a pair.
        ci95: Its 95 % interval, None with fewer than two tasks.
        n: Number of pairs: episodes that both have a score of; `asked` that both were asked to play.
        tasks: Number of tasks that the pairs come from.
        wins, losses, ties: Pairs in which left is ahead, behind, level.
    """

    left: str
    right: str
    metric: str
    difference: float | None
    ci95: tuple[float, float] | None
    n: int
    asked: int
    tasks: int
    wins: int
    losses: int
    ties: int

    def to_json(self) -> dict[str, Any]:
        """Return the fields by name, the interval as a list."""
        fields = {name: getattr(self, name) for name in self.__slots__}
        return {**fields, "ci95": None if self.ci95 is None else list(self.ci95)}


def compare(left: Entry, right: Entry, metric: str = REWARD) -> Paired:
    """Compare two agents on the episodes that both have played.

    Args:
        left: The agent that a positive difference speaks for.
        right: The other one.
        metric: `reward`, or `normalized`, which only tasks with a scale have.
    """
    shared = [key for key in left.asked if key in right.asked]
    by_task: dict[str, list[float]] = {}
    for key in shared:
        mine, other = _value(left.episodes.get(key), metric), _value(right.episodes.get(key), metric)
        if mine is not None and other is not None:
            by_task.setdefault(key[0], []).append(mine - other)
    pairs = [difference for differences in by_task.values() for difference in differences]
    return Paired(
        left.label,
        right.label,
        metric,
        mean(pairs) if pairs else None,
        bootstrap_ci95(by_task),
        len(pairs),
        len(shared),
        len(by_task),
        sum(each > 0 for each in pairs),
        sum(each < 0 for each in pairs),
        sum(each == 0 for each in pairs),
    )


def bootstrap_ci95(by_task: Mapping[str, Sequence[float]]) -> tuple[float, float] | None:
    """Return the 95 % interval of a mean over values that come in tasks, None with fewer than two tasks.

    Each resample draws as many tasks as there are, with replacement, and takes the mean over the values of those drawn;
    the interval spans the middle 95 % of the means. The order of the tasks does not matter.

    Args:
        by_task: The values of each task, at least one.
    """
    if len(by_task) < 2:
        return None
    ordered = [by_task[task] for task in sorted(by_task)]
    sums = np.array([math.fsum(values) for values in ordered])
    sizes = np.array([len(values) for values in ordered], dtype=float)
    drawn = _draws(len(ordered))
    means = np.einsum("ij,j->i", drawn, sums) / np.einsum("ij,j->i", drawn, sizes)
    low, high = np.quantile(means, (_TAIL, 1 - _TAIL))
    return float(low), float(high)


def best_fixed(contest: Contest) -> Entry | None:
    """Return the agent with the best mean reward that plays every task and chooses no method by task.

    Agents with a model come first, where there are any; oracles, which know the solutions, never count. Of several
    that are level, the first.
    """
    return next(iter(all_best_fixed(contest)), None)


def all_best_fixed(contest: Contest) -> list[Entry]:
    """Return the best fixed agents, as `best_fixed` has them, more than one where their mean rewards are equal."""
    able = [each for each in contest.entries if not (each.is_oracle or each.is_router or contest.lacks(each))]
    fit = [each for each in able if each.plays_with_model] or able
    means = {each.label: found for each in fit if (found := _mean_reward(each)) is not None}
    return [each for each in fit if each.label in means and means[each.label] == max(means.values())]


def against_best(contest: Contest) -> list[Paired]:
    """Return every other agent against the best fixed one, by reward, the largest difference first."""
    best = best_fixed(contest)
    if best is None:
        return []
    found = [compare(each, best) for each in contest.entries if each is not best]
    return sorted(found, key=lambda row: (math.inf if row.difference is None else -row.difference, row.left))


def matrix(contest: Contest) -> list[Paired]:
    """Return each two agents of an environment compared, under every metric that they have."""
    entries = contest.entries
    rows = [
        compare(left, right, metric)
        for k, left in enumerate(entries)
        for right in entries[k + 1 :]
        for metric in (REWARD, NORMALIZED)
    ]
    return [row for row in rows if row.metric == REWARD or row.n]


@lru_cache(maxsize=4)
def _draws(tasks: int) -> NDArray[np.float64]:
    """How often each resample draws each task; it depends on the number of tasks alone."""
    rng = np.random.default_rng([SEED, tasks])
    return rng.multinomial(tasks, np.full(tasks, 1 / tasks), size=RESAMPLES).astype(np.float64)


def _value(episode: Episode | None, metric: str) -> float | None:
    if episode is None or not episode.scored:
        return None
    return episode.reward if metric == REWARD else episode.normalized


def _mean_reward(entry: Entry) -> float | None:
    rewards = [each.reward for key in entry.asked if (each := entry.episodes.get(key)) and each.reward is not None]
    return mean(rewards) if rewards else None

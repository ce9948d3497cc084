"""pass^k: how probable it is that k trials of a task are all strictly successful, averaged over tasks.

A task with c successes in n trials counts with C(c, k) / C(n, k), the unbiased estimator of Yao et al. (2024),
tau-bench: the share of all choices of k among the n trials in which every trial succeeded. What has no verdict because
the infrastructure failed can be read in three ways, and all three are given:

    excluded     such trials are left out; a task with fewer than k others is left out with them
    as failures  such trials count as failures; trials that were never played are left out
    bounds       all of them count, also those that were never played: once as failures, once as successes
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any

LARGEST_K = 8


@dataclass(slots=True)
class Trials:
    """The trials of one task by one agent.

    Attributes:
        asked: How many were asked for.
        successes: How many were strictly successful.
        failures: How many were not.
        unknown: How many have a record without a verdict: errored, or ended unscored.
    """

    asked: int = 0
    successes: int = 0
    failures: int = 0
    unknown: int = 0

    @property
    def judged(self) -> int:
        """Number of trials with a verdict."""
        return self.successes + self.failures

    @property
    def attempted(self) -> int:
        """Number of trials with a record."""
        return self.judged + self.unknown


@dataclass(frozen=True, slots=True)
class PassHatK:
    """pass^k of one agent, None where no task has k trials that count.

    Attributes:
        k: Number of trials that all have to succeed.
        tasks: Number of tasks asked for.
        excluded: Trials without a verdict left out; rests on `excluded_tasks` tasks.
        as_failures: Errored and unscored trials as failures; rests on `as_failures_tasks` tasks.
        lower: Everything without a verdict as failures, what was never played included.
        upper: The same as successes.
    """

    k: int
    tasks: int
    excluded: float | None
    excluded_tasks: int
    as_failures: float | None
    as_failures_tasks: int
    lower: float | None
    upper: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the fields by name."""
        return {name: getattr(self, name) for name in self.__slots__}


def chance(successes: int, n: int, k: int) -> Fraction:
    """Return the unbiased estimate of p^k from `successes` in `n` independent trials: C(successes, k) / C(n, k).

    Raises:
        ValueError: It is not 0 <= successes <= n and 1 <= k <= n.
    """
    if not 0 <= successes <= n or not 1 <= k <= n:
        raise ValueError(f"0 <= successes <= n and 1 <= k <= n, not {successes} of {n} and k = {k}")
    return Fraction(comb(successes, k), comb(n, k))


def pass_hat_k(tasks: Iterable[Trials], k: int) -> PassHatK:
    """Return pass^k over tasks under the three conventions.

    Args:
        tasks: The trials of each task.
        k: At least 1.

    Raises:
        ValueError: k is below 1.
    """
    if k < 1:
        raise ValueError(f"k: at least 1, not {k}")
    found = list(tasks)
    excluded = [chance(each.successes, each.judged, k) for each in found if each.judged >= k]
    failed = [chance(each.successes, each.attempted, k) for each in found if each.attempted >= k]
    whole = [each for each in found if each.asked >= k]
    return PassHatK(
        k,
        len(found),
        _mean(excluded),
        len(excluded),
        _mean(failed),
        len(failed),
        _mean([chance(each.successes, each.asked, k) for each in whole]),
        _mean([chance(each.asked - each.failures, each.asked, k) for each in whole]),
    )


def curve(tasks: Mapping[str, Trials]) -> list[PassHatK]:
    """Return pass^k for k from 1 to the number of trials asked for of a task, at most `LARGEST_K`.

    Args:
        tasks: The trials of one agent by task.
    """
    most = max((each.asked for each in tasks.values()), default=0)
    return [pass_hat_k(tasks.values(), k) for k in range(1, min(most, LARGEST_K) + 1)]


def _mean(values: list[Fraction]) -> float | None:
    return float(sum(values, Fraction(0)) / len(values)) if values else None

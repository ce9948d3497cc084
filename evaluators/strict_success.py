"""Strict success and its parts: goal, process, protection, and what a look at the last state alone would miss."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..envs.core.trajectory import Trajectory
from .statistics import ci95_by_task

GOAL = "goal"
STRICT, STRICT_OF_SCORED = "strict", "strict_of_scored"
GOAL_BUT_VIOLATING, INTERMEDIATE_FAILURE = "goal_but_violating", "intermediate_failure"
HINTS: Mapping[str, str] = {
    STRICT: "every check passed; of all attempted episodes, so that errored and unscored ones count as failures",
    STRICT_OF_SCORED: "every check passed; of scored episodes",
    GOAL_BUT_VIOLATING: "every goal was reached, yet another check failed; of scored episodes",
    INTERMEDIATE_FAILURE: "a check that is no goal was broken on the way, not by the end; of scored episodes",
}
"""What each rate counts."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on one episode.

    Attributes:
        classes: Of each class of check that the task has, whether all of them passed.
        intermediate_failure: Whether a check that is no goal was broken by an event on the way: the last state may
            look right all the same.
    """

    classes: Mapping[str, bool]
    intermediate_failure: bool

    @property
    def strict(self) -> bool:
        """Whether every check passed."""
        return all(self.classes.values())

    @property
    def goal_but_violating(self) -> bool:
        """Whether the goals were reached, and something else was not kept."""
        return self.classes.get(GOAL, False) and not self.strict


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of episodes: `count` of `n`, at least one."""

    metric: str
    count: int
    n: int

    @property
    def value(self) -> float:
        """The rate, from 0 to 1."""
        return self.count / self.n


def judged(row: Trajectory) -> Judged | None:
    """Return the verdicts on a record; None where it has no score, or its benchmark has no checks."""
    if row.reward is None or not row.stop_reason.scored or not row.checks:
        return None
    classes: dict[str, bool] = {}
    for check in row.checks:
        classes[check.kind] = classes.get(check.kind, True) and check.passed
    broken = (check for check in row.checks if check.kind != GOAL and not check.passed)
    return Judged(classes, any(check.turn is not None for check in broken))


def rates(episodes: Sequence[Judged], attempted: int) -> list[Rate]:
    """Return the rates of one agent.

    Strict success comes twice: of all attempted episodes, errored ones as failures, and of the scored ones. Where
    checks are of several classes, each class has its rate (of the scored episodes whose task has checks of it), and
    so has what only a look at the whole history shows.

    Args:
        episodes: The scored episodes that have checks.
        attempted: Number of episodes with a record, at least that of `episodes`.

    Returns:
        Nothing where no episode has checks.

    Raises:
        ValueError: More episodes are judged than were attempted.
    """
    if attempted < len(episodes):
        raise ValueError(f"attempted: at least the {len(episodes)} episodes that are judged, not {attempted}")
    if not episodes:
        return []
    found = [Rate(metric, sum(held), len(held)) for metric, held in _outcomes(episodes, attempted).items()]
    kinds = {kind for each in episodes for kind in each.classes}
    return found if len(kinds) > 1 else found[:2]


def rate_intervals(tasks: Iterable[tuple[Sequence[Judged], int]]) -> dict[str, tuple[float, float] | None]:
    """Return the 95 % interval of each rate of one agent by `statistics.ci95_by_task`.

    Args:
        tasks: Of each task, the scored episodes that have checks, and the number of episodes with a record.
    """
    found: dict[str, list[list[float]]] = {}
    for episodes, attempted in tasks:
        for metric, held in _outcomes(episodes, attempted).items():
            found.setdefault(metric, []).append([float(each) for each in held])
    return {metric: ci95_by_task(values, is_rate=True) for metric, values in found.items()}


def _outcomes(episodes: Sequence[Judged], attempted: int) -> dict[str, list[bool]]:
    """Whether each episode counts for a rate, rate by rate, in the order in which they are told."""
    strict = [each.strict for each in episodes]
    kinds = dict.fromkeys(kind for each in episodes for kind in each.classes)
    return {
        STRICT: [*strict, *[False] * (attempted - len(episodes))],
        STRICT_OF_SCORED: strict,
        **{kind: [each.classes[kind] for each in episodes if kind in each.classes] for kind in kinds},
        GOAL_BUT_VIOLATING: [each.goal_but_violating for each in episodes],
        INTERMEDIATE_FAILURE: [each.intermediate_failure for each in episodes],
    }

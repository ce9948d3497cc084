"""The episodes of a run as a comparison needs them: scores, verdicts and use of models, without their steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...envs.core.run_folder import RunFolder
from ...envs.core.trajectory import Trajectory
from ..costs import JUDGE, Usage, role_and_phase
from ..strict_success import Judged, judged

SIMULATOR = "simulator"
"""The role of a counterpart that is a model: a customer, an interviewer."""
ADAPTATION = "adaptation"
"""The phase in which an agent learns from an episode that is over."""
OTHERS = (SIMULATOR, JUDGE)
"""Roles of models that are no part of an agent."""
Key = tuple[str, int]
"""A task and a trial."""


@dataclass(frozen=True, slots=True)
class Episode:
    """One valid record.

    Attributes:
        key: Its task and trial.
        reward: Its score, None where it has none.
        metrics: Metrics at its end, empty where it has no score.
        verdict: What its checks came to, None where there are none.
        errored: Whether it failed for reasons of the infrastructure.
        usage: What models used, by role and phase, simulators included.
        steps: Its turns.
        seconds: How long it took, None where the record does not say.
    """

    key: Key
    reward: float | None
    metrics: Mapping[str, float]
    verdict: Judged | None
    errored: bool
    usage: Usage
    steps: int
    seconds: float | None

    @property
    def scored(self) -> bool:
        """Whether it counts in means of scores."""
        return self.reward is not None and not self.errored

    @property
    def normalized(self) -> float | None:
        """Its score on the scale of its task, None where it has none."""
        return self.metrics.get("normalized") if self.scored else None


def episode_of(row: Trajectory) -> Episode:
    """Return what a comparison keeps of a record."""
    return Episode(
        (row.task_id, row.trial),
        row.reward,
        row.metrics or {},
        judged(row),
        not row.stop_reason.scored,
        row.usage,
        row.n_steps,
        row.timing.get("seconds"),
    )


def rows_of(folder: RunFolder) -> Iterator[tuple[Trajectory, bool]]:
    """Yield every record of a run without its steps, and whether it is the valid one of its episode.

    Raises:
        RecordError: A row cannot be read, or an episode has two scores.
    """
    valid = set(folder.valid().values())
    for position, row in enumerate(folder.rows(with_steps=False)):
        yield row, position in valid


def own(usage: Usage) -> Usage:
    """Return what the agent itself used: simulators and judges are no part of it."""
    return {key: amounts for key, amounts in usage.items() if role_and_phase(key)[0] not in OTHERS}


def of_role(usage: Usage, role: str) -> Usage:
    """Return what one role used, in any phase."""
    return {key: amounts for key, amounts in usage.items() if role_and_phase(key)[0] == role}


def adapting(usage: Usage) -> Usage:
    """Return what the agent used to learn between episodes."""
    return {key: amounts for key, amounts in own(usage).items() if role_and_phase(key)[1] == ADAPTATION}


def amount(usage: Usage, *names: str) -> float:
    """Return the sum of amounts over the roles, for example `amount(usage, "input", "output")`."""
    return sum(amounts.get(name, 0) for amounts in usage.values() for name in names)


def plain_client(client: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the settings of a recorded client, without what was only found out in play."""
    return {name: value for name, value in (client or {}).items() if name not in ("answered_by", "price_dates")}

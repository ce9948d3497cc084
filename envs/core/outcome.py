"""What an episode came to: the one vocabulary that rewards, evaluators and reports share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Check:
    """One requirement of a task, with the evidence for its verdict.

    Attributes:
        id: Stable name within the task.
        kind: The class of the requirement, for example goal, process or protection.
        passed: Whether it held over the whole history.
        expected: What the task asks for.
        observed: What was seen.
        turn: The turn that decided it, None where the end of the episode did.
    """

    id: str
    kind: str
    passed: bool
    expected: str
    observed: str
    turn: int | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """The verdict on a history.

    Attributes:
        components: Reward by component; the episode's return is their sum.
        metrics: Named floats; a metric that is undefined for this history is absent.
        checks: The requirements and their verdicts, empty for benchmarks that score by reward alone.
    """

    components: Mapping[str, float]
    metrics: Mapping[str, float]
    checks: tuple[Check, ...] = field(default=())

    @property
    def reward(self) -> float:
        """The return of the episode: the sum of the components."""
        return float(sum(self.components.values()))

    @property
    def success(self) -> bool | None:
        """Strict success: every check passed; None where the benchmark has no checks."""
        return all(check.passed for check in self.checks) if self.checks else None

"""Practice: episodes that an agent plays to learn, beside those that its run scores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from ..envs.core.chat import ChatClient, ProviderError
from ..envs.core.errors import CounterpartError, SettingError
from ..envs.core.seeding import episode_seed
from ..envs.core.stop import StopReason
from ..envs.core.trajectory import Trajectory
from .base import Agent, AgentStop, RunContext
from .executors import make_env
from .feedback import told
from .phases import ADAPTATION
from .rollout import Limits, rollout
from .simulators import SIMULATOR

_MOST = 10_000
_SALT = 0x9E3779B9  # what sets the seeds of practice apart from those of the run's own episodes


@dataclass(frozen=True, slots=True)
class _AdaptationMeter:
    """The run's meter, every call counted as adaptation."""

    meter: Any

    def client(self, role: str = "act", phase: str = ADAPTATION) -> ChatClient:
        client: ChatClient = self.meter.client(role, ADAPTATION)
        return client


def _cancelled(message: str) -> AgentStop:
    return AgentStop(StopReason.CANCELLED, message)


_FAILURES: Mapping[StopReason, Callable[[str], Exception]] = {
    StopReason.CANCELLED: _cancelled,
    StopReason.PROVIDER_ERROR: ProviderError,
    StopReason.SIMULATOR_FAILURE: CounterpartError,
    StopReason.AGENT_ERROR: RuntimeError,
    StopReason.ENV_ERROR: RuntimeError,
}


@dataclass(frozen=True, slots=True)
class Practised:
    """One episode of practice.

    Attributes:
        trajectory: What may be seen of it: a record without its checks, which name what was expected.
        score: From 0 to 1, see `score_of`.
    """

    trajectory: Trajectory
    score: float


class Practice:
    """Plays episodes of the run's environment beside the run, all calls counted as adaptation.

    The tasks are of the run's environment, those that the run plays left out. Where it plays them all, as it does with
    a game of one's own, practice is on the same tasks under other seeds, in a run that tells scores anyway. With the
    feedback `none`, and where a task is a question with an answer, it would leak what nobody may know. What practice
    scores is told in every mode: it is the agent's own, and no episode of the run.

    Args:
        run: The run.
        env: Keywords of the environment in place of the run's own, for example `{"split": "train"}`.

    Raises:
        SettingError: There is no task left to practise on.
    """

    def __init__(self, run: RunContext, env: dict[str, Any] | None = None) -> None:
        settings = run.settings
        self._run = run
        self._env = make_env(settings["env_id"], {**settings["env_kwargs"], **(env or {})})
        own = sampled(self._env.unwrapped.task_ids)  # type: ignore[attr-defined]
        scored = set(settings.get("task_ids", ()))
        self.task_ids = [task for task in own if task not in scored]
        modes = self._env.unwrapped.feedback_modes  # type: ignore[attr-defined]
        if not self.task_ids and settings.get("feedback", "none") != "none" and "gold" not in modes:
            self.task_ids = own
        if not self.task_ids:
            raise SettingError(
                "practice_env: the run plays every task of its environment, so there is nothing to practise on; "
                'give keywords with other tasks, for example practice_env={"split": "train"}, or a limit'
            )

    def tasks(self, n: int) -> list[str]:
        """Return n tasks; fewer where there are fewer."""
        return self.task_ids[:n]

    def context(self) -> RunContext:
        """Return what an agent that practises is told: the run, its calls counted as adaptation."""
        meter = self._run.meter
        if meter is None:
            return self._run
        counted: Any = _AdaptationMeter(meter)
        return replace(self._run, client=counted.client(), meter=counted)

    def play(self, agent: Agent, task_id: str, trial: int = 0, feedback: str = "none") -> Practised:
        """Play one episode with an agent that has begun its run.

        Args:
            agent: The agent.
            task_id: The task.
            trial: Number of the repetition; it gives the episode a seed of its own.
            feedback: What the agent is told after the episode.

        Raises:
            ProviderError: The provider failed.
            CounterpartError: The other side failed.
            AgentStop: The run's budget is spent.
            RuntimeError: The agent or the environment is broken: that is no score of 0.
        """
        row = rollout(
            self._env,
            agent,
            seed=episode_seed(self._run.seed ^ _SALT, task_id, trial),
            task_id=task_id,
            trial=trial,
            limits=Limits(),
            feedback=feedback,
        )
        if self._run.meter is not None and SIMULATOR in row.usage:
            self._run.meter.book({SIMULATOR: row.usage[SIMULATOR]})
        failed = _FAILURES.get(row.stop_reason)
        if failed is not None:
            raise failed(f"practice on {task_id} ended in {row.stop_reason.value}: {row.error}")
        return Practised(told("outcome", row, lambda: None)[0], score_of(row))

    def close(self) -> None:
        """Close the environment."""
        self._env.close()


def sampled(ids: Sequence[str]) -> list[str]:
    """Return ids in the order of their digests, a sample of all kinds however short one cuts it.

    No stride is involved, which might meet the cycle in which kinds of tasks follow each other.

    Of a set without an end, such as one that is drawn from seeds, so many are taken at such places.
    """
    if len(ids) > _MOST:
        places = (int(sha256(str(k).encode()).hexdigest(), 16) % len(ids) for k in range(_MOST))
        return [ids[place] for place in dict.fromkeys(places)]
    return sorted(ids, key=lambda task_id: sha256(task_id.encode()).hexdigest())


def check_practice(settings: Mapping[str, Any], env: dict[str, Any] | None) -> None:
    """Refuse a run that leaves nothing to practise on.

    Raises:
        SettingError: There is no task left, or a keyword of the environment does not hold.
    """
    try:
        Practice(RunContext("", 0, settings=settings), env).close()
    except (TypeError, ValueError) as error:
        raise SettingError(str(error)) from None


def score_of(row: Trajectory) -> float:
    """Return a score from 0 to 1, higher is better: the normalized one clipped, else strict success, else 0.

    An environment without anchors and without checks has no scale to learn on; then every episode counts as 0.
    """
    normalized = (row.metrics or {}).get("normalized")
    if normalized is not None:
        return min(1.0, max(0.0, normalized))
    return float(bool(row.success))

"""One environment, one agent, one episode: the loop that turns play into a record."""

from __future__ import annotations

import re
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import gymnasium as gym
from pydantic import BaseModel

from ..envs.core.actions import to_wire
from ..envs.core.chat import ChatClient, ContextOverflow, ProviderError
from ..envs.core.errors import CounterpartError, SettingError
from ..envs.core.seeding import agent_seed
from ..envs.core.stop import StopReason
from ..envs.core.text import printable
from ..envs.core.trajectory import UNLEARNED, CheckRecord, ResultRecord, Step, Trajectory, TurnRecord
from .base import Agent, AgentStop, AgentTurn, RunContext, TaskCard, as_turn
from .clients.redact import redact, redact_json
from .feedback import told
from .phases import is_adaptation
from .simulators import SIMULATOR, simulator_usage

if TYPE_CHECKING:
    from .meter import Meter

_ERROR_LIMIT_CHARACTERS = 4_000
_FOLDERS = re.compile(r'File "[^"]*?([^/\\"]+[/\\][^/\\"]+)"')


@dataclass(frozen=True, slots=True)
class Limits:
    """An agent's own budget for one episode; whichever is reached first ends it, and the score counts.

    Attributes:
        max_steps: Turns; None leaves it to the environment, whose own limit is finite.
        max_calls: Calls to a model, over all roles.
        max_tokens: Tokens read and written by models, over all roles.
        timeout_seconds: Wall-clock time, checked between turns and before each call to a model.
        max_cost: What models may cost, in USD over all roles; None for no bound.
    """

    max_steps: int | None = None
    max_calls: int = 5_000
    max_tokens: int = 20_000_000
    timeout_seconds: float = 3_600.0
    max_cost: float | None = None


def rollout(
    env: gym.Env[str, Any],
    agent: Agent,
    *,
    seed: int,
    task_id: str | None = None,
    trial: int = 0,
    limits: Limits | None = None,
    labels: Mapping[str, Any] | None = None,
    feedback: str = "outcome",
    run: RunContext | None = None,
    state: Mapping[str, Any] | None = None,
    meter: Meter | None = None,
    client: ChatClient | None = None,
) -> Trajectory:
    """Play one episode and return its record.

    Args:
        env: An environment from `gym.make`.
        agent: The agent.
        seed: Seed of the episode.
        task_id: The task; None lets the seed draw one.
        trial: Number of the repetition, for the record.
        limits: The agent's budget.
        labels: Further fields of the record: `agent`.
        feedback: What `end_episode` is handed; see `bizgym.agents.feedback.told`.
        run: Handed to `begin_run` first; None where that has been done, or is not needed.
        state: Handed to `load_state` next; None where there is nothing to continue from.
        meter: Counts the calls of the agent's client; None for agents without a model.
        client: A model, for an agent outside a run; `run` and `meter` are made of it.

    Returns:
        The record. Failures are data: an agent that raises ends in `agent_error`, an environment in `env_error`.

    Raises:
        SettingError: The agent plays with a model and there is none, or the environment has no such task.
    """
    if client is not None and meter is None:
        from .meter import run_alone  # which rests on this module

        run, meter = run_alone(client, env, seed, limits or Limits(), feedback)
    if run is None:
        agent.check_ready()
    episode = _Episode(env, agent, limits or Limits(), perf_counter(), meter)
    stop, error = episode.play(seed, task_id, run, state)
    trajectory = episode.record(stop, error, seed=seed, task_id=task_id, trial=trial, labels=labels or {})
    if type(agent).end_episode is not Agent.end_episode:
        _tell(agent, trajectory, feedback, episode.core, meter)
    return trajectory


def _tell(agent: Agent, trajectory: Trajectory, feedback: str, core: Any, meter: Meter | None) -> None:
    """Let the agent learn from a copy: what it does to the record stays with it.

    Where the infrastructure keeps it from learning, the episode loses its score and is run again, lesson included.
    """
    try:
        agent.end_episode(*told(feedback, trajectory, lambda: core.gold()))
    except Exception as failure:  # the episode stands, the failure is kept with it
        reason, error = _reason_of(failure)
        trajectory.error = redact(printable(f"{trajectory.error}\n{UNLEARNED}{error}".strip()))
        if not reason.scored:
            trajectory.stop_reason = reason
            trajectory.reward = trajectory.metrics = None
            trajectory.checks = []
    if meter is not None:
        learning = meter.take()
        _add_usage(trajectory.usage, learning)
        _add_usage(trajectory.usage_beyond, learning)


class _Episode:
    """The state of one episode being played."""

    def __init__(
        self, env: gym.Env[str, Any], agent: Agent, limits: Limits, started: float, meter: Meter | None
    ) -> None:
        self.env = env
        self.core: Any = env.unwrapped
        self.agent = agent
        self.limits = limits
        self.started = self.play_started = started
        self.meter = meter
        if meter is not None:
            meter.begin_episode()
        self.steps: list[Step] = []
        self.first_observation = ""
        self.info: dict[str, Any] = {}
        self.terminated = self.truncated = False
        self.usage: dict[str, dict[str, float]] = {}
        self.lost: Any = None

    def play(
        self, seed: int, task_id: str | None, run: RunContext | None, state: Mapping[str, Any] | None
    ) -> tuple[StopReason, str]:
        """Play to the end; return why it stopped and, for failures, what went wrong."""
        try:
            options = None if task_id is None else {"task_id": task_id}
            observation, self.info = self.env.reset(seed=seed, options=options)
            if not isinstance(observation, str):
                raise TypeError(f"reset returned {type(observation).__name__}, not a text")
            assert self.env.spec is not None
            writes = tuple(self.core.write_tools)
            tools, task = self.info["tools"], self.info["task_id"]
            card = TaskCard(self.env.spec.id, task, observation, tools, writes, agent_seed(seed))
        except SettingError:
            raise
        except Exception as failure:
            return _blamed_on_env(failure)
        self.first_observation = observation
        try:
            if run is not None:
                self.agent.begin_run(run)
            if state is not None:
                self.agent.load_state(dict(state))
            self.agent.begin_episode(card)
        except Exception as failure:
            return self._blamed_on_agent(failure)
        self._begin_play()
        while not (self.terminated or self.truncated):
            stopped = self._turn(observation)
            if stopped is not None:
                return stopped
            observation = self.steps[-1].observation
        return self.core.stop_reason, ""

    def _begin_play(self) -> None:
        """Start the clock of the episode's limits: an agent may have prepared itself for long."""
        self.play_started = perf_counter()
        if self.meter is not None:
            self.meter.begin_play()

    def _turn(self, observation: str) -> tuple[StopReason, str] | None:
        over = self._over_budget()
        if over is not None:
            return self._forfeit(over)
        before = perf_counter()
        try:
            turn = as_turn(self.agent.act(observation, self.info))
            recorded = TurnRecord(text=turn.text, calls=None if turn.calls is None else to_wire(turn.calls))
            if self.meter is not None:
                recorded = _without_keys(recorded)
        except Exception as failure:
            return self._blamed_on_agent(failure)
        acted = perf_counter()
        try:
            reply = self.env.step(recorded.action)
            timing = {"agent_seconds": acted - before, "env_seconds": perf_counter() - acted}
            if self.meter is not None:
                timing["model_seconds"] = self.meter.take_seconds()
            self._keep(recorded, self._used_by(turn), reply, timing, turn.stubbed)
        except Exception as failure:
            blame = _blamed_on_env(failure)
            if blame[0] is not StopReason.ENV_ERROR:  # the environment is sound, the other side is not
                self.lost = self.core.counterpart_record()
            return blame
        return None

    def _used_by(self, turn: AgentTurn | None) -> Mapping[str, Any]:
        """What the meter counted since the last turn; the agent's own word only where it has no meter."""
        if self.meter is not None:
            return self.meter.take()
        return (turn.usage if turn else None) or {}

    def _keep(
        self,
        turn: TurnRecord | None,
        usage: Mapping[str, Any],
        reply: Any,
        timing: dict[str, float],
        stubbed: Sequence[str] = (),
    ) -> None:
        observation, reward, terminated, truncated, info = reply
        counterpart = self.core.counterpart_record()
        whole: dict[str, dict[str, float]] = {}
        _add_usage(whole, usage)  # practice before the first turn may have used the other side's model as well
        _add_usage(whole, simulator_usage(counterpart, self.meter))
        step = Step(
            turn=turn,
            results=[ResultRecord(**result) for result in info["tool_results"]],
            observation=observation,
            reward=float(reward),
            components=dict(info["reward_components"]),
            error=info["error"],
            usage=whole,
            stubbed=list(stubbed),
            counterpart=counterpart,
            timing=timing,
        )
        _add_usage(self.usage, step.usage)
        self.steps.append(step)
        self.terminated, self.truncated, self.info = terminated, truncated, info

    def _over_budget(self) -> StopReason | None:
        limits = self.limits
        if limits.max_steps is not None and len(self.steps) >= limits.max_steps:
            return StopReason.MAX_STEPS
        if self._used("calls") >= limits.max_calls:
            return StopReason.MAX_CALLS
        if self._used("input") + self._used("output") >= limits.max_tokens:
            return StopReason.MAX_TOKENS
        if limits.max_cost is not None and self._used("cost") >= limits.max_cost:
            return StopReason.MAX_COST
        if perf_counter() - self.play_started >= limits.timeout_seconds:
            return StopReason.TIMEOUT
        return None

    def _used(self, amount: str) -> float:
        """What was used to play: neither the other side's models nor what the agent learned with count."""
        own = (total for role, total in self.usage.items() if role != SIMULATOR and not is_adaptation(role))
        return sum(total.get(amount, 0) for total in own)

    def _forfeit(self, reason: StopReason, error: str = "") -> tuple[StopReason, str]:
        """Let the environment charge what was not played; the record keeps it as a last step without a turn."""
        try:
            self._keep(None, self._used_by(None), self.core.forfeit(reason.value), {})
        except Exception as failure:
            return _blamed_on_env(failure)
        return reason, error

    def _blamed_on_agent(self, failure: Exception) -> tuple[StopReason, str]:
        reason, error = _reason_of(failure)
        return self._forfeit(reason, error) if reason.scored else (reason, error)

    def record(
        self, stop: StopReason, error: str, *, seed: int, task_id: str | None, trial: int, labels: Mapping[str, Any]
    ) -> Trajectory:
        """Return the episode as a record; only scored reasons carry a reward and metrics."""
        assert self.env.spec is not None
        beyond = {role: dict(amounts) for role, amounts in self._used_by(None).items()}  # of a turn that failed
        _add_usage(beyond, simulator_usage(self.lost, self.meter))
        _add_usage(self.usage, beyond)
        played: dict[str, Any] = {
            "env_id": self.env.spec.id,
            "env_kwargs": dict(self.env.spec.kwargs),
            "task_id": task_id or self.info.get("task_id", ""),
            "trial": trial,
            "seed": seed,
            "agent": dict(labels.get("agent") or {"name": type(self.agent).__name__}),
            "client": None if self.meter is None else redact_json(self.meter.description),
            "prompt_hashes": dict(self.agent.prompt_hashes),
            "version": {"bizgym": _bizgym_version(), "task_set_hash": self.core.task_set_hash},
            "terminated": bool(self.terminated),
            "truncated": bool(self.truncated),
            "n_steps": len(self.steps),
            "errors": _count(step.error for step in self.steps),
            "usage": self.usage,
            "usage_beyond": beyond,
            "counterpart_beyond": redact_json(self.lost),
            "first_observation": self.first_observation,
            "steps": [_without_keys(step) for step in self.steps] if self._heard_a_model else self.steps,
        }
        try:
            end = self._end(stop, error)
            return Trajectory(**played, **end, timing={"seconds": perf_counter() - self.started})
        except Exception:  # the environment's own account of its end is broken
            end = self._end(StopReason.ENV_ERROR, _trace())
            return Trajectory(**played, **end, timing={"seconds": perf_counter() - self.started})

    @property
    def _heard_a_model(self) -> bool:
        """Whether a model had its say in the episode, as the agent or as its counterpart."""
        return self.meter is not None or any(step.counterpart for step in self.steps)

    def _end(self, stop: StopReason, error: str) -> dict[str, Any]:
        """The fields that say how the episode ended; an environment that failed is not asked."""
        scored = stop.scored
        return {
            "stop_reason": stop,
            "reward": float(sum(step.reward for step in self.steps)) if scored else None,
            "metrics": dict(self.info["metrics"]) if scored else None,
            "checks": [CheckRecord(**asdict(check)) for check in self.core.checks()] if scored else [],
            "error": redact(printable(error))[-_ERROR_LIMIT_CHARACTERS:],
            "final_digest": "" if stop is StopReason.ENV_ERROR else self.core.state_digest(),
        }


def _reason_of(failure: Exception) -> tuple[StopReason, str]:
    """Return the reason that an exception out of an agent stands for, and what to record of it."""
    if isinstance(failure, AgentStop):
        return failure.reason, str(failure)
    if isinstance(failure, CounterpartError):  # of the other side in practice
        return StopReason.SIMULATOR_FAILURE, str(failure)
    if isinstance(failure, ContextOverflow):
        return StopReason.CONTEXT_OVERFLOW, str(failure)
    if isinstance(failure, ProviderError):
        return StopReason.PROVIDER_ERROR, str(failure)
    return StopReason.AGENT_ERROR, _trace()


_Model = TypeVar("_Model", bound=BaseModel)


def _without_keys(part: _Model) -> _Model:
    """Return a part of a record without keys: a model may have been told one, and repeat it in its text or a call.

    What it wrote is played without them too, so that what is recorded is what was played, and replays.
    """
    fields = part.model_dump()
    clean = redact_json(fields)
    return part if clean == fields else type(part)(**clean)


def _add_usage(total: dict[str, dict[str, float]], usage: Mapping[str, Mapping[str, float]]) -> None:
    for role, amounts in usage.items():
        sums = total.setdefault(role, {})
        for name, amount in amounts.items():
            sums[name] = sums.get(name, 0) + amount


def _blamed_on_env(failure: Exception) -> tuple[StopReason, str]:
    if isinstance(failure, CounterpartError):
        return StopReason.SIMULATOR_FAILURE, str(failure)
    if isinstance(failure, ProviderError):  # of the model that plays the other side
        return StopReason.PROVIDER_ERROR, str(failure)
    return StopReason.ENV_ERROR, _trace()


def _count(errors: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for code in errors:
        if code:
            counts[code] = counts.get(code, 0) + 1
    return dict(sorted(counts.items()))


def _trace() -> str:
    """Return the traceback with each file named by its last two parts: a record travels, a machine's folders do not."""
    return _FOLDERS.sub(r'File "\1"', traceback.format_exc(limit=8))


def _bizgym_version() -> str:
    try:
        return version("bizgym")
    except PackageNotFoundError:
        return "unknown"

"""What an agent is: a policy with a life cycle. Agents with a model wrap a client, baselines do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..envs.core.chat import ChatClient
from ..envs.core.stop import StopReason
from ..envs.core.text import whole
from ..envs.core.trajectory import Trajectory

if TYPE_CHECKING:
    from .meter import Meter

_NOT_AN_AGENTS = frozenset({StopReason.ENV_DONE, StopReason.ENV_ERROR, StopReason.SIMULATOR_FAILURE})
_MAX_USAGE = 1e15


@dataclass(frozen=True, slots=True)
class RunContext:
    """What an agent is told before its first episode; nothing in it comes from an earlier run.

    Attributes:
        run_id: The run key.
        seed: Seeds whatever the agent draws: the run's seed for adaptive agents, the episode's own for others.
        client: The model client of the role `act`, metered; None for agents without a model.
        settings: Of what is to be played: `env_id`, `env_kwargs`, `task_ids` (all of this run) and `feedback`.
        meter: Gives the client for other roles (`meter.client(role, phase)`); None for agents without a model.
    """

    run_id: str
    seed: int
    client: ChatClient | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    meter: Meter | None = None


@dataclass(frozen=True, slots=True)
class TaskCard:
    """The public side of a task.

    Attributes:
        env_id: The environment.
        task_id: The task.
        text: The first observation.
        tools: The tools as JSON texts.
        write_tools: Names of those that may change something.
        seed: Seeds what an agent draws in this episode; it says nothing of what the world draws.
    """

    env_id: str
    task_id: str
    text: str
    tools: tuple[str, ...]
    write_tools: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, slots=True)
class PracticePlan:
    """Episodes that an agent plays to learn, before those that count.

    Attributes:
        episodes: How many, at most.
        agent: Configuration of the agent that plays them; None for chain of thought, with the settings of the one that
            learns.
        calls: Further calls beside them, at most: reflections, notes.
    """

    episodes: int
    agent: Mapping[str, Any] | None = None
    calls: int = 0


@dataclass(frozen=True, slots=True)
class AgentTurn:
    """One turn of an agent.

    Attributes:
        text: Free text; it is the action where there are no calls.
        calls: Call objects in any form that `env.step` takes, None for a turn of text.
        usage: Usage of this turn by role, for example `{"act": {"calls": 1, "input": 812, "output": 31}}`; only for
            agents that bring a model of their own: calls through the run's client are metered anyway.
        stubbed: Ids of results that the model was shown as stubs from this turn on; the record keeps them whole.
    """

    text: str = ""
    calls: list[Any] | None = None
    usage: Mapping[str, Any] | None = None
    stubbed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Feedback:
    """What an agent learns after an episode.

    Attributes:
        mode: `outcome` (the score), `binary` (right or wrong) or `gold` (the target as well).
        reward: Return of the episode, None where it has no score, and in the mode `binary`.
        normalized: The score between its anchors, None where there is none, and in the mode `binary`.
        success: Strict success, None where the benchmark has none.
        gold: The target, only in the mode `gold`.
    """

    mode: str
    reward: float | None = None
    normalized: float | None = None
    success: bool | None = None
    gold: Any | None = None


class AgentStop(Exception):
    """Raised by an agent to stop the episode for a stated reason, for example `refusal` or `provider_error`.

    Raises:
        ValueError: The reason does not exist, or is the environment's to state.
    """

    def __init__(self, reason: StopReason | str, message: str = "") -> None:
        self.reason = StopReason(reason)
        if self.reason in _NOT_AN_AGENTS:
            raise ValueError(f"reason: an agent cannot stop an episode for {self.reason.value}")
        super().__init__(message or self.reason.value)


class Agent:
    """A policy. Only `act` must be written; what it returns is wrapped into an `AgentTurn`.

    Attributes:
        adaptive: Adaptive agents learn between the episodes of a run, and so play them in order, one after another.
        needs_client: Whether the agent plays with a model, and so needs the run's client.
    """

    adaptive: bool = False
    needs_client: bool = False

    @property
    def practice(self) -> Sequence[PracticePlan]:
        """What it plays to learn before the first episode of a run, at most; what that takes comes on top."""
        return ()

    def check(self, settings: Mapping[str, Any]) -> None:
        """Refuse what is to be played, before anything is.

        Args:
            settings: As in `RunContext`.

        Raises:
            SettingError: The agent cannot play it, for example because there is nothing left to practise on.
        """

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Digest by prompt file, for the record."""
        return {}

    def check_ready(self) -> None:
        """Refuse to play before `begin_run` has given what the agent needs.

        Raises:
            SettingError: It plays with a model, and has none.
        """

    def begin_run(self, run: RunContext) -> None:
        """Prepare for a run."""

    def begin_episode(self, task: TaskCard) -> None:
        """Prepare for an episode."""

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn | str | dict[str, Any] | list[Any]:
        """Choose the next turn: a str or an `AgentTurn` of text, or one call (a dict) or several (a list)."""
        raise NotImplementedError

    def end_episode(self, trajectory: Trajectory, feedback: Feedback | None) -> None:
        """Learn from an episode; the only place where adaptation happens."""

    def state(self) -> dict[str, Any]:
        """Return what was learned so far as JSON, so that a run can be resumed."""
        return {}

    def load_state(self, state: dict[str, Any]) -> None:
        """Continue from a state that `state` returned."""


def as_turn(reply: Any) -> AgentTurn:
    """Wrap what `act` returned.

    Raises:
        TypeError: It is nothing that can be played, or its usage is nothing that can be counted.
    """
    if isinstance(reply, AgentTurn):
        _check_turn(reply)
        return reply
    if isinstance(reply, str):
        return AgentTurn(text=reply)
    if isinstance(reply, Mapping):
        return AgentTurn(calls=[reply])
    if isinstance(reply, (list, tuple)):
        return AgentTurn(calls=list(reply))
    raise TypeError(f"act returned {type(reply).__name__}; return a str, a dict, a list or an AgentTurn")


def _check_turn(turn: AgentTurn) -> None:
    if not isinstance(turn.text, str):
        raise TypeError(f"AgentTurn.text is {type(turn.text).__name__}, not a str")
    if turn.calls is not None and not isinstance(turn.calls, (list, tuple)):
        raise TypeError(f"AgentTurn.calls is {type(turn.calls).__name__}, not a list of calls")
    if not all(isinstance(each, str) for each in turn.stubbed):
        raise TypeError("AgentTurn.stubbed: ids of results, each a str")
    for role, amounts in (turn.usage or {}).items():
        for name, amount in amounts.items():
            if not (isinstance(role, str) and isinstance(name, str) and whole(role + name)):
                raise TypeError(f"AgentTurn.usage: {role!r}, {name!r}: roles and amounts are named by a str")
            if not isinstance(amount, (int, float)) or not 0 <= amount < _MAX_USAGE:
                raise TypeError(f"AgentTurn.usage: {role}.{name} is {amount!r}, not a number >= 0")

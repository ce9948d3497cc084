"""A run before it is played: which agent plays which task how often, every name checked."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import gymnasium as gym

from ..envs.core.chat import ChatClient
from ..envs.core.env import TextEnv
from ..envs.core.errors import BizGymError, SettingError
from ..envs.core.run_folder import Asked, RowKey
from ..envs.core.seeding import episode_seed
from ..envs.core.text import nearest
from .base import Agent
from .clients import make_client
from .executors import Job, make_env
from .meter import price_of
from .practice import sampled
from .prices import PriceBook, load_prices
from .rollout import Limits
from .run_config import AgentConfig, EnvConfig, RunConfig
from .targets import build, check_env_id

_ENVS, _BASELINES = "bizgym.envs.", "bizgym.agents.baselines"
MOST_TASKS = 100_000  # of a run that does not say how many
_NO_KEYWORD = re.compile(r"unexpected keyword argument '([^']+)'")


class _Seat(NamedTuple):
    """An agent and what it plays."""

    agent: AgentConfig
    env: EnvConfig
    task_ids: tuple[str, ...]
    feedback: str

    @property
    def settings(self) -> dict[str, Any]:
        """What an agent is told of it."""
        return {
            "env_id": self.env.id,
            "env_kwargs": self.env.kwargs,
            "task_ids": self.task_ids,
            "feedback": self.feedback,
        }


@dataclass(slots=True)
class Plan:
    """A run before it is played.

    Attributes:
        key: The run key.
        asked: The episodes asked for, in short.
        jobs: Every episode asked for, in order: by lineup, agent, trial, task.
        task_set_hashes: Digest of the task set by lineup.
        prompt_hashes: Digest by agent and prompt file.
        adaptive: Names of the agents that learn between episodes.
        client: The model client, None where no agent plays with one.
        prices: What its tokens cost.
    """

    key: str
    asked: list[Asked]
    jobs: list[Job]
    task_set_hashes: dict[str, str]
    prompt_hashes: dict[str, dict[str, str]] = field(default_factory=dict)
    adaptive: frozenset[str] = field(default_factory=frozenset)
    client: ChatClient | None = None
    prices: PriceBook = field(default_factory=lambda: PriceBook(()))


def make_plan(config: RunConfig) -> Plan:
    """List the episodes of a run; every name is checked here, before anything is played.

    Raises:
        SettingError: An environment, agent, task or setting does not exist.
    """
    asked: list[Asked] = []
    hashes: dict[str, str] = {}
    seats: dict[str, _Seat] = {}
    for label, lineup in config.plan.items():
        tasks, hashes[label], feedback = _tasks_of(lineup.env, config)
        names = [agent.name for agent in lineup.agents.values()]
        seats.update({agent.name: _Seat(agent, lineup.env, tasks, feedback) for agent in lineup.agents.values()})
        asked.append(Asked(env_id=registered(lineup.env.id), agents=names, tasks=list(tasks), trials=config.trials))
    built = {name: _check_agent(seat, config) for name, seat in seats.items()}
    with_model = frozenset(name for name, agent in built.items() if agent.needs_client)
    adaptive = frozenset(name for name, agent in built.items() if agent.adaptive)
    prices = load_prices(config.prices)
    client = checked_client(config, prices, sorted(with_model)) if with_model else None
    prompts = {name: dict(agent.prompt_hashes) for name, agent in built.items() if agent.prompt_hashes}
    # a larger limit may score what was practised on: for an agent that practises it is another run
    practised = {name: len(seats[name].task_ids) for name, agent in built.items() if agent.practice}
    episodes = {name: sum(each.episodes for each in agent.practice) for name, agent in built.items()}
    key = config.key(hashes, prompts, practised)
    limits = Limits(**config.limits.model_dump())
    jobs = [
        replace(_job(row, seats[row[1]], key, limits, config, row[1] in with_model), practice_episodes=episodes[row[1]])
        for each in asked
        for row in each.rows()
    ]
    return Plan(key, asked, jobs, hashes, prompts, adaptive, client, prices)


def checked_client(config: RunConfig, prices: PriceBook, needed_by: list[str]) -> ChatClient:
    """Build the client of a run, or say what is wrong with it; nothing is called, and no key is needed.

    Raises:
        SettingError: There is none, a setting does not hold, or money is bounded and the model has no price.
    """
    if config.client is None:
        raise SettingError(f"agent {needed_by[0]}: plays with a model; choose one, for example client=openai")
    client = make_client(**config.client.settings, trusted_targets=config.trusted_targets)
    bounded = [name for name in ("limits", "budget") if getattr(config, name).max_cost is not None]
    if bounded and not getattr(client, "free", False) and price_of(client, prices) is None:
        raise SettingError(
            f"{bounded[0]}.max_cost: {client.description.get('model')} has no price here, so money cannot be bounded; "
            "give prices=my_prices.yaml, or bound tokens"
        )
    return client


def _check_agent(seat: _Seat, config: RunConfig) -> Agent:
    agent, env = seat.agent, seat.env
    try:
        built: Agent = build(agent.settings, config.trusted_targets, Agent)
    except SettingError as error:
        raise SettingError(f"agent {agent.name}: {error}") from None
    try:
        built.check(seat.settings)
    except SettingError as error:
        raise SettingError(f"agent {agent.name}: {error}") from None
    folder, _, plays = type(built).__module__.rpartition(".")
    entry_point = str(gym.spec(registered(env.id)).entry_point)
    is_own = folder == _BASELINES and entry_point.startswith(_ENVS) and plays != "generic"
    if is_own and not f"{plays}_".startswith(f"{entry_point.split('.')[2]}_"):  # payments, payments_clerk
        raise SettingError(f"agent {agent.name}: a player of {plays}, which does not play {env.id}")
    return built


def _job(row: RowKey, seat: _Seat, key: str, limits: Limits, config: RunConfig, with_model: bool) -> Job:
    _, _, task_id, trial = row
    return Job(
        row=row,
        env_id=seat.env.id,
        env_kwargs=seat.env.kwargs,
        agent=seat.agent.settings,
        seed=episode_seed(config.seed, task_id, trial),
        run_id=key,
        limits=limits,
        feedback=seat.feedback,
        trusted_targets=tuple(config.trusted_targets),
        with_model=with_model,
        task_ids=seat.task_ids,
    )


def registered(env_id: str) -> str:
    """Return an id without the module that `gym.make` imports first: what records say."""
    return env_id.rpartition(":")[2]


def _tasks_of(env_config: EnvConfig, config: RunConfig) -> tuple[tuple[str, ...], str, str]:
    env = checked_env(env_config, config.trusted_targets).unwrapped
    if not isinstance(env, TextEnv):
        raise SettingError(f"env.id: {env_config.id} is no bizgym.envs.core.TextEnv, so no agent of BizGym can play it")
    if config.limit is None and len(env.task_ids) > MOST_TASKS:
        raise SettingError(f"limit: {env_config.id} has {len(env.task_ids):,} tasks with these settings; say how many")
    feedback = config.feedback or env.feedback_modes[0]
    if feedback not in env.feedback_modes:
        raise SettingError(f"feedback: {env_config.id} tells {', '.join(env.feedback_modes)}, not {feedback}")
    ids = sampled(env.task_ids) if config.pick == "sample" else env.task_ids
    return tuple(ids[: config.limit]), env.task_set_hash, feedback


def checked_env(env_config: EnvConfig, trusted_targets: list[str]) -> gym.Env[Any, Any]:
    """Build an environment, or say which part of its configuration is wrong.

    Raises:
        SettingError: The id is unknown or not trusted, or a keyword is not usable.
    """
    check_env_id(env_config.id, trusted_targets)
    try:
        return make_env(env_config.id, env_config.kwargs)
    except gym.error.Error as error:
        own = [env_id for env_id in gym.registry if env_id.startswith("bizgym/")]
        raise SettingError(f"env.id: {error}{nearest(env_config.id, own)}") from None
    except BizGymError:
        raise
    except (TypeError, ValueError, ImportError) as error:
        text = str(error).partition(" was raised from the environment creator")[0]
        unknown = _NO_KEYWORD.search(text)
        hint = nearest(unknown[1], _keywords_of(env_config.id)) if unknown else ""
        raise SettingError(f"env: {text}{'.' if hint else ''}{hint}") from None


def _keywords_of(env_id: str) -> list[str]:
    found: Any = gym.spec(env_id).entry_point
    creator = gym.envs.registration.load_env_creator(found) if isinstance(found, str) else found
    return list(inspect.signature(creator).parameters)

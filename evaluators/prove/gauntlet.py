"""What the claims of `bizgym prove` stand on: the tasks and players of one benchmark, and ways to look at them."""

from __future__ import annotations

import math
import pickle
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from importlib.resources import files
from typing import Any

import yaml

from ...agents.base import RunContext
from ...agents.executors import make_env
from ...agents.rollout import rollout
from ...agents.targets import build
from ...envs.core.actions import parse_action
from ...envs.core.errors import SettingError
from ...envs.core.jsontext import canonical
from ...envs.core.seeding import episode_seed
from ...envs.core.tasks import Task, TaskSet
from ...envs.core.text import nearest
from ...envs.core.trajectory import Trajectory
from ..benchmarks import own_envs, scoring_of
from ..statistics import mean, standard_error

TRAPS = ("do_nothing", "refuse_all", "random", "oracle")
GARBAGE = "not a call"
FIXED_EPISODES = 200


class Gauntlet:
    """The claims about one environment, over all of its tasks or the given ones.

    Args:
        env_id: A registered id of BizGym.
        task_ids: The tasks to prove; None for every shipped task.
        env_kwargs: Further settings of the environment.

    Raises:
        SettingError: There is no such environment or task.
    """

    def __init__(self, env_id: str, task_ids: Sequence[str] | None = None, **env_kwargs: Any) -> None:
        if env_id not in own_envs():
            raise SettingError(f"{env_id}: no environment of BizGym.{nearest(env_id, own_envs())}")
        self.env_id = env_id
        self.env_kwargs = env_kwargs
        self.env = make_env(env_id, env_kwargs)
        core: Any = self.env.unwrapped
        self.core = core
        every: TaskSet[Task] = core._all_tasks
        self.tasks = every if task_ids is None else every.select(tasks=list(task_ids))
        self.folder = type(self.core).__module__.rpartition(".")[0]
        self.benchmark = self.folder.rpartition(".")[2]
        self._expected: dict[tuple[str, str], tuple[float, float]] = {}

    @cached_property
    def honest(self) -> list[str]:
        """The baselines that try: every shipped player of the benchmark that is neither trap nor oracle.

        The benchmark's `proofs` module may name further traps in `TRAP_PLAYERS`.
        """
        traps = (*TRAPS, *getattr(import_module(f"{self.folder}.proofs"), "TRAP_PLAYERS", ()))
        folder = files("bizgym.conf").joinpath("agent", self.benchmark)
        names = sorted(entry.name.removesuffix(".yaml") for entry in folder.iterdir())
        return [name for name in names if name not in traps]

    def play(self, player: str, task_id: str, trial: int = 0) -> Trajectory:
        """Let one of the benchmark's own players play an episode."""
        folder = files("bizgym.conf").joinpath("agent", self.benchmark)
        config = yaml.safe_load(folder.joinpath(f"{player}.yaml").read_text(encoding="utf-8"))
        seed = episode_seed(0, task_id, trial)
        settings = {"env_id": self.env_id, "env_kwargs": self.env_kwargs}
        run = RunContext(run_id="prove", seed=seed, settings=settings)
        return rollout(self.env, build(config), seed=seed, task_id=task_id, trial=trial, run=run)

    def normalized(self, player: str, task: Task, trial: int = 0) -> float | None:
        """Return the normalized score of a player, None where the task has no scale."""
        played = self.play(player, task.task_id, trial)
        return None if task.anchors is None or played.reward is None else task.anchors.normalized(played.reward)

    def expected(self, player: str, task: Task) -> tuple[float, float]:
        """Return a player's score on a task and its standard error.

        A task whose ceiling is a mean over random runs is played `FIXED_EPISODES` times, any other one once.
        """
        if (player, task.task_id) not in self._expected:
            random = task.anchors is not None and task.anchors.ceiling_se > 0
            trials = FIXED_EPISODES if random else 1
            rewards = [self.play(player, task.task_id, trial).reward for trial in range(trials)]
            scores = [-math.inf if reward is None else reward for reward in rewards]
            self._expected[player, task.task_id] = mean(scores), standard_error(scores)
        return self._expected[player, task.task_id]

    @cached_property
    def scaled(self) -> list[Task]:
        """The tasks whose span is wide enough to scale by."""
        return [task for task in self.tasks if task.anchors and task.anchors.normalized(0.0) is not None]


def visible(gauntlet: Gauntlet, task: Task, actions: Sequence[Any]) -> dict[str, Any]:
    """Play some turns of a task and return everything that a player, or code that holds the environment, can read."""
    env = make_env(gauntlet.env_id, gauntlet.env_kwargs)
    core: Any = env.unwrapped
    core._all_tasks = TaskSet([task])
    seen: dict[str, Any] = {"reset": env.reset(seed=7, options={"task_id": task.task_id})}
    for number, action in enumerate(actions, 1):
        seen[f"step {number}"] = env.step(action)
    # A digest over all tasks changes with any of them; it tells that they differ, not what they are.
    names = [name for name in dir(core) if not name.startswith("_") and name not in ("np_random", "task_set_hash")]
    values = {name: getattr(core, name) for name in names}
    seen.update({f"attribute {name}": repr(value) for name, value in values.items() if _is_data(value, core)})
    return {**seen, "pickle": pickle.dumps(core), "save": core.save()}


def _is_data(value: Any, core: Any) -> bool:
    return not callable(value) and value is not core


def stopped_return(gauntlet: Gauntlet, task_id: str, actions: Sequence[Any], *, garbage: bool) -> float:
    """Play some turns, then garbage to the end (or forfeit), and return the episode's return."""
    env, core = gauntlet.env, gauntlet.core
    env.reset(seed=episode_seed(0, task_id, 0), options={"task_id": task_id})
    rewards = [float(env.step(action)[1]) for action in actions]
    if not garbage:
        return sum(rewards) + float(core.forfeit("max_steps")[1])
    ended = False
    while not ended:
        _, reward, terminated, truncated, _ = env.step(GARBAGE)
        rewards.append(float(reward))
        ended = terminated or truncated
    return sum(rewards)


def finished_badly(gauntlet: Gauntlet, task_id: str, actions: Sequence[Any]) -> float:
    """Return what the outcome function gives for a history that ends after these turns."""
    scoring = scoring_of(gauntlet.env_id)
    task = scoring.task_of(gauntlet.env_kwargs, task_id, episode_seed(0, task_id, 0))
    calls = [call for action in actions for call in parse_action(action, 1)]
    return scoring.outcome(task, [(call.name, call.arguments) for call in calls]).reward


def transcript(env_id: str, *task_ids: str, interleave: bool = False) -> str:
    """Return every byte that random play of the tasks shows, one line an episode.

    Args:
        env_id: A registered id.
        task_ids: The tasks, each played once by draws from its own action space.
        interleave: Step all episodes in turn instead of one after another.
    """
    envs = {task_id: make_env(env_id, {}) for task_id in task_ids}
    shown: dict[str, list[Any]] = {}
    for task_id, env in envs.items():
        shown[task_id] = [env.reset(seed=11, options={"task_id": task_id})]
        env.action_space.seed(11)
    running = list(task_ids)
    while running:
        for task_id in list(running) if interleave else running[:1]:
            reply = envs[task_id].step(envs[task_id].action_space.sample())
            shown[task_id].append([*reply, envs[task_id].unwrapped.state_digest()])  # type: ignore[attr-defined]
            if reply[2] or reply[3]:
                running.remove(task_id)
    return "\n".join(canonical(shown[task_id]) for task_id in task_ids)

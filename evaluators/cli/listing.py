"""What the smaller commands compute: the table of environments, the audit of a run, the anchors of a user's game."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.resources import files
from typing import Any

import gymnasium as gym
import yaml

from ...agents.executors import make_env
from ...agents.run_config import EnvConfig
from ...agents.runner import checked_env
from ...envs.core.errors import SettingError
from ...envs.core.jsontext import canonical
from ...envs.core.run_folder import RunFolder
from ...envs.core.seeding import episode_seed
from ...envs.core.text import echo, nearest
from ...envs.core.trajectory import Trajectory
from ..aggregate import RunTotals
from ..benchmarks import own_envs
from ..replay import replay, rescored_difference, version_differences
from ..resources import of_run


def environments() -> list[dict[str, Any]]:
    """Return one row an environment: `{id, tasks, splits, tools, documents}`, counts as integers."""
    rows = []
    for env_id in own_envs():
        core: Any = make_env(env_id, {}).unwrapped
        splits = core.task_splits
        rows.append(
            {
                "id": env_id,
                "tasks": sum(splits.values()),
                "splits": splits,
                "tools": core.n_tools,
                "documents": core.n_documents,
            }
        )
    return rows


def env_id_of(name: str) -> str:
    """Return the registered id that an option of the group `env` stands for, or an id itself.

    Raises:
        SettingError: It is neither.
    """
    if "/" in name or name in gym.registry:
        return name
    options = {file.name.removesuffix(".yaml"): file for file in files("bizgym.conf").joinpath("env").iterdir()}
    if name not in options:
        known = [*options, *own_envs()]
        raise SettingError(f"env: there is no {echo(name)}.{nearest(name, known)} There are: {', '.join(known)}")
    return str(yaml.safe_load(options[name].read_text(encoding="utf-8"))["id"])


def audit(folder: RunFolder, *, again: bool) -> list[dict[str, Any]]:
    """Score (or, with `again`, play) every valid record anew: `{agent, task_id, trial, ok, difference}` a row."""
    run_seed = folder.description().config.get("seed") if folder.is_described else None
    envs: dict[str, gym.Env[Any, Any]] = {}
    rows = []
    for row in folder.episodes():
        difference = _seed_difference(row, run_seed) or _difference(row, envs, again=again)
        found = {"agent": row.agent["name"], "task_id": row.task_id, "trial": row.trial}
        rows.append({**found, "ok": not difference, "difference": difference})
    return rows


def resources_of(folder: RunFolder, totals: RunTotals) -> list[dict[str, Any]]:
    """Return what the episodes of a run took, by agent; nothing, and no step is read, where none has checks."""
    return of_run(folder) if any(agent.judged for agent in totals.by_agent.values()) else []


def _seed_difference(row: Trajectory, run_seed: Any) -> str:
    """An episode's seed follows from the run's: nobody may draw it again until it suits."""
    expected = episode_seed(run_seed, row.task_id, row.trial) if type(run_seed) is int else row.seed
    return "" if row.seed == expected else f"seed {row.seed}, the run's is {expected}"


def _difference(row: Trajectory, envs: dict[str, gym.Env[Any, Any]], *, again: bool) -> str:
    key = canonical([row.env_id, row.env_kwargs])
    try:
        if key not in envs:
            envs[key] = make_env(row.env_id, row.env_kwargs)
    except Exception as error:  # a record may name an environment that is not installed here, or settings it refuses
        return f"{row.env_id} cannot be made here ({type(error).__name__}: {error})"
    if again:
        return replay(row, envs[key])
    return next(version_differences(row, envs[key].unwrapped), "") or rescored_difference(row)


def compute_anchors(env_id: str, settings: Sequence[str]) -> dict[str, Any]:
    """Compute and cache the anchors of the game that the settings describe.

    Args:
        env_id: A registered id.
        settings: `key=value` pairs, the values written as YAML, for example `demand=[4,8,8]`.

    Raises:
        SettingError: The environment has no anchors of its own to compute, or a setting does not hold.
    """
    kwargs = dict(map(_pair, settings))
    env = checked_env(EnvConfig.model_validate({**kwargs, "id": env_id}), [])
    module = type(env.unwrapped).__module__.rpartition(".")[0]
    try:
        compute = import_module(f"{module}.anchors").compute
    except ModuleNotFoundError as error:
        if error.name != f"{module}.anchors":
            raise
        raise SettingError(f"{env_id} has no game of a user's own whose anchors could be computed") from None
    return dict(compute(kwargs))


def _pair(text: str) -> tuple[str, Any]:
    name, equals, value = text.partition("=")
    if not equals or not name.isidentifier() or name == "id":
        raise SettingError(f"{echo(text)}: write key=value, for example ship_weeks=1")
    try:
        return name, yaml.safe_load(value)
    except yaml.YAMLError:
        raise SettingError(f"{name}: {echo(value)} is no YAML value") from None

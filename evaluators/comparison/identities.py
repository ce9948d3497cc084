"""What the agents of a run are: told by their records, and by the configuration where they have none yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...envs.core.run_folder import Asked
from ...envs.core.trajectory import Trajectory
from .episodes import plain_client
from .labels import Identity


def kwargs_of(
    asked: Asked, config: Mapping[str, Any], rows: Mapping[str, Sequence[tuple[Trajectory, bool]]]
) -> dict[str, Any]:
    """Return the settings of an environment as its records tell them, else as the run was configured.

    Args:
        asked: The episodes asked for in it.
        config: The run's configuration.
        rows: The records by agent.
    """
    told: Mapping[str, Any] | None = next(
        (found[0][0].env_kwargs for name in asked.agents if (found := rows.get(name))), None
    )
    if told is None:
        mine = [each["env"] for each in _lineups(config) if {*_names(each)} & {*asked.agents}]
        configured = (*mine, config.get("env") or {})[0]
        told = {name: value for name, value in configured.items() if name != "id"}
    return {name: value for name, value in told.items() if value is not None}


def identity_of(name: str, row: Trajectory | None, config: Mapping[str, Any]) -> Identity:
    """Return what an agent is, by one of its records, else as the run was configured.

    Args:
        name: Its name in the run.
        row: A record of it, None where it has not played.
        config: The run's configuration.
    """
    agents = [agent for lineup in _lineups(config) for agent in lineup["agents"].values()]
    settings: Mapping[str, Any] = next(
        (each for each in (*agents, config.get("agent") or {}) if each.get("name") == name), {}
    )
    client: Mapping[str, Any] = config.get("client") or {}
    if row is not None:
        settings = row.agent.get("settings") or settings
        client = plain_client(row.client)
    told = None if row is None else row.agent.get("feedback")
    return Identity(
        name=name,
        target=str(settings.get("_target_", "")),
        settings={key: value for key, value in settings.items() if key not in ("_target_", "name")},
        client=client,
        feedback=str(told or config.get("feedback") or "default"),
        seed=int(config.get("seed") or 0),
        limits={key: value for key, value in (config.get("limits") or {}).items() if value is not None},
        prompts=dict(row.prompt_hashes) if row else {},
    )


def _lineups(config: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return list((config.get("lineups") or {}).values())


def _names(lineup: Mapping[str, Any]) -> list[str]:
    return [str(agent["name"]) for agent in lineup["agents"].values()]

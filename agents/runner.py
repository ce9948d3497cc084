"""Many episodes: plan them, skip those on disk, play the rest, and keep each as it ends.

    result = run(RunConfig.parse({...}))

A run is continued by running it again: `limit` and `trials` are targets, finished episodes stay, episodes that
failed for reasons of the infrastructure are played again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from difflib import unified_diff
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from ..envs.core.errors import RecordError, SettingError
from ..envs.core.run_folder import CONFIG, EpisodeWriter, RowKey, RunDescription, RunFolder, state_file
from ..envs.core.seeding import episode_seed
from ..envs.core.trajectory import Trajectory, from_line
from .base import Agent
from .clients.redact import redact_json
from .executors import Job, Shared, keep_all, play_with, run_context, run_jobs
from .meter import Budget, Ledger
from .planning import MOST_TASKS, Plan, checked_client, checked_env, make_plan
from .run_config import RunConfig, in_key
from .targets import build

__all__ = [
    "MOST_TASKS",
    "Plan",
    "RunResult",
    "checked_client",
    "checked_env",
    "choose_folder",
    "finished",
    "make_plan",
    "run",
]

_OTHER_TASKS = "other tasks are scored, and an agent practises on those that are not"


@dataclass(slots=True)
class RunResult:
    """What a run came to.

    Attributes:
        folder: Where it lies.
        plan: What was asked for.
        played: Episodes played this time.
        resumed: Episodes that were on disk already.
        stopped: Which bound of the run's budget stopped it, "" where none did.
    """

    folder: RunFolder
    plan: Plan
    played: int
    resumed: int
    stopped: str = ""


def run(config: RunConfig, on_episode: Callable[[Trajectory, int, int], None] | None = None) -> RunResult:
    """Play what is missing of a run.

    Args:
        config: The checked configuration.
        on_episode: Called with each finished record (without its steps), the number of episodes on disk and
            the number asked for; also once for each episode that was on disk already.

    Raises:
        SettingError: The configuration does not hold, or the run folder belongs to another one.
        RecordError: A record on disk cannot be read, or another process writes to the run.
    """
    plan = make_plan(config)
    folder = choose_folder(config, plan)
    total = len(plan.jobs)
    with EpisodeWriter(folder) as writer:
        folder.describe(_describe(config, plan))
        there = finished(folder, plan)
        for done, row in enumerate(there.values(), 1):
            if on_episode:
                on_episode(row, done, total)
        missing = [job for job in plan.jobs if job.row not in there]
        done = ended = len(there)
        shared = _shared(plan, folder, config, needed=any(job.with_model for job in missing))

        def keep(line: bytes) -> None:
            nonlocal done, ended
            writer.append(line)
            done += 1
            row = from_line(line, with_steps=False)
            ended += row.stop_reason.scored
            if on_episode:
                on_episode(row, done, total)

        try:
            keep_all(_lines(missing, plan, folder, config, shared), keep)
        finally:
            if shared is not None:
                shared.ledger.close()  # what an interrupt left under way shall spend nothing more
            getattr(plan.client, "close", lambda: None)()
    stopped = shared.ledger.spent if shared and ended < total else ""
    return RunResult(folder, plan, played=done - len(there), resumed=len(there), stopped=stopped)


def _shared(plan: Plan, folder: RunFolder, config: RunConfig, *, needed: bool) -> Shared | None:
    """Return what the episodes with a model share; what earlier parts of the run used counts against its budget.

    Raises:
        SettingError: The client cannot be used, for example because its key is not set.
    """
    if plan.client is None or not needed:
        return None
    check_ready = getattr(plan.client, "check_ready", None)
    if check_ready is not None:
        check_ready()
    ledger = Ledger(plan.prices, Budget(**config.budget.model_dump()))
    for row in folder.rows(with_steps=False):
        if row.client is not None:
            ledger.add(row.usage.values())
    return Shared(plan.client, ledger)


def choose_folder(config: RunConfig, plan: Plan) -> RunFolder:
    """Return the folder of a run: `run_dir`, or `runs/<experiment>/<name>-<key8>`; `-2` and so on where it is `fresh`.

    Raises:
        SettingError: The folder holds something else: a run with another key, or episodes that no key stands by.
    """
    default = Path("runs") / config.experiment / f"{config.name}-{plan.key[:8]}"
    path = default if config.run_dir is None else Path(config.run_dir)
    if config.fresh and path.exists():
        numbered = (path.with_name(f"{path.name}-{number}") for number in count(2))
        path = next(each for each in numbered if not each.exists())
    folder = RunFolder(path)
    _refuse_other_run(folder, config, plan)
    return folder


def finished(folder: RunFolder, plan: Plan) -> dict[RowKey, Trajectory]:
    """Return the valid, scored rows on disk that this plan asks for."""
    wanted = {job.row for job in plan.jobs}
    return {row.key: row for row in folder.episodes(with_steps=False) if row.key in wanted and row.stop_reason.scored}


def _lines(
    missing: list[Job], plan: Plan, folder: RunFolder, config: RunConfig, shared: Shared | None
) -> Generator[bytes]:
    independent = [job for job in missing if job.agent["name"] not in plan.adaptive]
    yield from run_jobs(independent, config.executor.name, config.executor.workers, shared)
    for name in sorted(plan.adaptive):
        yield from _adaptive_lines([job for job in missing if job.agent["name"] == name], folder, shared)


def _adaptive_lines(missing: list[Job], folder: RunFolder, shared: Shared | None) -> Generator[bytes]:
    """Play an adaptive agent's episodes in order, keeping its state after each.

    The state is written before the record, with the one before it: whichever of the two the run was killed
    between, the number of records says which state belongs to them. An episode without a score ends the lesson
    here; the next run plays it again from the same state.
    """
    if not missing:
        return
    first = missing[0]
    name = first.agent["name"]
    file = state_file(name)
    rows = folder.episodes(with_steps=False)  # also those that are not asked for now: they were learned from
    done = sum(row.agent["name"] == name and row.stop_reason.scored for row in rows)
    state = _state_after(folder, file, done)
    agent = build(first.agent, first.trusted_targets, Agent)
    meter = shared.meter(first) if shared else None
    run = run_context(first, episode_seed(0, first.run_id, 0), meter)
    for job in missing:
        if shared is not None and meter is not None and shared.ledger.spent:
            return
        line = play_with(job, agent, run, state, meter) if job is first else play_with(job, agent, meter=meter)
        if not from_line(line, with_steps=False).stop_reason.scored:
            yield line
            return
        done += 1
        before, state = state, _kept_state(agent, name, with_model=meter is not None)
        content = {"agent": name, "after": done, "state": state, "before": before}
        folder.write_text(file, json.dumps(content, allow_nan=False))
        yield line


def _kept_state(agent: Agent, name: str, with_model: bool) -> dict[str, Any]:
    """Return an agent's state as it is stored, and let the agent go on with nothing else.

    It is stored without keys that a model repeated to it. Where one was taken out, the agent that plays on would
    otherwise know more than one that is resumed.
    """
    state = _state_of(agent, name)
    clean: dict[str, Any] = redact_json(state) if with_model else state
    if clean != state:
        agent.load_state(clean)
    return clean


def _state_of(agent: Agent, name: str) -> dict[str, Any]:
    """Return what an agent has learned, as it will be read again.

    Raises:
        SettingError: It cannot say it in JSON, and so the run could not be continued.
    """
    try:
        state = json.loads(json.dumps(agent.state(), allow_nan=False))
    except Exception as error:  # the agent's own code may fail in any way
        raise SettingError(f"agent {name}: state() must return JSON ({type(error).__name__}: {error})") from error
    if not isinstance(state, dict):
        raise SettingError(f"agent {name}: state() returned {type(state).__name__}, not a dict")
    return state


def _state_after(folder: RunFolder, file: str, done: int) -> dict[str, Any] | None:
    if done == 0:
        return None
    stored: Any = folder.read_json(file)
    try:
        after, state, before = stored["after"], stored["state"], stored["before"]
    except (KeyError, TypeError):
        after, state, before = None, None, None
    if after == done and isinstance(state, dict):
        return state
    if after == done + 1 and isinstance(before, dict):
        return before
    raise RecordError(f"{folder.path / file}: no state after the {done} episodes recorded; use fresh=true")


def _describe(config: RunConfig, plan: Plan) -> RunDescription:
    return RunDescription(
        run_key=plan.key,
        task_set_hashes=plan.task_set_hashes,
        prompt_hashes=plan.prompt_hashes,
        asked=plan.asked,
        config=redact_json(config.resolved()),
    )


def _refuse_other_run(folder: RunFolder, config: RunConfig, plan: Plan) -> None:
    if not folder.is_described:
        if folder.has_episodes:
            raise SettingError(f"run_dir: {folder.path} holds episodes but no {CONFIG} that says of which run")
        return
    there, here = folder.description(), _describe(config, plan)
    if there.run_key == here.run_key:
        return
    theirs, mine = (
        yaml.safe_dump(
            {
                "task_set_hashes": each.task_set_hashes,
                "prompt_hashes": each.prompt_hashes,
                "config": in_key(each.config),
            }
        ).splitlines()
        for each in (there, here)
    )
    diff = "\n".join(unified_diff(theirs, mine, "there", "here", lineterm="", n=0))
    found = f"holds another run ({there.run_key[:8]}, not {here.run_key[:8]})"
    raise SettingError(f"run_dir: {folder.path} {found}:\n{diff or _OTHER_TASKS}")

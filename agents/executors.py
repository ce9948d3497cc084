"""How episodes are spread: one after another, over threads, or over processes. The results are the same."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import (
    ALL_COMPLETED,
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import gymnasium as gym

from ..envs.core.chat import ChatClient
from ..envs.core.errors import BizGymError
from ..envs.core.jsontext import canonical
from ..envs.core.run_folder import RowKey
from ..envs.core.stop import StopReason
from ..envs.core.trajectory import to_line
from .base import Agent, RunContext
from .meter import Ledger, Meter
from .rollout import Limits, rollout
from .targets import build

_AHEAD = 4
_local = threading.local()


@dataclass(frozen=True, slots=True)
class Job:
    """One episode to play: plain values, so that it travels to another process."""

    row: RowKey
    env_id: str
    env_kwargs: dict[str, Any]
    agent: dict[str, Any]
    seed: int
    run_id: str
    limits: Limits
    feedback: str
    trusted_targets: tuple[str, ...]
    with_model: bool = False
    task_ids: tuple[str, ...] = ()
    practice_episodes: int = 0


@dataclass(frozen=True, slots=True)
class Shared:
    """What the episodes of a run share: the model client with its limits, and the run's account."""

    client: ChatClient
    ledger: Ledger

    def meter(self, job: Job) -> Meter | None:
        """Return a meter for the episodes of a job's agent, None where it plays without a model."""
        return Meter(self.client, self.ledger, job.limits) if job.with_model else None


def play(job: Job, shared: Shared | None = None) -> bytes:
    """Play one episode with an agent of its own and return the record's line; b"" where the run's budget is spent."""
    meter = shared.meter(job) if shared else None
    if shared is not None and meter is not None and shared.ledger.spent:
        return b""
    agent = build(job.agent, job.trusted_targets, Agent)
    return play_with(job, agent, run_context(job, job.seed, meter), meter=meter)


def play_with(
    job: Job,
    agent: Agent,
    run: RunContext | None = None,
    state: Mapping[str, Any] | None = None,
    meter: Meter | None = None,
) -> bytes:
    """Play one episode with a given agent and return the record's line; `run` and `state` are for one that is new."""
    trajectory = rollout(
        _env_of(job),
        agent,
        seed=job.seed,
        task_id=job.row[2],
        trial=job.row[3],
        limits=job.limits,
        labels={"agent": _label(job)},
        feedback=job.feedback,
        run=run,
        state=state,
        meter=meter,
    )
    if trajectory.stop_reason is StopReason.ENV_ERROR:  # what it left behind may spoil the next episode
        _local.envs.clear()
    return to_line(trajectory)


def _label(job: Job) -> dict[str, Any]:
    settings = {name: value for name, value in job.agent.items() if name != "name"}
    practised = {"practice_episodes": job.practice_episodes} if job.practice_episodes else {}
    return {"name": job.agent["name"], "settings": settings, "feedback": job.feedback, **practised}


def run_context(job: Job, seed: int, meter: Meter | None = None) -> RunContext:
    """Return what the agent of a job is told before its first episode."""
    settings = {
        "env_id": job.env_id,
        "env_kwargs": job.env_kwargs,
        "task_ids": job.task_ids,
        "feedback": job.feedback,
        "trusted_targets": job.trusted_targets,
    }
    client = None if meter is None else meter.client()
    return RunContext(run_id=job.run_id, seed=seed, client=client, settings=settings, meter=meter)


def run_jobs(jobs: Sequence[Job], executor: str, workers: int, shared: Shared | None = None) -> Iterator[bytes]:
    """Yield the record lines of independent jobs as they end; b"" for one that was left out of a spent budget.

    Args:
        jobs: Episodes in the order in which they are started.
        executor: `serial`, `threads` or `process`. Episodes with a model wait rather than compute, and share one
            client with its limits: `process` plays them by threads of this process.
        workers: Number of threads or processes.
        shared: The client and the account of a run with models.

    Raises:
        BizGymError: A worker process died.
    """
    _local.envs = {}  # an id may have been registered anew since the last run
    if executor == "process":
        yield from _run_pool([job for job in jobs if not job.with_model], executor, workers, None)
        jobs, executor = [job for job in jobs if job.with_model], "threads"
    if executor == "serial":
        yield from (play(job, shared) for job in jobs)
    else:
        yield from _run_pool(jobs, executor, workers, shared)


def keep_all(lines: Generator[bytes], keep: Callable[[bytes], None]) -> None:
    """Keep every line. An interrupt while one is kept goes to where they are made, which brings in what is under way.

    Raises:
        KeyboardInterrupt: When that is done, or at once at a second one.
    """
    try:
        for line in filter(None, lines):
            keep(line)
    except KeyboardInterrupt as interrupt:
        line = lines.throw(interrupt)
        while True:
            if line:
                keep(line)
            line = next(lines)


def _run_pool(jobs: Sequence[Job], executor: str, workers: int, shared: Shared | None) -> Iterator[bytes]:
    if not jobs:
        return
    pool: Executor
    if executor == "threads":
        pool = ThreadPoolExecutor(max_workers=workers)
    else:  # spawn: the one start method that all platforms share, and that survives threads
        spawn = multiprocessing.get_context("spawn")
        pool = ProcessPoolExecutor(max_workers=workers, mp_context=spawn, initializer=_begin_worker)
    under_way: list[Future[bytes]] = []
    try:
        yield from _completed(pool, jobs, workers * _AHEAD, under_way, shared)
    except BrokenExecutor:
        raise BizGymError("a worker process died; finished episodes are on disk, the same command continues") from None
    finally:
        pool.shutdown(wait=all(future.done() for future in under_way), cancel_futures=True)


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that no interrupt reaches, not even while they start: it is the parent's to answer."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin_worker() -> None:
    """Leave interrupts to the parent, and end with it however it ends: a killed parent tells its workers nothing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _completed(
    pool: Executor, jobs: Iterable[Job], window: int, under_way: list[Future[bytes]], shared: Shared | None
) -> Iterator[bytes]:
    """Keep a bounded number of jobs under way, so that memory does not grow with the run.

    After an interrupt no job is started any more, and what is under way is still brought in; a second one drops it.
    """
    waiting = iter(jobs)
    try:
        while True:
            with _deaf_children():
                under_way += [pool.submit(play, job, shared) for job in islice(waiting, window - len(under_way))]
            if not under_way:
                return
            yield from _results(under_way, FIRST_COMPLETED)
    except KeyboardInterrupt:
        under_way[:] = [future for future in under_way if not future.cancel()]
        yield from _results(under_way, ALL_COMPLETED)
        raise


def _results(under_way: list[Future[bytes]], until: str) -> Iterator[bytes]:
    """Wait, and yield what came of the jobs that are done, failures last: they end the run."""
    finished = wait(under_way, return_when=until).done
    done = [future for future in under_way if future in finished]
    for future in sorted(done, key=lambda each: each.exception() is not None):
        under_way.remove(future)  # one by one: an interrupt finds here what was not handed over yet
        yield future.result()


def _env_of(job: Job) -> gym.Env[Any, Any]:
    """Return the environment of a job, built once a thread: a reset forgets everything of the episode before."""
    if not hasattr(_local, "envs"):
        _local.envs = {}
    key = canonical([job.env_id, job.env_kwargs])
    if key not in _local.envs:
        _local.envs[key] = make_env(job.env_id, job.env_kwargs)
    env: gym.Env[Any, Any] = _local.envs[key]
    return env


def make_env(env_id: str, env_kwargs: dict[str, Any]) -> gym.Env[Any, Any]:
    """Build a registered environment; importing BizGym's own ids is part of it."""
    from .. import envs

    gym.register_envs(envs)
    return gym.make(env_id, **env_kwargs)

"""The audit: every recorded call is played again from the seed, and what comes of it must be what was recorded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

import gymnasium as gym

from ..envs.core.jsontext import canonical
from ..envs.core.outcome import Check
from ..envs.core.stop import StopReason
from ..envs.core.trajectory import UNLEARNED, CheckRecord, ResultRecord, Step, Trajectory
from .benchmarks import replies_of, rescore


def replay(trajectory: Trajectory, env: gym.Env[Any, Any]) -> str:
    """Play a record again and return the first difference, "" where there is none.

    Args:
        trajectory: The record, with its steps.
        env: An environment with the record's id and settings.
    """
    try:
        return next(_replayed(trajectory, env), "")
    except Exception as error:  # a record may ask for anything, such as a step after the end
        return f"cannot be played again ({type(error).__name__}: {error})"


def _replayed(trajectory: Trajectory, env: gym.Env[Any, Any]) -> Iterator[str]:
    core: Any = env.unwrapped
    core.feed_counterpart(replies_of(trajectory))
    observation, info = env.reset(seed=trajectory.seed, options={"task_id": trajectory.task_id})
    began = trajectory.first_observation or trajectory.stop_reason.scored
    if began and observation != trajectory.first_observation:
        yield "the first observation differs"
    yield from version_differences(trajectory, core)
    terminated = truncated = False
    for number, step in enumerate(trajectory.steps, 1):
        if step.turn is None:
            reply = core.forfeit(trajectory.stop_reason.value)
        else:
            reply = env.step(step.turn.action)
        yield from _differences(step, reply, number)
        _, _, terminated, truncated, info = reply
    if (terminated, truncated) != (trajectory.terminated, trajectory.truncated):
        yield f"terminated {terminated}, truncated {truncated}, recorded otherwise"
    yield from _header_differences(trajectory)
    yield from _end_differences(trajectory, core, info)


def version_differences(trajectory: Trajectory, core: Any) -> Iterator[str]:
    """Say whether the task set has changed since the record was made."""
    there, here = trajectory.version.get("task_set_hash"), core.task_set_hash
    if there != here:
        yield f"the task set is {here}, recorded {there}"


def _differences(step: Step, reply: Any, number: int) -> Iterator[str]:
    observation, reward, _, _, info = reply
    if observation != step.observation:
        yield f"step {number}: the observation differs"
    if float(reward) != step.reward:
        yield f"step {number}: reward {reward}, recorded {step.reward}"
    if info["reward_components"] != step.components:
        yield f"step {number}: reward components {info['reward_components']}, recorded {step.components}"
    if info["error"] != step.error:
        yield f"step {number}: error {info['error']!r}, recorded {step.error!r}"
    if [ResultRecord(**result) for result in info["tool_results"]] != step.results:
        yield f"step {number}: the results differ"


def _header_differences(trajectory: Trajectory) -> Iterator[str]:
    """Hold what a record says of its steps to the steps."""
    steps = trajectory.steps
    if trajectory.n_steps != len(steps):
        yield f"n_steps {trajectory.n_steps}, there are {len(steps)}"
    errors = Counter(step.error for step in steps if step.error)
    if trajectory.errors != errors:
        yield f"errors {trajectory.errors}, the steps hold {dict(errors)}"
    total = float(sum(step.reward for step in steps))
    if trajectory.reward is not None and trajectory.reward != total:
        yield f"reward {trajectory.reward}, the steps add up to {total}"
    if trajectory.scored and not trajectory.stop_reason.scored:
        yield f"reward {trajectory.reward}, though it stopped for {trajectory.stop_reason}"
    used: Counter[tuple[str, str]] = Counter()
    for usage in (*(step.usage for step in steps), trajectory.usage_beyond):
        for role, amounts in usage.items():
            used.update({(role, name): amount for name, amount in amounts.items()})
    said = {(role, name): amount for role, amounts in trajectory.usage.items() for name, amount in amounts.items()}
    if said.keys() != used.keys() or any(not _close(said[key], used[key]) for key in said):
        yield "usage differs from that of the steps"


def _end_differences(trajectory: Trajectory, core: Any, info: dict[str, Any]) -> Iterator[str]:
    stopped = trajectory.stop_reason
    if stopped is StopReason.ENV_ERROR:  # then nothing is known of how it stood
        return
    unlearned = not stopped.scored and f"\n{UNLEARNED}" in f"\n{trajectory.error}"
    if core.stop_reason != (stopped if stopped.scored else None) and not unlearned:
        yield f"stop reason {core.stop_reason}, recorded {stopped}"
    if core.state_digest() != trajectory.final_digest:
        yield "the final state differs"
    if not trajectory.scored:
        return
    if canonical(info["metrics"]) != canonical(trajectory.metrics):
        yield f"metrics {info['metrics']}, recorded {trajectory.metrics}"
    if _verdicts(core.checks()) != trajectory.checks:
        yield "the checks differ"


def _verdicts(checks: Iterable[Check]) -> list[CheckRecord]:
    return [CheckRecord(**asdict(check)) for check in checks]


def rescored_difference(trajectory: Trajectory) -> str:
    """Score a record anew from its executed calls alone and return how that differs, "" where it does not."""
    try:
        return next(_rescored(trajectory), "")
    except Exception as error:  # a record may hold anything, such as a task that does not exist
        return f"cannot be scored anew ({type(error).__name__}: {error})"


def _rescored(trajectory: Trajectory) -> Iterator[str]:
    yield from _header_differences(trajectory)
    if trajectory.reward is None:
        return
    outcome = rescore(trajectory)
    if not _close(outcome.reward, trajectory.reward):
        yield f"reward {trajectory.reward}, scored anew {outcome.reward}"
    recorded = trajectory.metrics or {}
    for name in sorted(recorded.keys() | outcome.metrics.keys()):
        ours, theirs = outcome.metrics.get(name), recorded.get(name)
        if ours is None or theirs is None or not _close(ours, theirs):
            yield f"{name} {theirs}, scored anew {ours}"
    if _verdicts(outcome.checks) != trajectory.checks:
        yield "the checks differ"


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))

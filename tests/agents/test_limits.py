"""Every budget ends an episode under its own reason, and the score counts; nothing can play for ever."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents.rollout import Limits
from bizgym.agents.run_config import LimitsConfig
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import Trajectory

from tests.fixtures.players import USAGE
from tests.fixtures.records import BEER, baseline, play, player, rows_of

ORDERS = player("Breaks", where="nowhere")


def one(folder: Path, limits: dict[str, Any], agent: dict[str, Any] = ORDERS, env: dict[str, Any] = BEER) -> Trajectory:
    play(folder, agent, env, limits=limits)
    (row,) = rows_of(folder)
    return row


@pytest.mark.parametrize(
    ("limits", "reason", "turns"),
    [
        ({"max_steps": 4}, StopReason.MAX_STEPS, 4),
        ({"max_steps": 1}, StopReason.MAX_STEPS, 1),
        ({"max_calls": 3}, StopReason.MAX_CALLS, 3),
        ({"max_tokens": 330}, StopReason.MAX_TOKENS, 3),
        ({"max_tokens": 331}, StopReason.MAX_TOKENS, 4),
        ({"timeout_seconds": 1e-9}, StopReason.TIMEOUT, 0),
        ({"max_steps": 2, "max_calls": 2, "max_tokens": 220}, StopReason.MAX_STEPS, 2),
        ({"max_steps": 6}, StopReason.ENV_DONE, 6),
        ({"max_steps": 7}, StopReason.ENV_DONE, 6),
    ],
)
def test_S13_each_limit_has_its_reason_and_is_charged(
    tmp_path: Path, limits: dict[str, Any], reason: StopReason, turns: int
) -> None:
    row = one(tmp_path / "a", limits)
    assert row.stop_reason == reason
    assert sum(step.turn is not None for step in row.steps) == turns
    assert row.usage == ({"act": {name: turns * amount for name, amount in USAGE["act"].items()}} if turns else {})
    if reason is not StopReason.ENV_DONE:
        refused = player("Breaks", turn=turns + 1, reason="refusal")
        assert row.reward == one(tmp_path / "b", {}, refused).reward
        assert (row.terminated, row.truncated) == (False, True)
        assert row.steps[-1].observation.startswith(f"The episode ended early ({reason.value}).")


def test_the_clock_is_read_between_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(10**6))
    monkeypatch.setattr("bizgym.agents.rollout.perf_counter", lambda: float(next(clock)))
    row = one(tmp_path, {"timeout_seconds": 9})
    assert row.stop_reason == StopReason.TIMEOUT
    assert 0 < sum(step.turn is not None for step in row.steps) < 6


def test_S13_twenty_invalid_calls_end_under_their_own_reason(tmp_path: Path) -> None:
    row = one(tmp_path, {}, baseline("DoNothing"), {**BEER, "max_consecutive_errors": 20})
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.MALFORMED_CALLS, 20, {"not_json": 20})
    assert (row.terminated, row.truncated) == (True, False)


def test_S13_the_environments_own_turns_end_under_max_steps(tmp_path: Path) -> None:
    row = one(tmp_path, {}, ORDERS, {**BEER, "max_turns": 3})
    assert (row.stop_reason, row.n_steps, row.truncated) == (StopReason.MAX_STEPS, 3, True)


@pytest.mark.parametrize("agent", [baseline("DoNothing"), player("Replies", reply="no_calls", turn=1)])
def test_G08_empty_turns_end(tmp_path: Path, agent: dict[str, Any]) -> None:
    """Even where malformed turns alone would never end an episode, its turns are finite."""
    row = one(tmp_path, {}, agent, {**BEER, "max_consecutive_errors": 10**9})
    assert row.stop_reason in (StopReason.MAX_STEPS, StopReason.ENV_DONE)
    assert row.n_steps <= 4 * BEER["horizon"]  # type: ignore[operator]


def test_G08_all_limits_are_finite_unless_said_otherwise() -> None:
    defaults = LimitsConfig().model_dump()
    finite = {"max_calls": 5_000, "max_tokens": 20_000_000, "timeout_seconds": 3_600.0}
    assert defaults == {"max_steps": None, **finite, "max_cost": None}
    assert {each.name: each.default for each in fields(Limits)} == defaults

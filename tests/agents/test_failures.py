"""Failures are data: whatever an agent or an environment does, the episode is recorded with its reason."""

import json
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents.base import AgentStop, AgentTurn, as_turn
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import Trajectory, to_line

from tests.fixtures.counter.env import MODULE_ID
from tests.fixtures.players import REPLIES
from tests.fixtures.records import BEER, play, player, rows_of


def one(folder: Path, agent: dict[str, Any], env: dict[str, Any] | None = None, **settings: Any) -> Trajectory:
    play(folder, agent, BEER if env is None else env, **settings)
    (row,) = rows_of(folder)
    assert json.loads(to_line(row))["stop_reason"] == row.stop_reason
    return row


def rest_forfeited(folder: Path, played: int) -> float:
    """The reward of `played` orders of 100 and then none, by an agent that says so itself."""
    row = one(folder, player("Breaks", turn=played + 1, reason="refusal"))
    assert row.stop_reason == StopReason.REFUSAL
    return row.reward or 0.0


@pytest.mark.parametrize(
    ("reply", "turn_error"),
    [
        ("long_text", "too_long"),
        ("lone_surrogate", "not_json"),
        ("nan_call", "non_finite"),
        ("huge_call", "bad_arguments"),
        ("no_calls", "not_object"),
    ],
)
def test_what_can_be_sent_is_answered_by_the_environment(tmp_path: Path, reply: str, turn_error: str) -> None:
    row = one(tmp_path, player("Replies", reply=reply))
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.ENV_DONE, 7, {turn_error: 1})
    assert row.steps[2].error == turn_error


def test_a_long_text_is_kept_whole_in_the_record_and_shown_in_short(tmp_path: Path) -> None:
    row = one(tmp_path, player("Replies", reply="long_text"))
    assert row.steps[2].turn is not None
    assert row.steps[2].turn.text == "x" * 5_000_000
    assert len(row.steps[2].observation) < 2_000


def test_call_objects_of_an_sdk_are_played(tmp_path: Path) -> None:
    row = one(tmp_path, player("Replies", reply="sdk_calls"))
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.ENV_DONE, 6, {})
    assert row.steps[2].turn is not None
    assert row.steps[2].turn.calls is not None
    assert row.steps[2].turn.calls[0]["function"] == {"name": "place_order", "arguments": '{"quantity": 100}'}


UNPLAYABLE = ["none", "int", "sdk_call", *(name for name in REPLIES if "_is_" in name or "_are_" in name)]


@pytest.mark.parametrize("reply", UNPLAYABLE)
def test_what_cannot_be_played_is_the_agents_error(tmp_path: Path, reply: str) -> None:
    row = one(tmp_path / "a", player("Replies", reply=reply))
    assert (row.stop_reason, row.n_steps, row.truncated) == (StopReason.AGENT_ERROR, 3, True)
    assert row.error.splitlines()[-1].startswith(("TypeError: ", "AttributeError: "))
    assert row.reward == rest_forfeited(tmp_path / "b", 2)


def test_L13_an_agent_that_raises_in_step_3_leaves_a_partial_episode_with_its_reason(tmp_path: Path) -> None:
    row = one(tmp_path / "a", player("Breaks"))
    assert row.stop_reason == StopReason.AGENT_ERROR
    assert [step.turn is not None for step in row.steps] == [True, True, False]
    assert "ZeroDivisionError: broken in act" in row.error
    assert row.steps[0].results[0].ok
    assert row.steps[2].components["forfeit_cost"] == row.steps[2].reward < 0
    assert row.reward == sum(step.reward for step in row.steps) == rest_forfeited(tmp_path / "b", 2)
    assert row.metrics == {**(row.metrics or {}), "cost": -row.reward}


@pytest.mark.parametrize("where", ["begin_run", "begin_episode"])
def test_an_agent_that_breaks_before_its_first_turn_forfeits_the_episode(tmp_path: Path, where: str) -> None:
    row = one(tmp_path / "a", player("Breaks", where=where))
    assert (row.stop_reason, row.n_steps) == (StopReason.AGENT_ERROR, 1)
    assert f"ZeroDivisionError: broken in {where}" in row.error
    assert row.reward == rest_forfeited(tmp_path / "b", 0)


def test_an_agent_that_breaks_when_the_episode_is_over_keeps_its_score(tmp_path: Path) -> None:
    row = one(tmp_path / "a", player("Breaks", where="end_episode"))
    whole = one(tmp_path / "b", player("Breaks", where="nowhere"))
    assert (row.stop_reason, row.reward) == (StopReason.ENV_DONE, whole.reward)
    assert row.error.startswith("end_episode: ")
    assert "ZeroDivisionError: broken in end_episode" in row.error


CLAIMABLE = [reason for reason in StopReason if reason not in ("env_done", "env_error", "simulator_failure")]


@pytest.mark.parametrize("reason", CLAIMABLE)
@pytest.mark.parametrize("where", ["act", "begin_episode"])
def test_S13_an_agents_stop_is_recorded_under_its_reason(tmp_path: Path, reason: StopReason, where: str) -> None:
    row = one(tmp_path, player("Breaks", where=where, reason=reason.value))
    turns = 2 if where == "act" else 0
    assert row.stop_reason == reason
    assert row.error == f"stopped in {where}"
    assert row.scored == reason.scored
    assert row.n_steps == turns + reason.scored
    assert (row.terminated, row.truncated) == (
        reason == StopReason.MALFORMED_CALLS,
        reason.scored and reason != StopReason.MALFORMED_CALLS,
    )
    if not reason.scored:
        assert (row.reward, row.metrics, row.checks) == (None, None, [])


@pytest.mark.parametrize("reason", ["env_done", "env_error", "simulator_failure", "boredom"])
def test_S13_an_agent_cannot_claim_what_is_not_its_to_say(tmp_path: Path, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        AgentStop(reason)
    row = one(tmp_path / "a", player("Breaks", reason=reason))
    assert row.stop_reason == StopReason.AGENT_ERROR
    assert row.reward == rest_forfeited(tmp_path / "b", 2)


@pytest.mark.parametrize(
    ("fails", "reason", "n_steps", "message"),
    [
        ("reset", "env_error", 0, "RuntimeError: reset is broken"),
        ("no_text", "env_error", 0, "TypeError: reset returned NoneType"),
        ("step", "env_error", 1, "RuntimeError: step is broken"),
        ("nan_reward", "env_error", 0, "finite number"),
        ("nan_metric", "env_error", 2, "finite number"),
        ("checks", "env_error", 2, "RuntimeError: the checks are broken"),
        ("digest", "env_error", 2, "RuntimeError: the digest is broken"),
        ("counterpart", "simulator_failure", 1, "the customer hung up"),
    ],
)
def test_a_broken_environment_is_no_fault_of_the_agent(
    tmp_path: Path, fails: str, reason: str, n_steps: int, message: str
) -> None:
    row = one(tmp_path, player("Counts"), {"id": MODULE_ID, "fails": fails}, limit=1)
    assert (row.stop_reason, row.reward, row.metrics) == (reason, None, None)
    assert (row.task_id, row.n_steps) == ("count_0", n_steps)
    assert message in row.error


def test_a_forfeit_that_breaks_is_the_environments_error(tmp_path: Path) -> None:
    row = one(tmp_path, player("Breaks", where="begin_episode"), {"id": MODULE_ID, "fails": "forfeit"}, limit=1)
    assert (row.stop_reason, row.reward) == (StopReason.ENV_ERROR, None)
    assert "forfeit is broken" in row.error


def test_a_broken_environment_ends_no_run(tmp_path: Path) -> None:
    """Every episode has its row, and running again plays each of them again."""
    env = {"id": MODULE_ID, "fails": "step"}
    assert play(tmp_path, player("Counts"), env).played == 10
    assert [row.task_id for row in rows_of(tmp_path)] == [f"count_{k}" for k in range(10)]
    assert play(tmp_path, player("Counts"), env).played == 10
    assert len(rows_of(tmp_path)) == 20


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_an_environment_that_broke_is_not_used_again(tmp_path: Path, executor: str) -> None:
    env = {"id": MODULE_ID, "fails": "step_for_good"}
    play(tmp_path, player("Counts"), env, executor={"name": executor})
    errors = [row.error.splitlines()[-1] for row in rows_of(tmp_path)]
    assert errors == ["RuntimeError: step is broken"] * 10


def test_an_agent_that_learns_is_shown_a_copy_of_the_record(tmp_path: Path) -> None:
    row = one(tmp_path, player("Forges"))
    assert row.n_steps == len(row.steps) == 6
    assert row.reward == sum(step.reward for step in row.steps) < -1_000


def test_replies_are_wrapped_by_their_kind() -> None:
    call = {"name": "finish", "arguments": {}}
    assert as_turn("text") == AgentTurn(text="text")
    assert as_turn(call) == AgentTurn(calls=[call])
    assert as_turn((call, call)) == as_turn([call, call]) == AgentTurn(calls=[call, call])
    turn = AgentTurn(text="t", calls=[call], usage={"act": {"input": 3, "output": 2.5}})
    assert as_turn(turn) is turn

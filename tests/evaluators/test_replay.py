"""A record is evidence only if it replays: whatever is changed in one is found, and the row is named."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bizgym.envs.core.run_folder import EPISODES, RunFolder
from bizgym.evaluators.cli.listing import audit

from tests.fixtures.counter.env import MODULE_ID
from tests.fixtures.records import BEER, baseline, play, player, rows_of

Change = Callable[[dict[str, Any]], None]


def tamper(folder: Path, line: int, change: Change) -> None:
    """Change one record of a run as plain JSON."""
    lines = (folder / EPISODES).read_text(encoding="utf-8").splitlines()
    fields = json.loads(lines[line])
    change(fields)
    lines[line] = json.dumps(fields)
    (folder / EPISODES).write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(folder: Path, *, again: bool) -> list[str]:
    return [row["difference"] for row in audit(RunFolder(folder), again=again)]


@pytest.mark.parametrize("agent", [baseline("Tau8"), baseline("RandomCalls"), baseline("DoNothing"), player("Breaks")])
@pytest.mark.parametrize("env", [BEER, {**BEER, "demand": "uniform", "information": "chain"}])
def test_what_was_played_replays(tmp_path: Path, agent: dict[str, Any], env: dict[str, Any]) -> None:
    play(tmp_path, agent, env, trials=3)
    assert differences(tmp_path, again=True) == differences(tmp_path, again=False) == ["", "", ""]


@pytest.mark.parametrize("reply", ["long_text", "lone_surrogate", "nan_call", "huge_call", "sdk_calls", "none"])
def test_what_was_played_badly_replays_too(tmp_path: Path, reply: str) -> None:
    play(tmp_path, player("Replies", reply=reply), BEER)
    assert differences(tmp_path, again=True) == differences(tmp_path, again=False) == [""]


@pytest.mark.parametrize(
    ("reason", "limits"),
    [
        ("max_cost", {}),
        ("provider_error", {}),
        ("cancelled", {}),
        (None, {"max_steps": 3}),
        (None, {"max_tokens": 300}),
        (None, {"timeout_seconds": 1e-9}),
    ],
)
def test_episodes_that_were_stopped_replay(tmp_path: Path, reason: str | None, limits: dict[str, float]) -> None:
    agent = player("Breaks", reason=reason, where="act" if reason else "nowhere")
    play(tmp_path, agent, BEER, limits=limits)
    assert differences(tmp_path, again=True) == differences(tmp_path, again=False) == [""]


def test_a_broken_environment_replays_as_far_as_it_came(tmp_path: Path) -> None:
    for fails in ("step", "counterpart"):
        play(tmp_path / fails, player("Counts"), {"id": MODULE_ID, "fails": fails}, limit=2)
        assert differences(tmp_path / fails, again=True) == ["", ""]


def step(number: int, **fields: Any) -> Change:
    return lambda record: record["steps"][number].update(fields)


def order_of(number: int, units: int) -> Change:
    return lambda record: record["steps"][number]["turn"]["calls"][0]["arguments"].update(quantity=units)


def both(*changes: Change) -> Change:
    return lambda record: [change(record) for change in changes] and None  # type: ignore[func-returns-value]


TAMPERED: dict[str, tuple[Change, str]] = {
    "reward": (lambda record: record.update(reward=record["reward"] + 100), "reward"),
    "reward and its step": (
        both(
            lambda record: record.update(reward=record["reward"] + 100),
            lambda record: record["steps"][1].update(reward=record["steps"][1]["reward"] + 100),
        ),
        "reward",
    ),
    "an order": (order_of(2, 7), ""),
    "the task set": (lambda record: record["version"].update(task_set_hash="0" * 16), "the task set is"),
    "a metric": (lambda record: record["metrics"].update(fill_rate=1.5), "fill_rate"),
    "a metric that is none": (lambda record: record["metrics"].update(normalized=1.0), "normalized"),
    "a missing metric": (lambda record: record["metrics"].pop("cost"), "cost"),
    "the seed": (lambda record: record.update(seed=record["seed"] + 1), "seed"),
    "a step left out": (lambda record: record["steps"].pop(2), ""),
    "a step added": (lambda record: record["steps"].append(record["steps"][-1]), ""),
    "the number of steps": (lambda record: record.update(n_steps=5), "n_steps"),
    "the errors": (lambda record: record.update(errors={"not_json": 2}), "errors"),
    "the usage": (lambda record: record.update(usage={"act": {"calls": 1}}), "usage"),
    "the game": (lambda record: record["env_kwargs"].update(holding_cost=0.25), ""),
    "a setting that is none": (lambda record: record["env_kwargs"].update(colour="red"), "cannot be made here"),
    "the environment": (lambda record: record.update(env_id="bizgym/BeerGame-v9"), "cannot be made here"),
    "the task": (lambda record: record.update(task_id="nowhere"), ""),
    "failure": (lambda record: record.update(stop_reason="provider_error"), "provider_error"),
}
SEEN_BY_REPLAY_ALONE: dict[str, tuple[Change, str]] = {
    "an observation": (step(1, observation="All is well."), "step 2: the observation differs"),
    "the first observation": (lambda record: record.update(first_observation=""), "the first observation differs"),
    "an error": (
        both(step(1, error="not_json"), lambda record: record.update(errors={"not_json": 1})),
        "step 2: error",
    ),
    "a result": (lambda record: record["steps"][1]["results"][0].update(content="fine"), "step 2: the results differ"),
    "a component": (step(1, components={"holding_cost": -1.0}), "step 2: reward components"),
    "the final state": (lambda record: record.update(final_digest="0" * 64), "the final state differs"),
    "the end": (lambda record: record.update(truncated=True), "truncated"),
    "the stop": (lambda record: record.update(stop_reason="max_steps"), "stop reason env_done, recorded max_steps"),
    "a bad episode called a failure": (
        lambda record: record.update(stop_reason="provider_error", reward=None, metrics=None),
        "stop reason env_done, recorded provider_error",
    ),
}


@pytest.fixture
def run(tmp_path: Path) -> Path:
    play(tmp_path, baseline("RandomCalls"), {**BEER, "demand": "uniform"}, trials=3)
    return tmp_path


@pytest.mark.parametrize("name", TAMPERED)
@pytest.mark.parametrize("again", [True, False], ids=["replay", "score"])
def test_a_changed_record_is_found(run: Path, name: str, again: bool) -> None:
    change, message = TAMPERED[name]
    tamper(run, 1, change)
    rows = audit(RunFolder(run), again=again)
    assert [row["ok"] for row in rows] == [True, False, True]
    assert rows[1]["trial"] == 1
    assert message in rows[1]["difference"]


@pytest.mark.parametrize("name", SEEN_BY_REPLAY_ALONE)
def test_a_changed_course_of_play_is_found_by_playing_again(run: Path, name: str) -> None:
    change, message = SEEN_BY_REPLAY_ALONE[name]
    tamper(run, 2, change)
    found = differences(run, again=True)
    assert found[:2] == ["", ""]
    assert message in found[2]


@pytest.mark.parametrize("again", [True, False], ids=["replay", "score"])
def test_a_changed_verdict_is_found(tmp_path: Path, again: bool) -> None:
    play(tmp_path, player("Counts", off_by=1), limit=2)
    tamper(tmp_path, 0, lambda record: record["checks"][0].update(passed=True))
    assert differences(tmp_path, again=again) == ["the checks differ", ""]


def test_nothing_is_seen_in_times(run: Path) -> None:
    tamper(run, 0, both(lambda record: record.update(timing={"seconds": 1e6}), step(0, timing={"agent_seconds": 0.0})))
    assert differences(run, again=True) == differences(run, again=False) == ["", "", ""]
    assert rows_of(run)[0].timing == {"seconds": 1e6}

"""Totals are counted from the records; every number says what it rests on; what is undefined says why."""

import json
from pathlib import Path
from typing import Any

import pytest
from bizgym.envs.core.errors import RecordError
from bizgym.envs.core.run_folder import SUMMARY, RunFolder
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import CheckRecord, Trajectory
from bizgym.evaluators.aggregate import count, score_rows, summary, write_summary
from bizgym.evaluators.statistics import mean_ci95, rate_ci95

from tests.fixtures.records import baseline, play, player, record, rows_of, write_run

COUNTS = ("n", "attempted", "errored", "unscored")


def checked(k: int, *passed: bool, **fields: Any) -> Trajectory:
    checks = [CheckRecord(id=str(n), kind="goal", passed=ok, expected="", observed="") for n, ok in enumerate(passed)]
    return record(f"count_{k}", reward=float(all(passed)), checks=checks, **fields)


def by_metric(folder: RunFolder) -> dict[str, dict[str, Any]]:
    return {row["metric"]: row for row in score_rows(count(folder))}


def test_S09_ten_tasks_with_three_provider_errors(tmp_path: Path) -> None:
    rows = [record(f"count_{k}", reward=None) for k in range(3)]
    rows += [checked(k, k % 2 == 0, True) for k in range(3, 10)]
    found = by_metric(write_run(tmp_path, rows))
    counts = {"n": 10, "attempted": 10, "errored": 3, "unscored": 0}
    assert all({name: row[name] for name in COUNTS} == counts for row in found.values())
    assert found["strict"]["value"] == 3 / 10  # errors are failures
    assert found["strict"]["ci95"] == list(rate_ci95(3, 10) or ())
    assert found["strict_of_scored"]["value"] == 3 / 7
    assert found["strict_of_scored"]["ci95"] == list(rate_ci95(3, 7) or ())
    assert found["reward"]["value"] == 3 / 7


def test_strict_success_needs_every_check(tmp_path: Path) -> None:
    """Two half rewards are no success, and a whole reward with a red check is none."""
    rows = [checked(0, True, False, stop_reason=StopReason.ENV_DONE), checked(1, True, True)]
    rows[0].reward = 1.0
    assert by_metric(write_run(tmp_path, rows, ["count_0", "count_1"]))["strict"]["value"] == 0.5


def test_S10_missing_rows_are_counted(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [record(f"count_{k}") for k in range(8)])
    found = summary(count(folder))
    assert {name: found[name] for name in COUNTS} == {"n": 10, "attempted": 8, "errored": 0, "unscored": 0}
    assert not found["complete"]
    assert not count(folder).counts.sound


def test_unscored_is_no_number(tmp_path: Path) -> None:
    rows = [record("count_0"), record("count_1", reward=None, stop_reason=StopReason.ENV_DONE)]
    found = summary(count(write_run(tmp_path, rows, ["count_0", "count_1"])))
    assert {name: found[name] for name in COUNTS} == {"n": 2, "attempted": 2, "errored": 0, "unscored": 1}
    assert not found["complete"]
    assert found["by_agent"]["a"]["reward"] == 1.0


def test_S06_an_episode_that_is_scored_twice_is_refused(tmp_path: Path) -> None:
    folder = write_run(tmp_path, [record("count_0"), record("count_1"), record("count_0")])
    with pytest.raises(RecordError, match="has a score in line 1 and again in line 3"):
        count(folder)


def test_rows_that_were_not_asked_for_do_not_count(tmp_path: Path) -> None:
    rows = [record("count_0", reward=0.5), record("count_0", trial=7), record("count_1", agent={"name": "b"})]
    found = summary(count(write_run(tmp_path, rows, ["count_0"])))
    assert (found["n"], found["attempted"], list(found["by_agent"])) == (1, 1, ["a"])
    assert found["by_agent"]["a"]["reward"] == 0.5


def test_the_valid_row_counts_and_superseded_ones_do_not(tmp_path: Path) -> None:
    rows = [record("count_0", reward=None), record("count_1"), record("count_0", reward=0.25)]
    found = summary(count(write_run(tmp_path, rows, ["count_0", "count_1"])))
    assert (found["errored"], found["stop_reasons"]) == (0, {"env_done": 2})
    assert found["by_agent"]["a"]["reward"] == 0.625


def test_the_summary_of_a_played_run(tmp_path: Path) -> None:
    play(tmp_path, player("Counts", off_by=1), limit=4, trials=2)
    written = write_summary(RunFolder(tmp_path))
    assert json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8")) == written
    assert set(written) >= {"run_key", *COUNTS, "stop_reasons", "by_agent"}
    assert written["run_key"] == RunFolder(tmp_path).description().run_key
    agent = written["by_agent"]["counts"]
    assert set(agent) >= {"reward", "normalized", "ci95", "p95", "usage", "cost"}
    assert agent["reward"] == 0.0
    assert agent["normalized"] == {"value": None, "reason": "no scale"}
    assert agent["usage"] == {"act": {"calls": 16, "input": 1_600, "output": 160}}
    assert agent["cost"] == {"value": None, "reason": "unpriced"}
    assert (agent["steps"], agent["errors"], agent["stop_reasons"]) == (16, {}, {"env_done": 8})


def test_L09_what_is_undefined_is_null_with_a_reason(tmp_path: Path) -> None:
    none = summary(count(write_run(tmp_path / "none", [])))["by_agent"]["a"]
    undefined = {"value": None, "reason": "no scored episode"}
    assert none["reward"] == none["normalized"] == none["p95"] == undefined
    assert none["ci95"] == {"value": None, "reason": "fewer than two scored episodes"}
    assert none["cost"] == {"value": None, "reason": "no model was called"}
    (row,) = score_rows(count(RunFolder(tmp_path / "none")))
    assert (row["metric"], row["value"], row["ci95"], row["p95"], row["reason"]) == (
        "reward",
        None,
        None,
        None,
        "no scored episode",
    )
    one = summary(count(write_run(tmp_path / "one", [record("count_0", reward=0.0)], ["count_0"])))["by_agent"]["a"]
    assert (one["reward"], one["p95"]) == (0.0, 0.0)
    assert one["ci95"]["value"] is None
    json.dumps(none, allow_nan=False)


def test_intervals_and_tails_are_those_of_the_rewards(tmp_path: Path) -> None:
    rewards = [float(k * k) for k in range(10)]
    rows = [record(f"count_{k}", reward=reward, metrics={"cost": -reward}) for k, reward in enumerate(rewards)]
    folder = write_run(tmp_path, rows)
    found, agent = by_metric(folder), summary(count(folder))["by_agent"]["a"]
    assert found["reward"]["ci95"] == agent["ci95"] == list(mean_ci95(rewards) or ())
    assert found["reward"]["p95"] == agent["p95"] == pytest.approx(0.45)  # between 0 and 1: the bad end of a reward
    assert found["cost"]["p95"] == pytest.approx(-0.45)  # the bad end of a cost is the high one
    assert found["cost"]["value"] == -28.5


def test_S14_score_rows_show_costs_by_stage_tail_and_bullwhip(tmp_path: Path) -> None:
    env = {"id": "bizgym/BeerGame-v0", "demand": "uniform"}
    play(tmp_path, baseline("Typical"), env, trials=5)
    found = by_metric(RunFolder(tmp_path))
    stages = {f"cost_{stage}" for stage in ("retailer", "wholesaler", "distributor", "brewery")}
    assert set(found) >= {*stages, "cost_chain", "cost", "bullwhip", "fill_rate", "weeks_in_backlog", "reward"}
    rows = rows_of(tmp_path)
    for metric, row in found.items():
        assert [row[name] for name in COUNTS] == [5, 5, 0, 0]
        values = [each.reward if metric == "reward" else (each.metrics or {})[metric] for each in rows]
        assert row["value"] == pytest.approx(sum(value or 0.0 for value in values) / 5)
        assert row["ci95"] is None  # five trials of one task
    assert found["cost_chain"]["value"] == pytest.approx(sum(found[stage]["value"] for stage in stages))
    assert found["cost_retailer"]["value"] == found["cost"]["value"] == -found["reward"]["value"]
    assert found["cost"]["p95"] > found["cost"]["value"] > 0
    assert found["reward"]["p95"] == pytest.approx(-found["cost"]["p95"])


def test_L02_a_summary_that_finds_no_room_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write_run(tmp_path, [record("count_0")], ["count_0"])
    before = write_summary(folder)
    write_run(tmp_path, [record("count_0", reward=0.0)], ["count_0"])

    def full(path: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(OSError, match="No space"):
        write_summary(folder)
    assert json.loads((tmp_path / SUMMARY).read_text(encoding="utf-8")) == before


def test_failures_are_told_once_for_each_reason(tmp_path: Path) -> None:
    rows = [record(f"count_{k}", reward=None, error=f"Traceback\n  {k}\nOSError: {k}") for k in range(3)]
    totals = count(write_run(tmp_path, rows))
    assert totals.by_agent["a"].failures == {"provider_error": "count_0, trial 0: OSError: 0"}

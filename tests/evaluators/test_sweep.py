"""Sweeps: a status line a job, a table of all, a non-zero exit where one is broken, and nothing played twice."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bizgym.evaluators.cli import main

from tests.fixtures.records import rows_of

Sweep = Callable[..., tuple[int, str, list[str]]]
AGENTS = "agent=beer_game/typical,beer_game/tau8"


@pytest.fixture
def sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Sweep:
    """`bizgym run -m` in an empty folder: exit status, standard output, lines of standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*overrides: str) -> tuple[int, str, list[str]]:
        status = main(["run", "-m", "env=beer_game", "evaluator.report=false", "progress=off", *overrides])
        out, err = capsys.readouterr()
        return status, out, err.splitlines()

    return call


def test_H01_one_broken_job_does_not_keep_the_others(sweep: Sweep) -> None:
    status, out, err = sweep("agent=beer_game/tau8", "env.ship_weeks=1,99,2", "--json")
    content = json.loads(out)
    assert (status, content["command"], content["ok"]) == (1, "run", False)
    assert [(row["job"], row["ok"]) for row in content["rows"]] == [(0, True), (1, False), (2, True)]
    assert content["rows"][1]["error"] == "ship_weeks must be an integer from 1 to 12, got 99"
    assert content["rows"][1]["run_dir"] is None
    assert [row["reward"]["beer_game/tau8"] for row in content["rows"][::2]] == [-8_955.0, -25_418.0]
    assert [len(rows_of(Path(row["run_dir"]))) for row in content["rows"][::2]] == [1, 1]
    assert [line.rpartition(": ")[2] if k != 1 else line for k, line in enumerate(err)] == [
        "ok",
        "job 1 (env=beer_game evaluator.report=False progress=off agent=beer_game/tau8 env.ship_weeks=99): "
        "failed: ship_weeks must be an integer from 1 to 12, got 99",
        "ok",
    ]


def test_H01_the_table_shows_every_job(sweep: Sweep) -> None:
    status, out, _ = sweep(AGENTS, "env.ship_weeks=1,99", "trials=2")
    lines = [line.split("\t") for line in out.splitlines()]
    assert status == 1
    assert lines[0] == ["# sweep of 4 jobs: env=beer_game evaluator.report=False progress=off trials=2"]
    assert lines[1] == ["job", "overrides", "ok", "episodes", "played", "reward", "run folder", "error"]
    assert lines[-1][0].startswith("One leaderboard of all: bizgym report runs")
    assert [line[:6] for line in lines[2:-1]] == [
        ["0", "agent=beer_game/typical env.ship_weeks=1", "yes", "2", "2", "-42,750"],
        ["1", "agent=beer_game/typical env.ship_weeks=99", "no", "-", "-", "-"],
        ["2", "agent=beer_game/tau8 env.ship_weeks=1", "yes", "2", "2", "-8,955"],
        ["3", "agent=beer_game/tau8 env.ship_weeks=99", "no", "-", "-", "-"],
    ]


def test_H01_stop_early_skips_what_comes_after_the_first_failure(sweep: Sweep, tmp_path: Path) -> None:
    status, out, _ = sweep("agent=beer_game/tau8", "env.ship_weeks=1,99,2,3", "--stop-early", "--json")
    rows = json.loads(out)["rows"]
    assert status == 1
    assert [row["ok"] for row in rows] == [True, False, False, False]
    assert [row["error"] for row in rows[2:]] == ["skipped: an earlier job failed"] * 2
    assert len(list((tmp_path / "runs" / "default").iterdir())) == 1


def test_H01_an_agent_that_cannot_reach_its_provider_fails_its_job(sweep: Sweep, tmp_path: Path) -> None:
    (tmp_path / "outage").write_text("count_0")
    (tmp_path / "agent").mkdir()
    for name, kind in (("a", "Unreachable"), ("b", "Counts")):
        settings = "outage: outage\n" if kind == "Unreachable" else ""
        text = f"_target_: tests.fixtures.players.{kind}\nname: {name}\n{settings}"
        (tmp_path / "agent" / f"{name}.yaml").write_text(text)
    (tmp_path / "env").mkdir()
    (tmp_path / "env" / "counter.yaml").write_text("id: tests.fixtures.counter.env:bizgym-tests/Counter-v0\n")
    counter = ["env=counter", "agent=a,b", "trusted_targets=[tests]", "limit=3", "--config-dir", ".", "--json"]
    status, out, _ = sweep(*counter)
    rows = json.loads(out)["rows"]
    assert status == 1
    assert [(row["ok"], row["error"], row["played"]) for row in rows] == [
        (False, "1 episode errored, 0 missing", 3),
        (True, "", 3),
    ]
    (tmp_path / "outage").unlink()
    status, out, _ = sweep(*counter)
    assert (status, [row["played"] for row in json.loads(out)["rows"]]) == (0, [1, 0])


def test_H05_the_same_sweep_again_plays_nothing(sweep: Sweep) -> None:
    first = json.loads(sweep(AGENTS, "seed=1,2", "trials=2", "--json")[1])["rows"]
    again = json.loads(sweep(AGENTS, "seed=1,2", "trials=2", "--json")[1])["rows"]
    more = json.loads(sweep(AGENTS, "seed=1,2", "trials=3", "--json")[1])["rows"]
    assert [row["played"] for row in first] == [2, 2, 2, 2]
    assert [row["played"] for row in again] == [0, 0, 0, 0]
    assert [row["played"] for row in more] == [1, 1, 1, 1]
    assert len({row["run_dir"] for row in (*first, *again, *more)}) == 4


def test_a_dry_run_of_a_sweep_plays_nothing(sweep: Sweep, tmp_path: Path) -> None:
    status, out, _ = sweep(AGENTS, "trials=4", "--dry-run", "--json")
    rows: list[dict[str, Any]] = json.loads(out)["rows"]
    assert (status, [row["episodes"] for row in rows]) == (0, [4, 4])
    assert not list(tmp_path.glob("**/episodes.jsonl"))
    assert not (tmp_path / "runs" / "default").exists()


@pytest.mark.parametrize("override", ["agent=beer_game/typical,beer_game/typicl", "trails=1,2", "agent.alhpa=1,2"])
def test_G17_a_sweep_with_a_wrong_name_starts_nothing(sweep: Sweep, tmp_path: Path, override: str) -> None:
    status, out, err = sweep("agent=beer_game/typical", override)
    assert (status, out) == (2, "")
    assert "Did you mean" in err[-1]
    assert not list(tmp_path.glob("**/episodes.jsonl"))


def test_standard_output_is_json_alone_in_a_process_too(tmp_path: Path) -> None:
    arguments = ["run", "-m", "env=beer_game", "evaluator.report=false", AGENTS, "trials=20", "--json"]
    found = subprocess.run(
        [sys.executable, "-m", "bizgym.evaluators.cli", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0
    assert [row["ok"] for row in json.loads(found.stdout)["rows"]] == [True, True]
    lines = found.stderr.splitlines()
    assert [line for line in lines if line.startswith("job ")] == [
        f"job {k} (env=beer_game evaluator.report=False agent=beer_game/{name} trials=20): ok"
        for k, name in enumerate(("typical", "tau8"))
    ]
    (last,) = [line for line in lines if line.startswith("20/20 episodes, beer_game/tau8: mean ")]
    assert last.endswith("(n=20)")

"""Sweeps through Hydra's launchers, one job after another and in processes: the same verdicts, runs and exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.hydra_settings import BASIC_LAUNCHER, JOBLIB_LAUNCHER, check_hydra
from bizgym.evaluators.cli.sweep import folder_of

from tests.fixtures.records import content, rows_of

LAUNCHERS = {"basic": [], "joblib": ["hydra/launcher=joblib", "hydra.launcher.n_jobs=2"]}
PATHS = os.pathsep.join(path for path in sys.path if path)
BEER = ["env=beer_game", "evaluator.report=false"]


class Done(NamedTuple):
    """What a sweep in a process of its own came to."""

    status: int
    rows: list[dict[str, Any]]
    err: str

    def folders(self) -> list[Path]:
        return [Path(row["run_dir"]) for row in self.rows]


def sweep(folder: Path, launcher: str, *overrides: str) -> Done:
    command = [sys.executable, "-m", "bizgym.evaluators.cli", "run", "-m", "--json", *BEER, *LAUNCHERS[launcher]]
    done = subprocess.run(
        [*command, *overrides],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=False,
    )
    rows = json.loads(done.stdout)["rows"] if done.stdout else []
    return Done(done.returncode, rows, done.stderr)


@pytest.fixture(params=LAUNCHERS)
def launcher(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_H01_a_broken_job_says_so_at_once_and_the_others_go_on(launcher: str, tmp_path: Path) -> None:
    done = sweep(tmp_path, launcher, "agent=beer_game/tau8", "env.ship_weeks=99,1,2")
    assert done.status == 1
    assert [row["ok"] for row in done.rows] == [False, True, True]
    assert [row["reward"]["beer_game/tau8"] for row in done.rows[1:]] == [-8_955.0, -25_418.0]
    said = [line for line in done.err.splitlines() if line.startswith("job ")]
    assert len(said) == 3
    (failed,) = [line for line in said if "failed" in line]
    assert failed.endswith("env.ship_weeks=99): failed: ship_weeks must be an integer from 1 to 12, got 99")
    if launcher == "basic":  # the first job's line came first, not at the end
        assert said[0] == failed


def test_H01_the_first_failure_ends_a_sweep_that_is_told_to_stop(launcher: str, tmp_path: Path) -> None:
    one_worker = ["hydra.launcher.n_jobs=1"] if launcher == "joblib" else []
    done = sweep(tmp_path, launcher, "agent=beer_game/tau8", "env.ship_weeks=1,99,2", "--stop-early", *one_worker)
    assert (done.status, [row["ok"] for row in done.rows]) == (1, [True, False, False])
    assert done.rows[2]["error"] == "skipped: an earlier job failed"
    assert len(list((tmp_path / "runs" / "default").iterdir())) == 1


def test_H05_the_same_sweep_again_plays_0_new_episodes(launcher: str, tmp_path: Path) -> None:
    overrides = ["agent=beer_game/tau8,beer_game/typical", "seed=1,2", "trials=2"]
    first, again = (sweep(tmp_path, launcher, *overrides) for _ in range(2))
    assert [row["played"] for row in first.rows] == [2] * 4
    assert [row["played"] for row in again.rows] == [0] * 4
    assert first.folders() == again.folders()


def test_H04_jobs_that_share_a_run_take_turns(launcher: str, tmp_path: Path) -> None:
    done = sweep(tmp_path, launcher, "agent=beer_game/tau8", "trials=2,2,3,3")
    assert (done.status, [row["ok"] for row in done.rows]) == (0, [True] * 4)
    assert len({row["run_dir"] for row in done.rows}) == 1
    assert sum(row["played"] for row in done.rows) == len(rows_of(tmp_path / done.rows[0]["run_dir"])) == 3


def test_H04_the_same_sweep_started_twice_at_once_runs_once(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bizgym.evaluators.cli", "run", "-m", "--json", *BEER]
    overrides = ["agent=beer_game/tau8,beer_game/typical", "trials=40"]
    environment = {**os.environ, "PYTHONPATH": PATHS}
    started = [
        subprocess.Popen([*command, *overrides], cwd=tmp_path, env=environment, stdout=-1, stderr=-1, text=True)
        for _ in range(2)
    ]
    ends = [(*process.communicate(), process.returncode) for process in started]
    played = [row["played"] for out, _, status in ends if status == 0 for row in json.loads(out)["rows"]]
    refused = [err for _, err, status in ends if status != 0]
    assert all("another process runs this sweep; wait for it" in err for err in refused)
    assert sum(played) == 80  # whether they met or came one after the other
    assert sum(len(rows_of(path)) for path in (tmp_path / "runs" / "default").iterdir()) == 80


def test_H04_a_sweep_that_another_process_runs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    fcntl = pytest.importorskip("fcntl")
    monkeypatch.chdir(tmp_path)
    overrides = [*BEER, "agent=beer_game/tau8", "seed=1,2"]
    folder = folder_of(overrides)
    folder.mkdir(parents=True)
    with (folder / ".lock").open("ab") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert main(["run", "-m", *overrides]) == 1
        assert "another process runs this sweep" in capsys.readouterr().err
    assert main(["run", "-m", *overrides]) == 0


def test_both_launchers_leave_the_same_records(tmp_path: Path) -> None:
    found = {}
    for launcher in LAUNCHERS:
        (tmp_path / launcher).mkdir()
        done = sweep(tmp_path / launcher, launcher, "agent=cot,beer_game/random", "client=scripted", "trials=2")
        found[launcher] = [[content(row) for row in rows_of(tmp_path / launcher / path)] for path in done.folders()]
    assert len(found["basic"]) == 2
    assert found["basic"] == found["joblib"]


def test_a_worker_that_is_killed_fails_its_job_and_the_sweep(tmp_path: Path) -> None:
    (tmp_path / "agent").mkdir()
    agent = "_target_: tests.fixtures.players.Dies\nname: dies\n"
    (tmp_path / "agent" / "dies.yaml").write_text(agent, encoding="utf-8")
    done = sweep(tmp_path, "joblib", "agent=dies", "trusted_targets=[tests]", "--config-dir", ".")
    assert done.status == 1
    assert [(row["ok"], row["error"]) for row in done.rows] == [
        (False, "the job did not end; its process was stopped or lost")
    ]
    assert "launcher: TerminatedWorkerError" in done.err


REFUSED = {
    "hydra.launcher._target_=os.system": "hydra.launcher._target_",
    "hydra.sweeper._target_=builtins.exec": "hydra.sweeper._target_",
    "+hydra.callbacks.mine={_target_: os.system, command: 'touch made'}": "hydra.callbacks.mine._target_",
    "+hydra.callbacks.mine={_target_: bizgym.agents.cot.ChainOfThought}": "hydra.callbacks.mine._target_",
    "hydra/job_logging=default": "hydra.job_logging",
    "hydra/hydra_logging=default": "hydra.hydra_logging",
}


@pytest.mark.parametrize("override", REFUSED)
def test_hydra_builds_nothing_that_a_configuration_names(
    override: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", "-m", *BEER, "agent=beer_game/tau8,beer_game/typical", override]) == 2
    assert REFUSED[override] in capsys.readouterr().err
    assert not list(tmp_path.rglob("episodes.jsonl"))
    assert not (tmp_path / "made").exists()


def test_a_launcher_from_elsewhere_is_built_once_its_package_is_trusted() -> None:
    settings = {"launcher": {"_target_": "hydra_plugins.acme.Launcher"}, "sweeper": {}}
    with pytest.raises(SettingError, match="trusted_targets"):
        check_hydra(settings, [])
    check_hydra(settings, ["hydra_plugins.acme"])
    for known in (BASIC_LAUNCHER, JOBLIB_LAUNCHER):
        check_hydra({"launcher": {"_target_": known, "inner": [{"depth": 1}]}}, [])
    with pytest.raises(SettingError, match=r"hydra\.launcher\.inner\.0\._target_"):
        check_hydra({"launcher": {"_target_": BASIC_LAUNCHER, "inner": [{"_target_": "os.system"}]}}, [])


@pytest.mark.parametrize("key", ["hydra/job_logging", "+hydra.callbacks.x", "~hydra.launcher"])
def test_a_sweepers_own_parameters_reach_no_setting_of_hydra(key: str) -> None:
    check_hydra({"sweeper": {"params": {"agent": "cot,ace"}}}, [])
    with pytest.raises(SettingError, match="sweeping over Hydra's own settings"):
        check_hydra({"sweeper": {"params": {key: "a,b"}}}, [])

"""What a sweep reads and what it leaves: settings inside swept groups, dry runs, refusals, and the page of a report."""

import json

import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.swept_groups import one_by_one

AGENTS = "agent=beer_game/typical,beer_game/tau8"


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    """`bizgym` in an empty folder: exit status, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        status = main(list(arguments))
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def sweep(call):
    return lambda *overrides: call("run", "-m", "evaluator.report=false", "progress=off", *overrides)


@pytest.mark.parametrize(
    "value", ["train", "'a b'", '"a, b"', "[1,2]", "{a:1}", "0.5", "1e5", "true", "a:b", "${seed}"]
)
def test_one_value_inside_a_swept_group_becomes_a_sweep_over_it(value):
    told = one_by_one(["env=qa,consulting", f"env.x={value}", f"+env.y={value}", f"agent.x={value}", "env.z=1,2"])
    assert told[1:] == [f"env.x=choice({value})", f"+env.y=choice({value})", f"agent.x={value}", "env.z=1,2"]


@pytest.mark.parametrize("override", ["env.x=null", "~env.x"])
def test_what_hydra_cannot_sweep_comes_with_a_way_out(override):
    with pytest.raises(SettingError, match=r"cannot stand beside a sweep over env; .*--config-dir"):
        one_by_one(["env=qa,consulting", override])
    assert one_by_one(["env=qa", override]) == ["env=qa", override]


def test_a_setting_of_one_value_holds_for_every_environment_of_a_sweep(sweep):
    arguments = ["env=qa,consulting", "env.split=train", "agent=cot", "client=scripted", "limit=1", "--dry-run"]
    status, out, _ = sweep(*arguments, "--json")
    rows = json.loads(out)["rows"]
    assert (status, [row["error"] for row in rows]) == (0, ["", ""])
    assert all("env.split=train" in row["overrides"] for row in rows)


def test_a_dry_run_and_a_refused_sweep_leave_nothing(sweep, tmp_path):
    assert sweep("env=beer_game", AGENTS, "--dry-run")[0] == 0
    assert sweep("env=beer_game", AGENTS, "trails=1")[0] == 2
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_keeps_the_verdicts_of_the_sweep_itself(sweep, call):
    sweep("env=beer_game", AGENTS)
    assert sweep("env=beer_game", AGENTS, "--dry-run")[0] == 0
    status, out, _ = call("report", "runs/sweeps", "--json")
    assert (status, len(json.loads(out)["rows"])) == (0, 2)


def test_a_sweep_without_runs_is_left_out_with_a_note_and_an_error_by_itself(sweep, call, tmp_path):
    sweep("env=beer_game", AGENTS)
    (tmp_path / "runs" / "sweeps" / "empty" / "verdicts").mkdir(parents=True)
    status, out, _ = call("report", "runs/sweeps", "--json")
    content = json.loads(out)
    assert (status, len(content["rows"])) == (0, 2)
    (note,) = [row["note"] for row in content["notes"] if row["env"] is None]
    assert note == "Left out: runs/sweeps/empty: no job of this sweep has ended."
    assert call("report", "runs/sweeps/empty")[0] == 2


def test_the_page_of_a_sweep_is_no_runs_own(sweep, call, tmp_path):
    sweep("env=beer_game", AGENTS)
    (folder,) = (tmp_path / "runs" / "sweeps").iterdir()
    assert json.loads(call("report", str(folder), "--json")[1])["report"] == str(folder / "report.html")
    runs = [str(path) for path in (tmp_path / "runs" / "default").iterdir()]
    assert json.loads(call("report", *runs, "--json")[1])["report"] == "runs/report.html"
    assert not list((tmp_path / "runs" / "default").glob("*/report.html"))


def test_skipped_jobs_are_not_called_failed_and_no_board_is_promised_without_a_run(sweep):
    status, out, err = sweep("env=beer_game", "agent=beer_game/tau8", "env.ship_weeks=98,99", "--stop-early")
    assert status == 1
    assert err.splitlines()[-1].endswith("): skipped: an earlier job failed")
    assert "One leaderboard of all" not in out


def test_a_console_in_a_notebook_writes_to_its_stream(monkeypatch, capsys):
    monkeypatch.setattr("rich.console._is_jupyter", lambda: True)
    from bizgym.evaluators.tables import console

    console().print("told")
    assert capsys.readouterr().out == "told\n"

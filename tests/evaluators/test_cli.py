"""The command line: what it prints where, in which shape, and with which exit status."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bizgym.envs.core.run_folder import EPISODES
from bizgym.evaluators.cli import main

from tests.evaluators.test_replay import order_of, step, tamper
from tests.fixtures.records import record, write_run

GAME = ["run", "env=beer_game", "agent=beer_game/tau8", "evaluator.report=false", "run_dir=out", "progress=off"]
PROCESS = [sys.executable, "-m", "bizgym.evaluators.cli"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


class Said(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def bizgym(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    """The command line in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> Said:
        try:
            status = main(list(arguments))
        except SystemExit as left:  # argparse's own usage errors
            status = int(left.code or 0)
        return Said(status, *capsys.readouterr())

    return call


def test_run_list_score_and_replay_print_json_alone(bizgym: Callable[..., Said]) -> None:
    ran = bizgym(*GAME, "trials=3", "--json")
    content = json.loads(ran.out)
    assert (ran.status, ran.err) == (0, "")
    assert (content["command"], content["ok"], content["run_dir"], content["report"]) == ("run", True, "out", None)
    assert [content[name] for name in ("n", "attempted", "errored", "unscored")] == [3, 3, 0, 0]
    assert content["by_agent"]["beer_game/tau8"]["reward"] == -25_418.0
    scored = bizgym("score", "out", "--json")
    content = json.loads(scored.out)
    assert (scored.status, scored.err, content["command"], content["ok"]) == (0, "", "score", True)
    wanted = {"agent", "metric", "value", "ci95", "n", "attempted", "errored", "unscored"}
    assert all(set(row) >= wanted for row in content["rows"])
    reward = next(row for row in content["rows"] if row["metric"] == "reward")
    assert (reward["value"], reward["ci95"]) == (-25_418.0, None)  # two trials of one task alone
    replayed = bizgym("replay", "out", "--json")
    content = json.loads(replayed.out)
    assert (replayed.status, replayed.err, content["command"], content["ok"]) == (0, "", "replay", True)
    row = {"agent": "beer_game/tau8", "task_id": "default", "ok": True, "difference": ""}
    assert content["rows"] == [{**row, "trial": trial} for trial in range(3)]


def test_list_counts_in_integers(bizgym: Callable[..., Said]) -> None:
    listed = bizgym("list", "--json")
    content = json.loads(listed.out)
    assert (listed.status, listed.err, list(content)) == (0, "", ["envs"])
    assert "bizgym/BeerGame-v0" in [row["id"] for row in content["envs"]]
    for row in content["envs"]:
        assert set(row) == {"id", "tasks", "splits", "tools", "documents"}
        assert all(type(row[name]) is int for name in ("tasks", "tools", "documents"))
        assert row["tasks"] == sum(row["splits"].values()) > 0
        assert all(type(number) is int for number in row["splits"].values())
    assert "bizgym/BeerGame-v0" in bizgym("list").out


def test_report_prints_json_alone(bizgym: Callable[..., Said]) -> None:
    ran = bizgym(*GAME[:3], *GAME[4:], "--json")
    assert json.loads(ran.out)["report"] == str(Path("out", "report.html"))
    assert Path("out", "report.html").stat().st_size > 1_000
    written = bizgym("report", "out", "--out", "page.html", "--json")
    assert (written.status, written.err) == (0, "")
    told = json.loads(written.out)
    assert (told["command"], told["ok"], told["report"]) == ("report", True, "page.html")
    assert Path("page.html").stat().st_size > 1_000


def test_prove_and_anchors_print_json_alone(bizgym: Callable[..., Said], monkeypatch: pytest.MonkeyPatch) -> None:
    held = {"claim": "c", "n": 3, "held": 3, "first_failure": None}
    rows = [held, {**held, "held": 2, "first_failure": "x"}]
    asked: list[Any] = []

    def prove(*arguments: Any) -> list[dict[str, Any]]:
        asked.append(arguments[:2])
        return rows[: len(asked)]

    def compute_anchors(env_id: str, settings: list[str]) -> dict[str, Any]:
        return {"id": env_id, "settings": settings}

    monkeypatch.setattr("bizgym.evaluators.prove.prove", prove)
    monkeypatch.setattr("bizgym.evaluators.cli.listing.compute_anchors", compute_anchors)
    proved = bizgym("prove", "beer_game", "--json")
    assert (proved.status, proved.err) == (0, "")
    assert json.loads(proved.out) == {"command": "prove", "ok": True, "rows": rows[:1]}
    failed = bizgym("prove", "bizgym/BeerGame-v0", "--task", "a", "--task", "b", "--json")
    assert failed.status == 1
    assert json.loads(failed.out) == {"command": "prove", "ok": False, "rows": rows}
    assert asked == [("bizgym/BeerGame-v0", None), ("bizgym/BeerGame-v0", ["a", "b"])]
    anchors = bizgym("anchors", "beer_game", "ship_weeks=1", "--json", "role=brewery")
    assert json.loads(anchors.out) == {
        "command": "anchors",
        "ok": True,
        "rows": [{"id": "bizgym/BeerGame-v0", "settings": ["ship_weeks=1", "role=brewery"]}],
    }


def test_a_dry_run_plays_nothing(bizgym: Callable[..., Said], tmp_path: Path) -> None:
    dry = bizgym(*GAME, "trials=7", "--dry-run", "--json")
    content = json.loads(dry.out)
    assert (dry.status, content["episodes"], content["on_disk"], content["run_dir"]) == (0, 7, 0, "out")
    assert (content["expected_calls"], content["expected_tokens"]) == (0, 0)
    assert list(tmp_path.iterdir()) == []
    assert bizgym(*GAME, "trials=2").status == 0
    assert json.loads(bizgym(*GAME, "trials=7", "--dry-run", "--json").out)["on_disk"] == 2
    assert "7 episodes, 2 on disk" in bizgym(*GAME, "trials=7", "--dry-run").out
    assert "1 episode, 1 on disk" in bizgym(*GAME, "--dry-run").out


CHANGES = {
    "reward": lambda fields: fields.update(reward=fields["reward"] + 1),
    "order": order_of(2, 7),
    "hash": lambda fields: fields["version"].update(task_set_hash="0"),
    "observation": step(1, observation="All is well."),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_tampered_record_fails_and_is_named(bizgym: Callable[..., Said], change: str) -> None:
    bizgym(*GAME, "trials=3")
    tamper(Path("out"), 1, CHANGES[change])
    for command in ("replay", "score") if change != "observation" else ("replay",):
        said = bizgym(command, "out")
        assert said.status == 1
        assert "3 episodes" in said.out
        assert "1 differ." in said.out
        (line,) = [line for line in said.out.splitlines() if line.startswith("beer_game/tau8\tdefault\t1\t")]
        found = json.loads(bizgym(command, "out", "--json").out)
        wrong = found["rows"][1] if command == "replay" else found["mismatches"][0]
        assert (found["ok"], wrong["task_id"], wrong["trial"], wrong["ok"]) == (False, "default", 1, False)
        assert wrong["difference"] == line.split("\t")[3]


def test_S10_two_missing_records_are_flagged(bizgym: Callable[..., Said]) -> None:
    bizgym(*GAME, "trials=10")
    lines = Path("out", EPISODES).read_bytes().splitlines(keepends=True)
    Path("out", EPISODES).write_bytes(b"".join(lines[:3] + lines[5:]))
    said = bizgym("score", "out")
    assert said.status == 1
    assert "Incomplete: n 10, attempted 8, errored 0, unscored 0. The means are over scored episodes alone." in said.out
    found = json.loads(bizgym("score", "out", "--json").out)
    assert [found[name] for name in ("ok", "complete", "n", "attempted")] == [False, False, 10, 8]
    assert all((row["n"], row["attempted"]) == (10, 8) for row in found["rows"])
    again = bizgym(*GAME, "trials=10")
    assert (again.status, "2 episodes played, 8 were there already." in again.out) == (0, True)


def test_errored_episodes_are_told_and_fail_the_command(bizgym: Callable[..., Said], tmp_path: Path) -> None:
    write_run(tmp_path / "out", [record("count_0"), record("count_1", reward=None, error="Trace\n503 \x1b[2J busy")])
    said = bizgym("score", "out")
    assert said.status == 1
    assert "a: provider_error 1, the first in count_1, trial 0: 503 \\x1b[2J busy" in said.out
    assert "\x1b" not in said.out


def test_S06_a_run_with_a_doubled_row_is_refused(bizgym: Callable[..., Said]) -> None:
    bizgym(*GAME, "trials=2")
    lines = Path("out", EPISODES).read_bytes()
    Path("out", EPISODES).write_bytes(lines + lines)
    for command in ("score", "replay", "report"):
        said = bizgym(command, "out")
        assert (said.status, said.out) == (1, "")
        assert "has a score in line 1 and again in line 3" in said.err
    said = bizgym(*GAME, "trials=3")
    assert (said.status, said.out) == (1, "")
    assert "has a score in line 1" in said.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "the following arguments are required: command"),
        (["scroe", "out"], "invalid choice: 'scroe'"),
        (["score"], "run_folder"),
        (["score", "nowhere"], "nowhere: there is no such folder"),
        (["replay", "."], "no episodes.jsonl there"),
        (["report", "nowhere"], "nowhere: there is no such folder"),
        (["list", "--jsonn"], "unrecognized arguments: --jsonn"),
        ([*GAME, "--dryrun"], "unrecognized arguments: --dryrun"),
        ([*GAME, "-x", "trials=2"], "unrecognized arguments: -x"),
        (["run"], "env and agent: choose both"),
        (["anchors", "beer_game", "ship_week=1"], "Did you mean 'ship_weeks'?"),
        (["anchors", "beer_game", "id=x"], "write key=value"),
        (["anchors", "beer_game", "ship_weeks"], "write key=value"),
        (["anchors", "beer_gme"], "Did you mean 'beer_game'?"),
        (["prove", "beer_gme"], "Did you mean 'beer_game'?"),
        (["prove", "bizgym/BearGame-v0"], "Did you mean 'bizgym/BeerGame-v0'?"),
        (["prove", "beer_game", "--task", "nope"], "there is no task 'nope'"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_is_wrong(
    bizgym: Callable[..., Said], arguments: list[str], message: str
) -> None:
    said = bizgym(*arguments)
    assert (said.status, said.out) == (2, "")
    assert message in said.err


def test_a_folder_of_another_run_is_refused_as_usage(bizgym: Callable[..., Said]) -> None:
    assert bizgym(*GAME).status == 0
    said = bizgym(*GAME, "seed=4")
    assert (said.status, said.out) == (2, "")
    assert [line for line in said.err.splitlines() if line[:2] in ("+ ", "- ")] == ["-  seed: 0", "+  seed: 4"]


def test_a_pipe_that_closes_early_is_no_error(tmp_path: Path) -> None:
    subprocess.run([*PROCESS, *GAME, "trials=300"], cwd=tmp_path, env=ENVIRONMENT, check=True, capture_output=True)
    for command in (["replay", "out", "--json"], ["replay", "out"], ["list"]):
        process = subprocess.Popen(
            [*PROCESS, *command], cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert (process.stderr.read(), process.wait(timeout=60)) == (b"", 0)


def test_listing_is_light() -> None:
    code = (
        "import sys; from bizgym.evaluators.cli import main; main(['list']); "
        "heavy = {'openai', 'anthropic', 'matplotlib', 'hydra', 'torch', 'ray', 'jinja2', 'scipy', 'pandas'}; "
        "print(sorted(heavy & {name.partition('.')[0] for name in sys.modules}))"
    )
    found = subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "[]"

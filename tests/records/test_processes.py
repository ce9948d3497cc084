"""Runs as processes: interrupted, short of disk, two at a time, many episodes, and in a plain locale."""

import json
import os
import resource
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from bizgym.envs.core.run_folder import EPISODES, Asked, RunFolder
from bizgym.envs.core.trajectory import to_line

from tests.fixtures.records import baseline, content, play, rows_of

CLI = [sys.executable, "-m", "bizgym.evaluators.cli"]
GAME = ["env=beer_game", "agent=beer_game/tau8", "evaluator.report=false", "run_dir=run"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}


def start(folder: Path, *arguments: str, **settings: Any) -> subprocess.Popen[str]:
    folder.mkdir(exist_ok=True)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "encoding": "utf-8"}
    return subprocess.Popen([*CLI, *arguments], cwd=folder, **{"env": ENVIRONMENT, **pipes, **settings})


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err


def whole_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def hear_interrupts() -> None:
    """Whoever starts the tests may have been deaf to them."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("executor", ["serial", "threads", "process"])
def test_L06_an_interrupt_after_three_episodes_keeps_them(tmp_path: Path, executor: str) -> None:
    arguments = ["run", *GAME, f"executor={executor}", "executor.workers=2", "trials=2000"]
    process = start(tmp_path, *arguments, process_group=0, preexec_fn=hear_interrupts)
    give_up = monotonic() + 40
    while whole_lines(tmp_path / "run" / EPISODES) < 3 and monotonic() < give_up:
        sleep(0.001)
    os.killpg(process.pid, signal.SIGINT)
    status, out, err = finish(process)
    assert (status, out) == (1, "")
    assert err.splitlines()[-1] == "bizgym: interrupted; finished episodes are on disk, the same command continues"
    assert "Traceback" not in err
    kept = len(rows_of(tmp_path / "run"))
    assert 3 <= kept < 2_000
    status, out, _ = finish(start(tmp_path, *arguments[:-1], f"trials={kept + 2}", "--json"))
    assert status == 0
    assert [json.loads(out)[name] for name in ("n", "attempted", "errored")] == [kept + 2, kept + 2, 0]
    assert Counter(row.trial for row in rows_of(tmp_path / "run")) == dict.fromkeys(range(kept + 2), 1)


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))


def test_L02_a_file_that_may_not_grow_ends_the_run_with_a_message(tmp_path: Path) -> None:
    arguments = ["run", *GAME, "trials=20"]
    status, out, err = finish(start(tmp_path, *arguments, preexec_fn=limit_file_size))
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith("bizgym: ")
    assert "File too large" in err.splitlines()[-1]
    assert "Traceback" not in err
    content = (tmp_path / "run" / EPISODES).read_bytes()
    assert 0 < len(content) <= 200_000
    assert content.endswith(b"\n")
    kept = len(rows_of(tmp_path / "run"))
    assert finish(start(tmp_path, *arguments))[0] == 0
    assert kept < len(rows_of(tmp_path / "run")) == 20


def test_L02_a_small_disk_that_fills_up(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk)], capture_output=True, check=False
    )
    if mounted.returncode:
        pytest.skip("no small disk can be mounted here")
    try:
        arguments = ["run", *GAME[:-1], "run_dir=disk/run", "trials=20"]
        status, _, err = finish(start(tmp_path, *arguments))
        assert status == 1
        assert "No space left on device" in err.splitlines()[-1]
        rows = rows_of(disk / "run")
        assert 0 < len(rows) < 20
        assert (disk / "run" / EPISODES).read_bytes().endswith(b"\n")
        status, _, err = finish(start(tmp_path, "score", "disk/run"))  # no room for a summary either
        assert status == 1
        assert "Traceback" not in err
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        assert finish(start(tmp_path, *arguments))[0] == 0
        assert len(rows_of(disk / "run")) == 20
        names = {path.name for path in (disk / "run").iterdir()}
        assert names == {EPISODES, "config.yaml", "summary.json", ".lock"}
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_H04_two_runs_started_at_once_share_no_folder(tmp_path: Path) -> None:
    """One plays; the other is refused while it does, or finds it finished."""
    arguments = ["run", *GAME, "trials=60"]
    results = [finish(process) for process in [start(tmp_path, *arguments) for _ in range(3)]]
    statuses = sorted(status for status, _, _ in results)
    assert statuses[0] == 0
    for status, _, err in results:
        assert (status == 0) != ("another process is writing to this run" in err)
    assert Counter(row.trial for row in rows_of(tmp_path / "run")) == dict.fromkeys(range(60), 1)


APPEND = """
import sys, time
from pathlib import Path
from bizgym.envs.core.errors import RecordError
from bizgym.envs.core.run_folder import EpisodeWriter, RunFolder
from bizgym.envs.core.trajectory import to_line
from tests.fixtures.records import record

name, refused, written = sys.argv[2], 0, 0
while written < 50:
    try:
        with EpisodeWriter(RunFolder(Path(sys.argv[1]))) as writer:
            for _ in range(5):
                writer.append(to_line(record(trial=written, agent={"name": name}, error=name * 64_000)))
                written += 1
                time.sleep(0.001)
    except RecordError:
        refused += 1
        time.sleep(0.002)
print(refused)
"""


def test_L05_four_processes_and_not_a_line_is_mixed(tmp_path: Path) -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", APPEND, str(tmp_path), name], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        )
        for name in "abcd"
    ]
    refused = [int(process.communicate(timeout=60)[0]) for process in processes]
    assert sum(refused) > 0  # they did meet
    rows = rows_of(tmp_path)
    assert Counter((row.agent["name"], row.trial) for row in rows) == {
        (name, k): 1 for name in "abcd" for k in range(50)
    }
    assert all(row.error == row.agent["name"] * 64_000 for row in rows)


SCORE = """
import json, resource, sys
from contextlib import redirect_stdout
from io import StringIO
from bizgym.evaluators.cli import main
with redirect_stdout(StringIO()) as out:
    status = main(["score", sys.argv[1], "--json"])
scored = json.loads(out.getvalue())
print(json.dumps([status, scored["n"], scored["attempted"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss]))
"""


def many(folder: Path, episodes: int) -> list[int]:
    """Repeat one real episode; score it in a process of its own: [status, n, attempted, peak memory in KiB]."""
    play(folder, baseline("Tau8"), {"id": "bizgym/BeerGame-v0"})
    (row,) = rows_of(folder)
    run = RunFolder(folder)
    asked = Asked(env_id=row.env_id, agents=["tau8"], tasks=[row.task_id], trials=episodes)
    run.describe(run.description().model_copy(update={"asked": [asked], "config": {}}))
    with (folder / EPISODES).open("wb") as file:
        for trial in range(episodes):
            file.write(to_line(row.model_copy(update={"trial": trial})))
    scored = subprocess.run(
        [sys.executable, "-c", SCORE, str(folder)], env=ENVIRONMENT, capture_output=True, text=True, check=True
    )
    return list(json.loads(scored.stdout))


@pytest.mark.slow
def test_L01_memory_stays_flat_from_500_to_5000_episodes(tmp_path: Path) -> None:
    *few, few_kib = many(tmp_path / "few", 500)
    *lots, lots_kib = many(tmp_path / "lots", 5_000)
    assert (few, lots) == ([0, 500, 500], [0, 5_000, 5_000])
    assert (tmp_path / "lots" / EPISODES).stat().st_size > 200_000_000
    assert lots_kib < few_kib + 16 * 1024


@pytest.mark.parametrize("executor", ["serial", "process"])
def test_L11_a_plain_locale_changes_nothing(tmp_path: Path, executor: str) -> None:
    plain = {**ENVIRONMENT, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    for name, environment in (("utf8", ENVIRONMENT), ("plain", plain)):
        config = ["--config-dir", ".", "agent=mine", f"executor={executor}", "executor.workers=1"]
        folder = tmp_path / name
        folder.mkdir()
        (folder / "agent").mkdir()
        text = "_target_: tests.fixtures.players.Counts\nname: mine\npadding: 5\n"
        (folder / "agent" / "mine.yaml").write_text(text, encoding="utf-8")
        (folder / "env").mkdir()
        (folder / "env" / "counter.yaml").write_text("id: tests.fixtures.counter.env:bizgym-tests/Counter-v0\n")
        trust = ["env=counter", "trusted_targets=[tests]", "run_dir=run"]
        assert finish(start(folder, "run", *config, *trust, env=environment))[0] == 0
        replay = ["replay", "run", "--import", "tests.fixtures.counter.env"]
        status, out, err = finish(start(folder, *replay, env=environment))
        assert (status, out, err) == (0, "10 episodes played again, 0 differ.\n", "")
    one, other = ([content(row) for row in rows_of(tmp_path / name / "run")] for name in ("utf8", "plain"))
    assert one == other
    assert one[0]["steps"][0]["turn"]["text"] == "ééééé"
    assert one[0]["steps"][0]["observation"].startswith("café count")


def test_a_worker_that_dies_ends_the_run_with_a_message(tmp_path: Path) -> None:
    agent = ["+agent._target_=tests.fixtures.players.Ends", "+agent.name=ends", "trusted_targets=[tests]"]
    status, out, err = finish(start(tmp_path, "run", "env=beer_game", *agent, "executor=process", "run_dir=run"))
    assert (status, out) == (1, "")
    assert err.splitlines()[-1].startswith("bizgym: a worker process died")
    assert "Traceback" not in err

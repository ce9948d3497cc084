"""SIGKILL at random moments: every episode is on disk exactly once in the end, and the totals are as if undisturbed."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from time import monotonic, sleep

import pytest
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.aggregate import write_summary

from tests.fixtures.records import TASKS, content, play, player, rows_of

KILLS = 25
TRIALS = 20
AGENT = player("Counts", sleeps_ms=2.0, padding=20_000)
# Imports once and forks, so that a kill may come at any moment of a run and not mostly while Python starts: some
# after a time, and so before the first episode, the others after a number of episodes.
DRIVER = """
import json, os, random, signal, sys, time
from pathlib import Path
from tests.fixtures.records import play

folder, agent, settings, kills = json.loads(sys.argv[1])
draw = random.Random(7)
episodes = Path(folder, "episodes.jsonl")
size = lambda: episodes.stat().st_size if episodes.exists() else 0
for made in range(kills):
    before, growth = size(), draw.uniform(0, 8) * 81_000
    until = time.monotonic() + (draw.uniform(0, 0.4) if draw.random() < 0.3 else 30)
    child = os.fork()
    if not child:
        os.setpgid(0, 0)
        play(Path(folder), agent, **settings)
        os._exit(0)
    while time.monotonic() < until and size() < before + growth:
        time.sleep(0.0002)
    time.sleep(draw.uniform(0, 0.008))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status):
        sys.exit(f"the run ended by itself after {made} kills")
    print(json.dumps([child, size()]))
"""


def killed_again_and_again(folder: Path, executor: dict[str, object]) -> list[list[int]]:
    """Run and kill; return the process and the size of the file after each kill."""
    arguments = json.dumps([str(folder), AGENT, {"trials": TRIALS, "executor": executor}, KILLS])
    driver = subprocess.run(
        [sys.executable, "-c", DRIVER, arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=80,
        check=False,
    )
    assert driver.returncode == 0, driver.stderr[-2_000:]
    return [json.loads(line) for line in driver.stdout.splitlines()]


def is_anything_left_of(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="forks")
@pytest.mark.parametrize("executor", [{"name": "serial"}, {"name": "process", "workers": 2}], ids=["serial", "process"])
def test_L04_twenty_five_kills_and_not_an_episode_lost_or_doubled(tmp_path: Path, executor: dict[str, object]) -> None:
    killed = killed_again_and_again(tmp_path / "killed", executor)
    sizes = [size for _, size in killed]
    assert len(set(sizes)) > KILLS // 2  # most kills came at work
    rest = play(tmp_path / "killed", AGENT, trials=TRIALS, executor=executor)
    assert rest.played + rest.resumed == TRIALS * len(TASKS)
    assert rest.resumed >= sizes[-1] // 82_000 > 0
    play(tmp_path / "whole", AGENT, trials=TRIALS)
    killed_rows, whole_rows = rows_of(tmp_path / "killed"), rows_of(tmp_path / "whole")
    assert Counter(row.key for row in killed_rows) == {row.key: 1 for row in whole_rows}
    by_key = {row.key: content(row) for row in killed_rows}
    assert all(by_key[row.key] == content(row) for row in whole_rows)
    assert write_summary(RunFolder(tmp_path / "killed")) == write_summary(RunFolder(tmp_path / "whole"))
    groups = [group for group, _ in killed]
    give_up = monotonic() + 10
    while (left := [group for group in groups if is_anything_left_of(group)]) and monotonic() < give_up:
        sleep(0.05)
    assert left == []  # the workers of a killed run end by themselves

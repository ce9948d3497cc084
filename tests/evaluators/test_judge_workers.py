"""Interviews judged several at a time: the same lines in the same order, and nothing lost that was paid for."""

import _thread
import json
import shutil
import threading
import time

import pytest
from bizgym.agents.meter import Budget
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.cli import main
from bizgym.evaluators.judge.rows import FILE, WAITING, judged_rows
from bizgym.evaluators.judge.standings import judge_table, of_run

from tests.evaluators.test_judge_runs import STUB, TASKS, candidate, judge_of, run_judge
from tests.fixtures.judges import StubJudge
from tests.fixtures.records import play_all

ALL = [*TASKS, "pricing_1-middle-a"]
N = 2 * len(ALL)
PATIENCE_SECONDS = 20


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    path = tmp_path_factory.mktemp("judged") / "run"
    agents = {name: candidate(name) for name in ("Oracle", "Talker")}
    play_all(path, lineups={"main": {"env": {"id": "bizgym/Consulting-v0", "tasks": ALL}, "agents": agents}})
    return path


@pytest.fixture
def copy(played, tmp_path):
    def made(name, of=played):
        return RunFolder(shutil.copytree(of, tmp_path / name))

    return made


class Late(StubJudge):
    """Holds the first interview back until the disk, or whatever else it is told to wait for, is ready."""

    def __init__(self, until, **settings):
        super().__init__(**settings)
        self.until, self._lock, self._n = until, threading.Lock(), 0

    def complete(self, messages, tools, settings):
        with self._lock:
            self._n += 1
            first = self._n == 1
        give_up = time.monotonic() + PATIENCE_SECONDS
        while first and not self.until():
            assert time.monotonic() < give_up
            time.sleep(0.005)
        return super().complete(messages, tools, settings)


def written(folder):
    return list(judged_rows(folder))


def test_one_worker_and_four_write_the_same_lines_and_the_same_table(copy):
    one, four = copy("one"), copy("four")
    assert run_judge(one, judge_of(StubJudge()))
    late = Late(lambda: len(written(four)) >= N - 1)
    assert run_judge(four, judge_of(late), workers=4)
    assert (four.path / FILE).read_bytes() == (one.path / FILE).read_bytes()
    assert judge_table(of_run(four)) == judge_table(of_run(one))
    assert not (four.path / WAITING).exists()


def test_workers_judge_at_the_same_time(copy):
    meeting = threading.Barrier(4, timeout=PATIENCE_SECONDS)

    class Together(StubJudge):
        def complete(self, messages, tools, settings):
            self.asked.append(list(messages))
            if len(self.asked) <= 4:
                meeting.wait()
            return super().complete(messages, tools, settings)

    assert run_judge(copy("run"), judge_of(Together()), workers=4)


def test_a_killed_judge_loses_nothing_that_was_paid_for(copy):
    folder = copy("run")

    def killed():
        if len(written(folder)) < N - 1:
            return False
        copy("killed", of=folder.path)  # the disk as a kill leaves it
        return True

    assert run_judge(folder, judge_of(Late(killed)), workers=3)
    left = RunFolder(folder.path.parent / "killed")
    assert (left.path / WAITING).read_bytes().count(b"\n") == N - 1
    assert sum(row.counts.attempted for row in of_run(left)) == N - 1
    again = StubJudge()
    assert not run_judge(left, judge_of(again, budget=Budget(max_calls=N - 1)), workers=3)  # what waits is counted
    assert again.asked == []
    assert run_judge(left, judge_of(again), workers=3)
    assert len(again.asked) == 1
    assert sorted((left.path / FILE).read_bytes().splitlines()) == sorted(
        (folder.path / FILE).read_bytes().splitlines()
    )
    assert not (left.path / WAITING).exists()


def test_a_kill_between_two_files_doubles_no_line(copy):
    folder = copy("run")
    run_judge(folder, judge_of(StubJudge()))
    lines = (folder.path / FILE).read_bytes().splitlines(keepends=True)
    (folder.path / WAITING).write_bytes(b"".join(lines[1:3]) + lines[3][:20])
    assert len(written(folder)) == N
    assert run_judge(folder, judge_of(StubJudge()))
    assert (folder.path / FILE).read_bytes() == b"".join(lines)


def test_a_budget_brings_in_what_is_under_way_and_starts_nothing_more(copy, capsys):
    folder, client = copy("run"), StubJudge()
    assert not run_judge(folder, judge_of(client, budget=Budget(max_calls=2)), workers=2)
    assert 2 <= len(client.asked) == len(written(folder)) <= 3
    assert "A larger budget goes on from here" in capsys.readouterr().out
    assert run_judge(folder, judge_of(client), workers=4)
    assert len(client.asked) == len(written(folder)) == N


def test_an_interrupt_keeps_what_was_under_way(copy):
    folder = copy("run")

    class Interrupting(StubJudge):
        def complete(self, messages, tools, settings):
            if len(self.asked) == 2:
                _thread.interrupt_main()
                time.sleep(0.1)
            return super().complete(messages, tools, settings)

    client = Interrupting()
    with pytest.raises(KeyboardInterrupt):
        run_judge(folder, judge_of(client), workers=2)
    assert 3 <= len(client.asked) == len(written(folder)) < N
    assert not (folder.path / WAITING).exists()


def test_the_number_of_workers_is_an_option_and_a_setting(copy, capsys):
    folder = copy("run")
    assert main(["score", str(folder.path), "--judge", *STUB, "--workers", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [row["attempted"] for row in told["judged"]] == [len(ALL)] * 2
    assert main(["score", str(folder.path), "--judge", *STUB, "workers=1"]) == 0
    assert f"0 interviews judged, {N} judged before." in capsys.readouterr().out  # no judgement depends on it
    assert main(["score", str(folder.path), "--judge", *STUB, "--workers", "0"]) == 2
    assert "workers" in capsys.readouterr().err
    assert main(["score", str(folder.path), "--workers", "2"]) == 2
    assert "name one by --judge" in capsys.readouterr().err

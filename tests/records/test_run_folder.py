"""A run on disk: torn lines, whole lines, the valid row, one writer, and files that are never half written."""

import os
import random
from pathlib import Path

import pytest
from bizgym.envs.core.errors import RecordError
from bizgym.envs.core.run_folder import EPISODES, EpisodeWriter, RunFolder
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import to_line

from tests.fixtures.records import content, play, player, record, rows_of, write_run

ROWS = [record(f"count_{k}", reward=float(k), error="é😀" * k) for k in range(6)]
LINES = [to_line(row) for row in ROWS]
WHOLE = b"".join(LINES)


def folder_of(path: Path, content: bytes) -> RunFolder:
    path.mkdir(parents=True, exist_ok=True)
    (path / EPISODES).write_bytes(content)
    return RunFolder(path)


def test_a_torn_last_line_is_forgiven_wherever_it_is_torn(tmp_path: Path) -> None:
    """Also in the middle of a character of several bytes."""
    start = len(WHOLE) - len(LINES[-1])
    for cut in range(start, len(WHOLE) - 1):
        folder = folder_of(tmp_path, WHOLE[:cut])
        assert [row.task_id for row in folder.rows(with_steps=False)] == [row.task_id for row in ROWS[:-1]]


def test_a_whole_last_line_without_its_end_counts(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, WHOLE[:-1])
    assert list(folder.rows()) == ROWS
    with EpisodeWriter(folder) as writer:
        writer.append(to_line(record("count_9")))
    assert [row.task_id for row in folder.rows()] == [*(row.task_id for row in ROWS), "count_9"]
    assert (tmp_path / EPISODES).read_bytes() == WHOLE + to_line(record("count_9"))


@pytest.mark.parametrize("broken", [b"\n", b"{}\n", LINES[1][:-40] + b"\n", b"\xff\xfe\n"])
def test_a_broken_line_before_the_last_is_named(tmp_path: Path, broken: bytes) -> None:
    folder = folder_of(tmp_path, LINES[0] + broken + LINES[2])
    with pytest.raises(RecordError, match=rf"{EPISODES} line 2: "):
        list(folder.rows())


def test_1000_random_truncations_leave_exactly_one_row_each(tmp_path: Path) -> None:
    draw = random.Random(20)
    for _ in range(1_000):
        folder = folder_of(tmp_path, WHOLE[: draw.randrange(len(WHOLE) + 1)])
        with EpisodeWriter(folder) as writer:
            there = {row.task_id for row in folder.episodes(with_steps=False)}
            for row, line in zip(ROWS, LINES, strict=True):
                if row.task_id not in there:
                    writer.append(line)
        assert (tmp_path / EPISODES).read_bytes() == WHOLE


def test_a_run_resumes_from_random_truncations(tmp_path: Path) -> None:
    whole = tmp_path / "whole"
    play(whole, player("Counts", padding=7))
    expected = [content(row) for row in rows_of(whole)]
    bytes_of_whole = (whole / EPISODES).read_bytes()
    draw = random.Random(21)
    for _ in range(40):
        cut = draw.randrange(len(bytes_of_whole) + 1)
        (whole / EPISODES).write_bytes(bytes_of_whole[:cut])
        there = bytes_of_whole[: cut + 1].count(b"\n")
        result = play(whole, player("Counts", padding=7))
        assert (result.played, result.resumed) == (10 - there, there)
        assert [content(row) for row in rows_of(whole)] == expected


def test_the_last_row_of_an_episode_is_the_valid_one(tmp_path: Path) -> None:
    failed = record("count_0", reward=None, error="503")
    folder = write_run(tmp_path, [failed, record("count_1"), failed, record("count_0", reward=0.25)])
    assert [(row.task_id, row.reward) for row in folder.episodes()] == [("count_1", 1.0), ("count_0", 0.25)]
    assert len(list(folder.rows())) == 4


@pytest.mark.parametrize("second", [record("count_0", reward=1.0), record("count_0", reward=None)])
def test_S06_a_scored_row_that_stands_twice_is_refused(tmp_path: Path, second: object) -> None:
    folder = write_run(tmp_path, [record("count_0"), record("count_1"), second])  # type: ignore[list-item]
    with pytest.raises(RecordError, match=r"count_0.*line 1 and again in line 3"):
        folder.valid()


def test_rows_of_other_agents_trials_and_tasks_are_other_episodes(tmp_path: Path) -> None:
    rows = [record(), record(trial=1), record("count_1"), record(agent={"name": "b"}), record(env_id="x/Y-v0")]
    assert len(write_run(tmp_path, rows).valid()) == 5


def test_L05_one_writer_at_a_time(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path / "run")
    with EpisodeWriter(folder), pytest.raises(RecordError, match="another process is writing"), EpisodeWriter(folder):
        pass
    with EpisodeWriter(folder) as writer:  # the lock went with the first writer
        writer.append(LINES[0])
    with pytest.raises(ZeroDivisionError), EpisodeWriter(folder):
        raise ZeroDivisionError
    with EpisodeWriter(folder) as writer:
        writer.append(LINES[1])
    assert list(folder.rows()) == ROWS[:2]


def test_a_folder_that_cannot_be_written_leaves_no_lock_behind(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    (tmp_path / EPISODES).mkdir()
    with pytest.raises(OSError, match=EPISODES), EpisodeWriter(folder):
        pass
    (tmp_path / EPISODES).rmdir()
    with EpisodeWriter(folder) as writer:
        writer.append(LINES[0])
    assert list(folder.rows()) == ROWS[:1]


def test_L02_a_full_disk_leaves_whole_lines_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = len(LINES[0]) + len(LINES[1]) // 2
    real_write = os.write

    def write(descriptor: int, data: bytes) -> int:
        """Takes 300 bytes at a time until the disk is full."""
        nonlocal room
        taken = min(300, room, len(data))
        if taken == 0:
            raise OSError(28, "No space left on device")
        room -= taken
        return real_write(descriptor, bytes(data[:taken]))

    folder = RunFolder(tmp_path)
    monkeypatch.setattr("bizgym.envs.core.run_folder.os.write", write)
    with EpisodeWriter(folder) as writer:
        writer.append(LINES[0])
        with pytest.raises(OSError, match="No space left"):
            writer.append(LINES[1])
    assert (tmp_path / EPISODES).read_bytes() == LINES[0]


def test_L02_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = RunFolder(tmp_path)
    folder.write_text("summary.json", "old")

    def full(path: Path, text: str, **_: object) -> int:
        with path.open("wb") as file:
            file.write(text.encode()[:3])
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="No space left"):
            folder.write_text("summary.json", "new content")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("summary.json", "old")]
    assert folder.write_text("summary.json", "né\r\n").read_bytes() == "né\r\n".encode()


def test_what_is_no_run_is_named(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="no such folder"):
        RunFolder.open(tmp_path / "nowhere")
    with pytest.raises(RecordError, match=f"no {EPISODES} there"):
        RunFolder.open(tmp_path)
    folder = write_run(tmp_path, [])
    for text in ("a: [", "run_key: 3", "- 1", ""):
        (tmp_path / "config.yaml").write_text(text)
        with pytest.raises(RecordError, match=r"config\.yaml: "):
            folder.description()
    (tmp_path / "config.yaml").write_bytes(b"\xff")
    with pytest.raises(RecordError, match=r"config\.yaml: "):
        folder.description()


def test_errored_rows_have_no_score_and_scored_ones_do() -> None:
    errored = {reason for reason in StopReason if not reason.scored}
    assert errored == {"provider_error", "simulator_failure", "env_error", "cancelled"}
    assert len(StopReason) == 15

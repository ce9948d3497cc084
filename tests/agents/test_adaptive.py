"""Agents that learn: in order, one after another, and from where they were after a kill."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from bizgym.envs.core.errors import RecordError, SettingError
from bizgym.envs.core.run_folder import EpisodeWriter, RunFolder

from tests.fixtures.counter.env import MODULE_ID
from tests.fixtures.records import content, play, play_all, player, rows_of

GAME = {"id": "bizgym/BeerGame-v0", "horizon": 4}


class Killed(BaseException):
    """What a kill looks like from inside: nothing runs after it."""


def learn(folder: Path, trials: int = 5, **settings: Any) -> Any:
    diary = folder.parent / "diary"
    return play(folder, player("Learner", diary=str(diary), **settings), GAME, trials=trials)


def diary_of(folder: Path) -> list[str]:
    path = folder.parent / "diary"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.unlink()
    return lines


def orders_of(folder: Path) -> list[int]:
    """What the agent ordered in the first week of each episode, in the order of writing."""
    turns = [row.steps[0].turn for row in rows_of(folder) if row.agent["name"] == "learner"]
    return [turn.calls[0]["arguments"]["quantity"] for turn in turns if turn is not None and turn.calls is not None]


@pytest.mark.parametrize("executor", ["serial", "threads", "process"])
def test_episodes_are_played_in_order_one_after_another(tmp_path: Path, executor: str) -> None:
    learner = player("Learner", diary=str(tmp_path / "diary"))
    lineups = {
        "learning": {"env": GAME, "agents": {"a": learner}},
        "counting": {"env": {"id": MODULE_ID, "tasks": ["count_0"]}, "agents": {"b": player("Counts")}},
    }
    play_all(tmp_path / "run", lineups=lineups, trials=5, executor={"name": executor, "workers": 4})
    rows = rows_of(tmp_path / "run")
    assert [row.agent["name"] for row in rows] == [*["counts"] * 5, *["learner"] * 5]
    learned = [row.trial for row in rows if row.agent["name"] == "learner"]
    assert learned == [0, 1, 2, 3, 4]
    assert orders_of(tmp_path / "run") == [100, 110, 120, 130, 140]
    lines = diary_of(tmp_path / "run")
    assert [line.split()[0] for line in lines] == ["begin_run", *["begin_episode"] * 5]
    assert [line.split()[-1] for line in lines[1:]] == ["0", "1", "2", "3", "4"]


def test_what_was_learned_is_kept_between_runs(tmp_path: Path) -> None:
    run = tmp_path / "run"
    learn(run, trials=2)
    learn(run, trials=4)
    assert orders_of(run) == [100, 110, 120, 130]
    assert [line for line in diary_of(run) if not line.startswith("begin_episode")] == [
        "begin_run",
        "begin_run",
        "load_state 2",
    ]
    (state,) = (run / "agent_state").iterdir()
    stored = json.loads(state.read_text(encoding="utf-8"))
    rewards = [row.reward for row in rows_of(run)]
    assert stored == {"agent": "learner", "after": 4, "state": {"seen": rewards}, "before": {"seen": rewards[:3]}}


def killed_before_append(writer: EpisodeWriter, line: bytes, real: Callable[[EpisodeWriter, bytes], None]) -> None:
    raise Killed


def killed_in_append(writer: EpisodeWriter, line: bytes, real: Callable[[EpisodeWriter, bytes], None]) -> None:
    real(writer, line[: len(line) // 2])
    raise Killed


def killed_after_append(writer: EpisodeWriter, line: bytes, real: Callable[[EpisodeWriter, bytes], None]) -> None:
    real(writer, line)
    raise Killed


@pytest.mark.parametrize("kill", [killed_before_append, killed_in_append, killed_after_append])
@pytest.mark.parametrize("at", [1, 2, 4, 5])
def test_a_kill_on_either_side_of_the_record_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kill: Callable[..., None], at: int
) -> None:
    """The state is on disk first, then the record: the resumed run is the undisturbed one."""
    learn(tmp_path / "whole" / "run")
    expected = [content(row) for row in rows_of(tmp_path / "whole" / "run")]
    real, calls = EpisodeWriter.append, iter(range(1, 100))

    def append(writer: EpisodeWriter, line: bytes) -> None:
        if next(calls) == at:
            kill(writer, line, real)
        real(writer, line)

    run = tmp_path / "killed" / "run"
    run.parent.mkdir()
    with monkeypatch.context() as patch:
        patch.setattr(EpisodeWriter, "append", append)
        with pytest.raises(Killed):
            learn(run)
    lost = kill is not killed_after_append
    assert learn(run).played == 5 - at + lost
    found = [content(row) for row in rows_of(run)]
    for each in (*found, *expected):
        each["agent"]["settings"].pop("diary")
    assert found == expected


def test_a_kill_while_the_state_is_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, real = tmp_path / "run", Path.replace

    def replace(path: Path, target: Path) -> Path:
        if "agent_state" in str(target) and '"after": 3' in path.read_text(encoding="utf-8"):
            raise Killed
        return real(path, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", replace)
        with pytest.raises(Killed):
            learn(run)
    assert learn(run).played == 3
    assert orders_of(run) == [100, 110, 120, 130, 140]


def test_a_failure_of_the_infrastructure_ends_the_lesson_until_the_next_run(tmp_path: Path) -> None:
    run, outage = tmp_path / "run", tmp_path / "outage"
    outage.touch()
    learn(run, outage=str(outage))
    assert [row.stop_reason.value for row in rows_of(run)] == ["env_done", "env_done", "provider_error"]
    learn(run, outage=str(outage))
    assert [row.stop_reason.value for row in rows_of(run)] == [*["env_done"] * 2, *["provider_error"] * 2]
    outage.unlink()
    assert learn(run, outage=str(outage)).played == 3
    scored = [row for row in rows_of(run) if row.scored]
    assert [row.trial for row in scored] == [0, 1, 2, 3, 4]
    assert orders_of(run)[-3:] == [120, 130, 140]


def test_a_lost_state_is_not_played_over(tmp_path: Path) -> None:
    run = tmp_path / "run"
    learn(run, trials=3)
    (state,) = (run / "agent_state").iterdir()
    for text in (None, "{", "[]", '{"after": 2}', '{"after": 7, "state": {}, "before": {}}'):
        state.unlink(missing_ok=True)
        if text is not None:
            state.write_text(text, encoding="utf-8")
        with pytest.raises(RecordError, match=r"agent_state/\w+\.json"):
            learn(run, trials=4)
    assert len(rows_of(run)) == 3


def test_episodes_that_are_not_asked_for_now_were_learned_from_all_the_same(tmp_path: Path) -> None:
    run = tmp_path / "run"
    learn(run, trials=3)
    assert learn(run, trials=1).played == 0
    assert learn(run, trials=4).played == 1
    assert orders_of(run) == [100, 110, 120, 130]


def test_a_state_that_is_no_json_is_refused_before_its_record_is_written(tmp_path: Path) -> None:
    agent = player("Forgets", diary=str(tmp_path / "diary"))
    with pytest.raises(SettingError, match=r"agent forgets: state\(\) must return JSON"):
        play(tmp_path / "run", agent, GAME)
    assert rows_of(tmp_path / "run") == []
    assert list(RunFolder(tmp_path / "run").episodes()) == []


def test_an_adaptive_agent_that_cannot_begin_leaves_its_episodes_with_their_reason(tmp_path: Path) -> None:
    agent = player("CannotBegin", diary=str(tmp_path / "diary"))
    play(tmp_path / "run", agent, GAME, trials=2)
    rows = rows_of(tmp_path / "run")
    assert [row.stop_reason.value for row in rows] == ["agent_error", "env_done"]
    assert "ZeroDivisionError: broken in begin_run" in rows[0].error


@pytest.mark.parametrize(("feedback", "told"), [("outcome", True), ("none", False)])
def test_what_an_agent_is_told_after_an_episode(tmp_path: Path, feedback: str, told: bool) -> None:
    agent = player("Learner", diary=str(tmp_path / "diary"))
    play(tmp_path / "run", agent, GAME, feedback=feedback)
    (row,) = rows_of(tmp_path / "run")
    (state,) = (tmp_path / "run" / "agent_state").iterdir()
    learned = json.loads(state.read_text(encoding="utf-8"))["state"]["seen"]
    assert learned == ([row.reward] if told else [])
    assert row.error == "" if told else "end_episode: " in row.error

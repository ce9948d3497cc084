"""Runs: the same under every executor, continued by running again, and held to their key."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml
from bizgym.agents.run_config import RunConfig
from bizgym.agents.runner import choose_folder, make_plan, run
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.run_folder import RunFolder
from bizgym.envs.core.seeding import episode_seed
from bizgym.envs.core.trajectory import Trajectory
from bizgym.evaluators.aggregate import write_summary

from tests.fixtures.counter import env as counter
from tests.fixtures.players import TRUSTED, USAGE
from tests.fixtures.records import TASKS, baseline, content, play, player, rows_of

EXECUTORS = {"serial": {"name": "serial"}, "threads": {"name": "threads", "workers": 4}}
EXECUTORS["process"] = {"name": "process", "workers": 2}


def by_key(folder: Path) -> dict[Any, dict[str, Any]]:
    return {row.key: content(row) for row in rows_of(folder)}


@pytest.mark.parametrize("executor", ["threads", "process"])
def test_executors_give_equal_records(tmp_path: Path, executor: str) -> None:
    random = {"demand": "uniform", "id": "bizgym/BeerGame-v0"}
    for env, agent in (({"id": counter.MODULE_ID}, player("Counts", off_by=1)), (random, baseline("RandomCalls"))):
        for name in ("serial", executor):
            play(tmp_path / env["id"][-4:] / name, agent, env, trials=3, executor=EXECUTORS[name])
        serial, spread = (by_key(tmp_path / env["id"][-4:] / name) for name in ("serial", executor))
        assert len(serial) in (3, 30)
        assert spread == serial


@pytest.mark.parametrize("executor", EXECUTORS)
def test_G05_two_environments_play_five_tasks_exactly_once_each(tmp_path: Path, executor: str) -> None:
    """No environment resets itself: episodes are those asked for, each with the end it had."""
    play(tmp_path, player("Counts"), limit=5, executor={"name": executor, "workers": 2})
    rows = rows_of(tmp_path)
    assert sorted(row.task_id for row in rows) == TASKS[:5]
    assert all(row.terminated and row.n_steps == 2 and row.metrics for row in rows)
    assert [row.metrics["count"] for row in sorted(rows, key=lambda row: row.task_id)] == [3, 4, 5, 6, 7]  # type: ignore[index]


def test_L07_limit_and_trials_are_targets(tmp_path: Path) -> None:
    played = [
        play(tmp_path, player("Counts"), limit=limit, trials=trials).played
        for limit, trials in ((4, 1), (4, 1), (6, 1), (6, 3), (2, 1), (None, 3), (None, 3))
    ]
    assert played == [4, 0, 2, 12, 0, 12, 0]
    rows = rows_of(tmp_path)
    assert Counter((row.task_id, row.trial) for row in rows) == {(task, k): 1 for task in TASKS for k in range(3)}
    assert all(row.seed == episode_seed(0, row.task_id, row.trial) for row in rows)


def test_a_smaller_target_is_counted_as_asked(tmp_path: Path) -> None:
    play(tmp_path, player("Counts"))
    play(tmp_path, player("Counts"), limit=3)
    assert [write_summary(RunFolder(tmp_path))[name] for name in ("n", "attempted")] == [3, 3]
    assert len(rows_of(tmp_path)) == 10


def test_errored_episodes_are_played_again_and_their_rows_stay(tmp_path: Path) -> None:
    outage = tmp_path / "outage"
    outage.write_text("count_2 count_5 count_7")
    agent = player("Unreachable", outage=str(outage))
    assert play(tmp_path / "run", agent).played == 10
    failed = write_summary(RunFolder(tmp_path / "run"))
    assert [failed[name] for name in ("n", "attempted", "errored", "unscored")] == [10, 10, 3, 0]
    assert failed["stop_reasons"] == {"env_done": 7, "provider_error": 3}
    outage.write_text("count_7")
    assert play(tmp_path / "run", agent).played == 3
    assert play(tmp_path / "run", agent).played == 1
    outage.unlink()
    assert play(tmp_path / "run", agent).played == 1
    assert play(tmp_path / "run", agent).played == 0
    rows = rows_of(tmp_path / "run")
    counts = Counter(row.task_id for row in rows)
    assert (counts["count_2"], counts["count_5"], counts["count_7"], len(rows)) == (2, 2, 4, 15)
    assert [row.stop_reason.value for row in rows if row.task_id == "count_7"] == ["provider_error"] * 3 + ["env_done"]
    assert write_summary(RunFolder(tmp_path / "run"))["complete"]


def test_L03_totals_after_a_resume_cover_the_whole_run(tmp_path: Path) -> None:
    play(tmp_path / "parts", player("Counts"), limit=5)
    play(tmp_path / "parts", player("Counts"))
    play(tmp_path / "whole", player("Counts"))
    parts, whole = (write_summary(RunFolder(tmp_path / name)) for name in ("parts", "whole"))
    assert parts == whole
    assert whole["by_agent"]["counts"]["usage"] == {"act": {name: 20 * amount for name, amount in USAGE["act"].items()}}
    assert whole["by_agent"]["counts"]["steps"] == 20


def test_the_caller_hears_of_every_episode(tmp_path: Path) -> None:
    heard: list[tuple[str, int, int]] = []
    for limit in (3, 5):
        config = {"env": {"id": counter.MODULE_ID}, "agent": player("Counts"), "limit": limit, "run_dir": str(tmp_path)}
        run(
            RunConfig.parse({**config, "trusted_targets": TRUSTED}),
            lambda row, done, total: heard.append((row.task_id, done, total)),
        )
    first = [(TASKS[k], k + 1, 3) for k in range(3)]
    assert heard == [*first, *((TASKS[k], k + 1, 5) for k in range(5))]


def config_of(**settings: Any) -> RunConfig:
    fixed = {"env": {"id": counter.MODULE_ID}, "agent": player("Counts"), "trusted_targets": TRUSTED}
    return RunConfig.parse({**fixed, **settings})


SAME: list[dict[str, Any]] = [
    {"limit": 3},
    {"trials": 4},
    {"executor": {"name": "process", "workers": 7}},
    {"run_dir": "elsewhere"},
    {"progress": "plain"},
    {"fresh": True},
]
OTHER: list[dict[str, Any]] = [
    {"seed": 1},
    {"name": "other"},
    {"experiment": "other"},
    {"agent": player("Counts", off_by=1)},
    {"agent": player("Counts", name="renamed")},
    {"env": {"id": counter.MODULE_ID, "split": "train"}},
    {"limits": {"max_steps": 5}},
    {"feedback": "none"},
    {"evaluator": {"report": False}},
]


def test_the_key_ignores_where_and_how_far_and_nothing_else() -> None:
    key = config_of().key({"main": "h"})
    assert all(config_of(**settings).key({"main": "h"}) == key for settings in SAME)
    others = {config_of(**settings).key({"main": "h"}) for settings in OTHER}
    assert len(others | {key}) == len(OTHER) + 1
    assert config_of().key({"main": "another task set"}) not in others | {key}


def test_the_task_set_is_part_of_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    key = make_plan(config_of()).key
    tasks = [task.changed(target=task.target + 1) if task.task_id == "count_9" else task for task in counter.TASKS]
    monkeypatch.setattr(counter, "TASKS", type(counter.TASKS)(tasks))
    assert make_plan(config_of()).key != key


def test_the_default_folder_and_a_fresh_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    key = make_plan(config_of()).key
    names = []
    for fresh in (False, False, True, True, False):
        names.append(str(run(config_of(limit=1, fresh=fresh, name="try", experiment="e")).folder.path))
    first = names[0]
    assert first.startswith("runs/e/try-")
    assert names == [first, first, f"{first}-2", f"{first}-3", first]
    assert first != f"runs/e/try-{key[:8]}"  # name and experiment are part of the key
    assert [len(rows_of(Path(name))) for name in names] == [1] * 5
    given = [str(run(config_of(limit=1, fresh=fresh, run_dir="mine")).folder.path) for fresh in (True, True, False)]
    assert given == ["mine", "mine-2", "mine"]


def test_a_folder_of_another_run_is_refused_with_the_difference(tmp_path: Path) -> None:
    play(tmp_path, player("Counts"), limit=2)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    with pytest.raises(SettingError, match="holds another run") as refused:
        play(tmp_path, player("Counts", off_by=2), seed=9)
    changes = [line for line in str(refused.value).splitlines() if line[:2] in ("+ ", "- ")]
    assert changes == ["+    off_by: 2", "-  seed: 0", "+  seed: 9"]
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()} == before


def test_episodes_without_a_description_are_nobodys(tmp_path: Path) -> None:
    play(tmp_path, player("Counts"), limit=2)
    (tmp_path / "config.yaml").unlink()
    with pytest.raises(SettingError, match=r"holds episodes but no config\.yaml"):
        play(tmp_path, player("Counts"), limit=2)
    (tmp_path / "episodes.jsonl").write_bytes(b"")  # killed before its first episode
    assert play(tmp_path, player("Counts"), limit=2).played == 2


def test_the_description_says_what_was_asked(tmp_path: Path) -> None:
    result = play(tmp_path, player("Counts"), limit=2, trials=3)
    written = yaml.safe_load((tmp_path / "config.yaml").read_text(encoding="utf-8"))
    asked = {"env_id": counter.ENV_ID, "agents": ["counts"], "tasks": TASKS[:2], "trials": 3}
    assert written["asked"] == [asked]
    assert written["run_key"] == result.plan.key
    assert written["task_set_hashes"] == {"main": counter.TASKS.hash}
    assert json.loads(json.dumps(written["config"]))["agent"] == player("Counts")


def test_several_lineups_are_one_run(tmp_path: Path) -> None:
    lineups = {
        "counting": {
            "env": {"id": counter.MODULE_ID},
            "agents": {"a": player("Counts"), "b": player("Counts", name="b")},
        },
        "beer": {"env": {"id": "bizgym/BeerGame-v0"}, "agents": {"c": baseline("Tau8")}},
    }
    config = RunConfig.parse(
        {"lineups": lineups, "trusted_targets": TRUSTED, "run_dir": str(tmp_path), "limit": 2, "trials": 2}
    )
    assert run(config).played == 2 * 2 * 2 + 2
    assert choose_folder(config, make_plan(config)).path == tmp_path
    rows: list[Trajectory] = rows_of(tmp_path)
    assert Counter(row.agent["name"] for row in rows) == {"counts": 4, "b": 4, "tau8": 2}
    lineups["beer"]["agents"]["c"]["name"] = "b"  # type: ignore[index]
    with pytest.raises(SettingError, match="'b' stands twice"):
        RunConfig.parse({"lineups": lineups})

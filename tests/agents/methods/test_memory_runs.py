"""Methods with a memory in whole runs: nothing survives a run, and a run in parts is the run in one."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.fixtures.lessons import EASY, QA
from tests.fixtures.records import content, play, rows_of

AGENTS: dict[str, dict[str, Any]] = {
    "cumulative": {"_target_": "bizgym.agents.dynamic_cheatsheet.DynamicCheatsheet"},
    "retrieval": {"_target_": "bizgym.agents.dynamic_cheatsheet.DynamicCheatsheet", "variant": "retrieval"},
    "ace": {"_target_": "bizgym.agents.ace.ACE"},
    "ace_lean": {"_target_": "bizgym.agents.ace.ACE", "profile": "lean"},
    "amem": {"_target_": "bizgym.agents.amem.AMEM"},
    "amem_full": {"_target_": "bizgym.agents.amem.AMEM", "mode": "full"},
}
CALLS = {"cumulative": 2 * 4, "retrieval": 2 * 4, "ace_lean": 4 * 4, "amem": 4, "amem_full": 4 * 4 - 2}
QUESTIONS = {"id": QA, "tasks": list(EASY[:2])}
OTHERS = {"id": QA, "tasks": list(EASY[2:])}
GAME = {"id": "bizgym/BeerGame-v0", "horizon": 3}


def learn(folder: Path, method: str, env: dict[str, Any], trials: int = 2) -> tuple[list[Any], Any]:
    """Play a run; return its records and what the agent holds at the end."""
    client = {"_target_": "tests.fixtures.parrots.Parrot", "name": "parrot"}
    play(folder, {**AGENTS[method], "name": method}, env, client=client, trials=trials)
    (state,) = (folder / "agent_state").iterdir()
    return [content(row) for row in rows_of(folder)], json.loads(state.read_text(encoding="utf-8"))


@pytest.mark.parametrize("env", [QUESTIONS, GAME])
@pytest.mark.parametrize("method", AGENTS)
def test_nothing_survives_a_run(tmp_path: Path, method: str, env: dict[str, Any]) -> None:
    alone = learn(tmp_path / "alone", method, env)
    between = learn(tmp_path / "between", method, OTHERS)
    assert learn(tmp_path / "after", method, env) == alone
    assert between[1]["state"] != alone[1]["state"]
    assert all(row["stop_reason"] == "env_done" and row["error"] == "" for row in alone[0])


@pytest.mark.parametrize("method", AGENTS)
def test_a_run_in_parts_is_the_run_in_one(tmp_path: Path, method: str) -> None:
    whole = learn(tmp_path / "whole", method, QUESTIONS, trials=3)
    learn(tmp_path / "parts", method, QUESTIONS, trials=1)
    assert learn(tmp_path / "parts", method, QUESTIONS, trials=3) == whole


@pytest.mark.parametrize("method", CALLS)
def test_the_calls_of_four_samples(tmp_path: Path, method: str) -> None:
    rows, _ = learn(tmp_path / "run", method, QUESTIONS)
    assert sum(amounts["calls"] for row in rows for amounts in row["usage"].values()) == CALLS[method]
    acts = [row["usage"]["act"]["calls"] for row in rows]
    assert acts == [1] * 4

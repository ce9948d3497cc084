"""Nothing survives a run, nothing crosses from one agent to another, and no prompt or memory holds what is hidden."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents.run_config import RunConfig
from bizgym.agents.runner import run
from bizgym.envs.core.run_folder import RunFolder

from tests.fixtures.players import TRUSTED
from tests.fixtures.records import content
from tests.fixtures.skilled.env import MODULE_ID
from tests.fixtures.skilled.env import TASKS as TASK_SET
from tests.fixtures.skilled.model import SkilledModel
from tests.fixtures.skilled.play import SKILLED, method

PRACTICE = {"practice_env": {"tasks": None, "split": "train"}}
TEAM = {"cot": method("cot"), "self_refine": method("self_refine"), "ace": method("ace", profile="lean")}
METHODS: dict[str, dict[str, Any]] = {
    "cot": {},
    "self_refine": {},
    "reflexion": {},
    "reflexion episode": {"apply": "episode"},
    "debate": {},
    "discussion": {"profile": "small"},
    "dynamic_cheatsheet": {},
    "dynamic_cheatsheet retrieval": {"variant": "retrieval"},
    "ace": {},
    "amem": {"mode": "lite"},
    "amem full": {"mode": "full"},
    "gepa": {"n_train": 5, "n_val": 3, "budget_metric_calls": 30, **PRACTICE},
    "aoa": {"methods": TEAM, "n_dev": 4, **PRACTICE},
}
TASKS = ["house_30", "worn_31", "house_32", "bill_33", "house_31", "precedent_34"]
OTHERS = ["house_21", "bill_22", "worn_23", "house_23"]


def config(name: str, folder: Path, **settings: Any) -> RunConfig:
    """Two trials of six claims, the right amounts told."""
    fixed = {
        "env": {"id": MODULE_ID, "tasks": TASKS},
        "agent": {**method(name.split()[0], **METHODS[name]), "name": "a"},
        "client": SKILLED,
        "feedback": "gold",
        "trials": 2,
        "run_dir": str(folder),
        "trusted_targets": TRUSTED,
        "progress": "off",
    }
    return RunConfig.parse({**fixed, **settings})


def lines(folder: Path, agent: str = "a") -> list[str]:
    """Valid records without their times, as text, by trial and task: threads end in any order."""
    rows = sorted(RunFolder(folder).episodes(), key=lambda row: (row.trial, row.task_id))
    found = [content(row) for row in rows if row.agent["name"] == agent]
    for each in found:
        each["agent"].pop("name")
    return [json.dumps(each) for each in found]


def states(folder: Path) -> list[bytes]:
    """What agents know after a run, byte for byte."""
    return [path.read_bytes() for path in sorted((folder / "agent_state").glob("*.json"))]


def play_here(name: str, folder: Path) -> None:
    run(config(name, folder))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    """Each method's run in a process of its own, under another hash seed."""
    root = tmp_path_factory.mktemp("alone")
    code = "import sys; from tests.agents.test_methods_isolation import play_here; from pathlib import Path\n"
    code += "play_here(sys.argv[1], Path(sys.argv[2]))"

    def folder(name: str) -> Path:
        if not (root / name).exists():
            env = {**os.environ, "PYTHONHASHSEED": "1234", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
            subprocess.run([sys.executable, "-c", code, name, str(root / name)], check=True, env=env)
        return root / name

    return folder


@pytest.mark.parametrize("name", METHODS)
def test_a_run_after_another_run_is_that_run_alone(name, alone, tmp_path):
    other = {"env": {"id": MODULE_ID, "tasks": OTHERS, "audit": True}, "seed": 5, "trials": 1}
    run(config(name, tmp_path / "before", **other))
    play_here(name, tmp_path / "run")
    assert len(lines(tmp_path / "run")) == 2 * len(TASKS)
    assert lines(tmp_path / "run") == lines(alone(name))
    assert states(tmp_path / "run") == states(alone(name))


@pytest.mark.parametrize("name", METHODS)
def test_threads_and_an_interrupt_in_the_middle_change_nothing(name, alone, tmp_path):
    run(config(name, tmp_path / "threads", executor={"name": "threads", "workers": 4}))
    assert lines(tmp_path / "threads") == lines(alone(name))
    assert states(tmp_path / "threads") == states(alone(name))

    def interrupt(row, done, total):
        if done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(config(name, tmp_path / "run"), interrupt)
    result = run(config(name, tmp_path / "run"))
    assert (result.resumed, result.played) == (5, 2 * len(TASKS) - 5)
    assert lines(tmp_path / "run") == lines(alone(name))
    assert states(tmp_path / "run") == states(alone(name))


@pytest.mark.parametrize("name", METHODS)
def test_two_agents_of_one_method_do_not_share_what_they_know(name, tmp_path):
    """Each begins with nothing, and so both play the same."""
    agents = {each: {**method(name.split()[0], **METHODS[name]), "name": each} for each in ("a", "b")}
    lineups = {"desk": {"env": {"id": MODULE_ID, "tasks": TASKS}, "agents": agents}}
    run(config(name, tmp_path, env=None, agent=None, lineups=lineups))
    assert len(lines(tmp_path, "a")) == 2 * len(TASKS)
    assert lines(tmp_path, "a") == lines(tmp_path, "b")
    stored = [json.loads(state) for state in states(tmp_path)]
    assert len({json.dumps(each["state"]) for each in stored}) == len(stored) // 2


@pytest.fixture
def figures(tmp_path, monkeypatch):
    """Plays branch offices and returns all figures that stand in a prompt or a memory."""
    seen: list[str] = []
    ask = SkilledModel.complete

    def complete(self: SkilledModel, messages: Any, tools: Any, settings: Any) -> Any:
        seen.append(json.dumps(messages))
        return ask(self, messages, tools, settings)

    def play(name: str, feedback: str) -> set[str]:
        agent = {**method(name.split()[0], **METHODS[name]), "name": "a"}
        if "practice_env" in agent:
            agent["practice_env"] = {"split": "train"}
        env = {"id": MODULE_ID, "source": "house", "split": "test"}
        run(config(name, tmp_path, env=env, agent=agent, limit=6, feedback=feedback))
        texts = [*seen, *map(bytes.decode, states(tmp_path))]
        return {number for text in texts for number in re.findall(r"\d+", text)}

    monkeypatch.setattr(SkilledModel, "complete", complete)
    return play


HOUSES = [task for task in TASK_SET if task.kind == "house"]
SHOWN = {str(number) for task in HOUSES for number in (*task.lines, task.number, task.excess)}
HIDDEN = {str(task.payout) for task in HOUSES} - SHOWN - {str(sum(task.lines) - task.excess) for task in HOUSES}


@pytest.mark.parametrize("feedback", ["none", "outcome", "binary"])
@pytest.mark.parametrize("name", METHODS)
def test_no_prompt_and_no_memory_holds_a_target_that_was_not_told(name, feedback, figures):
    """Nobody tells the conventions of branch offices: the right amounts stand in nothing that a model sees or keeps."""
    found = figures(name, feedback)
    assert SHOWN & found
    assert len(HIDDEN) > 30
    assert not HIDDEN & found


@pytest.mark.parametrize("name", ["ace", "amem", "reflexion episode"])
def test_a_target_that_was_told_is_found_there(name, figures):
    assert HIDDEN & figures(name, "gold")

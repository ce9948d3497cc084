"""A package of the user's own brings an agent and an environment; it is trusted by name or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = {
    "acme_bizgym/__init__.py": "",
    "acme_bizgym/players.py": """
import json
from bizgym.agents.base import Agent


class Acme(Agent):
    def __init__(self, word: str = "please") -> None:
        self.word = word

    def act(self, observation, info):
        return json.dumps({"name": "say", "arguments": {"word": self.word}})


class NotAnAgent:
    def __init__(self, **settings):
        raise SystemExit("built")


def function(**settings):
    raise SystemExit("called")
""",
    "acme_bizgym/desk/__init__.py": "",
    "acme_bizgym/desk/env.py": '''
import gymnasium as gym
from bizgym.envs.core import Task, TaskSet, TextEnv, tool


class DeskEnv(TextEnv):
    """Say the word."""

    def __init__(self, *, word="please", split=None, tasks=None, source=None, order="random", max_turns=None,
                 max_consecutive_errors=10, render_mode=None):
        self._word = word
        super().__init__(TaskSet([Task(task_id="desk", split="train")]), split=split, tasks=tasks, source=source,
                         order=order, max_turns=max_turns, max_consecutive_errors=max_consecutive_errors,
                         render_mode=render_mode)

    @tool(effect="write")
    def say(self, word: str) -> str:
        """Say a word.

        Args:
            word: The word.
        """
        self._pay("score", float(word == self._word))
        self._end()
        return "heard"

    def _begin(self, task):
        return "You stand at a desk.", "What is the word?"

    def _default_turns(self, task):
        return 3

    def _metrics(self):
        return {}

    def _state(self):
        return []

    def _settle(self):
        return "Nothing was said."


gym.register("acme/Desk-v0", entry_point="acme_bizgym.desk.env:DeskEnv")
''',
    "acme_bizgym/desk/scoring.py": """
from bizgym.envs.core import Outcome


def task_of(env_kwargs, task_id, seed):
    return env_kwargs.get("word", "please")


def outcome(task, history):
    return Outcome({"score": float(any(arguments["word"] == task for _, arguments in history))}, {})


def series(task, history):
    return []
""",
    "conf/env/desk.yaml": "id: acme_bizgym.desk.env:acme/Desk-v0\nword: please\n",
    "conf/agent/acme.yaml": "_target_: acme_bizgym.players.Acme\nname: acme\nword: please\n",
}
RUN = ["run", "--config-dir", "conf", "env=desk", "agent=acme", "evaluator.report=false", "run_dir=out"]
TRUST = "trusted_targets=[acme_bizgym]"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in SOURCE.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def bizgym(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command line in a process that can import the package."""
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    return subprocess.run(
        [sys.executable, "-m", "bizgym.evaluators.cli", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("executor", ["serial", "process"])
def test_a_trusted_package_plays(folder: Path, executor: str) -> None:
    ran = bizgym(folder, *RUN, TRUST, "trials=4", f"executor={executor}", "--json")
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert [found[name] for name in ("ok", "n", "attempted")] == [True, 4, 4]
    assert found["by_agent"]["acme"]["env_id"] == "acme/Desk-v0"
    assert found["by_agent"]["acme"]["reward"] == 1.0


@pytest.mark.parametrize("trust", ["", "trusted_targets=[acme]", "trusted_targets=[acme_bizgym.other]"])
def test_an_untrusted_package_is_refused(folder: Path, trust: str) -> None:
    ran = bizgym(folder, *RUN, *filter(None, [trust]))
    assert ran.returncode == 2
    assert "trusted_targets" in ran.stderr
    own_env = bizgym(folder, "run", "--config-dir", "conf", "env=beer_game", "agent=acme", *filter(None, [trust]))
    assert own_env.returncode == 2
    assert "acme_bizgym.players.Acme is outside bizgym; list its prefix in trusted_targets" in own_env.stderr
    assert not (folder / "out").exists()


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("acme_bizgym.players.function", "is no class of a trusted module"),
        ("acme_bizgym.players.NotAnAgent", "is no bizgym.agents.base.Agent"),
        ("acme_bizgym.players.json.JSONEncoder", "cannot be imported"),
        ("acme_bizgym.players.Acme.__init__", "cannot be imported"),
        ("acme_bizgym.players.Acmee", "Did you mean 'Acme'?"),
    ],
)
def test_trust_in_a_package_is_no_trust_in_everything_it_can_reach(folder: Path, target: str, message: str) -> None:
    ran = bizgym(folder, *RUN, TRUST, f"agent._target_={target}")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert message in ran.stderr


def test_a_run_of_the_package_is_scored_and_replayed_with_its_module(folder: Path) -> None:
    assert bizgym(folder, *RUN, TRUST, "trials=2").returncode == 0
    for command in ("score", "replay"):
        alone = bizgym(folder, command, "out")
        assert alone.returncode == 1
        assert "acme/Desk-v0 cannot be made here" in alone.stdout
        imported = bizgym(folder, command, "out", "--import", "acme_bizgym.desk.env")
        assert imported.returncode == 0, imported.stdout + imported.stderr
        assert "2 episodes" in imported.stdout
    missing = bizgym(folder, "score", "out", "--import", "acme_bizgym.nowhere")
    assert missing.returncode == 2
    assert "--import: No module named 'acme_bizgym.nowhere'" in missing.stderr

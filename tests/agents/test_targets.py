"""What configuration may build: agents under trusted prefixes, with arguments that fit, and nothing else."""

import os
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents.base import Agent
from bizgym.agents.baselines.beer_game import Typical
from bizgym.agents.run_config import RunConfig
from bizgym.agents.runner import make_plan
from bizgym.agents.targets import build, resolve, trusted
from bizgym.envs.core.errors import SettingError

from tests.fixtures.counter.env import MODULE_ID
from tests.fixtures.players import TRUSTED
from tests.fixtures.records import player

TYPICAL = "bizgym.agents.baselines.beer_game.Typical"

TRICKS = [
    "os.system",
    "builtins.eval",
    "webbrowser.open",
    "pathlib.Path",
    "bizgym",
    "bizgym.",
    ".os.system",
    "bizgym..os.system",
    "bizgym.agents.executors.os.system",
    "bizgym.agents.executors.os._exit",
    "bizgym.agents.executors.threading.Thread",
    "bizgym.agents.executors.ProcessPoolExecutor",
    "bizgym.agents.executors.multiprocessing",
    "bizgym.agents.executors.play",
    "bizgym.agents.executors.BizGymError",
    "bizgym.agents.executors.Job",
    "bizgym.agents.executors._local",
    "bizgym.envs.core.run_folder.EpisodeWriter",
    "bizgym.envs.core.run_folder.Path",
    "bizgym.evaluators.cli.main",
    "bizgym.envs.beer_game.env.BeerGameEnv",
    f"{TYPICAL}.__init__",
    f"{TYPICAL}.__class__",
    f"{TYPICAL}.act.__globals__",
    f"{TYPICAL}.__subclasses__",
    "bizgym.agents.base.Agent.__class__.__base__",
    "bizgym.agents.base.AgentTurn",
    "bizgym_evil.Agent",
    "bizgymx.agents.base.Agent",
    "bizgym.agents.base.Agent ",
    "bizgym.agents.base.Agent()",
    "bizgym.agents.base:Agent",
    "bizgym/agents/base.Agent",
    "",
    None,
    7,
    ["bizgym.agents.base.Agent"],
]


@pytest.mark.parametrize("target", TRICKS, ids=str)
def test_no_path_leads_out(target: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "system", lambda command: pytest.fail(command))
    with pytest.raises(SettingError, match="_target_"):
        build({"_target_": target, "name": "x", "command": "true"}, [], Agent)


def test_a_trusted_prefix_ends_at_a_dot() -> None:
    assert trusted("acme.agents.Mine", ["acme"])
    assert trusted("acme.agents.Mine", ["acme."])
    assert not trusted("acme_evil.Mine", ["acme"])
    assert not trusted("acmes.Mine", ["acme."])
    for nothing in ([], [""], ["."], [" "], [".."]):
        assert not trusted("os.system", nothing)


def test_classes_of_others_are_not_reached_through_a_trusted_module() -> None:
    """The module is trusted, what it has imported is not."""
    with pytest.raises(SettingError, match="no class of a trusted module"):
        resolve("tests.fixtures.players.Path", TRUSTED)
    assert resolve("tests.fixtures.players.Counts", TRUSTED).__name__ == "Counts"
    with pytest.raises(SettingError, match="list its prefix in trusted_targets"):
        resolve("tests.fixtures.players.Counts")


def test_a_class_that_is_no_agent_is_not_even_called(monkeypatch: pytest.MonkeyPatch) -> None:
    from bizgym.envs.core.run_folder import RunFolder

    monkeypatch.setattr(RunFolder, "__init__", lambda *_, **__: pytest.fail("was built"))
    with pytest.raises(SettingError, match=r"RunFolder is no bizgym\.agents\.base\.Agent"):
        build({"_target_": "bizgym.envs.core.run_folder.RunFolder", "path": "x"}, [], Agent)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alhpa": 2}, r"no setting 'alhpa'\. Did you mean 'alpha'\?"),
        ({"alpha": "50%"}, r"alpha: .*number, not 50%"),
        ({"alpha": "é"}, r"alpha: .*number, not é"),
        ({"alpha": None}, r"alpha: .*number, not None"),
        ({"alpha": True}, r"alpha: .*number, not True"),
        ({"alpha": 11}, r"alpha must be a number from 0 to 10, got 11"),
        ({"beta": -0.5}, r"beta must be a number from 0 to 10"),
        ({"_target_": "bizgym.agents.baselines.beer_game.Typcal"}, r"Did you mean 'Typical'\?"),
        ({"_target_": "bizgym.agents.baselines.beer_game.Constant", "units": 2.5}, r"units: .*integer, not 2\.5"),
        ({"_target_": "bizgym.agents.baselines.beer_game.Constant", "units": -1}, r"units must be an integer from 0"),
        ({"_target_": "bizgym.agents.baselines.beer_game.BaseStock", "level": "1"}, r"level: .*integer, not 1"),
        (
            {"_target_": "bizgym.agents.baselines.beer_game.BaseStock", "level": 10**7},
            r"level must be an integer from 0",
        ),
        ({"_target_": "bizgym.agents.baselines.beer_game.Oracle", "foresight": 1}, r"foresight: .*boolean, not 1"),
        ({"_target_": "bizgym.agents.baselines.nowhere.Oracle"}, "cannot be imported"),
    ],
)
def test_G17_a_wrong_argument_is_named_before_anything_is_played(settings: dict[str, Any], message: str) -> None:
    agent = {"_target_": TYPICAL, "name": "mine", **settings}
    with pytest.raises(SettingError, match=rf"^agent mine: .*{message}"):
        make_plan(RunConfig.parse({"env": {"id": "bizgym/BeerGame-v0"}, "agent": agent}))


def test_numbers_of_either_kind_fit_a_float() -> None:
    config = {"_target_": TYPICAL, "name": "x"}
    assert isinstance(build({**config, "alpha": 2, "beta": 0.5}, [], Agent), Typical)


@pytest.mark.parametrize(
    ("env_id", "message"),
    [
        (
            "tests.fixtures.counter.env:bizgym-tests/Counter-v0",
            r"importing tests\.fixtures\.counter\.env is not trusted",
        ),
        ("os:bizgym/BeerGame-v0", "importing os is not trusted"),
        ("bizgym/BeerGame-v9", "BeerGame"),
        ("bizgym/BergGame-v0", r"Did you mean|BeerGame"),
        ("beer_game", r"Did you mean 'bizgym/BeerGame-v0'"),
        ("CartPole-v1", r"no bizgym\.envs\.core\.TextEnv"),
        ("", "env.id"),
        ("bizgym.nowhere:bizgym/BeerGame-v0", r"env(\.id)?: .*bizgym\.nowhere"),
    ],
)
def test_G17_an_unknown_or_foreign_environment_is_named(env_id: str, message: str) -> None:
    agent = {"_target_": TYPICAL, "name": "mine"}
    with pytest.raises(SettingError, match=message):
        make_plan(RunConfig.parse({"env": {"id": env_id}, "agent": agent}))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"ship_week": 2}, r"^env: .*'ship_week'\. Did you mean 'ship_weeks'\?"),
        ({"ship_weeks": 99}, r"ship_weeks must be an integer from 1 to 12, got 99"),
        ({"split": "trian"}, r"split: .*Did you mean 'train'\?"),
        ({"tasks": ["defalt"]}, r"task_id: .*Did you mean 'default'\?"),
        ({"policies": "typicl"}, "typical"),
    ],
)
def test_G17_a_wrong_setting_of_the_environment_is_named(settings: dict[str, Any], message: str) -> None:
    config = {"env": {"id": "bizgym/BeerGame-v0", **settings}, "agent": {"_target_": TYPICAL, "name": "mine"}}
    with pytest.raises(SettingError, match=message):
        make_plan(RunConfig.parse(config))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"trials": 0}, "trials: "),
        ({"trials": "many"}, "trials: "),
        ({"limit": -1}, "limit: "),
        ({"seed": -1}, "seed: "),
        ({"limits": {"max_steps": 0}}, r"limits\.max_steps: "),
        ({"limits": {"timeout_seconds": 0}}, r"limits\.timeout_seconds: "),
        ({"limits": {"max_stepps": 3}}, r"limits\.max_stepps: "),
        ({"executor": {"name": "cluster"}}, r"executor\.name: "),
        ({"executor": {"name": "threads", "workers": 0}}, r"executor\.workers: "),
        ({"progress": "loud"}, "progress: "),
        ({"feedback": "gold bars"}, "feedback: "),
        ({"name": "a/b"}, "name: "),
        ({"experiment": "é"}, "experiment: "),
        ({"experiment": ".."}, "experiment: "),
        ({"name": "."}, "name: "),
        ({"trails": 3}, "trails: "),
        ({"agent": player("Counts", off_by=float("nan"))}, r"agent\.off_by: a finite number"),
        ({"env": {"id": MODULE_ID, "demand": [1, {"a": float("inf")}]}}, r"env\.demand\.1\.a: a finite number"),
        ({"evaluator": {"weights": {1, 2}}}, r"evaluator\.weights: "),
        ({"env": {"id": MODULE_ID, "policies": {1: "a", "b": 2}}}, r"env\.policies: .*mapping by text"),
        ({"agent": {"name": "x"}}, r"agent\._target_: "),
        ({"agent": player("Counts", name="a b")}, r"agent\.name: "),
        ({"agent": None}, "env and agent: choose both"),
        ({"env": None}, "env and agent: choose both"),
        ({"lineups": {"x": {"env": {"id": "y"}, "agents": {"z": player("Counts")}}}}, "leave out env and agent"),
        ({"lineups": {"x": {"env": {"id": "y"}, "agents": {}}}}, r"lineups\.x\.agents: "),
    ],
)
def test_a_value_that_does_not_fit_is_named_by_its_path(settings: dict[str, Any], message: str) -> None:
    fixed = {"env": {"id": MODULE_ID}, "agent": player("Counts"), "trusted_targets": TRUSTED}
    with pytest.raises(SettingError, match=message):
        RunConfig.parse({**fixed, **settings})


def test_the_fixture_configuration_itself_fits(tmp_path: Path) -> None:
    fixed = {"env": {"id": MODULE_ID}, "agent": player("Counts"), "trusted_targets": TRUSTED}
    assert len(make_plan(RunConfig.parse(fixed)).jobs) == 10

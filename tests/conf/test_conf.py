"""Every configuration file stands for one file of code, with exactly its constructor's keywords and defaults."""

import inspect
from dataclasses import fields
from importlib import import_module
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any, get_type_hints

import gymnasium as gym
import pytest
import yaml
from bizgym import envs
from bizgym.agents.base import Agent
from bizgym.agents.meter import Budget
from bizgym.agents.play import Play, PlaySettings
from bizgym.agents.rollout import Limits
from bizgym.agents.run_config import AgentConfig, ExecutorConfig, RunConfig
from bizgym.agents.runner import make_plan
from bizgym.evaluators.cli.compose import compose_run, options_of

gym.register_envs(envs)
CONF = files("bizgym.conf")
OWN_ENVS = {env_id for env_id in gym.registry if env_id.startswith("bizgym/")}
BASELINES = {"do_nothing", "refuse_all", "random", "oracle"}


def read(group: str, name: str) -> dict[str, Any]:
    text = CONF.joinpath(group, *f"{name}.yaml".split("/")).read_text(encoding="utf-8")
    written = dict(yaml.safe_load(text))
    included = [each for each in written.pop("defaults", []) if isinstance(each, str) and each != "_self_"]
    return {key: value for part in included for key, value in read(group, part).items()} | written


def defaults_of(constructor: Any) -> dict[str, Any]:
    """The keywords and their defaults; `**play` stands for those of `Play`."""
    found = {name: each.default for name, each in inspect.signature(constructor).parameters.items() if name != "self"}
    if "play" in found:
        found = {**{each.name: each.default for each in fields(Play)}, **found}
        found.pop("play")
    return found


def test_the_settings_of_play_are_typed_once_for_keywords_and_once_for_values() -> None:
    assert get_type_hints(PlaySettings) == get_type_hints(Play)


@pytest.mark.parametrize("name", options_of("env"))
def test_an_environments_file_has_its_constructors_keywords_and_defaults(name: str) -> None:
    written = read("env", name)
    spec = gym.spec(written.pop("id"))
    assert isinstance(spec.entry_point, str)
    module, _, kind = spec.entry_point.partition(":")
    assert module == f"bizgym.envs.{name}.env"
    expected = defaults_of(getattr(import_module(module), kind))
    assert written == expected
    assert [type(value) for value in written.values()] == [type(expected[key]) for key in written]


def test_every_registered_environment_has_a_file() -> None:
    named = {read("env", name)["id"] for name in options_of("env")}
    assert {env_id for env_id in OWN_ENVS if "Numeric" not in env_id} == named


def placed(group: str, name: str) -> dict[str, dict[str, str]]:
    """The options of the same group that a file puts under a keyword of its own, by keyword and key."""
    text = CONF.joinpath(group, f"{name}.yaml").read_text(encoding="utf-8")
    found: dict[str, dict[str, str]] = {}
    for each in yaml.safe_load(text).get("defaults", []):
        if isinstance(each, dict):
            ((place, option),) = each.items()
            taken_from, _, package = place.partition("@")
            assert taken_from == f"/{group}"
            keyword, _, key = package.partition(".")
            found.setdefault(keyword, {})[key] = option
    return found


@pytest.mark.parametrize("name", options_of("agent"))
def test_an_agents_file_has_its_constructors_keywords_and_defaults(name: str) -> None:
    written = read("agent", name)
    target, label = written.pop("_target_"), written.pop("name")
    assert label == name
    module, _, kind = target.rpartition(".")
    folder = PurePosixPath(name).parent
    assert module == (f"bizgym.agents.baselines.{folder}" if str(folder) != "." else f"bizgym.agents.{name}")
    built = getattr(import_module(module), kind)
    assert issubclass(built, Agent)
    expected = {key: value for key, value in defaults_of(built.__init__).items() if key not in ("args", "kwargs")}
    for keyword in placed("agent", name):  # what stands there are other files, each held to its own constructor
        assert expected.pop(keyword) is inspect.Parameter.empty
    assert written == expected
    assert [type(value) for value in written.values()] == [type(expected[key]) for key in written]


@pytest.mark.parametrize("name", [name for name in options_of("agent") if placed("agent", name)])
@pytest.mark.parametrize("at", ["agent", "lineup"])
def test_an_agent_made_of_others_is_composed_of_their_files(name: str, at: str, tmp_path: Path) -> None:
    if at == "agent":
        agent = compose_run(["env=qa", f"agent={name}"]).agent
    else:
        lines = [f"- /env@lineups.x.env: qa\n- /agent@lineups.x.agents.a: {name}\n"]
        (tmp_path / "experiment").mkdir()
        text = f"# @package _global_\ndefaults:\n{''.join(lines)}"
        (tmp_path / "experiment" / "own.yaml").write_text(text, encoding="utf-8")
        agent = compose_run(["experiment=own"], str(tmp_path)).plan["x"].agents["a"]
    assert agent is not None
    for keyword, options in placed("agent", name).items():
        composed = agent.settings[keyword]
        assert composed == {key: read("agent", option) for key, option in options.items()}
        assert list(composed) == list(options)


@pytest.mark.parametrize("name", options_of("client"))
def test_a_clients_file_has_its_constructors_keywords_and_defaults(name: str) -> None:
    written = read("client", name)
    target, label = written.pop("_target_"), written.pop("name")
    assert label == name
    module, _, kind = target.rpartition(".")
    assert module == f"bizgym.agents.clients.{name}"
    built = getattr(import_module(module), kind)
    assert {"description", "complete"} <= set(dir(built))
    expected = defaults_of(built.__init__)
    assert written == expected
    assert [type(value) for value in written.values()] == [type(expected[key]) for key in written]


def test_every_client_that_is_promised_has_a_file() -> None:
    assert set(options_of("client")) == {"openai", "openai_responses", "anthropic", "local", "scripted", "replay"}


@pytest.mark.parametrize("folder", options_of("env"))
def test_every_benchmark_has_its_traps_and_yardsticks(folder: str) -> None:
    players = {name.partition("/")[2] for name in options_of("agent") if name.startswith(f"{folder}/")}
    assert players >= BASELINES
    assert len(players - BASELINES) >= 2


@pytest.mark.parametrize("name", options_of("executor"))
def test_an_executors_file_is_checked_by_its_model(name: str) -> None:
    written = read("executor", name)
    assert ExecutorConfig(**written).name == name
    assert set(written) == set(ExecutorConfig.model_fields)


def test_the_run_itself_has_the_models_defaults() -> None:
    written = dict(yaml.safe_load(CONF.joinpath("config.yaml").read_text(encoding="utf-8")))
    groups = [next(iter(each)) for each in written.pop("defaults") if isinstance(each, dict)]
    assert groups[:5] == ["env", "agent", "client", "executor", "evaluator"]
    written.pop("hydra")
    expected = {name: each.get_default() for name, each in RunConfig.model_fields.items()}
    limits = expected.pop("limits").model_dump()
    assert written.pop("limits") == limits == {each.name: each.default for each in fields(Limits)}
    budget = expected.pop("budget").model_dump()
    assert written.pop("budget") == budget == {each.name: each.default for each in fields(Budget)}
    for chosen in ("env", "agent", "client", "executor", "evaluator"):
        expected.pop(chosen)
    assert written == expected


def _agents(config: RunConfig) -> list[AgentConfig]:
    return [agent for lineup in config.plan.values() for agent in lineup.agents.values()]


@pytest.mark.parametrize("name", options_of("experiment"))
def test_every_experiment_composes_and_plans(name: str) -> None:
    own = compose_run([f"experiment={name}"])
    needs_client = own.client is None and any("/" not in each.name for each in _agents(own))
    config = compose_run([f"experiment={name}", *(["client=scripted"] if needs_client else [])])
    assert config.plan
    assert config.experiment == name
    plan = make_plan(config)
    agents = [agent.name for agent in _agents(config)]
    assert len(plan.jobs) == sum(len(asked.agents) * len(asked.tasks) * asked.trials for asked in plan.asked)
    assert sorted({job.agent["name"] for job in plan.jobs}) == sorted(agents)


@pytest.mark.parametrize("folder", options_of("env"))
def test_the_quickstart_plays_every_player_of_a_benchmark(folder: str) -> None:
    agents = compose_run(["experiment=quickstart"]).plan[folder].agents
    assert {agent.name for agent in agents.values()} == {
        name for name in options_of("agent") if name.startswith(f"{folder}/")
    }
    assert all(agent.name == f"{folder}/{label}" for label, agent in agents.items())


@pytest.mark.parametrize("agent", options_of("agent"))
@pytest.mark.parametrize("env", options_of("env"))
def test_every_agent_composes_with_every_environment_of_its_own(env: str, agent: str) -> None:
    if "/" in agent and not agent.startswith(f"{env}/"):
        pytest.skip("a player of another benchmark")
    config = compose_run([f"env={env}", f"agent={agent}", "client=scripted", "limit=3"])  # the rest is for practice
    assert len(make_plan(config).jobs) == len(make_plan(config).asked[0].tasks)


def test_configuration_is_data_alone() -> None:
    code = [file.name for file in CONF.iterdir() if file.name.endswith(".py")]
    assert code == ["__init__.py"]
    assert CONF.joinpath("__init__.py").read_text(encoding="utf-8") == ""

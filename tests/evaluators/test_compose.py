"""From overrides to a checked configuration; each refusal names the word that was meant."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bizgym.agents.runner import make_plan
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli.compose import compose_run, explain, options_of
from hydra import initialize_config_module

GAME = ["env=beer_game", "agent=beer_game/typical"]
GRAMMAR = "cannot be read; write key=value"


def test_defaults_and_overrides() -> None:
    config = compose_run([*GAME, "agent.alpha=0.5", "trials=3", "env.demand=[1,2,3]", "executor=process", "limit=4"])
    assert config.env is not None
    assert config.agent is not None
    assert config.env.kwargs["demand"] == [1, 2, 3]
    assert config.agent.settings == {
        "_target_": "bizgym.agents.baselines.beer_game.Typical",
        "name": "beer_game/typical",
        "alpha": 0.5,
        "beta": 1.0,
    }
    assert (config.trials, config.limit, config.executor.name, config.executor.workers) == (3, 4, "process", 2)
    assert (config.seed, config.fresh, config.run_dir, config.progress) == (0, False, None, "auto")


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["env=beergme", "agent=beer_game/typical"], r"^env: there is no 'beergme'\. Did you mean 'beer_game'\?"),
        (
            ["env=beer_game", "agent=beer_game/typicl"],
            r"^agent: there is no 'beer_game/typicl'\. Did you mean .*typical'",
        ),
        (["env=beer_game", "agent=tau8"], r"^agent: there is no 'tau8'\. .*There are: .*beer_game/tau8"),
        (["experiment=quikstart"], r"^experiment: there is no 'quikstart'\. Did you mean 'quickstart'\?"),
        ([*GAME, "executor=proces"], r"^executor: there is no 'proces'\. Did you mean 'process'\?"),
        ([*GAME, "trails=3"], r"^there is no setting 'trails'\. Did you mean 'trials'\?"),
        ([*GAME, "agent.alhpa=2"], r"^there is no setting 'agent\.alhpa'\. Did you mean 'agent\.alpha'\?"),
        ([*GAME, "env.shipweeks=2"], r"^there is no setting 'env\.shipweeks'\. Did you mean 'env\.ship_weeks'\?"),
        ([*GAME, "limits.max_step=2"], r"^there is no setting 'limits\.max_step'\. Did you mean 'limits\.max_steps'\?"),
        ([*GAME, "executor.nam=x"], r"^there is no setting 'executor\.nam'\. Did you mean 'executor\.name'\?"),
        ([*GAME, "trials=3,4"], "add --multirun"),
        ([*GAME, "hydra/launcher=jobl1b"], r"hydra/launcher/jobl1b: this part of Hydra is not installed"),
        ([*GAME, "agent.alpha=${nowhere}"], "nowhere"),
        ([*GAME, "agent.alpha=???"], "alpha"),
        ([*GAME, "+trials=3"], "trials"),
        ([*GAME, "env=null"], "override"),
        ([*GAME, "=3"], "override"),
        ([*GAME, "seed=" + "9" * 5_000], "5000 digits"),
        ([*GAME, "agent.alpha=nan"], r"^agent\.alpha: a finite number"),
        ([*GAME, "agent.alpha=1e400"], r"^agent\.alpha: a finite number"),
    ],
)
def test_G17_what_does_not_exist_is_named_with_its_nearest_neighbour(overrides: list[str], message: str) -> None:
    with pytest.raises(SettingError, match=message):
        compose_run(overrides)


def test_a_launcher_that_is_missing_comes_with_the_extra_that_brings_it() -> None:
    absent = ValueError("Could not find 'hydra/launcher/joblib'")
    assert explain(absent) == "hydra/launcher/joblib: this part of Hydra is not installed (pip install 'bizgym[sweep]')"


def test_G17_a_setting_that_hydra_lets_in_is_refused_by_the_agent() -> None:
    with pytest.raises(SettingError, match=r"no setting 'alhpa'\. Did you mean 'alpha'\?"):
        make_plan(compose_run([*GAME, "+agent.alhpa=2"]))


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("agent.prompt=50%", r"no setting 'agent\.prompt'"),
        ("agent.name=50%", r"agent\.name: "),
        ("agent.name=é", GRAMMAR),
        ('agent.name="é"', r"agent\.name: "),
        ("name=日本", GRAMMAR),
        ("name=a#b", GRAMMAR),
        ("name='a#b'", "name: "),
        ("name=a|b", "name: "),
        ("name=a b;c", GRAMMAR),
        ("name=[1,2", GRAMMAR),
        ("name", GRAMMAR),
        ("name=\ud800", GRAMMAR),
    ],
)
def test_H03_odd_characters_get_a_clear_answer(override: str, message: str) -> None:
    with pytest.raises(SettingError, match=message) as refused:
        compose_run([*GAME, override])
    assert "Lexer" not in str(refused.value)
    assert len(str(refused.value).splitlines()) == 1


@pytest.mark.parametrize("text", ["50%", "a#b", "é 日本", "x|y", "a, b", "50% of 'it'"])
def test_H03_quoted_values_arrive_as_they_are(text: str) -> None:
    config = compose_run([*GAME, f'+agent.note="{text}"'])
    assert config.agent is not None
    assert config.agent.settings["note"] == text


def test_a_folder_of_the_users_own(tmp_path: Path) -> None:
    (tmp_path / "agent" / "acme").mkdir(parents=True)
    text = "_target_: bizgym.agents.baselines.beer_game.Constant\nname: mine\nunits: 123\n"
    (tmp_path / "agent" / "acme" / "mine.yaml").write_text(text)
    config = compose_run(["env=beer_game", "agent=acme/mine"], str(tmp_path))
    assert config.agent is not None
    assert config.agent.settings["units"] == 123
    with pytest.raises(SettingError, match=r"Did you mean 'acme/mine'\?"):
        compose_run(["env=beer_game", "agent=acme/mne"], str(tmp_path))
    with pytest.raises(SettingError, match="--config-dir: there is no folder nowhere"):
        compose_run(GAME, "nowhere")


def test_composing_inside_a_hydra_application_is_refused_with_the_way_out() -> None:
    with (
        initialize_config_module("bizgym.conf", version_base="1.3"),
        pytest.raises(SettingError, match=r"bizgym\.agents\.runner\.run"),
    ):
        compose_run(GAME)
    assert compose_run(GAME).trials == 1


def test_options_are_those_of_the_files() -> None:
    assert options_of("env") == ["beer_game", "consulting", "digital_twin", "payments", "qa"]
    assert options_of("executor") == ["process", "serial", "threads"]
    assert "beer_game/do_nothing" in options_of("agent")
    assert options_of("nothing") == []
    assert explain(RuntimeError("one\n  two")) == "one two"


def test_H02_it_works_from_an_empty_folder(tmp_path: Path) -> None:
    arguments = ["run", "env=beer_game", "agent=beer_game/tau8", "executor=process", "trials=9", "--dry-run"]
    found = subprocess.run(
        [sys.executable, "-m", "bizgym.evaluators.cli", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.returncode, found.stderr) == (0, "")
    assert "9 episodes, 0 on disk" in found.stdout
    assert list(tmp_path.iterdir()) == []

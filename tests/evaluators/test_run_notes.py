"""What a run says below its table, so that no number is taken for more than it is; and players who do not fit."""

import pytest
from bizgym.agents.run_config import RunConfig
from bizgym.agents.runner import make_plan
from bizgym.envs.core.errors import SettingError
from bizgym.envs.digital_twin import anchors
from bizgym.evaluators.cli import main

from tests.digital_twin.firms import spec, write
from tests.fixtures.players import TRUSTED
from tests.fixtures.records import baseline, player

QUIET = ["env=beer_game", "evaluator.report=false", "progress=off"]


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        main(list(arguments))
        return capsys.readouterr().out

    return call


def test_calls_that_ended_an_episode_are_named(said):
    out = said("run", *QUIET, "agent=beer_game/do_nothing")
    assert "beer_game/do_nothing: malformed_calls 1; calls with errors: not_json 10" in out


def test_episodes_that_are_no_longer_asked_for_are_mentioned(said):
    assert "left out" not in said("run", *QUIET, "agent=beer_game/tau8", "trials=3")
    out = said("run", *QUIET, "agent=beer_game/tau8", "trials=1")
    assert "2 episodes on disk left out: not part of what was last asked for (trials, limit)." in out


def test_an_agent_that_failed_says_how_to_play_it_again(tmp_path, capsys):
    from bizgym.evaluators.cli.run import play

    failing = player("Breaks")
    plain = {"env": {"id": "bizgym/BeerGame-v0"}, "agent": failing, "trusted_targets": TRUSTED, "progress": "off"}
    play(RunConfig.parse({**plain, "evaluator": {"report": False}, "run_dir": str(tmp_path / "run")}))
    assert "agent_error counts as play; once the agent is mended, fresh=true plays again" in capsys.readouterr().out


def test_a_player_of_another_benchmark_is_refused_before_anything_is_played():
    twin = {"_target_": "bizgym.agents.baselines.digital_twin.Greedy", "name": "digital_twin/greedy"}
    for env_id, agent, plays in (
        ("bizgym/BeerGame-v0", twin, "digital_twin"),
        ("bizgym/DigitalTwin-v0", baseline("Typical"), "beer_game"),
    ):
        with pytest.raises(SettingError, match=f"a player of {plays}, which does not play {env_id}"):
            make_plan(RunConfig.parse({"env": {"id": env_id}, "agent": agent}))
    generic = {"_target_": "bizgym.agents.baselines.digital_twin.DoNothing", "name": "nobody"}
    assert make_plan(RunConfig.parse({"env": {"id": "bizgym/BeerGame-v0"}, "agent": generic})).jobs


def test_anchors_without_the_compiled_search_are_refused_with_the_mend(tmp_path, monkeypatch):
    monkeypatch.setattr(anchors, "is_available", lambda: False)
    with pytest.raises(SettingError, match=r"pip install 'bizgym\[search\]'"):
        anchors.compute({"scenario": write(tmp_path, spec())})

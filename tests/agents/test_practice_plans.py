"""Runs with agents that practise: what is refused before anything is played, and what makes two runs one."""

import pytest
from bizgym.agents.runner import make_plan, run
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli.compose import compose_run
from bizgym.evaluators.cli.rehearsal import rehearse

SMALL = ["client=scripted", "env=qa", "agent=gepa", "agent.profile=small", "agent.n_train=2", "agent.n_val=2"]


def plan(*overrides):
    return make_plan(compose_run([*SMALL, *overrides]))


@pytest.mark.parametrize("agent", ["gepa", "aoa"])
def test_a_run_that_leaves_nothing_to_practise_on_is_refused_before_it_starts(agent):
    with pytest.raises(SettingError, match=rf"agent {agent}: practice_env: the run plays every task"):
        make_plan(compose_run(["client=scripted", "env=qa", f"agent={agent}"]))
    assert len(make_plan(compose_run(["client=scripted", "env=qa", f"agent={agent}", "limit=3"])).jobs) == 3


def test_other_settings_for_practice_are_checked_as_well():
    with pytest.raises(SettingError, match=r"agent gepa: .*split"):
        plan("limit=3", "agent.practice_env={split: nowhere}")
    assert len(plan("agent.practice_env={split: test}").jobs) > 200


def test_what_was_practised_on_is_never_scored_by_a_larger_limit():
    assert plan("limit=3").key != plan("limit=4").key
    assert plan("limit=3").key == plan("limit=3", "trials=2").key
    cot = [make_plan(compose_run(["client=scripted", "env=qa", "agent=cot", f"limit={n}"])).key for n in (3, 4)]
    assert cot[0] == cot[1]


def test_a_folder_of_a_run_with_fewer_tasks_is_refused_with_the_reason(tmp_path):
    settings = [*SMALL, "agent.budget_metric_calls=8", f"run_dir={tmp_path / 'run'}"]
    run(compose_run([*settings, "limit=1"]))
    with pytest.raises(SettingError, match="other tasks are scored, and an agent practises on those that are not"):
        run(compose_run([*settings, "limit=2"]))


def test_a_dry_run_counts_practice_without_playing_it():
    planned = plan("limit=3", "agent.budget_metric_calls=600")
    expected = rehearse(planned, planned.jobs)
    assert expected.calls == 3 + 600 + 100  # the last are reflections, one for two minibatches of three
    assert [(row["rests_on"], row["episodes"]) for row in expected.rows] == [
        *[("calls drawn at random", 1)] * 3,
        ("practice, calls drawn at random", 600),
    ]


def test_a_development_that_stops_says_why_and_nothing_else(tmp_path):
    config = compose_run(
        ["client=scripted", "env=qa", "agent=aoa", "limit=1", "budget.max_calls=3", f"run_dir={tmp_path}"]
    )
    result = run(config)
    (row,) = result.folder.rows()
    assert (row.stop_reason.value, row.reward) == ("cancelled", None)
    assert "budget of the run is spent" in row.error
    assert "AttributeError" not in row.error

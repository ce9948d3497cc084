"""The players of the Digital Twin: what each plans, and that stored plans are those that would be made."""

import gymnasium as gym
import pytest
from bizgym import envs as _registers_the_ids  # noqa: F401
from bizgym.agents.base import RunContext
from bizgym.agents.baselines import digital_twin as players
from bizgym.agents.rollout import rollout
from bizgym.envs.core.errors import SettingError
from bizgym.envs.digital_twin.anchors import compute
from bizgym.envs.digital_twin.search import heuristics
from bizgym.envs.digital_twin.tasks import shipped_plans, shipped_tasks

from tests.digital_twin.firms import firm, project, spec, write

ENV = "bizgym/DigitalTwin-v0"
HONEST = [players.Trivial, players.Margin, players.Greedy, players.GreedyTuned, players.RandomSearch, players.Oracle]
SMALL = [task.task_id for task in shipped_tasks() if task.size == "small"]


def episode(player, task_id, **kwargs):
    run = RunContext(run_id="test", seed=0, settings={"env_id": ENV, "env_kwargs": kwargs})
    return rollout(gym.make(ENV, **kwargs), player, seed=0, task_id=task_id, run=run)


@pytest.mark.parametrize("player", HONEST)
def test_a_plan_is_submitted_and_run(player):
    played = episode(player(), SMALL[0])
    assert [step.results[0].name for step in played.steps] == ["submit_plan", "run_simulation"]
    assert played.stop_reason.value == "env_done"
    assert played.errors == {}


def test_a_plan_is_run_in_every_round():
    played = episode(players.Trivial(), SMALL[0], rounds=3)
    assert [step.results[0].name for step in played.steps] == ["submit_plan", *["run_simulation"] * 3]


def test_margin_takes_what_bills_above_the_cost_of_a_consultant():
    plan = heuristics.margin(
        firm(project("a"), project("b", rate_per_month=7_999.0), project("c", rate_per_month=8_001.0))
    )
    assert set(plan.projects) == {"a", "c"}
    assert plan.revenue_risk == 0.5


def test_trivial_takes_everything_at_once():
    plan = heuristics.trivial(firm(*(project(name) for name in "abcd")))
    assert (plan.consultants, plan.revenue_risk) == (6, 1.0)
    assert set(plan.projects.values()) == {(1, 12)}
    assert heuristics.trivial(firm(project("a"), project("b"))).consultants == 4


def test_forward_selection_leaves_what_earns_nothing(tmp_path):
    path = write(tmp_path, spec(project("favour", rate_per_month=0.0), project("gain", rate_per_month=90_000.0)))
    task_id = gym.make(ENV, scenario=path).unwrapped.task_ids[0]
    for player in (players.Greedy, players.GreedyTuned):
        (call,) = [step.turn.calls[0] for step in episode(player(), task_id, scenario=path).steps[:1]]
        assert set(call["arguments"]["plan"]["projects"]) == {"gain"}


def test_the_stored_plan_is_the_one_that_would_be_made():
    task = shipped_tasks().get(SMALL[0])
    stored = shipped_plans()[task.task_id].heuristics
    for name in ("greedy", "greedy_tuned", "random_search"):
        made = heuristics.HEURISTICS[name](task.firm)
        assert task.firm.parse(stored[name].plan) == made


def test_random_search_with_another_number_of_plans_searches_anew():
    few, many = (episode(players.RandomSearch(plans=n), SMALL[0]).steps[0].turn.calls for n in (1, 300))
    assert few != many


def test_the_oracle_knows_no_plan_for_settings_that_nobody_searched(tmp_path):
    path = write(tmp_path, spec())
    task_id = gym.make(ENV, scenario=path).unwrapped.task_ids[0]
    played = episode(players.Oracle(), task_id, scenario=path)
    assert "bizgym anchors" in played.error
    bernoulli = next(task for task in shipped_tasks() if task.firm.template.gate == "bernoulli")
    assert "bizgym anchors" in episode(players.Oracle(), bernoulli.task_id, gate="threshold").error


@pytest.mark.parametrize("plans", [0, -1, 10**7])
def test_the_number_of_random_plans_is_checked(plans):
    with pytest.raises(SettingError, match="plans: an integer from 1 to 1,000,000"):
        players.RandomSearch(plans=plans)


def test_the_oracle_finds_the_plan_of_a_file_under_another_gate(tmp_path, monkeypatch):
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path / "cache"))
    kwargs = {"scenario": write(tmp_path, spec()), "gate": "bernoulli"}
    row = compute(kwargs)
    env = gym.make(ENV, **kwargs).unwrapped
    played = episode(players.Oracle(), env.task_ids[0], **kwargs)
    assert played.error == ""
    assert played.reward == pytest.approx(row["ceiling"])
    assert played.metrics["normalized"] == pytest.approx(1.0)

"""Practice: episodes beside the run, on other tasks, counted as adaptation and outside the episode's limits."""

from hashlib import sha256

import pytest
from bizgym.agents.base import Agent, AgentStop, RunContext
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.meter import Budget, Ledger, Meter
from bizgym.agents.phases import ADAPTATION
from bizgym.agents.practice import Practice
from bizgym.agents.prices import load_prices
from bizgym.agents.rollout import Limits, rollout
from bizgym.envs.core.chat import ChatSettings, ProviderError
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import make, order, says, tool_call

QA, BEER = "bizgym/EnterpriseQA-v0", "bizgym/BeerGame-v0"


def digest(task_id):
    return sha256(task_id.encode()).hexdigest()


ANSWER = says(tool_call("answer", '{"value": "A"}'))


def context(env_id, task_ids=(), feedback="none", client=None, limits=None, budget=None, **env_kwargs):
    meter = Meter(client or ScriptedClient(lambda *_: ANSWER), Ledger(load_prices(), budget), limits or Limits())
    settings = {"env_id": env_id, "env_kwargs": env_kwargs, "task_ids": tuple(task_ids), "feedback": feedback}
    return RunContext("run", 5, meter.client(), settings, meter)


def practised(practice, task_id, trial=0):
    agent = ChainOfThought()
    agent.begin_run(practice.context())
    return practice.play(agent, task_id, trial)


def test_practice_leaves_out_what_the_run_plays():
    played = make(QA, split="test").unwrapped.task_ids[:10]
    practice = Practice(context(QA, played, split="test"))
    assert set(practice.task_ids).isdisjoint(played)
    assert len(practice.task_ids) == len(make(QA, split="test").unwrapped.task_ids) - 10
    tasks = practice.tasks(40)
    assert tasks == practice.task_ids[:40]
    kinds = {task[: task.rindex("-")] for task in tasks}
    assert len(kinds) > 10  # of 12, all four capabilities in all three bands: no stride meets their cycle


def test_a_set_without_an_end_is_practised_at_places_that_never_change():
    first, again = (Practice(context(QA, split="train", source="generated")).tasks(50) for _ in range(2))
    assert first == again
    assert len(set(first)) == 50
    assert len({task.rpartition("-")[0] for task in first}) > 1


def test_other_settings_give_other_tasks():
    practice = Practice(context(QA, split="test"), {"split": "train"})
    assert set(practice.task_ids) == set(make(QA, split="train").unwrapped.task_ids)


def test_where_the_run_plays_all_tasks_practice_needs_a_run_that_tells_scores():
    ids = make(QA, split="test").unwrapped.task_ids
    with pytest.raises(SettingError, match=r'practice_env=\{"split": "train"\}'):
        Practice(context(QA, ids, split="test"))
    with pytest.raises(SettingError, match="practice_env"):  # the answer of a question would be known
        Practice(context(QA, ids, "outcome", split="test"))
    games = make(BEER, split="test").unwrapped.task_ids
    assert Practice(context(BEER, games, "outcome", split="test")).task_ids == sorted(games, key=digest)
    with pytest.raises(SettingError, match="practice_env"):
        Practice(context(BEER, games, "none", split="test"))


def test_what_is_practised_shows_no_check_and_has_a_score():
    practice = Practice(context(QA, split="train", capability="domain_knowledge"))
    rows = [practised(practice, task) for task in practice.tasks(6)]
    assert all(row.trajectory.checks == [] for row in rows)
    assert {row.score for row in rows} <= {0.0, 1.0}
    assert [row.score for row in rows] == [row.trajectory.reward for row in rows]


def test_the_seeds_of_practice_are_its_own_and_repeat():
    practice = Practice(context(QA, split="train"))
    task = practice.task_ids[0]
    first, again, other = (practised(practice, task, trial).trajectory for trial in (0, 0, 1))
    assert first.seed == again.seed != other.seed


def test_calls_of_practice_are_adaptation_and_bounded_by_the_run_alone():
    run = context(QA, limits=Limits(max_calls=1), split="train")
    practice = Practice(run)
    for task in practice.tasks(3):
        practised(practice, task)
    run.meter.client("reflect", ADAPTATION).complete([], (), ChatSettings())
    assert {role: used["calls"] for role, used in run.meter.take().items()} == {
        "act@adaptation": 3,
        "reflect@adaptation": 1,
    }
    run.client.complete([], (), ChatSettings())
    with pytest.raises(AgentStop, match="max_calls 1"):
        run.client.complete([], (), ChatSettings())


def test_the_runs_budget_stops_practice():
    practice = Practice(context(QA, budget=Budget(max_calls=2), split="train"))
    first, second, third = practice.tasks(3)
    practised(practice, first)
    practised(practice, second)
    with pytest.raises(AgentStop, match="budget of the run") as stopped:
        practised(practice, third)
    assert stopped.value.reason is StopReason.CANCELLED


def test_a_provider_that_fails_in_practice_fails_the_episode_and_no_score_is_made_up():
    def fails(*_):
        raise ProviderError("503")

    practice = Practice(context(QA, client=ScriptedClient(fails), split="train"))
    with pytest.raises(ProviderError, match="provider_error: 503"):
        practised(practice, practice.task_ids[0])


class Prepares(Agent):
    """Asks three times before it plays and once after it; plays with one call a turn."""

    adaptive = True
    needs_client = True

    def begin_run(self, run):
        self.run = run

    def _learn(self, n):
        for _ in range(n):
            self.run.meter.client("reflect", ADAPTATION).complete([], (), ChatSettings())

    def begin_episode(self, task):
        self._learn(3)

    def act(self, observation, info):
        self.run.client.complete([], (), ChatSettings())
        return {"name": "place_order", "arguments": {"quantity": 4}}

    def end_episode(self, trajectory, feedback):
        self._learn(1)


def test_usage_is_split_into_inference_and_adaptation_and_limits_hold_for_inference():
    limits = Limits(max_calls=2)
    meter = Meter(ScriptedClient(lambda *_: says(order(4))), Ledger(load_prices()), limits)
    run = RunContext("run", 5, meter.client(), {}, meter)
    row = rollout(make(BEER, horizon=2), Prepares(), seed=0, limits=limits, run=run, meter=meter)
    assert row.stop_reason is StopReason.ENV_DONE
    assert {role: used["calls"] for role, used in row.usage.items()} == {"reflect@adaptation": 4, "act": 2}
    beyond = {role: used["calls"] for role, used in row.usage_beyond.items()}
    inside = [step.usage for step in row.steps]
    assert sum(used["calls"] for usage in inside for used in usage.values()) + sum(beyond.values()) == 6

"""An agent with a model, played from Python: one episode by itself, without a run around it."""

import pytest
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.debate import Debate
from bizgym.agents.rollout import Limits, rollout
from bizgym.agents.runner import make_plan
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.cli.compose import compose_run

from tests.fixtures.models import make, order, says

BEER = "bizgym/BeerGame-v0"


def script(messages, tools, settings):
    return says(order(100 + settings.seed % 3), text=f"{len(messages)} messages.")


@pytest.mark.parametrize(("agent", "calls"), [(ChainOfThought(), 2), (Debate(profile="small"), 8)])
def test_a_client_is_all_that_an_agent_needs(agent, calls):
    row = rollout(make(BEER, horizon=2), agent, seed=0, client=ScriptedClient(script))
    assert row.stop_reason == "env_done"
    assert row.usage["act"]["calls"] == calls
    assert row.client["name"] == "scripted"
    again = rollout(make(BEER, horizon=2), agent, seed=0, client=ScriptedClient(script))
    assert (again.final_digest, again.usage, again.seed) == (row.final_digest, row.usage, row.seed)
    assert [step.turn for step in again.steps] == [step.turn for step in row.steps]


def test_limits_hold_without_a_run():
    row = rollout(make(BEER), ChainOfThought(), seed=0, client=ScriptedClient(script), limits=Limits(max_calls=3))
    assert (row.stop_reason, row.n_steps) == ("max_calls", 4)


def test_an_agent_without_its_model_is_refused_and_not_scored():
    with pytest.raises(SettingError, match="client: ChainOfThought plays with a model"):
        rollout(make(BEER), ChainOfThought(), seed=0)


def test_a_task_that_is_not_there_is_the_callers_mistake():
    with pytest.raises(SettingError, match="there is no task"):
        rollout(make(BEER), ChainOfThought(), seed=0, task_id="nowhere", client=ScriptedClient(script))


def tasks(*overrides):
    return make_plan(compose_run(["env=qa", "agent=qa/majority", *overrides])).asked[0].tasks


def test_a_sample_holds_all_kinds_and_a_larger_one_holds_it():
    assert {task.rpartition("-")[0] for task in tasks("limit=40")} == {"ie-easy", "ie-middle"}
    sample = tasks("limit=40", "pick=sample")
    assert len({task.rpartition("-")[0] for task in sample}) == 12
    assert tasks("limit=60", "pick=sample")[:40] == sample
    assert sorted(tasks("pick=sample")) == sorted(tasks())

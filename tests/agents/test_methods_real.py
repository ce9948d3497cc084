"""A real model on this machine plays the Beer Game with Self-Refine and with Debate."""

import json
import os

import pytest
from bizgym.agents.clients.local import LocalClient
from bizgym.agents.debate import Debate
from bizgym.agents.rollout import Limits
from bizgym.agents.self_refine import SelfRefine
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import converse, make

WEEKS = 2
BRIEF = {"prompt": "cot_brief", "memory": "observation", "tool_calls": "json", "max_tokens": 40}


@pytest.fixture(scope="module")
def model():
    """The model, loaded once; where it cannot be had the tests are skipped, or fail where they are required."""
    client = LocalClient(threads=1, context_tokens=2048)
    try:
        client.check_ready()
    except SettingError as missing:
        if "real_llm" in os.environ.get("BIZGYM_REQUIRE", "").split(","):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    yield client
    client.close()


def played(agent, model):
    """Two weeks, in which every turn that reached the game is one order of a whole number."""
    game = make("bizgym/BeerGame-v0", horizon=WEEKS, history_weeks=0)
    row, _ = converse(game, agent=agent, limits=Limits(), client=model)
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.ENV_DONE, WEEKS, {})
    for step in row.steps:
        (call,) = step.turn.calls
        assert isinstance(json.loads(call["function"]["arguments"])["quantity"], int)
    assert all(amounts["output"] <= 40 * amounts["calls"] for amounts in row.usage.values())
    return row


@pytest.mark.real_llm
@pytest.mark.slow
def test_a_real_model_criticises_and_mends_its_orders(model):
    """A draft and a critic a week; where its verdict can be read and names an issue, a reviser too."""
    agent = SelfRefine(profile="small", max_attempts=1, **BRIEF)
    usage = played(agent, model).usage
    assert usage["act"]["calls"] == usage["critic"]["calls"] == WEEKS
    assert usage.get("revise", {"calls": 0})["calls"] <= WEEKS
    assert agent.unreadable <= 2 * WEEKS


@pytest.mark.real_llm
@pytest.mark.slow
def test_a_real_model_debates_its_orders_with_itself(model):
    """Two agents, two rounds, and what is played is the lower median of the last one."""
    usage = played(Debate(profile="small", temperature=0.8, **BRIEF), model).usage
    assert {role: amounts["calls"] for role, amounts in usage.items()} == {"act": 4 * WEEKS}

"""The two clerks: they read, ask and act in the open, know nothing beforehand, and are scored for what they do."""

from functools import cache

import gymnasium as gym
import pytest
from bizgym.agents.base import RunContext
from bizgym.agents.baselines.payments import AskFirst, FollowProcedure
from bizgym.agents.rollout import rollout
from bizgym.envs.core.text import whole
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.modules.catalog import TOOLS

PAYMENTS = "bizgym/PaymentWorkflows-v0"
CLERKS = [FollowProcedure, AskFirst]
TASKS = sorted({each.family: each.task_id for each in packaged().tasks}.values())


@cache
def played(clerk, task_id, **env_kwargs):
    kwargs = {"split": None, **env_kwargs}
    run = RunContext(run_id="x", seed=0, settings={"env_id": PAYMENTS, "env_kwargs": kwargs})
    return rollout(gym.make(PAYMENTS, **kwargs), clerk(), seed=0, task_id=task_id, run=run)


def calls(trajectory):
    return [call for step in trajectory.steps for call in step.turn.action]


def names(trajectory):
    return [each["name"] for each in calls(trajectory)]


@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize("clerk", CLERKS)
def test_a_clerk_searches_reads_asks_acts_and_finishes(clerk, task_id):
    found = played(clerk, task_id)
    assert {"search_documents", "read_document", "message_user", "call_tool", "wait"} <= set(names(found))
    assert names(found)[-1] == "finish"
    assert found.stop_reason == "env_done"
    done = [result for step in found.steps for result in step.results if result.name == "call_tool" and not result.code]
    assert len(done) >= 3


@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize("clerk", CLERKS)
def test_a_clerk_is_not_strict_and_scores_for_what_it_kept(clerk, task_id):
    found = played(clerk, task_id)
    assert (found.reward, found.metrics["strict"], found.metrics["goal"]) == (0.0, 0.0, 0.0)
    held = {check.kind for check in found.checks if check.passed}
    assert held >= {"process", "protection"}


@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize("clerk", CLERKS)
def test_every_record_and_tool_that_a_clerk_names_was_shown_to_it(clerk, task_id):
    found = played(clerk, task_id)
    seen = packaged().tasks.get(task_id).opener + packaged().tasks.get(task_id).customer
    for step in found.steps:
        for call in step.turn.action:
            if call["name"] == "call_tool":
                given = call["arguments"]
                assert given["name"] in seen
                ids = [each for each in given["arguments"].values() if str(each)[:3].isupper() and "-" in str(each)]
                assert all(whole(each) and each in seen for each in ids)
        seen += step.observation or ""


def test_they_differ_in_what_comes_first():
    asks, follows = (names(played(clerk, TASKS[0])) for clerk in (AskFirst, FollowProcedure))
    assert asks.index("message_user") < asks.index("read_document")
    assert follows.index("read_document") < follows.index("message_user")


def test_the_clerk_that_asks_first_asks_more():
    def asked(clerk):
        return sum(
            len(each["arguments"]["asks"]) for each in calls(played(clerk, TASKS[1])) if "asks" in each["arguments"]
        )

    assert asked(AskFirst) > asked(FollowProcedure)


@pytest.mark.parametrize("clerk", CLERKS)
def test_business_tools_are_called_by_name_where_they_are_listed(clerk):
    found = played(clerk, TASKS[0], tool_mode="flat")
    assert set(names(found)) & set(TOOLS)
    assert "call_tool" not in names(found)


@pytest.mark.parametrize("clerk", CLERKS)
def test_without_search_a_clerk_asks_and_finishes(clerk):
    found = played(clerk, TASKS[0], retrieval="none")
    assert "message_user" in names(found)
    assert found.reward == 0.0


@pytest.mark.parametrize("clerk", CLERKS)
def test_a_clerk_plays_alike_every_time(clerk):
    played.cache_clear()
    first = calls(played(clerk, TASKS[0]))
    played.cache_clear()
    assert calls(played(clerk, TASKS[0])) == first

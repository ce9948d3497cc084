"""Ablations on the shipped tasks: each setting does what it says, and two agents are told apart by what they took."""

import json
from math import ceil

import gymnasium as gym
import pytest
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.rollout import Limits
from bizgym.envs.core.stop import StopReason
from bizgym.envs.payments.modules.catalog import TOOLS
from bizgym.envs.payments.user.wording import said
from bizgym.evaluators.aggregate import write_summary
from bizgym.evaluators.reliability import Trials, curve
from bizgym.evaluators.resources import of_run
from bizgym.evaluators.strict_success import judged, rates

from tests.fixtures.models import converse, says, tool_call
from tests.fixtures.records import RunFolder, play_all
from tests.payments.reading_customer import ReadingCustomer
from tests.payments.shipped import (
    PAYOUT,
    RELEASE,
    SHIPPED,
    TASKS,
    Walks,
    golden,
    make,
    play,
    record,
    setting,
    task,
)

LOOK = {"name": "call_tool", "arguments": {"name": "account_list", "arguments": {}}}


@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
@pytest.mark.parametrize("cap", [1.2, 1.5, 2, 3])
def test_tool_cap_ends_an_episode_at_its_multiple_of_the_reference_path(task_id, cap):
    env = make(tool_cap=cap)
    env.reset(seed=0, options={"task_id": task_id})
    n = 0
    while env.stop_reason is None:
        reply = env.step(LOOK)
        n += 1
    assert n == ceil(cap * len(golden(task_id)))
    assert (env.stop_reason, reply[2:4]) == (StopReason.MAX_CALLS, (False, True))
    assert (reply[1], reply[-1]["metrics"]["strict"]) == (0.0, 0.0)


@pytest.mark.parametrize("task_id", TASKS)
def test_tool_cap_leaves_the_reference_path_its_calls_and_counts_those_of_one_turn_singly(task_id):
    path = golden(task_id)
    assert record("Oracle", task_id, tool_cap=1.0).reward == 1.0
    room = ceil(1.2 * len(path)) - len(path)
    assert record(Walks([*[LOOK] * room, *path]), task_id, tool_cap=1.2).reward == 1.0
    late = record(Walks([[LOOK] * (room + 1), *path]), task_id, tool_cap=1.2)
    assert (late.reward, late.stop_reason, late.n_steps) == (0.0, "max_calls", len(path))


def request(task_id, **kwargs):
    return make(**kwargs).reset(seed=0, options={"task_id": task_id})[0].partition("writes:\n\n")[2]


@pytest.mark.parametrize("task_id", TASKS)
def test_information_hands_over_the_documents_of_the_reference_path_and_then_the_card(task_id):
    found, documents = task(task_id), {each.id: each for each in setting(task_id).documents}
    default, gold, full = (
        request(task_id, information=each) for each in ("default", "gold_documents", "full_disclosure")
    )
    assert default.strip() == found.opener.strip()
    assert all(documents[each].text.strip() in gold for each in found.gold_documents)
    assert len(found.gold_documents) >= 12
    others = [each for each in documents.values() if each.id not in found.gold_documents]
    assert not any(each.text.strip() in gold for each in others)
    facts = [each for each in found.card.facts if each.own is None]
    told = full.removeprefix(gold.rstrip())
    assert told != full
    for each in facts:
        kind = found.script.vocabulary.fact_kinds[each.kind]
        assert (
            f"{each.kind}{'/' + each.subject if each.subject else ''}: {said(_value(found, each), kind.type)}" in told
        )
    assert "What the customer can tell:" not in gold


def _value(found, fact):
    return found.script.values_of(fact.id)[0]


@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
def test_retrieval_none_takes_the_search_away_and_leaves_what_has_an_id(task_id):
    env = make(retrieval="none")
    env.reset(seed=0, options={"task_id": task_id})
    assert "search_documents" not in {each["function"]["name"] for each in env.tools}
    searched = env.step({"name": "search_documents", "arguments": {"query": "fee"}})[-1]
    assert searched["error"] == "unknown_tool"
    read = env.step({"name": "read_document", "arguments": {"document_id": task(task_id).gold_documents[0]}})
    assert read[-1]["error"] == ""
    assert record("Oracle", task_id, retrieval="none").reward == 1.0


@pytest.mark.parametrize("task_id", TASKS)
def test_tool_mode_flat_offers_a_small_set_that_suffices(task_id):
    env = make(tool_mode="flat")
    env.reset(seed=0, options={"task_id": task_id})
    offered = {each["function"]["name"] for each in env.tools}
    assert set(task(task_id).tool_subset) <= offered
    assert {"search_tools", "describe_tool", "call_tool"}.isdisjoint(offered)
    assert len(offered & set(TOOLS)) <= 64 < len(TOOLS)
    assert record("Oracle", task_id, tool_mode="flat").reward == 1.0


def turns_of(task_id):
    """What a reading customer says on the reference path of a task, as a save keeps it."""
    env = make(counterpart={"driver": "llm"})
    env.set_counterpart(ReadingCustomer())
    play(env, task_id, golden(task_id))
    return json.loads(env.save())["replies"]


@pytest.mark.parametrize("task_id", [RELEASE, PAYOUT])
def test_every_driver_of_the_customer_plays_a_shipped_task_to_its_end(task_id):
    turns = turns_of(task_id)
    assert record("Oracle", task_id).reward == 1.0
    assert record("Oracle", task_id, counterpart={"driver": "replay", "turns": turns}).reward == 1.0
    lines = [line for turn in turns for step in turn for line in _lines(step)]
    env = gym.make(SHIPPED, counterpart={"driver": "human"})
    env.unwrapped.set_counterpart(lambda shown: lines.pop(0))
    row = record("Oracle", task_id, env=env)
    assert (row.reward, row.error, lines) == (1.0, "", [])


def _lines(step):
    calls = [json.dumps({"name": name, "arguments": json.loads(given)}) for name, given in step["calls"]]
    return [*calls, *([step["text"]] if step["text"] else [])]


@pytest.mark.parametrize(("policy", "stop"), [("error", StopReason.CONTEXT_OVERFLOW), ("stub", StopReason.MAX_STEPS)])
def test_the_overflow_policy_ends_the_episode_or_makes_room(policy, stop):
    reads = [each for each in golden(PAYOUT) if each["name"] == "read_document"]
    replies = [says(tool_call(each["name"], json.dumps(each["arguments"]), f"c{k}")) for k, each in enumerate(reads)]
    _, prompts = converse(gym.make(SHIPPED, tasks=[PAYOUT]), *replies)
    window = max(len(str(prompt)) for prompt in prompts) // 5
    agent = ChainOfThought(context=policy, window_tokens=window, max_tokens=100)
    limits = Limits(max_steps=len(replies))
    row, seen = converse(gym.make(SHIPPED, tasks=[PAYOUT]), *replies, agent=agent, limits=limits)
    assert row.stop_reason is stop
    assert row.reward == 0.0
    assert any(step.stubbed for step in row.steps) is (policy == "stub")
    assert len(seen) < len(replies) if policy == "error" else len(seen) == len(replies)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """Two agents, three tasks, two trials: one walks the reference path, the other is in a hurry."""
    agents = {
        name: {"_target_": f"bizgym.agents.baselines.payments.{kind}", "name": name}
        for name, kind in (("oracle", "Oracle"), ("naive", "Naive"))
    }
    env = {"id": "bizgym/PaymentWorkflows-v0", "split": None, "tasks": [RELEASE, PAYOUT, "payout_kingfisher"]}
    folder = tmp_path_factory.mktemp("runs") / "two"
    play_all(folder, lineups={"payments": {"env": env, "agents": agents}}, trials=2)
    return RunFolder(folder)


def rows_of(run, agent):
    return [row for row in run.rows() if row.agent["name"] == agent]


def test_strict_success_tells_two_agents_apart_by_class(run):
    found = {
        agent: {each.metric: each.value for each in rates([judged(row) for row in rows_of(run, agent)], 6)}
        for agent in ("oracle", "naive")
    }
    assert set(found["oracle"].values()) == {0.0, 1.0}
    assert [found["oracle"][each] for each in ("strict", "goal", "process", "protection")] == [1.0] * 4
    assert [found["naive"][each] for each in ("strict", "goal", "goal_but_violating")] == [0.0, 1.0, 1.0]
    assert found["naive"]["process"] < 1.0
    summary = write_summary(run)["by_agent"]
    assert (summary["oracle"]["reward"], summary["naive"]["reward"]) == (1.0, 0.0)


def test_reliability_of_two_agents_under_each_convention(run):
    for agent, expected in (("oracle", 1.0), ("naive", 0.0)):
        tasks = {}
        for row in rows_of(run, agent):
            trials = tasks.setdefault(row.task_id, Trials(asked=2))
            if judged(row).strict:
                trials.successes += 1
            else:
                trials.failures += 1
        for each in curve(tasks):
            assert (each.excluded, each.as_failures, each.lower, each.upper) == (expected,) * 4
    broken = {"a": Trials(asked=2, successes=1, unknown=1)}
    (first, second) = curve(broken)
    assert (first.excluded, first.as_failures, second.excluded, second.lower, second.upper) == (
        1.0,
        0.5,
        None,
        0.0,
        1.0,
    )


def test_resources_of_two_agents_are_those_of_their_paths(run):
    took = {each["agent"]: each for each in of_run(run)}
    paths = [golden(each) for each in (RELEASE, PAYOUT, "payout_kingfisher")]
    assert took["oracle"]["tool_calls"] == took["oracle"]["turns"] == sum(map(len, paths)) / 3
    documents = [{json.dumps(each) for each in path if each["name"] == "read_document"} for path in paths]
    assert took["oracle"]["documents_read"] == sum(map(len, documents)) / 3
    assert (took["oracle"]["errors"], took["oracle"]["n"]) == (0.0, 6)
    assert took["naive"]["documents_read"] < took["oracle"]["documents_read"]
    assert took["naive"]["errors"] > 0

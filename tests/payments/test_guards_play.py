"""Defects that public suites of this kind have had, each under its own name with what keeps it out here: the play."""

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import bizgym.envs
import gymnasium as gym
import pytest
from bizgym.agents.base import Agent
from bizgym.agents.cot import ChainOfThought
from bizgym.envs.core.chat import Completion, Finish, ToolCall
from bizgym.envs.core.errors import RecordError, SettingError
from bizgym.envs.core.run_folder import EPISODES
from bizgym.evaluators.aggregate import write_summary
from bizgym.evaluators.benchmarks import course_of, rescore
from bizgym.evaluators.costs import cost_of
from bizgym.evaluators.replay import replay

from tests.fixtures.models import converse, says, tool_call
from tests.fixtures.records import RunFolder, content, play_all, rows_of
from tests.payments.reading_customer import ReadingCustomer
from tests.payments.shipped import (
    PAYOUT,
    RELEASE,
    SHIPPED,
    TASKS,
    calls_of,
    digest_of,
    golden,
    make,
    play,
    record,
    task,
)

ROOT = Path(__file__).parents[2]
PLAYERS = ("Oracle", "Naive", "NewestDocWins", "GreedyOrder", "NeverWait", "AssumeConsent", "CloseFirst", "RandomCalls")
N_EPISODES = 64
PROGRAM = """
import sys
from tests.payments.shipped import logs_by_threads
for log in logs_by_threads(int(sys.argv[1])):
    print(log)
"""


class Misbehaves(ReadingCustomer):
    """Begins its first turns badly: it begins the talk anew, thinks aloud, ends it, decides unseen; then it behaves."""

    def __init__(self, opening):
        super().__init__()
        end = ToolCall("e", "end_conversation", '{"outcome": "gave_up"}')
        self.bad = [
            Completion(opening),
            Completion("<think>The agent asks for a fact.</think> Here you are."),
            Completion("As you wish.", (end,), finish=Finish.TOOL_CALLS),
        ]
        self.unseen = False

    def complete(self, messages, tools, settings):
        if messages[-1]["role"] != "user" or "was thrown away" in messages[0]["content"]:
            return super().complete(messages, tools, settings)
        if self.bad:
            return self.bad.pop(0)
        asked = re.search(r"\[asks: approval (\S+)\]", messages[-1]["content"])
        if asked and not self.unseen:
            self.unseen = True
            approval = ToolCall("u", "approve_request", json.dumps({"request": asked[1]}))
            return Completion("", (approval,), finish=Finish.TOOL_CALLS)
        return super().complete(messages, tools, settings)


def test_user_stops_early_restarts_leaks_reasoning():
    """Each bad turn is thrown away with its reason and kept in the record alone; the opener is verbatim."""
    env = gym.make(SHIPPED, counterpart={"driver": "llm"})
    env.unwrapped.set_counterpart(Misbehaves(task(RELEASE).opener))
    row = record("Oracle", RELEASE, env=env)
    assert row.reward == 1.0
    assert f"writes:\n\n{task(RELEASE).opener}" in row.first_observation
    thrown = [each["violation"][0] for step in row.steps if step.counterpart for each in step.counterpart["rejected"]]
    assert thrown == ["PV6", "PV5", "PV1", "PV3"]
    shown = row.first_observation + "".join(step.observation for step in row.steps)
    assert "<think>" not in shown
    assert shown.count(task(RELEASE).opener) == 1


class Hallucinates(Agent):
    """Walks the reference path; in the third turn it calls a tool that does not exist, or breaks."""

    def __init__(self, breaks=False):
        self.breaks, self.n = breaks, 0

    def begin_episode(self, card):
        self.left = golden(card.task_id)

    def act(self, observation, info):
        self.n += 1
        if self.n == 3 and self.breaks:
            raise RuntimeError("boom")
        if self.n == 3:
            return {"name": "call_tool", "arguments": {"name": "reserve_release_now", "arguments": {}}}
        return self.left.pop(0)


def test_evaluator_crash_or_hallucinated_tool_becomes_infrastructure():
    """A tool that was made up is the agent's error and costs a turn; a crash of the agent counts; one of the scorer is
    neither 0 nor dropped but raised."""
    row = record(Hallucinates(), RELEASE)
    assert (row.stop_reason, row.reward, row.errors) == ("env_done", 1.0, {"unknown_tool": 1})
    crashed = record(Hallucinates(breaks=True), RELEASE)
    assert (crashed.stop_reason, crashed.reward, crashed.metrics["strict"]) == ("agent_error", 0.0, 0.0)
    broken = row.model_copy(update={"task_id": "release_of_nothing"})
    for look in (rescore, course_of):
        with pytest.raises((RecordError, SettingError), match="release_of_nothing"):
            look(broken)


@pytest.mark.slow
def test_non_deterministic_replay():
    """Reference paths under two hash seeds and two numbers of threads give the same bytes, and their records replay."""
    packages = Path(bizgym.envs.__file__).parents[2]
    seen = []
    for seed, threads in (("1", "1"), ("2", "3")):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])}
        command = [sys.executable, "-c", PROGRAM, threads]
        seen.append(subprocess.run(command, env=environment, check=True, capture_output=True, cwd=ROOT).stdout)
    assert seen[0] == seen[1]
    assert len(seen[0].splitlines()) == len(TASKS) == len(set(seen[0].splitlines()))
    assert replay(record("NewestDocWins", PAYOUT), gym.make(SHIPPED)) == ""


def paths():
    """Sixty-four episodes: every task with every player, as (task, calls)."""
    return [(task_id, calls_of(player, task_id)) for task_id in TASKS for player in PLAYERS]


@pytest.mark.slow
def test_concurrency_shared_caches_rng_threads():
    """64 interleaved episodes over all tasks and several players, traps among them, are those of 64 lone ones."""
    every = paths()
    assert len(every) == N_EPISODES
    before = random.getstate()
    lone = []
    for task_id, calls in every:
        env = make(max_consecutive_errors=10_000)
        lone.append(digest_of(env, play(env, task_id, calls)))
    envs = [make(max_consecutive_errors=10_000) for _ in every]
    replies = [[env.reset(seed=0, options={"task_id": task_id})] for env, (task_id, _) in zip(envs, every, strict=True)]
    left = {k: list(calls) for k, (_, calls) in enumerate(every)}
    order = random.Random(11)
    while left:
        k = order.choice(list(left))
        replies[k].append(envs[k].step(left[k].pop(0)))
        if not left[k] or envs[k].stop_reason is not None:
            del left[k]
    assert [digest_of(*each) for each in zip(envs, replies, strict=True)] == lone
    assert len(set(lone)) > 40
    assert random.getstate() == before


def run_of(folder, agent="Oracle", **settings):
    target = {"_target_": f"bizgym.agents.baselines.payments.{agent}", "name": agent.lower()}
    env = {"id": "bizgym/PaymentWorkflows-v0", "split": None}
    return play_all(folder, env=env, agent=target, **settings)


def test_resume_loses_or_mixes_runs(tmp_path):
    """A run that was torn apart in the middle of a line goes on where it was; another run is refused its folder."""
    run_of(tmp_path / "whole", limit=4)
    run_of(tmp_path / "torn", limit=3)
    file = tmp_path / "torn" / EPISODES
    file.write_bytes(file.read_bytes()[:-200])
    assert run_of(tmp_path / "torn", limit=4).played == 2
    by_key = [{row.key: content(row) for row in rows_of(tmp_path / name)} for name in ("whole", "torn")]
    assert by_key[0] == by_key[1]
    assert Counter(row.key for row in rows_of(tmp_path / "torn")).most_common(1)[0][1] == 1
    with pytest.raises(SettingError, match="run_dir"):
        run_of(tmp_path / "torn", agent="Naive", limit=4)


def test_cost_missing_or_0(tmp_path):
    """A customer whose price nobody knows is unpriced and never $0.00; its tokens stand in the summary by role."""
    env = gym.make(SHIPPED, counterpart={"driver": "llm"})
    env.unwrapped.set_counterpart(ReadingCustomer())
    used = record("Oracle", RELEASE, env=env).usage
    assert cost_of(used).text == "unpriced"
    assert used["simulator"]["input"] > 0
    run_of(tmp_path, limit=1)
    assert write_summary(RunFolder(tmp_path))["by_agent"]["oracle"]["cost"]["reason"] == "no model was called"


def test_context_overflow_undefined():
    """The oldest quarter of the documents and searches in view become stubs that name them; nothing else changes."""
    calls = [each for each in golden(RELEASE) if each["name"] in ("search_documents", "read_document", "describe_tool")]
    replies = [says(tool_call(each["name"], json.dumps(each["arguments"]), f"c{k}")) for k, each in enumerate(calls)]
    whole, prompts = converse(gym.make(SHIPPED, tasks=[RELEASE]), *replies)
    window = max(len(str(prompt)) for prompt in prompts) // 5
    agent = ChainOfThought(context="stub", window_tokens=window, max_tokens=100)
    row, seen = converse(gym.make(SHIPPED, tasks=[RELEASE]), *replies, agent=agent)
    stubbed = [identity for step in row.steps for identity in step.stubbed]
    names = {f"c{k}": each["name"] for k, each in enumerate(calls)}
    assert len(stubbed) >= 2
    assert {names[each] for each in stubbed} <= {"search_documents", "read_document"}
    assert stubbed == sorted(stubbed, key=lambda each: int(each[1:]))
    assert "call read_document again to see them" in str(seen[-1])
    assert row.final_digest == whole.final_digest
    assert [step.results for step in row.steps] == [step.results for step in whole.steps]

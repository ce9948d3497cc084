"""A model that plays the customer is counted: in the record under a role of its own, and in the run's account."""

import json
from hashlib import sha256

import gymnasium as gym
import pytest
from bizgym.agents.base import Agent, AgentTurn
from bizgym.agents.meter import Budget, Ledger, Meter
from bizgym.agents.prices import Price, PriceBook
from bizgym.agents.rollout import Limits, rollout
from bizgym.envs.core.chat import ChatSettings, Completion, Finish, ProviderError, Usage
from bizgym.envs.core.data import packaged_text
from bizgym.envs.core.trajectory import from_line, to_line
from bizgym.evaluators.aggregate import write_summary
from bizgym.evaluators.benchmarks import rescore
from bizgym.evaluators.replay import replay

from tests.fixtures.records import RunFolder, play_all, rows_of
from tests.payments.reading_customer import ReadingCustomer
from tests.payments.shipped import RELEASE, SHIPPED, golden, record

LLM = {"driver": "llm"}
PRICE = {"input": 3, "cached": 1, "output": 7, "date": "2026-01-01", "source": "https://x.y"}


class Thinks(Agent):
    """Walks the reference path, and asks its model before each turn."""

    needs_client = True

    def __init__(self, client):
        self.client = client

    def begin_episode(self, task):
        self.left = golden(task.task_id)

    def act(self, observation, info):
        self.client.complete([{"role": "user", "content": "?"}], (), ChatSettings())
        return AgentTurn(calls=[self.left.pop(0)])


class Agreed:
    """The agent's model."""

    def __init__(self):
        self.description = {"name": "agreed", "model": "agent-1"}

    def complete(self, messages, tools, settings):
        return Completion("yes", usage=Usage(input=1_000, output=1))


class Fails(ReadingCustomer):
    """Fails in one of its calls, after it has used something."""

    def __init__(self, n):
        super().__init__()
        self.n = n

    def complete(self, messages, tools, settings):
        if self.n_calls == self.n:
            raise ProviderError("503 from the provider", Usage(input=11, attempts=4))
        return super().complete(messages, tools, settings)


def talked_to(customer, **kwargs):
    env = gym.make(SHIPPED, counterpart=LLM, **kwargs)
    env.unwrapped.set_counterpart(customer)
    return env


def metered(customer, *, limits=None, budget=None):
    prices = PriceBook([Price(model=model, **PRICE) for model in ("agent-1", "customer-1")])
    ledger = Ledger(prices, budget)
    meter = Meter(Agreed(), ledger, limits or Limits())
    row = rollout(talked_to(customer), Thinks(meter.client()), seed=0, task_id=RELEASE, limits=limits, meter=meter)
    return row, ledger


def test_a_model_plays_the_customer_of_a_shipped_task_and_is_counted_beside_an_agent_without_one():
    customer = ReadingCustomer()
    row = record("Oracle", RELEASE, env=talked_to(customer))
    assert (row.stop_reason, row.reward, row.error) == ("env_done", 1.0, "")
    used = row.usage["simulator"]
    assert (used["calls"], used["output"], used["cached"]) == (
        customer.n_calls,
        10 * customer.n_calls,
        7 * customer.n_calls,
    )
    assert used["unpriced"] == customer.n_calls
    assert set(row.usage) == {"simulator"}
    by_step = [step.usage["simulator"]["calls"] for step in row.steps if step.usage]
    talks = [step for step in row.steps if step.counterpart]
    assert (sum(by_step), len(by_step)) == (customer.n_calls, len(talks))
    assert talks[0].counterpart["client"] == {"name": "reading", "model": "customer-1"}
    digest = sha256(packaged_text("payments", "user_prompt.md").encode()).hexdigest()
    assert talks[0].counterpart["prompt_hashes"] == {"user_prompt": digest[:16]}


def test_the_record_replays_and_is_the_same_without_the_model():
    row = record("Oracle", RELEASE, env=talked_to(ReadingCustomer()))
    assert from_line(to_line(row)) == row
    assert replay(row, gym.make(SHIPPED, counterpart=LLM)) == ""


def test_the_run_s_account_counts_both_at_their_own_prices():
    customer = ReadingCustomer()
    row, ledger = metered(customer)
    agent, simulator = row.usage["act"], row.usage["simulator"]
    assert agent["calls"] == len(row.steps)
    fresh = simulator["input"] - simulator["cached"]
    assert simulator["cost"] == pytest.approx((fresh * 3 + simulator["cached"] + simulator["output"] * 7) / 1e6)
    assert "unpriced" not in simulator
    assert ledger._total["calls"] == agent["calls"] + customer.n_calls
    assert ledger._total["cost"] == pytest.approx(agent["cost"] + simulator["cost"])


def test_an_agent_s_own_limits_leave_the_customer_out_and_the_run_s_budget_does_not():
    n = len(golden(RELEASE))
    row, _ = metered(ReadingCustomer(), limits=Limits(max_calls=n + 1, max_tokens=1_001 * (n + 1)))
    assert row.stop_reason == "env_done"
    row, ledger = metered(ReadingCustomer(), budget=Budget(max_calls=n + 1))
    assert row.stop_reason == "cancelled"
    assert ledger.spent == f"max_calls {n + 1}"


def test_what_a_failing_customer_used_and_said_is_kept_beyond_the_steps():
    empty = ReadingCustomer()
    empty.complete = lambda messages, tools, settings: Completion("", usage=Usage(input=5, output=2))
    row = record("Oracle", RELEASE, env=talked_to(empty))
    assert (row.stop_reason, row.reward) == ("simulator_failure", None)
    assert (
        row.usage
        == row.usage_beyond
        == {"simulator": {"calls": 3, "attempts": 3, "input": 15, "output": 6, "unpriced": 3}}
    )
    assert [each["violation"][0] for each in row.counterpart_beyond["rejected"]] == ["PV7"] * 3
    assert row.counterpart_beyond["turns"] == []
    assert "".join(map(str, (step.counterpart for step in row.steps))).count("rejected") == 0
    assert from_line(to_line(row)) == row


@pytest.mark.parametrize(("n", "lost"), [(2, 1), (1, 2)])
def test_a_provider_of_the_customer_that_fails_is_the_provider_s_failure_and_all_calls_are_paid_for(n, lost):
    """It fails at the beginning of the second turn, or in the middle of the first, whose first call is lost too."""
    row = record("Oracle", RELEASE, env=talked_to(Fails(n)))
    assert (row.stop_reason, row.reward) == ("provider_error", None)
    assert "503 from the provider" in row.error
    assert row.usage_beyond["simulator"]["calls"] == lost
    assert row.usage_beyond["simulator"]["attempts"] == 3 + lost
    assert row.usage["simulator"]["calls"] == n + 1


def test_several_messages_in_one_turn_are_all_counted_and_kept():
    customer = ReadingCustomer()
    env = talked_to(customer).unwrapped
    env.reset(seed=0, options={"task_id": RELEASE})
    spoken = [each for each in golden(RELEASE) if each["name"] == "message_user"][:1] * 2
    env.step(spoken)
    found = env.counterpart_record()
    assert (len(found["turns"]), len(found["usage"])) == (2, customer.n_calls)


def test_an_episode_that_is_stopped_after_a_message_keeps_its_answer_once():
    env = talked_to(ReadingCustomer()).unwrapped
    env.reset(seed=0, options={"task_id": RELEASE})
    env.step(next(each for each in golden(RELEASE) if each["name"] == "message_user"))
    assert env.counterpart_record()["turns"]
    env.forfeit("max_tokens")
    assert env.counterpart_record() is None


def test_a_model_that_costs_nothing_is_free_and_not_unpriced():
    customer = ReadingCustomer()
    customer.free = True
    used = record("Oracle", RELEASE, env=talked_to(customer)).usage["simulator"]
    assert used["cost"] == 0.0
    assert "unpriced" not in used


@pytest.mark.parametrize("n_good", [0, 1])
def test_a_key_that_the_customer_repeats_reaches_no_record(n_good):
    key = "sk-test-0123456789abcdef"
    said = iter([f"My key is {key}."] * n_good)
    leaks = ReadingCustomer()
    leaks.complete = lambda messages, tools, settings: Completion(next(said, f"as an AI, {key}"), finish=Finish.STOP)
    row = record("Oracle", RELEASE, env=talked_to(leaks))
    assert row.stop_reason == "simulator_failure"
    assert key not in json.dumps(row.model_dump(mode="json"))


def test_a_run_by_configuration_has_a_model_as_the_customer_in_its_summary_and_replays(tmp_path):
    rules = [{"text": "I would rather not say."}]
    client = {"factory": "bizgym.agents.clients:make_client", "name": "scripted", "rules": rules}
    env = {"id": "bizgym/PaymentWorkflows-v0", "split": None, "tasks": [RELEASE]}
    env["counterpart"] = {"driver": "llm", "client": client}
    oracle = {"_target_": "bizgym.agents.baselines.payments.Oracle", "name": "oracle"}
    play_all(tmp_path, env=env, agent=oracle)
    (row,) = rows_of(tmp_path)
    talks = [step for step in row.steps if step.counterpart]
    assert (row.stop_reason, row.reward, len(talks) > 2) == ("env_done", 0.0, True)
    used = write_summary(RunFolder(tmp_path))["by_agent"]["oracle"]["usage"]["simulator"]
    assert used == row.usage["simulator"]
    assert (used["calls"], used["cost"], used["estimated"]) == (len(talks), 0.0, len(talks))
    assert replay(row, gym.make(row.env_id, **row.env_kwargs)) == ""
    assert rescore(row).metrics == row.metrics

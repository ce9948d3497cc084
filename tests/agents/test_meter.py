"""What a call used is counted once, by role and phase, whatever became of it; budgets end where they say."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from bizgym.agents.base import Agent, AgentStop, AgentTurn
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.meter import Budget, Ledger, Meter
from bizgym.agents.prices import Price, PriceBook
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ChatSettings, ContextOverflow, Finish, ProviderError, Usage
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import from_line, to_line
from bizgym.evaluators.replay import replay

from tests.fixtures.models import KEY, converse, make, order, says

BEER = "bizgym/BeerGame-v0"
USED = Usage(input=100, cached=60, cache_write=20, output=10, reasoning=4, attempts=2)
PRICE = Price(model="m", input=2, cached=0.2, cache_write=2.5, output=10, date=date(2026, 1, 1), source="https://x.y")
COST = (20 * 2 + 60 * 0.2 + 20 * 2.5 + 10 * 10) / 1e6
BOOK = PriceBook([PRICE])


class Paid:
    """A client of the model `m` that says the same each time."""

    def __init__(self, *replies):
        self.description = {"name": "paid", "model": "m"}
        self.replies, self.settings = iter(replies), []

    def complete(self, messages, tools, settings):
        self.settings.append(settings)
        reply = next(self.replies, says(order(), usage=USED))
        if isinstance(reply, Exception):
            raise reply
        return reply


class Reflects(Agent):
    """Votes twice before it orders, and reflects after the episode."""

    needs_client = True

    def begin_run(self, run):
        self._act, self._vote = run.client, run.meter.client("vote")
        self._reflect = run.meter.client("reflect", "adaptation")

    def act(self, observation, info):
        for client in (self._vote, self._vote, self._act):
            client.complete([{"role": "user", "content": observation}], (), ChatSettings())
        return AgentTurn(calls=[{"name": "place_order", "arguments": {"quantity": 100}}], usage={"act": {"calls": 99}})

    def end_episode(self, trajectory, feedback):
        self._reflect.complete([{"role": "user", "content": "What did you learn?"}], (), ChatSettings())


def played(client, *, agent=None, limits=None, prices=BOOK, budget=None, **kwargs):
    env = make(BEER, horizon=4, **kwargs)
    limits = limits or Limits()
    return converse(env, agent=agent, limits=limits, client=client, prices=prices, budget=budget)[0]


def test_every_class_of_tokens_and_every_attempt_is_counted_and_priced():
    row = played(Paid())
    one = {"calls": 1, "attempts": 2, "input": 100, "cached": 60, "cache_write": 20, "output": 10, "reasoning": 4}
    assert [{**step.usage["act"], "cost": None} for step in row.steps] == [{**one, "cost": None}] * 4
    assert row.usage["act"]["cost"] == pytest.approx(4 * COST)
    assert {name: row.usage["act"][name] for name in one} == {name: 4 * value for name, value in one.items()}
    assert row.usage_beyond == {}


def test_roles_and_phases_are_told_apart_and_an_agents_own_word_does_not_count_twice():
    row = played(Paid(), agent=Reflects())
    calls = {role: amounts["calls"] for role, amounts in row.usage.items()}
    assert calls == {"vote": 8, "act": 4, "reflect@adaptation": 1}
    assert set(row.usage_beyond) == {"reflect@adaptation"}
    assert all(set(step.usage) == {"vote", "act"} for step in row.steps)
    read = from_line(to_line(row))
    assert replay(read, make(BEER, horizon=4)) == ""
    read.usage_beyond["reflect@adaptation"]["calls"] = 2
    assert "usage" in replay(read, make(BEER, horizon=4))


def test_a_model_without_a_price_is_unpriced_and_never_free():
    row = played(Paid(), prices=PriceBook(()))
    assert row.usage["act"]["unpriced"] == 4
    assert "cost" not in row.usage["act"]


def test_what_is_free_or_replayed_costs_nothing_and_says_so():
    free = played(ScriptedClient(lambda *_: says(order(), usage=USED)))
    assert (free.usage["act"]["cost"], "unpriced" in free.usage["act"]) == (0.0, False)
    stored = Usage(input=100, output=10, replayed=True)
    replayed = played(Paid(*[says(order(), usage=stored)] * 4))
    assert (replayed.usage["act"]["cost"], replayed.usage["act"]["replayed"]) == (0.0, 4)


def test_a_failed_call_is_counted_beyond_the_steps_and_costs_what_its_attempts_used():
    failure = ProviderError("503 after 3 attempts", Usage(input=50, output=1, attempts=3))
    row = played(Paid(says(order(), usage=USED), failure))
    assert (row.stop_reason, row.reward) == (StopReason.PROVIDER_ERROR, None)
    assert row.error == "503 after 3 attempts"
    assert row.n_steps == 1
    assert row.usage_beyond["act"]["attempts"] == 3
    assert row.usage["act"]["calls"] == 2
    assert row.usage["act"]["cost"] == pytest.approx(COST + (50 * 2 + 10) / 1e6)
    assert replay(from_line(to_line(row)), make(BEER, horizon=4)) == ""


def test_a_broken_connection_of_anybodys_client_is_no_fault_of_the_agent():
    row = played(Paid(says(order(), usage=USED), ConnectionResetError("peer")))
    assert (row.stop_reason, row.reward) == (StopReason.PROVIDER_ERROR, None)
    assert row.error == "ConnectionResetError: peer"
    assert row.usage["act"]["calls"] == 2


def test_an_overflow_that_an_agent_does_not_handle_is_its_own_scored_stop():
    row = played(Paid(ContextOverflow("maximum context length is 8", Usage(attempts=1), 8)), agent=Reflects())
    assert (row.stop_reason, row.scored) == (StopReason.CONTEXT_OVERFLOW, True)
    assert row.error == "maximum context length is 8"


def test_several_calls_at_a_time_are_all_counted():
    meter = Meter(Paid(), Ledger(BOOK), Limits())
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda k: meter.client(f"voter{k % 3}").complete([], (), ChatSettings()), range(300)))
    assert {role: amounts["calls"] for role, amounts in meter.take().items()} == dict.fromkeys(
        ("voter0", "voter1", "voter2"), 100
    )
    assert meter.take() == {}


def test_usage_of_a_turn_that_breaks_after_its_call_is_kept():
    class Breaks(Agent):
        needs_client = True

        def begin_run(self, run):
            self._client = run.client

        def act(self, observation, info):
            self._client.complete([], (), ChatSettings())
            raise ZeroDivisionError

    row = played(Paid(), agent=Breaks())
    assert (row.stop_reason, row.usage["act"]["calls"]) == (StopReason.AGENT_ERROR, 1)
    assert row.steps[-1].usage == row.usage


def test_a_refusal_is_a_scored_stop_of_its_own():
    row = played(Paid(says(text="I cannot help.", finish=Finish.REFUSAL)))
    assert (row.stop_reason, row.scored, row.error) == (StopReason.REFUSAL, True, "the model refused: I cannot help.")


LIMITS = [
    ({"max_calls": 5}, StopReason.MAX_CALLS, 5),
    ({"max_tokens": 330}, StopReason.MAX_TOKENS, 3),
    ({"max_tokens": 331}, StopReason.MAX_TOKENS, 4),
    ({"max_cost": 2.5 * COST}, StopReason.MAX_COST, 3),
    ({"timeout_seconds": 1e-9}, StopReason.TIMEOUT, 0),
]


@pytest.mark.parametrize(("limits", "reason", "calls"), LIMITS)
def test_an_episodes_own_budget_is_a_scored_stop_before_the_call_that_would_exceed_it(limits, reason, calls):
    """Three calls a turn: the budget ends the episode in the middle of a turn."""
    client = Paid()
    row = played(client, agent=Reflects(), limits=Limits(**limits))
    assert (row.stop_reason, row.scored) == (reason, True)
    assert sum(amounts["calls"] for role, amounts in row.usage.items() if "@" not in role) == calls
    assert row.reward == sum(step.reward for step in row.steps) < 0


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        (Budget(max_calls=2), "max_calls 2"),
        (Budget(max_tokens=220), "max_tokens 220"),
        (Budget(max_cost=2 * COST), "max_cost"),
    ],
)
def test_the_runs_budget_cancels_an_episode_without_a_score(budget, message):
    row = played(Paid(), budget=budget)
    assert (row.stop_reason, row.reward, row.n_steps) == (StopReason.CANCELLED, None, 2)
    assert f"the budget of the run is spent: {message}" in row.error


def test_a_call_is_given_what_is_left_of_the_episode():
    client = Paid()
    played(client, limits=Limits(timeout_seconds=50.0))
    left = [settings.deadline_seconds for settings in client.settings]
    assert all(0 < each <= 50.0 for each in left)
    assert left == sorted(left, reverse=True)


def test_the_record_names_the_client_and_who_answered():
    row = played(Paid())
    named = {"name": "paid", "model": "m", "answered_by": ["some/model:7b"]}
    assert row.client == {**named, "price_dates": ["2026-01-01"]}
    assert played(Paid(), prices=PriceBook(())).client == named
    assert played(Paid(ProviderError("x"))).client["answered_by"] == []


def test_times_stand_in_timing_alone():
    row = played(Paid())
    assert all(0 <= step.timing["model_seconds"] <= step.timing["agent_seconds"] for step in row.steps)
    assert "seconds" not in json.dumps([step.usage for step in row.steps])


class Leaks:
    """A client of somebody else's, whose description and errors repeat a key."""

    def __init__(self, failure):
        self.failure = failure
        self.description = {"name": "leaks", "model": "m", "headers": {"Authorization": f"Bearer {KEY}"}}

    def complete(self, messages, tools, settings):
        raise self.failure


@pytest.mark.parametrize(
    "failure", [ProviderError(f"401: {KEY}"), ValueError(f"401: {KEY}"), AgentStop("refusal", KEY)]
)
def test_L10_a_key_in_an_error_or_a_description_reaches_no_record(failure, monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", "an-odd-looking-secret-77")
    failure.args = (f"{failure.args[0]} an-odd-looking-secret-77",)
    row = played(Leaks(failure))
    written = to_line(row).decode()
    assert "[redacted]" in row.error
    assert KEY not in written
    assert "secret-77" not in written


def test_a_ledger_counts_what_is_there_already():
    ledger = Ledger(BOOK, Budget(max_calls=3))
    ledger.add([{"calls": 2, "input": 5}, {"calls": 1}])
    assert ledger.spent == "max_calls 3"
    with pytest.raises(AgentStop) as stopped:
        Meter(Paid(), ledger, Limits()).client().complete([], (), ChatSettings())
    assert stopped.value.reason is StopReason.CANCELLED

"""Requests and tokens a minute: no window of sixty seconds holds more than allowed, whoever asks."""

import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from bizgym.agents.clients import make_client
from bizgym.agents.clients.limits import WINDOW_SECONDS, RateLimit, shared_limit
from bizgym.agents.clients.retry import Attempts
from bizgym.envs.core.chat import ProviderError, Usage
from hypothesis import given
from hypothesis import strategies as st

from tests.clients.test_retry import POLICY, Reply, Server, StillClock

FOREVER = float("inf")


def most_in_a_window(turns, weight):
    """The largest sum of weights over any window of a minute, open at its end."""
    return max(
        sum(weight(later) for later in turns if start.at <= later.at < start.at + WINDOW_SECONDS) for start in turns
    )


@given(
    arrivals=st.lists(st.tuples(st.floats(0, 30), st.integers(1, 400)), min_size=1, max_size=40),
    requests=st.none() | st.integers(1, 7),
    tokens=st.none() | st.integers(400, 1_000),
)
def test_no_minute_holds_more_than_the_limits(arrivals, requests, tokens):
    limit, now, turns = RateLimit(requests, tokens), 0.0, []
    for pause, used in arrivals:
        now += pause
        turn = limit.reserve(used, now, FOREVER)
        assert turn.at >= now
        turns.append(turn)
    assert [turn.at for turn in turns] == sorted(turn.at for turn in turns)
    if requests is not None:
        assert most_in_a_window(turns, lambda _: 1) <= requests
    if tokens is not None:
        assert most_in_a_window(turns, lambda turn: turn.tokens) <= tokens


def test_turns_come_as_soon_as_they_may():
    limit = RateLimit(requests_per_minute=3)
    assert [limit.reserve(0, 5.0, FOREVER).at for _ in range(7)] == [5, 5, 5, 65, 65, 65, 125]


def test_without_limits_nobody_waits():
    limit = RateLimit()
    assert {limit.reserve(10**9, 5.0, 5.0).at for _ in range(1_000)} == {5.0}


def test_a_request_larger_than_the_limit_has_a_minute_to_itself():
    limit = RateLimit(tokens_per_minute=1_000)
    assert [limit.reserve(n, 0.0, FOREVER).at for n in (100, 5_000, 100)] == [0, 60, 120]


def test_what_was_used_replaces_what_was_foreseen():
    limit = RateLimit(tokens_per_minute=1_000)
    first = limit.reserve(900, 0.0, FOREVER)
    limit.settle(first, 100)
    assert limit.reserve(900, 1.0, FOREVER).at == 1.0
    dear = RateLimit(tokens_per_minute=1_000)
    dear.settle(dear.reserve(100, 0.0, FOREVER), 990)
    assert dear.reserve(100, 1.0, FOREVER).at == 60.0


def test_a_turn_that_comes_too_late_is_not_taken():
    limit = RateLimit(requests_per_minute=1)
    limit.reserve(1, 0.0, FOREVER)
    assert limit.reserve(1, 1.0, 59.0) is None
    assert limit.reserve(1, 1.0, 60.0).at == 60.0


def test_attempts_wait_for_their_turn_and_settle():
    clock, limit = StillClock(), RateLimit(requests_per_minute=2, tokens_per_minute=1_000)
    for _ in range(3):
        Attempts("model", POLICY, limit, clock).send(Server(clock), 400)
    assert clock.waits == [60.0 - 4.0]  # two requests of two seconds, then the rest of the minute
    assert limit.reserve(1_000 - 79, clock.time, FOREVER).at == clock.time


def test_a_deadline_before_the_turn_is_said_at_once():
    clock, limit = StillClock(), RateLimit(requests_per_minute=1)
    Attempts("model", POLICY, limit, clock).send(Server(clock), 1)
    server = Server(clock)
    with pytest.raises(ProviderError, match="the limits a minute leave no turn within 30 s") as raised:
        Attempts("model", POLICY, limit, clock, deadline_seconds=30.0).send(server, 1)
    assert raised.value.usage == Usage(attempts=0)
    assert (server.times_given, clock.waits) == ([], [])


def test_waiting_for_a_turn_is_not_held_against_the_provider():
    """Many workers and a low limit: the last one waits for an hour, and is then served with its whole time."""
    clock, limit = StillClock(), RateLimit(requests_per_minute=1)
    for _ in range(60):
        limit.reserve(1, clock.now(), FOREVER)
    server = Server(clock)
    Attempts("model", POLICY, limit, clock).send(server, 1)
    assert clock.waits == [3_600.0] > [POLICY.deadline_seconds]
    assert server.times_given == [POLICY.request_seconds]


def test_threads_share_one_limit():
    """Sixty-four threads that interrupt each other, a clock that stands still: the allowed number in each minute."""
    limit, interval = RateLimit(requests_per_minute=10), sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(64) as pool:
            turns = list(pool.map(lambda _: limit.reserve(5, 0.0, FOREVER), range(640)))
    finally:
        sys.setswitchinterval(interval)
    assert Counter(turn.at for turn in turns) == {60.0 * k: 10 for k in range(64)}


def test_clients_of_one_account_share_one_limit():
    settings = {"name": "openai", "model": "shared", "requests_per_minute": 7}
    one, two = make_client(**settings), make_client(**settings)
    other = make_client(**{**settings, "model": "other"})
    assert one._limit is two._limit is not other._limit
    assert shared_limit(("place",), 1, None) is not shared_limit(("place",), 2, None)


def test_a_reply_without_usage_leaves_what_was_foreseen():
    clock, limit = StillClock(), RateLimit(tokens_per_minute=1_000)

    def silent(seconds):
        return Reply(usage=None)

    Attempts("model", POLICY, limit, clock).send(silent, 800)
    assert limit.reserve(300, clock.time, FOREVER).at == clock.time + 60

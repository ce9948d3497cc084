"""Attempts, waits and deadlines, on a clock that only moves when someone waits."""

from dataclasses import dataclass
from email.utils import formatdate
from statistics import fmean
from threading import Event, Thread

import pytest
from bizgym.agents.clients.faults import AttemptFailed, of_error, of_status, retry_after, window_of
from bizgym.agents.clients.limits import Clock, RateLimit
from bizgym.agents.clients.retry import Attempts, RetryPolicy, backoff_seconds
from bizgym.envs.core.chat import ContextOverflow, ProviderError, Usage
from hypothesis import given
from hypothesis import strategies as st

POLICY = RetryPolicy(max_attempts=8, request_seconds=100.0, deadline_seconds=900.0, max_wait_seconds=60.0)
USED = Usage(input=70, cached=30, cache_write=10, output=9, reasoning=4)


class StillClock(Clock):
    """A clock that moves by waits alone."""

    def __init__(self) -> None:
        self.time = 1_000.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float, stopped: Event) -> None:
        self.waits.append(seconds)
        self.time += seconds


@dataclass
class Reply:
    usage: Usage | None = USED


class Server:
    """Fails as told, then replies; each request takes a while."""

    def __init__(self, clock: StillClock, *failures: AttemptFailed, takes_seconds: float = 2.0) -> None:
        self.clock, self.failures, self.takes_seconds = clock, list(failures), takes_seconds
        self.times_given: list[float] = []

    def __call__(self, seconds: float) -> Reply:
        self.times_given.append(seconds)
        self.clock.time += min(self.takes_seconds, seconds)
        if self.failures:
            raise self.failures.pop(0)
        return Reply()


def attempts_of(clock, policy=POLICY, limit=None, deadline_seconds=None):
    return Attempts("test model", policy, limit or RateLimit(), clock, deadline_seconds)


def busy(**more):
    return AttemptFailed("HTTP 503: busy", retriable=True, **more)


def test_C05_three_times_503_then_200():
    clock = StillClock()
    attempts = attempts_of(clock)
    assert attempts.send(Server(clock, busy(), busy(), busy()), 10) == Reply()
    assert attempts.total() == Usage(70, 30, 10, 9, 4, attempts=4)
    for wait, longest in zip(clock.waits, (1, 2, 4), strict=True):
        assert longest / 2 <= wait <= longest
    assert attempts.total().seconds == pytest.approx(4 * 2 + sum(clock.waits))


def test_failed_attempts_that_were_counted_are_in_the_sum():
    clock = StillClock()
    attempts = attempts_of(clock)
    attempts.send(Server(clock, busy(usage=USED), busy(), busy(usage=USED)), 10)
    assert attempts.total() == Usage(210, 90, 30, 27, 12, attempts=4)


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422, 301])
def test_C05_no_other_status_is_retried(status):
    clock = StillClock()
    attempts = attempts_of(clock)
    with pytest.raises(ProviderError, match=f"^test model: HTTP {status}: no$") as raised:
        attempts.send(Server(clock, of_status(status, {}, '{"message": "no"}')), 10)
    assert (raised.value.usage.attempts, clock.waits) == (1, [])


@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 504, 529])
def test_these_statuses_are_retried(status):
    clock = StillClock()
    attempts = attempts_of(clock)
    attempts.send(Server(clock, of_status(status, {"retry-after": "3"}, "")), 10)
    assert attempts.total().attempts == 2
    assert 3 <= clock.waits[0] <= 3.75


def test_no_failure_repeats_a_key():
    failed = AttemptFailed("the connection to sk-test-4711-abc failed")
    assert failed.message == str(failed) == "the connection to [redacted] failed"


def test_attempts_have_an_end():
    clock = StillClock()
    server = Server(clock, *[busy()] * 20)
    with pytest.raises(ProviderError, match="the last of 8 attempts"):
        attempts_of(clock).send(server, 10)
    assert len(server.times_given) == 8


def test_C05_the_deadline_covers_requests_and_waits():
    """Never beyond the deadline, and never a wait that can only end there."""
    clock = StillClock()
    policy = RetryPolicy(max_attempts=99, request_seconds=40.0, deadline_seconds=100.0, max_wait_seconds=60.0)
    server = Server(clock, *[busy()] * 99, takes_seconds=40.0)
    attempts = attempts_of(clock, policy)
    with pytest.raises(ProviderError, match="would come after the deadline"):
        attempts.send(server, 10)
    assert clock.time - 1_000 <= 100
    assert server.times_given[0] == 40.0
    assert server.times_given[-1] <= 100 - 40 * (len(server.times_given) - 1)


def test_C05_what_is_left_of_the_episode_is_a_deadline_too():
    clock = StillClock()
    server = Server(clock, *[busy()] * 99, takes_seconds=50.0)
    attempts = attempts_of(clock, deadline_seconds=12.5)
    with pytest.raises(ProviderError, match="would come after the deadline"):
        attempts.send(server, 10)
    assert server.times_given == [12.5]
    with pytest.raises(ProviderError, match="no time left"):
        attempts_of(clock, deadline_seconds=-3.0).send(server, 10)
    assert server.times_given == [12.5]


def test_C05_a_retry_after_beyond_the_deadline_is_not_slept_through():
    clock = StillClock()
    refused = AttemptFailed("HTTP 429: tomorrow", retriable=True, retry_after_seconds=60 * 86_400.0)
    with pytest.raises(ProviderError, match=r"HTTP 429: tomorrow .*after the deadline"):
        attempts_of(clock).send(Server(clock, refused), 10)
    assert clock.waits == []


def test_an_overflow_keeps_what_was_used():
    clock = StillClock()
    overflow = AttemptFailed("too long", overflow=True, window_tokens=2_048, usage=USED)
    with pytest.raises(ContextOverflow) as raised:
        attempts_of(clock).send(Server(clock, busy(), overflow), 10)
    assert (raised.value.window_tokens, raised.value.usage.attempts, raised.value.usage.input) == (2_048, 2, 70)


@given(attempt=st.integers(1, 10_000), jitter=st.floats(0, 1, exclude_max=True), asked=st.none() | st.floats(0, 1e6))
def test_C05_waits_are_capped_jittered_and_never_shorter_than_asked(attempt, jitter, asked):
    wait = backoff_seconds(attempt, POLICY, asked, jitter)
    if not asked:  # a date that is past asks for no haste
        own = min(2.0 ** min(attempt - 1, 60), 60)
        assert own / 2 <= wait <= own
    else:
        assert asked <= wait <= asked * 1.25


def test_closing_ends_the_waits_of_calls_in_progress():
    stopped, raised = Event(), []
    refused = AttemptFailed("HTTP 429: in ten minutes", retriable=True, retry_after_seconds=600.0)

    def call() -> None:
        try:
            Attempts("model", POLICY, RateLimit(), Clock(), stopped=stopped).send(Server(StillClock(), refused), 1)
        except ProviderError as error:
            raised.append(error)

    waiting = Thread(target=call)
    waiting.start()
    stopped.set()
    waiting.join(60)
    assert [str(error) for error in raised] == ["model: the client was closed"]


def test_waits_differ_between_threads():
    waits = []
    for _ in range(200):
        clock = StillClock()
        attempts_of(clock).send(Server(clock, busy()), 10)
        waits += clock.waits
    assert len(set(waits)) > 190
    assert fmean(waits) == pytest.approx(0.75, abs=0.1)  # uniform between a half and one second


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": formatdate(0, usegmt=True)}, 0.0),
        *[({"retry-after": text}, None) for text in ("", "soon", "-5", "nan", "inf", "1e999", "é")],
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers, seconds):
    assert retry_after(headers) == seconds


@pytest.mark.parametrize(
    ("body", "window"),
    [
        ("This model's maximum context length is 8192 tokens. However, you requested 9,000 tokens", 8_192),
        ("prompt is too long: 210000 tokens > 200000 maximum", 200_000),
        ("the request exceeds the available context size (4096 tokens)", 4_096),
        ('{"code": "context_length_exceeded"}', None),
        ("Your input exceeds the context window of this model.", None),
    ],
)
def test_overflows_are_told_from_other_refusals(body, window):
    failed = of_status(400, {}, body)
    assert failed.overflow
    assert window_of(body) == failed.window_tokens == window


@pytest.mark.parametrize("body", ["Request too large: tokens per min (TPM): Limit 6000", "tools[0]: unknown field"])
def test_other_refusals_are_no_overflow(body):
    assert not of_status(413, {}, body).overflow


@pytest.mark.parametrize(
    ("error", "retriable"),
    [
        ({"code": 502, "message": "upstream"}, True),
        ({"code": 429}, True),
        ({"type": "overloaded_error"}, True),
        ("upstream died", True),
        ({"code": 401, "message": "bad key"}, False),
        ({"code": "invalid_request"}, False),
    ],
)
def test_an_error_in_a_200_is_classified_by_its_code(error, retriable):
    assert of_error(error).retriable is retriable

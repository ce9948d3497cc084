"""The retry loop: the SDKs' own is switched off, so that every request is counted and every wait has an end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import Random
from threading import Event
from typing import Protocol, TypeVar

from ...envs.core.chat import ContextOverflow, ProviderError, Usage
from .faults import AttemptFailed
from .limits import Clock, RateLimit, Turn

FIRST_WAIT_SECONDS = 1.0
_JITTER = Random()  # spreads requests over time and reaches no record


class Counted(Protocol):
    """A reply that knows what it used, None where the provider sent no counts."""

    @property
    def usage(self) -> Usage | None:
        """What the request used."""
        ...


R = TypeVar("R", bound=Counted)


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When to send again, and when to give up.

    Attributes:
        max_attempts: Most times that one request is sent.
        request_seconds: Most wall time of one request.
        deadline_seconds: Most wall time of a completion, its requests and waits together.
        max_wait_seconds: Longest wait of our own choosing; a provider's Retry-After may ask for more.
    """

    max_attempts: int
    request_seconds: float
    deadline_seconds: float
    max_wait_seconds: float


def backoff_seconds(attempt: int, policy: RetryPolicy, asked: float | None, jitter: float) -> float:
    """Return the wait after a failed attempt.

    Args:
        attempt: The attempt that failed, from 1.
        policy: Caps the wait.
        asked: The provider's Retry-After in seconds: never undercut, and stretched by up to a quarter, so that
            threads that were refused together do not return together. None at all, as by a date that is past, is no
            wish: all attempts would be spent within one refusal.
        jitter: A draw from [0, 1).

    Returns:
        Seconds: the upper half of 1, 2, 4, ... up to the cap.
    """
    if asked:
        return asked * (1 + jitter / 4)
    longest = min(policy.max_wait_seconds, FIRST_WAIT_SECONDS * 2.0 ** min(attempt - 1, 30))
    return longest * (1 + jitter) / 2


class Attempts:
    """All requests of one completion: what they used together, and the time that is left for them.

    Attributes:
        usage: The sum over the requests so far, failed ones included.
    """

    def __init__(
        self,
        label: str,
        policy: RetryPolicy,
        limit: RateLimit,
        clock: Clock,
        deadline_seconds: float | None = None,
        stopped: Event | None = None,
    ) -> None:
        """Start the clock.

        Args:
            label: Whose requests these are, for messages.
            policy: When to send again.
            limit: The turns that are shared with others.
            clock: The time.
            deadline_seconds: What the caller has left, None where only the policy's deadline holds.
            stopped: Set when nobody waits for the completion any more: waits end, and nothing more is sent.
        """
        self.label = label
        self.policy = policy
        self.limit = limit
        self.clock = clock
        self.stopped = stopped or Event()
        self.started = clock.now()
        self.usage = Usage(attempts=0)
        self._callers_end = inf if deadline_seconds is None else self.started + max(deadline_seconds, 0.0)
        self._own_end = self.started + policy.deadline_seconds

    @property
    def seconds_left(self) -> float:
        """Time left before the deadline: the caller's, or the policy's, which the wait for a turn does not count to."""
        return min(self._own_end, self._callers_end) - self.clock.now()

    def send(self, post: Callable[[float], R], tokens: int) -> R:
        """Send a request until it brings a reply.

        Args:
            post: Sends once, within the seconds given, and raises `AttemptFailed` where nothing usable came back.
            tokens: What one request is expected to use.

        Raises:
            ProviderError: The fault is no passing one, or attempts or time ran out.
            ContextOverflow: The messages do not fit the model's window.
        """
        for attempt in range(1, self.policy.max_attempts + 1):
            outcome = self._once(post, tokens)
            if not isinstance(outcome, AttemptFailed):
                return outcome
            self._wait(outcome, attempt)
        raise AssertionError("unreachable: the last failed attempt raises")

    def _once(self, post: Callable[[float], R], tokens: int) -> R | AttemptFailed:
        """Send once in turn; a failure is returned, so that no later error drags the SDK's along as its context."""
        turn = self._turn(tokens)
        try:
            reply: R | AttemptFailed = post(min(self.policy.request_seconds, max(self.seconds_left, 0.001)))
        except AttemptFailed as failed:
            reply = failed
        self._count(reply.usage)
        if reply.usage is not None:
            self.limit.settle(turn, reply.usage.input + reply.usage.output)
        return reply

    def _turn(self, tokens: int) -> Turn:
        now = self.clock.now()
        if self.seconds_left <= 0:
            raise self._error("no time left before the deadline")
        turn = self.limit.reserve(tokens, now, self._callers_end)
        if turn is None:
            raise self._error(f"the limits a minute leave no turn within {self._callers_end - now:.0f} s")
        if turn.at > now:
            self._own_end += turn.at - now
            self._sleep(turn.at - now)
        return turn

    def _wait(self, failed: AttemptFailed, attempt: int) -> None:
        """Wait for the next attempt, or raise where there is none."""
        if failed.overflow:
            raise ContextOverflow(f"{self.label}: {failed.message}", self.total(), failed.window_tokens)
        if not failed.retriable:
            raise self._error(failed.message)
        if attempt == self.policy.max_attempts:
            raise self._error(f"{failed.message} (the last of {attempt} attempts)")
        seconds = backoff_seconds(attempt, self.policy, failed.retry_after_seconds, _JITTER.random())
        if seconds >= self.seconds_left:
            raise self._error(
                f"{failed.message} (attempt {attempt}; the next, in {seconds:.0f} s, would come after the deadline)"
            )
        self._sleep(seconds)

    def _sleep(self, seconds: float) -> None:
        self.clock.sleep(seconds, self.stopped)
        if self.stopped.is_set():
            raise self._error("the client was closed")

    def _count(self, used: Usage | None) -> None:
        more = used or Usage()
        self.usage = Usage(
            input=self.usage.input + more.input,
            cached=self.usage.cached + more.cached,
            cache_write=self.usage.cache_write + more.cache_write,
            output=self.usage.output + more.output,
            reasoning=self.usage.reasoning + more.reasoning,
            attempts=self.usage.attempts + 1,
            estimated=self.usage.estimated or more.estimated,
        )

    def total(self) -> Usage:
        """Return what all requests used, and the time since the first."""
        return replace(self.usage, seconds=self.clock.now() - self.started)

    def _error(self, message: str) -> ProviderError:
        return ProviderError(f"{self.label}: {message}", self.total())

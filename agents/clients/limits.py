"""Requests and tokens a minute, shared by all threads that call one provider with one key."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from threading import Event, Lock

WINDOW_SECONDS = 60.0


class Clock:
    """The time that passes; tests put their own in its place."""

    def now(self) -> float:
        """Return the time in seconds, from any origin, never running back."""
        return time.monotonic()

    def sleep(self, seconds: float, stopped: Event) -> None:
        """Wait, but no longer than until `stopped` is set."""
        stopped.wait(seconds)


@dataclass(slots=True)
class Turn:
    """A request's place in the window.

    Attributes:
        at: When it may be sent, on the clock.
        tokens: What it is taken to use, later what it did use.
    """

    at: float
    tokens: int


class RateLimit:
    """A sliding window: in no minute more requests are begun, or tokens foreseen, than the limits allow.

    Turns are given in the order of asking. A request larger than the limit of tokens has a minute to itself.
    """

    def __init__(self, requests_per_minute: int | None = None, tokens_per_minute: int | None = None) -> None:
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self._turns: deque[Turn] = deque()
        self._lock = Lock()

    def reserve(self, tokens: int, now: float, latest: float) -> Turn | None:
        """Reserve the next turn.

        Args:
            tokens: What the request is expected to use, input and output.
            now: The time on the clock.
            latest: The time after which a turn is of no use.

        Returns:
            The turn, to be waited for; None where it would come after `latest`, and then nothing is reserved.
        """
        if self.requests_per_minute is None and self.tokens_per_minute is None:
            return Turn(now, tokens)
        with self._lock:
            at = self._free_at(tokens, now)
            if at > latest:
                return None
            turn = Turn(at, tokens)
            self._turns.append(turn)
            return turn

    def settle(self, turn: Turn, tokens: int) -> None:
        """Replace what a request was expected to use by what it used."""
        with self._lock:
            turn.tokens = tokens

    def _free_at(self, tokens: int, now: float) -> float:
        """Return the first time at which a request fits; older turns than its window are forgotten."""
        at = max(now, self._turns[-1].at) if self._turns else now
        while self._turns and self._turns[0].at <= now - WINDOW_SECONDS:
            self._turns.popleft()
        inside = [turn for turn in self._turns if turn.at > at - WINDOW_SECONDS]
        requests, used = len(inside), sum(turn.tokens for turn in inside)
        leaving = iter(inside)
        while requests and not self._fits(requests, used, tokens):
            turn = next(leaving)
            at = max(at, turn.at + WINDOW_SECONDS)
            requests, used = requests - 1, used - turn.tokens
        return at

    def _fits(self, requests: int, used: int, tokens: int) -> bool:
        rpm, tpm = self.requests_per_minute, self.tokens_per_minute
        return (rpm is None or requests < rpm) and (tpm is None or used + tokens <= tpm)


_shared: dict[tuple[object, ...], RateLimit] = {}
_shared_lock = Lock()


def shared_limit(place: tuple[object, ...], requests: int | None, tokens: int | None) -> RateLimit:
    """Return the one limit of this process for a place, so that several clients of one account share it.

    Args:
        place: What the provider counts by: its address, the model and the variable of the key.
        requests: Requests a minute, None for no limit.
        tokens: Tokens a minute, None for no limit.
    """
    with _shared_lock:
        return _shared.setdefault((*place, requests, tokens), RateLimit(requests, tokens))

"""Counting what models use: by role and phase, in tokens and money, within an episode's and a run's budget."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import gymnasium as gym

from ..envs.core.chat import ChatClient, ChatSettings, Completion, Message, ProviderError, ToolSchema, Usage
from ..envs.core.stop import StopReason
from .amounts import Amounts, amounts_of, cost_of
from .base import AgentStop, RunContext
from .phases import INFERENCE, is_adaptation, metered_role
from .prices import Price, PriceBook, load_prices
from .rollout import Limits


@dataclass(frozen=True, slots=True)
class Budget:
    """What a whole run may use, what is on disk of it included; None for no bound.

    Calls under way when it is reached are finished, so that a run with n workers may exceed it by n calls.

    Attributes:
        max_calls: Calls to models.
        max_tokens: Tokens read and written.
        max_cost: Money, in USD.
    """

    max_calls: int | None = None
    max_tokens: int | None = None
    max_cost: float | None = None


class Ledger:
    """What a run has used so far, shared by all its threads.

    Args:
        prices: What tokens cost.
        budget: What the run may use.
    """

    def __init__(self, prices: PriceBook, budget: Budget | None = None) -> None:
        self.prices = prices
        self.budget = budget or Budget()
        self._lock = threading.Lock()
        self._total: Amounts = {}
        self.closed = False

    def close(self) -> None:
        """Let no call begin any more: the run has ended, and nothing that its threads still play will be kept."""
        self.closed = True

    def add(self, usage: Iterable[Mapping[str, float]]) -> None:
        """Count amounts, for example those of the records that are on disk already."""
        with self._lock:
            for amounts in usage:
                _add(self._total, amounts)

    @property
    def spent(self) -> str:
        """Which bound of the budget is reached, "" while there is something left."""
        with self._lock:
            return _reached(self._total, self.budget.max_calls, self.budget.max_tokens, self.budget.max_cost)[1]


class Meter:
    """Counts the calls of one episode at a time, and keeps them within its limits.

    Args:
        client: The model client.
        ledger: The run's account.
        limits: The episode's own budget.
    """

    def __init__(self, client: ChatClient, ledger: Ledger, limits: Limits) -> None:
        self._client, self._ledger, self._limits = client, ledger, limits
        self._free = bool(getattr(client, "free", False))
        self._lock = threading.Lock()
        self.begin_episode()

    def begin_episode(self) -> None:
        """Forget the last episode."""
        self.begin_play()
        self._playing = False  # preparing, until `begin_play` is called again
        self._total: Amounts = {}
        self._new: dict[str, Amounts] = {}
        self._seconds = 0.0
        self.answered_by: set[str] = set()
        self._price_dates: set[str] = set()

    def begin_play(self) -> None:
        """Start the episode's clock: what an agent did to prepare itself took none of its time."""
        self._started = perf_counter()
        self._playing = True

    @property
    def description(self) -> dict[str, Any]:
        """The client as the record names it, with the models that answered and the dates of the prices that counted."""
        dates = {"price_dates": sorted(self._price_dates)} if self._price_dates else {}
        return {**self._client.description, "answered_by": sorted(self.answered_by), **dates}

    def client(self, role: str = "act", phase: str = INFERENCE) -> ChatClient:
        """Return the client for a role (act, critic, reflect, judge, ...) of a phase (inference, adaptation)."""
        return _MeteredClient(self, metered_role(role, phase))

    @property
    def ledger(self) -> Ledger:
        """The run's account."""
        return self._ledger

    def take(self) -> dict[str, Amounts]:
        """Return what was used since the last time, by role."""
        taken, self._new = self._new, {}
        return taken

    def take_seconds(self) -> float:
        """Return how long calls took since the last time."""
        taken, self._seconds = self._seconds, 0.0
        return taken

    def book(self, usage: Mapping[str, Amounts]) -> None:
        """Count what others used on the agent's behalf, by role: models on the other side of practice."""
        for role, amounts in usage.items():
            with self._lock:
                _add(self._new.setdefault(role, {}), amounts)
            self._ledger.add([amounts])

    def complete(
        self, role: str, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> Completion:
        """Make one call and count it, whatever becomes of it.

        The episode's limits hold for what is needed to play it. Adaptation is bounded by the method's own budget and
        by the run's.

        Raises:
            AgentStop: The episode's budget (a scored stop), or the run's (`cancelled`), is spent.
            ProviderError: As the client raises it; a broken connection is one too, whoever's client it is.
        """
        adapting = is_adaptation(role)
        self._check(adapting)
        timed = settings if adapting else self._timed(settings)
        before = perf_counter()
        try:
            completion = self._client.complete(messages, tools, timed)
        except ProviderError as failure:
            self._book(role, failure.usage, "", perf_counter() - before)
            raise
        except OSError as failure:
            self._book(role, Usage(), "", perf_counter() - before)
            raise ProviderError(f"{type(failure).__name__}: {failure}") from failure
        self._book(role, completion.usage, completion.model, perf_counter() - before)
        return completion

    def _timed(self, settings: ChatSettings) -> ChatSettings:
        left = self._limits.timeout_seconds
        if self._playing:
            left = max(0.0, left - (perf_counter() - self._started))
        given = settings.deadline_seconds
        return replace(settings, deadline_seconds=left if given is None else min(left, given))

    def _check(self, adapting: bool) -> None:
        if self._ledger.closed:
            raise AgentStop(StopReason.CANCELLED, "the run has ended")
        spent = self._ledger.spent
        if spent:
            raise AgentStop(StopReason.CANCELLED, f"the budget of the run is spent: {spent}")
        if adapting:
            return
        limits = self._limits
        reason, message = _reached(self._total, limits.max_calls, limits.max_tokens, limits.max_cost)
        if reason is not None:
            raise AgentStop(reason, f"the budget of the episode is spent: {message}")
        if self._playing and perf_counter() - self._started >= limits.timeout_seconds:
            raise AgentStop(StopReason.TIMEOUT, f"{limits.timeout_seconds} seconds are over")

    def _book(self, role: str, usage: Usage, model: str, seconds: float) -> None:
        amounts = amounts_of(usage, self._cost(usage, model))
        with self._lock:  # an agent may ask several models at a time
            self._seconds += seconds
            self.answered_by |= {model} - {""}
            _add(self._new.setdefault(role, {}), amounts)
            if not is_adaptation(role):
                _add(self._total, amounts)
        self._ledger.add([amounts])

    def _cost(self, usage: Usage, model: str) -> float | None:
        """Return what a call cost, None where that is unknown: a call without tokens costs nothing anywhere."""
        price = self._ledger.prices.of_client(self._client.description, model)
        cost = cost_of(usage, price, free=self._free)
        if cost and price is not None:
            self._price_dates.add(price.date.isoformat())
        return cost


@dataclass(frozen=True, slots=True)
class _MeteredClient:
    """A client whose calls are counted under one role."""

    meter: Meter
    role: str

    @property
    def description(self) -> Mapping[str, Any]:
        return self.meter.description

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        return self.meter.complete(self.role, messages, tools, settings)


def run_alone(
    client: ChatClient, env: gym.Env[Any, Any], seed: int, limits: Limits, feedback: str
) -> tuple[RunContext, Meter]:
    """Return the run of one episode that an agent plays by itself, and the meter that counts it."""
    assert env.spec is not None
    meter = Meter(client, Ledger(load_prices()), limits)
    settings = {"env_id": env.spec.id, "env_kwargs": dict(env.spec.kwargs), "feedback": feedback}
    return RunContext("alone", seed, meter.client(), settings, meter), meter


def price_of(client: ChatClient, prices: PriceBook) -> Price | None:
    """Return the price by which a client's calls will be counted; None where there is none, or nothing is charged."""
    return None if getattr(client, "free", False) else prices.of_client(client.description)


def _reached(
    total: Amounts, max_calls: int | None, max_tokens: int | None, max_cost: float | None
) -> tuple[StopReason | None, str]:
    """Return the bound that is reached and how to name it; (None, "") while there is something left."""
    tokens = total.get("input", 0) + total.get("output", 0)
    if max_calls is not None and total.get("calls", 0) >= max_calls:
        return StopReason.MAX_CALLS, f"max_calls {max_calls}"
    if max_tokens is not None and tokens >= max_tokens:
        return StopReason.MAX_TOKENS, f"max_tokens {max_tokens}"
    if max_cost is not None and total.get("cost", 0.0) >= max_cost:
        return StopReason.MAX_COST, f"max_cost ${max_cost}"
    return None, ""


def _add(total: Amounts, amounts: Mapping[str, float]) -> None:
    for name, amount in amounts.items():
        total[name] = total.get(name, 0) + amount

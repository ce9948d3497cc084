"""What a run will take before money is spent: one episode of each agent is played without its model, and multiplied."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...agents.clients.scripted import ScriptedClient
from ...agents.executors import Job, Shared, play
from ...agents.meter import Ledger
from ...agents.runner import Plan
from ...envs.core.chat import ChatClient, ChatSettings, Completion, Message, ToolSchema
from ...envs.core.trajectory import from_line
from ..costs import add_usage, cost_of, tokens_of

REPLY_TOKENS = 200
"""Tokens assumed for a reply that thinks before it calls a tool; an agent's `max_tokens` bounds it."""
_MAX_STEPS = 200


@dataclass(slots=True)
class Expected:
    """An estimate for the episodes that are missing.

    Attributes:
        usage: Usage by role, as a record would say it.
        rows: One row an agent: `{agent, episodes, calls, tokens, stop_reason}`, of the rehearsed episode.
        price: How to name the price in a sentence, "" where no model is called.
    """

    usage: dict[str, dict[str, float]] = field(default_factory=dict)
    rows: list[dict[str, Any]] = field(default_factory=list)
    price: str = ""

    @property
    def calls(self) -> int:
        """Calls to models."""
        return int(sum(amounts.get("calls", 0) for amounts in self.usage.values()))

    @property
    def tokens(self) -> int:
        """Tokens read and written."""
        return tokens_of(self.usage)

    def as_dict(self) -> dict[str, Any]:
        """Return the estimate as `--json` prints it; the cost in $, or null with a reason."""
        cost = cost_of(self.usage).value
        return {"expected_calls": self.calls, "expected_tokens": self.tokens, "expected_cost": cost}


def rehearse(plan: Plan, missing: Sequence[Job]) -> Expected:
    """Estimate what the missing episodes will take.

    Each agent plays its first missing episode with replies drawn at random in place of the model's; its prompts are
    the real ones. Nothing is recorded and nothing is called.
    """
    expected = Expected()
    with_model = [job for job in missing if job.with_model]
    if plan.client is None or not with_model:
        return expected
    shared = Shared(_Stand(plan.client), Ledger(plan.prices))
    episodes = Counter(job.agent["name"] for job in with_model)
    for name, number in episodes.items():
        job = next(job for job in with_model if job.agent["name"] == name)
        steps = min(job.limits.max_steps or _MAX_STEPS, _MAX_STEPS)
        row = from_line(play(replace(job, limits=replace(job.limits, max_steps=steps)), shared), with_steps=False)
        for _ in range(number):
            add_usage(expected.usage, row.usage)
        calls = int(sum(amounts.get("calls", 0) for amounts in row.usage.values()))
        told = {"calls": calls, "tokens": tokens_of(row.usage), "stop_reason": row.stop_reason.value}
        expected.rows.append({"agent": name, "episodes": number, **told})
    expected.price = _price_text(plan, expected)
    return expected


def _price_text(plan: Plan, expected: Expected) -> str:
    """Say what the estimate costs and what it rests on."""
    assert plan.client is not None
    price, cost = plan.prices.of_client(plan.client.description), cost_of(expected.usage)
    if getattr(plan.client, "free", False):
        money = "at no cost"
    elif price is None:
        money = "at a price that is not known here"
    else:
        money = f"about {cost.text} (price of {price.date}, {price.source})"
    broken = [f"{row['agent']} stopped for {row['stop_reason']}" for row in expected.rows if not row["calls"]]
    rests_on = f"a rehearsal without the model, at most {REPLY_TOKENS} tokens a reply and none from the cache"
    return f", {money}; from {rests_on}{''.join(f'; in it {each}' for each in broken)}"


class _Stand:
    """Stands in for a client: its description and prices, drawn replies, and the tokens a model would write."""

    def __init__(self, client: ChatClient) -> None:
        self._client, self._replies = client, ScriptedClient()
        self.free = bool(getattr(client, "free", False))

    @property
    def description(self) -> Mapping[str, Any]:
        return self._client.description

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        completion = self._replies.complete(messages, tools, settings)
        written = min(REPLY_TOKENS, settings.max_tokens or REPLY_TOKENS)
        return replace(completion, model="", usage=replace(completion.usage, output=written))

"""What a record keeps of a call to a model: tokens, attempts, money."""

from __future__ import annotations

from ..envs.core.chat import Usage
from .prices import Price

Amounts = dict[str, float]
"""Amounts by name."""


def amounts_of(usage: Usage, cost_usd: float | None) -> Amounts:
    """Return the amounts that a record keeps of a call: those that are not 0, and always calls, input and output.

    `unpriced` counts calls without a known price, `estimated` those without counts of the provider's, `replayed`
    those answered from a store.
    """
    amounts: Amounts = {"calls": 1, "attempts": usage.attempts, "input": usage.input, "output": usage.output}
    for name in ("cached", "cache_write", "reasoning", "estimated", "replayed"):
        amount = getattr(usage, name)
        if amount:
            amounts[name] = int(amount)
    if cost_usd is None:
        amounts["unpriced"] = 1
    else:
        amounts["cost"] = cost_usd
    return amounts


def cost_of(usage: Usage, price: Price | None, *, free: bool) -> float | None:
    """Return what a call cost in USD, None where its price is unknown: one without tokens costs nothing anywhere."""
    if free or usage.replayed or not (usage.input or usage.output):
        return 0.0
    return None if price is None else price.cost_usd(usage)

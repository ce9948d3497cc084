"""What models that play the other side of a conversation use: counted under a role of its own, and not the agent's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..envs.core.chat import Usage
from .amounts import Amounts, amounts_of, cost_of
from .prices import PriceBook, load_prices

if TYPE_CHECKING:
    from .meter import Meter

SIMULATOR = "simulator"
"""The role under which records and reports show it. An agent's own limits leave it out; a run's budget counts it."""


def simulator_usage(record: Any, meter: Meter | None) -> dict[str, Amounts]:
    """Return what a counterpart used in a step, by role, and charge it to the run's account.

    Args:
        record: What the environment says of the counterpart, `{usage: [counts of a call, ...], client}`; None for
            one that is a script.
        meter: Of the agent, whose account the run's budget looks at; None where the agent has no model.
    """
    if not isinstance(record, Mapping) or not record.get("usage"):
        return {}
    ledger = None if meter is None else meter.ledger
    prices = load_prices() if ledger is None else ledger.prices
    calls = [_amounts(counts, record.get("client") or {}, prices) for counts in record["usage"]]
    if ledger is not None:
        ledger.add(calls)
    total: Amounts = {}
    for amounts in calls:
        for name, amount in amounts.items():
            total[name] = total.get(name, 0) + amount
    return {SIMULATOR: total}


def _amounts(counts: Mapping[str, Any], client: Mapping[str, Any], prices: PriceBook) -> Amounts:
    usage = Usage(**counts)
    return amounts_of(usage, cost_of(usage, prices.of_client(client), free=bool(client.get("free"))))

"""The whole catalogue: every business tool by name, and everything that happens by itself."""

from __future__ import annotations

import copyreg
from collections.abc import Iterable, Mapping
from types import MappingProxyType, ModuleType
from typing import Any

from ...core.errors import DataError
from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.tools import BusinessTool, Context
from ..records.parties import Party
from . import (
    accounts,
    approvals,
    beneficiaries,
    bills,
    commitments,
    consents,
    evidence,
    fees,
    guarantees,
    holds,
    invoices,
    ledger,
    notices,
    payout_runs,
    payout_sending,
    payouts,
    receipts,
    reconciliation,
    refunds,
    remittances,
    reserve_release,
    reserves,
    reviews,
    sending,
)
from .once import MoneyTool
from .reads import reads_of

PARTS: tuple[ModuleType, ...] = (
    accounts,
    holds,
    ledger,
    receipts,
    invoices,
    remittances,
    reconciliation,
    bills,
    reserves,
    reserve_release,
    reviews,
    evidence,
    approvals,
    consents,
    fees,
    guarantees,
    beneficiaries,
    payouts,
    payout_sending,
    payout_runs,
    refunds,
    commitments,
    notices,
)
"""The files that declare acts, in the order in which a catalogue shows them."""


def tools_by_name(tools: Iterable[BusinessTool]) -> Mapping[str, BusinessTool]:
    """Return tools by name.

    Raises:
        DataError: Two of them share a name.
    """
    found: dict[str, BusinessTool] = {}
    for tool in tools:
        if tool.name in found:
            raise DataError(f"{tool.name}: two tools share this name, of {found[tool.name].module} and {tool.module}")
        found[tool.name] = tool
    return MappingProxyType(found)


def handlers_by_name(
    parts: Iterable[Mapping[str, tuple[Actor, Handler]]],
) -> Mapping[str, tuple[Actor, Handler]]:
    """Return what is done when something is due, by its name.

    Raises:
        DataError: Two parts handle the same name.
    """
    found: dict[str, tuple[Actor, Handler]] = {}
    for part in parts:
        for name, handler in part.items():
            if name in found:
                raise DataError(f"{name}: two parts handle this")
            found[name] = handler
    return MappingProxyType(found)


TOOLS = tools_by_name([*reads_of(Party, "parties"), *(tool for part in PARTS for tool in part.TOOLS)])
"""Every business tool by name."""


def tool_named(name: str) -> BusinessTool:
    """Return a tool of the catalogue; tools travel in a pickle by their names.

    Raises:
        KeyError: There is none.
    """
    return TOOLS[name]


def _by_name(tool: BusinessTool) -> tuple[Any, ...]:
    return tool_named, (tool.name,)


copyreg.pickle(BusinessTool, _by_name)
copyreg.pickle(MoneyTool, _by_name)

HANDLERS = handlers_by_name(part.HANDLERS for part in PARTS)
"""What is done when something is due, by name, with the actor that it comes from."""


def opening(ctx: Context) -> None:
    """Put what is pending when an episode begins on the queue; call it once, before anything else happens.

    Args:
        ctx: The episode; what is read for this belongs to no event.
    """
    for begin in (
        receipts.opening,
        holds.opening,
        reviews.opening,
        evidence.opening,
        guarantees.opening,
        beneficiaries.opening,
        sending.opening,
        refunds.opening,
    ):
        begin(ctx)
    ctx.world.take_delta()
    ctx.used_rules.clear()

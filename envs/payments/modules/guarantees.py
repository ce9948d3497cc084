"""Guarantees that banks give for merchants, and that may stand in for a reserve.

Rule keys:

    guarantee_answer_minutes   minutes, anchor request: how long a bank takes to confirm a guarantee; scope product
                               (guarantee), jurisdiction and segment of the bank; read by activate
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, business_tool, positive, state_is
from ..records.obligations import Guarantee, GuaranteeState
from ..records.parties import Party, PartyRole
from ..records.reserves import Reserve, ReserveState
from .acts import later, role_is, told
from .conditions import Minute, demand, not_past
from .reads import reads_of
from .tariff import duration

MODULE = "guarantees"
CONFIRMED, LAPSES = "guarantee_confirmed", "guarantee_lapses"


def _shown(guarantee: Guarantee) -> dict[str, Any]:
    return told(guarantee, "state", "amount", "valid_until")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        role_is("merchant", PartyRole.MERCHANT),
        role_is("bank", PartyRole.BANK),
        positive("amount"),
        not_past("valid_until"),
    ),
    writes=("guarantee+",),
)
def guarantee_register(
    ctx: Context, merchant: Party, bank: Party, amount: Money, valid_until: Minute
) -> dict[str, Any]:
    """Register a guarantee that a bank offers for a merchant. It secures nothing before the bank has confirmed it.

    Args:
        merchant: For whom it is given.
        bank: Who gives it.
        amount: Up to how much it can be drawn on.
        valid_until: Minute until which it can be drawn on.
    """
    guarantee = ctx.world.create(
        Guarantee,
        merchant=merchant.id,
        bank=bank.id,
        amount=amount,
        valid_until=valid_until,
        secures=None,
        state=GuaranteeState.OFFERED,
    )
    return _shown(guarantee)


def _asked(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = given["guarantee"].id
    return any(due.name == CONFIRMED and due.payload["guarantee"] == wanted for due in ctx.clock.pending())


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("guarantee", GuaranteeState.OFFERED),
        demand(
            "GUARANTEE_LAPSED",
            "guarantee",
            "the minute until which it is valid must not be over",
            lambda c, g: g["guarantee"].valid_until >= c.now,
        ),
        demand(
            "CONFIRMATION_AWAITED",
            "guarantee",
            "the bank must not have been asked already",
            lambda c, g: not _asked(c, g),
        ),
    ),
    writes=("guarantee.state",),
    rule_keys=("guarantee_answer_minutes",),
)
def guarantee_activate(ctx: Context, guarantee: Guarantee) -> dict[str, Any]:
    """Ask the bank to confirm a guarantee that it offered; with its answer the guarantee is active.

    Args:
        guarantee: The guarantee.
    """
    takes = duration(ctx, "guarantee_answer_minutes", guarantee.bank, "guarantee")
    ctx.clock.schedule(ctx.now + takes, CONFIRMED, {"guarantee": str(guarantee.id)})
    return {**_shown(guarantee), "answer_at": ctx.now + takes}


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("guarantee", GuaranteeState.OFFERED, GuaranteeState.ACTIVE),
        later("valid_until", "guarantee", "valid_until"),
        not_past("valid_until"),
    ),
    writes=("guarantee.valid_until",),
)
def guarantee_extend(ctx: Context, guarantee: Guarantee, valid_until: Minute) -> dict[str, Any]:
    """Record that a bank has extended its guarantee.

    Args:
        guarantee: The guarantee.
        valid_until: Minute until which it can be drawn on now.
    """
    after = ctx.world.update(guarantee, valid_until=valid_until)
    if after.state is GuaranteeState.ACTIVE:
        _schedule_lapse(ctx, after)
    return _shown(after)


def _is_needed(ctx: Context, given: Mapping[str, Any]) -> bool:
    secured = given["guarantee"].secures
    return secured is not None and ctx.world.get(Reserve, secured).state is not ReserveState.RELEASED


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("guarantee", GuaranteeState.OFFERED, GuaranteeState.ACTIVE, code="GUARANTEE_ALREADY_RELEASED"),
        demand(
            "GUARANTEE_IN_USE",
            "guarantee",
            "the reserve that it secures must have been released",
            lambda c, g: not _is_needed(c, g),
        ),
    ),
    writes=("guarantee.state",),
)
def guarantee_release(ctx: Context, guarantee: Guarantee) -> dict[str, Any]:
    """Give a guarantee back to the bank. After that it cannot be drawn on, whatever the reserve it stood in for.

    Args:
        guarantee: The guarantee.
    """
    return _shown(ctx.world.update(guarantee, state=GuaranteeState.RELEASED))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("guarantee", GuaranteeState.ACTIVE),
        demand("NOT_IN_USE", "guarantee", "it must secure a reserve", lambda c, g: g["guarantee"].secures is not None),
        demand(
            "RESERVE_RELEASED",
            "guarantee",
            "the reserve that it secures must not have been released",
            _is_needed,
        ),
    ),
    writes=("guarantee.secures", "reserve.state", "reserve.route", "reserve.guarantee"),
)
def guarantee_detach(ctx: Context, guarantee: Guarantee) -> dict[str, Any]:
    """Take a guarantee off the reserve that it secures. The reserve is held as before, the guarantee free for another.

    Args:
        guarantee: The guarantee.
    """
    assert guarantee.secures is not None
    reserve = ctx.world.get(Reserve, guarantee.secures)
    reserve = ctx.world.update(reserve, state=ReserveState.HELD, route=None, guarantee=None)
    after = ctx.world.update(guarantee, secures=None)
    return {**_shown(after), "reserve": str(reserve.id), "reserve_state": reserve.state.value}


def _schedule_lapse(ctx: Context, guarantee: Guarantee) -> None:
    payload = {"guarantee": str(guarantee.id), "valid_until": guarantee.valid_until}
    ctx.clock.schedule(max(ctx.now, guarantee.valid_until), LAPSES, payload)


def confirmed(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take a bank's confirmation, unless the guarantee was given back or has lapsed meanwhile."""
    guarantee = ctx.world.get(Guarantee, payload["guarantee"])
    if guarantee.state is GuaranteeState.OFFERED and guarantee.valid_until >= ctx.now:
        guarantee = ctx.world.update(guarantee, state=GuaranteeState.ACTIVE)
        _schedule_lapse(ctx, guarantee)
    return _shown(guarantee)


def lapses(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """End a guarantee whose last minute has come, unless it was extended."""
    guarantee = ctx.world.get(Guarantee, payload["guarantee"])
    if guarantee.state is GuaranteeState.ACTIVE and guarantee.valid_until == payload["valid_until"]:
        guarantee = ctx.world.update(guarantee, state=GuaranteeState.RELEASED)
    return _shown(guarantee)


def opening(ctx: Context) -> None:
    """Put the ends of the guarantees that are active when an episode begins on the queue."""
    for guarantee in ctx.world.all(Guarantee, state=GuaranteeState.ACTIVE):
        _schedule_lapse(ctx, guarantee)


TOOLS: tuple[BusinessTool, ...] = (
    guarantee_register,
    guarantee_activate,
    guarantee_extend,
    guarantee_detach,
    guarantee_release,
    *reads_of(Guarantee, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {
    CONFIRMED: (Actor.COUNTERPARTY, confirmed),
    LAPSES: (Actor.CLOCK, lapses),
}

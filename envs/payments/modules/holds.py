"""Holds: parts of a balance that cannot be disposed of, until a minute at which each ends by itself.

Rules: `hold_max_minutes` (integer, anchor placement, scope reason besides product, jurisdiction and segment): for how
many minutes from now a hold may bind at most; where it is a policy, longer holds are placed nevertheless.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.approvals import Duty, Officer
from ..records.cash import Account, AccountState, EntryReason, Hold, HoldReason, HoldState
from .acts import ahead, currency_of, later, part_of, told
from .booking import (
    BOOKS,
    HOLD_EXPIRES,
    LIFTS_HOLD,
    PLACES_HOLD,
    case_of,
    has_funds,
    lift_hold,
    move,
    place_hold,
    require_currency,
    require_funds,
    same_currency,
)
from .conditions import Minute
from .once import Key, money_tool
from .reads import reads_of

MODULE = "holds"
_ACTIVE = state_is("hold", HoldState.ACTIVE)
_NOT_LEGAL = Precondition(
    code="HOLD_IS_LEGAL",
    field="hold",
    message="a legal hold is lifted by compliance only",
    holds=lambda ctx, given: given["hold"].reason is not HoldReason.LEGAL,
)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("account", AccountState.OPEN, AccountState.FROZEN),
        positive("amount"),
        same_currency("account", "amount"),
        has_funds("account", "amount"),
        ahead("until"),
    ),
    writes=PLACES_HOLD,
    rule_keys=("hold_max_minutes",),
)
def hold_place(ctx: Context, account: Account, amount: Money, reason: HoldReason, until: Minute) -> dict[str, Any]:
    """Hold part of an account's balance until a minute; it stays on the account but cannot be disposed of.

    Whether there is a ground for the hold is not checked.

    Args:
        account: The account; closed ones hold nothing.
        amount: How much, at most what can be disposed of.
        reason: Why it is held.
        until: Minute at which the hold ends by itself.
    """
    _check_length(ctx, account, reason, until)
    hold = place_hold(ctx, account, amount, reason, until)
    return told(hold, "account", "amount", "reason", "until", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(_ACTIVE, ahead("until"), later("until", "hold", "until")),
    writes=("hold.until",),
    rule_keys=("hold_max_minutes",),
)
def hold_extend(ctx: Context, hold: Hold, until: Minute) -> dict[str, Any]:
    """Let an active hold end later than it would.

    Args:
        hold: The hold.
        until: Its new last minute, later than the present one.
    """
    _check_length(ctx, ctx.world.get(Account, hold.account), hold.reason, until)
    extended = ctx.world.update(hold, until=until)
    # What was scheduled for the old minute finds another one on the hold and does nothing.
    ctx.clock.schedule(until, HOLD_EXPIRES, {"hold": hold.id, "until": until})
    return told(extended, "amount", "until", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        _ACTIVE,
        _NOT_LEGAL,
        positive("amount"),
        currency_of("hold", "amount", "amount"),
        part_of("amount", "hold", "amount"),
    ),
    writes=("account.held", "hold.amount"),
)
def hold_reduce(ctx: Context, hold: Hold, amount: Money) -> dict[str, Any]:
    """Give part of what is held free again; to give all of it free, release the hold.

    Args:
        hold: An active hold that is not a legal one.
        amount: How much becomes free, less than what is held.
    """
    account = ctx.world.get(Account, hold.account)
    ctx.world.update(account, held=account.held - amount)
    return told(ctx.world.update(hold, amount=hold.amount - amount), "amount", "until", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(_ACTIVE, positive("amount"), currency_of("hold", "amount", "amount")),
    writes=("account.held", "hold.amount"),
)
def hold_increase(ctx: Context, hold: Hold, amount: Money) -> dict[str, Any]:
    """Hold more under an active hold, until the same minute.

    Args:
        hold: The hold.
        amount: How much is added, at most what can be disposed of on its account.
    """
    account = ctx.world.get(Account, hold.account)
    require_funds(account, amount, "amount")
    ctx.world.update(account, held=account.held + amount)
    return told(ctx.world.update(hold, amount=hold.amount + amount), "amount", "until", "state")


@business_tool(module=MODULE, minutes=1, pre=(_ACTIVE, _NOT_LEGAL), writes=LIFTS_HOLD)
def hold_release(ctx: Context, hold: Hold) -> dict[str, Any]:
    """Release a hold before its time; all of its amount can be disposed of again.

    Whether the reason for holding has gone is not checked.

    Args:
        hold: An active hold that is not a legal one.
    """
    return told(lift_hold(ctx, hold), "account", "amount", "state")


@business_tool(
    module=MODULE,
    minutes=10,
    pre=(
        _ACTIVE,
        Precondition(
            "HOLD_NOT_LEGAL", "hold", "it must be a legal hold", lambda c, g: g["hold"].reason is HoldReason.LEGAL
        ),
        Precondition(
            "OFFICER_NOT_COMPLIANCE",
            "officer",
            "an officer of compliance must decide",
            lambda ctx, given: given["officer"].duty is Duty.COMPLIANCE,
        ),
    ),
    writes=LIFTS_HOLD,
)
def hold_lift_legal(ctx: Context, hold: Hold, officer: Officer) -> dict[str, Any]:
    """Lift a legal hold, on the decision of an officer of compliance. An account frozen for it stays frozen.

    The officer's limit and the court's letter are not checked.

    Args:
        hold: An active legal hold.
        officer: Who has decided.
    """
    return {**told(lift_hold(ctx, hold), "account", "amount", "state"), "officer": officer.id}


@money_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _ACTIVE,
        state_is("target", AccountState.OPEN),
        Precondition(
            "TARGET_IS_SOURCE",
            "target",
            "it must be another account than the one on which the amount is held",
            lambda ctx, given: given["target"].id != given["hold"].account,
        ),
        Precondition(
            "HOLD_NOT_FOR_CAPTURE",
            "hold",
            "only what is held for a dispute or a payout can be captured",
            lambda ctx, given: given["hold"].reason in (HoldReason.DISPUTE, HoldReason.PAYOUT),
        ),
    ),
    writes=(*BOOKS, *LIFTS_HOLD),
)
def hold_capture(ctx: Context, hold: Hold, target: Account, idempotency_key: Key) -> dict[str, Any]:
    """Take what is held for a dispute or a payout off its account and credit it to another; the hold ends with it.

    That the account is frozen is no obstacle. Who is entitled to the amount is not checked.

    Args:
        hold: An active hold.
        target: An open account in the same currency.
        idempotency_key: Chosen by you; the same key moves the money once only.
    """
    require_currency(target, hold.amount, "target")
    lifted = lift_hold(ctx, hold)
    debit, credit = move(ctx, hold.account, target, hold.amount, EntryReason.TRANSFER, hold.id)
    return {**told(lifted, "amount", "state"), "debit": debit.id, "credit": credit.id}


def _check_length(ctx: Context, account: Account, reason: HoldReason, until: int) -> None:
    case = {**case_of(ctx, account.owner, "hold"), "reason": reason.value}
    longest = ctx.resolve("hold_max_minutes", case)
    within = until - ctx.now <= longest.value
    ctx.enforce(longest, within, "HOLD_TOO_LONG", f"until: at most {longest.value} minutes from now")


def _expire(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """End a hold at its last minute, unless it was released or extended meanwhile."""
    hold = ctx.world.get(Hold, payload["hold"])
    ended = hold.state is HoldState.ACTIVE and hold.until == payload["until"]
    if ended:
        lift_hold(ctx, hold)
    return {"hold": hold.id, "ended": ended}


def opening(ctx: Context) -> None:
    """Put the ends of the holds that stand at the beginning of an episode on the queue."""
    for hold in ctx.world.all(Hold, state=HoldState.ACTIVE):
        ctx.clock.schedule(max(ctx.now, hold.until), HOLD_EXPIRES, {"hold": hold.id, "until": hold.until})


TOOLS: tuple[BusinessTool, ...] = (
    hold_place,
    hold_extend,
    hold_reduce,
    hold_increase,
    hold_release,
    hold_lift_legal,
    hold_capture,
    *reads_of(Hold, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {HOLD_EXPIRES: (Actor.CLOCK, _expire)}

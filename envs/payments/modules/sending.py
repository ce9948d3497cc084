"""How a payout leaves, arrives or comes back: what payouts and payout runs share.

Rule keys:

    payout_fee               amount, anchor execution: the price of a payout when it leaves; scope product (payout),
                             jurisdiction, segment, currency, method
    settlement_minutes       minutes, anchor execution: from leaving to arriving; scope product (payout), jurisdiction,
                             segment, method
    batch_interval_minutes   minutes, anchor execution: batches leave at its multiples, counted from minute 0; scope
                             product (payout), jurisdiction, segment
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import Context, Precondition
from ..records.cash import Account, AccountPurpose, AccountState, EntryReason
from ..records.parties import Party, PartyState
from ..records.payouts import Beneficiary, BeneficiaryState, Bill, BillState, Method, NameCheck, Payout, PayoutState
from ..records.reserves import FeeKind
from .acts import told
from .beneficiaries import compare_names
from .booking import CHARGES, charge_fee, company_account, post
from .conditions import demand
from .tariff import duration, price

LEAVES, SETTLES = "payout_leaves", "payout_settles"
SENDS = (*CHARGES, "payout.state", "payout.fee", "payout.idempotency_key", "bill.state")
"""What sending a payout writes."""

OBSTACLES: dict[str, str] = {
    "ACCOUNT_NOT_OPEN": "the account that it leaves must be open",
    "BENEFICIARY_NOT_ACTIVE": "the beneficiary must be active",
    "INSUFFICIENT_FUNDS": "the balance less what is held must cover the amount and the fee",
}
"""What can keep a payout from leaving, and what must hold instead."""


def account_of(ctx: Context, payout: Payout) -> Account:
    """Return the account that a payout leaves."""
    return ctx.world.get(Account, payout.account)


def payout_price(ctx: Context, method: Method, account: Account) -> Money:
    """Return what a payout costs if it leaves now."""
    return price(ctx, FeeKind.PAYOUT, account, method=method.value)


def obstacle(ctx: Context, payout: Payout) -> str:
    """Return the code of what keeps a payout from leaving now, "" where nothing does."""
    account = account_of(ctx, payout)
    if account.state is not AccountState.OPEN:
        return "ACCOUNT_NOT_OPEN"
    if ctx.world.get(Beneficiary, payout.beneficiary).state is not BeneficiaryState.ACTIVE:
        return "BENEFICIARY_NOT_ACTIVE"
    try:
        fee = payout_price(ctx, payout.method, account)
        if fee.minor > 0:
            company_account(ctx, AccountPurpose.FEES, fee.currency)
    except ToolRefused as refused:
        return refused.code
    return "" if account.available >= payout.amount + fee else "INSUFFICIENT_FUNDS"


def free_of(*codes: str) -> tuple[Precondition, ...]:
    """Demand that none of these keeps the payout given from leaving now."""
    return tuple(
        demand(code, "payout", OBSTACLES[code], lambda c, g, code=code: obstacle(c, g["payout"]) != code)  # type: ignore[misc]
        for code in codes
    )


def mark_bill(ctx: Context, payout: Payout, state: BillState) -> None:
    """Set the state of the bill that a payout pays; a payout of less than the bill never makes it paid."""
    if payout.bill is None:
        return
    bill = ctx.world.get(Bill, payout.bill)
    if state is BillState.PAID and payout.amount < bill.amount:
        state = BillState.OPEN
    # A bill that another payout has paid, or that was cancelled, is not opened again by this one.
    if bill.state in (BillState.OPEN, BillState.SCHEDULED):
        ctx.world.update(bill, state=state)


def leaves_at(ctx: Context, payout: Payout) -> int:
    """Return the minute at which a queued payout leaves: its own, or that of the next batch."""
    earliest = max(ctx.now, payout.execute_at)
    if payout.method is not Method.BATCH:
        return earliest
    interval = max(1, duration(ctx, "batch_interval_minutes", account_of(ctx, payout).owner, "payout"))
    return -(-earliest // interval) * interval


def send(ctx: Context, payout: Payout) -> Payout:
    """Send a payout that nothing keeps from leaving: amount and fee leave the account, and it settles later."""
    account = account_of(ctx, payout)
    fee = payout_price(ctx, payout.method, account)
    post(ctx, account, -payout.amount, EntryReason.PAYOUT, payout.id)
    charge_fee(ctx, account, FeeKind.PAYOUT, fee, payout.id)
    mark_bill(ctx, payout, BillState.SCHEDULED)
    ctx.clock.schedule(ctx.now + _settlement_minutes(ctx, payout), SETTLES, {"payout": str(payout.id)})
    return ctx.world.update(payout, state=PayoutState.SENT, fee=fee)


def take_back(ctx: Context, payout: Payout) -> Payout:
    """Book a payout, but not its fee, back to the account that it left, or to suspense where that is closed."""
    account = account_of(ctx, payout)
    target: Id = account.id
    if account.state is AccountState.CLOSED:
        for suspense in ctx.world.all(Account, purpose=AccountPurpose.SUSPENSE, state=AccountState.OPEN):
            if suspense.balance.currency is payout.amount.currency:
                target = suspense.id
                break
    post(ctx, target, payout.amount, EntryReason.PAYOUT_RETURN, payout.id)
    mark_bill(ctx, payout, BillState.OPEN)
    return ctx.world.update(payout, state=PayoutState.RETURNED)


def shown(payout: Payout) -> dict[str, Any]:
    """Return what is said of a payout after an act, as JSON values."""
    return told(payout, "state", "amount", "fee", "execute_at")


def try_to_send(ctx: Context, payout: Payout) -> dict[str, Any]:
    """Send a queued payout, or put it back to draft if something keeps it from leaving."""
    found = obstacle(ctx, payout)
    if not found:
        return {**shown(send(ctx, payout)), "obstacle": ""}
    mark_bill(ctx, payout, BillState.OPEN)
    return {**shown(ctx.world.update(payout, state=PayoutState.DRAFT, run=None)), "obstacle": found}


def leaves(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Send a queued payout whose minute has come, unless it was taken off the queue or put to another minute."""
    payout = ctx.world.get(Payout, payload["payout"])
    if payout.state is PayoutState.QUEUED and payout.execute_at == payload["execute_at"]:
        return try_to_send(ctx, payout)
    return {**shown(payout), "obstacle": "NOT_QUEUED_FOR_THIS_MINUTE"}


def settles(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Let a payout arrive; the beneficiary's bank returns it where it may not or cannot credit it."""
    payout = ctx.world.get(Payout, payload["payout"])
    if payout.state is not PayoutState.SENT:
        return shown(payout)
    beneficiary = ctx.world.get(Beneficiary, payout.beneficiary)
    holder = ctx.world.get(Party, beneficiary.party)
    refused = (
        beneficiary.state is BeneficiaryState.BLOCKED
        or holder.state is PartyState.CLOSED
        or compare_names(beneficiary.name, holder.name) is NameCheck.NO_MATCH
    )
    if refused:
        return shown(take_back(ctx, payout))
    mark_bill(ctx, payout, BillState.PAID)
    return shown(ctx.world.update(payout, state=PayoutState.SETTLED))


def opening(ctx: Context) -> None:
    """Put the payouts that are queued or on their way when an episode begins on the queue."""
    for payout in ctx.world.all(Payout, state=PayoutState.QUEUED):
        ctx.clock.schedule(
            max(ctx.now, payout.execute_at), LEAVES, {"payout": str(payout.id), "execute_at": payout.execute_at}
        )
    for payout in ctx.world.all(Payout, state=PayoutState.SENT):
        settles_at = payout.execute_at + _settlement_minutes(ctx, payout)
        ctx.clock.schedule(max(ctx.now, settles_at), SETTLES, {"payout": str(payout.id)})


def _settlement_minutes(ctx: Context, payout: Payout) -> int:
    owner = account_of(ctx, payout).owner
    return duration(ctx, "settlement_minutes", owner, "payout", method=payout.method.value)


HANDLERS = {LEAVES: (Actor.CLOCK, leaves), SETTLES: (Actor.COUNTERPARTY, settles)}

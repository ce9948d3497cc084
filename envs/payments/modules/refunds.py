"""Refunds: money that goes back to whoever paid it, and money that is due back to a merchant.

Whether what is refunded was ever received, or has been refunded already, is not checked by any tool. Rule keys:

    refund_minutes                minutes, anchor execution: how long a refund is on its way; scope product (refund),
                                  jurisdiction, segment; read by send and by the answer to a claim
    refund_claim_answer_minutes   minutes, anchor request: how long the other side takes to answer a claim; scope
                                  product (refund), jurisdiction and segment of the other side; read by claim
    recall_fee                    amount, anchor execution: see `tariff.py`; read by recall
    recall_answer_minutes         minutes, anchor request: see `payout_sending.py`; read by recall
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import BusinessTool, Context, business_tool, positive, state_is
from ..records.cash import Account, AccountState, EntryReason
from ..records.parties import Party, PartyState
from ..records.payouts import Refund, RefundState
from ..records.reserves import FeeKind
from .acts import currency_of, told
from .booking import BOOKS, CHARGES, charge_fee, post, same_currency
from .conditions import Minute, account_is_open, demand, known, not_past
from .once import Key, money_tool
from .reads import reads_of
from .tariff import duration, fee_covered, price

MODULE = "refunds"
ARRIVES, RECALL_ANSWERED, CLAIM_ANSWERED = "refund_arrives", "refund_recall_answered", "refund_claim_answered"
OUTGOING = demand(
    "REFUND_IS_INCOMING", "refund", "it must go back to someone", lambda c, g: not g["refund"].is_incoming
)
INCOMING = demand(
    "REFUND_IS_OUTGOING", "refund", "it must be due back to the merchant", lambda c, g: g["refund"].is_incoming
)
ACCOUNT_OPEN = demand(
    "ACCOUNT_NOT_OPEN",
    "refund",
    "the account of the refund must be open",
    lambda c, g: _account(c, g["refund"]).state is AccountState.OPEN,
)


def _account(ctx: Context, refund: Refund) -> Account:
    return ctx.world.get(Account, refund.account)


def _shown(refund: Refund) -> dict[str, Any]:
    return told(refund, "state", "amount", "is_incoming", "due_at")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(positive("amount"), same_currency("account", "amount"), known("about"), not_past("due_at")),
    writes=("refund+",),
)
def refund_request(
    ctx: Context, account: Account, party: Party, about: Id, amount: Money, due_at: Minute
) -> dict[str, Any]:
    """Enter a refund that a merchant owes; nothing leaves before it is sent.

    Args:
        account: The merchant's account that it is to leave.
        party: Who gets it.
        about: The record that it is about: a receipt, an invoice or an earlier refund.
        amount: How much.
        due_at: Minute by which it is due.
    """
    return _shown(_create(ctx, account, party, about, amount, due_at, is_incoming=False))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(positive("amount"), same_currency("account", "amount"), known("about"), account_is_open("account")),
    writes=("refund+",),
    rule_keys=("refund_claim_answer_minutes", "refund_minutes"),
)
def refund_claim(ctx: Context, account: Account, party: Party, about: Id, amount: Money) -> dict[str, Any]:
    """Claim money back for a merchant. The other side answers later; what it sends is confirmed when it is there.

    Args:
        account: The merchant's account that is to receive it.
        party: From whom it is claimed.
        about: The record that it is about: a payout, a bill or an earlier refund.
        amount: How much.
    """
    takes = duration(ctx, "refund_claim_answer_minutes", party.id, "refund")
    refund = _create(ctx, account, party, about, amount, ctx.now + takes, is_incoming=True)
    ctx.clock.schedule(refund.due_at, CLAIM_ANSWERED, {"refund": str(refund.id)})
    return _shown(refund)


def _create(
    ctx: Context, account: Account, party: Party, about: str, amount: Money, due_at: int, *, is_incoming: bool
) -> Refund:
    return ctx.world.create(
        Refund,
        account=account.id,
        party=party.id,
        about=Id(about),
        amount=amount,
        is_incoming=is_incoming,
        due_at=due_at,
        state=RefundState.REQUESTED,
    )


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("refund", RefundState.REQUESTED),
        OUTGOING,
        positive("amount"),
        currency_of("refund", "amount", "amount"),
        not_past("due_at"),
    ),
    writes=("refund.amount", "refund.due_at"),
)
def refund_amend(ctx: Context, refund: Refund, amount: Money, due_at: Minute) -> dict[str, Any]:
    """Change the amount or the due minute of a refund that was not sent.

    Args:
        refund: The refund.
        amount: How much goes back.
        due_at: Minute by which it is due.
    """
    return _shown(ctx.world.update(refund, amount=amount, due_at=due_at))


@business_tool(module=MODULE, minutes=1, pre=(state_is("refund", RefundState.REQUESTED),), writes=("refund.state",))
def refund_cancel(ctx: Context, refund: Refund) -> dict[str, Any]:
    """Drop a refund that was not sent, or a claim that was not answered.

    Args:
        refund: The refund.
    """
    return _shown(ctx.world.update(refund, state=RefundState.RECALLED))


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("refund", RefundState.REQUESTED),
        OUTGOING,
        ACCOUNT_OPEN,
        fee_covered("refund", lambda c, g: (_account(c, g["refund"]), g["refund"].amount)),
    ),
    writes=(*BOOKS, "refund.state", "refund.due_at"),
    rule_keys=("refund_minutes",),
)
def refund_send(ctx: Context, refund: Refund, idempotency_key: Key) -> dict[str, Any]:
    """Send a refund: the amount leaves the account now and is credited to the other side later.

    Args:
        refund: The refund, which must not have been sent.
        idempotency_key: The same key and arguments send it once.
    """
    account = _account(ctx, refund)
    post(ctx, account, -refund.amount, EntryReason.REFUND, refund.id)
    return _shown(_set_out(ctx, refund, account.owner))


def _set_out(ctx: Context, refund: Refund, party: Id) -> Refund:
    arrives_at = ctx.now + duration(ctx, "refund_minutes", party, "refund")
    ctx.clock.schedule(arrives_at, ARRIVES, {"refund": str(refund.id)})
    return ctx.world.update(refund, state=RefundState.IN_TRANSIT, due_at=arrives_at)


def _recalled(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = given["refund"].id
    return any(due.name == RECALL_ANSWERED and due.payload["refund"] == wanted for due in ctx.clock.pending())


def _recall_price(ctx: Context, refund: Refund) -> Money:
    return price(ctx, FeeKind.RECALL, _account(ctx, refund))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("refund", RefundState.IN_TRANSIT),
        OUTGOING,
        demand("RECALL_UNDER_WAY", "refund", "it must not be recalled already", lambda c, g: not _recalled(c, g)),
        fee_covered("refund", lambda c, g: (_account(c, g["refund"]), _recall_price(c, g["refund"]))),
    ),
    writes=CHARGES,
    rule_keys=("recall_answer_minutes", "recall_fee"),
)
def refund_recall(ctx: Context, refund: Refund) -> dict[str, Any]:
    """Ask for a refund on its way to be sent back, against a fee that is due in any case.

    It comes back only if it has not been credited when the recall is answered. Promises not to recall are not checked.

    Args:
        refund: An outgoing refund on its way.
    """
    account, fee = _account(ctx, refund), _recall_price(ctx, refund)
    charge = charge_fee(ctx, account, FeeKind.RECALL, fee, refund.id)
    answer_at = ctx.now + duration(ctx, "recall_answer_minutes", account.owner, "recall")
    ctx.clock.schedule(answer_at, RECALL_ANSWERED, {"refund": str(refund.id)})
    return {**_shown(refund), "fee_charge": str(charge.id), "fee": fee.to_json(), "answer_at": answer_at}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("refund", RefundState.IN_TRANSIT),
        INCOMING,
        demand(
            "REFUND_NOT_DUE",
            "refund",
            "the minute at which it is due must have come",
            lambda c, g: g["refund"].due_at <= c.now,
        ),
        demand(
            "ACCOUNT_CLOSED",
            "refund",
            "the account of the refund must not be closed",
            lambda c, g: _account(c, g["refund"]).state is not AccountState.CLOSED,
        ),
    ),
    writes=(*BOOKS, "refund.state"),
)
def refund_confirm(ctx: Context, refund: Refund) -> dict[str, Any]:
    """Confirm that a refund to the merchant is there: it is booked to the account, where it can be disposed of.

    Args:
        refund: An incoming refund that is due.
    """
    post(ctx, refund.account, refund.amount, EntryReason.REFUND, refund.id)
    return _shown(ctx.world.update(refund, state=RefundState.CREDITED))


def arrives(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Credit an outgoing refund to the other side; say that an incoming one is there to be confirmed."""
    refund = ctx.world.get(Refund, payload["refund"])
    if refund.state is RefundState.IN_TRANSIT and not refund.is_incoming:
        refund = ctx.world.update(refund, state=RefundState.CREDITED)
    return _shown(refund)


def recall_answered(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the answer to a recall: what has not been credited comes back."""
    refund = ctx.world.get(Refund, payload["refund"])
    if refund.state is not RefundState.IN_TRANSIT:
        return {**_shown(refund), "recalled": False}
    post(ctx, refund.account, refund.amount, EntryReason.REFUND, refund.id)
    return {**_shown(ctx.world.update(refund, state=RefundState.RECALLED)), "recalled": True}


def claim_answered(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the answer to a claim: whoever still does business sends the money, anyone else declines."""
    refund = ctx.world.get(Refund, payload["refund"])
    if refund.state is not RefundState.REQUESTED:
        return _shown(refund)
    if ctx.world.get(Party, refund.party).state is PartyState.ACTIVE:
        return _shown(_set_out(ctx, refund, refund.party))
    return _shown(ctx.world.update(refund, state=RefundState.RECALLED))


def opening(ctx: Context) -> None:
    """Put the refunds on their way, and the claims not answered, when an episode begins on the queue."""
    for refund in ctx.world.all(Refund, state=RefundState.IN_TRANSIT):
        ctx.clock.schedule(max(ctx.now, refund.due_at), ARRIVES, {"refund": str(refund.id)})
    for refund in ctx.world.all(Refund, state=RefundState.REQUESTED, is_incoming=True):
        ctx.clock.schedule(max(ctx.now, refund.due_at), CLAIM_ANSWERED, {"refund": str(refund.id)})


TOOLS: tuple[BusinessTool, ...] = (
    refund_request,
    refund_claim,
    refund_amend,
    refund_cancel,
    refund_send,
    refund_recall,
    refund_confirm,
    *reads_of(Refund, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {
    ARRIVES: (Actor.COUNTERPARTY, arrives),
    RECALL_ANSWERED: (Actor.COUNTERPARTY, recall_answered),
    CLAIM_ANSWERED: (Actor.COUNTERPARTY, claim_answered),
}

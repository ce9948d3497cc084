"""Payouts before they leave: drafted, amended, given a bill and an approval, taken off the queue, cancelled.

How they are sent is in `payout_sending.py`. Approvals and their terms, and whether a bill is of the amount of its
payout, are not checked by any tool. For the rule keys see `sending.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Code
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.approvals import Action, ApprovalRequest
from ..records.cash import Account
from ..records.payouts import Beneficiary, Bill, BillState, Method, Payout, PayoutState
from .acts import approval_fits, currency_of, told
from .booking import same_currency
from .conditions import Minute, account_is_open, demand, not_past
from .reads import reads_of
from .sending import account_of, mark_bill, payout_price, shown

MODULE = "payouts"
NOT_IN_RUN = demand("PAYOUT_IN_RUN", "payout", "it must not be part of a run", lambda c, g: g["payout"].run is None)


def _bill_fits(amount_of: str) -> tuple[Precondition, ...]:
    """Demand that a bill, if one is given, can be paid to the beneficiary of another argument."""
    return (
        demand(
            "BILL_OF_ANOTHER_BENEFICIARY",
            "bill",
            "it must be owed to the beneficiary",
            lambda c, g: g["bill"] is None or g["bill"].beneficiary == _beneficiary(g, amount_of),
        ),
        demand(
            "BILL_NOT_OPEN",
            "bill",
            "its state must be open",
            lambda c, g: g["bill"] is None or g["bill"].state is BillState.OPEN,
        ),
    )


def _beneficiary(given: Mapping[str, Any], argument: str) -> str:
    record = given[argument]
    return str(record.beneficiary if isinstance(record, Payout) else record.id)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        positive("amount"),
        account_is_open("account"),
        same_currency("account", "amount"),
        demand(
            "BENEFICIARY_OF_ANOTHER_MERCHANT",
            "beneficiary",
            "it must be one of the account's owner",
            lambda c, g: g["beneficiary"].merchant == g["account"].owner,
        ),
        *_bill_fits("beneficiary"),
        not_past("execute_at"),
    ),
    writes=("payout+",),
    rule_keys=("payout_fee",),
)
def payout_draft(
    ctx: Context,
    account: Account,
    beneficiary: Beneficiary,
    amount: Money,
    method: Method,
    execute_at: Minute,
    bill: Bill | None = None,
) -> dict[str, Any]:
    """Draft a payout. Nothing leaves before it is queued, sent or executed in a run.

    The fee shown is that of this minute; what is charged is the price when it leaves. Whether the bill is of this
    amount is not checked.

    Args:
        account: The merchant's account that it is to leave.
        beneficiary: Who receives it.
        amount: How much.
        method: How it travels; methods differ in price and in time.
        execute_at: Minute from which it may leave.
        bill: The bill that it pays.
    """
    payout = ctx.world.create(
        Payout,
        account=account.id,
        beneficiary=beneficiary.id,
        bill=None if bill is None else bill.id,
        run=None,
        amount=amount,
        fee=payout_price(ctx, method, account),
        method=method,
        execute_at=execute_at,
        idempotency_key=Code(""),
        approval=None,
        state=PayoutState.DRAFT,
    )
    return shown(payout)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("payout", PayoutState.DRAFT),
        NOT_IN_RUN,
        positive("amount"),
        currency_of("payout", "amount", "amount"),
        not_past("execute_at"),
    ),
    writes=("payout.amount", "payout.method", "payout.execute_at", "payout.fee"),
    rule_keys=("payout_fee",),
)
def payout_amend(ctx: Context, payout: Payout, amount: Money, method: Method, execute_at: Minute) -> dict[str, Any]:
    """Change what a drafted payout sends, how and when. An approval that is attached stays attached.

    Args:
        payout: The draft.
        amount: How much it sends.
        method: How it travels.
        execute_at: Minute from which it may leave.
    """
    fee = payout_price(ctx, method, account_of(ctx, payout))
    return shown(ctx.world.update(payout, amount=amount, method=method, execute_at=execute_at, fee=fee))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("payout", PayoutState.DRAFT),
        demand("BILL_ATTACHED", "payout", "no bill may be attached to it yet", lambda c, g: g["payout"].bill is None),
        *_bill_fits("payout"),
    ),
    writes=("payout.bill",),
)
def payout_attach_bill(ctx: Context, payout: Payout, bill: Bill) -> dict[str, Any]:
    """Note on a drafted payout which bill it pays.

    Args:
        payout: The draft.
        bill: An open bill of the same beneficiary.
    """
    return told(ctx.world.update(payout, bill=bill.id), "state", "bill")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("payout", PayoutState.DRAFT, PayoutState.QUEUED),
        *approval_fits("approval", "payout", Action.SEND_PAYOUT),
    ),
    writes=("payout.approval",),
)
def payout_attach_approval(ctx: Context, payout: Payout, approval: ApprovalRequest) -> dict[str, Any]:
    """Note on a payout which request for approval it rests on. Whether and what the customer approved is not checked.

    Args:
        payout: A payout that has not left.
        approval: The request to send this payout.
    """
    return told(ctx.world.update(payout, approval=approval.id), "state", "approval")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(state_is("payout", PayoutState.QUEUED), NOT_IN_RUN),
    writes=("payout.state", "bill.state"),
)
def payout_unqueue(ctx: Context, payout: Payout) -> dict[str, Any]:
    """Take a payout off the queue; it is a draft again and can be amended.

    Args:
        payout: The queued payout.
    """
    mark_bill(ctx, payout, BillState.OPEN)
    return shown(ctx.world.update(payout, state=PayoutState.DRAFT))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("payout", PayoutState.DRAFT, PayoutState.QUEUED, code="PAYOUT_HAS_LEFT"),
        NOT_IN_RUN,
    ),
    writes=("payout.state", "bill.state"),
)
def payout_cancel(ctx: Context, payout: Payout) -> dict[str, Any]:
    """Cancel a payout that has not left, for good. The bill that it was to pay is open again.

    Args:
        payout: A draft or a queued payout.
    """
    mark_bill(ctx, payout, BillState.OPEN)
    return shown(ctx.world.update(payout, state=PayoutState.CANCELLED))


TOOLS: tuple[BusinessTool, ...] = (
    payout_draft,
    payout_amend,
    payout_attach_bill,
    payout_attach_approval,
    payout_unqueue,
    payout_cancel,
    *reads_of(Payout, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

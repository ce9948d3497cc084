"""Receipts that move: to suspense and out of it, to the right account, and back to the payer.

No rule is read here. That the payer has asked for a return, or has agreed to one, is a policy.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.money import Money
from ..kernel.tools import Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account, AccountPurpose, AccountState, EntryReason
from ..records.receivables import Allocation, AllocationState, Receipt, ReceiptState
from .acts import at_most, currency_of, part_of, told
from .booking import BOOKS, company_account, move, post, require_currency, require_funds, require_open
from .once import Key, money_tool

MODULE = "receipts"
_HERE = (ReceiptState.ARRIVED, ReceiptState.SUSPENSE)
_ARRIVED = state_is("receipt", ReceiptState.ARRIVED)


def _is_unallocated(ctx: Context, given: Mapping[str, Any]) -> bool:
    receipt: Receipt = given["receipt"]
    allocations = ctx.world.all(Allocation, receipt=receipt.id)
    return receipt.unallocated == receipt.amount and all(each.state is AllocationState.REVERSED for each in allocations)


WHOLE = Precondition("RECEIPT_ALLOCATED", "receipt", "no allocation of it may be proposed or booked", _is_unallocated)
"""Demands a receipt of which nothing is allocated, nor proposed to be."""


@business_tool(module=MODULE, minutes=2, pre=(_ARRIVED, WHOLE), writes=(*BOOKS, "receipt.account", "receipt.state"))
def receipt_suspend(ctx: Context, receipt: Receipt) -> dict[str, Any]:
    """Move an arrived receipt that cannot be identified to the company's suspense account of its currency.

    Args:
        receipt: An arrived receipt of which nothing is allocated.
    """
    suspense = company_account(ctx, AccountPurpose.SUSPENSE, receipt.amount.currency)
    _move_receipt(ctx, receipt, suspense)
    return told(
        ctx.world.update(receipt, account=suspense.id, state=ReceiptState.SUSPENSE), "account", "amount", "state"
    )


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        state_is("receipt", ReceiptState.SUSPENSE),
        state_is("account", AccountState.OPEN),
        Precondition(
            "PURPOSE_TAKES_NO_RECEIPT",
            "account",
            "it must be a settlement or operating account",
            lambda ctx, given: given["account"].purpose in (AccountPurpose.SETTLEMENT, AccountPurpose.OPERATING),
        ),
    ),
    writes=(*BOOKS, "receipt.account", "receipt.state"),
)
def receipt_identify(ctx: Context, receipt: Receipt, account: Account) -> dict[str, Any]:
    """Take a receipt out of suspense and credit it to the account to which it belongs.

    Whether it belongs there is not checked.

    Args:
        receipt: A receipt in suspense.
        account: An open settlement or operating account in its currency.
    """
    _move_receipt(ctx, receipt, account)
    return told(ctx.world.update(receipt, account=account.id, state=ReceiptState.ARRIVED), "account", "amount", "state")


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _ARRIVED,
        WHOLE,
        state_is("account", AccountState.OPEN),
        Precondition(
            "RECEIPT_IS_THERE",
            "account",
            "it must be another account than the receipt's",
            lambda ctx, given: given["account"].id != given["receipt"].account,
        ),
        Precondition(
            "ACCOUNT_OF_OTHER_OWNER",
            "account",
            "its owner must own the receipt's account",
            lambda ctx, given: ctx.world.get(Account, given["receipt"].account).owner == given["account"].owner,
        ),
    ),
    writes=(*BOOKS, "receipt.account"),
)
def receipt_redirect(ctx: Context, receipt: Receipt, account: Account) -> dict[str, Any]:
    """Move a receipt with its money to another account of the same owner, where it should have arrived.

    Args:
        receipt: An arrived receipt of which nothing is allocated.
        account: An open account of the same owner in its currency.
    """
    _move_receipt(ctx, receipt, account)
    return told(ctx.world.update(receipt, account=account.id), "account", "amount", "state")


@money_tool(
    module=MODULE,
    minutes=3,
    pre=(state_is("receipt", *_HERE), WHOLE),
    writes=(*BOOKS, "receipt.state", "receipt.unallocated"),
)
def receipt_return(ctx: Context, receipt: Receipt, idempotency_key: Key) -> dict[str, Any]:
    """Send a whole receipt back to its payer; the money leaves at once and cannot be called back.

    Whether the payer has agreed, or has asked for it, is not checked.

    Args:
        receipt: A receipt that has arrived or is in suspense, and of which nothing is allocated.
        idempotency_key: Chosen by you; the same key sends the money once only.
    """
    holder = ctx.world.get(Account, receipt.account)
    require_open(holder, "receipt")
    require_funds(holder, receipt.amount, "receipt")
    entry = post(ctx, holder, -receipt.amount, EntryReason.RETURN, receipt.id)
    nothing = Money(0, receipt.amount.currency)
    after = ctx.world.update(receipt, state=ReceiptState.RETURNED, unallocated=nothing)
    return {**told(after, "payer", "amount", "state"), "entry": entry.id}


@money_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _ARRIVED,
        positive("amount"),
        currency_of("receipt", "amount", "amount"),
        part_of("amount", "receipt", "amount"),
        at_most("amount", "receipt", "unallocated", "MORE_THAN_UNALLOCATED"),
    ),
    writes=(*BOOKS, "receipt.amount", "receipt.unallocated", "receipt.state"),
)
def receipt_return_part(ctx: Context, receipt: Receipt, amount: Money, idempotency_key: Key) -> dict[str, Any]:
    """Send back what a payer has paid too much; the receipt stays with the rest.

    Args:
        receipt: An arrived receipt.
        amount: What is sent back, less than the receipt and at most what is unallocated of it.
        idempotency_key: Chosen by you; the same key sends the money once only.
    """
    holder = ctx.world.get(Account, receipt.account)
    require_open(holder, "receipt")
    require_funds(holder, amount, "amount")
    entry = post(ctx, holder, -amount, EntryReason.RETURN, receipt.id)
    rest = receipt.unallocated - amount
    state = ReceiptState.ARRIVED if rest.minor else ReceiptState.ALLOCATED
    after = ctx.world.update(receipt, amount=receipt.amount - amount, unallocated=rest, state=state)
    return {**told(after, "payer", "amount", "unallocated", "state"), "returned": amount.to_json(), "entry": entry.id}


def _move_receipt(ctx: Context, receipt: Receipt, account: Account) -> None:
    holder = ctx.world.get(Account, receipt.account)
    require_open(holder, "receipt")
    require_funds(holder, receipt.amount, "receipt")
    require_currency(account, receipt.amount, "account")
    move(ctx, holder, account, receipt.amount, EntryReason.TRANSFER, receipt.id)

"""Receipts: expected, arrived, identified, split, and sent back where they do not belong.

The payer's bank decides when a payment arrives: worlds have their arrivals on the queue from the beginning, and an
expectation that a clerk notes brings no money.

Rules: `trace_minutes` (integer, anchor request): how long a bank takes to say where a payment is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Text
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account, AccountPurpose, AccountState, EntryReason
from ..records.parties import Party
from ..records.receivables import Receipt, ReceiptState
from .acts import Note, ahead, at_most, currency_of, part_of, told
from .booking import case_of, company_account, post, same_currency
from .conditions import Minute
from .reads import reads_of
from .receipt_moves import (
    WHOLE,
    receipt_identify,
    receipt_redirect,
    receipt_return,
    receipt_return_part,
    receipt_suspend,
)

MODULE = "receipts"
ARRIVES, TRACED = "receipt_arrives", "receipt_traced"
_HERE = (ReceiptState.ARRIVED, ReceiptState.SUSPENSE)
_ARRIVED = state_is("receipt", ReceiptState.ARRIVED)


def _is_not_traced(ctx: Context, given: Mapping[str, Any]) -> bool:
    receipt = given["receipt"].id
    return all((due.name, due.payload.get("receipt")) != (TRACED, receipt) for due in ctx.clock.pending())


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("account", AccountState.OPEN),
        positive("amount"),
        same_currency("account", "amount"),
        ahead("arrives_at"),
    ),
    writes=("receipt+",),
)
def receipt_expect(
    ctx: Context, account: Account, payer: Party, amount: Money, arrives_at: Minute, reference: Note
) -> dict[str, Any]:
    """Note that a payment is expected, on the word of whoever announced it. It brings no money.

    Args:
        account: The open account on which it is to arrive.
        payer: Who has announced it.
        amount: How much was announced.
        arrives_at: When it is to arrive.
        reference: What the payer says that it is for.
    """
    receipt = ctx.world.create(
        Receipt,
        account=account.id,
        payer=payer.id,
        amount=amount,
        unallocated=amount,
        arrives_at=arrives_at,
        state=ReceiptState.EXPECTED,
        reference=Text(reference),
    )
    return told(receipt, "account", "payer", "amount", "arrives_at", "state")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("receipt", ReceiptState.EXPECTED),
        Precondition("TRACE_RUNNING", "receipt", "the bank has been asked and has not answered yet", _is_not_traced),
    ),
    # The bank's answer puts the minute right; what this act leaves behind is the question on the queue.
    writes=("receipt.arrives_at",),
    rule_keys=("trace_minutes",),
)
def receipt_trace(ctx: Context, receipt: Receipt) -> dict[str, Any]:
    """Ask the payer's bank where an expected payment is; the answer comes by itself and puts the minute right.

    Args:
        receipt: A receipt that is expected and has not arrived.
    """
    party = ctx.world.get(Account, receipt.account).owner
    answers_at = ctx.now + ctx.resolve("trace_minutes", case_of(ctx, party, "receipt")).value
    ctx.clock.schedule(answers_at, TRACED, {"receipt": receipt.id})
    return {**told(receipt, "state"), "answers_at": answers_at}


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        _ARRIVED,
        positive("amount"),
        currency_of("receipt", "amount", "amount"),
        part_of("amount", "receipt", "amount"),
        at_most("amount", "receipt", "unallocated", "MORE_THAN_UNALLOCATED"),
    ),
    writes=("receipt+", "receipt.amount", "receipt.unallocated", "receipt.state"),
)
def receipt_split(ctx: Context, receipt: Receipt, amount: Money) -> dict[str, Any]:
    """Split an arrived receipt in two that can be dealt with apart; the money stays where it is.

    Args:
        receipt: An arrived receipt.
        amount: What the new receipt takes over, less than the receipt and at most what is unallocated of it.
    """
    rest = receipt.unallocated - amount
    state = ReceiptState.ARRIVED if rest.minor else ReceiptState.ALLOCATED
    kept = ctx.world.update(receipt, amount=receipt.amount - amount, unallocated=rest, state=state)
    new = ctx.world.create(
        Receipt,
        account=receipt.account,
        payer=receipt.payer,
        amount=amount,
        unallocated=amount,
        arrives_at=receipt.arrives_at,
        state=ReceiptState.ARRIVED,
        reference=receipt.reference,
    )
    return {**told(kept, "amount", "unallocated", "state"), "new": told(new, "amount", "unallocated", "state")}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("receipt", ReceiptState.EXPECTED, *_HERE, code="RECEIPT_SETTLED"),
        WHOLE,
        Precondition(
            "PAYER_UNCHANGED",
            "payer",
            "it must be another party than the payer noted",
            lambda ctx, given: given["payer"].id != given["receipt"].payer,
        ),
    ),
    writes=("receipt.payer",),
)
def receipt_correct_payer(ctx: Context, receipt: Receipt, payer: Party) -> dict[str, Any]:
    """Note another payer on a receipt, where the bank's statement named the wrong one.

    Args:
        receipt: A receipt that is neither allocated nor returned.
        payer: Who has paid.
    """
    return told(ctx.world.update(receipt, payer=payer.id), "payer", "amount", "state")


def _arrive(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Credit an expected payment; one for an account that is closed goes to suspense, or back where there is none."""
    receipt = ctx.world.get(Receipt, payload["receipt"])
    if receipt.state is not ReceiptState.EXPECTED:
        return told(receipt, "state")
    account, state = ctx.world.get(Account, receipt.account), ReceiptState.ARRIVED
    if account.state is AccountState.CLOSED:
        state = ReceiptState.SUSPENSE
        try:
            account = company_account(ctx, AccountPurpose.SUSPENSE, receipt.amount.currency)
        except ToolRefused:
            nothing = Money(0, receipt.amount.currency)
            return told(ctx.world.update(receipt, state=ReceiptState.RETURNED, unallocated=nothing), "amount", "state")
    post(ctx, account, receipt.amount, EntryReason.RECEIPT, receipt.id)
    after = ctx.world.update(receipt, account=account.id, arrives_at=ctx.now, state=state)
    return told(after, "account", "payer", "amount", "state")


def _answer_trace(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Say where a payment is: the queue knows whether one is on its way, and when it will be here."""
    receipt = ctx.world.get(Receipt, payload["receipt"])
    for due in ctx.clock.pending():
        if due.name == ARRIVES and due.payload["receipt"] == receipt.id:
            return {**told(ctx.world.update(receipt, arrives_at=due.t), "state", "arrives_at"), "on_its_way": True}
    return {**told(receipt, "state"), "on_its_way": False}


def opening(ctx: Context) -> None:
    """Put the arrivals of the receipts that are expected at the beginning of an episode on the queue."""
    for receipt in ctx.world.all(Receipt, state=ReceiptState.EXPECTED):
        ctx.clock.schedule(max(ctx.now, receipt.arrives_at), ARRIVES, {"receipt": receipt.id})


TOOLS: tuple[BusinessTool, ...] = (
    receipt_expect,
    receipt_trace,
    receipt_split,
    receipt_correct_payer,
    receipt_suspend,
    receipt_identify,
    receipt_redirect,
    receipt_return,
    receipt_return_part,
    *reads_of(Receipt, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {
    ARRIVES: (Actor.COUNTERPARTY, _arrive),
    TRACED: (Actor.COUNTERPARTY, _answer_trace),
}

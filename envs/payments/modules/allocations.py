"""Allocations: which part of a receipt pays which invoice, within a file that is open. No money moves.

What is booked lowers a receipt's unallocated part and an invoice's open amount; what is proposed lowers neither. A file
in which something is proposed cannot be submitted, so a proposed allocation always stands in a file that is open.

No rule is read here. Reversing and moving what is booked, and write-offs, are in `allocation_changes.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.money import Money
from ..kernel.tools import Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account
from ..records.receivables import (
    Allocation,
    AllocationState,
    FileState,
    Instruction,
    InstructionState,
    Invoice,
    Receipt,
    ReceiptState,
    ReconciliationFile,
)
from .acts import currency_of, told
from .invoices import PAYABLE, settle

MODULE = "reconciliation"
_PROPOSED = state_is("allocation", AllocationState.PROPOSED)
INVOICE_PAYABLE = state_is("invoice", *PAYABLE, code="INVOICE_NOT_PAYABLE")
FILE_OPEN = state_is("file", FileState.OPEN)
BOOKS_ALLOCATION = ("allocation.state", "receipt.unallocated", "receipt.state", "invoice.open_amount", "invoice.state")


INVOICE_OF_FILE = Precondition(
    code="INVOICE_OF_OTHER_MERCHANT",
    field="invoice",
    message="it must be an invoice of the file's merchant",
    holds=lambda ctx, given: given["invoice"].merchant == given["file"].merchant,
)
_RESTS_ON_RECEIPT = Precondition(
    code="INSTRUCTION_OF_OTHER_RECEIPT",
    field="instruction",
    message="it must be about the receipt",
    holds=lambda ctx, given: given["instruction"] is None or given["instruction"].receipt == given["receipt"].id,
)
_NOT_WITHDRAWN = Precondition(
    code="INSTRUCTION_WITHDRAWN",
    field="instruction",
    message="it must not have been withdrawn",
    holds=lambda ctx, given: (
        given["instruction"] is None or given["instruction"].state is not InstructionState.WITHDRAWN
    ),
)


def _owns_receipt(ctx: Context, given: Mapping[str, Any]) -> bool:
    file: ReconciliationFile = given["file"]
    return ctx.world.get(Account, given["receipt"].account).owner == file.merchant


def _check_cover(receipt: Receipt, invoice: Invoice, amount: Money, field: str = "amount") -> None:
    """Refuse what the unallocated part of a receipt or the open amount of an invoice does not cover."""
    if amount > receipt.unallocated:
        raise ToolRefused(
            "OVER_RECEIPT", f"{field}: {receipt.unallocated} of {receipt.id} is unallocated, not {amount}"
        )
    if amount > invoice.open_amount:
        raise ToolRefused("OVER_INVOICE", f"{field}: {invoice.open_amount} of {invoice.id} is open, not {amount}")


def take(ctx: Context, receipt_id: str, amount: Money) -> Receipt:
    """Use part of a receipt up, or (by a negative amount) give it back, and let its state follow."""
    receipt = ctx.world.get(Receipt, receipt_id)
    rest = receipt.unallocated - amount
    state = ReceiptState.ARRIVED if rest.minor else ReceiptState.ALLOCATED
    return ctx.world.update(receipt, unallocated=rest, state=state)


def _book(ctx: Context, allocation: Allocation, field: str) -> Allocation:
    receipt = ctx.world.get(Receipt, allocation.receipt)
    invoice = ctx.world.get(Invoice, allocation.invoice)
    if receipt.state is not ReceiptState.ARRIVED:
        raise ToolRefused("RECEIPT_NOT_ARRIVED", f"{field}: {receipt.id} is {receipt.state.value}")
    if invoice.state not in PAYABLE:
        raise ToolRefused("INVOICE_NOT_PAYABLE", f"{field}: {invoice.id} is {invoice.state.value}")
    _check_cover(receipt, invoice, allocation.amount, field)
    take(ctx, receipt.id, allocation.amount)
    settle(ctx, invoice, allocation.amount)
    return ctx.world.update(allocation, state=AllocationState.BOOKED)


def seen(ctx: Context, allocation: Allocation) -> dict[str, Any]:
    """Return an allocation with its receipt and its invoice as they stand now, as JSON values."""
    receipt, invoice = ctx.world.get(Receipt, allocation.receipt), ctx.world.get(Invoice, allocation.invoice)
    return {
        **told(allocation, "amount", "state"),
        "receipt": told(receipt, "unallocated", "state"),
        "invoice": told(invoice, "open_amount", "state"),
    }


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        FILE_OPEN,
        state_is("receipt", ReceiptState.ARRIVED),
        Precondition(
            "RECEIPT_OF_OTHER_MERCHANT", "receipt", "it must have come in for the file's merchant", _owns_receipt
        ),
        INVOICE_OF_FILE,
        INVOICE_PAYABLE,
        positive("amount"),
        currency_of("receipt", "amount", "amount"),
        currency_of("invoice", "amount", "amount"),
        _RESTS_ON_RECEIPT,
        _NOT_WITHDRAWN,
    ),
    writes=("allocation+",),
)
def allocation_propose(
    ctx: Context,
    file: ReconciliationFile,
    receipt: Receipt,
    invoice: Invoice,
    amount: Money,
    instruction: Instruction | None = None,
) -> dict[str, Any]:
    """Propose to apply part of a receipt to an invoice; nothing is used up until it is booked.

    Whether the instruction is in force, says so, or is missing is not checked, nor who the invoice's buyer is.

    Args:
        file: The open file of the merchant.
        receipt: An arrived receipt of the merchant.
        invoice: An invoice of the merchant that is open or paid in part.
        amount: How much, at most what is unallocated of the receipt and open of the invoice.
        instruction: The buyer's instruction on which it rests, if it rests on one.
    """
    _check_cover(receipt, invoice, amount)
    allocation = ctx.world.create(
        Allocation,
        file=file.id,
        receipt=receipt.id,
        invoice=invoice.id,
        amount=amount,
        instruction=None if instruction is None else instruction.id,
        state=AllocationState.PROPOSED,
    )
    return told(allocation, "file", "receipt", "invoice", "amount", "instruction", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(_PROPOSED, positive("amount"), currency_of("allocation", "amount", "amount")),
    writes=("allocation.amount",),
)
def allocation_amend(ctx: Context, allocation: Allocation, amount: Money) -> dict[str, Any]:
    """Change the amount of a proposed allocation.

    Args:
        allocation: A proposed allocation.
        amount: How much it should be.
    """
    _check_cover(ctx.world.get(Receipt, allocation.receipt), ctx.world.get(Invoice, allocation.invoice), amount)
    return told(ctx.world.update(allocation, amount=amount), "receipt", "invoice", "amount", "state")


@business_tool(module=MODULE, minutes=1, pre=(_PROPOSED,), writes=("allocation.state",))
def allocation_discard(ctx: Context, allocation: Allocation) -> dict[str, Any]:
    """Discard a proposed allocation.

    Args:
        allocation: A proposed allocation.
    """
    return told(ctx.world.update(allocation, state=AllocationState.REVERSED), "receipt", "invoice", "amount", "state")


@business_tool(module=MODULE, minutes=2, pre=(_PROPOSED,), writes=BOOKS_ALLOCATION)
def allocation_book(ctx: Context, allocation: Allocation) -> dict[str, Any]:
    """Book a proposed allocation: the receipt is used up by it and the invoice is paid by it.

    Args:
        allocation: A proposed allocation, which receipt and invoice still cover.
    """
    return seen(ctx, _book(ctx, allocation, "allocation"))


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        FILE_OPEN,
        Precondition(
            "NOTHING_PROPOSED",
            "file",
            "it must have proposed allocations",
            lambda ctx, given: any(ctx.world.all(Allocation, file=given["file"].id, state=AllocationState.PROPOSED)),
        ),
    ),
    writes=BOOKS_ALLOCATION,
)
def allocation_book_all(ctx: Context, file: ReconciliationFile) -> dict[str, Any]:
    """Book every proposed allocation of a file, the oldest first; if one cannot be booked, none is.

    Args:
        file: An open file.
    """
    proposed = list(ctx.world.all(Allocation, file=file.id, state=AllocationState.PROPOSED))
    return {"booked": [seen(ctx, _book(ctx, each, "file")) for each in proposed]}

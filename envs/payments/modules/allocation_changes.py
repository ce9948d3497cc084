"""What becomes of booked allocations while their file is open, and what is written off.

Rules: `write_off_limit` (amount, anchor booking): the most that one write-off may take off an invoice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.money import Money
from ..kernel.tools import Context, Precondition, business_tool, positive, state_is
from ..records.approvals import Action, ApprovalRequest
from ..records.receivables import Allocation, AllocationState, FileState, Invoice, InvoiceState, ReconciliationFile
from .acts import amount_rule, approval_fits, at_most, currency_of, told
from .allocations import BOOKS_ALLOCATION, FILE_OPEN, INVOICE_OF_FILE, INVOICE_PAYABLE, seen, take
from .booking import case_of
from .invoices import PAYABLE, reduce, settle

MODULE = "reconciliation"
_BOOKED = state_is("allocation", AllocationState.BOOKED)


def _file_is_open(ctx: Context, given: Mapping[str, Any]) -> bool:
    return ctx.world.get(ReconciliationFile, given["allocation"].file).state is FileState.OPEN


_ITS_FILE_OPEN = Precondition("FILE_NOT_OPEN", "allocation", "its file must be open", _file_is_open)


@business_tool(module=MODULE, minutes=3, pre=(_BOOKED, _ITS_FILE_OPEN), writes=BOOKS_ALLOCATION)
def allocation_reverse(ctx: Context, allocation: Allocation) -> dict[str, Any]:
    """Reverse a booked allocation: the receipt is free again and the invoice is open again by its amount.

    Args:
        allocation: A booked allocation in an open file; what a closed file has frozen stays.
    """
    _give_back(ctx, allocation)
    take(ctx, allocation.receipt, -allocation.amount)
    return seen(ctx, ctx.world.update(allocation, state=AllocationState.REVERSED))


def _give_back(ctx: Context, allocation: Allocation) -> None:
    """Open an invoice again by what was allocated to it; one that is disputed has to be resolved first."""
    invoice = ctx.world.get(Invoice, allocation.invoice)
    if invoice.state not in (*PAYABLE, InvoiceState.PAID):
        raise ToolRefused("INVOICE_DISPUTED", f"allocation: {invoice.id} is {invoice.state.value}")
    settle(ctx, invoice, -allocation.amount)


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _BOOKED,
        _ITS_FILE_OPEN,
        INVOICE_PAYABLE,
        Precondition(
            "INVOICE_UNCHANGED",
            "invoice",
            "it must be another invoice than now",
            lambda ctx, given: given["invoice"].id != given["allocation"].invoice,
        ),
        Precondition(
            "INVOICE_OF_OTHER_MERCHANT",
            "invoice",
            "it must be an invoice of the file's merchant",
            lambda ctx, given: (
                ctx.world.get(ReconciliationFile, given["allocation"].file).merchant == given["invoice"].merchant
            ),
        ),
        Precondition(
            "CURRENCY_MISMATCH",
            "invoice",
            "it must be in the currency of the allocation",
            lambda ctx, given: given["invoice"].amount.currency is given["allocation"].amount.currency,
        ),
        Precondition(
            "OVER_INVOICE",
            "invoice",
            "what is open of it must cover the allocation",
            lambda ctx, given: given["allocation"].amount <= given["invoice"].open_amount,
        ),
    ),
    writes=("allocation.invoice", "invoice.open_amount", "invoice.state"),
)
def allocation_move(ctx: Context, allocation: Allocation, invoice: Invoice) -> dict[str, Any]:
    """Let a booked allocation pay another invoice of the merchant instead.

    Args:
        allocation: A booked allocation in an open file.
        invoice: An invoice of which at least the allocation's amount is open.
    """
    _give_back(ctx, allocation)
    settle(ctx, invoice, allocation.amount)
    return seen(ctx, ctx.world.update(allocation, invoice=invoice.id))


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        FILE_OPEN,
        INVOICE_OF_FILE,
        INVOICE_PAYABLE,
        positive("amount"),
        currency_of("invoice", "amount", "amount"),
        at_most("amount", "invoice", "open_amount", "MORE_THAN_OPEN"),
        *approval_fits("approval", "invoice", Action.WRITE_OFF),
    ),
    writes=("invoice.amount", "invoice.open_amount", "invoice.state"),
    rule_keys=("write_off_limit",),
)
def difference_write_off(
    ctx: Context,
    file: ReconciliationFile,
    invoice: Invoice,
    amount: Money,
    approval: ApprovalRequest | None = None,
) -> dict[str, Any]:
    """Write off what a buyer has paid too little, as part of a file that is open.

    Whether the merchant has approved the write-off is not checked.

    Args:
        file: The open file of the merchant.
        invoice: An invoice of the merchant that is open or paid in part.
        amount: How much is given up, at most what is open.
        approval: The merchant's approval of the write-off, where there is one.
    """
    limit = amount_rule(ctx, "write_off_limit", case_of(ctx, file.merchant, "reconciliation"), amount.currency)
    ctx.enforce(limit, amount <= limit.value, "OVER_LIMIT", f"amount: one write-off takes off at most {limit.value}")
    return {**told(reduce(ctx, invoice, amount), "amount", "open_amount", "state"), "written_off": amount.to_json()}

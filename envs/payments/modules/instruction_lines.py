"""What an instruction says: its versions, and its lines until the buyer has confirmed it. No rule is read here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.money import Money
from ..kernel.tools import Context, Precondition, business_tool, positive, state_is
from ..records.receivables import Instruction, InstructionLine, InstructionState, Invoice, Receipt, ReceiptState
from .acts import currency_of, told

MODULE = "remittances"
RECEIVED = state_is("instruction", InstructionState.RECEIVED)
"""Demands an instruction that is neither confirmed nor withdrawn."""


def next_version(ctx: Context, receipt: Receipt) -> int:
    """Return the version that the next instruction about a receipt has."""
    return 1 + max((each.version for each in ctx.world.all(Instruction, receipt=receipt.id)), default=0)


def _stated(ctx: Context, instruction: Instruction) -> int:
    """Return the sum of an instruction's lines in minor units; all are in the receipt's currency."""
    return sum(line.amount.minor for line in ctx.world.all(InstructionLine, instruction=instruction.id))


def check_sum(ctx: Context, instruction: Instruction, field: str = "amount") -> None:
    """Refuse lines that sum to more than their receipt.

    Raises:
        ToolRefused: `OVER_RECEIPT`.
    """
    receipt = ctx.world.get(Receipt, instruction.receipt)
    if _stated(ctx, instruction) > receipt.amount.minor:
        raise ToolRefused("OVER_RECEIPT", f"{field}: the lines must not exceed the receipt, which is {receipt.amount}")


def _has_no_line(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = {"instruction": given["instruction"].id, "invoice": given["invoice"].id}
    return not any(ctx.world.all(InstructionLine, **wanted))


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        state_is("receipt", ReceiptState.EXPECTED, ReceiptState.ARRIVED, ReceiptState.SUSPENSE, code="RECEIPT_SETTLED"),
    ),
    writes=("instruction+",),
)
def instruction_register(ctx: Context, receipt: Receipt) -> dict[str, Any]:
    """Register a new version of how the payer of a receipt wants it applied; its lines are added one by one.

    Earlier versions stay as they are. Whether the payer has really sent it is not checked.

    Args:
        receipt: A receipt that is expected, has arrived or is in suspense.
    """
    instruction = ctx.world.create(
        Instruction,
        buyer=receipt.payer,
        receipt=receipt.id,
        version=next_version(ctx, receipt),
        received_at=ctx.now,
        state=InstructionState.RECEIVED,
    )
    return told(instruction, "buyer", "receipt", "version", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        RECEIVED,
        Precondition(
            "INVOICE_OF_OTHER_BUYER",
            "invoice",
            "its buyer must be the one who gave the instruction",
            lambda ctx, given: given["invoice"].buyer == given["instruction"].buyer,
        ),
        Precondition("LINE_EXISTS", "invoice", "the instruction has a line for it already", _has_no_line),
        positive("amount"),
        currency_of("invoice", "amount", "amount"),
        Precondition(
            "RECEIPT_IN_OTHER_CURRENCY",
            "amount",
            "the receipt is in another currency",
            lambda ctx, given: (
                ctx.world.get(Receipt, given["instruction"].receipt).amount.currency is given["amount"].currency
            ),
        ),
    ),
    writes=("instruction_line+",),
)
def instruction_add_line(ctx: Context, instruction: Instruction, invoice: Invoice, amount: Money) -> dict[str, Any]:
    """Add a line to an instruction that the buyer has not confirmed yet.

    Args:
        instruction: The instruction.
        invoice: An invoice of the same buyer, without a line so far.
        amount: How much of the receipt goes to it.
    """
    line = ctx.world.create(InstructionLine, instruction=instruction.id, invoice=invoice.id, amount=amount)
    check_sum(ctx, instruction)
    return told(line, "instruction", "invoice", "amount")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        Precondition(
            "INSTRUCTION_NOT_RECEIVED",
            "line",
            "its instruction must not have been confirmed or withdrawn",
            lambda ctx, given: ctx.world.get(Instruction, given["line"].instruction).state is InstructionState.RECEIVED,
        ),
        positive("amount"),
        currency_of("line", "amount", "amount"),
    ),
    writes=("instruction_line.amount",),
)
def instruction_change_line(ctx: Context, line: InstructionLine, amount: Money) -> dict[str, Any]:
    """Put the amount of a line right, in an instruction that the buyer has not confirmed yet.

    Args:
        line: The line.
        amount: What it should say.
    """
    changed = ctx.world.update(line, amount=amount)
    check_sum(ctx, ctx.world.get(Instruction, line.instruction))
    return told(changed, "instruction", "invoice", "amount")

"""Remittances: how buyers want their receipts applied, line by line, in versions.

Registering a version does not end earlier ones: which version is in force is for people to find out, and only the
buyer's answer settles it.

Rules: `buyer_answer_minutes` (integer, anchor request): how long a buyer takes to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, state_is
from ..records.receivables import (
    Allocation,
    AllocationState,
    Instruction,
    InstructionLine,
    InstructionState,
    Receipt,
)
from .acts import told
from .booking import case_of
from .instruction_lines import (
    RECEIVED,
    check_sum,
    instruction_add_line,
    instruction_change_line,
    instruction_register,
    next_version,
)
from .reads import reads_of

MODULE = "remittances"
ANSWERED = "instruction_answered"
_STANDS = (InstructionState.RECEIVED, InstructionState.CONFIRMED)
_USED = (AllocationState.BOOKED, AllocationState.FROZEN)


def _is_not_asked(ctx: Context, given: Mapping[str, Any]) -> bool:
    instruction = given["instruction"].id
    return all((due.name, due.payload.get("instruction")) != (ANSWERED, instruction) for due in ctx.clock.pending())


def _is_unused(ctx: Context, given: Mapping[str, Any]) -> bool:
    allocations = ctx.world.all(Allocation, instruction=given["instruction"].id)
    return all(each.state not in _USED for each in allocations)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        RECEIVED,
        Precondition("QUESTION_PENDING", "instruction", "the buyer has been asked and has not answered", _is_not_asked),
    ),
    # The answer is an event of the buyer; what this act leaves behind is the question on the queue.
    writes=("instruction.state",),
    rule_keys=("buyer_answer_minutes",),
)
def instruction_confirm(ctx: Context, instruction: Instruction) -> dict[str, Any]:
    """Ask the buyer whether an instruction is in force; the answer comes by itself and confirms it or takes it back.

    Args:
        instruction: An instruction that is neither confirmed nor withdrawn.
    """
    answers_at = ctx.now + ctx.resolve("buyer_answer_minutes", case_of(ctx, instruction.buyer, "remittance")).value
    ctx.clock.schedule(answers_at, ANSWERED, {"instruction": instruction.id})
    return {**told(instruction, "version", "state"), "answers_at": answers_at}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("instruction", *_STANDS, code="INSTRUCTION_WITHDRAWN"),
        Precondition("INSTRUCTION_IN_USE", "instruction", "no booked allocation may rest on it", _is_unused),
    ),
    writes=("instruction.state",),
)
def instruction_withdraw(ctx: Context, instruction: Instruction) -> dict[str, Any]:
    """Note that an instruction no longer holds.

    Args:
        instruction: An instruction on which no booked allocation rests.
    """
    return told(ctx.world.update(instruction, state=InstructionState.WITHDRAWN), "receipt", "version", "state")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("allocation", AllocationState.PROPOSED, AllocationState.BOOKED),
        state_is("instruction", *_STANDS, code="INSTRUCTION_WITHDRAWN"),
        Precondition(
            "INSTRUCTION_OF_OTHER_RECEIPT",
            "instruction",
            "it must be about the receipt that is allocated",
            lambda ctx, given: given["instruction"].receipt == given["allocation"].receipt,
        ),
        Precondition(
            "ALREADY_ATTACHED",
            "instruction",
            "the allocation rests on it already",
            lambda ctx, given: given["allocation"].instruction != given["instruction"].id,
        ),
    ),
    writes=("allocation.instruction",),
)
def instruction_attach(ctx: Context, allocation: Allocation, instruction: Instruction) -> dict[str, Any]:
    """Note on which instruction an allocation rests. Whether it says what was allocated is not checked.

    Args:
        allocation: An allocation that is proposed or booked.
        instruction: An instruction about the same receipt.
    """
    return told(ctx.world.update(allocation, instruction=instruction.id), "receipt", "invoice", "instruction")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("instruction", *_STANDS, code="INSTRUCTION_WITHDRAWN"),
        Precondition("INSTRUCTION_IN_USE", "instruction", "no booked allocation may rest on it", _is_unused),
        Precondition(
            "RECEIPT_OF_OTHER_PAYER",
            "receipt",
            "its payer must be the buyer who gave the instruction",
            lambda ctx, given: given["receipt"].payer == given["instruction"].buyer,
        ),
        Precondition(
            "RECEIPT_UNCHANGED",
            "receipt",
            "it must be another receipt than now",
            lambda ctx, given: given["receipt"].id != given["instruction"].receipt,
        ),
        Precondition(
            "RECEIPT_IN_OTHER_CURRENCY",
            "receipt",
            "it must be in the currency of the present receipt",
            lambda ctx, given: (
                ctx.world.get(Receipt, given["instruction"].receipt).amount.currency is given["receipt"].amount.currency
            ),
        ),
    ),
    writes=("instruction.receipt", "instruction.version"),
)
def instruction_repoint(ctx: Context, instruction: Instruction, receipt: Receipt) -> dict[str, Any]:
    """Let an instruction be about another receipt of the same payer, as its latest version.

    Args:
        instruction: An instruction on which no booked allocation rests.
        receipt: The receipt that the buyer meant.
    """
    moved = ctx.world.update(instruction, receipt=receipt.id, version=next_version(ctx, receipt))
    check_sum(ctx, moved, "receipt")
    return told(moved, "receipt", "version", "state")


def _answer(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Let the buyer answer: the latest version that was not withdrawn is in force, an earlier one is not."""
    instruction = ctx.world.get(Instruction, payload["instruction"])
    if instruction.state is InstructionState.WITHDRAWN:
        return {**told(instruction, "state"), "in_force": False}
    rivals = [each for each in ctx.world.all(Instruction, receipt=instruction.receipt) if each.state in _STANDS]
    in_force = instruction.version == max(each.version for each in rivals)
    state = InstructionState.CONFIRMED if in_force else InstructionState.WITHDRAWN
    return {**told(ctx.world.update(instruction, state=state), "version", "state"), "in_force": in_force}


TOOLS: tuple[BusinessTool, ...] = (
    instruction_register,
    instruction_add_line,
    instruction_change_line,
    instruction_confirm,
    instruction_withdraw,
    instruction_attach,
    instruction_repoint,
    *reads_of(Instruction, MODULE),
    *reads_of(InstructionLine, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {ANSWERED: (Actor.COUNTERPARTY, _answer)}

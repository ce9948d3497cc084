"""Reconciliation files: the receipts of a merchant's period against its invoices.

Closing a file freezes its allocations, and lets the reserves that wait for it be released. The allocations themselves
are in `allocations.py` and `allocation_changes.py`.

Rules: `reopening_fee` (amount, anchor reopening, see `tariff.py`): what reopening a closed file costs the merchant.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from ...core.errors import ToolRefused
from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Currency, Money
from ..kernel.records import to_json
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, state_is
from ..records.approvals import Action, ApprovalRequest
from ..records.cash import Account, AccountState
from ..records.parties import Party, PartyRole, PartyState
from ..records.receivables import Allocation, AllocationState, FileState, Receipt, ReceiptState, ReconciliationFile
from ..records.reserves import FeeKind, Reserve, ReserveState
from .acts import approval_fits, role_is, told
from .allocation_changes import allocation_move, allocation_reverse, difference_write_off
from .allocations import (
    allocation_amend,
    allocation_book,
    allocation_book_all,
    allocation_discard,
    allocation_propose,
)
from .booking import CHARGES, charge_fee
from .reads import reads_of
from .tariff import price

MODULE = "reconciliation"
Period = Annotated[int, Field(ge=190_001, le=299_912, examples=[202_609])]
"""A month as year and month, for example 202609."""


def _is_month(ctx: Context, given: Mapping[str, Any]) -> bool:
    period: int = given["period"]
    return 1 <= period % 100 <= 12


def _has_no_file(ctx: Context, given: Mapping[str, Any]) -> bool:
    return not any(ctx.world.all(ReconciliationFile, merchant=given["merchant"].id, period=given["period"]))


def _is_decided(ctx: Context, given: Mapping[str, Any]) -> bool:
    return not any(ctx.world.all(Allocation, file=given["file"].id, state=AllocationState.PROPOSED))


def _keeps_its_reserves(ctx: Context, given: Mapping[str, Any]) -> bool:
    return not any(ctx.world.all(Reserve, file=given["file"].id, state=ReserveState.RELEASED))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        role_is("merchant", PartyRole.MERCHANT),
        state_is("merchant", PartyState.ACTIVE),
        Precondition("NO_SUCH_MONTH", "period", "it must be a year and a month from 01 to 12", _is_month),
        Precondition("FILE_EXISTS", "period", "the merchant has a file of this period", _has_no_file),
    ),
    writes=("reconciliation_file+",),
)
def file_open(ctx: Context, merchant: Party, period: Period) -> dict[str, Any]:
    """Open the reconciliation file of a merchant's month.

    Args:
        merchant: An active merchant.
        period: The month as year and month, for example 202609.
    """
    file = ctx.world.create(
        ReconciliationFile,
        merchant=merchant.id,
        period=period,
        opened_at=ctx.now,
        closed_at=None,
        state=FileState.OPEN,
    )
    return told(file, "merchant", "period", "state")


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        state_is("file", FileState.OPEN),
        Precondition(
            "ALLOCATIONS_PROPOSED", "file", "each proposed allocation must be booked or discarded", _is_decided
        ),
    ),
    writes=("reconciliation_file.state",),
)
def file_submit(ctx: Context, file: ReconciliationFile) -> dict[str, Any]:
    """Submit a file for closing; from now on its allocations cannot be changed unless it is taken back.

    Whether every receipt of the period has been dealt with is not checked.

    Args:
        file: An open file without proposed allocations.
    """
    return told(ctx.world.update(file, state=FileState.SUBMITTED), "merchant", "period", "state")


@business_tool(
    module=MODULE, minutes=1, pre=(state_is("file", FileState.SUBMITTED),), writes=("reconciliation_file.state",)
)
def file_take_back(ctx: Context, file: ReconciliationFile) -> dict[str, Any]:
    """Take a submitted file back, so that its allocations can be changed again.

    Args:
        file: A submitted file that is not closed yet.
    """
    return told(ctx.world.update(file, state=FileState.OPEN), "merchant", "period", "state")


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(state_is("file", FileState.SUBMITTED), *approval_fits("approval", "file", Action.CLOSE_FILE)),
    writes=("reconciliation_file.state", "reconciliation_file.closed_at", "allocation.state"),
)
def file_close(ctx: Context, file: ReconciliationFile, approval: ApprovalRequest | None = None) -> dict[str, Any]:
    """Close a submitted file: its booked allocations are frozen, and reserves that wait for it may be released.

    What is unallocated, whether instructions were followed and whether the merchant has approved is not checked.

    Args:
        file: A submitted file.
        approval: The merchant's approval of the closing, where there is one.
    """
    booked = list(ctx.world.all(Allocation, file=file.id, state=AllocationState.BOOKED))
    for allocation in booked:
        ctx.world.update(allocation, state=AllocationState.FROZEN)
    closed = ctx.world.update(file, state=FileState.CLOSED, closed_at=ctx.now)
    waiting = [each.id for each in ctx.world.all(Reserve, file=file.id) if each.state is not ReserveState.RELEASED]
    return {
        **told(closed, "merchant", "period", "state", "closed_at"),
        "frozen": [each.id for each in booked],
        "reserves_waiting": waiting,
    }


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        state_is("file", FileState.CLOSED),
        state_is("account", AccountState.OPEN),
        Precondition(
            "ACCOUNT_OF_OTHER_OWNER",
            "account",
            "it must belong to the file's merchant",
            lambda ctx, given: given["account"].owner == given["file"].merchant,
        ),
        Precondition("RESERVE_RELEASED", "file", "a reserve that waited for it was released", _keeps_its_reserves),
    ),
    writes=(*CHARGES, "reconciliation_file.state", "reconciliation_file.closed_at", "allocation.state"),
    rule_keys=("reopening_fee",),
)
def file_reopen(ctx: Context, file: ReconciliationFile, account: Account, max_fee: Money) -> dict[str, Any]:
    """Reopen a closed file for a fee; its frozen allocations can be reversed and moved again.

    Whether the merchant has agreed to the fee is not checked.

    Args:
        file: A closed file none of whose reserves has been released.
        account: The merchant's account that pays the fee.
        max_fee: What you take the fee to be at most; if it costs more, nothing is done.
    """
    fee = price(ctx, FeeKind.REOPENING, account)
    if max_fee.currency is not fee.currency or fee > max_fee:
        raise ToolRefused("FEE_ABOVE_MAXIMUM", f"max_fee: reopening costs {fee}, more than {max_fee}")
    charge = charge_fee(ctx, account, FeeKind.REOPENING, fee, file.id)
    frozen = list(ctx.world.all(Allocation, file=file.id, state=AllocationState.FROZEN))
    for allocation in frozen:
        ctx.world.update(allocation, state=AllocationState.BOOKED)
    reopened = ctx.world.update(file, state=FileState.OPEN, closed_at=None)
    return {**told(reopened, "state"), "fee": fee.to_json(), "fee_charge": charge.id, "thawed": [a.id for a in frozen]}


@business_tool(module=MODULE)
def file_summary(ctx: Context, file: ReconciliationFile, currency: Currency) -> dict[str, Any]:
    """Sum a file up in one currency: its allocations by state, and what is unallocated of the merchant's receipts.

    Args:
        file: The file.
        currency: The currency.
    """
    sums = {state.value: 0 for state in AllocationState}
    for allocation in ctx.world.all(Allocation, file=file.id):
        if allocation.amount.currency is currency:
            sums[allocation.state.value] += allocation.amount.minor
    owned = {each.id for each in ctx.world.all(Account, owner=file.merchant)}
    arrived = [each for each in ctx.world.all(Receipt, state=ReceiptState.ARRIVED) if each.account in owned]
    rest = [each for each in arrived if each.amount.currency is currency]
    return {
        "allocations": {state: Money(minor, currency).to_json() for state, minor in sums.items()},
        "unallocated": Money(sum(each.unallocated.minor for each in rest), currency).to_json(),
        "receipts": [{"receipt": each.id, "unallocated": to_json(each.unallocated)} for each in rest],
    }


TOOLS: tuple[BusinessTool, ...] = (
    file_open,
    file_submit,
    file_take_back,
    file_close,
    file_reopen,
    file_summary,
    allocation_propose,
    allocation_amend,
    allocation_discard,
    allocation_book,
    allocation_book_all,
    allocation_reverse,
    allocation_move,
    difference_write_off,
    *reads_of(ReconciliationFile, MODULE),
    *reads_of(Allocation, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

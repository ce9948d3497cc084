"""Bills: what merchants owe, to whom, until when, and how they rank it.

Rules: `bill_deferral_max_minutes` (integer, anchor answer, scope priority besides product, jurisdiction and segment):
by how many minutes a supplier lets a bill be put off; `supplier_answer_minutes` (integer, anchor request): how long a
supplier takes to answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, Precondition, belongs_to, business_tool, positive, state_is
from ..records.parties import Party, PartyRole
from ..records.payouts import Beneficiary, BeneficiaryState, Bill, BillState, Priority
from .acts import alike, currency_of, differ, later, part_of, role_is, told
from .booking import case_of
from .conditions import Minute, PastMinute
from .reads import reads_of

MODULE = "bills"
ANSWERED = "bill_deferral_answered"
_OPEN = state_is("bill", BillState.OPEN)
_USABLE = (BeneficiaryState.NEW, BeneficiaryState.ACTIVE)


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        role_is("merchant", PartyRole.MERCHANT),
        belongs_to("beneficiary", "merchant", "merchant"),
        state_is("beneficiary", *_USABLE, code="BENEFICIARY_BLOCKED"),
        positive("amount"),
    ),
    writes=("bill+",),
)
def bill_register(
    ctx: Context, merchant: Party, beneficiary: Beneficiary, amount: Money, due_at: PastMinute, priority: Priority
) -> dict[str, Any]:
    """Register a bill that a merchant has to pay; it may be overdue.

    Whether the same bill was registered before is not checked.

    Args:
        merchant: Who owes.
        beneficiary: Who is owed; one of the merchant's, and not blocked.
        amount: How much.
        due_at: When it is due.
        priority: How the merchant ranks it.
    """
    bill = ctx.world.create(
        Bill,
        merchant=merchant.id,
        beneficiary=beneficiary.id,
        amount=amount,
        due_at=due_at,
        priority=priority,
        state=BillState.OPEN,
    )
    return told(bill, "merchant", "beneficiary", "amount", "due_at", "priority", "state")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(_OPEN, positive("amount"), currency_of("bill", "amount", "amount"), part_of("amount", "bill", "amount")),
    writes=("bill+", "bill.amount"),
)
def bill_split(ctx: Context, bill: Bill, amount: Money) -> dict[str, Any]:
    """Split a bill in two with the same due date, so that part of it can be paid apart.

    Whether the supplier accepts payment in parts is not checked.

    Args:
        bill: An open bill for which no payout has been scheduled.
        amount: What the new bill takes over, less than the bill.
    """
    kept = ctx.world.update(bill, amount=bill.amount - amount)
    new = ctx.world.create(
        Bill,
        merchant=bill.merchant,
        beneficiary=bill.beneficiary,
        amount=amount,
        due_at=bill.due_at,
        priority=bill.priority,
        state=BillState.OPEN,
    )
    return {**told(kept, "amount", "due_at"), "new": told(new, "amount", "due_at")}


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        differ("bill", "other"),
        _OPEN,
        state_is("other", BillState.OPEN),
        alike("bill", "other", "merchant"),
        alike("bill", "other", "beneficiary"),
        Precondition(
            "CURRENCY_MISMATCH",
            "other",
            "both bills must be in one currency",
            lambda ctx, given: given["bill"].amount.currency is given["other"].amount.currency,
        ),
    ),
    writes=("bill.amount", "bill.due_at", "bill.state"),
)
def bill_merge(ctx: Context, bill: Bill, other: Bill) -> dict[str, Any]:
    """Put two open bills of one beneficiary together in the first, due when the earlier of them is.

    Args:
        bill: The bill that takes the other over and keeps its priority.
        other: The bill that is cancelled.
    """
    merged = ctx.world.update(bill, amount=bill.amount + other.amount, due_at=min(bill.due_at, other.due_at))
    ended = ctx.world.update(other, state=BillState.CANCELLED)
    return {**told(merged, "amount", "due_at", "priority", "state"), "other": told(ended, "state")}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("bill", BillState.OPEN, BillState.SCHEDULED),
        Precondition(
            "PRIORITY_UNCHANGED",
            "priority",
            "it must be another one than now",
            lambda ctx, given: given["priority"] is not given["bill"].priority,
        ),
    ),
    writes=("bill.priority",),
)
def bill_reprioritise(ctx: Context, bill: Bill, priority: Priority) -> dict[str, Any]:
    """Rank a bill anew. Payouts that have been scheduled for it keep their place.

    Args:
        bill: A bill that is not paid or cancelled.
        priority: How the merchant ranks it now.
    """
    return told(ctx.world.update(bill, priority=priority), "amount", "due_at", "priority", "state")


@business_tool(module=MODULE, minutes=1, pre=(_OPEN,), writes=("bill.state",))
def bill_cancel(ctx: Context, bill: Bill) -> dict[str, Any]:
    """Cancel a bill that was registered twice or withdrawn; it cannot be reinstated.

    Whether the supplier has withdrawn it is not checked.

    Args:
        bill: An open bill for which no payout has been scheduled.
    """
    return told(ctx.world.update(bill, state=BillState.CANCELLED), "amount", "state")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        _OPEN,
        state_is("beneficiary", *_USABLE, code="BENEFICIARY_BLOCKED"),
        alike("bill", "beneficiary", "merchant"),
        Precondition(
            "BENEFICIARY_UNCHANGED",
            "beneficiary",
            "it must be another one than now",
            lambda ctx, given: given["beneficiary"].id != given["bill"].beneficiary,
        ),
    ),
    writes=("bill.beneficiary",),
)
def bill_redirect(ctx: Context, bill: Bill, beneficiary: Beneficiary) -> dict[str, Any]:
    """Let a bill be paid to another beneficiary of the merchant, for instance after an assignment of the claim.

    Whether the creditor has agreed, and whether the name of the new account was checked, is not looked at.

    Args:
        bill: An open bill for which no payout has been scheduled.
        beneficiary: Who is to be paid; one of the merchant's, and not blocked.
    """
    return told(ctx.world.update(bill, beneficiary=beneficiary.id), "beneficiary", "amount", "state")


def _is_not_asked(ctx: Context, given: Mapping[str, Any]) -> bool:
    bill = given["bill"].id
    return all((due.name, due.payload.get("bill")) != (ANSWERED, bill) for due in ctx.clock.pending())


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _OPEN,
        later("due_at", "bill", "due_at"),
        Precondition("QUESTION_PENDING", "bill", "the supplier has been asked and has not answered", _is_not_asked),
    ),
    # The supplier's answer changes the due date; what this act leaves behind is the question on the queue.
    writes=("bill.due_at",),
    rule_keys=("bill_deferral_max_minutes", "supplier_answer_minutes"),
)
def bill_defer(ctx: Context, bill: Bill, due_at: Minute) -> dict[str, Any]:
    """Ask the supplier to let a bill be due later; the answer comes by itself and is final for that date.

    Args:
        bill: An open bill.
        due_at: When it should be due.
    """
    answers_at = ctx.now + ctx.resolve("supplier_answer_minutes", case_of(ctx, bill.merchant, "bill")).value
    ctx.clock.schedule(answers_at, ANSWERED, {"bill": bill.id, "due_at": due_at})
    return {**told(bill, "due_at", "priority", "state"), "asked_for": due_at, "answers_at": answers_at}


@business_tool(module=MODULE)
def bill_due(ctx: Context, merchant: Party, until: Minute) -> dict[str, Any]:
    """List what a merchant has still to pay by a minute, the earliest due first, at most 50 bills.

    Args:
        merchant: The merchant.
        until: The minute up to which to look; overdue bills are listed as well.
    """
    open_ones = (BillState.OPEN, BillState.SCHEDULED)
    found = [each for each in ctx.world.all(Bill, merchant=merchant.id) if each.state in open_ones]
    due = sorted((each for each in found if each.due_at <= until), key=lambda each: each.due_at)
    names = ("beneficiary", "amount", "due_at", "priority", "state")
    return {"total": len(due), "bills": [told(each, *names) for each in due[:50]]}


def _answer(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Let the supplier answer: yes within the rule, no beyond it or once a payout is under way."""
    bill = ctx.world.get(Bill, payload["bill"])
    case = {**case_of(ctx, bill.merchant, "bill"), "priority": bill.priority.value}
    longest = ctx.resolve("bill_deferral_max_minutes", case).value
    agreed = bill.state is BillState.OPEN and payload["due_at"] - bill.due_at <= longest
    after = ctx.world.update(bill, due_at=payload["due_at"]) if agreed else bill
    return {**told(after, "due_at", "state"), "agreed": agreed}


TOOLS: tuple[BusinessTool, ...] = (
    bill_register,
    bill_split,
    bill_merge,
    bill_reprioritise,
    bill_cancel,
    bill_redirect,
    bill_defer,
    bill_due,
    *reads_of(Bill, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {ANSWERED: (Actor.COUNTERPARTY, _answer)}

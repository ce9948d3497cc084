"""Invoices: issued, put off, disputed, credited, split and cancelled. Whatever was allocated to one stays allocated.

An invoice's amount less its open amount is what was allocated to it, so credits lower both.

Rules: `invoice_extension_max_minutes` (integer, anchor extension): by how many minutes one extension may put off the
due date; `invoice_credit_limit` (amount, anchor booking): the most that one credit may take off.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.parties import Party, PartyRole, PartyState
from ..records.receivables import Invoice, InvoiceState
from .acts import ahead, amount_rule, at_most, currency_of, later, part_of, role_is, told
from .booking import case_of
from .conditions import Minute
from .reads import reads_of

MODULE = "invoices"
PAYABLE = (InvoiceState.OPEN, InvoiceState.PART_PAID)
"""States in which an invoice takes allocations."""

_PAYABLE = state_is("invoice", *PAYABLE, code="INVOICE_NOT_PAYABLE")
_OPEN = state_is("invoice", InvoiceState.OPEN)
_REDUCES = ("invoice.amount", "invoice.open_amount", "invoice.state")


def state_for(amount: Money, open_amount: Money) -> InvoiceState:
    """Return the state of an undisputed invoice that follows from its amounts; one of zero is as good as cancelled."""
    if amount.minor == 0:
        return InvoiceState.CANCELLED
    if open_amount.minor == 0:
        return InvoiceState.PAID
    return InvoiceState.OPEN if open_amount == amount else InvoiceState.PART_PAID


def settle(ctx: Context, invoice: Invoice, by: Money) -> Invoice:
    """Lower (or, by a negative amount, raise again) what is open of an invoice, and let its state follow."""
    rest = invoice.open_amount - by
    return ctx.world.update(invoice, open_amount=rest, state=state_for(invoice.amount, rest))


def reduce(ctx: Context, invoice: Invoice, by: Money) -> Invoice:
    """Lower an invoice's amount and what is open of it, and let its state follow."""
    amount, rest = invoice.amount - by, invoice.open_amount - by
    return ctx.world.update(invoice, amount=amount, open_amount=rest, state=state_for(amount, rest))


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        role_is("merchant", PartyRole.MERCHANT),
        role_is("buyer", PartyRole.BUYER),
        state_is("merchant", PartyState.ACTIVE),
        positive("amount"),
        ahead("due_at"),
    ),
    writes=("invoice+",),
)
def invoice_issue(ctx: Context, merchant: Party, buyer: Party, amount: Money, due_at: Minute) -> dict[str, Any]:
    """Issue an invoice of a merchant to a buyer.

    Whether something was delivered for it is not checked.

    Args:
        merchant: Who is owed; an active merchant.
        buyer: Who owes.
        amount: How much.
        due_at: When it is due, still to come.
    """
    invoice = ctx.world.create(
        Invoice,
        merchant=merchant.id,
        buyer=buyer.id,
        amount=amount,
        open_amount=amount,
        issued_at=ctx.now,
        due_at=due_at,
        state=InvoiceState.OPEN,
    )
    return told(invoice, "merchant", "buyer", "amount", "due_at", "state")


@business_tool(module=MODULE, minutes=2, pre=(_OPEN,), writes=("invoice.state", "invoice.open_amount"))
def invoice_cancel(ctx: Context, invoice: Invoice) -> dict[str, Any]:
    """Cancel an invoice to which nothing was allocated. It cannot be reinstated.

    Args:
        invoice: An open invoice; one that is paid in part has to be credited instead.
    """
    nothing = Money(0, invoice.amount.currency)
    return told(
        ctx.world.update(invoice, state=InvoiceState.CANCELLED, open_amount=nothing), "amount", "open_amount", "state"
    )


@business_tool(module=MODULE, minutes=2, pre=(_PAYABLE,), writes=("invoice.state",))
def invoice_dispute(ctx: Context, invoice: Invoice) -> dict[str, Any]:
    """Note that the buyer disputes an invoice; until that is resolved it takes no allocations.

    Args:
        invoice: An invoice that is open or paid in part.
    """
    return told(ctx.world.update(invoice, state=InvoiceState.DISPUTED), "buyer", "open_amount", "state")


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        state_is("invoice", InvoiceState.DISPUTED),
        Precondition(
            "CONCEDED_NEGATIVE", "conceded", "it must be zero or above", lambda c, g: g["conceded"].minor >= 0
        ),
        currency_of("invoice", "amount", "conceded"),
        at_most("conceded", "invoice", "open_amount", "MORE_THAN_OPEN"),
    ),
    writes=_REDUCES,
)
def invoice_resolve(ctx: Context, invoice: Invoice, conceded: Money) -> dict[str, Any]:
    """Resolve a dispute: what is conceded to the buyer is taken off, and the invoice takes allocations again.

    Who was right is not checked.

    Args:
        invoice: A disputed invoice.
        conceded: From zero up to what is open of it.
    """
    return told(reduce(ctx, invoice, conceded), "amount", "open_amount", "state")


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _PAYABLE,
        positive("amount"),
        currency_of("invoice", "amount", "amount"),
        part_of("amount", "invoice", "amount"),
        at_most("amount", "invoice", "open_amount", "MORE_THAN_OPEN"),
    ),
    writes=_REDUCES,
    rule_keys=("invoice_credit_limit",),
)
def invoice_credit(ctx: Context, invoice: Invoice, amount: Money) -> dict[str, Any]:
    """Write a credit note: take an amount off an invoice, for instance for goods that came back.

    Args:
        invoice: An invoice that is open or paid in part; to take all of it off, cancel it.
        amount: How much is taken off, at most what is open.
    """
    limit = amount_rule(ctx, "invoice_credit_limit", case_of(ctx, invoice.merchant, "invoice"), amount.currency)
    ctx.enforce(limit, amount <= limit.value, "OVER_LIMIT", f"amount: one credit takes off at most {limit.value}")
    return {**told(reduce(ctx, invoice, amount), "amount", "open_amount", "state"), "credited": amount.to_json()}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(_PAYABLE, later("due_at", "invoice", "due_at")),
    writes=("invoice.due_at",),
    rule_keys=("invoice_extension_max_minutes",),
)
def invoice_extend(ctx: Context, invoice: Invoice, due_at: Minute) -> dict[str, Any]:
    """Give a buyer more time to pay.

    Whether the merchant has agreed is not checked.

    Args:
        invoice: An invoice that is open or paid in part.
        due_at: When it is due now, later than before.
    """
    longest = ctx.resolve("invoice_extension_max_minutes", case_of(ctx, invoice.merchant, "invoice"))
    within = due_at - invoice.due_at <= longest.value
    ctx.enforce(longest, within, "EXTENSION_TOO_LONG", f"due_at: at most {longest.value} minutes later than before")
    return told(ctx.world.update(invoice, due_at=due_at), "due_at", "open_amount", "state")


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _OPEN,
        positive("amount"),
        currency_of("invoice", "amount", "amount"),
        part_of("amount", "invoice", "amount"),
        ahead("due_at"),
    ),
    writes=("invoice+", "invoice.amount", "invoice.open_amount"),
)
def invoice_split(ctx: Context, invoice: Invoice, amount: Money, due_at: Minute) -> dict[str, Any]:
    """Split an invoice to which nothing was allocated in two, for instance for a payment in two parts.

    Args:
        invoice: An open invoice.
        amount: What the new invoice takes over, less than the invoice.
        due_at: When the new invoice is due.
    """
    rest = invoice.amount - amount
    kept = ctx.world.update(invoice, amount=rest, open_amount=rest)
    new = ctx.world.create(
        Invoice,
        merchant=invoice.merchant,
        buyer=invoice.buyer,
        amount=amount,
        open_amount=amount,
        issued_at=ctx.now,
        due_at=due_at,
        state=InvoiceState.OPEN,
    )
    return {**told(kept, "amount", "due_at"), "new": told(new, "amount", "due_at")}


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        _OPEN,
        role_is("buyer", PartyRole.BUYER),
        state_is("buyer", PartyState.ACTIVE),
        Precondition(
            "BUYER_UNCHANGED",
            "buyer",
            "it must be another party than the present buyer",
            lambda ctx, given: given["buyer"].id != given["invoice"].buyer,
        ),
    ),
    writes=("invoice.buyer",),
)
def invoice_reassign(ctx: Context, invoice: Invoice, buyer: Party) -> dict[str, Any]:
    """Let another buyer take over an invoice to which nothing was allocated.

    Whether both buyers and the merchant have agreed is not checked.

    Args:
        invoice: An open invoice.
        buyer: Who owes it now; an active buyer.
    """
    return told(ctx.world.update(invoice, buyer=buyer.id), "buyer", "open_amount", "state")


TOOLS: tuple[BusinessTool, ...] = (
    invoice_issue,
    invoice_cancel,
    invoice_dispute,
    invoice_resolve,
    invoice_credit,
    invoice_extend,
    invoice_split,
    invoice_reassign,
    *reads_of(Invoice, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

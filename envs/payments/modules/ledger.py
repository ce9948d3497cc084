"""The ledger: entries are never changed, only reversed, adjusted and annotated.

Rules: `ledger_adjustment_limit` (amount, anchor booking): the most that one adjustment may move.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Currency, Money
from ..kernel.records import Id, Text, id_number, to_json
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account, AccountPurpose, AccountState, EntryReason, LedgerEntry
from .acts import Note, amount_rule, differ, told
from .booking import BOOKS, case_of, has_funds, move, require_funds, require_open, same_currency
from .once import Key, money_tool
from .reads import reads_of

MODULE = "ledger"
_REVERSIBLE = (EntryReason.TRANSFER, EntryReason.ADJUSTMENT)


@money_tool(
    module=MODULE,
    minutes=5,
    pre=(
        Precondition(
            "ENTRY_NOT_REVERSIBLE",
            "entry",
            "only transfers and adjustments are reversed here; what belongs to a receipt, a payout, a refund, a "
            "reserve or a fee is undone by the acts of these",
            lambda ctx, given: given["entry"].reason in _REVERSIBLE,
        ),
        Precondition(
            "ENTRY_ALREADY_REVERSED",
            "entry",
            "it must not have been reversed before",
            lambda ctx, given: given["entry"].reversed_by is None,
        ),
    ),
    writes=(*BOOKS, "ledger_entry.reversed_by"),
)
def ledger_reverse(ctx: Context, entry: LedgerEntry, idempotency_key: Key) -> dict[str, Any]:
    """Reverse a transfer or an adjustment as a whole: both of its entries, whichever of the two is named.

    The account that was credited must be open and have the amount at its disposal. Why it is reversed is not checked.

    Args:
        entry: The debit or the credit.
        idempotency_key: Chosen by you; the same key reverses once only.
    """
    other = _counterpart(ctx, entry)
    debit, credit = (entry, other) if entry.amount.minor < 0 else (other, entry)
    for account in (credit.account, debit.account):
        require_open(ctx.world.get(Account, account), "entry")
    require_funds(ctx.world.get(Account, credit.account), credit.amount, "entry")
    back, again = move(ctx, credit.account, debit.account, credit.amount, EntryReason.REVERSAL, entry.id)
    ctx.world.update(credit, reversed_by=back.id)
    ctx.world.update(debit, reversed_by=again.id)
    return {"amount": to_json(credit.amount), "reversed": [debit.id, credit.id], "by": [again.id, back.id]}


@money_tool(
    module=MODULE,
    minutes=5,
    pre=(
        differ("source", "target"),
        state_is("source", AccountState.OPEN),
        state_is("target", AccountState.OPEN),
        positive("amount"),
        same_currency("source", "amount"),
        same_currency("target", "amount"),
        has_funds("source", "amount"),
        Precondition(
            "ENTRY_OF_OTHER_ACCOUNT",
            "entry",
            "it must stand on the source or on the target",
            lambda ctx, given: given["entry"].account in (given["source"].id, given["target"].id),
        ),
        Precondition(
            "MORE_THAN_ENTRY",
            "amount",
            "it must not exceed the amount of the entry that is put right",
            lambda ctx, given: given["amount"].minor <= abs(given["entry"].amount.minor),
        ),
    ),
    writes=BOOKS,
    rule_keys=("ledger_adjustment_limit",),
)
def ledger_adjust(
    ctx: Context, source: Account, target: Account, amount: Money, entry: LedgerEntry, idempotency_key: Key
) -> dict[str, Any]:
    """Put a wrong booking right: move an amount between two accounts, which may have different owners.

    The entry itself stays as it is. Whether it was wrong, and whether the owners agree, is not checked.

    Args:
        source: The account that has too much.
        target: The account that has too little.
        amount: How much, at most the amount of the entry.
        entry: The entry that is put right, on either account.
        idempotency_key: Chosen by you; the same key moves the money once only.
    """
    limit = amount_rule(ctx, "ledger_adjustment_limit", case_of(ctx, source.owner, "ledger"), amount.currency)
    ctx.enforce(limit, amount <= limit.value, "OVER_LIMIT", f"amount: one adjustment moves at most {limit.value}")
    debit, credit = move(ctx, source, target, amount, EntryReason.ADJUSTMENT, entry.id)
    return {"amount": amount.to_json(), "debit": debit.id, "credit": credit.id, "entry": entry.id}


@business_tool(module=MODULE, minutes=1, writes=("ledger_entry.note",))
def ledger_annotate(ctx: Context, entry: LedgerEntry, note: Note) -> dict[str, Any]:
    """Write a note on an entry for those who read the ledger; it replaces the note that stands there.

    Args:
        entry: The entry.
        note: What people should know.
    """
    return told(ctx.world.update(entry, note=Text(note)), "account", "amount", "note")


@business_tool(module=MODULE)
def ledger_trial_balance(ctx: Context, currency: Currency) -> dict[str, Any]:
    """Show the balances of all accounts in a currency, summed for each purpose.

    Args:
        currency: The currency.
    """
    sums = {purpose.value: 0 for purpose in AccountPurpose}
    for account in ctx.world.all(Account):
        if account.balance.currency is currency:
            sums[account.purpose.value] += account.balance.minor
    shown = {purpose: Money(minor, currency).to_json() for purpose, minor in sums.items()}
    return {"purposes": shown, "total": Money(sum(sums.values()), currency).to_json()}


def _counterpart(ctx: Context, entry: LedgerEntry) -> LedgerEntry:
    """Return the other entry of a movement: `booking.move` books the debit directly before the credit."""
    step = 1 if entry.amount.minor < 0 else -1
    other = ctx.world.find(Id(f"{entry.prefix}-{id_number(entry.id) + step}"))
    if not isinstance(other, LedgerEntry) or (other.amount, other.about) != (-entry.amount, entry.about):
        raise ToolRefused("ENTRY_NOT_PAIRED", f"entry: the other side of {entry.id} does not stand in these books")
    return other


TOOLS: tuple[BusinessTool, ...] = (
    ledger_reverse,
    ledger_adjust,
    ledger_annotate,
    ledger_trial_balance,
    *reads_of(LedgerEntry, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

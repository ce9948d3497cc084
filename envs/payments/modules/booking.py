"""Booking: the only place in which balances, held amounts and the ledger change.

Money that stays inside the company's books is moved: a debit of one account and a credit of another, which sum to zero.
Money that crosses their border (an arriving receipt, a payout that left) is posted: one entry, whose other side stands
in another bank's books. Either way each balance equals its opening plus the entries of its account, and what is held on
an account equals the sum of its active holds. Acts that send money out are declared with `once.money_tool`, which makes
their idempotency keys hold.
"""

from __future__ import annotations

from ...core.errors import ToolRefused
from ..kernel.money import Currency, Money
from ..kernel.records import Id, Text
from ..kernel.tools import Context, Precondition
from ..records.cash import (
    Account,
    AccountPurpose,
    AccountState,
    EntryReason,
    Hold,
    HoldReason,
    HoldState,
    LedgerEntry,
)
from ..records.parties import Party
from ..records.reserves import FeeCharge, FeeKind

BOOKS = ("account.balance", "ledger_entry+")
"""What `post` and `move` write."""

CHARGES = (*BOOKS, "fee_charge+")
"""What `charge_fee` writes."""

PLACES_HOLD = ("account.held", "hold+")
"""What `place_hold` writes."""

LIFTS_HOLD = ("account.held", "hold.state")
"""What `lift_hold` writes."""

HOLD_EXPIRES = "hold_expires"
"""What is scheduled for the minute until which a hold binds; `holds.py` handles it."""


def same_currency(account: str, amount: str) -> Precondition:
    """Demand that an amount is in the currency of an account; both are arguments."""
    return Precondition(
        code="CURRENCY_MISMATCH",
        field=amount,
        message=f"it must be in the currency of the {account}",
        holds=lambda ctx, given: given[amount].currency is given[account].balance.currency,
    )


def has_funds(account: str, amount: str) -> Precondition:
    """Demand that what can be disposed of on an account covers an amount of its currency; both are arguments."""
    return Precondition(
        code="INSUFFICIENT_FUNDS",
        field=amount,
        message=f"the {account}'s balance less what is held on it must cover the amount",
        holds=lambda ctx, given: given[account].available >= given[amount],
    )


def require_currency(account: Account, amount: Money, field: str) -> None:
    """Refuse an amount that is not in the currency of an account.

    Raises:
        ToolRefused: `CURRENCY_MISMATCH`.
    """
    expected = account.balance.currency
    if amount.currency is not expected:
        raise ToolRefused("CURRENCY_MISMATCH", f"{field}: {account.id} is kept in {expected}, not {amount.currency}")


def require_open(account: Account, field: str) -> None:
    """Refuse an account that is frozen or closed: nothing leaves it.

    Raises:
        ToolRefused: `ACCOUNT_NOT_OPEN`.
    """
    if account.state is not AccountState.OPEN:
        raise ToolRefused("ACCOUNT_NOT_OPEN", f"{field}: {account.id} is {account.state.value}, it must be open")


def require_funds(account: Account, amount: Money, field: str) -> None:
    """Refuse an amount that what can be disposed of on an account does not cover.

    Raises:
        ToolRefused: `CURRENCY_MISMATCH` or `INSUFFICIENT_FUNDS`.
    """
    require_currency(account, amount, field)
    if account.available < amount:
        raise ToolRefused(
            "INSUFFICIENT_FUNDS", f"{field}: {account.id} has {account.available} to dispose of, not {amount}"
        )


def case_of(ctx: Context, party: Id, product: str) -> dict[str, str]:
    """Return the case of a party as rules see it: product, jurisdiction and segment.

    Args:
        ctx: The episode.
        party: Whose case it is; of one that is no party of the world only the product is known.
        product: The module's name for what it deals with, for example `reserve`.
    """
    found = ctx.world.find(party)
    if not isinstance(found, Party):
        return {"product": product}
    return {"product": product, "jurisdiction": found.jurisdiction.value, "segment": found.segment.value}


def post(
    ctx: Context, account: Account | Id, amount: Money, reason: EntryReason, about: Id, note: str = ""
) -> LedgerEntry:
    """Book an amount that crosses the border of the company's books; whether it is covered the caller has checked.

    Args:
        ctx: The episode.
        account: The account, or its id.
        amount: Credits positive, debits negative, in the account's currency.
        reason: Why.
        about: The record that it belongs to.
        note: Shown, never graded.
    """
    account_id = account.id if isinstance(account, Account) else account
    # The caller's copy may be stale after an earlier booking of the same act, so the balance is read again.
    current = ctx.world.get(Account, account_id)
    ctx.world.update(current, balance=current.balance + amount)
    return ctx.world.create(
        LedgerEntry,
        account=account_id,
        amount=amount,
        reason=reason,
        about=about,
        booked_at=ctx.now,
        reversed_by=None,
        note=Text(note),
    )


def move(
    ctx: Context,
    source: Account | Id,
    target: Account | Id,
    amount: Money,
    reason: EntryReason,
    about: Id,
    note: str = "",
) -> tuple[LedgerEntry, LedgerEntry]:
    """Move an amount above zero between two accounts of the company's books; the caller has checked that it is covered.

    Returns:
        The debit of the source and the credit of the target.
    """
    debit = post(ctx, source, -amount, reason, about, note)
    return debit, post(ctx, target, amount, reason, about, note)


def company_account(ctx: Context, purpose: AccountPurpose, currency: Currency) -> Account:
    """Return the oldest open account of a purpose (fees or suspense) in a currency.

    Raises:
        ToolRefused: `NO_FEES_ACCOUNT` or `NO_SUSPENSE_ACCOUNT`: there is none.
    """
    for account in ctx.world.all(Account, purpose=purpose, state=AccountState.OPEN):
        if account.balance.currency is currency:
            return account
    raise ToolRefused(f"NO_{purpose.value.upper()}_ACCOUNT", f"there is no open {purpose.value} account in {currency}")


def charge_fee(ctx: Context, account: Account | Id, fee: FeeKind, amount: Money, about: Id) -> FeeCharge:
    """Charge a fee to an account: the money moves to the company's fees account; a fee of zero books nothing.

    Args:
        ctx: The episode.
        account: Who pays, or its id.
        fee: What it is for.
        amount: Zero or above.
        about: The record that it belongs to.

    Raises:
        ToolRefused: `CURRENCY_MISMATCH`, `INSUFFICIENT_FUNDS` or `NO_FEES_ACCOUNT`.
    """
    payer = ctx.world.get(Account, account.id if isinstance(account, Account) else account)
    require_funds(payer, amount, "fee")
    charge = ctx.world.create(
        FeeCharge, account=payer.id, fee=fee, amount=amount, about=about, charged_at=ctx.now, waived=False
    )
    if amount.minor > 0:
        fees = company_account(ctx, AccountPurpose.FEES, amount.currency)
        move(ctx, payer, fees, amount, EntryReason.FEE, charge.id)
    return charge


def place_hold(ctx: Context, account: Account | Id, amount: Money, reason: HoldReason, until: int) -> Hold:
    """Hold part of a balance until a minute; the caller has checked that it is covered.

    Args:
        ctx: The episode.
        account: The account, or its id.
        amount: Above zero, in the account's currency.
        reason: Why.
        until: Minute at which the hold ends by itself, now or later.
    """
    current = ctx.world.get(Account, account.id if isinstance(account, Account) else account)
    ctx.world.update(current, held=current.held + amount)
    hold = ctx.world.create(Hold, account=current.id, amount=amount, reason=reason, until=until, state=HoldState.ACTIVE)
    ctx.clock.schedule(until, HOLD_EXPIRES, {"hold": hold.id, "until": until})
    return hold


def lift_hold(ctx: Context, hold: Hold) -> Hold:
    """Release an active hold; its amount can be disposed of again."""
    account = ctx.world.get(Account, hold.account)
    ctx.world.update(account, held=account.held - hold.amount)
    return ctx.world.update(hold, state=HoldState.RELEASED)

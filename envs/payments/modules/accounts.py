"""Accounts: opened, frozen and closed; they read no rule.

Moving money between the accounts of one owner is in `account_moves.py`, statements are in `account_reads.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Currency, Money
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, state_is
from ..records.cash import Account, AccountPurpose, AccountState, Hold, HoldReason, HoldState
from ..records.parties import Party, PartyState
from ..records.payouts import Payout, PayoutState
from ..records.receivables import Receipt, ReceiptState
from ..records.reserves import Reserve, ReserveState
from .account_moves import account_set_aside, account_sweep, account_transfer
from .account_reads import account_forecast, account_statement
from .acts import told
from .reads import reads_of

MODULE = "accounts"
_OFFERED = (AccountPurpose.SETTLEMENT, AccountPurpose.OPERATING, AccountPurpose.RESERVE)
_UNPAID = (PayoutState.DRAFT, PayoutState.QUEUED, PayoutState.SENT)


_PARTYS = Precondition(
    code="ACCOUNT_OF_COMPANY",
    field="account",
    message="suspense and fees accounts are the company's own, on which its postings rely",
    holds=lambda ctx, given: given["account"].purpose in _OFFERED,
)


def _is_free(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = {"owner": given["owner"].id, "purpose": given["purpose"]}
    standing = (each for each in ctx.world.all(Account, **wanted) if each.state is not AccountState.CLOSED)
    return all(each.balance.currency is not given["currency"] for each in standing)


def _has_no_legal_hold(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = {"account": given["account"].id, "reason": HoldReason.LEGAL, "state": HoldState.ACTIVE}
    return not any(ctx.world.all(Hold, **wanted))


def _awaits_no_receipt(ctx: Context, given: Mapping[str, Any]) -> bool:
    return not any(ctx.world.all(Receipt, account=given["account"].id, state=ReceiptState.EXPECTED))


def _has_no_payout(ctx: Context, given: Mapping[str, Any]) -> bool:
    return all(each.state not in _UNPAID for each in ctx.world.all(Payout, account=given["account"].id))


def _has_no_reserve(ctx: Context, given: Mapping[str, Any]) -> bool:
    account = given["account"].id
    standing = (each for each in ctx.world.all(Reserve) if each.state is not ReserveState.RELEASED)
    return all(account not in (each.source, each.target) for each in standing)


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        state_is("owner", PartyState.ACTIVE),
        Precondition(
            "PURPOSE_NOT_OFFERED",
            "purpose",
            "settlement, operating and reserve accounts are opened for parties",
            lambda ctx, given: given["purpose"] in _OFFERED,
        ),
        Precondition("ACCOUNT_EXISTS", "purpose", "the owner has such an account in this currency", _is_free),
    ),
    writes=("account+",),
)
def account_open(ctx: Context, owner: Party, purpose: AccountPurpose, currency: Currency) -> dict[str, Any]:
    """Open an account without money for a party. One account for each purpose and currency can stand at a time.

    Whether the owner's identity has been verified is not checked here.

    Args:
        owner: Whose account it is; it must be active.
        purpose: What the account is for: settlement, operating or reserve.
        currency: The currency in which it is kept.
    """
    nothing = Money(0, currency)
    account = ctx.world.create(
        Account, owner=owner.id, purpose=purpose, balance=nothing, held=nothing, state=AccountState.OPEN
    )
    return told(account, "owner", "purpose", "balance", "state")


@business_tool(
    module=MODULE, minutes=2, pre=(state_is("account", AccountState.OPEN), _PARTYS), writes=("account.state",)
)
def account_freeze(ctx: Context, account: Account) -> dict[str, Any]:
    """Freeze an account: nothing leaves it until it is unfrozen, while what arrives is still credited.

    Payouts that are queued on it stay queued. Whether there is a ground for freezing is not checked.

    Args:
        account: The account; it must be open.
    """
    return told(ctx.world.update(account, state=AccountState.FROZEN), "state", "balance")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("account", AccountState.FROZEN),
        Precondition("LEGAL_HOLD_STANDS", "account", "no legal hold may stand on it", _has_no_legal_hold),
    ),
    writes=("account.state",),
)
def account_unfreeze(ctx: Context, account: Account) -> dict[str, Any]:
    """Make a frozen account usable again; a legal hold on it has to be lifted first.

    Args:
        account: The account; it must be frozen.
    """
    return told(ctx.world.update(account, state=AccountState.OPEN), "state", "balance")


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        state_is("account", AccountState.OPEN),
        _PARTYS,
        Precondition(
            "BALANCE_NOT_ZERO", "account", "its balance must be zero", lambda ctx, g: g["account"].balance.minor == 0
        ),
        Precondition("RECEIPTS_EXPECTED", "account", "no receipt may be expected on it", _awaits_no_receipt),
        Precondition("PAYOUTS_PENDING", "account", "no payout from it may be on its way", _has_no_payout),
        Precondition("RESERVE_STANDS", "account", "no reserve may come from it or go to it", _has_no_reserve),
    ),
    writes=("account.state",),
)
def account_close(ctx: Context, account: Account) -> dict[str, Any]:
    """Close an empty account that nothing refers to any more: no expected receipt, no payout, no reserve.

    Notice periods agreed with the owner are not checked.

    Args:
        account: The account; it must be open.
    """
    return told(ctx.world.update(account, state=AccountState.CLOSED), "state")


@business_tool(
    module=MODULE,
    minutes=5,
    pre=(
        state_is("account", AccountState.CLOSED),
        Precondition(
            "OWNER_NOT_ACTIVE",
            "account",
            "its owner must be active",
            lambda ctx, given: ctx.world.get(Party, given["account"].owner).state is PartyState.ACTIVE,
        ),
    ),
    writes=("account.state",),
)
def account_reopen(ctx: Context, account: Account) -> dict[str, Any]:
    """Reopen a closed account under its old number, for instance for a late receipt.

    Args:
        account: The account; it must be closed and its owner active.
    """
    return told(ctx.world.update(account, state=AccountState.OPEN), "state")


TOOLS: tuple[BusinessTool, ...] = (
    account_open,
    account_freeze,
    account_unfreeze,
    account_close,
    account_reopen,
    account_transfer,
    account_sweep,
    account_set_aside,
    account_statement,
    account_forecast,
    *reads_of(Account, MODULE),
)

HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

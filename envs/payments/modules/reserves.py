"""Reserves: money of merchants that is set aside, topped up, split and meant for an account; no cash floor is checked.

How a reserve is released is in `reserve_release.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account, AccountPurpose, EntryReason
from ..records.receivables import ReconciliationFile
from ..records.reserves import Reserve, ReserveState
from .acts import currency_of, part_of, told
from .booking import BOOKS, has_funds, move, same_currency
from .conditions import account_is_open, demand
from .once import Key, money_tool
from .reads import reads_of

MODULE = "reserves"


def _of_merchant(argument: str) -> Precondition:
    return demand(
        f"{argument}_OF_ANOTHER_MERCHANT".upper(),
        argument,
        "the account must be that of the reserve's merchant",
        lambda c, g: g[argument].owner == g["reserve"].merchant,
    )


def shown(reserve: Reserve) -> dict[str, Any]:
    """Return what is said of a reserve after an act, as JSON values."""
    return told(reserve, "state", "route", "amount", "target")


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        positive("amount"),
        account_is_open("account"),
        same_currency("account", "amount"),
        has_funds("account", "amount"),
        demand(
            "SOURCE_NOT_A_RESERVE_ACCOUNT",
            "source",
            "the account must be one for reserves, open, and of the same owner and currency",
            lambda c, g: (
                g["source"].purpose is AccountPurpose.RESERVE
                and g["source"].owner == g["account"].owner
                and g["source"].balance.currency is g["amount"].currency
            ),
        ),
        account_is_open("source"),
        demand(
            "FILE_OF_ANOTHER_MERCHANT",
            "file",
            "the file must be that of the account's owner",
            lambda c, g: g["file"] is None or g["file"].merchant == g["account"].owner,
        ),
    ),
    writes=(*BOOKS, "reserve+"),
)
def reserve_place(
    ctx: Context,
    account: Account,
    source: Account,
    amount: Money,
    idempotency_key: Key,
    file: ReconciliationFile | None = None,
) -> dict[str, Any]:
    """Set money of a merchant aside as a new reserve. It goes back to the account that it came from when released.

    Args:
        account: The account that the money is taken from.
        source: The merchant's account for reserves, where it is kept.
        amount: How much.
        idempotency_key: The same key and arguments place it once.
        file: The reconciliation file that it covers; it can be released once that file is closed.
    """
    reserve = ctx.world.create(
        Reserve,
        merchant=account.owner,
        source=source.id,
        target=account.id,
        amount=amount,
        file=None if file is None else file.id,
        guarantee=None,
        route=None,
        state=ReserveState.HELD,
    )
    move(ctx, account, source, amount, EntryReason.RESERVE_TOP_UP, reserve.id)
    return shown(reserve)


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("reserve", ReserveState.HELD),
        positive("amount"),
        account_is_open("account"),
        _of_merchant("account"),
        same_currency("account", "amount"),
        currency_of("reserve", "amount", "amount"),
        has_funds("account", "amount"),
    ),
    writes=(*BOOKS, "reserve.amount"),
)
def reserve_top_up(
    ctx: Context, reserve: Reserve, account: Account, amount: Money, idempotency_key: Key
) -> dict[str, Any]:
    """Add money of the merchant to a held reserve.

    Args:
        reserve: The reserve.
        account: The account that the money is taken from.
        amount: How much is added.
        idempotency_key: The same key and arguments add it once.
    """
    move(ctx, account, reserve.source, amount, EntryReason.RESERVE_TOP_UP, reserve.id)
    return shown(ctx.world.update(reserve, amount=reserve.amount + amount))


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("reserve", ReserveState.HELD),
        positive("amount"),
        currency_of("reserve", "amount", "amount"),
        part_of("amount", "reserve", "amount"),
    ),
    writes=("reserve.amount", "reserve+"),
)
def reserve_split(ctx: Context, reserve: Reserve, amount: Money) -> dict[str, Any]:
    """Split part of a held reserve off as a reserve of its own, so that the two can go different ways. No money moves.

    Args:
        reserve: The reserve.
        amount: How much the new reserve gets.
    """
    rest = ctx.world.update(reserve, amount=reserve.amount - amount)
    part = ctx.world.create(
        Reserve,
        merchant=reserve.merchant,
        source=reserve.source,
        target=reserve.target,
        amount=amount,
        file=reserve.file,
        guarantee=None,
        route=None,
        state=ReserveState.HELD,
    )
    return {**shown(part), "split_from": str(rest.id), "left": rest.amount.to_json()}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is(
            "reserve", ReserveState.HELD, ReserveState.UNDER_REVIEW, ReserveState.CLEARED, code="RESERVE_RELEASED"
        ),
        account_is_open("target"),
        _of_merchant("target"),
        demand(
            "TARGET_CURRENCY",
            "target",
            "the account must be kept in the currency of the reserve",
            lambda c, g: g["target"].balance.currency is g["reserve"].amount.currency,
        ),
        demand(
            "TARGET_UNCHANGED",
            "target",
            "it must be another account than before",
            lambda c, g: g["target"].id != g["reserve"].target,
        ),
    ),
    writes=("reserve.target",),
)
def reserve_retarget(ctx: Context, reserve: Reserve, target: Account) -> dict[str, Any]:
    """Change the account to which a reserve goes when it is released. An approval given for the old one is not voided.

    Args:
        reserve: The reserve, not released yet.
        target: The merchant's account that is to receive it.
    """
    return shown(ctx.world.update(reserve, target=target.id))


TOOLS: tuple[BusinessTool, ...] = (
    reserve_place,
    reserve_top_up,
    reserve_split,
    reserve_retarget,
    *reads_of(Reserve, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

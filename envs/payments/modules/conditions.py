"""Preconditions that several modules share: minutes, accounts, any record by its id, and whose a record is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

from pydantic import Field

from ..kernel.clock import MAX_MINUTE
from ..kernel.records import Id, Record
from ..kernel.tools import Context, Precondition
from ..records.cash import Account, AccountState
from ..records.parties import Party

Minute = Annotated[int, Field(ge=0, le=MAX_MINUTE // 2)]
"""A minute of the episode; half of the clock's range, so that what follows from it still fits."""

PastMinute = Annotated[int, Field(ge=-(10**9), le=MAX_MINUTE // 2)]
"""A minute that may lie before the episode, where minute 0 is its beginning."""

Holds = Callable[[Context, Mapping[str, Any]], bool]


def demand(code: str, field: str, message: str, holds: Holds) -> Precondition:
    """Demand that something holds of the context and the arguments."""
    return Precondition(code=code, field=field, message=message, holds=holds)


def not_past(argument: str) -> Precondition:
    """Demand a minute that is not over."""
    return demand(
        "MINUTE_IS_OVER", argument, "it must be the present minute or a later one", lambda c, g: g[argument] >= c.now
    )


def account_is_open(argument: str) -> Precondition:
    """Demand that an account may be used."""
    return demand(
        f"{argument}_NOT_OPEN".upper(),
        argument,
        "the account must be open, neither frozen nor closed",
        lambda c, g: g[argument].state is AccountState.OPEN,
    )


def known(argument: str) -> Precondition:
    """Demand that an id of any kind is that of a record."""
    return demand(
        f"{argument}_UNKNOWN".upper(),
        argument,
        "there must be a record of this id",
        lambda c, g: c.world.find(g[argument]) is not None,
    )


def not_negative(argument: str) -> Precondition:
    """Demand an amount of zero or above."""
    return demand("AMOUNT_NEGATIVE", argument, "the amount must not be below zero", lambda c, g: g[argument].minor >= 0)


def merchant_of(ctx: Context, record: Record | None) -> Id | None:
    """Return whose a record is: its merchant, or the owner of its account; None where it is nobody's.

    Args:
        ctx: The episode.
        record: Of any kind.
    """
    if record is None or isinstance(record, Party):
        return None if record is None else record.id
    for name in ("merchant", "owner"):
        if hasattr(record, name):
            return Id(getattr(record, name))
    account = getattr(record, "account", None)
    return None if account is None else ctx.world.get(Account, account).owner

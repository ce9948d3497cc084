"""What the company's fees cost: one rule key a kind of fee, and the case that it is resolved for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import Context, Precondition
from ..records.cash import Account
from ..records.reserves import FeeKind
from .acts import amount_rule
from .booking import case_of
from .conditions import demand


class Tariff(NamedTuple):
    """Where the price of a fee stands.

    Attributes:
        key: Key of the rule, whose value is an amount.
        product: What the case is said to be about.
    """

    key: str
    product: str


TARIFFS: dict[FeeKind, Tariff] = {
    FeeKind.RESERVE_REVIEW: Tariff("reserve_review_fee", "reserve"),
    FeeKind.EXPEDITE: Tariff("expedite_fee", "reserve"),
    FeeKind.PAYOUT: Tariff("payout_fee", "payout"),
    FeeKind.RECALL: Tariff("recall_fee", "recall"),
    FeeKind.REOPENING: Tariff("reopening_fee", "reconciliation"),
}

TARIFF_KEYS = tuple(each.key for each in TARIFFS.values())
"""The keys of the rules that state what fees cost."""


def price(ctx: Context, fee: FeeKind, account: Account, at: int | None = None, **dimensions: str) -> Money:
    """Return what a fee costs the owner of an account.

    Args:
        ctx: The episode.
        fee: Which fee.
        account: Who pays; its owner's jurisdiction and segment and its currency are the case.
        at: Minute of the anchor, None for now.
        dimensions: What else the case is about, for example `method`.

    Raises:
        ToolRefused: `NO_RULE_FOR_CURRENCY`: it has no price in the account's currency.
    """
    tariff = TARIFFS[fee]
    case = {**case_of(ctx, account.owner, tariff.product), **dimensions}
    found: Money = amount_rule(ctx, tariff.key, case, account.balance.currency, at).value
    return found


def duration(ctx: Context, key: str, party: Id, product: str, **dimensions: str) -> int:
    """Return a duration in minutes that a rule states for the case of a party.

    Args:
        ctx: The episode.
        key: Key of the rule, whose value is a number of minutes.
        party: Whose case it is.
        product: What the case is about.
        dimensions: What else the case is about, for example `method`.
    """
    found: int = ctx.resolve(key, {**case_of(ctx, party, product), **dimensions}).value
    return found


def fee_covered(field: str, due: Callable[[Context, Mapping[str, Any]], tuple[Account, Money]]) -> Precondition:
    """Demand that an account can pay a fee, and what else leaves it by the same act.

    Args:
        field: The argument at fault.
        due: Which account pays how much, of the context and the arguments.
    """

    def holds(ctx: Context, given: Mapping[str, Any]) -> bool:
        account, amount = due(ctx, given)
        return account.available >= amount

    return demand("INSUFFICIENT_FUNDS", field, "the balance less what is held must cover what it costs", holds)

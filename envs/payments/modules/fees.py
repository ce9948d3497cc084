"""Fees: quoted, charged by the tariff or by a quote, given back in part or waived.

Caps on fees and consents are not checked by any tool. Rule keys:

    reserve_review_fee, expedite_fee, payout_fee, recall_fee, reopening_fee
                         amounts, anchor execution: see `tariff.py`; scope product, jurisdiction, segment, currency, and
                         for reviews the route, for payouts the method; read by quote and charge
    fee_quote_minutes    minutes, anchor quote: how long a quote stands; scope product (fee_quote), jurisdiction,
                         segment
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id, Record
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, positive
from ..records.approvals import Review
from ..records.cash import Account, AccountPurpose, AccountState, EntryReason
from ..records.payouts import Payout
from ..records.reserves import FeeCharge, FeeKind, FeeQuote, Reserve, Route
from .acts import currency_of, part_of, told
from .booking import BOOKS, CHARGES, charge_fee, company_account, move
from .conditions import account_is_open, demand, known, merchant_of
from .once import Key, money_tool
from .reads import reads_of
from .reviews import FEES
from .tariff import TARIFF_KEYS, duration, fee_covered, price

MODULE = "fees"
SUBJECTS: dict[FeeKind, tuple[str, ...]] = {
    FeeKind.RESERVE_REVIEW: ("reserve", "review"),
    FeeKind.EXPEDITE: ("reserve", "review"),
    FeeKind.PAYOUT: ("payout",),
    FeeKind.RECALL: ("payout", "refund"),
    FeeKind.REOPENING: ("reconciliation_file",),
}
"""The kinds of record that each fee can be about."""

_ROUTES: dict[FeeKind, Route] = {fee: route for route, fee in FEES.items()}


def _dimensions(fee: FeeKind, subject: Record | None) -> dict[str, str]:
    """Return by what, besides whose it is, the price of a fee differs."""
    if isinstance(subject, Payout) and fee is FeeKind.PAYOUT:
        return {"method": subject.method.value}
    if isinstance(subject, Reserve | Review) and fee in _ROUTES:
        return {"route": _ROUTES[fee].value}
    return {}


def _price(ctx: Context, fee: FeeKind, subject: str, account: Account) -> Money:
    return price(ctx, fee, account, None, **_dimensions(fee, ctx.world.find(subject)))


def _of_kind(ctx: Context, given: Mapping[str, Any]) -> bool:
    subject = ctx.world.find(given["subject"])
    return subject is not None and subject.kind in SUBJECTS[given["fee"]]


OF_KIND = demand("SUBJECT_OF_ANOTHER_KIND", "subject", "the fee must be one that is charged for it", _of_kind)
OF_PAYER = demand(
    "SUBJECT_OF_ANOTHER_CUSTOMER",
    "subject",
    "it must belong to the owner of the account",
    lambda c, g: _owner(c, g["subject"]) == g["account"].owner,
)


def _owner(ctx: Context, record_id: str) -> Id | None:
    record = ctx.world.find(record_id)
    return merchant_of(ctx, ctx.world.find(record.reserve) if isinstance(record, Review) else record)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(known("subject"), OF_KIND, OF_PAYER),
    writes=("fee_quote+",),
    rule_keys=("fee_quote_minutes", *TARIFF_KEYS),
)
def fee_quote_issue(ctx: Context, fee: FeeKind, subject: Id, account: Account) -> dict[str, Any]:
    """Quote a fee by the tariff of this minute. A quote stands for a while, whatever happens to the tariff.

    A fee can be charged without a quote.

    Args:
        fee: What it is for.
        subject: The record that it is about.
        account: The account that would pay it.
    """
    amount = _price(ctx, fee, subject, account)
    quote = ctx.world.create(
        FeeQuote,
        subject=Id(subject),
        fee=fee,
        amount=amount,
        quoted_at=ctx.now,
        valid_until=ctx.now + duration(ctx, "fee_quote_minutes", account.owner, "fee_quote"),
    )
    return told(quote, "amount", "valid_until")


def _charged(charge: FeeCharge) -> dict[str, Any]:
    return told(charge, "account", "amount", "waived")


@money_tool(
    module=MODULE,
    minutes=1,
    pre=(
        known("subject"),
        OF_KIND,
        account_is_open("account"),
        OF_PAYER,
        fee_covered("account", lambda c, g: (g["account"], _price(c, g["fee"], g["subject"], g["account"]))),
    ),
    writes=CHARGES,
    rule_keys=TARIFF_KEYS,
)
def fee_charge_tariff(
    ctx: Context, fee: FeeKind, subject: Id, account: Account, idempotency_key: Key
) -> dict[str, Any]:
    """Charge a fee by the tariff of this minute. Acts that carry a fee of their own charge it themselves.

    Args:
        fee: What it is for.
        subject: The record that it is about.
        account: The account that pays it; the customer's cap on fees is not looked at.
        idempotency_key: The same key and arguments charge it once.
    """
    amount = _price(ctx, fee, subject, account)
    return _charged(charge_fee(ctx, account, fee, amount, Id(subject)))


@money_tool(
    module=MODULE,
    minutes=1,
    pre=(
        demand("QUOTE_LAPSED", "quote", "it must still stand", lambda c, g: g["quote"].valid_until >= c.now),
        account_is_open("account"),
        demand(
            "SUBJECT_OF_ANOTHER_CUSTOMER",
            "quote",
            "its subject must belong to the owner of the account",
            lambda c, g: _owner(c, g["quote"].subject) == g["account"].owner,
        ),
        demand(
            "QUOTE_USED",
            "quote",
            "no fee may have been charged for its subject since it was given",
            lambda c, g: (
                not any(
                    charge.charged_at >= g["quote"].quoted_at
                    for charge in c.world.all(FeeCharge, about=g["quote"].subject, fee=g["quote"].fee)
                )
            ),
        ),
        demand(
            "CURRENCY_MISMATCH",
            "account",
            "it must be kept in the currency of the quote",
            lambda c, g: g["account"].balance.currency is g["quote"].amount.currency,
        ),
        fee_covered("account", lambda c, g: (g["account"], g["quote"].amount)),
    ),
    writes=CHARGES,
)
def fee_charge_quoted(ctx: Context, quote: FeeQuote, account: Account, idempotency_key: Key) -> dict[str, Any]:
    """Charge a fee at the price that was quoted, even where the tariff has changed since.

    Args:
        quote: The quote.
        account: The account that pays it; the customer's cap on fees is not looked at.
        idempotency_key: The same key and arguments charge it once.
    """
    return _charged(charge_fee(ctx, account, quote.fee, quote.amount, quote.subject))


def _give_back(ctx: Context, charge: FeeCharge, amount: Money) -> None:
    fees = company_account(ctx, AccountPurpose.FEES, amount.currency)
    if amount.minor > 0:
        move(ctx, fees, charge.account, amount, EntryReason.FEE_REFUND, charge.id)


NOT_WAIVED = demand("FEE_WAIVED", "charge", "it must not have been waived", lambda c, g: not g["charge"].waived)


def _fees_cover(amount_of: Callable[[Mapping[str, Any]], Money]) -> Precondition:
    """Demand that the company's fees account can give an amount back; where there is none, the act says so."""

    def holds(ctx: Context, given: Mapping[str, Any]) -> bool:
        amount = amount_of(given)
        return company_account(ctx, AccountPurpose.FEES, amount.currency).available >= amount

    return demand("FEES_ACCOUNT_SHORT", "charge", "the company's fees account must hold that much", holds)


PAYER_OPEN = demand(
    "ACCOUNT_NOT_OPEN",
    "charge",
    "the account that paid it must be open",
    lambda c, g: c.world.get(Account, g["charge"].account).state is AccountState.OPEN,
)


@money_tool(
    module=MODULE,
    minutes=1,
    pre=(
        NOT_WAIVED,
        positive("amount"),
        currency_of("charge", "amount", "amount"),
        part_of("amount", "charge", "amount"),
        PAYER_OPEN,
        _fees_cover(lambda given: given["amount"]),
    ),
    writes=(*BOOKS, "fee_charge.amount"),
)
def fee_refund(ctx: Context, charge: FeeCharge, amount: Money, idempotency_key: Key) -> dict[str, Any]:
    """Give part of a fee back; what is left stands as the fee. To give all of it back, waive it.

    Args:
        charge: The fee as charged.
        amount: How much goes back.
        idempotency_key: The same key and arguments give it back once.
    """
    _give_back(ctx, charge, amount)
    return _charged(ctx.world.update(charge, amount=charge.amount - amount))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(NOT_WAIVED, PAYER_OPEN, _fees_cover(lambda given: given["charge"].amount)),
    writes=(*BOOKS, "fee_charge.waived"),
)
def fee_waive(ctx: Context, charge: FeeCharge) -> dict[str, Any]:
    """Waive a fee: all of it that has not been given back goes back to the account that paid it.

    Who may waive, and how much, is not checked.

    Args:
        charge: The fee as charged.
    """
    _give_back(ctx, charge, charge.amount)
    return _charged(ctx.world.update(charge, waived=True))


TOOLS: tuple[BusinessTool, ...] = (
    fee_quote_issue,
    fee_charge_tariff,
    fee_charge_quoted,
    fee_refund,
    fee_waive,
    *reads_of(FeeQuote, MODULE),
    *reads_of(FeeCharge, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

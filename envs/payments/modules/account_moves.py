"""Money moved between the accounts of one owner, and money set aside for what was promised.

Rules: `account_transfer_limit` (amount, anchor execution): the most that one transfer between own accounts may move.
The floor of cash that an account should keep is a policy, which checks judge and no act here enforces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.money import Money
from ..kernel.tools import Context, Precondition, business_tool, positive, state_is
from ..records.cash import Account, AccountState, EntryReason, Hold, HoldReason, HoldState
from ..records.obligations import Commitment, CommitmentState
from .acts import alike, amount_rule, differ, told
from .booking import BOOKS, PLACES_HOLD, case_of, has_funds, move, place_hold, require_funds, same_currency
from .once import Key, money_tool

MODULE = "accounts"
_BETWEEN_OWN = (
    differ("source", "target"),
    alike("source", "target", "owner"),
    state_is("source", AccountState.OPEN),
    state_is("target", AccountState.OPEN),
)


@money_tool(
    module=MODULE,
    minutes=3,
    pre=(
        *_BETWEEN_OWN,
        positive("amount"),
        same_currency("source", "amount"),
        same_currency("target", "amount"),
        has_funds("source", "amount"),
    ),
    writes=BOOKS,
    rule_keys=("account_transfer_limit",),
)
def account_transfer(
    ctx: Context, source: Account, target: Account, amount: Money, idempotency_key: Key
) -> dict[str, Any]:
    """Move an amount at once between two open accounts of one owner in one currency.

    What is held on the source cannot be moved. Cash floors and commitments of the owner are not checked.

    Args:
        source: Where the money is taken from.
        target: Where it goes.
        amount: How much, in the currency of both accounts.
        idempotency_key: Chosen by you; the same key moves the money once only.
    """
    limit = amount_rule(ctx, "account_transfer_limit", case_of(ctx, source.owner, "account"), amount.currency)
    ctx.enforce(limit, amount <= limit.value, "OVER_LIMIT", f"amount: one transfer moves at most {limit.value}")
    debit, credit = move(ctx, source, target, amount, EntryReason.TRANSFER, source.id)
    left = ctx.world.get(Account, source.id)
    return {"amount": amount.to_json(), "debit": debit.id, "credit": credit.id, "left": left.available.to_json()}


@money_tool(
    module=MODULE,
    minutes=3,
    pre=(
        *_BETWEEN_OWN,
        same_currency("source", "keep"),
        same_currency("target", "keep"),
        Precondition("KEEP_NEGATIVE", "keep", "it must be zero or above", lambda ctx, given: given["keep"].minor >= 0),
        Precondition(
            "NOTHING_TO_SWEEP",
            "keep",
            "what can be disposed of on the source must exceed it",
            lambda ctx, given: given["source"].available > given["keep"],
        ),
    ),
    writes=BOOKS,
)
def account_sweep(ctx: Context, source: Account, target: Account, keep: Money, idempotency_key: Key) -> dict[str, Any]:
    """Move everything above an amount from one account to another of the same owner; what is held stays as well.

    The limit of single transfers does not apply to sweeps. Whether the amount kept meets the cash floor is not checked.

    Args:
        source: The account that is swept.
        target: Where the money goes.
        keep: What is to stay at your disposal on the source.
        idempotency_key: Chosen by you; the same key moves the money once only.
    """
    amount = source.available - keep
    debit, credit = move(ctx, source, target, amount, EntryReason.TRANSFER, source.id)
    return {"amount": amount.to_json(), "debit": debit.id, "credit": credit.id, "left": keep.to_json()}


def _has_not_been_set_aside(ctx: Context, given: Mapping[str, Any]) -> bool:
    commitment: Commitment = given["commitment"]
    return not any(
        ctx.world.all(
            Hold,
            account=given["account"].id,
            amount=commitment.amount,
            reason=HoldReason.PAYOUT,
            until=commitment.by,
            state=HoldState.ACTIVE,
        )
    )


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("account", AccountState.OPEN),
        state_is("commitment", CommitmentState.ACTIVE),
        Precondition(
            "COMMITMENT_OF_OTHER_OWNER",
            "commitment",
            "its debtor must be the owner of the account",
            lambda ctx, given: given["commitment"].debtor == given["account"].owner,
        ),
        Precondition(
            "COMMITMENT_LAPSED", "commitment", "its minute must lie ahead", lambda ctx, g: g["commitment"].by > ctx.now
        ),
        Precondition("ALREADY_SET_ASIDE", "commitment", "a hold for it stands on the account", _has_not_been_set_aside),
    ),
    writes=PLACES_HOLD,
)
def account_set_aside(ctx: Context, account: Account, commitment: Commitment) -> dict[str, Any]:
    """Hold the amount that the owner has promised to someone, until the minute by which it was promised.

    The hold ends by itself at that minute; it does not pay anything.

    Args:
        account: An open account of the debtor.
        commitment: The promise; it must be in force.
    """
    require_funds(account, commitment.amount, "commitment")
    hold = place_hold(ctx, account, commitment.amount, HoldReason.PAYOUT, commitment.by)
    return {**told(hold, "amount", "until", "state"), "commitment": commitment.id}

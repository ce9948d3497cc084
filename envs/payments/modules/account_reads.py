"""What can be asked about an account beyond its record: its statement, and what is expected on it."""

from __future__ import annotations

from typing import Any

from ..kernel.money import Money
from ..kernel.records import to_json
from ..kernel.tools import Context, business_tool
from ..records.cash import Account, Hold, HoldState, LedgerEntry
from ..records.payouts import Payout, PayoutState, Refund, RefundState
from ..records.receivables import Receipt, ReceiptState
from .acts import told
from .conditions import Minute

MODULE = "accounts"
_MAX_SHOWN = 50


@business_tool(module=MODULE)
def account_statement(ctx: Context, account: Account, since: Minute, until: Minute) -> dict[str, Any]:
    """Show what was booked on an account between two minutes, with the balance before and after.

    The newest bookings are shown, 50 at most; the balances cover all of them.

    Args:
        account: The account.
        since: First minute of the statement.
        until: Last minute of the statement.
    """
    entries = list(ctx.world.all(LedgerEntry, account=account.id))
    within = [each for each in entries if since <= each.booked_at <= until]
    after = _sum_of(account, [each.amount for each in entries if each.booked_at > until])
    closing = account.balance - after
    opening = closing - _sum_of(account, [each.amount for each in within])
    shown = [told(each, "amount", "reason", "about", "booked_at") for each in within[-_MAX_SHOWN:]]
    return {
        "opening": opening.to_json(),
        "closing": closing.to_json(),
        "omitted": len(within) - len(shown),
        "entries": shown,
    }


@business_tool(module=MODULE)
def account_forecast(ctx: Context, account: Account, until: Minute) -> dict[str, Any]:
    """List what the records say will come in, go out or become free on an account by a minute.

    It lists and does not judge: whether an expected receipt can be relied on, and whether an incoming refund stands
    in the balance already, is for you to find out.

    Args:
        account: The account.
        until: The minute up to which to look.
    """
    receipts = ctx.world.all(Receipt, account=account.id, state=ReceiptState.EXPECTED)
    payouts = ctx.world.all(Payout, account=account.id, state=PayoutState.QUEUED)
    refunds = ctx.world.all(Refund, account=account.id, state=RefundState.IN_TRANSIT)
    holds = ctx.world.all(Hold, account=account.id, state=HoldState.ACTIVE)
    return {
        "balance": to_json(account.balance),
        "available": to_json(account.available),
        "receipts": [told(each, "amount", "arrives_at") for each in receipts if each.arrives_at <= until],
        "payouts": [told(each, "amount", "fee", "execute_at") for each in payouts if each.execute_at <= until],
        "refunds": [told(each, "amount", "is_incoming", "due_at") for each in refunds if each.due_at <= until],
        "holds": [told(each, "amount", "reason", "until") for each in holds if each.until <= until],
    }


def _sum_of(account: Account, amounts: list[Money]) -> Money:
    return sum(amounts, start=Money(0, account.balance.currency))

"""Payouts on their way: queued, sent at once, recalled and tried again. How they travel is in `sending.py`.

Approvals and their terms, cash floors and whether the same was paid already are not checked by any tool. Rule keys
besides those of `sending.py`:

    recall_fee              amount, anchor execution: the price of a recall, see `tariff.py`
    recall_answer_minutes   minutes, anchor request: how long the other side's bank takes to answer a recall; scope
                            product (recall), jurisdiction, segment; read by recall
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Code
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.payouts import BillState, Method, Payout, PayoutState
from ..records.reserves import FeeKind
from .acts import told
from .booking import CHARGES, charge_fee
from .conditions import demand
from .once import Key, money_tool
from .payouts import MODULE, NOT_IN_RUN
from .sending import HANDLERS as SENDING
from .sending import LEAVES, SENDS, account_of, free_of, leaves_at, mark_bill, payout_price, send, shown, take_back
from .tariff import duration, fee_covered, price

RECALL_ANSWERED = "payout_recall_answered"


def _queue(ctx: Context, payout: Payout, key: str) -> dict[str, Any]:
    at = leaves_at(ctx, payout)
    queued = ctx.world.update(payout, state=PayoutState.QUEUED, execute_at=at, idempotency_key=Code(key))
    mark_bill(ctx, queued, BillState.SCHEDULED)
    ctx.clock.schedule(at, LEAVES, {"payout": str(queued.id), "execute_at": at})
    return shown(queued)


@money_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("payout", PayoutState.DRAFT),
        NOT_IN_RUN,
        *free_of("ACCOUNT_NOT_OPEN", "BENEFICIARY_NOT_ACTIVE"),
    ),
    writes=("payout.state", "payout.execute_at", "payout.idempotency_key", "bill.state"),
    rule_keys=("batch_interval_minutes", "payout_fee", "settlement_minutes"),
)
def payout_queue(ctx: Context, payout: Payout, idempotency_key: Key) -> dict[str, Any]:
    """Queue a payout: it leaves by itself at its minute, a batch payout with the next batch from then on.

    Whether the account covers it is seen when it leaves; if it does not, the payout is a draft again.

    Args:
        payout: The draft.
        idempotency_key: The same key and arguments queue it once.
    """
    return _queue(ctx, payout, idempotency_key)


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("payout", PayoutState.DRAFT, PayoutState.QUEUED),
        NOT_IN_RUN,
        demand(
            "METHOD_IS_BATCH",
            "payout",
            "batch payouts leave with their batch; queue it, or amend its method",
            lambda c, g: g["payout"].method is not Method.BATCH,
        ),
        *free_of("ACCOUNT_NOT_OPEN", "BENEFICIARY_NOT_ACTIVE", "INSUFFICIENT_FUNDS"),
    ),
    writes=(*SENDS, "payout.execute_at"),
    rule_keys=("payout_fee", "settlement_minutes"),
)
def payout_send_now(ctx: Context, payout: Payout, idempotency_key: Key) -> dict[str, Any]:
    """Send an instant payout or a wire at once, whatever its minute. It settles, or comes back, later.

    Args:
        payout: A payout that has not left.
        idempotency_key: The same key and arguments send it once.
    """
    keyed = ctx.world.update(payout, idempotency_key=Code(idempotency_key), execute_at=ctx.now)
    return shown(send(ctx, keyed))


def _recall_price(ctx: Context, payout: Payout) -> Money:
    return price(ctx, FeeKind.RECALL, account_of(ctx, payout))


def _recalled(ctx: Context, given: Mapping[str, Any]) -> bool:
    wanted = given["payout"].id
    return any(due.name == RECALL_ANSWERED and due.payload["payout"] == wanted for due in ctx.clock.pending())


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("payout", PayoutState.SENT),
        demand("RECALL_UNDER_WAY", "payout", "it must not be recalled already", lambda c, g: not _recalled(c, g)),
        fee_covered("payout", lambda c, g: (account_of(c, g["payout"]), _recall_price(c, g["payout"]))),
    ),
    writes=CHARGES,
    rule_keys=("recall_answer_minutes", "recall_fee"),
)
def payout_recall(ctx: Context, payout: Payout) -> dict[str, Any]:
    """Ask the beneficiary's bank to send a payout back, against a fee that is due in any case.

    It comes back only if it has not settled when the bank gets to it.

    Args:
        payout: A payout that has left and has not settled.
    """
    account, fee = account_of(ctx, payout), _recall_price(ctx, payout)
    charge = charge_fee(ctx, account, FeeKind.RECALL, fee, payout.id)
    takes = duration(ctx, "recall_answer_minutes", account.owner, "recall")
    ctx.clock.schedule(ctx.now + takes, RECALL_ANSWERED, {"payout": str(payout.id)})
    return {
        **told(payout, "state"),
        "fee_charge": str(charge.id),
        "fee": fee.to_json(),
        "answer_at": ctx.now + takes,
    }


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(state_is("payout", PayoutState.RETURNED), *free_of("ACCOUNT_NOT_OPEN", "BENEFICIARY_NOT_ACTIVE")),
    writes=("payout+", "payout.state", "payout.execute_at", "payout.idempotency_key", "bill.state"),
    rule_keys=("payout_fee",),
)
def payout_retry(ctx: Context, payout: Payout, idempotency_key: Key) -> dict[str, Any]:
    """Queue a payout that came back once more, as a new payout with the same beneficiary, amount and method.

    Whether it has been tried again already, or paid in another way, is not checked.

    Args:
        payout: The payout that was returned.
        idempotency_key: The same key and arguments queue it once.
    """
    again = ctx.world.create(
        Payout,
        account=payout.account,
        beneficiary=payout.beneficiary,
        bill=payout.bill,
        run=None,
        amount=payout.amount,
        fee=payout_price(ctx, payout.method, account_of(ctx, payout)),
        method=payout.method,
        execute_at=ctx.now,
        idempotency_key=Code(""),
        approval=None,
        state=PayoutState.DRAFT,
    )
    return {**_queue(ctx, again, idempotency_key), "retry_of": str(payout.id)}


def recall_answered(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Take the answer of a bank to a recall: what has not settled comes back."""
    payout = ctx.world.get(Payout, payload["payout"])
    if payout.state is not PayoutState.SENT:
        return {**shown(payout), "recalled": False}
    return {**shown(take_back(ctx, payout)), "recalled": True}


TOOLS: tuple[BusinessTool, ...] = (payout_queue, payout_send_now, payout_recall, payout_retry)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {**SENDING, RECALL_ANSWERED: (Actor.COUNTERPARTY, recall_answered)}

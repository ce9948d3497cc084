"""Payout runs: payouts of one account that are executed together, one after another in the order of the run.

In which order what is owed should be paid, whether the account keeps its floor between two payouts and whether the
customer has approved the run are not checked. Rule keys besides those of `sending.py`:

    run_spacing_minutes   minutes, anchor execution: from one payout of a run to the next; scope product (payout_run),
                          jurisdiction, segment; read by execute
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.records import Code
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Action, ApprovalRequest
from ..records.cash import Account, AccountState
from ..records.payouts import BillState, Payout, PayoutRun, PayoutState, RunState
from .acts import approval_fits, told
from .conditions import Minute, account_is_open, demand, not_past
from .once import Key, money_tool
from .payouts import NOT_IN_RUN
from .reads import reads_of
from .sending import mark_bill, try_to_send
from .tariff import duration

MODULE = "payout_runs"
PAYS = "run_payout_leaves"


def _shown(run: PayoutRun) -> dict[str, Any]:
    return told(run, "state", "payouts", "cut_off_at")


IN_TIME = demand("CUT_OFF_IS_OVER", "run", "its cut-off must not be over", lambda c, g: g["run"].cut_off_at >= c.now)


@business_tool(
    module=MODULE, minutes=1, pre=(account_is_open("account"), not_past("cut_off_at")), writes=("payout_run+",)
)
def payout_run_create(ctx: Context, account: Account, cut_off_at: Minute) -> dict[str, Any]:
    """Open an empty payout run on an account.

    Args:
        account: The account that all payouts of the run leave.
        cut_off_at: Last minute at which the run can be executed.
    """
    run = ctx.world.create(
        PayoutRun, merchant=account.owner, account=account.id, payouts=(), cut_off_at=cut_off_at, state=RunState.OPEN
    )
    return _shown(run)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("run", RunState.OPEN),
        state_is("payout", PayoutState.DRAFT),
        NOT_IN_RUN,
        demand(
            "PAYOUT_OF_ANOTHER_ACCOUNT",
            "payout",
            "it must leave the account of the run",
            lambda c, g: g["payout"].account == g["run"].account,
        ),
    ),
    writes=("payout_run.payouts", "payout.run"),
)
def payout_run_add(ctx: Context, run: PayoutRun, payout: Payout) -> dict[str, Any]:
    """Add a drafted payout to an open run, as the last one.

    Args:
        run: The run.
        payout: The draft.
    """
    ctx.world.update(payout, run=run.id)
    return _shown(ctx.world.update(run, payouts=(*run.payouts, payout.id)))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("run", RunState.OPEN),
        demand(
            "PAYOUT_NOT_IN_RUN",
            "payout",
            "it must be part of the run",
            lambda c, g: g["payout"].id in g["run"].payouts,
        ),
    ),
    writes=("payout_run.payouts", "payout.run"),
)
def payout_run_remove(ctx: Context, run: PayoutRun, payout: Payout) -> dict[str, Any]:
    """Take a payout out of an open run; it stays a draft of its own.

    Args:
        run: The run.
        payout: The payout.
    """
    ctx.world.update(payout, run=None)
    return _shown(ctx.world.update(run, payouts=tuple(each for each in run.payouts if each != payout.id)))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("run", RunState.OPEN),
        demand(
            "NOT_THE_SAME_PAYOUTS",
            "payouts",
            "they must be the payouts of the run, each once",
            lambda c, g: sorted(each.id for each in g["payouts"]) == sorted(g["run"].payouts),
        ),
        demand(
            "ORDER_UNCHANGED",
            "payouts",
            "the order must be another than before",
            lambda c, g: tuple(each.id for each in g["payouts"]) != g["run"].payouts,
        ),
    ),
    writes=("payout_run.payouts",),
)
def payout_run_reorder(ctx: Context, run: PayoutRun, payouts: tuple[Payout, ...]) -> dict[str, Any]:
    """Put the payouts of an open run into another order. They are paid in this order as far as the money goes.

    Args:
        run: The run.
        payouts: All payouts of the run, the first to be paid first.
    """
    return _shown(ctx.world.update(run, payouts=tuple(each.id for each in payouts)))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("run", RunState.OPEN),
        not_past("cut_off_at"),
        demand(
            "CUT_OFF_UNCHANGED",
            "cut_off_at",
            "it must be another minute than before",
            lambda c, g: g["cut_off_at"] != g["run"].cut_off_at,
        ),
    ),
    writes=("payout_run.cut_off_at",),
)
def payout_run_move_cut_off(ctx: Context, run: PayoutRun, cut_off_at: Minute) -> dict[str, Any]:
    """Move the cut-off of an open run, earlier or later.

    Args:
        run: The run.
        cut_off_at: Last minute at which it can be executed.
    """
    return _shown(ctx.world.update(run, cut_off_at=cut_off_at))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("run", RunState.OPEN),
        demand("RUN_EMPTY", "run", "it must hold a payout", lambda c, g: g["run"].payouts != ()),
    ),
    writes=("payout_run.state",),
)
def payout_run_lock(ctx: Context, run: PayoutRun) -> dict[str, Any]:
    """Lock a run: its payouts and their order stay as they are, and it can be executed.

    Args:
        run: The run.
    """
    return _shown(ctx.world.update(run, state=RunState.LOCKED))


@business_tool(module=MODULE, minutes=1, pre=(state_is("run", RunState.LOCKED),), writes=("payout_run.state",))
def payout_run_unlock(ctx: Context, run: PayoutRun) -> dict[str, Any]:
    """Unlock a run that has not been executed, so that it can be changed. An approval of it is not voided.

    Args:
        run: The run.
    """
    return _shown(ctx.world.update(run, state=RunState.OPEN))


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("run", RunState.LOCKED),
        IN_TIME,
        demand(
            "ACCOUNT_NOT_OPEN",
            "run",
            "the account of the run must be open",
            lambda c, g: c.world.get(Account, g["run"].account).state is AccountState.OPEN,
        ),
        *approval_fits("approval", "run", Action.EXECUTE_RUN),
    ),
    writes=(
        "payout_run.state",
        "payout.state",
        "payout.execute_at",
        "payout.idempotency_key",
        "payout.approval",
        "bill.state",
    ),
    rule_keys=("payout_fee", "run_spacing_minutes", "settlement_minutes"),
)
def payout_run_execute(
    ctx: Context, run: PayoutRun, idempotency_key: Key, approval: ApprovalRequest | None = None
) -> dict[str, Any]:
    """Execute a locked run: its payouts leave one after another, the first at once.

    A payout that the account does not cover when its turn comes, or whose beneficiary may not be paid, is left out and
    is a draft again; the others go on. What is left on the account is not looked at.

    Args:
        run: The run, not later than its cut-off.
        idempotency_key: The same key and arguments execute it once.
        approval: The customer's approval that the run rests on.
    """
    spacing = duration(ctx, "run_spacing_minutes", run.merchant, "payout_run")
    for k, each in enumerate(run.payouts):
        payout = ctx.world.get(Payout, each)
        at = ctx.now + k * spacing
        queued = ctx.world.update(
            payout,
            state=PayoutState.QUEUED,
            execute_at=at,
            idempotency_key=Code(f"{idempotency_key}.{k + 1}"),
            approval=payout.approval if approval is None else approval.id,
        )
        mark_bill(ctx, queued, BillState.SCHEDULED)
        ctx.clock.schedule(at, PAYS, {"payout_run": str(run.id), "payout": str(queued.id)})
    return _shown(ctx.world.update(run, state=RunState.EXECUTED))


def pays(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Send the next payout of a run that is being executed, or leave it out."""
    payout = ctx.world.get(Payout, payload["payout"])
    return {"payout_run": payload["payout_run"], **try_to_send(ctx, payout)}


TOOLS: tuple[BusinessTool, ...] = (
    payout_run_create,
    payout_run_add,
    payout_run_remove,
    payout_run_reorder,
    payout_run_move_cut_off,
    payout_run_lock,
    payout_run_unlock,
    payout_run_execute,
    *reads_of(PayoutRun, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {PAYS: (Actor.CLOCK, pays)}

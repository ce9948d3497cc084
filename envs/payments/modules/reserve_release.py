"""The way of a reserve to its release: by a review of the standard or the expedited route, or by a guarantee.

A reserve whose file is open stays where it is. Each route leads to the state `cleared`, from which a reserve is
released. Approvals and their terms, cash floors and claims of others on the same reserve are not checked here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Action, ApprovalRequest
from ..records.cash import Account, AccountState, EntryReason
from ..records.obligations import Guarantee, GuaranteeState
from ..records.receivables import FileState, ReconciliationFile
from ..records.reserves import Reserve, ReserveState, Route
from .acts import approval_fits
from .booking import BOOKS, move
from .conditions import demand
from .once import Key, money_tool
from .reserves import MODULE, shown
from .reviews import open_review


def _file_closed(ctx: Context, given: Mapping[str, Any]) -> bool:
    file = given["reserve"].file
    return file is None or ctx.world.get(ReconciliationFile, file).state is FileState.CLOSED


FILE_CLOSED = demand(
    "FILE_NOT_CLOSED", "reserve", "the reconciliation file that it covers must be closed", _file_closed
)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("reserve", ReserveState.HELD),
        FILE_CLOSED,
        demand(
            "ROUTE_IS_NO_REVIEW",
            "route",
            "it must be a review; a guarantee secures the reserve without one",
            lambda c, g: g["route"] is not Route.GUARANTEE,
        ),
    ),
    writes=("reserve.state", "reserve.route"),
)
def reserve_review_request(ctx: Context, reserve: Reserve, route: Route) -> dict[str, Any]:
    """Request that a held reserve be reviewed, by the standard or the expedited route. The review is scheduled apart.

    Args:
        reserve: The reserve.
        route: By which route; they differ in price and in time.
    """
    return shown(ctx.world.update(reserve, state=ReserveState.UNDER_REVIEW, route=route))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("reserve", ReserveState.UNDER_REVIEW),
        demand(
            "REVIEW_OPEN",
            "reserve",
            "no review of it may be scheduled or started",
            lambda c, g: open_review(c, g["reserve"]) is None,
        ),
    ),
    writes=("reserve.state", "reserve.route"),
)
def reserve_review_withdraw(ctx: Context, reserve: Reserve) -> dict[str, Any]:
    """Withdraw the request that a reserve be reviewed; it is held as before and may go another route.

    Args:
        reserve: The reserve, with no review on the calendar.
    """
    return shown(ctx.world.update(reserve, state=ReserveState.HELD, route=None))


@business_tool(
    module=MODULE,
    minutes=3,
    pre=(
        state_is("reserve", ReserveState.HELD),
        FILE_CLOSED,
        state_is("guarantee", GuaranteeState.ACTIVE),
        demand(
            "GUARANTEE_OF_ANOTHER_MERCHANT",
            "guarantee",
            "it must be given for the reserve's merchant",
            lambda c, g: g["guarantee"].merchant == g["reserve"].merchant,
        ),
        demand(
            "GUARANTEE_IN_USE",
            "guarantee",
            "it must not secure another reserve",
            lambda c, g: g["guarantee"].secures is None,
        ),
        demand(
            "GUARANTEE_TOO_SMALL",
            "guarantee",
            "it must cover the reserve in the same currency",
            lambda c, g: (
                g["guarantee"].amount.currency is g["reserve"].amount.currency
                and g["guarantee"].amount >= g["reserve"].amount
            ),
        ),
    ),
    writes=("reserve.state", "reserve.route", "reserve.guarantee", "guarantee.secures"),
)
def reserve_secure(ctx: Context, reserve: Reserve, guarantee: Guarantee) -> dict[str, Any]:
    """Let a bank's guarantee stand in for a held reserve, which is thereby cleared without a review.

    How long the guarantee still runs is not looked at.

    Args:
        reserve: The reserve.
        guarantee: An active guarantee for the same merchant that secures nothing yet.
    """
    ctx.world.update(guarantee, secures=reserve.id)
    cleared = ctx.world.update(reserve, state=ReserveState.CLEARED, route=Route.GUARANTEE, guarantee=guarantee.id)
    return {**shown(cleared), "guarantee": str(guarantee.id)}


def _target_open(ctx: Context, given: Mapping[str, Any]) -> bool:
    return ctx.world.get(Account, given["reserve"].target).state is AccountState.OPEN


@money_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("reserve", ReserveState.CLEARED),
        FILE_CLOSED,
        demand("TARGET_NOT_OPEN", "reserve", "the account that it goes to must be open", _target_open),
        demand(
            "RESERVE_NOT_COVERED",
            "reserve",
            "the account that it is kept on must hold that much to dispose of",
            lambda c, g: c.world.get(Account, g["reserve"].source).available >= g["reserve"].amount,
        ),
        *approval_fits("approval", "reserve", Action.RELEASE_RESERVE),
    ),
    writes=(*BOOKS, "reserve.state"),
)
def reserve_release(
    ctx: Context, reserve: Reserve, idempotency_key: Key, approval: ApprovalRequest | None = None
) -> dict[str, Any]:
    """Release a cleared reserve: its money moves to the account that it is meant for.

    Whether the customer has approved, and these terms, is not checked.

    Args:
        reserve: The reserve.
        idempotency_key: The same key and arguments release it once.
        approval: The customer's approval that the release rests on.
    """
    move(ctx, reserve.source, reserve.target, reserve.amount, EntryReason.RESERVE_RELEASE, reserve.id)
    return shown(ctx.world.update(reserve, state=ReserveState.RELEASED))


TOOLS: tuple[BusinessTool, ...] = (reserve_review_request, reserve_review_withdraw, reserve_secure, reserve_release)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

"""Reviews of reserves by officers: put on the calendar, started against a fee, decided once the finding is there.

Which officer may decide on which amount, and whether the papers are accepted and valid when the review starts, is not
checked by any tool. Rule keys:

    review_minutes   minutes, anchor review: from the start of a review to the officer's finding; scope product
                     (reserve), jurisdiction, segment, route; read by start
    reserve_review_fee, expedite_fee   see `tariff.py`; anchor review: the price at the start; scope also route
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Evidence, Officer, Review, ReviewState
from ..records.cash import Account
from ..records.reserves import FeeKind, Reserve, ReserveState, Route
from .acts import told
from .booking import CHARGES, charge_fee
from .conditions import Minute, account_is_open, demand, not_past
from .reads import reads_of
from .tariff import duration, fee_covered, price

MODULE = "reviews"
READY = "review_ready"
FEES: dict[Route, FeeKind] = {Route.STANDARD_REVIEW: FeeKind.RESERVE_REVIEW, Route.EXPEDITED_REVIEW: FeeKind.EXPEDITE}
"""What a review by each route is charged as."""


def open_review(ctx: Context, reserve: Reserve) -> Review | None:
    """Return the review of a reserve that is scheduled or started, None where there is none."""
    for review in ctx.world.all(Review, reserve=reserve.id):
        if review.state in (ReviewState.SCHEDULED, ReviewState.STARTED):
            return review
    return None


def review_price(ctx: Context, route: Route, account: Account) -> Money:
    """Return what a review by a route costs now."""
    return price(ctx, FEES[route], account, route=route.value)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("reserve", ReserveState.UNDER_REVIEW),
        demand(
            "REVIEW_OPEN",
            "reserve",
            "no other review of it may be scheduled or started",
            lambda c, g: open_review(c, g["reserve"]) is None,
        ),
        not_past("scheduled_for"),
        demand(
            "EVIDENCE_TWICE",
            "evidence",
            "each document may be listed once",
            lambda c, g: len({each.id for each in g["evidence"]}) == len(g["evidence"]),
        ),
    ),
    writes=("review+",),
    rule_keys=("expedite_fee", "reserve_review_fee"),
)
def review_schedule(
    ctx: Context, reserve: Reserve, officer: Officer, evidence: tuple[Evidence, ...], scheduled_for: Minute
) -> dict[str, Any]:
    """Put the review of a reserve on an officer's calendar, by the route that was requested for it.

    The fee shown is what the review would cost if it started now; what is charged is the price at its start.

    Args:
        reserve: The reserve, for which a review was requested.
        officer: Who reviews.
        evidence: The papers that the officer gets; none is an empty list.
        scheduled_for: Minute from which the review may start.
    """
    assert reserve.route is not None  # since it is under review
    fee = review_price(ctx, reserve.route, ctx.world.get(Account, reserve.target))
    review = ctx.world.create(
        Review,
        reserve=reserve.id,
        route=reserve.route,
        officer=officer.id,
        evidence=tuple(each.id for each in evidence),
        scheduled_for=scheduled_for,
        ready_at=None,
        fee=fee,
        state=ReviewState.SCHEDULED,
    )
    return told(review, "route", "state", "fee")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("review", ReviewState.SCHEDULED),
        not_past("scheduled_for"),
        demand(
            "MINUTE_UNCHANGED",
            "scheduled_for",
            "it must be another minute than before",
            lambda c, g: g["scheduled_for"] != g["review"].scheduled_for,
        ),
    ),
    writes=("review.scheduled_for",),
)
def review_reschedule(ctx: Context, review: Review, scheduled_for: Minute) -> dict[str, Any]:
    """Move a review that has not started to another minute, earlier or later.

    Args:
        review: The review.
        scheduled_for: Minute from which it may start.
    """
    after = ctx.world.update(review, scheduled_for=scheduled_for)
    return told(after, "scheduled_for")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("review", ReviewState.SCHEDULED),
        demand(
            "OFFICER_UNCHANGED",
            "officer",
            "it must be another officer than before",
            lambda c, g: g["officer"].id != g["review"].officer,
        ),
    ),
    writes=("review.officer",),
)
def review_reassign(ctx: Context, review: Review, officer: Officer) -> dict[str, Any]:
    """Give a review that has not started to another officer, whatever that officer's duty and limit.

    Args:
        review: The review.
        officer: Who reviews instead.
    """
    after = ctx.world.update(review, officer=officer.id)
    return told(after, "officer")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("review", ReviewState.SCHEDULED),
        demand(
            "REVIEW_NOT_DUE",
            "review",
            "the minute that it is scheduled for must have come",
            lambda c, g: c.now >= g["review"].scheduled_for,
        ),
        account_is_open("account"),
        demand(
            "ACCOUNT_OF_ANOTHER_MERCHANT",
            "account",
            "it must be the account of the merchant whose reserve is reviewed",
            lambda c, g: g["account"].owner == c.world.get(Reserve, g["review"].reserve).merchant,
        ),
        fee_covered("account", lambda c, g: (g["account"], review_price(c, g["review"].route, g["account"]))),
    ),
    writes=(*CHARGES, "review.state", "review.fee", "review.ready_at"),
    rule_keys=("expedite_fee", "reserve_review_fee", "review_minutes"),
)
def review_start(ctx: Context, review: Review, account: Account) -> dict[str, Any]:
    """Start a review: the fee of this minute is charged, and the officer reads the papers.

    Neither the papers nor any cap on fees is checked. The fee is not given back if the reserve does not pass.

    Args:
        review: The review, whose minute has come.
        account: The merchant's account that pays the fee.
    """
    reserve = ctx.world.get(Reserve, review.reserve)
    fee = review_price(ctx, review.route, account)
    charge = charge_fee(ctx, account, FEES[review.route], fee, review.id)
    takes = duration(ctx, "review_minutes", reserve.merchant, "reserve", route=review.route.value)
    after = ctx.world.update(review, state=ReviewState.STARTED, fee=fee, ready_at=ctx.now + takes)
    ctx.clock.schedule(ctx.now + takes, READY, {"review": str(review.id)})
    return {**told(after, "state", "fee", "ready_at"), "fee_charge": str(charge.id)}


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("review", ReviewState.STARTED),
        demand(
            "FINDING_NOT_IN",
            "review",
            "the officer must have come to a finding",
            lambda c, g: g["review"].ready_at is not None and c.now >= g["review"].ready_at,
        ),
    ),
    writes=("review.state", "reserve.state", "reserve.route"),
)
def review_decide(ctx: Context, review: Review, passed: bool) -> dict[str, Any]:
    """Record the outcome of a review. A reserve that passes is cleared for release, any other is held as before.

    Args:
        review: The review, whose finding is there.
        passed: Whether the reserve passes.
    """
    state = ReviewState.PASSED if passed else ReviewState.FAILED
    after = ctx.world.update(review, state=state)
    reserve = ctx.world.get(Reserve, review.reserve)
    if passed:
        reserve = ctx.world.update(reserve, state=ReserveState.CLEARED)
    else:
        reserve = ctx.world.update(reserve, state=ReserveState.HELD, route=None)
    return {**told(after, "state"), "reserve": str(reserve.id), "reserve_state": reserve.state.value}


@business_tool(module=MODULE, minutes=1, pre=(state_is("review", ReviewState.SCHEDULED),), writes=("review.state",))
def review_cancel(ctx: Context, review: Review) -> dict[str, Any]:
    """Take a review that has not started off the calendar. Its reserve stays under review until another is scheduled.

    Args:
        review: The review.
    """
    return told(ctx.world.update(review, state=ReviewState.CANCELLED), "state")


def ready(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """Say that an officer has come to a finding; recording the decision is the clerk's act."""
    review = ctx.world.get(Review, payload["review"])
    return told(review, "ready_at")


def opening(ctx: Context) -> None:
    """Put the findings of the reviews that had started when an episode begins on the queue."""
    for review in ctx.world.all(Review, state=ReviewState.STARTED):
        if review.ready_at is not None and review.ready_at >= ctx.now:
            ctx.clock.schedule(review.ready_at, READY, {"review": str(review.id)})


TOOLS: tuple[BusinessTool, ...] = (
    review_schedule,
    review_reschedule,
    review_reassign,
    review_start,
    review_decide,
    review_cancel,
    *reads_of(Review, MODULE),
    *reads_of(Officer, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {READY: (Actor.COUNTERPARTY, ready)}

"""Requests for approval: what a customer is asked to agree to, with the actual terms.

A request is decided by the customer alone; nothing here grants or rejects one. Rule keys:

    approval_validity_minutes   minutes, anchor request: how long a request may be decided and relied on; scope product
                                (approval), jurisdiction, segment, action; read by open and amend
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import BusinessTool, Context, Precondition, business_tool, state_is
from ..records.approvals import Action, ApprovalRequest, ApprovalState
from ..records.parties import Party, PartyRole
from ..records.reserves import Route
from .acts import later, role_is
from .conditions import Minute, demand, known, merchant_of, not_negative
from .reads import reads_of
from .tariff import duration
from .terms import SUBJECTS, digest, shown, terms_of

MODULE = "approvals"


def _money_terms() -> tuple[Precondition, ...]:
    return (
        not_negative("amount"),
        demand(
            "MAX_FEE_NEGATIVE",
            "max_fee",
            "the highest fee must not be below zero",
            lambda c, g: g["max_fee"].minor >= 0,
        ),
        demand(
            "CURRENCY_MISMATCH",
            "max_fee",
            "it must be in the currency of the amount",
            lambda c, g: g["max_fee"].currency is g["amount"].currency,
        ),
        demand(
            "BENEFICIARY_UNKNOWN",
            "beneficiary",
            "there must be a record of this id",
            lambda c, g: g["beneficiary"] is None or c.world.find(g["beneficiary"]) is not None,
        ),
    )


def _of_right_kind(ctx: Context, given: Any) -> bool:
    subject = ctx.world.find(given["subject"])
    return subject is not None and subject.kind in SUBJECTS[given["action"]]


def _valid_until(ctx: Context, customer: Id, action: Action) -> int:
    return ctx.now + duration(ctx, "approval_validity_minutes", customer, "approval", action=action.value)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        role_is("customer", PartyRole.MERCHANT),
        known("subject"),
        demand("SUBJECT_OF_ANOTHER_KIND", "subject", "the action must be one that is done to it", _of_right_kind),
        demand(
            "SUBJECT_OF_ANOTHER_CUSTOMER",
            "subject",
            "it must be this customer's",
            lambda c, g: merchant_of(c, c.world.find(g["subject"])) == g["customer"].id,
        ),
        *_money_terms(),
    ),
    writes=("approval_request+",),
    rule_keys=("approval_validity_minutes",),
)
def approval_request_open(
    ctx: Context,
    customer: Party,
    subject: Id,
    action: Action,
    amount: Money,
    max_fee: Money,
    beneficiary: Id | None = None,
    route: Route | None = None,
) -> dict[str, Any]:
    """Ask a customer to approve one act, on the terms given here.

    The customer sees exactly these terms and approves these alone. Whether they are the terms of the act that follows
    is not checked, neither here nor when the act is done.

    Args:
        customer: The merchant who is asked.
        subject: The record that the act is done to: a reserve, a payout, a payout run, a file, or what is written off.
        action: What is to be done.
        amount: How much it moves.
        max_fee: The most that it may cost the customer.
        beneficiary: Who receives the money: a beneficiary or an account of the customer.
        route: By which route a reserve is to be released.
    """
    request = ctx.world.create(
        ApprovalRequest,
        customer=customer.id,
        subject=Id(subject),
        action=action,
        amount=amount,
        max_fee=max_fee,
        beneficiary=None if beneficiary is None else Id(beneficiary),
        route=route,
        terms=digest(terms_of(action, Id(subject), amount, max_fee, beneficiary, route)),
        requested_at=ctx.now,
        decided_at=None,
        valid_until=_valid_until(ctx, customer.id, action),
        state=ApprovalState.REQUESTED,
    )
    return shown(request)


def _differs(ctx: Context, given: Any) -> bool:
    request: ApprovalRequest = given["request"]
    terms = terms_of(
        request.action, request.subject, given["amount"], given["max_fee"], given["beneficiary"], given["route"]
    )
    return digest(terms) != request.terms


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("request", ApprovalState.REQUESTED, ApprovalState.GRANTED),
        *_money_terms(),
        demand("TERMS_UNCHANGED", "request", "at least one term must differ from those requested", _differs),
    ),
    writes=tuple(
        f"approval_request.{name}"
        for name in (
            "amount",
            "max_fee",
            "beneficiary",
            "route",
            "terms",
            "requested_at",
            "decided_at",
            "valid_until",
            "state",
        )
    ),
    rule_keys=("approval_validity_minutes",),
)
def approval_request_amend(
    ctx: Context,
    request: ApprovalRequest,
    amount: Money,
    max_fee: Money,
    beneficiary: Id | None = None,
    route: Route | None = None,
) -> dict[str, Any]:
    """Put other terms to the customer. An approval that was granted is void, and the customer decides anew.

    Args:
        request: The request.
        amount: How much the act moves.
        max_fee: The most that it may cost the customer.
        beneficiary: Who receives the money, none where it is left out.
        route: By which route a reserve is to be released, none where it is left out.
    """
    after = ctx.world.update(
        request,
        amount=amount,
        max_fee=max_fee,
        beneficiary=None if beneficiary is None else Id(beneficiary),
        route=route,
        terms=digest(terms_of(request.action, request.subject, amount, max_fee, beneficiary, route)),
        requested_at=ctx.now,
        decided_at=None,
        valid_until=_valid_until(ctx, request.customer, request.action),
        state=ApprovalState.REQUESTED,
    )
    return shown(after)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(state_is("request", ApprovalState.REQUESTED, ApprovalState.GRANTED),),
    writes=("approval_request.state",),
)
def approval_request_withdraw(ctx: Context, request: ApprovalRequest) -> dict[str, Any]:
    """Withdraw a request; if it was granted already, the approval no longer stands.

    Acts that were done on it stay done.

    Args:
        request: The request.
    """
    return shown(ctx.world.update(request, state=ApprovalState.WITHDRAWN))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("request", ApprovalState.REQUESTED),
        later("valid_until", "request", "valid_until"),
    ),
    writes=("approval_request.valid_until",),
)
def approval_request_extend(ctx: Context, request: ApprovalRequest, valid_until: Minute) -> dict[str, Any]:
    """Give a customer who has not decided yet more time; the terms stay as they are.

    Args:
        request: The request.
        valid_until: Minute until which it may be decided and relied on.
    """
    return shown(ctx.world.update(request, valid_until=valid_until))


TOOLS: tuple[BusinessTool, ...] = (
    approval_request_open,
    approval_request_amend,
    approval_request_withdraw,
    approval_request_extend,
    *reads_of(ApprovalRequest, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

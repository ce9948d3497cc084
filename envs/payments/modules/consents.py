"""Consents: what a customer has agreed to in general, such as the most that fees may cost.

A customer gives a consent; here it is asked for and recorded as revoked. Whether an act keeps within a consent is not
checked by any tool.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.money import Money
from ..kernel.records import Id
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Consent, ConsentKind, ConsentState
from ..records.parties import Party, PartyRole
from .acts import role_is, told
from .conditions import demand, known, merchant_of
from .reads import reads_of

MODULE = "consents"


def _already_asked(ctx: Context, given: Any) -> bool:
    same = ctx.world.all(
        Consent, customer=given["customer"].id, about=given["about"], subject=given["subject"], amount=given["amount"]
    )
    return any(each.state is ConsentState.REQUESTED for each in same)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        role_is("customer", PartyRole.MERCHANT),
        known("subject"),
        demand(
            "SUBJECT_OF_ANOTHER_CUSTOMER",
            "subject",
            "it must be this customer's",
            lambda c, g: merchant_of(c, c.world.find(g["subject"])) == g["customer"].id,
        ),
        demand(
            "CAP_MISSING",
            "amount",
            "a fee cap needs an amount",
            lambda c, g: g["about"] is not ConsentKind.FEE_CAP or g["amount"] is not None,
        ),
        demand(
            "AMOUNT_NOT_POSITIVE",
            "amount",
            "the amount must be above zero",
            lambda c, g: g["amount"] is None or g["amount"].minor > 0,
        ),
        demand(
            "CONSENT_ALREADY_REQUESTED",
            "subject",
            "the same consent must not be waiting for an answer",
            lambda c, g: not _already_asked(c, g),
        ),
    ),
    writes=("consent+",),
)
def consent_request(
    ctx: Context, customer: Party, about: ConsentKind, subject: Id, amount: Money | None = None
) -> dict[str, Any]:
    """Ask a customer for a consent, for example to a cap on fees. An older consent stays as it is until they answer.

    Args:
        customer: The merchant who is asked.
        about: What is to be agreed to.
        subject: The record that it is about, or the customer itself.
        amount: The cap on fees, or the smallest settlement that is accepted.
    """
    consent = ctx.world.create(
        Consent,
        customer=customer.id,
        about=about,
        subject=Id(subject),
        amount=amount,
        given_at=None,
        state=ConsentState.REQUESTED,
    )
    return told(consent, "state", "amount")


@business_tool(module=MODULE, minutes=1, pre=(state_is("consent", ConsentState.REQUESTED),), writes=("consent.state",))
def consent_withdraw(ctx: Context, consent: Consent) -> dict[str, Any]:
    """Take back a request for consent that the customer has not answered; it counts as declined.

    Args:
        consent: The consent that was asked for.
    """
    return told(ctx.world.update(consent, state=ConsentState.DECLINED), "state")


@business_tool(module=MODULE, minutes=1, pre=(state_is("consent", ConsentState.ACTIVE),), writes=("consent.state",))
def consent_revoke(ctx: Context, consent: Consent) -> dict[str, Any]:
    """Record that a customer has revoked a consent. What was done under it stays done.

    Args:
        consent: The consent.
    """
    return told(ctx.world.update(consent, state=ConsentState.REVOKED), "state")


TOOLS: tuple[BusinessTool, ...] = (consent_request, consent_withdraw, consent_revoke, *reads_of(Consent, MODULE))
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {}

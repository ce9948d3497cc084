"""The terms of a request for approval, and the digest by which an approval is bound to them.

The terms are, in this order: action, subject, amount, highest fee, beneficiary, route. A check of the form `approved`
lists its values in the same order, so that its digest is equal exactly where the act has the terms that were approved.
What a request has no use for is None.
"""

from __future__ import annotations

from typing import Any

from ..checks.monitors import terms_hash
from ..kernel.money import Money
from ..kernel.records import Code, Id
from ..records.approvals import Action, ApprovalRequest
from ..records.reserves import Route

SUBJECTS: dict[Action, tuple[str, ...]] = {
    Action.RELEASE_RESERVE: ("reserve",),
    Action.SEND_PAYOUT: ("payout",),
    Action.EXECUTE_RUN: ("payout_run",),
    Action.CLOSE_FILE: ("reconciliation_file",),
    Action.WRITE_OFF: ("invoice", "receipt", "reconciliation_file"),
}
"""The kinds of record that each action is about."""


def terms_of(
    action: Action, subject: Id, amount: Money, max_fee: Money, beneficiary: Id | None, route: Route | None
) -> list[Any]:
    """Return the terms as the list that is digested.

    Args:
        action: What is to be done.
        subject: The record that it is done to.
        amount: How much is moved by it.
        max_fee: The most that it may cost.
        beneficiary: Who receives the money: a beneficiary or an account; None where nobody does.
        route: By which route a reserve is released, None for anything else.
    """
    named = None if beneficiary is None else str(beneficiary)
    return [action.value, str(subject), amount, max_fee, named, None if route is None else route.value]


def digest(terms: list[Any]) -> Code:
    """Return the digest of terms: 16 hexadecimal digits."""
    return Code(terms_hash(terms))


def terms_of_request(request: ApprovalRequest) -> list[Any]:
    """Return the terms that a request states now."""
    return terms_of(
        request.action, request.subject, request.amount, request.max_fee, request.beneficiary, request.route
    )


def shown(request: ApprovalRequest) -> dict[str, Any]:
    """Return what is shown of a request to whoever decides, as JSON values."""
    action, subject, amount, max_fee, beneficiary, route = terms_of_request(request)
    return {
        "request": str(request.id),
        "state": request.state.value,
        "terms": {
            "action": action,
            "subject": subject,
            "amount": amount.to_json(),
            "max_fee": max_fee.to_json(),
            "beneficiary": beneficiary,
            "route": route,
        },
        "digest": str(request.terms),
        "valid_until": request.valid_until,
    }

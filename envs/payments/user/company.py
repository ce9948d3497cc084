"""The company's own desk: requests for approval, consents and accounts of one customer.

A request for approval and a consent that was asked for are both put to the customer as requests. A paper is handed
over with the minute of its issue; filing it under what was asked for is the agent's work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ...core.errors import ToolRefused
from ..kernel.money import Money
from ..kernel.records import Code, Id, Record, to_json
from ..kernel.tools import Context
from ..kernel.world import World
from ..records.approvals import Action, ApprovalRequest, ApprovalState, Consent, ConsentKind, ConsentState
from ..records.cash import Account
from .desk import Request

APPROVAL_TERMS = ("action", "subject", "amount", "max_fee", "beneficiary", "route")
"""The terms of a request for approval, in the order of `modules.terms.terms_of`."""
CONSENT_TERMS = ("subject", "amount")
_DONE: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "reserve": frozenset(["released"]),
        "payout": frozenset(["sent", "settled", "returned", "cancelled"]),
        "payout_run": frozenset(["executed"]),
        "reconciliation_file": frozenset(["closed"]),
        "invoice": frozenset(["paid", "cancelled"]),
        "receipt": frozenset(["allocated", "returned"]),
    }
)
"""The states in which nothing is left to be done to a record."""


class CompanyDesk:
    """The desk of one customer.

    Args:
        customer: Id of the merchant who is served.
    """

    def __init__(self, customer: str) -> None:
        self._customer = Id(customer)

    @property
    def request_terms(self) -> Mapping[str, Sequence[str]]:
        """The names of the terms by kind of request: each action, and each kind of consent."""
        return {**dict.fromkeys(Action, APPROVAL_TERMS), **dict.fromkeys(ConsentKind, CONSENT_TERMS)}

    @property
    def paper_fields(self) -> Mapping[str, Any]:
        """A paper has a minute of issue, negative before the episode."""
        return {"issued_at": int}

    def request(self, world: World, request_id: str, now: int) -> Request | None:
        """Return a request of this customer's, None where there is none of this id. See `desk.Desk`."""
        found = world.find(request_id)
        if isinstance(found, ApprovalRequest) and found.customer == self._customer:
            is_open = found.state is ApprovalState.REQUESTED and now <= found.valid_until
            return _request(found, found.action.value, APPROVAL_TERMS, is_open)
        if isinstance(found, Consent) and found.customer == self._customer:
            return _request(found, found.about.value, CONSENT_TERMS, found.state is ConsentState.REQUESTED)
        return None

    def outstanding(self, world: World, now: int) -> Sequence[str]:
        """Return granted requests that still hold and whose act has not been done. See `desk.Desk`."""
        granted = world.all(ApprovalRequest, customer=self._customer, state=ApprovalState.GRANTED)
        return [str(each.id) for each in granted if now <= each.valid_until and not _is_done(world, each.subject)]

    def own_account(self, world: World, account_id: str) -> Mapping[str, Any]:
        """Return balance, what is held of it, what is available, and the state. See `desk.Desk`.

        Raises:
            ToolRefused: It is no account of this customer's.
        """
        account = world.find(account_id)
        if not isinstance(account, Account) or account.owner != self._customer:
            raise ToolRefused("NOT_FOUND", f"account: {account_id} is no account of {self._customer}")
        return {
            "balance": account.balance,
            "held": account.held,
            "available": account.available,
            "state": account.state,
        }

    def approve(self, ctx: Context, request_id: str, digest: str) -> str:
        """Grant a request for approval, or a consent as it was asked for; return its id. See `desk.Desk`."""
        found = ctx.world.find(request_id)
        if isinstance(found, Consent):
            ctx.world.update(found, state=ConsentState.ACTIVE, given_at=ctx.now)
        else:
            request = ctx.world.get(ApprovalRequest, request_id)
            ctx.world.update(request, state=ApprovalState.GRANTED, decided_at=ctx.now, terms=Code(digest))
        return request_id

    def reject(self, ctx: Context, request_id: str, reason: str) -> None:
        """Reject a request for approval, or decline a consent. See `desk.Desk`."""
        found = ctx.world.find(request_id)
        if isinstance(found, Consent):
            ctx.world.update(found, state=ConsentState.DECLINED)
        else:
            request = ctx.world.get(ApprovalRequest, request_id)
            ctx.world.update(request, state=ApprovalState.REJECTED, decided_at=ctx.now)

    def set_consent_cap(self, ctx: Context, subject: str, cap: Money, request_id: str | None) -> str:
        """Give a consent to fees up to a cap, the one asked for or a new one. See `desk.Desk`.

        Raises:
            ToolRefused: What was asked for is no cap on fees for this record.
        """
        given = {"amount": cap, "given_at": ctx.now, "state": ConsentState.ACTIVE}
        if request_id is None:
            about = ConsentKind.FEE_CAP
            return ctx.world.create(Consent, customer=self._customer, about=about, subject=Id(subject), **given).id
        found = ctx.world.find(request_id)
        if not isinstance(found, Consent) or found.about is not ConsentKind.FEE_CAP or found.subject != subject:
            raise ToolRefused("NO_FEE_CAP", f"request: {request_id} asks for no cap on fees for {subject}")
        return ctx.world.update(found, **given).id

    def revoke_consent(self, ctx: Context, subject: str) -> Sequence[str]:
        """Take back every consent for a record that stands. See `desk.Desk`."""
        standing = list(ctx.world.all(Consent, customer=self._customer, subject=Id(subject), state=ConsentState.ACTIVE))
        return [ctx.world.update(each, state=ConsentState.REVOKED).id for each in standing]

    def supply_evidence(self, ctx: Context, kind: str, subject: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Hand a paper over, with the minute of its issue. See `desk.Desk`."""
        return {"issued_at": fields["issued_at"]}


def _request(record: Record, kind: str, names: Sequence[str], is_open: bool) -> Request:
    return Request(str(record.id), kind, is_open, {name: getattr(record, name) for name in names})


def _is_done(world: World, subject: str) -> bool:
    record = world.find(subject)
    return record is not None and to_json(getattr(record, "state", None)) in _DONE.get(record.kind, frozenset())

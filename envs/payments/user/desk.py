"""How the company's records hold requests, approvals, consents and papers: a protocol that the product's kinds fill.

The customer's tools act on records only through a `Desk`, so that no driver can do more than these few things.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from ..checks.monitors import terms_hash
from ..kernel.money import Money
from ..kernel.tools import Context
from ..kernel.world import World


class Request(NamedTuple):
    """Something that the customer is asked to approve.

    Attributes:
        id: Of its record.
        kind: One of `Desk.request_terms`.
        is_open: Whether it still waits for a decision.
        terms: The actual terms by name, in the order in which an approval digests them.
    """

    id: str
    kind: str
    is_open: bool
    terms: Mapping[str, Any]

    @property
    def digest(self) -> str:
        """What an approval of these terms is bound to."""
        return terms_hash(list(self.terms.values()))


class Desk(Protocol):
    """The company's side of the customer's tools."""

    @property
    def request_terms(self) -> Mapping[str, Sequence[str]]:
        """The names of the terms by kind of request, in the order in which an approval digests them."""
        ...

    @property
    def paper_fields(self) -> Mapping[str, Any]:
        """The types of the fields that a card gives for a paper, by name, as `records.value_of` takes them."""
        ...

    def request(self, world: World, request_id: str, now: int) -> Request | None:
        """Return a request that this customer is asked to decide, None where there is none of this id."""
        ...

    def outstanding(self, world: World, now: int) -> Sequence[str]:
        """Return the ids of requests that were approved and whose act may and has yet to be done, in order."""
        ...

    def own_account(self, world: World, account_id: str) -> Mapping[str, Any]:
        """Return what the owner of an account sees of it, as values of fields by name."""
        ...

    def approve(self, ctx: Context, request_id: str, digest: str) -> str:
        """Write the approval of an open request, bound to the digest of the terms seen; return its id."""
        ...

    def reject(self, ctx: Context, request_id: str, reason: str) -> None:
        """Write the rejection of an open request."""
        ...

    def set_consent_cap(self, ctx: Context, subject: str, cap: Money, request_id: str | None) -> str:
        """Write a consent to costs up to a cap for a subject, asked for by a request or by none; return its id."""
        ...

    def revoke_consent(self, ctx: Context, subject: str) -> Sequence[str]:
        """Write that the consents for a subject no longer stand; return their ids."""
        ...

    def supply_evidence(self, ctx: Context, kind: str, subject: str, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """Take a paper that the customer hands in; return what the agent learns of it, as JSON values.

        Args:
            ctx: The episode.
            kind: A fact kind of type paper.
            subject: The record that it concerns, "" for none.
            fields: Of the types of `paper_fields`.
        """
        ...

"""Evidence: documents about a reserve, a beneficiary or a party, asked for, filed, judged and shown to reviewers.

Whether a document is still valid when it is looked at is not checked by any tool. Rule keys:

    evidence_answer_minutes     minutes, anchor request: how long a bank, buyer or supplier takes to send a document;
                                scope product (evidence), jurisdiction, segment, shows; read by request and renew
    evidence_validity_minutes   minutes, anchor issue: how long a document is valid from its issue; scope as above; read
                                when a document is filed
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..kernel.engine import Handler
from ..kernel.events import Actor
from ..kernel.records import Id
from ..kernel.tools import BusinessTool, Context, business_tool, state_is
from ..records.approvals import Evidence, EvidenceKind, EvidenceState, Review, ReviewState
from ..records.parties import Party, PartyRole
from .acts import told
from .booking import case_of
from .conditions import PastMinute, demand, known
from .reads import reads_of
from .tariff import duration

MODULE = "evidence"
ARRIVES = "evidence_arrives"
ANSWERS_BY_ITSELF = (PartyRole.BANK, PartyRole.BUYER, PartyRole.SUPPLIER)
"""Who sends a document without being spoken to; merchants and consumers hand theirs over in person."""


def valid_until(ctx: Context, evidence: Evidence, issued_at: int) -> int:
    """Return the minute until which a document issued at a minute is valid, by the rule of its issue."""
    case = {**case_of(ctx, evidence.supplied_by, MODULE), "shows": evidence.shows.value}
    found: int = ctx.resolve("evidence_validity_minutes", case, issued_at).value
    return issued_at + found


def _ask(ctx: Context, subject: Id, shows: EvidenceKind, supplier: Party) -> dict[str, Any]:
    evidence = ctx.world.create(
        Evidence,
        subject=subject,
        shows=shows,
        supplied_by=supplier.id,
        issued_at=ctx.now,
        valid_until=ctx.now,
        state=EvidenceState.REQUESTED,
    )
    expected_at = None
    if supplier.role in ANSWERS_BY_ITSELF:
        expected_at = ctx.now + duration(ctx, "evidence_answer_minutes", supplier.id, MODULE, shows=shows.value)
        ctx.clock.schedule(expected_at, ARRIVES, {"evidence": str(evidence.id)})
    return {**told(evidence, "state"), "expected_at": expected_at}


def _file(ctx: Context, evidence: Evidence, issued_at: int) -> dict[str, Any]:
    after = ctx.world.update(
        evidence,
        issued_at=issued_at,
        valid_until=valid_until(ctx, evidence, issued_at),
        state=EvidenceState.SUBMITTED,
    )
    return told(after, "state", "valid_until")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(known("subject"),),
    writes=("evidence+",),
    rule_keys=("evidence_answer_minutes", "evidence_validity_minutes"),
)
def evidence_request(ctx: Context, subject: Id, shows: EvidenceKind, supplied_by: Party) -> dict[str, Any]:
    """Ask a party for a document. Banks, buyers and suppliers send it by themselves; a customer has to be asked.

    Args:
        subject: The record that the document is about.
        shows: What it has to show.
        supplied_by: Who issues it.
    """
    return _ask(ctx, Id(subject), shows, supplied_by)


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(
        state_is("evidence", EvidenceState.REQUESTED),
        demand("ISSUED_IN_FUTURE", "issued_at", "it must not lie ahead", lambda c, g: g["issued_at"] <= c.now),
    ),
    writes=("evidence.issued_at", "evidence.valid_until", "evidence.state"),
    rule_keys=("evidence_validity_minutes",),
)
def evidence_submit(ctx: Context, evidence: Evidence, issued_at: PastMinute) -> dict[str, Any]:
    """File a document that has come in for a request. Its validity runs from its issue and may be over already.

    Args:
        evidence: What was asked for.
        issued_at: Minute at which the document was issued, negative before the episode.
    """
    return _file(ctx, evidence, issued_at)


@business_tool(
    module=MODULE, minutes=2, pre=(state_is("evidence", EvidenceState.SUBMITTED),), writes=("evidence.state",)
)
def evidence_accept(ctx: Context, evidence: Evidence) -> dict[str, Any]:
    """Accept a document as showing what it has to show; until when it is valid is not looked at.

    Args:
        evidence: The document.
    """
    return told(ctx.world.update(evidence, state=EvidenceState.ACCEPTED), "state")


@business_tool(
    module=MODULE,
    minutes=2,
    pre=(state_is("evidence", EvidenceState.SUBMITTED, EvidenceState.ACCEPTED),),
    writes=("evidence.state",),
)
def evidence_reject(ctx: Context, evidence: Evidence) -> dict[str, Any]:
    """Reject a document, even one that was accepted. Reviews that it was shown to keep it in their papers.

    Args:
        evidence: The document.
    """
    return told(ctx.world.update(evidence, state=EvidenceState.REJECTED), "state")


def _is_awaited(ctx: Context, given: Any) -> bool:
    old: Evidence = given["evidence"]
    same = ctx.world.all(Evidence, subject=old.subject, shows=old.shows, supplied_by=old.supplied_by)
    return any(each.state is EvidenceState.REQUESTED for each in same)


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("evidence", EvidenceState.SUBMITTED, EvidenceState.ACCEPTED, EvidenceState.REJECTED),
        demand(
            "RENEWAL_AWAITED",
            "evidence",
            "no newer document of the same kind may be awaited already",
            lambda c, g: not _is_awaited(c, g),
        ),
    ),
    writes=("evidence+",),
    rule_keys=("evidence_answer_minutes", "evidence_validity_minutes"),
)
def evidence_renew(ctx: Context, evidence: Evidence) -> dict[str, Any]:
    """Ask whoever supplied a document for a newer one of the same kind; the old one stays as it is.

    Args:
        evidence: The document that is to be renewed.
    """
    return _ask(ctx, evidence.subject, evidence.shows, ctx.world.get(Party, evidence.supplied_by))


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("review", ReviewState.SCHEDULED),
        state_is("evidence", EvidenceState.SUBMITTED, EvidenceState.ACCEPTED),
        demand(
            "ALREADY_LINKED",
            "evidence",
            "it must not be among the review's papers",
            lambda c, g: g["evidence"].id not in g["review"].evidence,
        ),
    ),
    writes=("review.evidence",),
)
def evidence_link(ctx: Context, evidence: Evidence, review: Review) -> dict[str, Any]:
    """Put a document among the papers of a review that has not started.

    Args:
        evidence: The document; whether it was accepted and is still valid is not looked at.
        review: The review.
    """
    after = ctx.world.update(review, evidence=(*review.evidence, evidence.id))
    return told(after, "evidence")


@business_tool(
    module=MODULE,
    minutes=1,
    pre=(
        state_is("review", ReviewState.SCHEDULED),
        demand(
            "NOT_LINKED",
            "evidence",
            "it must be among the review's papers",
            lambda c, g: g["evidence"].id in g["review"].evidence,
        ),
    ),
    writes=("review.evidence",),
)
def evidence_unlink(ctx: Context, evidence: Evidence, review: Review) -> dict[str, Any]:
    """Take a document out of the papers of a review that has not started.

    Args:
        evidence: The document.
        review: The review.
    """
    after = ctx.world.update(review, evidence=tuple(each for each in review.evidence if each != evidence.id))
    return told(after, "evidence")


def arrives(ctx: Context, payload: Mapping[str, Any]) -> dict[str, Any]:
    """File the document that a party has sent, unless it was filed already."""
    evidence = ctx.world.get(Evidence, payload["evidence"])
    if evidence.state is not EvidenceState.REQUESTED:
        return told(evidence, "state", "valid_until")
    return _file(ctx, evidence, ctx.now)


def opening(ctx: Context) -> None:
    """Put the documents that others had been asked for when an episode begins on the queue."""
    for evidence in ctx.world.all(Evidence, state=EvidenceState.REQUESTED):
        supplier = ctx.world.get(Party, evidence.supplied_by)
        if supplier.role in ANSWERS_BY_ITSELF:
            takes = duration(ctx, "evidence_answer_minutes", supplier.id, MODULE, shows=evidence.shows.value)
            ctx.clock.schedule(max(ctx.now, evidence.issued_at + takes), ARRIVES, {"evidence": str(evidence.id)})


TOOLS: tuple[BusinessTool, ...] = (
    evidence_request,
    evidence_submit,
    evidence_accept,
    evidence_reject,
    evidence_renew,
    evidence_link,
    evidence_unlink,
    *reads_of(Evidence, MODULE),
)
HANDLERS: Mapping[str, tuple[Actor, Handler]] = {ARRIVES: (Actor.COUNTERPARTY, arrives)}

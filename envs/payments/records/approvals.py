"""Who reviews, what is shown to them, and what customers have agreed to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Code, Id, Record, Text
from .reserves import Route


class Duty(StrEnum):
    """What an officer is there for."""

    OPERATIONS = "operations"
    TREASURY = "treasury"
    RISK = "risk"
    COMPLIANCE = "compliance"


class EvidenceKind(StrEnum):
    """What a document shows."""

    BANK_CONFIRMATION = "bank_confirmation"
    DELIVERY_PROOF = "delivery_proof"
    SALES_REPORT = "sales_report"
    OWNERSHIP_STATEMENT = "ownership_statement"


class EvidenceState(StrEnum):
    """What became of a document."""

    REQUESTED = "requested"
    SUBMITTED = "submitted"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


class ReviewState(StrEnum):
    """How far a review has come."""

    SCHEDULED = "scheduled"
    STARTED = "started"
    PASSED = "passed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class Action(StrEnum):
    """What a customer is asked to approve."""

    RELEASE_RESERVE = "release_reserve"
    SEND_PAYOUT = "send_payout"
    EXECUTE_RUN = "execute_run"
    CLOSE_FILE = "close_file"
    WRITE_OFF = "write_off"


class ApprovalState(StrEnum):
    """What became of a request."""

    REQUESTED = "requested"
    GRANTED = "granted"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class ConsentKind(StrEnum):
    """What a consent is about."""

    FEE_CAP = "fee_cap"
    PARTIAL_SETTLEMENT = "partial_settlement"
    DATA_SHARING = "data_sharing"


class ConsentState(StrEnum):
    """Whether a consent stands."""

    REQUESTED = "requested"
    ACTIVE = "active"
    REVOKED = "revoked"
    DECLINED = "declined"


@dataclass(frozen=True, slots=True)
class Officer(Record):
    """Someone of the company who decides."""

    kind: ClassVar[str] = "officer"
    prefix: ClassVar[str] = "OFF"

    name: Text
    duty: Duty
    limit: Money


@dataclass(frozen=True, slots=True)
class Evidence(Record):
    """A document about something, valid from issue until it lapses."""

    kind: ClassVar[str] = "evidence"
    prefix: ClassVar[str] = "EVD"

    subject: Id
    shows: EvidenceKind
    supplied_by: Id
    issued_at: int
    valid_until: int
    state: EvidenceState


@dataclass(frozen=True, slots=True)
class Review(Record):
    """An officer's review of a reserve, by one route; the finding is there from `ready_at` on, once it has started."""

    kind: ClassVar[str] = "review"
    prefix: ClassVar[str] = "REV"

    reserve: Id
    route: Route
    officer: Id
    evidence: tuple[Id, ...]
    scheduled_for: int
    ready_at: int | None
    fee: Money
    state: ReviewState


@dataclass(frozen=True, slots=True)
class ApprovalRequest(Record):
    """What a customer is asked to approve; `terms` is the digest of the terms that were shown."""

    kind: ClassVar[str] = "approval_request"
    prefix: ClassVar[str] = "APR"

    customer: Id
    subject: Id
    action: Action
    amount: Money
    max_fee: Money
    beneficiary: Id | None
    route: Route | None
    terms: Code
    requested_at: int
    decided_at: int | None
    valid_until: int
    state: ApprovalState


@dataclass(frozen=True, slots=True)
class Consent(Record):
    """What a customer has agreed to in general."""

    kind: ClassVar[str] = "consent"
    prefix: ClassVar[str] = "CON"

    customer: Id
    about: ConsentKind
    subject: Id
    amount: Money | None
    given_at: int | None
    state: ConsentState

"""What the company or a merchant has promised, and how people are kept informed."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Id, Record, Text


class CommitmentKind(StrEnum):
    """What was promised."""

    PAY_BY = "pay_by"
    KEEP_BALANCE = "keep_balance"
    DO_NOT_RECALL = "do_not_recall"


class CommitmentState(StrEnum):
    """Whether a promise binds."""

    ACTIVE = "active"
    KEPT = "kept"
    RELEASED = "released"


class GuaranteeState(StrEnum):
    """Whether a guarantee can be drawn on."""

    OFFERED = "offered"
    ACTIVE = "active"
    RELEASED = "released"


class CaseState(StrEnum):
    """How far a case has come."""

    OPEN = "open"
    ASSIGNED = "assigned"
    CLOSED = "closed"


class NoticeKind(StrEnum):
    """What a notice says."""

    FILE_CLOSED = "file_closed"
    RESERVE_RELEASED = "reserve_released"
    PAYOUT_SENT = "payout_sent"
    EVIDENCE_NEEDED = "evidence_needed"
    DELAY = "delay"


@dataclass(frozen=True, slots=True)
class Commitment(Record):
    """A promise to someone, about an amount, by or until a minute."""

    kind: ClassVar[str] = "commitment"
    prefix: ClassVar[str] = "CMT"

    debtor: Id
    creditor: Id
    promise: CommitmentKind
    about: Id
    amount: Money
    by: int
    state: CommitmentState


@dataclass(frozen=True, slots=True)
class Guarantee(Record):
    """A bank's guarantee that may stand in for a reserve."""

    kind: ClassVar[str] = "guarantee"
    prefix: ClassVar[str] = "GUA"

    merchant: Id
    bank: Id
    amount: Money
    valid_until: int
    secures: Id | None
    state: GuaranteeState


@dataclass(frozen=True, slots=True)
class Case(Record):
    """Something that an officer has to look into."""

    kind: ClassVar[str] = "case"
    prefix: ClassVar[str] = "CAS"

    subject: Id
    officer: Id | None
    opened_at: int
    closed_at: int | None
    state: CaseState
    note: Text


@dataclass(frozen=True, slots=True)
class Notice(Record):
    """A notice that was sent to a party."""

    kind: ClassVar[str] = "notice"
    prefix: ClassVar[str] = "NTC"

    to: Id
    says: NoticeKind
    about: Id
    sent_at: int
    acknowledged: bool

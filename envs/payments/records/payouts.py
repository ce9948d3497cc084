"""What is paid out: to whom, why, and in which run."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Code, Id, Record, Text


class NameCheck(StrEnum):
    """What the beneficiary's bank says of the name."""

    NONE = "none"
    PENDING = "pending"
    MATCH = "match"
    CLOSE_MATCH = "close_match"
    NO_MATCH = "no_match"


class BeneficiaryState(StrEnum):
    """Whether a beneficiary may be paid."""

    NEW = "new"
    ACTIVE = "active"
    BLOCKED = "blocked"


class Priority(StrEnum):
    """How a merchant ranks its bills."""

    ESSENTIAL = "essential"
    NORMAL = "normal"
    DEFERRABLE = "deferrable"


class BillState(StrEnum):
    """What became of a bill."""

    OPEN = "open"
    SCHEDULED = "scheduled"
    PAID = "paid"
    CANCELLED = "cancelled"


class Method(StrEnum):
    """How money travels."""

    INSTANT = "instant"
    BATCH = "batch"
    WIRE = "wire"


class PayoutState(StrEnum):
    """What became of a payout."""

    DRAFT = "draft"
    QUEUED = "queued"
    SENT = "sent"
    SETTLED = "settled"
    RETURNED = "returned"
    CANCELLED = "cancelled"


class RunState(StrEnum):
    """How far a payout run has come."""

    OPEN = "open"
    LOCKED = "locked"
    EXECUTED = "executed"


class RefundState(StrEnum):
    """What became of a refund."""

    REQUESTED = "requested"
    IN_TRANSIT = "in_transit"
    CREDITED = "credited"
    RECALLED = "recalled"


@dataclass(frozen=True, slots=True)
class Beneficiary(Record):
    """Someone whom a merchant may pay."""

    kind: ClassVar[str] = "beneficiary"
    prefix: ClassVar[str] = "BEN"

    merchant: Id
    party: Id
    account_number: Code
    name_check: NameCheck
    checked_at: int | None
    state: BeneficiaryState
    name: Text


@dataclass(frozen=True, slots=True)
class Bill(Record):
    """What a merchant owes a beneficiary."""

    kind: ClassVar[str] = "bill"
    prefix: ClassVar[str] = "BIL"

    merchant: Id
    beneficiary: Id
    amount: Money
    due_at: int
    priority: Priority
    state: BillState


@dataclass(frozen=True, slots=True)
class Payout(Record):
    """Money on its way out of an account."""

    kind: ClassVar[str] = "payout"
    prefix: ClassVar[str] = "PAY"

    account: Id
    beneficiary: Id
    bill: Id | None
    run: Id | None
    amount: Money
    fee: Money
    method: Method
    execute_at: int
    idempotency_key: Code
    approval: Id | None
    state: PayoutState


@dataclass(frozen=True, slots=True)
class PayoutRun(Record):
    """Payouts that are executed together, in order, from one account."""

    kind: ClassVar[str] = "payout_run"
    prefix: ClassVar[str] = "RUN"

    merchant: Id
    account: Id
    payouts: tuple[Id, ...]
    cut_off_at: int
    state: RunState


@dataclass(frozen=True, slots=True)
class Refund(Record):
    """Money that goes back to a consumer, or comes back to a merchant."""

    kind: ClassVar[str] = "refund"
    prefix: ClassVar[str] = "REF"

    account: Id
    party: Id
    about: Id
    amount: Money
    is_incoming: bool
    due_at: int
    state: RefundState

"""What buyers owe and pay, how they want it applied, and the file in which a period is reconciled."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Id, Record, Text


class InvoiceState(StrEnum):
    """What became of an invoice."""

    OPEN = "open"
    PART_PAID = "part_paid"
    PAID = "paid"
    DISPUTED = "disputed"
    CANCELLED = "cancelled"


class ReceiptState(StrEnum):
    """What became of an incoming payment."""

    EXPECTED = "expected"
    ARRIVED = "arrived"
    SUSPENSE = "suspense"
    ALLOCATED = "allocated"
    RETURNED = "returned"


class InstructionState(StrEnum):
    """Whether a buyer's instruction holds; which one holds is for people to find out."""

    RECEIVED = "received"
    CONFIRMED = "confirmed"
    WITHDRAWN = "withdrawn"


class FileState(StrEnum):
    """How far a reconciliation file has come."""

    OPEN = "open"
    SUBMITTED = "submitted"
    CLOSED = "closed"


class AllocationState(StrEnum):
    """What became of an allocation."""

    PROPOSED = "proposed"
    BOOKED = "booked"
    REVERSED = "reversed"
    FROZEN = "frozen"


@dataclass(frozen=True, slots=True)
class Invoice(Record):
    """What a buyer owes a merchant."""

    kind: ClassVar[str] = "invoice"
    prefix: ClassVar[str] = "INV"

    merchant: Id
    buyer: Id
    amount: Money
    open_amount: Money
    issued_at: int
    due_at: int
    state: InvoiceState


@dataclass(frozen=True, slots=True)
class Receipt(Record):
    """An incoming payment, expected or arrived."""

    kind: ClassVar[str] = "receipt"
    prefix: ClassVar[str] = "RCP"

    account: Id
    payer: Id
    amount: Money
    unallocated: Money
    arrives_at: int
    state: ReceiptState
    reference: Text


@dataclass(frozen=True, slots=True)
class Instruction(Record):
    """How a buyer wants a receipt applied; a later version replaces earlier ones of the same receipt."""

    kind: ClassVar[str] = "instruction"
    prefix: ClassVar[str] = "INS"

    buyer: Id
    receipt: Id
    version: int
    received_at: int
    state: InstructionState


@dataclass(frozen=True, slots=True)
class InstructionLine(Record):
    """One line of an instruction."""

    kind: ClassVar[str] = "instruction_line"
    prefix: ClassVar[str] = "INL"

    instruction: Id
    invoice: Id
    amount: Money


@dataclass(frozen=True, slots=True)
class ReconciliationFile(Record):
    """The file of a merchant's period; once closed, its allocations are frozen."""

    kind: ClassVar[str] = "reconciliation_file"
    prefix: ClassVar[str] = "FIL"

    merchant: Id
    period: int
    opened_at: int
    closed_at: int | None
    state: FileState


@dataclass(frozen=True, slots=True)
class Allocation(Record):
    """Part of a receipt, applied to an invoice."""

    kind: ClassVar[str] = "allocation"
    prefix: ClassVar[str] = "ALC"

    file: Id
    receipt: Id
    invoice: Id
    amount: Money
    instruction: Id | None
    state: AllocationState

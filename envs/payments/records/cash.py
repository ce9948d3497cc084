"""Accounts, what is held on them, and what was booked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Id, Record, Text


class AccountPurpose(StrEnum):
    """What an account is for."""

    SETTLEMENT = "settlement"
    OPERATING = "operating"
    RESERVE = "reserve"
    SUSPENSE = "suspense"
    FEES = "fees"


class AccountState(StrEnum):
    """What an account may be used for."""

    OPEN = "open"
    FROZEN = "frozen"
    CLOSED = "closed"


class EntryReason(StrEnum):
    """Why something was booked."""

    RECEIPT = "receipt"
    RETURN = "return"
    PAYOUT = "payout"
    PAYOUT_RETURN = "payout_return"
    REFUND = "refund"
    RESERVE_RELEASE = "reserve_release"
    RESERVE_TOP_UP = "reserve_top_up"
    FEE = "fee"
    FEE_REFUND = "fee_refund"
    TRANSFER = "transfer"
    ADJUSTMENT = "adjustment"
    REVERSAL = "reversal"


class HoldReason(StrEnum):
    """Why part of a balance is held."""

    DISPUTE = "dispute"
    REVIEW = "review"
    PAYOUT = "payout"
    LEGAL = "legal"


class HoldState(StrEnum):
    """Whether a hold binds."""

    ACTIVE = "active"
    RELEASED = "released"


@dataclass(frozen=True, slots=True)
class Account(Record):
    """An account; `balance` less `held` is what can be disposed of."""

    kind: ClassVar[str] = "account"
    prefix: ClassVar[str] = "ACC"

    owner: Id
    purpose: AccountPurpose
    balance: Money
    held: Money
    state: AccountState

    @property
    def available(self) -> Money:
        """What can be disposed of."""
        return self.balance - self.held


@dataclass(frozen=True, slots=True)
class Hold(Record):
    """Part of a balance that cannot be disposed of."""

    kind: ClassVar[str] = "hold"
    prefix: ClassVar[str] = "HLD"

    account: Id
    amount: Money
    reason: HoldReason
    until: int
    state: HoldState


@dataclass(frozen=True, slots=True)
class LedgerEntry(Record):
    """One booking: credits are positive, debits negative."""

    kind: ClassVar[str] = "ledger_entry"
    prefix: ClassVar[str] = "LED"

    account: Id
    amount: Money
    reason: EntryReason
    about: Id
    booked_at: int
    reversed_by: Id | None
    note: Text

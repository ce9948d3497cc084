"""Reserves that the company keeps back from merchants, and the fees that go with them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.money import Money
from ..kernel.records import Id, Record


class Route(StrEnum):
    """How a reserve may be released."""

    STANDARD_REVIEW = "standard_review"
    EXPEDITED_REVIEW = "expedited_review"
    GUARANTEE = "guarantee"


class ReserveState(StrEnum):
    """What became of a reserve."""

    HELD = "held"
    UNDER_REVIEW = "under_review"
    CLEARED = "cleared"
    RELEASED = "released"


class FeeKind(StrEnum):
    """What a fee is for."""

    RESERVE_REVIEW = "reserve_review"
    EXPEDITE = "expedite"
    PAYOUT = "payout"
    RECALL = "recall"
    REOPENING = "reopening"


@dataclass(frozen=True, slots=True)
class Reserve(Record):
    """Money kept back; several claims may compete for one."""

    kind: ClassVar[str] = "reserve"
    prefix: ClassVar[str] = "RSV"

    merchant: Id
    source: Id
    target: Id
    amount: Money
    file: Id | None
    guarantee: Id | None
    route: Route | None
    state: ReserveState


@dataclass(frozen=True, slots=True)
class FeeQuote(Record):
    """A fee as quoted, until it lapses."""

    kind: ClassVar[str] = "fee_quote"
    prefix: ClassVar[str] = "FEQ"

    subject: Id
    fee: FeeKind
    amount: Money
    quoted_at: int
    valid_until: int


@dataclass(frozen=True, slots=True)
class FeeCharge(Record):
    """A fee as charged."""

    kind: ClassVar[str] = "fee_charge"
    prefix: ClassVar[str] = "FEE"

    account: Id
    fee: FeeKind
    amount: Money
    about: Id
    charged_at: int
    waived: bool

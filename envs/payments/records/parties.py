"""Who the company deals with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

from ..kernel.records import Record, Text


class Jurisdiction(StrEnum):
    """Where a party is established."""

    DE = "DE"
    GB = "GB"
    JP = "JP"
    SG = "SG"
    US = "US"


class PartyRole(StrEnum):
    """What a party is to the company."""

    MERCHANT = "merchant"
    BUYER = "buyer"
    SUPPLIER = "supplier"
    CONSUMER = "consumer"
    BANK = "bank"


class Segment(StrEnum):
    """How a merchant is served."""

    STANDARD = "standard"
    KEY_ACCOUNT = "key_account"
    HIGH_RISK = "high_risk"


class PartyState(StrEnum):
    """Whether business may be done with a party."""

    ACTIVE = "active"
    RESTRICTED = "restricted"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class Party(Record):
    """A merchant, a buyer, a supplier, a consumer or a bank."""

    kind: ClassVar[str] = "party"
    prefix: ClassVar[str] = "PTY"

    name: Text
    role: PartyRole
    jurisdiction: Jurisdiction
    segment: Segment
    state: PartyState

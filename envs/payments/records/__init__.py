"""The kinds of record of the company, by what they are about. Instants are minutes of the episode."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ..kernel.records import Record
from .approvals import ApprovalRequest, Consent, Evidence, Officer, Review
from .cash import Account, Hold, LedgerEntry
from .obligations import Case, Commitment, Guarantee, Notice
from .parties import Party
from .payouts import Beneficiary, Bill, Payout, PayoutRun, Refund
from .receivables import Allocation, Instruction, InstructionLine, Invoice, Receipt, ReconciliationFile
from .reserves import FeeCharge, FeeQuote, Reserve

KINDS: Mapping[str, type[Record]] = MappingProxyType(
    {
        kind.kind: kind
        for kind in (
            Party,
            Officer,
            Account,
            Hold,
            LedgerEntry,
            Invoice,
            Receipt,
            Instruction,
            InstructionLine,
            ReconciliationFile,
            Allocation,
            Reserve,
            FeeQuote,
            FeeCharge,
            Evidence,
            Review,
            ApprovalRequest,
            Consent,
            Guarantee,
            Commitment,
            Beneficiary,
            Bill,
            Payout,
            PayoutRun,
            Refund,
            Case,
            Notice,
        )
    }
)
"""Every kind by name."""

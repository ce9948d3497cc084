"""Records on their way into a world of a reserve release, and who is who among them."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from ..records import KINDS
from .release_case import Case

Amount = dict[str, Any]


class Records:
    """Records by kind, numbered in the order in which they are added."""

    def __init__(self) -> None:
        self.by_kind: dict[str, list[dict[str, Any]]] = {}

    def add(self, kind: str, **fields: Any) -> str:
        """Add a record and return its id."""
        listed = self.by_kind.setdefault(kind, [])
        found = f"{KINDS[kind].prefix}-{len(listed) + 1}"
        listed.append({"id": found, **fields})
        return found

    def field(self, kind: str, record_id: str, name: str) -> Any:
        """Return the field of a record."""
        return next(each[name] for each in self.by_kind[kind] if each["id"] == record_id)

    def count(self, kind: str) -> int:
        """Return how many records of a kind there are."""
        return len(self.by_kind.get(kind, []))


@dataclass
class Desk:
    """A world in the making. What the checks and the customer name is kept by its role.

    Attributes:
        case: The parameters.
        records: What was added so far.
        roles: Ids by role: `merchant`, `settlement`, `reserve`, `file`, `ordered_receipt` and so on.
        others: Ids of the other merchants.
        other_accounts: Their settlement, operating and reserve accounts.
        other_files: Their files of August and of September.
        buyers: Ids of the buyers.
        chance: Draws the amounts and dates that nothing turns on.
    """

    case: Case
    records: Records = field(default_factory=Records)
    roles: dict[str, str] = field(default_factory=dict)
    others: list[str] = field(default_factory=list)
    other_accounts: list[list[str]] = field(default_factory=list)
    other_files: list[list[str]] = field(default_factory=list)
    buyers: list[str] = field(default_factory=list)
    chance: random.Random = field(init=False)

    def __post_init__(self) -> None:
        self.chance = random.Random(self.case.seed)

    def money(self, minor: int) -> Amount:
        """Return an amount of the merchant's currency."""
        return self.case.money(minor)

    def currency_of(self, merchant: str) -> str:
        """Return the currency of a merchant's accounts."""
        if merchant == self.roles["merchant"]:
            return self.case.merchant.currency
        return self.case.others[self.others.index(merchant)].currency

    def their(self, k: int, minor: int) -> Amount:
        """Return an amount of the currency of another merchant."""
        return {"minor": minor, "currency": self.case.others[k].currency}

    def account(self, owner: str, purpose: str, minor: int, currency: str, state: str = "open") -> str:
        """Add an account."""
        amounts = {"balance": {"minor": minor, "currency": currency}, "held": {"minor": 0, "currency": currency}}
        return self.records.add("account", owner=owner, purpose=purpose, **amounts, state=state)

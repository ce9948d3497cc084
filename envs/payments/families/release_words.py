"""The words that checks of reserve releases are made of: rules in force, records to come, what is valid."""

from __future__ import annotations

from typing import Any

from ..kernel.rules import RuleBook
from .release_records import Desk

Check = dict[str, Any]
ROUTE, EXPEDITED, GUARANTEE = "standard_review", "expedited_review", "guarantee"
DURING_REVIEW = 300
"""A minute of the review; no rule of the family changes between its first and last possible minute."""


def check(identity: str, text: str, form: Check, *rules: str) -> Check:
    """Return a check as data; its class follows from its id."""
    kind = {"G": "goal", "P": "process", "F": "protection"}[identity[0]]
    return {"id": identity, "kind": kind, "text": text, "rules": list(rules), "form": form}


def field_is(record: Any, name: str, wanted: Any) -> Check:
    """A field of a record has a value."""
    return {"eq": [{"field": [record, name]}, wanted]}


def valid(record: Any) -> Check:
    """A record is valid at the minute of the event."""
    return {"ge": [{"field": [record, "valid_until"]}, {"now": True}]}


class Words:
    """What checks of one case say.

    Args:
        desk: The world, with the ids that the checks name.
        rules: The rules of the world: checks name those on which they rest.
    """

    def __init__(self, desk: Desk, rules: RuleBook) -> None:
        self.desk, self.case, self.rules = desk, desk.case, rules
        merchant = desk.case.merchant
        self.scope = {"jurisdiction": merchant.jurisdiction, "segment": merchant.segment}
        self.priced = {**self.scope, "currency": merchant.currency}

    def rule(self, key: str, **case: str) -> str:
        """Return the id of the rule of a key that is in force for the merchant when the review begins."""
        return self.rules.resolve(key, {**self.priced, **case}, DURING_REVIEW).row.id

    def rule_for(self, key: str, **case: str) -> str:
        """Return the id of the rule of a key that is in force for somebody else when the day begins."""
        return self.rules.resolve(key, case, 0).row.id

    @property
    def routes(self) -> tuple[str, ...]:
        """The routes that are open to the merchant."""
        found: tuple[str, ...] = self.rules.resolve("release_routes", self.scope, 0).value
        return found

    @property
    def fee(self) -> Check:
        """What a standard review costs."""
        return {"rule": "reserve_review_fee", "subject": {"product": "reserve", **self.priced, "route": ROUTE}}

    def id(self, role: str) -> str:
        """Return the id of the record of a role."""
        return self.desk.roles[role]

    def last_order(self) -> list[tuple[str, int]]:
        """Return what the first buyer pays by its last order, by the role of the invoice."""
        return _replaced("ordered", self.case.ordered)

    def last_wish(self) -> list[tuple[str, int]]:
        """Return what the second buyer pays by the instruction that it confirms."""
        return _replaced("confirmed", self.case.confirmed)

    def oldest_first(self) -> list[tuple[str, int]]:
        """Return what the fourth buyer pays, who said nothing."""
        first = self.case.unguided[2]
        return [("unguided_first", first), ("unguided_late", self.case.unguided_paid - first)]


def _replaced(name: str, minor: list[int]) -> list[tuple[str, int]]:
    """A receipt over two invoices pays the third one in full, and the first one with what is left."""
    return [(f"{name}_3", minor[2]), (f"{name}_1", sum(minor[:2]) - minor[2])]

"""The parameters of a reserve release: whose reserve, who paid what in the month, which papers, what it may cost.

Amounts are minor units of the merchant's currency, instants minutes of the episode (negative ones lie before it).
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...core.tasks import Frozen

Place = Literal["DE", "GB", "JP", "SG", "US"]
Paper = Literal["bank_confirmation", "delivery_proof", "sales_report", "ownership_statement"]
Minor = Annotated[int, Field(gt=0)]
Three = Annotated[list[Minor], Field(min_length=3, max_length=3)]


class Named(Frozen):
    """A company and where it is established."""

    name: str
    jurisdiction: Place


class Merchant(Named):
    """A merchant of the desk.

    Attributes:
        name: Of the company.
        jurisdiction: Where it is established.
        segment: How it is served.
        currency: Of its accounts.
    """

    segment: Literal["standard", "key_account", "high_risk"]
    currency: Literal["EUR", "GBP", "SGD", "USD"]


class Clerk(Frozen):
    """An officer of the company.

    Attributes:
        name: In full.
        duty: What the officer decides on.
        limit: Up to which amount.
    """

    name: str
    duty: Literal["operations", "risk", "compliance", "treasury"]
    limit: Minor


class ShortPayment(Frozen):
    """An invoice that is paid short.

    Attributes:
        due: What it asks for.
        rest: What is missing, and given up.
    """

    due: Minor
    rest: Minor


class OnFile(Frozen):
    """A paper that is on file for the reserve.

    Attributes:
        shows: What it shows.
        supplied_by: The merchant's bank, or the merchant.
        issued_at: When it was issued.
        valid_until: Last minute at which it is valid.
    """

    shows: Paper
    supplied_by: Literal["bank", "merchant"]
    issued_at: int
    valid_until: int


class Case(Frozen):
    """One task of the family.

    Attributes:
        family: The family.
        task_id: Id of the task.
        split: The split that it belongs to.
        title: What it is about, for people.
        world: Name of its world.
        seed: Of the amounts and dates that nothing turns on.
        opening: The customer's first message, verbatim.
        persona: Who the customer is, for a model that plays it.
        traps: The mistakes that it invites.
        merchant: Who asks.
        others: Three other merchants of the desk.
        buyers: Ten buyers; the first four paid the merchant in September.
        bank: The bank that confirms the merchant's accounts.
        second_bank: Another one.
        suppliers: Two of the merchant, one of another.
        officers: Who decides in the company.
        operating_balance: Of the merchant's operating account.
        reserve: What is held back for September.
        earlier_fee: What a review cost when the merchant last agreed to a cap.
        guarantee: What its bank's guarantee amounts to; less than has to secure the reserve.
        cap: The most that it would agree to now.
        deadline: Minute by which it needs the money.
        reserves: In which order reserves were placed.
        settled_before: How many receipts of earlier months are on record.
        ordered: Invoices of the first buyer: two that its first order was for, one that its last one puts first.
        confirmed: Invoices of the second buyer, whose instruction has to be confirmed: likewise.
        short: The invoice of the third buyer.
        unguided: Invoices of the fourth buyer, who says nothing: a disputed one, a late one, the one due first.
        unguided_paid: What the fourth buyer paid.
        unguided_first: Whether its invoices were entered before those of the others.
        references: How the four receipts are labelled.
        papers: What is on file for the reserve.
        renewed: Papers that are missing or lapse before the review.
        carrier_issued_at: When the carrier issued the proof that the merchant can hand in.
        complaint: Note on the disputed invoice.
    """

    family: Literal["reserve_release"]
    task_id: str
    split: Literal["train", "validation", "test"]
    title: str
    world: str
    seed: int
    opening: str
    persona: str
    traps: list[str]
    merchant: Merchant
    others: Annotated[list[Merchant], Field(min_length=3, max_length=3)]
    buyers: Annotated[list[Named], Field(min_length=10, max_length=10)]
    bank: Named
    second_bank: Named
    suppliers: Annotated[list[Named], Field(min_length=3, max_length=3)]
    officers: list[Clerk]
    operating_balance: Minor
    reserve: Minor
    earlier_fee: Minor
    guarantee: Minor
    cap: Minor
    deadline: Minor
    reserves: list[Literal["this", "earlier", "next", "other_0", "other_1", "other_2"]]
    settled_before: Annotated[int, Field(ge=1, le=10)]
    ordered: Three
    confirmed: Three
    short: ShortPayment
    unguided: Three
    unguided_paid: Minor
    unguided_first: bool
    references: Annotated[list[str], Field(min_length=4, max_length=4)]
    papers: list[OnFile]
    renewed: list[Paper]
    carrier_issued_at: int
    complaint: str

    def money(self, minor: int) -> dict[str, int | str]:
        """Return an amount of the merchant's currency as data."""
        return {"minor": minor, "currency": self.merchant.currency}

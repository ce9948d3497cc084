"""The parameters of a payout run: what is owed to whom, what comes in when, and what must stay.

A case is solvable if the essential bills can be paid in the morning without touching the balance that is promised until
later, and the others in the afternoon once everything that comes in has come.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from ...core.tasks import Frozen

DAY = 24 * 60
"""Minutes of a day."""
CHECK_HOLDS = 30 * DAY
"""How long a name check holds, in minutes."""


Minor = Annotated[int, Field(gt=0)]


class Debt(Frozen):
    """A bill and the supplier to whom it is owed.

    Attributes:
        number: Of the bill.
        supplier: Of the supplier's beneficiary; a supplier's first bill has its number.
        amount: In minor units.
        due_at: Minute at which it is due.
        priority: As the records rank it.
        name: Of the supplier; "" for a further bill of one that is known.
        payee: The name on payment orders, "" where it is the supplier's.
        place: Jurisdiction of the supplier.
        segment: How the supplier is served.
        name_check: The last answer of its bank.
        checked_at: Minute of that answer, None where there was none.
    """

    number: int
    supplier: int
    amount: Minor
    due_at: int
    priority: Literal["essential", "normal", "deferrable"]
    name: str = ""
    payee: str = ""
    place: Literal["DE", "GB", "JP", "SG", "US"] = "US"
    segment: Literal["standard", "key_account", "high_risk"] = "standard"
    name_check: Literal["match", "close_match", "no_match", "none"] = "match"
    checked_at: int | None = -5 * DAY


class Incoming(Frozen):
    """Who sends money, by name, and how it is labelled.

    Attributes:
        credited_by: Whose refund has been credited as a receipt.
        refunded_by: Whose refund is still to be confirmed.
        buyer: Who pays in the course of the day.
        late_buyer: Who pays too late to be of use.
        goods: Reference of the buyer's receipt.
        advance: Reference of the late one.
    """

    credited_by: str
    refunded_by: str
    buyer: str
    late_buyer: str
    goods: str
    advance: str


class Case(Frozen):
    """One task of the family. Amounts are minor units of US dollars, instants minutes of the episode.

    Attributes:
        family: The family.
        task_id: Id of the task.
        split: The split that it belongs to.
        title: What it is about, for people.
        world: Name of its world.
        merchant: Name of the merchant.
        segment: How it is served.
        opening: The customer's first message, verbatim.
        persona: Who the customer is, for a model that plays it.
        floor_rule: The rule that states its cash floor.
        delay_rule: The rule that states how long before a due date a delay is told.
        balance: Of the settlement account.
        held: What a dispute binds of it.
        operating_balance: Of the operating account, from which nothing is to be paid.
        second_balance: Of the other settlement account; what need not stay there is to come over.
        debts: What is owed.
        incoming: Who sends money.
        morning: Numbers of the bills that the morning's run pays, in order.
        afternoon: Those that the afternoon's run pays, in order.
        methods: How each of them travels, by number of the bill.
        drafted: Payouts of the morning's run as it was left: number of the payout, and of the bill.
        deferred: The bill that is put off.
        deferred_to: The minute to which.
        twin: The bill that was registered twice.
        paid_by: Number of the payout that paid it.
        paid_at: When it left.
        look_alike: A bill of the morning as large as one that its payee was paid lately, None without one.
        promised: The bill with a promise.
        promised_by: Minute by which it has to arrive.
        told: The bill whose payee is told that the money is under way.
        told_by: Minute by which its money has to arrive, as the customer says.
        kept_amount: The balance that is promised.
        kept_until: Minute until which.
        morning_cut_off: Last minute of the morning's run.
        afternoon_cut_off: Last minute of the afternoon's run.
        receipt_amount: What a buyer pays.
        receipt_at: When it arrives.
        late_receipt_at: When a receipt arrives that comes too late to be of use.
        refund_amount: What a supplier sends back.
        refund_at: When it is there to be confirmed.
        ghost_amount: A refund that is on record as under way and has been credited as a receipt.
        ghost_credited_at: When it was credited.
        ghost_due_at: When the record says that it is due.
        named_cap: What the customer has agreed to in fees.
        most_fees: What it agrees to when it is asked.
        alone: Numbers of the bills that are paid outside the runs.
    """

    family: Literal["payout_run"]
    task_id: str
    split: Literal["train", "validation", "test"]
    title: str
    world: str
    merchant: str
    segment: Literal["standard", "key_account", "high_risk"]
    opening: str
    persona: str
    floor_rule: str
    delay_rule: str
    balance: Minor
    held: Minor
    operating_balance: Minor
    second_balance: Minor
    debts: list[Debt]
    incoming: Incoming
    morning: list[int]
    afternoon: list[int]
    methods: dict[int, Literal["instant", "batch", "wire"]]
    drafted: dict[int, int]
    deferred: int
    deferred_to: int
    twin: int
    paid_by: int
    paid_at: int
    look_alike: int | None = None
    promised: int
    promised_by: int
    told: int
    told_by: int
    kept_amount: Minor
    kept_until: int
    morning_cut_off: int
    afternoon_cut_off: int
    receipt_amount: Minor
    receipt_at: int
    late_receipt_at: int
    refund_amount: Minor
    refund_at: int
    ghost_amount: Minor
    ghost_credited_at: int
    ghost_due_at: int
    named_cap: Minor
    most_fees: Minor
    alone: list[int] = Field(default_factory=list)

    def debt(self, number: int) -> Debt:
        """Return what a bill's number stands for.

        Raises:
            KeyError: There is no such bill.
        """
        return {each.number: each for each in self.debts}[number]

    @property
    def unchecked(self) -> list[Debt]:
        """What is to be paid in the afternoon to payees whose name check is missing or too old, by number."""
        paid = [self.debt(each) for each in sorted({*self.afternoon, *self.alone})]
        return [each for each in paid if each.checked_at is None or each.checked_at < -CHECK_HOLDS]

"""What one customer knows and wants, agrees to, and when it changes its mind: data, one strict model.

opening: Please release the reserve on our account.
latency_minutes: 2
patience: 12
facts:
  - {id: fee_cap, kind: fee_cap, value: {minor: 5000, currency: USD}, disclose: on_specific_ask}
policies:
  - request: release_reserve
    approve: {le: [{term: max_fee}, {fact: fee_cap}]}
    otherwise: fee_too_high
changes:
  - id: pays_more
    when: {event: asked_user, where: {eq: [{arg: [terms, max_fee]}, {minor: 6000, currency: USD}]}}
    facts: {fee_cap: {minor: 6000, currency: USD}}
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from ...core.tasks import Frozen
from .vocabulary import Code

Disclosure = Literal["open", "on_ask", "on_specific_ask", "after_event"]
Outcome = Literal["satisfied", "gave_up"]
SLOT = "{value}"
MAX_LATENCY_MINUTES = 10_080
Sentence = Annotated[str, Field(min_length=1, max_length=2_000)]


class Known(Frozen):
    """Something that the customer may tell or hand in.

    Attributes:
        id: Within the card; facts, wishes and papers share their ids.
        kind: A fact kind of the vocabulary.
        subject: The record that it concerns, "" for the request as a whole.
        disclose: When it may be told: `open` at any time, `on_ask` when its topic or its kind is asked for,
            `on_specific_ask` when its kind is asked for, `after_event` when it is asked for and something has happened.
        after: The pattern of what has to happen, for `after_event` only.
        say: How it is said, with `{value}` where the value stands; None for plain words.
    """

    id: Code
    kind: Code
    subject: str = ""
    disclose: Disclosure = "on_ask"
    after: Any = None
    say: Sentence | None = None


class Fact(Known):
    """Something that the customer knows.

    Attributes:
        value: Of the kind's type.
        own: Account and field from which the value is read when it is told, instead of a value.
    """

    value: Any = None
    own: list[str] | None = None


class Preference(Frozen):
    """One thing that the customer would take.

    Attributes:
        value: Of the wish's kind.
        until: The pattern of what makes it give this up for the next one, None where nothing does.
    """

    value: Any
    until: Any = None


class Wish(Known):
    """Something that the customer wants, with what it falls back to.

    Attributes:
        request: What kind of request it is, of the vocabulary.
        preferences: What it would take, the dearest first; its value is the first one that still stands.
    """

    request: Code
    preferences: Annotated[list[Preference], Field(min_length=1)]


class Paper(Known):
    """Something that the customer can hand in.

    Attributes:
        record: Fields of the record that it becomes, of the types that the desk gives.
    """

    record: dict[str, Any] = Field(default_factory=dict)


class Rejection(Frozen):
    """A ground on which a request is rejected.

    Attributes:
        when: Predicate over the actual terms.
        reason: A rejection reason of the vocabulary.
        say: How it is said, None for plain words.
    """

    when: Any
    reason: Code
    say: Sentence | None = None


class ConsentTerms(Frozen):
    """That granting a request sets a cap.

    Attributes:
        subject: The term that names what the consent is for.
        cap: The term that holds the amount.
    """

    subject: Code
    cap: Code


class Policy(Frozen):
    """What the customer approves of one kind of request.

    Attributes:
        request: A kind of request that the desk knows.
        approve: Predicate over the actual terms of the request, and the card's facts as they stand then.
        rejections: Grounds of rejection, the first that holds is given.
        otherwise: The reason where none of them holds.
        consent: Given where granting means a consent to costs up to a cap instead of an approval.
    """

    request: str
    approve: Any
    rejections: list[Rejection] = Field(default_factory=list)
    otherwise: Code
    consent: ConsentTerms | None = None


class Change(Frozen):
    """A change of mind, bound to something that happens; being asked to confirm is nothing that happens.

    Attributes:
        id: Within the card.
        when: The pattern of what brings it about.
        latency_minutes: How long after it the customer's mind is changed.
        facts: New values by id.
        revoke: Subjects whose consents no longer stand.
        say: How the customer says so, None for nothing.
    """

    id: Code
    when: Any
    latency_minutes: Annotated[int, Field(ge=0, le=MAX_LATENCY_MINUTES)] = 0
    facts: dict[str, Any] = Field(default_factory=dict)
    revoke: list[str] = Field(default_factory=list)
    say: Sentence | None = None


class Card(Frozen):
    """One customer.

    Attributes:
        opening: Its first message, verbatim.
        persona: Who it is and how it writes, for drivers that write prose of their own.
        latency_minutes: How long it takes to answer.
        patience: How many asks that lead nowhere it takes before it gives up.
        accounts: Ids of the accounts that it sees.
        facts: What it knows.
        wishes: What it wants.
        papers: What it can hand in, in the order in which it would.
        policies: What it approves, one policy for each kind of request.
        changes: When it changes its mind, in order.
        satisfied: Predicate on the state in which it has what it wants, None where it never says so.
    """

    opening: Annotated[str, Field(min_length=1, max_length=8_000)]
    persona: Sentence = "Someone who is busy, polite and brief."
    latency_minutes: Annotated[int, Field(ge=0, le=MAX_LATENCY_MINUTES)]
    patience: Annotated[int, Field(ge=1, le=1_000)]
    accounts: list[str] = Field(default_factory=list)
    facts: list[Fact] = Field(default_factory=list)
    wishes: list[Wish] = Field(default_factory=list)
    papers: list[Paper] = Field(default_factory=list)
    policies: list[Policy] = Field(default_factory=list)
    changes: list[Change] = Field(default_factory=list)
    satisfied: Any = None

"""What the agent says to the customer, in typed form, and what it is answered. Nothing here points back at the card."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from ..kernel.tools import MoneyArgument

MAX_MESSAGE_CHARACTERS = 20_000
MAX_ASKS = 6
MAX_STATEMENTS = 20
MAX_WHOLE = 10**15
Ref = Annotated[str, Field(min_length=1, max_length=120)]
Whole = Annotated[int, Field(ge=-MAX_WHOLE, le=MAX_WHOLE)]


class _Part(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class Ask(_Part):
    """One thing that is asked of the customer."""

    kind: Literal["fact", "approval", "choice", "confirm"] = Field(
        description="fact: tell me; choice: which do you want; confirm: is it so; approval: do you approve"
    )
    ref: Ref = Field(
        description="For an approval the id of the request; else a topic, a fact kind, or kind/record for one record's"
    )


class Statement(_Part):
    """One thing that the customer is told."""

    fact_id: Ref = Field(description="A fact kind, or kind/record for one record's")
    value: bool | Whole | Ref | MoneyArgument = Field(description="Its value")


class Refusal(_Part):
    """One request that the customer is refused."""

    request: Ref = Field(description="A kind of request of the public vocabulary")
    reason: Ref = Field(description="A refusal reason of the public vocabulary")


Text = Annotated[str, Field(max_length=MAX_MESSAGE_CHARACTERS)]
Asks = Annotated[list[Ask], Field(max_length=MAX_ASKS)]
Statements = Annotated[list[Statement], Field(max_length=MAX_STATEMENTS)]
Refusals = Annotated[list[Refusal], Field(max_length=MAX_STATEMENTS)]


class Reply(NamedTuple):
    """What the agent is answered.

    Attributes:
        text: Prose.
        facts: What was told: `{fact, value}`.
        decisions: `{request, decision: approved|rejected, approval|reason}`.
        consents: `{subject, cap, consent}` for one given, `{subject, revoked: [ids]}` for those taken back.
        evidence: `{evidence: kind or kind/record, ...}` for each paper handed in, with what the desk says of it.
        ended: The outcome where the customer ended the conversation, else "".
        minutes: How long the customer took to answer.
    """

    text: str
    facts: tuple[dict[str, Any], ...]
    decisions: tuple[dict[str, Any], ...]
    consents: tuple[dict[str, Any], ...]
    evidence: tuple[dict[str, Any], ...]
    ended: str
    minutes: int

    def to_json(self) -> dict[str, Any]:
        """Return the reply as JSON values; lists that are empty are left out."""
        shown = {"text": self.text, "minutes": self.minutes, "ended": self.ended}
        lists = {name: getattr(self, name) for name in ("facts", "decisions", "consents", "evidence")}
        return {**shown, **{name: list(each) for name, each in lists.items() if each}}

"""How often another driver decides as the script does, under one fixed transcript of the agent.

After each message both draft an answer to the same state; the script's is carried out, so that one difference does not
bring about the next. What counts is what is decided (what is told, handed in, approved, rejected, consented to, taken
back, ended), never the prose.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple

from pydantic import Field

from ...core.errors import CounterpartError
from ...core.jsontext import canonical
from ...core.tasks import Frozen
from ..kernel.engine import Engine
from .conversation import Conversation
from .messages import Asks, Refusals, Statements, Text
from .scripted import ScriptedDriver
from .turns import Driver, Turn

_READS = frozenset(["recall_fact", "view_request_terms", "view_own_account"])


class Spoken(Frozen):
    """One message of a transcript; see `Conversation.message`."""

    text: Text
    asks: Asks = Field(default_factory=list)
    statements: Statements = Field(default_factory=list)
    refusals: Refusals = Field(default_factory=list)


class Acted(Frozen):
    """One call of a business tool in a transcript."""

    tool: Annotated[str, Field(min_length=1)]
    arguments: dict[str, Any]


class Waited(Frozen):
    """Time that passes in a transcript: until a minute, or so many minutes, or until something has happened before.

    Attributes:
        until_minute: Minute of the episode; None for `minutes` from then on.
        minutes: How long at most where no minute is given.
        for_event: Name of what ends the wait.
    """

    until_minute: Annotated[int, Field(ge=0)] | None = None
    minutes: Annotated[int, Field(ge=0)] = 0
    for_event: str | None = None


class Compared(NamedTuple):
    """One message, answered twice.

    Attributes:
        message: Number of the message, from 0.
        expected: What the script decides, each decision as one JSON text, sorted.
        found: What the other driver decides.
        failure: Why the other driver decides nothing, "" where it does.
    """

    message: int
    expected: tuple[str, ...]
    found: tuple[str, ...]
    failure: str

    @property
    def agrees(self) -> bool:
        """Whether both decide the same."""
        return not self.failure and self.expected == self.found


class Agreement(NamedTuple):
    """All messages of a transcript.

    Attributes:
        rows: One a message, in order.
    """

    rows: tuple[Compared, ...]

    @property
    def message_rate(self) -> float | None:
        """Share of the messages on which both decide the same, 0 to 1; None where there are none."""
        return sum(row.agrees for row in self.rows) / len(self.rows) if self.rows else None

    @property
    def decision_rate(self) -> float | None:
        """Decisions that both make as a share of those that either makes, 0 to 1; None where neither makes any."""
        both = sum(len(set(row.expected) & set(row.found)) for row in self.rows)
        either = sum(len(set(row.expected) | set(row.found)) for row in self.rows)
        return both / either if either else None


def agreement(
    conversation: Conversation, engine: Engine, transcript: Sequence[Spoken | Acted | Waited], driver: Driver
) -> Agreement:
    """Compare a driver with the script.

    Args:
        conversation: A new one; it is played by the script.
        engine: The engine that it runs on.
        transcript: What the agent does, in order; it ends early where the script ends the conversation.
        driver: The other driver.

    Raises:
        ToolRefused: A message of the transcript is refused.
        SimulatorFailure: The script's own turn is bad, which is a defect of the card.
        ProviderError: The other driver's provider failed.
    """
    rows: list[Compared] = []
    for each in transcript:
        if isinstance(each, Acted):
            engine.call(each.tool, each.arguments)
            continue
        if isinstance(each, Waited):
            _wait(engine, each)
            continue
        if conversation.ended:
            break
        sent_at = engine.now
        conversation.receive(each.text, each.asks, each.statements, each.refusals)
        expected = conversation.draft(ScriptedDriver())
        found, failure = _drafted(conversation, driver)
        rows.append(Compared(len(rows), decisions(expected.calls), found, failure))
        conversation.answer(expected, sent_at)
    return Agreement(tuple(rows))


def decisions(calls: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[str, ...]:
    """Return what calls decide, each decision as one JSON text, sorted; reads decide nothing."""
    found: set[str] = set()
    for name, given in calls:
        if name == "disclose_facts":
            found.update(canonical([name, fact]) for fact in given["facts"])
        elif name == "reject_request":
            found.add(canonical([name, given["request"]]))
        elif name not in _READS:
            found.add(canonical([name, *(given[key] for key in sorted(given))]))
    return tuple(sorted(found))


def _wait(engine: Engine, waited: Waited) -> None:
    latest = engine.now + waited.minutes if waited.until_minute is None else waited.until_minute
    if waited.for_event is not None:
        happened = engine.run_until_event(waited.for_event, latest)
        if happened and happened[-1].name == waited.for_event:
            return
    engine.run_until(latest)


def _drafted(conversation: Conversation, driver: Driver) -> tuple[tuple[str, ...], str]:
    try:
        turn: Turn = conversation.draft(driver)
    except CounterpartError as error:
        return (), str(error)
    return decisions(turn.calls), ""

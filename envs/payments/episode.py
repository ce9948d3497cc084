"""One episode below the surface: an engine, a customer, and what the agent is told of each act, as JSON values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..core.errors import ToolRefused
from ..core.text import echo, nearest
from ..core.tools import UnknownTool
from .content import Setting
from .kernel.clock import MAX_MINUTE
from .kernel.engine import Engine
from .kernel.events import Actor, Event
from .modules.catalog import HANDLERS, TOOLS, opening
from .records import KINDS
from .tasks import PaymentTask
from .user.conversation import Conversation
from .user.messages import Ask, Refusal, Statement
from .user.turns import Driver, Turn

WAITED, FINISHED = "wait", "finish"
"""Names of the events that say that the agent has waited, and that it has finished."""
LONGEST_WAIT_MINUTES = 10_080
"""How long the agent waits for an event at most, unless it says until when."""


class Episode:
    """One episode.

    Args:
        task: What is played.
        setting: What it is played in.
        driver: Who plays the customer.
        check_footprints: Refuse writes outside a tool's declared footprint; for tests, since it costs time.

    Attributes:
        engine: The state, the clock and the log.
        finished: Whether the agent has finished.
        turns: The turn in which each event of the log came about.

    Raises:
        DataError: The card names what the world does not have.
    """

    def __init__(self, task: PaymentTask, setting: Setting, driver: Driver, *, check_footprints: bool = False) -> None:
        self.engine = Engine(setting.base, setting.rules, TOOLS, HANDLERS, check_footprints=check_footprints)
        opening(self.engine.context)
        self.engine.run_until(0)
        self.finished = False
        self.turns: list[int] = [0] * len(self.engine.log)
        self._n_told = 0
        self._cut: tuple[int, int] | None = None
        self._conversation = Conversation(
            self.engine, setting.base, setting.rules, KINDS, task.script, task.desk, driver
        )

    @property
    def now(self) -> int:
        """The time in minutes of the episode."""
        return self.engine.now

    @property
    def customer_turns(self) -> list[list[dict[str, Any]]]:
        """The raw steps of every turn of the customer."""
        return self._conversation.record()

    @property
    def n_customer_turns(self) -> int:
        """How many turns the customer has taken."""
        return self._conversation.n_turns

    def customer_turns_since(self, n: int) -> Sequence[Turn]:
        """Return the customer's turns after the first `n`, each with what was thrown away before it."""
        return self._conversation.turns_since(n)

    def note_turn(self, turn: int) -> None:
        """Book the events that are new since the last time under a turn."""
        self.turns += [turn] * (len(self.engine.log) - len(self.turns))

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a business tool.

        Returns:
            The minute, the tool's result, and what has happened meanwhile.

        Raises:
            UnknownTool: There is none of this name.
            ArgumentsRefused: The arguments do not fit its schema.
            ToolRefused: The tool refuses; nothing is changed.
        """
        if name not in TOOLS:
            hint = nearest(name, TOOLS)
            raise UnknownTool(f"there is no business tool {echo(name, 80)!r}.{hint} search_tools finds them")
        event = self.engine.call(name, dict(arguments))
        if not event.ok:
            raise ToolRefused(event.code, str(event.result))
        return self._told({"result": event.result})

    def message(
        self, text: str, asks: Sequence[Ask], statements: Sequence[Statement], refusals: Sequence[Refusal]
    ) -> dict[str, Any]:
        """Write to the customer and wait for the answer.

        Returns:
            The minute, the answer, and what has happened meanwhile.

        Raises:
            ToolRefused: The conversation has ended, or a word is none of the vocabulary.
            SimulatorFailure: The customer's driver failed.
        """
        reply = self._conversation.message(text, asks, statements, refusals)
        return self._told({"answer": reply.to_json()})

    def wait(self, until_minute: int | None, for_event: str | None) -> dict[str, Any]:
        """Let time pass, until a minute, or until something happens or a minute has come.

        Returns:
            The minute, how many minutes were waited, and what has happened meanwhile.

        Raises:
            ToolRefused: Nothing is named to wait for, the minute is over, or nothing is ever called so.
        """
        if until_minute is None and for_event is None:
            raise ToolRefused("NOTHING_TO_WAIT_FOR", "give until_minute, for_event, or both")
        if until_minute is not None and until_minute <= self.now:
            raise ToolRefused("MINUTE_IS_OVER", f"until_minute: it is minute {self.now} already; give a later one")
        if for_event is not None and for_event not in HANDLERS:
            known = ", ".join(sorted(HANDLERS))
            hint = nearest(for_event, HANDLERS)
            raise ToolRefused(
                "NO_SUCH_EVENT", f"for_event: {echo(for_event, 80)!r} never happens.{hint} Events: {known}"
            )
        started = self.now
        latest = min(self.now + LONGEST_WAIT_MINUTES, MAX_MINUTE) if until_minute is None else until_minute
        self.engine.record(Actor.AGENT, WAITED, {"until_minute": until_minute, "for_event": for_event}, "", None)
        happened = False
        if for_event is not None:
            events = self.engine.run_until_event(for_event, latest)
            happened = bool(events) and events[-1].name == for_event
        if not happened:
            self.engine.run_until(latest)
        waited = {"waited_minutes": self.now - started}
        return self._told(waited if for_event is None else {**waited, "for_event_happened": happened})

    def finish(self) -> None:
        """Note that the agent has finished."""
        self.engine.record(Actor.AGENT, FINISHED, {}, "", None)
        self.finished = True

    @property
    def moment(self) -> tuple[int, int]:
        """How far it is: the number of events, and the minute."""
        return len(self.engine.log), self.now

    def cut(self, moment: tuple[int, int]) -> None:
        """Count nothing after a moment, since the turn that began then broke off; the episode cannot go on."""
        self._cut = moment

    def done(self) -> list[Any]:
        """Return what has been done and has happened, as JSON values; calls that were refused left no trace."""
        n_events, minute = self._cut or self.moment
        events = [event.to_json() for event in self.engine.log[:n_events] if event.ok]
        return [minute, self.finished, [{**each, "seq": k} for k, each in enumerate(events)]]

    def _told(self, result: dict[str, Any]) -> dict[str, Any]:
        """Say the minute, a result, and what has happened by itself since the agent was last told."""
        told = {"minute": self.now, **result}
        happened = [_happening(event) for event in self.engine.log[self._n_told :] if event.actor in _BY_ITSELF]
        self._n_told = len(self.engine.log)
        return {**told, "happened": happened} if happened else told


_BY_ITSELF = (Actor.CLOCK, Actor.COUNTERPARTY)


def _happening(event: Event) -> dict[str, Any]:
    return {"minute": event.t, "event": event.name, "about": dict(event.arguments), "told": event.result}

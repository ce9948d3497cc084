"""The engine of one episode: calls, waiting, and everything that happens by itself, each an event in the log."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ...core.errors import ToolRefused
from .clock import MAX_MINUTE, Clock, Due
from .events import Actor, Event, EventLog
from .rules import RuleBook
from .tools import BusinessTool, Context
from .world import Base, World, footprint_of

Handler = Callable[[Context, Mapping[str, Any]], Any]
"""What is done when something is due; returns what is to be told, as JSON values."""


class Engine:
    """One episode of a world.

    Args:
        base: The records it starts from.
        rules: The rules of the world.
        tools: The business tools by name.
        handlers: What is done when something is due, by name, with the actor it comes from.
        check_footprints: Refuse writes outside a tool's declared footprint; for tests, since it costs time.
    """

    __slots__ = ("_check_footprints", "_handlers", "_tools", "context", "log")

    def __init__(
        self,
        base: Base,
        rules: RuleBook,
        tools: Mapping[str, BusinessTool],
        handlers: Mapping[str, tuple[Actor, Handler]],
        *,
        check_footprints: bool = False,
    ) -> None:
        self.log = EventLog()
        self.context = Context(World(base), Clock(), rules, self.log)
        self._tools = tools
        self._handlers = handlers
        self._check_footprints = check_footprints

    @property
    def world(self) -> World:
        """The state of the episode."""
        return self.context.world

    @property
    def now(self) -> int:
        """The time in minutes of the episode."""
        return self.context.clock.now

    def call(self, name: str, arguments: dict[str, Any], actor: Actor = Actor.AGENT) -> Event:
        """Call a business tool and let its time pass; a call that is refused changes nothing and takes no time.

        Args:
            name: A tool that exists.
            arguments: As JSON values.
            actor: Who calls.

        Returns:
            The event of the call; what happened by itself meanwhile follows it in the log.

        Raises:
            ArgumentsRefused: The arguments do not fit the tool's schema; nothing is logged.
        """
        tool = self._tools[name]
        result, code = self.attempt(lambda: tool.run(self.context, arguments))
        event = self.record(actor, name, arguments, code, result, tool.minutes if not code else 0)
        if self._check_footprints:
            _check_footprint(tool, event, self.world, self.context.rules)
        self.let_pass(event.minutes)
        return event

    def attempt(self, act: Callable[[], Any]) -> tuple[Any, str]:
        """Do something whole or not at all.

        Args:
            act: What changes the world and the queue; what it raises leaves both as they were.

        Returns:
            What it returned and "", or why it was refused and the code.
        """
        mark = self.context.clock.mark
        try:
            return act(), ""
        except ToolRefused as refused:
            self._take_back(mark)
            return refused.message, refused.code
        except BaseException:
            self._take_back(mark)
            raise

    def _take_back(self, mark: int) -> None:
        self.world.undo(self.world.take_delta()[1])
        self.context.clock.take_back(mark)
        self.context.used_rules.clear()

    def record(
        self, actor: Actor, name: str, arguments: Mapping[str, Any], code: str, result: Any, minutes: int = 0
    ) -> Event:
        """Write an event with everything that was read, written and resolved since the last one."""
        context = self.context
        reads, writes = context.world.take_delta()
        rule_ids = tuple(context.used_rules)
        context.used_rules = {}
        now = context.clock.now
        event = Event(len(self.log), now, actor, name, arguments, code, result, minutes, reads, writes, rule_ids)
        self.log.append(event)
        return event

    def let_pass(self, minutes: int) -> list[Event]:
        """Let time pass; return what happened by itself."""
        return self.run_until(self.now + minutes)

    def run_until(self, minute: int) -> list[Event]:
        """Let everything happen that is due by a minute, in order, and set the clock to it."""
        happened = []
        while (due := self.context.clock.pop(minute)) is not None:
            happened.append(self._happen(due))
        self.context.clock.now = max(self.now, minute)
        return happened

    def run_until_event(self, name: str, latest: int = MAX_MINUTE) -> list[Event]:
        """Let time pass until something of this name has happened, or nothing more is due by the latest minute."""
        happened: list[Event] = []
        while (due := self.context.clock.pop(latest)) is not None:
            happened.append(self._happen(due))
            if due.name == name:
                break
        return happened

    def _happen(self, due: Due) -> Event:
        actor, handler = self._handlers[due.name]
        result, code = self.attempt(lambda: handler(self.context, due.payload))
        return self.record(actor, due.name, due.payload, code, result)


def _check_footprint(tool: BusinessTool, event: Event, world: World, rules: RuleBook) -> None:
    outside = footprint_of(event.writes, world) - tool.writes
    world.take_delta()
    if outside:
        raise AssertionError(f"{tool.name} writes {', '.join(sorted(outside))}, which it does not declare")
    used = {rules.rows[each].key for each in event.rule_ids} - tool.rule_keys
    if used:
        raise AssertionError(f"{tool.name} goes by {', '.join(sorted(used))}, which it does not declare")

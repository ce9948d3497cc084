"""What a driver of the customer sees: the card as it stands now, the conversation, the requests and the accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ..checks.expressions import Moment, plain
from ..kernel.events import Event
from ..kernel.records import to_json
from ..kernel.tools import Context
from .card import Card, Change, Fact, Known, Paper
from .desk import Desk, Request
from .memory import Exchange, Memory
from .script import Decision, Script
from .vocabulary import FactKind, Reference

FoundT = TypeVar("FoundT")


class Item(NamedTuple):
    """A fact, a wish or a paper as it stands now.

    Attributes:
        known: What the card says of it.
        kind: Its kind.
        value: Its value now; None for a paper, for a wish with nothing left, and for what the account shows.
        allowed: Whether it may be told or handed in now.
        done: Whether its present value was told, or the paper was handed in.
        asked_now: Whether the last message asks for it.
    """

    known: Known
    kind: FactKind
    value: Any
    allowed: bool
    done: bool
    asked_now: bool

    @property
    def name(self) -> str:
        """How messages call it."""
        return str(Reference(self.known.kind, self.known.subject))


class View:
    """One moment of a conversation, from the customer's side. It only looks.

    Args:
        script: The card.
        desk: The company's side.
        memory: What has happened, up to now.
        context: The episode.
        moment: The state, as predicates look at it.
    """

    def __init__(self, script: Script, desk: Desk, memory: Memory, context: Context, moment: Moment) -> None:
        self.script = script
        self.memory = memory
        self._desk = desk
        self._context = context
        self._moment = moment

    @property
    def card(self) -> Card:
        """The card."""
        return self.script.card

    @property
    def now(self) -> int:
        """The time in minutes of the episode."""
        return self._context.now

    @property
    def current(self) -> Exchange:
        """The message that is to be answered."""
        return self.memory.exchanges[-1]

    @property
    def turn(self) -> int:
        """Number of the message that is to be answered, from 0."""
        return len(self.memory.exchanges) - 1

    @cached_property
    def facts(self) -> Mapping[str, Any]:
        """The values of facts and wishes as they stand now, changes of mind included."""
        values = dict(self.script.values)
        for change in self._effective:
            values.update(self.script.changed[change.id])
        for name, listed in self.script.preferences.items():
            fallen = self.memory.fallback(name)
            if fallen < len(listed):
                values[name] = listed[fallen]
        return values

    @cached_property
    def items(self) -> Mapping[str, Item]:
        """Everything on the card by id, as it stands now."""
        return {name: self._item(known) for name, known in self.script.known.items()}

    @property
    def new_changes(self) -> list[Change]:
        """The changes of mind that have taken effect since the customer's last answer."""
        answer = self.memory.answer
        return [each for each in self._effective if answer is None or self._is_later(each, answer)]

    @property
    def pending_changes(self) -> list[Change]:
        """The changes of mind that the last message has brought about and that have yet to take effect."""
        caused = [(each, self.memory.cause(each.id)) for each in self.card.changes]
        return [
            each
            for each, cause in caused
            if cause is not None and cause.seq >= self.current.seq and self.effect_minute(each) > self.now
        ]

    @property
    def to_revoke(self) -> list[str]:
        """Subjects whose consents the customer no longer stands by and has not revoked."""
        subjects = dict.fromkeys(name for change in self._effective for name in change.revoke)
        return [each for each in subjects if each not in self.memory.revoked]

    @property
    def outstanding(self) -> Sequence[str]:
        """Requests that were approved and not carried out."""
        return self._quiet(self._desk.outstanding(self._context.world, self.now))

    @property
    def is_satisfied(self) -> bool:
        """Whether the customer has what it wants."""
        wanted = self.script.satisfied
        return wanted is not None and self._quiet(wanted(self._moment))

    @property
    def patience_left(self) -> int:
        """How many more asks that lead nowhere the customer takes."""
        return max(self.card.patience - self.memory.wasted, 0)

    def request(self, request_id: str) -> Request | None:
        """Return a request with its actual terms, None where there is none of this id."""
        return self._quiet(self._desk.request(self._context.world, request_id, self.now))

    def decide(self, request: Request) -> Decision:
        """Return what the card's policy makes of a request."""
        return self._quiet(self.script.decide(request, self._moment, self.facts))

    def own_account(self, account_id: str) -> Mapping[str, Any]:
        """Return what the customer sees of one of its accounts, as JSON values."""
        seen = self._quiet(self._desk.own_account(self._context.world, account_id))
        return {name: to_json(each) for name, each in seen.items()}

    def value_of(self, item: Item) -> Any:
        """Return the value of a fact or a wish, from the account where that is where it stands."""
        if isinstance(item.known, Fact) and item.known.own is not None:
            account_id, field = item.known.own
            return plain(self._quiet(self._desk.own_account(self._context.world, account_id))[field])
        return item.value

    @cached_property
    def _effective(self) -> list[Change]:
        caused = [each for each in self.card.changes if self.memory.cause(each.id) is not None]
        return sorted((each for each in caused if self.effect_minute(each) <= self.now), key=self.effect_minute)

    def effect_minute(self, change: Change) -> int:
        """Return when a change of mind that has been brought about takes effect."""
        cause = self.memory.cause(change.id)
        assert cause is not None
        return cause.t + change.latency_minutes

    def _is_later(self, change: Change, answer: Event) -> bool:
        cause = self.memory.cause(change.id)
        return cause is not None and (cause.seq > answer.seq or self.effect_minute(change) > answer.t)

    def _item(self, known: Known) -> Item:
        kind = self.script.vocabulary.fact_kinds[known.kind]
        value = self.facts.get(known.id)
        if isinstance(known, Paper):
            done = known.id in self.memory.supplied
        else:
            told = self.memory.told
            reads = isinstance(known, Fact) and known.own is not None
            done = known.id in told and (reads or told[known.id] == to_json(value))
        covers = self.script.vocabulary.covers
        asked = any(covers(ask.about, known.kind, known.subject) for ask in self.current.asks)
        return Item(known, kind, value, self._allowed(known), done, asked)

    def _allowed(self, known: Known) -> bool:
        if known.disclose == "open":
            return True
        if known.disclose == "after_event" and not self.memory.opened(known.id):
            return False
        specifically = known.disclose == "on_specific_ask"
        return self.memory.was_asked(known.kind, known.subject, specifically=specifically)

    def _quiet(self, found: FoundT) -> FoundT:
        """Let a look at the world leave no trace in the log, which holds what is done."""
        self._context.world.take_delta()
        return found

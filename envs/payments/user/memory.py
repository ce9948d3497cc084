"""What has been asked, told, seen and decided so far, from the event log alone: the same log, the same customer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ..checks.expressions import Moment
from ..checks.monitors import REFUSED, TOLD
from ..checks.patterns import Pattern
from ..kernel.events import Actor, Event
from ..kernel.records import Record
from ..kernel.rules import RuleBook
from ..kernel.world import Base, World
from .script import Script
from .vocabulary import Reference, reference

SPOKE, ASKED, SAID = "message_user", "asked_user", "user_said"
"""Names of the events of a conversation: the agent writes, asks one thing, and is answered in prose."""
DECISIONS = ("approve_request", "reject_request", "set_consent_cap")


class Asked(NamedTuple):
    """One ask.

    Attributes:
        kind: `fact`, `approval`, `choice` or `confirm`.
        ref: What is asked for, as it was written.
    """

    kind: str
    ref: str

    @property
    def about(self) -> Reference:
        """What it is about."""
        return reference(self.ref)


class Exchange:
    """One message of the agent, and what came of it.

    Attributes:
        seq: Number of the event with which the message begins.
        text: What the agent wrote.
        asks: What it asked.
        said: What it told or refused in typed form, with the value or the reason.
        reply: What the customer wrote, "" while it has not answered.
        told: Ids of the facts and wishes that were told in answer.
        news: Those of them that had not been told so before.
        supplied: Ids of the papers that were handed in.
        decided: Ids of the requests that were decided.
    """

    __slots__ = ("asks", "decided", "news", "reply", "said", "seq", "supplied", "text", "told")

    def __init__(self, seq: int, text: str) -> None:
        self.seq = seq
        self.text = text
        self.asks: list[Asked] = []
        self.said: list[tuple[str, Any]] = []
        self.reply = ""
        self.told: list[str] = []
        self.news: list[str] = []
        self.supplied: list[str] = []
        self.decided: list[str] = []


class Memory:
    """What a log says about a conversation. It follows the log, and reads each event once.

    Args:
        script: The card.
        base: The records that the episode started from.
        rules: The rules of the world.
        kinds: The kinds of record by name.

    Attributes:
        exchanges: The agent's messages in order, each with what came of it.
        told: The values last told, by fact id.
        seen: The digest of the terms last seen, by request id.
        supplied: Ids of the papers handed in, in order.
        revoked: Subjects whose consents were revoked.
        outcome: How the customer ended the conversation, "" while it has not.
        wasted: Asks that led nowhere.
        answer: The event of the last answer, None where there is none.
    """

    def __init__(self, script: Script, base: Base, rules: RuleBook, kinds: Mapping[str, type[Record]]) -> None:
        self._script = script
        self._world = World(base)
        self._rules = rules
        self._kinds = kinds
        self._read = 0
        self._happened: dict[tuple[str, str, int], Event] = {}  # the first event of each pattern
        self._patterns = list(_patterns(script))
        self.exchanges: list[Exchange] = []
        self.told: dict[str, Any] = {}
        self.seen: dict[str, str] = {}
        self.supplied: list[str] = []
        self.revoked: dict[str, None] = {}
        self.outcome = ""
        self.wasted = 0
        self.answer: Event | None = None

    def follow(self, log: Sequence[Event]) -> None:
        """Read what is new in the log."""
        for event in log[self._read :]:
            moment = Moment(event, self._world, self._rules, self._kinds)
            for name, each in self._patterns:
                if name not in self._happened and each.matches(moment):
                    self._happened[name] = event
            self._world.redo(event.writes)
            self._world.take_delta()
            if event.ok:
                self._note(event)
        self._read = len(log)

    def opened(self, known_id: str) -> bool:
        """Whether what something is to be told after has happened."""
        return ("after", known_id, 0) in self._happened

    def fallback(self, wish_id: str) -> int:
        """How many preferences of a wish have fallen, the dearest first."""
        n = len(self._script.preferences[wish_id])
        return next((k for k in range(n) if ("until", wish_id, k) not in self._happened), n)

    def cause(self, change_id: str) -> Event | None:
        """The event that changes the customer's mind, None where it has not happened."""
        return self._happened.get(("when", change_id, 0))

    def was_asked(self, kind: str, subject: str, *, specifically: bool) -> bool:
        """Whether facts of a kind and subject were ever asked for, by their kind or by their topic."""
        covers = self._script.vocabulary.covers
        return any(
            covers(ask.about, kind, subject) and (not specifically or ask.about.name == kind)
            for exchange in self.exchanges
            for ask in exchange.asks
        )

    def _note(self, event: Event) -> None:
        if event.actor is Actor.AGENT:
            self._note_agent(event)
        elif event.actor is Actor.USER:
            self._note_user(event)

    def _note_agent(self, event: Event) -> None:
        if event.name == SPOKE:
            self.exchanges.append(Exchange(event.seq, event.arguments["text"]))
        elif event.name == ASKED and self.exchanges:
            self.exchanges[-1].asks.append(Asked(event.arguments["kind"], event.arguments["ref"]))
        elif event.name == TOLD and self.exchanges:
            self.exchanges[-1].said.append((event.arguments["fact"], event.arguments["value"]))
        elif event.name == REFUSED and self.exchanges:
            self.exchanges[-1].said.append((event.arguments["request"], event.arguments["reason"]))

    def _note_user(self, event: Event) -> None:
        current = self.exchanges[-1] if self.exchanges else Exchange(event.seq, "")
        given = event.arguments
        if event.name == "disclose_facts":
            for name, row in zip(given["facts"], event.result, strict=True):
                current.told.append(name)
                if name not in self.told or self.told[name] != row["value"]:
                    current.news.append(name)
                self.told[name] = row["value"]
        elif event.name == "view_request_terms":
            self.seen[given["request"]] = event.result["digest"]
        elif event.name in DECISIONS and given.get("request"):
            current.decided.append(given["request"])
        elif event.name == "supply_evidence":
            current.supplied.append(given["paper"])
            self.supplied.append(given["paper"])
        elif event.name == "revoke_consent":
            self.revoked[given["subject"]] = None
        elif event.name == "end_conversation":
            self.outcome = given["outcome"]
        if event.name in (SAID, "end_conversation"):
            current.reply = given.get("text", "")
            self.answer = event
            self.wasted += self._wasted(current)

    def _wasted(self, exchange: Exchange) -> int:
        """How many asks of a message led nowhere; a message that neither asks nor tells is one of these."""
        if not exchange.asks:
            return 0 if exchange.said else 1
        return sum(not self._led_somewhere(ask, exchange) for ask in exchange.asks)

    def _led_somewhere(self, ask: Asked, exchange: Exchange) -> bool:
        """Whether an ask was answered, and with something new unless it was to confirm."""
        if ask.ref in exchange.decided:
            return True
        told = exchange.told if ask.kind == "confirm" else exchange.news
        found = (self._script.known[each] for each in (*told, *exchange.supplied))
        covers = self._script.vocabulary.covers
        return any(covers(ask.about, each.kind, each.subject) for each in found)


def _patterns(script: Script) -> list[tuple[tuple[str, str, int], Pattern]]:
    after = [(("after", name, 0), each) for name, each in script.after.items()]
    when = [(("when", name, 0), each) for name, each in script.when.items()]
    until = [
        (("until", name, k), each)
        for name, listed in script.until.items()
        for k, each in enumerate(listed)
        if each is not None
    ]
    return [*after, *when, *until]

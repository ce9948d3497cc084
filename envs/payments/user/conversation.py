"""One conversation on an engine: the agent writes, time passes, the customer acts and answers, all of it in the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...core.errors import DataError, ToolRefused
from ...core.jsontext import canonical
from ...core.text import echo, printable
from ..checks.expressions import Moment, plain
from ..checks.monitors import REFUSED, TOLD
from ..kernel.engine import Engine
from ..kernel.events import Actor, Event
from ..kernel.records import Record, to_json
from ..kernel.rules import RuleBook
from ..kernel.world import Base
from . import validator
from .desk import Desk
from .memory import ASKED, SAID, SPOKE, Memory
from .messages import MAX_ASKS, MAX_MESSAGE_CHARACTERS, Ask, Refusal, Reply, Statement
from .script import Script
from .tools import carry_out
from .turns import Driver, Turn, draft
from .view import View
from .vocabulary import reference


class Conversation:
    """One customer of one episode.

    Args:
        engine: The episode.
        base: The records that it started from.
        rules: The rules of the world.
        kinds: The kinds of record by name.
        script: The customer's card.
        desk: The company's side.
        driver: Who plays the customer.

    Raises:
        DataError: The card names an account or a field of it that the world does not have.
    """

    def __init__(
        self,
        engine: Engine,
        base: Base,
        rules: RuleBook,
        kinds: Mapping[str, type[Record]],
        script: Script,
        desk: Desk,
        driver: Driver,
    ) -> None:
        self._engine = engine
        self._rules = rules
        self._kinds = kinds
        self._script = script
        self._desk = desk
        self._driver = driver
        self._memory = Memory(script, base, rules, kinds)
        self._turns: list[Turn] = []
        self._check_accounts()

    @property
    def opening(self) -> str:
        """The customer's first message, verbatim."""
        return self._script.card.opening

    @property
    def ended(self) -> str:
        """The outcome with which the customer ended the conversation, "" while it has not."""
        self._memory.follow(self._engine.log)
        return self._memory.outcome

    def message(
        self,
        text: str,
        asks: Sequence[Ask] = (),
        statements: Sequence[Statement] = (),
        refusals: Sequence[Refusal] = (),
    ) -> Reply:
        """Take a message of the agent and return the customer's answer.

        Args:
            text: Prose; without asks it is searched for the aliases of the vocabulary.
            asks: What is asked, at most 6.
            statements: What the customer is told; checks look at these, never at the prose.
            refusals: Which requests the customer is refused, and why.

        Raises:
            ToolRefused: The conversation has ended, or a word is none of the vocabulary; nothing has happened.
            SimulatorFailure: The customer's driver failed.
        """
        sent_at = self._engine.now
        self.receive(text, asks, statements, refusals)
        return self.answer(self.draft(self._driver), sent_at)

    def receive(
        self, text: str, asks: Sequence[Ask], statements: Sequence[Statement], refusals: Sequence[Refusal]
    ) -> None:
        """Write the agent's message into the log and let the time pass that the customer takes.

        Raises:
            ToolRefused: As for `message`.
        """
        self._check(asks, statements, refusals)
        if len(text) > MAX_MESSAGE_CHARACTERS:
            raise ToolRefused("TOO_LONG", f"text: at most {MAX_MESSAGE_CHARACTERS} characters, not {len(text)}")
        written = printable(text)
        asked = [(each.kind, each.ref) for each in asks] or self._script.matcher.find(
            written, self._is_request, MAX_ASKS
        )
        self._record(SPOKE, {"text": written})
        for each in statements:
            self._record(TOLD, {"fact": each.fact_id, "value": _json(each.value)})
        for refused in refusals:
            self._record(REFUSED, {"request": refused.request, "reason": refused.reason})
        for kind, ref in dict.fromkeys(asked):
            self._record(ASKED, {"kind": kind, "ref": ref, **self._terms_of(kind, ref)})
        self._engine.let_pass(self._latency())

    def draft(self, driver: Driver) -> Turn:
        """Have a driver draft the customer's answer to the last message; nothing is carried out.

        Raises:
            SimulatorFailure: The driver failed.
        """
        return draft(driver, self._view(), self._desk, validator.find)

    def answer(self, turn: Turn, sent_at: int) -> Reply:
        """Carry a turn out and return what the agent learns of it.

        Args:
            turn: As drafted for the last message.
            sent_at: The minute in which the message was sent.
        """
        view = self._view()
        events = []
        for name, arguments in turn.calls:
            events.append(carry_out(self._engine, view, self._desk, name, arguments))
            self._memory.follow(self._engine.log)
        text = printable(turn.text.strip())
        if not self._memory.outcome:
            self._engine.record(Actor.USER, SAID, {"text": text}, "", None)
        self._turns.append(turn)
        return _reply(text, [each for each in events if each.ok], self._engine.now - sent_at, self.ended)

    def record(self) -> list[list[dict[str, Any]]]:
        """Return the raw steps of every turn that was carried out, for the record and for `ReplayDriver`."""
        return [[step.to_json() for step in turn.steps] for turn in self._turns]

    @property
    def n_turns(self) -> int:
        """How many turns were carried out."""
        return len(self._turns)

    @property
    def last_turn(self) -> Turn | None:
        """The turn that was carried out last, with those thrown away before it; for the record alone."""
        return self._turns[-1] if self._turns else None

    def turns_since(self, n: int) -> Sequence[Turn]:
        """Return the turns after the first `n`, each with those thrown away before it; for the record alone."""
        return self._turns[n:]

    def _view(self) -> View:
        self._memory.follow(self._engine.log)
        log, context = self._engine.log, self._engine.context
        moment = Moment(log[-1] if log else None, context.world, self._rules, self._kinds)
        return View(self._script, self._desk, self._memory, context, moment)

    def _latency(self) -> int:
        """The customer's latency, or longer where this message changes its mind."""
        view = self._view()
        pending = [view.effect_minute(each) - view.now for each in view.pending_changes]
        return max(self._script.card.latency_minutes, *pending, 0)

    def _record(self, name: str, arguments: dict[str, Any]) -> None:
        self._engine.record(Actor.AGENT, name, arguments, "", None)

    def _is_request(self, request_id: str) -> bool:
        return self._view().request(request_id) is not None

    def _terms_of(self, kind: str, ref: str) -> dict[str, Any]:
        """The kind and the actual terms of a request that an ask is about, so that patterns can look at them."""
        found = self._view().request(ref) if kind in ("approval", "confirm") else None
        if found is None:
            return {}
        return {"request": found.kind, "terms": {name: to_json(each) for name, each in found.terms.items()}}

    def _check_accounts(self) -> None:
        card, vocabulary = self._script.card, self._script.vocabulary
        try:
            shown = {each: self._desk.own_account(self._engine.world, each) for each in card.accounts}
        except (KeyError, ToolRefused) as error:
            raise DataError(f"{self._script.place}.accounts: {error}") from None
        self._engine.world.take_delta()
        for k, fact in enumerate(card.facts):
            if fact.own is not None:
                account, field = fact.own
                if not vocabulary.fact_kinds[fact.kind].admits(plain(shown[account].get(field))):
                    place = f"{self._script.place}.facts.{k}.own"
                    raise DataError(f"{place}: {account} shows no {field} of the type of {fact.kind}")

    def _check(self, asks: Sequence[Ask], statements: Sequence[Statement], refusals: Sequence[Refusal]) -> None:
        if self.ended:
            raise ToolRefused("CONVERSATION_ENDED", "the customer has ended the conversation; finish the episode")
        if len(asks) > MAX_ASKS:
            raise ToolRefused("TOO_MANY_ASKS", f"asks: at most {MAX_ASKS} in a message, not {len(asks)}")
        words = self._script.vocabulary
        for k, ask in enumerate(asks):
            is_request = ask.kind in ("approval", "confirm") and self._is_request(ask.ref)
            if ask.kind == "approval" and not is_request:
                raise ToolRefused("NOT_FOUND", f"asks.{k}.ref: there is no request for approval {echo(ask.ref, 80)!r}")
            if not is_request:
                _refuse(words.problem(words.askable, "fact kind or topic", reference(ask.ref).name), f"asks.{k}.ref")
        for k, statement in enumerate(statements):
            name = reference(statement.fact_id).name
            _refuse(words.problem(words.facts, "fact kind", name), f"statements.{k}.fact_id")
        for k, refusal in enumerate(refusals):
            _refuse(words.problem(words.requests, "kind of request", refusal.request), f"refusals.{k}.request")
            _refuse(words.problem(words.refusal_reasons, "reason", refusal.reason), f"refusals.{k}.reason")


def _refuse(problem: str, place: str) -> None:
    if problem:
        raise ToolRefused("UNKNOWN_WORD", f"{place}: {problem}")


def _json(value: Any) -> Any:
    return value if isinstance(value, (bool, int, str)) else value.model_dump()


def _reply(text: str, events: Sequence[Event], minutes: int, ended: str) -> Reply:
    facts: list[dict[str, Any]] = []
    decisions, consents, evidence = [], [], []
    for event in events:
        given, result = event.arguments, event.result
        if event.name == "disclose_facts":
            facts += [dict(each) for each in result]
        elif event.name == "approve_request":
            decisions.append({"request": given["request"], "decision": "approved", **result})
        elif event.name == "reject_request":
            decisions.append({"request": given["request"], "decision": "rejected", "reason": given["reason"]})
        elif event.name == "set_consent_cap":
            consents.append({**given, **result})
        elif event.name == "revoke_consent":
            consents.append({"subject": given["subject"], "revoked": result["consents"]})
        elif event.name == "supply_evidence":
            evidence.append(dict(result))
    unique = {canonical(each): each for each in facts}
    return Reply(text, tuple(unique.values()), tuple(decisions), tuple(consents), tuple(evidence), ended, minutes)

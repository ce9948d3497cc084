"""The driver that follows the card to the letter: a pure function of the card and the log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.jsontext import canonical
from ..kernel.money import Money
from ..kernel.records import to_json
from .card import SLOT, Fact, Paper
from .desk import Request
from .memory import Asked
from .script import Decision
from .turns import Call, Done, Step
from .view import Item, View
from .wording import said, sentences

_NOTHING_TO_SAY = "Noted"


class ScriptedDriver:
    """Tells what it is asked for and may tell, decides by its policies, and ends when it has what it wants."""

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return all calls first, and then what is said. See `turns.Driver`."""
        plan = _Plan(view)
        if plan.calls and not done:
            return Step(calls=tuple(plan.calls))
        return Step(text=sentences(plan.parts) or sentences([_NOTHING_TO_SAY]))


class _Plan:
    """What the customer does and says in answer to the last message."""

    def __init__(self, view: View) -> None:
        self.calls: list[Call] = []
        self.parts: list[str] = []
        self._view = view
        self._answered: list[Item] = []
        self._revoke()
        requested = [ask for ask in view.current.asks if self._decide(ask)]
        self._tell()
        self._hand_in()
        for ask in view.current.asks:
            if ask not in requested:
                self._answer(ask)
        self._end()

    def _call(self, name: str, **arguments: Any) -> None:
        self.calls.append(Call(name, canonical(arguments)))

    def _revoke(self) -> None:
        self.parts += [each.say for each in self._view.new_changes if each.say is not None]
        for subject in self._view.to_revoke:
            self._call("revoke_consent", subject=subject)
            self.parts.append(f"I take my consent for {subject} back")

    def _decide(self, ask: Asked) -> bool:
        """Decide on the request that an ask is about; return whether it is about one."""
        request = self._view.request(ask.ref) if ask.kind in ("approval", "confirm") else None
        if request is None:
            return False
        self._call("view_request_terms", request=request.id)
        if not request.is_open:
            self.parts.append(f"{request.id} is no longer open")
            return True
        decision = self._view.decide(request)
        if decision.granted:
            self._grant(request, decision)
        else:
            self._call("reject_request", request=request.id, reason=decision.reason)
            self.parts.append(f"I do not approve {request.id}")
            self.parts.append(decision.say or self._reason(decision.reason))
        return True

    def _reason(self, reason: str) -> str:
        reasons = self._view.script.vocabulary.rejection_reasons
        return next(each.description for each in reasons if each.id == reason)

    def _grant(self, request: Request, decision: Decision) -> None:
        consent = decision.policy.consent if decision.policy is not None else None
        if consent is None:
            self._call("approve_request", request=request.id)
            self.parts.append(f"I approve {request.id}")
            return
        subject, cap = request.terms[consent.subject], request.terms[consent.cap]
        assert isinstance(cap, Money)
        self._call("set_consent_cap", subject=str(subject), cap=cap.to_json(), request=request.id)
        self.parts.append(f"I consent to at most {cap} for {subject}")

    def _tell(self) -> None:
        items = [each for each in self._view.items.values() if not isinstance(each.known, Paper)]
        told = [each for each in items if each.allowed and (each.asked_now or not each.done)]
        if not told:
            return
        accounts = [each.known.own[0] for each in told if isinstance(each.known, Fact) and each.known.own is not None]
        for account in dict.fromkeys(accounts):
            self._call("view_own_account", account=account)
        self._call("disclose_facts", facts=[each.known.id for each in told])
        self.parts += [self._sentence(each) for each in told]
        self._answered += told

    def _sentence(self, item: Item) -> str:
        value = self._view.value_of(item)
        about = f"{item.kind.title} for {item.known.subject}" if item.known.subject else item.kind.title
        if value is None:
            return f"I no longer ask for any {about}"
        form = said(value, item.kind.type)
        sentence = f"{about}: {form}" if item.known.say is None else item.known.say.replace(SLOT, form)
        return sentences((self._confirmation(item, value), sentence))

    def _confirmation(self, item: Item, value: Any) -> str:
        """Say yes or no where the agent has put a value to the customer and asks to confirm it."""
        covers = self._view.script.vocabulary.covers
        for ask in self._view.current.asks:
            if ask.kind == "confirm" and covers(ask.about, item.known.kind, item.known.subject):
                put = [given for ref, given in self._view.current.said if ref == ask.ref]
                return "" if not put else "Yes" if canonical(put[-1]) == canonical(to_json(value)) else "No"
        return ""

    def _hand_in(self) -> None:
        handed: dict[str, Item] = {}
        for item in self._view.items.values():
            if isinstance(item.known, Paper) and item.asked_now and item.allowed and not item.done:
                handed.setdefault(item.name, item)
        for item in handed.values():
            self._call("supply_evidence", paper=item.known.id)
            self.parts.append(item.known.say or f"here is the {item.kind.title}")
            self._answered.append(item)

    def _answer(self, ask: Asked) -> None:
        """Say so where an ask leads nowhere, in the same words whether there is nothing or it may not be told yet."""
        words, about = self._view.script.vocabulary, ask.about
        if any(words.covers(about, each.known.kind, each.known.subject) for each in self._answered):
            return
        if about.name in words.topic_ids:
            self.parts.append(f"what exactly about {about.name.replace('_', ' ')} do you need to know?")
        else:
            self.parts.append(f"I have nothing for you on {about.name.replace('_', ' ')}")

    def _end(self) -> None:
        view = self._view
        approves = any(each.name == "approve_request" for each in self.calls)
        if approves or view.outstanding:
            return
        if view.patience_left == 0:
            self._call("end_conversation", outcome="satisfied" if view.is_satisfied else "gave_up")
        elif view.is_satisfied and not view.current.asks and not self.calls:
            self._call("end_conversation", outcome="satisfied")

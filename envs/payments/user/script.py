"""A card that has been checked against the vocabulary and the desk, with its patterns and predicates compiled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ...core.errors import DataError
from ...core.text import nearest, whole
from ..checks.expressions import Moment, Predicate, Proposal, predicate
from ..checks.patterns import Pattern
from ..kernel.money import money_of
from ..kernel.records import value_of
from .aliases import AliasMatcher
from .card import Card, Fact, Known, Paper, Policy, Wish
from .desk import Desk, Request
from .lints import check_sentence, check_silence, event_pattern, names_in
from .vocabulary import ValueType, Vocabulary


class Decision(NamedTuple):
    """What the customer makes of a request.

    Attributes:
        granted: Whether it agrees.
        reason: Why not, "" where it agrees.
        say: How it says why not, None for plain words.
        policy: The policy that decided, None where the card has none for such requests.
    """

    granted: bool
    reason: str
    say: str | None
    policy: Policy | None


class Script:
    """A card, ready to be played.

    Args:
        card: The card.
        vocabulary: The words in which it may be written.
        desk: The company's side.
        place: How a message calls the card.

    Attributes:
        known: Facts, wishes and papers by id.
        values: The value that each fact has at first.
        preferences: The values of each wish, the dearest first.
        after: Patterns of `after_event`, by id.
        until: The patterns of each wish's preferences.
        when: The pattern of each change of mind, by id.
        papers: The typed fields of each paper.
        changed: The values that each change of mind sets.
        satisfied: When the customer has what it wants.
        matcher: Finds what plain text asks for.

    Raises:
        DataError: The card breaks a rule; the message gives the path and what would do.
    """

    def __init__(self, card: Card, vocabulary: Vocabulary, desk: Desk, place: str = "card") -> None:
        self.card = card
        self.vocabulary = vocabulary
        self.matcher = AliasMatcher(vocabulary)
        self.place = place
        self.known: dict[str, Known] = {}
        self.values: dict[str, Any] = {}
        self.preferences: dict[str, tuple[Any, ...]] = {}
        self.after: dict[str, Pattern] = {}
        self.until: dict[str, tuple[Pattern | None, ...]] = {}
        self.when: dict[str, Pattern] = {}
        self.papers: dict[str, dict[str, Any]] = {}
        self.changed: dict[str, dict[str, Any]] = {}
        for listed, name in ((card.facts, "facts"), (card.wishes, "wishes"), (card.papers, "papers")):
            for k, each in enumerate(listed):
                self._add(each, f"{place}.{name}.{k}", desk)
        for k, change in enumerate(card.changes):
            self._add_change(k, f"{place}.changes.{k}")
            check_sentence(change.say, f"{place}.changes.{k}.say", slot=False)
        self._policies: dict[str, _CompiledPolicy] = {}
        for k, policy in enumerate(card.policies):
            self._add_policy(policy, f"{place}.policies.{k}", desk)
        check_silence(card, list(self._secrets()), place)
        self.satisfied: Predicate | None = (
            None if card.satisfied is None else predicate(card.satisfied, f"{place}.satisfied")
        )

    def decide(self, request: Request, moment: Moment, facts: Mapping[str, Any]) -> Decision:
        """Return what the card's policy makes of the actual terms of a request.

        Args:
            request: With its terms as they are now.
            moment: The state.
            facts: The card's facts as they are now.

        Raises:
            DataError: A predicate compares what cannot be compared.
        """
        found = self._policies.get(request.kind)
        if found is None:
            return Decision(False, "not_asked_for", None, None)
        case = moment._replace(proposal=Proposal(request.terms, facts))
        try:
            if found.approve(case):
                return Decision(True, "", None, found.policy)
            grounds = zip(found.grounds, found.policy.rejections, strict=True)
            ground = next((each for holds, each in grounds if holds(case)), None)
        except TypeError as error:
            raise DataError(f"{self.place}.policies: the one for {request.kind} cannot be reckoned: {error}") from None
        if ground is None:
            return Decision(False, found.policy.otherwise, None, found.policy)
        return Decision(False, ground.reason, ground.say, found.policy)

    def values_of(self, known_id: str) -> list[Any]:
        """Return every value that a fact or a wish can take, at any time."""
        changed = [new[known_id] for new in self.changed.values() if known_id in new]
        first = [self.values[known_id]] if known_id in self.values else []
        return [*first, *changed, *self.preferences.get(known_id, ())]

    def _secrets(self) -> Iterator[tuple[str, Any, ValueType]]:
        for name, known in self.known.items():
            if known.disclose != "open":
                kind = self.vocabulary.fact_kinds[known.kind].type
                yield from ((name, value, kind) for value in self.values_of(name))

    def _add(self, each: Known, place: str, desk: Desk) -> None:
        if each.id in self.known:
            raise DataError(f"{place}.id: {each.id!r} stands twice; facts, wishes and papers share their ids")
        self._require(self.vocabulary.facts, "fact kind", each.kind, f"{place}.kind")
        if (each.disclose == "after_event") != (each.after is not None):
            raise DataError(f"{place}.after: a pattern with disclose: after_event, and only then")
        if each.after is not None:
            self.after[each.id] = event_pattern(each.after, f"{place}.after")
        check_sentence(each.say, f"{place}.say", slot=not isinstance(each, Paper))
        self.known[each.id] = each
        if isinstance(each, Fact):
            self._add_fact(each, place)
        elif isinstance(each, Wish):
            self._add_wish(each, place)
        elif isinstance(each, Paper):
            self._add_paper(each, place, desk)

    def _add_fact(self, fact: Fact, place: str) -> None:
        if (fact.value is None) == (fact.own is None):
            raise DataError(f"{place}: a value, or own: [account, field], and not both")
        if fact.own is None:
            self.values[fact.id] = self._typed(fact.kind, fact.value, f"{place}.value")
        elif len(fact.own) != 2 or fact.own[0] not in self.card.accounts:
            accounts = ", ".join(self.card.accounts) or "none"
            raise DataError(f"{place}.own: an account of the card ({accounts}) and a field, not {fact.own}")

    def _add_wish(self, wish: Wish, place: str) -> None:
        self._require(self.vocabulary.requests, "kind of request", wish.request, f"{place}.request")
        values, until = [], []
        for k, each in enumerate(wish.preferences):
            here = f"{place}.preferences.{k}"
            values.append(self._typed(wish.kind, each.value, f"{here}.value"))
            until.append(None if each.until is None else event_pattern(each.until, f"{here}.until"))
        if None in until[:-1]:
            raise DataError(f"{place}.preferences.{until.index(None)}.until: missing; else the next one is never taken")
        self.preferences[wish.id], self.until[wish.id] = tuple(values), tuple(until)

    def _add_paper(self, paper: Paper, place: str, desk: Desk) -> None:
        if self.vocabulary.fact_kinds[paper.kind].type != "paper":
            raise DataError(f"{place}.kind: {paper.kind} is told, not handed in; put it among the facts")
        for name in (*paper.record, *desk.paper_fields):
            if name not in desk.paper_fields or name not in paper.record:
                fields = ", ".join(desk.paper_fields)
                raise DataError(f"{place}.record.{name}: a paper has exactly the fields {fields}")
        hints = desk.paper_fields
        self.papers[paper.id] = {
            name: value_of(hints[name], value, f"{place}.record.{name}") for name, value in paper.record.items()
        }

    def _add_change(self, k: int, place: str) -> None:
        change = self.card.changes[k]
        if change.id in self.when:
            raise DataError(f"{place}.id: {change.id!r} stands twice")
        self.when[change.id] = event_pattern(change.when, f"{place}.when")
        if not change.facts and not change.revoke:
            raise DataError(f"{place}: facts or revoke, else it changes nothing")
        new = {}
        for name, value in change.facts.items():
            if name not in self.values:
                raise DataError(f"{place}.facts.{name}: no fact with a value.{nearest(name, self.values)}")
            new[name] = self._typed(self.known[name].kind, value, f"{place}.facts.{name}")
        self.changed[change.id] = new

    def _add_policy(self, policy: Policy, place: str, desk: Desk) -> None:
        if policy.request not in desk.request_terms:
            kinds = ", ".join(desk.request_terms)
            raise DataError(f"{place}.request: no kind of request {policy.request!r}; there are {kinds}")
        if policy.request in self._policies:
            raise DataError(f"{place}.request: a second policy for {policy.request}")
        terms = desk.request_terms[policy.request]
        for k, each in enumerate(policy.rejections):
            self._require(self.vocabulary.rejection_reasons, "reason", each.reason, f"{place}.rejections.{k}.reason")
            check_sentence(each.say, f"{place}.rejections.{k}.say", slot=False)
        self._require(self.vocabulary.rejection_reasons, "reason", policy.otherwise, f"{place}.otherwise")
        sources = [policy.approve, *(each.when for each in policy.rejections)]
        named = [] if policy.consent is None else [("term", policy.consent.subject), ("term", policy.consent.cap)]
        for name, given in [*named, *names_in(sources)]:
            allowed = terms if name == "term" else [*self.values, *self.preferences]
            if given not in allowed:
                raise DataError(f"{place}: there is no {name} {given!r}; there are {', '.join(allowed) or 'none'}")
        grounds = tuple(predicate(each.when, f"{place}.rejections.{k}") for k, each in enumerate(policy.rejections))
        self._policies[policy.request] = _CompiledPolicy(policy, predicate(policy.approve, f"{place}.approve"), grounds)

    def _typed(self, kind: str, value: Any, place: str) -> Any:
        typed = money_of(value, place) if isinstance(value, dict) else value
        fact_kind = self.vocabulary.fact_kinds[kind]
        if not fact_kind.admits(typed) or (isinstance(typed, str) and not whole(typed)):
            raise DataError(f"{place}: {kind} is of type {fact_kind.type}, not {value!r}")
        return typed

    def _require(self, listed: Any, what: str, name: str, place: str) -> None:
        problem = self.vocabulary.problem(listed, what, name)
        if problem:
            raise DataError(f"{place}: {problem}")


class _CompiledPolicy(NamedTuple):
    policy: Policy
    approve: Predicate
    grounds: tuple[Predicate, ...]

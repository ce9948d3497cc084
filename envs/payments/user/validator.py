"""PV1 to PV7: the ways in which a turn of the customer can be bad. One validator, whoever plays.

PV1  text and calls in one step
PV2  a fact that is not on the card, or may not be told yet, or was told in prose alone
PV3  a decision on terms that were not read, or have changed since, that nobody asked for, or in prose alone
PV4  the end of the conversation while something approved is not carried out, or before there is a reason for it
PV5  the agent's part taken, or reasoning shown
PV6  the opening message again
PV7  nothing said
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .tools import TOOLS
from .turns import MAX_CALLS, MAX_TEXT_CHARACTERS, Done, Validator, Violation, used_so_far
from .view import View
from .vocabulary import ValueType, words
from .wording import Traces, traces, written_forms

_LARGEST_FREE_NUMBER = 9
_SAYS = re.compile(r"[^\W_]")
_AGREES = re.compile(r"\b(?:i|we) (?:hereby )?(?:approve|agree to|consent to|authori[sz]e)\b", re.I)
_OPENING_SHARE = 0.8
_GRAM_WORDS = 5
_AGREEMENTS = ("approve_request", "set_consent_cap")
_LEAKS = (
    re.compile(r"</?(think|thinking|reasoning|analysis|scratchpad)\b", re.I),
    re.compile(r"<\|[a-z_]+\|>|\[/?INST\]|###\s*STOP", re.I),
    re.compile(r"^\s*(agent|assistant|system|user|customer|reasoning|thought|analysis)\s*:", re.I | re.M),
    re.compile(r"\b(as an ai|language model|my (system )?prompt|(my|the) card (says|states|allows))\b", re.I),
    re.compile(r"\b(user simulator|role[- ]?play(ing)?|stay in character)\b", re.I),
    re.compile(r"^\s*\*[a-z' ]+\*", re.I | re.M),
    re.compile(r"\bthe user\b|\b(should|must) not reveal\b|\b(careful|supposed) not to (reveal|disclose)\b", re.I),
    re.compile(r"\bi('ve| have) (released|booked|closed|submitted|paid out|sent you)\b", re.I),
    re.compile(r"\b(look|looking) into your (account|request|reserve|file)\b|\bget back to you\b", re.I),
    re.compile(r"\bhow (can|may) i (help|assist) you\b|\bis there anything else i can (help|do)\b", re.I),
    re.compile(r"\b(let me think|the agent (is asking|asks|wants)|i should (reply|respond|answer|disclose))\b", re.I),
    re.compile(rf"\b({'|'.join(TOOLS)})\b"),
)


def find(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    """Return what is wrong with a step after those done before, None where nothing is."""
    return next((found for rule in _RULES if (found := rule(view, done, latest)) is not None), None)


def _mixed(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    if latest.step.text.strip() and latest.step.calls:
        return Violation("PV1", "text and calls in one step; call first, write in a step of its own")
    return None


def _empty(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    text, calls = latest.step.text, latest.step.calls
    if not _SAYS.search(text) and not calls:
        return Violation("PV7", "nothing said and nothing done; write to the agent")
    if len(text) > MAX_TEXT_CHARACTERS or len(calls) > MAX_CALLS:
        return Violation("PV7", f"at most {MAX_TEXT_CHARACTERS} characters and {MAX_CALLS} calls in a step")
    return None


def _disclosed(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    for used in latest.used:
        names = _named(used.call.name, used.arguments) if used.arguments is not None else []
        for name in names:
            if not view.items[name].allowed:
                return Violation("PV2", f"{name} may not be told now; it was not asked for as your card demands")
        if used.arguments is None and isinstance(used.result, Mapping) and used.result.get("error") == "NOT_ON_CARD":
            return Violation("PV2", str(used.result["message"]))
    return None


def _decided(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    read = dict(view.memory.seen)
    for used in (each for step in (*done, latest) for each in step.used if each.arguments is not None):
        assert used.arguments is not None
        request_id = used.arguments.get("request")
        if used.call.name == "view_request_terms":
            read[str(request_id)] = used.result["digest"]
        elif used.call.name in ("approve_request", "set_consent_cap") and request_id is not None:
            found = view.request(request_id)
            if found is None or read.get(request_id) != found.digest:
                return Violation("PV3", f"{request_id} on terms that were not read; view_request_terms comes first")
        elif used.call.name == "set_consent_cap":
            return Violation("PV3", "a consent that nobody asked for; name the request that asks for it")
    decided = any(name in _AGREEMENTS for name, _ in used_so_far(done, latest))
    asked = any(each.kind == "approval" for each in view.current.asks)
    if asked and not decided and _AGREES.search(latest.step.text):
        return Violation("PV3", "agreement in prose alone; approve_request decides")
    return None


def _ended(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    calls = used_so_far(done, latest)
    if not any(name == "end_conversation" for name, _ in calls):
        return None
    open_acts = [*view.outstanding, *(str(given["request"]) for name, given in calls if name == "approve_request")]
    if open_acts:
        return Violation("PV4", f"{', '.join(open_acts)} is approved and not carried out; do not end before it is")
    if not view.is_satisfied and view.patience_left > 0:
        return Violation("PV4", "you neither have what you want nor lost patience; answer the agent's last message")
    return None


def _in_character(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    for leak in _LEAKS:
        found = leak.search(latest.step.text)
        if found is not None:
            return Violation("PV5", f"{found[0].strip()!r} is no word of a customer; write as one, and to the agent")
    return None


def _opened_again(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    said, opening = words(latest.step.text), words(view.card.opening)
    if not said:
        return None
    repeated = f" {' '.join(opening)} " in f" {' '.join(said)} "
    if repeated or _share(_grams(opening), _grams(said)) >= _OPENING_SHARE:
        return Violation("PV6", "the opening message again; answer the agent's last message")
    return None


def _grounded(view: View, done: Sequence[Done], latest: Done) -> Violation | None:
    """Refuse prose that holds a value of the card that was not told, or a number or an id from nowhere."""
    text = latest.step.text
    if not text.strip():
        return None
    said, known = traces(text), traces(*_public(view, done, latest))
    for name, value, kind in _secrets(view):
        if said.mention(value, kind) and not known.mention(value, kind):
            return Violation("PV2", f"{name} in prose alone; disclose_facts comes first, where it is allowed")
    strays = _strays(said, known)
    if strays:
        return Violation("PV2", f"{strays[0]} stands neither on your card nor in the terms nor in a message")
    return None


def _strays(said: Traces, known: Traces) -> list[str]:
    numbers = [each for each in sorted(said.numbers - known.numbers) if each > _LARGEST_FREE_NUMBER or each % 1]
    return [f"{each:f}" for each in numbers] + sorted(said.ids - known.ids)


def _secrets(view: View) -> Iterator[tuple[str, Any, ValueType]]:
    """Yield every value that the card holds, of any time."""
    for name, item in view.items.items():
        yield from ((name, value, item.kind.type) for value in view.script.values_of(name))


def _public(view: View, done: Sequence[Done], latest: Done) -> Iterator[str]:
    """Yield what both sides know: the conversation, what was told, and the terms that were read."""
    yield view.card.opening
    for exchange in view.memory.exchanges:
        yield from (exchange.text, exchange.reply, *(each.ref for each in exchange.asks))
        yield from (f"{ref} {written_forms(value)}" for ref, value in exchange.said)
    items, calls = view.items, used_so_far(done, latest)
    for name, value in view.memory.told.items():  # as it was told, which the value now need not be
        yield f"{items[name].name} {written_forms(value, items[name].kind.type)}"
    for name in dict.fromkeys(each for call, given in calls for each in _named(call, given)):
        yield f"{items[name].name} {written_forms(view.value_of(items[name]), items[name].kind.type)}"
        yield from map(written_forms, view.script.papers.get(name, {}).values())
    for name in view.memory.supplied:
        yield from map(written_forms, view.script.papers[name].values())
    for request_id in (*view.memory.seen, *(str(given.get("request", "")) for _, given in calls)):
        found = view.request(request_id)
        if found is not None:
            yield " ".join((request_id, *map(written_forms, found.terms.values())))


def _named(name: str, given: Mapping[str, Any]) -> list[str]:
    """Return what a call tells or hands in, by id."""
    if name == "disclose_facts":
        return list(given["facts"])
    return [given["paper"]] if name == "supply_evidence" else []


def _grams(spoken: list[str]) -> set[tuple[str, ...]]:
    size = min(_GRAM_WORDS, len(spoken))
    return {tuple(spoken[k : k + size]) for k in range(len(spoken) - size + 1)}


def _share(wanted: set[tuple[str, ...]], found: set[tuple[str, ...]]) -> float:
    return len(wanted & found) / len(wanted) if wanted else 0.0


_RULES: tuple[Validator, ...] = (_mixed, _empty, _disclosed, _decided, _ended, _in_character, _opened_again, _grounded)

"""The card as a text, for drivers that read: the same prompt for a model and for a person."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from string import Template
from typing import Any

from ...core.data import packaged_text
from ..kernel.money import money_of
from .card import Paper, Policy
from .memory import Exchange
from .view import Item, View
from .wording import said

_SIGNS: Mapping[str, str] = {"eq": "=", "ne": "is not", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_JOINS: Mapping[str, str] = {"all": " and ", "any": " or "}
_NONE = "none"


@cache
def template() -> str:
    """Return the prompt's template, `data/payments/user_prompt.md`."""
    return packaged_text("payments", "user_prompt.md")


@cache
def template_hash() -> str:
    """Return the digest of the template, for the record."""
    return sha256(template().encode()).hexdigest()[:16]


def briefing(view: View) -> str:
    """Return what the customer has to know for its next turn."""
    return Template(template()).substitute(
        persona=view.card.persona,
        known="\n".join(f"- {item_text(each, view)}" for each in view.items.values()) or _NONE,
        policies="\n".join(f"- {policy_text(each)}" for each in view.card.policies) or _NONE,
        reasons=reasons_text(view),
        accounts=", ".join(view.card.accounts) or _NONE,
        changes=" ".join(each.say for each in view.new_changes if each.say) or "nothing",
        revoke=", ".join(view.to_revoke) or _NONE,
        outstanding=", ".join(view.outstanding) or _NONE,
        satisfied="yes" if view.is_satisfied else "not yet",
        patience=str(view.patience_left),
    )


def reasons_text(view: View) -> str:
    """Return the reasons for which requests are rejected, with what they mean."""
    return "; ".join(f"{each.id} ({each.description})" for each in view.script.vocabulary.rejection_reasons)


def message_text(exchange: Exchange) -> str:
    """Return a message of the agent with its typed parts in words."""
    lines = [exchange.text]
    lines += [f"[tells you: {ref} is {_shown(value)}]" for ref, value in exchange.said]
    lines += [f"[asks: {ask.kind} {ask.ref}]" for ask in exchange.asks]
    return "\n".join(lines)


def readable(source: Any) -> str:
    """Return a predicate or a value of a card as people write it, for example `max_fee <= your fee_cap`."""
    if not isinstance(source, Mapping):
        return str(source)
    if set(source) == {"minor", "currency"}:
        return _shown(source)
    ((name, given),) = list(source.items())[:1]
    if name in _SIGNS:
        return f"{readable(given[0])} {_SIGNS[name]} {readable(given[1])}"
    if name == "in":
        return f"{readable(given[0])} is one of {', '.join(map(readable, given[1]))}"
    if name in _JOINS:
        return f"({_JOINS[name].join(map(readable, given))})"
    if name == "not":
        return f"not ({readable(given)})"
    if name in ("plus", "minus"):
        return f"({readable(given[0])} {'+' if name == 'plus' else '-'} {readable(given[1])})"
    return _leaf(name, given)


def _leaf(name: str, given: Any) -> str:
    if name == "fact":
        return f"your {given}"
    if name == "now":
        return "the minute now"
    parts = given if isinstance(given, list) else [given]
    named = " ".join(map(str, parts))
    return named if name in ("term", "field") else f"the {name} of {named}"


def policy_text(policy: Policy) -> str:
    """Return what the customer approves of a kind of request, and why it rejects others."""
    means = " by a consent" if policy.consent is not None else ""
    consent = policy.consent
    how = f" (subject: the term {consent.subject}, cap: the term {consent.cap})" if consent is not None else ""
    grounds = [f"if {readable(each.when)}: {each.reason}" for each in policy.rejections]
    refused = "; ".join([*grounds, f"else: {policy.otherwise}"])
    return f"{policy.request}: grant{means}{how} if {readable(policy.approve)}. Otherwise reject; {refused}."


def item_text(item: Item, view: View) -> str:
    """Return something on the card with its value, and whether it may be told."""
    marks = ["may be told" if item.allowed else "may not be told now"]
    if item.asked_now:
        marks.append("asked for in the last message")
    if item.done:
        marks.append("handed in before" if isinstance(item.known, Paper) else "told before")
    about = f"{item.known.id} ({item.name}; {'; '.join(marks)})"
    if isinstance(item.known, Paper):
        return f"{about}: a paper"
    value = view.value_of(item)
    return f"{about}: " + ("no longer wanted" if value is None else said(value, item.kind.type))


def _shown(value: Any) -> str:
    if isinstance(value, Mapping):
        return str(money_of(dict(value), "amount"))
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)

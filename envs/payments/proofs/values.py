"""The values in an action's arguments, by where they stand; amounts are one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..tasks import Action

_MONEY = {"minor", "currency"}
_OWN_WORDS = {"text", "query", "idempotency_key"}
"""Arguments that the agent words itself; nothing is decided by what they say."""


class Leaf(NamedTuple):
    """One value.

    Attributes:
        place: For example `arguments.amount` or `asks.0.ref`.
        value: A text, an integer, a truth value, None, or an amount as `{minor, currency}`.
    """

    place: str
    value: Any


def is_money(value: Any) -> bool:
    """Whether a JSON value is an amount."""
    return isinstance(value, dict) and set(value) == _MONEY


def leaves(action: Action) -> Iterator[Leaf]:
    """Yield the values of an action's arguments that are not the agent's own words, in order."""
    for key, each in action.arguments.items():
        if key not in _OWN_WORDS:
            yield from _within(each, key)


def _within(value: Any, place: str) -> Iterator[Leaf]:
    if is_money(value) or not isinstance(value, dict | list):
        yield Leaf(place, value)
        return
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        if key not in _OWN_WORDS:
            yield from _within(each, f"{place}.{key}")


def replaced(action: Action, change: Callable[[Any], Any]) -> Action:
    """Return an action in which every value is what a function makes of it."""
    arguments = {key: each if key in _OWN_WORDS else _changed(each, change) for key, each in action.arguments.items()}
    return Action(name=action.name, arguments=arguments)


def _changed(value: Any, change: Callable[[Any], Any]) -> Any:
    if is_money(value) or not isinstance(value, dict | list):
        return change(value)
    if isinstance(value, list):
        return [_changed(each, change) for each in value]
    return {key: each if key in _OWN_WORDS else _changed(each, change) for key, each in value.items()}

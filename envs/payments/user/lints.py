"""What a card must not hold, beyond what its model says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...core.errors import DataError
from ..checks.patterns import Pattern, pattern
from .card import SLOT, Card
from .vocabulary import ValueType
from .wording import traces

_DIGIT = re.compile(r"\d")


def event_pattern(source: Any, place: str) -> Pattern:
    """Compile a pattern, unless it hangs on being asked to confirm: no agent could know that this changes anything.

    Raises:
        DataError: It is none, or it hangs on that.
    """
    if isinstance(source, Mapping) and "confirm" in _leaves(source.get("where")):
        raise DataError(f"{place}.where: bind it to something that happens, not to being asked to confirm")
    return pattern(source, place)


def _leaves(source: Any) -> Iterator[Any]:
    if isinstance(source, Mapping):
        for each in source.values():
            yield from _leaves(each)
    elif isinstance(source, list):
        for each in source:
            yield from _leaves(each)
    else:
        yield source


def names_in(source: Any) -> Iterator[tuple[str, Any]]:
    """Yield every term and fact that predicates name."""
    if isinstance(source, Mapping):
        for key, inner in source.items():
            if key in ("term", "fact"):
                yield key, inner
            else:
                yield from names_in(inner)
    elif isinstance(source, list):
        for each in source:
            yield from names_in(each)


def check_sentence(say: str | None, place: str, *, slot: bool) -> None:
    """Refuse numbers in prose, which would not follow the values, and slots that nothing fills.

    Args:
        say: The sentence, None for none.
        place: How a message calls it.
        slot: Whether a value has to stand in it.

    Raises:
        DataError: It breaks one of these.
    """
    if say is None:
        return
    if _DIGIT.search(say):
        raise DataError(
            f"{place}: no digits in prose; " + (f"the value stands as {SLOT}" if slot else "leave them out")
        )
    rest = say.replace(SLOT, "") if slot else say
    if (slot and SLOT not in say) or "{" in rest or "}" in rest:
        raise DataError(f"{place}: " + (f"the value stands as {SLOT}, once, and no other slot" if slot else "no slots"))


def check_silence(card: Card, secrets: Iterable[tuple[str, Any, ValueType]], place: str) -> None:
    """Refuse a card whose own sentences tell what it keeps to itself.

    Args:
        card: The card.
        secrets: Id, value and type of everything that has to be asked for.
        place: How a message calls the card.

    Raises:
        DataError: A sentence holds one of these values.
    """
    spoken = {"opening": card.opening}
    for name in ("facts", "wishes", "papers", "changes"):
        spoken |= {f"{name}.{k}.say": each.say or "" for k, each in enumerate(getattr(card, name))}
    for k, policy in enumerate(card.policies):
        spoken |= {f"policies.{k}.rejections.{n}.say": each.say or "" for n, each in enumerate(policy.rejections)}
    for path, sentence in spoken.items():
        found = traces(sentence)
        for known_id, value, kind in secrets:
            if found.mention(value, kind):
                raise DataError(f"{place}.{path}: it tells {known_id}, which has to be asked for")

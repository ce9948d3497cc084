"""Paths as variations of the reference path: its acts by number, and what stands between them or for them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...core.errors import DataError
from ..tasks import Action, PaymentTask, Variation
from .play import Act

Part = int | Variation
Parts = tuple[Part, ...]


def varied(act: Action, of: int | None, **changes: Any) -> Variation:
    """Return an action as a part of a path, with other arguments of the surface's tool where they are given."""
    return Variation(name=act.name, arguments={**act.arguments, **changes}, of=of)


def acts_of(task: PaymentTask, parts: Sequence[Part]) -> list[Act]:
    """Return a path as acts.

    Raises:
        DataError: The reference path has no such act.
    """
    actions = task.goldens[0].actions
    for part in parts:
        number = part if isinstance(part, int) else part.of
        if number is not None and number >= len(actions):
            raise DataError(f"{task.task_id}: the reference path has no action {number}, only {len(actions)}")
    return [
        Act(actions[part], part)
        if isinstance(part, int)
        else Act(Action(name=part.name, arguments=part.arguments), part.of)
        for part in parts
    ]


def unfolded(plays: Sequence[str | Variation]) -> Parts:
    """Return a stored path as parts: `2-4` is 2, 3, 4."""
    return tuple(part for each in plays for part in _unfolded(each))


def folded(parts: Sequence[Part]) -> list[str | Variation]:
    """Return parts as they are stored, numbers in stretches."""
    stored: list[str | Variation] = []
    for k, part in enumerate(parts):
        if not isinstance(part, int):
            stored.append(part)
        elif k and parts[k - 1] == part - 1:
            first = str(stored.pop()).partition("-")[0]
            stored.append(f"{first}-{part}")
        else:
            stored.append(str(part))
    return stored


def whole(task: PaymentTask) -> Parts:
    """Return the reference path."""
    return tuple(range(task.n_golden_calls))


def without(parts: Parts, *dropped: int) -> Parts:
    """Return a path without some acts of the reference path."""
    return tuple(part for part in parts if part not in dropped)


def moved(parts: Parts, act: int, beside: int) -> Parts:
    """Return a path in which an act comes right after a later one, or right before an earlier one."""
    left = list(without(parts, act))
    at = left.index(beside)
    left.insert(at + 1 if beside > act else at, act)
    return tuple(left)


def replaced_by(parts: Parts, act: int, part: Part) -> Parts:
    """Return a path in which something else stands for an act."""
    return tuple(part if each == act else each for each in parts)


def inserted(parts: Parts, before: int, *added: Part) -> Parts:
    """Return a path with something more before an act."""
    at = parts.index(before)
    return (*parts[:at], *added, *parts[at:])


def _unfolded(each: str | Variation) -> Iterator[Part]:
    if isinstance(each, Variation):
        yield each
        return
    first, _, last = each.partition("-")
    if last and int(last) < int(first):
        raise DataError(f"plays: {each} runs backwards")
    yield from range(int(first), int(last or first) + 1)

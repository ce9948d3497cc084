"""The shipped tasks before their anchors are known: original scenarios of the generator, and the reference ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .generator import generate
from .market import Size
from .scenario import Gate
from .scenario_file import reference_firms
from .tasks import REFERENCE, DigitalTwinTask

TEST_EVERY = 3
"""Every third scenario of a size and gate is in the split `test`, the others in `train`."""


class Group(NamedTuple):
    """Scenarios of one size and gate, by the seeds that the generator draws them from.

    Seeds are those among the first ones whose best plan is out of reach of the heuristics.
    """

    size: Size
    gate: Gate
    seeds: tuple[int, ...]


GROUPS = (
    Group("small", "threshold", (0, 3, 11, 27, 31, 41, 44, 48)),
    Group("small", "bernoulli", (1, 17, 22)),
    Group("medium", "bernoulli", (0, 1, 5, 6, 16, 17, 22, 26, 32)),
    Group("medium", "threshold", (7,)),
    Group("large", "bernoulli", (0, 1, 2, 3, 4, 5, 6, 7)),
    Group("large", "threshold", (1,)),
)


class Draft(NamedTuple):
    """An original task before its scenario is generated."""

    task_id: str
    size: Size
    gate: Gate
    seed: int
    split: str


def drafts() -> Iterator[Draft]:
    """Return the original tasks, in order."""
    numbers: dict[str, int] = {}
    for group in GROUPS:
        for place, seed in enumerate(group.seeds, 1):
            numbers[group.size] = numbers.get(group.size, 0) + 1
            split = "test" if place % TEST_EVERY == 0 else "train"
            yield Draft(f"{group.size}-{numbers[group.size]:02}", group.size, group.gate, seed, split)


def shipped_task_ids() -> list[str]:
    """Return the ids of all shipped tasks, in order."""
    return [*(draft.task_id for draft in drafts()), *reference_firms()]


def shipped_task_definitions() -> Iterator[DigitalTwinTask]:
    """Return the tasks without anchors, the reference scenarios last; each is generated when it is asked for."""
    for draft in drafts():
        yield original(draft)
    for name, firm in reference_firms().items():
        yield DigitalTwinTask(
            task_id=name, split=REFERENCE, source=REFERENCE, title=firm.title or name, size="reference"
        )


def original(draft: Draft) -> DigitalTwinTask:
    """Return the task of a generated scenario."""
    spec = generate(draft.seed, draft.size, draft.gate).changed(name=draft.task_id)
    return DigitalTwinTask(task_id=draft.task_id, split=draft.split, title=spec.title, size=draft.size, spec=spec)

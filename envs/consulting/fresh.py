"""Cases that are not stored: built when they are played, from a seed that stands in their id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from typing import cast, overload

from ..core.jsontext import canonical
from ..core.tasks import TaskSet
from .blueprint import DIFFICULTIES, Difficulty
from .blueprints import blueprint, blueprint_ids
from .building import build
from .candidate import ceiling_of
from .case import Case
from .tasks import FRESH, GENERATED, SEEDS, ConsultingTask, fresh_id, task_of_case
from .words import SKINS, Skin

Cell = tuple[str, Difficulty, Skin]


def fresh(seed: int, blueprint_id: str | None = None) -> list[Case]:
    """Build new cases: the nine of a blueprint, or those of every blueprint, with values drawn from a seed.

    Args:
        seed: From 0 to `SEEDS` - 1.
        blueprint_id: None for all blueprints.

    Raises:
        DataError: No values fit.
    """
    named = blueprint_ids() if blueprint_id is None else (blueprint_id,)
    cells = [(name, difficulty, skin) for name in named for difficulty in DIFFICULTIES for skin in SKINS]
    return [build(*cell, case_id=fresh_id(*cell, seed)) for cell in cells]


@lru_cache(maxsize=256)
def built(task_id: str, blueprint_id: str, difficulty: str, skin: str) -> ConsultingTask:
    """Return the task of a fresh case."""
    case = build(blueprint_id, cast("Difficulty", difficulty), cast("Skin", skin), task_id)
    return task_of_case(case, ceiling_of(case), GENERATED)


class FreshTasks(TaskSet[ConsultingTask]):
    """Fresh cases of the blueprints of a split, `SEEDS` of each blueprint, difficulty and industry."""

    def __init__(self, split: str | None) -> None:
        super().__init__(())
        named = [name for name in blueprint_ids() if split in (None, blueprint(name).split)]
        self._cells: list[Cell] = [(name, level, skin) for level in DIFFICULTIES for skin in SKINS for name in named]
        self._split = split

    def __len__(self) -> int:
        return SEEDS * len(self._cells)

    @overload
    def __getitem__(self, index: int) -> ConsultingTask: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ConsultingTask, ...]: ...
    def __getitem__(self, index: int | slice) -> ConsultingTask | tuple[ConsultingTask, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        return built(self._id(index), *self._cells[range(len(self))[index] % len(self._cells)])

    def __iter__(self) -> Iterator[ConsultingTask]:
        return (self[k] for k in range(len(self)))

    def _id(self, index: int) -> str:
        seed, cell = divmod(range(len(self))[index], len(self._cells))
        return fresh_id(*self._cells[cell], seed)

    @property
    def ids(self) -> Sequence[str]:
        """The task ids; blueprints take turns, so that the first ones are of every kind."""
        return _Ids(self)

    @property
    def splits(self) -> dict[str, int]:
        """Number of tasks by split."""
        counts: dict[str, int] = {}
        for name, _, _ in self._cells:
            split = blueprint(name).split
            counts[split] = counts.get(split, 0) + SEEDS
        return counts

    @cached_property
    def hash(self) -> str:
        """A digest of what may be drawn, not of each case."""
        return sha256(canonical([FRESH, self._split, self._cells]).encode()).hexdigest()[:16]


class _Ids(Sequence[str]):
    def __init__(self, tasks: FreshTasks) -> None:
        self._tasks = tasks

    def __len__(self) -> int:
        return len(self._tasks)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...
    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return [self[k] for k in range(*index.indices(len(self)))]
        return self._tasks._id(index)

"""Tasks that are not stored: a cell and a seed name one, and it is made when it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, Generic, TypeVar, overload

from .jsontext import canonical
from .tasks import TaskSet, TaskT

CellT = TypeVar("CellT")
SEEDS = 1_000_000
"""Number of tasks of a cell."""


class DrawnTasks(TaskSet[TaskT], Generic[TaskT, CellT]):
    """`SEEDS` tasks of each cell; cells take turns, so that the first ones are of every kind.

    Args:
        cells: What a task is drawn for beside its seed.
        id_of: Returns the id of (seed, cell).
        task_of: Makes the task of (seed, cell).
        split_of: Returns the split of a cell.
        drawn: What the digest stands for beside the cells, as JSON values.
    """

    def __init__(
        self,
        cells: Sequence[CellT],
        *,
        id_of: Callable[[int, CellT], str],
        task_of: Callable[[int, CellT], TaskT],
        split_of: Callable[[CellT], str],
        drawn: Sequence[Any],
    ) -> None:
        super().__init__(())
        self._cells = list(cells)
        self._id_of, self._task_of, self._split_of = id_of, task_of, split_of
        self._drawn = list(drawn)

    def __len__(self) -> int:
        return SEEDS * len(self._cells)

    @overload
    def __getitem__(self, index: int) -> TaskT: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TaskT, ...]: ...
    def __getitem__(self, index: int | slice) -> TaskT | tuple[TaskT, ...]:
        if isinstance(index, slice):
            return tuple(self[k] for k in range(*index.indices(len(self))))
        return self._task_of(*self._drawn_at(index))

    def __iter__(self) -> Iterator[TaskT]:
        return (self[k] for k in range(len(self)))

    def id_at(self, index: int) -> str:
        """Return the id of the task at a place, without making it."""
        return self._id_of(*self._drawn_at(index))

    @property
    def ids(self) -> Sequence[str]:
        """The task ids, in order; none is made before it is looked at."""
        return _Ids(self)

    @property
    def splits(self) -> dict[str, int]:
        """Number of tasks by split."""
        counts: dict[str, int] = {}
        for cell in self._cells:
            split = self._split_of(cell)
            counts[split] = counts.get(split, 0) + SEEDS
        return counts

    @cached_property
    def hash(self) -> str:
        """A digest of what may be drawn, not of each task."""
        return sha256(canonical([*self._drawn, self._cells]).encode()).hexdigest()[:16]

    def _drawn_at(self, index: int) -> tuple[int, CellT]:
        seed, cell = divmod(range(len(self))[index], len(self._cells))
        return seed, self._cells[cell]


class _Ids(Sequence[str]):
    def __init__(self, tasks: DrawnTasks[Any, Any]) -> None:
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
        return self._tasks.id_at(index)

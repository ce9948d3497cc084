"""Tasks, splits and anchors: typed data that says what an episode plays and how its score is scaled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Annotated, Any, Generic, Literal, Self, TypeVar, overload

from pydantic import BaseModel, ConfigDict, Field

from .errors import SettingError
from .jsontext import canonical
from .text import echo, nearest

_MIN_SCALE_OF_FLOOR = 0.01
_MIN_SCALE_OF_NULL = 0.02


class Frozen(BaseModel):
    """Strict, immutable, nothing unknown: the base of every model read from a data file."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    def changed(self, **changes: Any) -> Self:
        """Return a checked copy with other values; unlike `model_copy` it carries no cached property along."""
        kept = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).model_validate({**kept, **changes})


class Anchors(Frozen):
    """The two scores that span a task's scale, and how they are known.

    Scores are "higher is better"; a cost is anchored by its negative.

    Attributes:
        floor: Score of `floor_player`, the best play that needs no skill.
        ceiling: Score of the best plan known; `ceiling_method` and `ceiling_seed` reproduce it.
        ceiling_se: Standard error of the ceiling where it is a mean over random runs, in units of the score.
        proof: `optimal` where `bound` is attained, else `best_known`.
        bound: A score that no play can beat, where one can be proven.
        null_score: Score of an agent that never makes a valid call.
    """

    floor: float
    floor_player: str
    ceiling: float
    ceiling_method: str
    ceiling_seed: int
    ceiling_se: Annotated[float, Field(ge=0)] = 0.0
    proof: Literal["optimal", "best_known"]
    bound: float | None = None
    null_score: float

    def normalized(self, score: float) -> float | None:
        """Return (score - floor) / (ceiling - floor), unclipped, or None where the span is too small to scale by.

        The span must be at least 1 % of |floor| and 2 % of the distance from the null player to the floor.
        """
        span = self.ceiling - self.floor
        if span <= 0 or span < _MIN_SCALE_OF_FLOOR * abs(self.floor):
            return None
        if span < _MIN_SCALE_OF_NULL * (self.floor - self.null_score):
            return None
        return (score - self.floor) / span


class Task(Frozen):
    """What one episode plays. Benchmarks subclass it with their own fields.

    Attributes:
        task_id: Unique within the benchmark.
        split: The split it belongs to, `train`, `test` or another that the benchmark names.
        source: Where it comes from.
        anchors: The scale of its score, None where none is known.
    """

    task_id: str
    split: str
    source: str = "bizgym"
    anchors: Anchors | None = None


TaskT = TypeVar("TaskT", bound=Task)


class TaskSet(Sequence[TaskT], Generic[TaskT]):
    """An ordered set of tasks with unique ids."""

    def __init__(self, tasks: Iterable[TaskT]) -> None:
        self._tasks = tuple(tasks)
        self._by_id = {task.task_id: task for task in self._tasks}
        if len(self._by_id) != len(self._tasks):
            raise SettingError("two tasks share one task_id")

    def __len__(self) -> int:
        return len(self._tasks)

    @overload
    def __getitem__(self, index: int) -> TaskT: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[TaskT, ...]: ...
    def __getitem__(self, index: int | slice) -> TaskT | tuple[TaskT, ...]:
        return self._tasks[index]

    def __iter__(self) -> Iterator[TaskT]:
        return iter(self._tasks)

    @property
    def ids(self) -> Sequence[str]:
        """The task ids, in order."""
        return tuple(self._by_id)

    @property
    def splits(self) -> dict[str, int]:
        """Number of tasks by split, in order of first appearance."""
        counts: dict[str, int] = {}
        for task in self._tasks:
            counts[task.split] = counts.get(task.split, 0) + 1
        return counts

    @cached_property
    def hash(self) -> str:
        """A digest over every task, anchors included: it changes whenever a score may change."""
        return sha256(canonical([task.model_dump(mode="json") for task in self._tasks]).encode()).hexdigest()[:16]

    def get(self, task_id: str) -> TaskT:
        """Return the task with this id.

        Raises:
            SettingError: There is none; the message names the nearest id.
        """
        try:
            return self._by_id[task_id]
        except (KeyError, TypeError):
            hint = nearest(str(task_id), self._by_id)
            raise SettingError(f"task_id: there is no task {echo(task_id)!r}.{hint}") from None

    def select(
        self,
        *,
        split: str | None = None,
        tasks: Sequence[str] | None = None,
        source: str | None = None,
    ) -> TaskSet[TaskT]:
        """Return the tasks named, or those of a split and a source, in their order here.

        Raises:
            SettingError: An id, split or source does not exist, or nothing is left.
        """
        if tasks is not None:
            if isinstance(tasks, str) or not isinstance(tasks, Sequence) or not tasks:
                raise SettingError(f"tasks: a list of task ids, not {echo(tasks)}")
            return TaskSet(self.get(task_id) for task_id in tasks)
        self._require("split", split, self.splits)
        self._require("source", source, {task.source for task in self._tasks})
        chosen = TaskSet(t for t in self._tasks if split in (None, t.split) and source in (None, t.source))
        if not chosen:
            raise SettingError(f"split {split!r} holds no task of source {source!r}")
        return chosen

    @staticmethod
    def _require(field: str, value: str | None, known: Iterable[str]) -> None:
        names = sorted(known)
        if value is not None and value not in names:
            hint = nearest(str(value), names)
            raise SettingError(f"{field}: there is no {echo(value)!r}.{hint} There are: {', '.join(names)}")

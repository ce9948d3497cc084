"""Tasks: the embedded set, fresh items from a generator, and items read from public sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ..core.drawn import SEEDS, DrawnTasks
from ..core.errors import SettingError
from ..core.tasks import Anchors, Task, TaskSet
from ..core.text import echo, nearest
from .difficulty import BANDS, Band
from .items import CAPABILITIES, Capability, Item
from .loaders import SOURCES, imported_items, stamp_of
from .store import shipped_items

EMBEDDED, FRESH = "bizgym", "generated"
Cell = tuple[Capability, Band]
GENERATOR_VERSION = "1"
RIGHT_OR_WRONG = Anchors(
    floor=0.0,
    floor_player="do_nothing",
    ceiling=1.0,
    ceiling_method="stored answer",
    ceiling_seed=0,
    proof="optimal",
    bound=1.0,
    null_score=0.0,
)
"""A question is worth 1 or 0, and its stored answer is right."""


class QATask(Task):
    """One question.

    Attributes:
        item: The question, its context, and its answer.
        anchors: The same for every question.
    """

    item: Item
    anchors: Anchors | None = RIGHT_OR_WRONG


def task_of_item(item: Item) -> QATask:
    """Return the task that asks an item."""
    return QATask(task_id=item.item_id, split=item.split, source=item.source, item=item)


class FreshTasks(DrawnTasks[QATask, Cell]):
    """Items of the generator of some cells of capability and band, all of them for training."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        super().__init__(
            cells,
            id_of=lambda seed, cell: fresh_id(seed, *cell),
            task_of=lambda seed, cell: task_of_item(_generator().generated_item(seed, *cell)),
            split_of=lambda cell: "train",
            drawn=[FRESH, GENERATOR_VERSION],
        )


def fresh_id(seed: int, capability: Capability, band: Band) -> str:
    """Return the id of a fresh item."""
    return f"{FRESH}-{initials(capability)}-{band}-{seed}"


def initials(capability: Capability) -> str:
    """Return the initials of a capability, with which the ids of its items begin."""
    return "".join(word[0] for word in capability.split("_"))


class QATasks(TaskSet[QATask]):
    """The embedded set; the other sources are built when they are asked for."""

    def get(self, task_id: str) -> QATask:
        """Return the task with this id, whatever its source.

        Raises:
            SettingError: There is none; the message names the nearest id.
            DataError: It is of a public set that has not been imported.
        """
        if isinstance(task_id, str) and task_id.startswith(f"{FRESH}-"):
            return _fresh(task_id)
        source, dot, _ = str(task_id).partition(".")
        return self.of_source(source).get(task_id) if dot and source in SOURCES else super().get(task_id)

    def select(
        self,
        *,
        split: str | None = None,
        tasks: Sequence[str] | None = None,
        source: str | None = None,
        capability: str | None = None,
        band: str | None = None,
    ) -> TaskSet[QATask]:
        """Return the tasks named, or those of a source, a split, a capability and a band, in their order.

        Raises:
            SettingError: A name does not exist, or nothing is left.
            DataError: The source is a public set that has not been imported.
        """
        self._require("capability", capability, CAPABILITIES)
        self._require("band", band, BANDS)
        if tasks is not None:
            return super().select(tasks=tasks)
        self._require("source", source, (EMBEDDED, FRESH, *SOURCES))
        if source == FRESH:
            cells = [
                cell for cell in _generator().GENERATED if capability in (None, cell[0]) and band in (None, cell[1])
            ]
            if not cells or split not in (None, "train"):
                raise SettingError(f"source: generated items are for split train, of {_cells_text()}")
            return FreshTasks(cells)
        of_split = TaskSet.select(self.of_source(source or EMBEDDED), split=split)
        chosen = [task for task in of_split if _fits(task.item, capability, band)]
        if not chosen:
            raise SettingError(f"split {split!r} of {source or EMBEDDED} holds no item of {capability}, {band}")
        return TaskSet(chosen)

    def of_source(self, source: str) -> TaskSet[QATask]:
        """Return every task of a source that holds a number of them.

        Raises:
            DataError: It is a public set that has not been imported.
        """
        return _imported(source, stamp_of(SOURCES[source])) if source in SOURCES else self


def shipped_tasks() -> QATasks:
    """Return the embedded set; read once a process."""
    return _read(shipped_items)


@lru_cache(maxsize=1)
def _read(items: Callable[[], list[Item]]) -> QATasks:
    return QATasks(map(task_of_item, items()))


@lru_cache(maxsize=1)
def _imported(source: str, stamp: str) -> TaskSet[QATask]:
    """Return the tasks of a public set; another stamp means that it was imported anew."""
    return TaskSet(map(task_of_item, imported_items(source)))


def _fresh(task_id: str) -> QATask:
    generator = _generator()
    for capability, band in generator.GENERATED:
        start = fresh_id(0, capability, band)[:-1]
        seed = task_id.removeprefix(start)
        if seed != task_id and seed.isdecimal() and seed.isascii() and int(seed) < SEEDS and seed == str(int(seed)):
            return task_of_item(generator.generated_item(int(seed), capability, band))
    known = [fresh_id(0, *cell) for cell in generator.GENERATED]
    raise SettingError(
        f"task_id: there is no generated item {echo(task_id)!r}.{nearest(task_id, known)} They are called "
        f"{known[0]}, with a seed below {SEEDS:,} and {_cells_text()}"
    )


def _fits(item: Item, capability: str | None, band: str | None) -> bool:
    return capability in (None, item.capability) and band in (None, item.band)


def _cells_text() -> str:
    return "; ".join(f"{capability}, {band}" for capability, band in _generator().GENERATED)


def _generator() -> Any:
    from . import generated  # no other source needs it

    return generated

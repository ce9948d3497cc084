"""The tasks: the stored cases of `data/consulting/cases.jsonl`, and fresh ones that are built when they are played."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import get_args

from pydantic import ValidationError

from ..core.data import packaged_text
from ..core.drawn import SEEDS
from ..core.errors import DataError, SettingError
from ..core.tasks import Anchors, Frozen, Task, TaskSet
from ..core.text import echo, nearest
from ..core.upkeep import CANARY
from .blueprint import Difficulty
from .blueprints import blueprint_ids
from .case import Case
from .fact_types import FOLDER
from .words import Skin

FILE = "cases.jsonl"
FRESH, GENERATED = "fresh", "generated"
POINTS = 10.0


class ConsultingTask(Task):
    """One case interview.

    Attributes:
        case: The case.
    """

    case: Case


class StoredCase(Frozen):
    """A line of the file: a case, and the score of the candidate who asks for every essential fact and is right."""

    case: Case
    ceiling: float


class ConsultingTasks(TaskSet[ConsultingTask]):
    """The stored cases; a fresh one is built when it is asked for by its id."""

    def get(self, task_id: str) -> ConsultingTask:
        """Return the task with this id, `fresh-<blueprint>-<difficulty>-<skin>-<seed>` for a fresh one.

        Raises:
            SettingError: There is none; the message names the nearest id.
        """
        if isinstance(task_id, str) and task_id.startswith(f"{FRESH}-"):
            return fresh_task(task_id)
        return super().get(task_id)

    def select(
        self, *, split: str | None = None, tasks: Sequence[str] | None = None, source: str | None = None
    ) -> TaskSet[ConsultingTask]:
        """Return the tasks named, or those of a split; with the source `generated` fresh ones of its blueprints.

        Raises:
            SettingError: A name does not exist.
        """
        if tasks is not None or source != GENERATED:
            return super().select(split=split, tasks=tasks, source=source)
        self._require("split", split, self.splits)
        from .fresh import FreshTasks  # what builds cases is needed for fresh ones alone

        return FreshTasks(split)


def task_of_case(case: Case, ceiling: float, source: str = "bizgym") -> ConsultingTask:
    """Return the task that plays a case."""
    anchors = Anchors(
        floor=0.0,
        floor_player="do_nothing",
        ceiling=ceiling,
        ceiling_method="candidate who asks for every essential fact",
        ceiling_seed=0,
        proof="optimal" if ceiling >= POINTS else "best_known",
        bound=POINTS,
        null_score=0.0,
    )
    return ConsultingTask(task_id=case.case_id, split=case.split, source=source, anchors=anchors, case=case)


@lru_cache(maxsize=1)
def all_tasks() -> ConsultingTasks:
    """Return the stored cases; read once a process.

    Raises:
        DataError: The file breaks its schema.
    """
    return ConsultingTasks(task_of_case(each.case, each.ceiling) for each in stored(packaged_text(FOLDER, FILE)))


def stored(text: str) -> Iterator[StoredCase]:
    """Yield the cases of the text of `cases.jsonl`, whose first line is the canary.

    Raises:
        DataError: A line breaks the schema; the message names it.
    """
    for number, line in enumerate(text.removesuffix("\n").split("\n")[1:], 2):
        try:
            yield StoredCase.model_validate_json(line)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "line"
            raise DataError(f"{FILE}:{number}: {place}: {first['msg']}") from None


def to_lines(rows: Iterable[StoredCase]) -> str:
    """Return the text of `cases.jsonl`."""
    dumped = [{"canary": CANARY}, *(row.model_dump(mode="json") for row in rows)]
    return "".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in dumped)


def fresh_id(blueprint_id: str, difficulty: Difficulty, skin: Skin, seed: int) -> str:
    """Return the id of a fresh case."""
    return f"{FRESH}-{blueprint_id}-{difficulty}-{skin}-{seed}"


def fresh_task(task_id: str) -> ConsultingTask:
    """Return a fresh case as a task.

    Raises:
        SettingError: The id is none of a fresh case.
    """
    parts = task_id.split("-")
    known = len(parts) == 5 and parts[1] in blueprint_ids()
    if not known or parts[2] not in get_args(Difficulty) or parts[3] not in get_args(Skin) or not _is_seed(parts[4]):
        hint = nearest(parts[1] if len(parts) > 1 else "", blueprint_ids())
        raise SettingError(
            f"task_id: there is no fresh case {echo(task_id)!r}.{hint} They are called "
            f"{FRESH}-<blueprint>-<easy, middle or hard>-<a, b or c>-<seed below {SEEDS:,}>"
        )
    from .fresh import built  # what builds cases is needed for fresh ones alone

    return built(task_id, parts[1], parts[2], parts[3])


def _is_seed(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) <= 6 and text == str(int(text))

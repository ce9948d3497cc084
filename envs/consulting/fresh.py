"""Cases that are not stored: built when they are played, from a seed that stands in their id."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

from ..core.drawn import DrawnTasks
from .blueprint import DIFFICULTIES, Difficulty
from .blueprints import blueprint, blueprint_ids
from .building import build
from .candidate import ceiling_of
from .case import Case
from .tasks import FRESH, GENERATED, ConsultingTask, fresh_id, task_of_case
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


class FreshTasks(DrawnTasks[ConsultingTask, Cell]):
    """Fresh cases of the blueprints of a split, of each blueprint, difficulty and industry."""

    def __init__(self, split: str | None) -> None:
        named = [name for name in blueprint_ids() if split in (None, blueprint(name).split)]
        super().__init__(
            [(name, level, skin) for level in DIFFICULTIES for skin in SKINS for name in named],
            id_of=lambda seed, cell: fresh_id(*cell, seed),
            task_of=lambda seed, cell: built(fresh_id(*cell, seed), *cell),
            split_of=lambda cell: blueprint(cell[0]).split,
            drawn=[FRESH, split],
        )

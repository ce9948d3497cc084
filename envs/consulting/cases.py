"""`python -m bizgym.envs.consulting.cases`: build `data/consulting/cases.jsonl` anew from the blueprints."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from ..core.upkeep import write_whole
from .blueprint import DIFFICULTIES
from .blueprints import blueprint_ids
from .building import build
from .candidate import ceiling_of
from .fact_types import FOLDER
from .tasks import FILE, StoredCase, to_lines
from .words import SKINS


def stored_cases() -> Iterator[StoredCase]:
    """Build every case that is stored, in order, with its ceiling."""
    for blueprint_id in blueprint_ids():
        for difficulty in DIFFICULTIES:
            for skin in SKINS:
                case = build(blueprint_id, difficulty, skin)
                yield StoredCase(case=case, ceiling=ceiling_of(case))


def main() -> None:
    """Write the file."""
    rows = list(stored_cases())
    path = Path(str(files("bizgym.data").joinpath(FOLDER, FILE)))
    write_whole(path, to_lines(rows))
    print(f"{path}: {len(rows)} cases")


if __name__ == "__main__":
    main()

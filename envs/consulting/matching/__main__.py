"""`python -m bizgym.envs.consulting.matching`: make `data/consulting/lexicon/model.json` anew from the lexicon."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from ...core.upkeep import CANARY
from .model import FILE, compiled


def main() -> None:
    """Train and store the model."""
    place = Path(str(files("bizgym.data").joinpath("consulting", "lexicon", FILE)))
    place.write_text(compiled(CANARY).model_dump_json(indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

"""Keeping what was computed: data files written anew, and a cache of anchors for games of a user's own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

CANARY = "BIZGYM CANARY 7c1d0a52-3f0e-4b8c-9a56-2e64d1b7f983: benchmark data must not appear in training corpora"
_WIDTH_CHARACTERS = 110


class BlockDumper(yaml.SafeDumper):
    """Writes nothing by reference; a benchmark adds how its lists and mappings stand in lines."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything in full."""
        return True


def to_yaml(key: str, rows: Sequence[BaseModel], dumper: type[BlockDumper]) -> str:
    """Return the text of a data file: the canary, and under `key` one block a row."""
    content = {"canary": CANARY, key: [row.model_dump(exclude_defaults=True) for row in rows]}
    return yaml.dump(content, Dumper=dumper, sort_keys=False, allow_unicode=True, width=_WIDTH_CHARACTERS)


def write_whole(path: Path, text: str) -> None:
    """Write a file, and its folder where there is none, so that readers see the old or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_text(text, encoding="utf-8", newline="\n")
    part.replace(path)


def cache_path(benchmark: str, task_id: str) -> Path:
    """Return where the anchors of a user's own game are kept: under `BIZGYM_CACHE`, or the user's cache folder."""
    own = Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "bizgym"
    return Path(os.environ.get("BIZGYM_CACHE") or own) / benchmark / f"{task_id}.json"

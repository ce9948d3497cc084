"""Keeping what was computed: data files written anew, and a cache of anchors for games of a user's own."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

from .data import parse, validate

CANARY = "BIZGYM CANARY 7c1d0a52-3f0e-4b8c-9a56-2e64d1b7f983: benchmark data must not appear in training corpora"
_WIDTH_CHARACTERS = 110
_TASKS, _PLANS = "tasks.yaml", "plans.yaml"


class BlockDumper(yaml.SafeDumper):
    """Writes nothing by reference; a benchmark adds how its lists and mappings stand in lines."""

    def ignore_aliases(self, data: Any) -> bool:
        """Write everything in full."""
        return True


def to_yaml(key: str, rows: Sequence[BaseModel], dumper: type[BlockDumper]) -> str:
    """Return the text of a data file: the canary, and under `key` one block a row."""
    content = {"canary": CANARY, key: [row.model_dump(exclude_defaults=True) for row in rows]}
    return yaml.dump(content, Dumper=dumper, sort_keys=False, allow_unicode=True, width=_WIDTH_CHARACTERS)


def read_stored(folder: Path, task_file: type[BaseModel], plan_file: type[BaseModel]) -> dict[str, tuple[Any, Any]]:
    """Return (task, plans) by task id as `tasks.yaml` and `plans.yaml` hold them, nothing where there are none yet.

    Raises:
        DataError: A file breaks its schema.
    """
    found: list[Any] = []
    for name, model in ((_TASKS, task_file), (_PLANS, plan_file)):
        if not (folder / name).is_file():
            return {}
        found.append(validate(model, parse((folder / name).read_text(encoding="utf-8"), name), name))
    by_id = {task.task_id: task for task in found[0].tasks}
    return {each.task_id: (by_id[each.task_id], each) for each in found[1].plans if each.task_id in by_id}


def save_stored(folder: Path, done: Sequence[tuple[BaseModel, BaseModel]], dumper: type[BlockDumper]) -> None:
    """Write `tasks.yaml` and `plans.yaml` anew from (task, plans)."""
    write_whole(folder / _TASKS, to_yaml("tasks", [task for task, _ in done], dumper))
    write_whole(folder / _PLANS, to_yaml("plans", [plans for _, plans in done], dumper))


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

"""Importing a public set: its rows become items, which are kept in the cache folder and read from there."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ...core.data import read_user_file
from ...core.errors import DataError, SettingError
from ...core.upkeep import cache_path, write_whole
from ..items import Item
from ..store import items_of, to_lines
from .errata import mended
from .files import Part, hub_parts, local_parts
from .public_set import LeftOut, PublicSet


def import_set(public_set: PublicSet, path: Path | None, *, revision: str | None, accept: bool) -> dict[str, Any]:
    """Import a set; what was imported before is replaced.

    Args:
        public_set: What to import.
        path: A file or folder of the user's; None reads the hub.
        revision: The commit of the hub, where it is not the pinned one.
        accept: Whether its licence is accepted by name.

    Returns:
        `{name, licence, items, train, test, corrected, left_out, parts, file}`; `left_out` counts rows by reason.

    Raises:
        SettingError: Its licence has to be accepted, or the hub cannot be read without more being said or installed.
        DataError: There is nothing to read, a file breaks its form, or none of its rows fits the set.
    """
    if public_set.ask and not accept:
        raise SettingError(
            f"{public_set.name}: {public_set.ask} ({public_set.licence}); if you may use it, add --accept-licence"
        )
    parts = list(local_parts(path) if path is not None else hub_parts(public_set, revision))
    left_out: Counter[str] = Counter()
    items = list(_unique(_graded(public_set, parts, left_out)))
    if not items:
        reasons = "; ".join(f"{reason} ({n})" for reason, n in left_out.most_common(3)) or "no rows"
        raise DataError(f"{public_set.name}: no row fits this set ({reasons}); it reads {public_set.files}")
    summary = {
        "name": public_set.name,
        "licence": public_set.licence,
        "items": len(items),
        "train": sum(each.split == "train" for each in items),
        "test": sum(each.split == "test" for each in items),
        "corrected": sum("erratum" in each.meta for each in items),
        "left_out": dict(sorted(left_out.items())),
        "parts": [{"name": part.name, "digest": part.digest, "rows": len(part.rows)} for part in parts],
    }
    file = imported_path(public_set.name)
    head, lines = to_lines(items).split("\n", 1)
    header = json.dumps({**json.loads(head), **summary}, ensure_ascii=False)
    write_whole(file, f"{header}\n{lines}")
    return {**summary, "file": str(file)}


def imported_path(name: str) -> Path:
    """Return where the items of a set are kept."""
    return cache_path("qa", name).with_suffix(".jsonl")


def stamp_of(public_set: PublicSet) -> str:
    """Return what tells one import of a set from another, "" where there was none."""
    file = imported_path(public_set.name)
    if not file.is_file():
        return ""
    found = file.stat()
    return f"{file} {found.st_mtime_ns} {found.st_size}"


def read_imported(public_set: PublicSet) -> list[Item]:
    """Return the items of a set that has been imported.

    Raises:
        DataError: It has not been imported, or its file breaks its form.
    """
    file = imported_path(public_set.name)
    if not file.is_file():
        raise DataError(
            f"source: {public_set.name} has not been imported; fetch {public_set.files} from {public_set.home} "
            f"(licence: {public_set.licence}) and run: bizgym data import {public_set.name} PATH"
        )
    return list(items_of(read_user_file(file), str(file)))


def summary_of(public_set: PublicSet) -> dict[str, Any] | None:
    """Return what the import of a set came to, None where there was none.

    Raises:
        DataError: Its file breaks its form.
    """
    file = imported_path(public_set.name)
    if not file.is_file():
        return None
    try:
        found: dict[str, Any] = json.loads(read_user_file(file).partition("\n")[0])
    except ValueError:
        raise DataError(f"{file}: its first line is no JSON; import the set again") from None
    return {**found, "file": str(file)}


def _graded(public_set: PublicSet, parts: Iterable[Part], left_out: Counter[str]) -> Iterator[Item]:
    for part in parts:
        for row in part.rows:
            try:
                for found in public_set.items(row, part.split):
                    if isinstance(found, LeftOut):
                        left_out[str(found)] += 1
                        continue
                    try:
                        yield mended(found)
                    except LeftOut as reason:
                        left_out[str(reason)] += 1
            except LeftOut as reason:
                left_out[str(reason)] += 1
            except (ValueError, TypeError, KeyError, AttributeError, IndexError) as error:  # a row of any shape
                left_out[f"row of another form ({type(error).__name__})"] += 1


def _unique(items: Iterable[Item]) -> Iterator[Item]:
    """Number ids that stand more than once."""
    seen: Counter[str] = Counter()
    for item in items:
        seen[item.item_id] += 1
        n = seen[item.item_id]
        yield item if n == 1 else item.changed(item_id=f"{item.item_id}.{n}")

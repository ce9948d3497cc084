"""Rows of a public set: from files of the user's, or from the hub through the package `datasets`."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from ...core.data import read_user_file
from ...core.errors import DataError, SettingError
from .public_set import PublicSet, Row, Split

_SUFFIXES = (".json", ".jsonl", ".csv")
_TESTING = frozenset({"test", "dev", "validation", "val", "eval"})
_WORDS = re.compile(r"[a-z]+")
_FIELD_CHARACTERS = 100_000_000


class Part(NamedTuple):
    """The rows of one file or one split of the hub.

    Attributes:
        name: Of the file or split.
        split: `test` for every part that is not for training.
        digest: sha256 of the file, or the revision of the hub.
        rows: In order.
    """

    name: str
    split: Split
    digest: str
    rows: list[Row]


def local_parts(path: Path) -> Iterator[Part]:
    """Read a file, or every file of a folder whose form is known, in order of their names.

    Raises:
        DataError: There is nothing to read, or a file breaks its form.
    """
    if not path.exists():
        raise DataError(f"{path}: there is no such file or folder, seen from {Path.cwd()}")
    files = sorted(each for each in path.iterdir() if each.suffix in _SUFFIXES) if path.is_dir() else [path]
    if not files:
        raise DataError(f"{path}: holds no file of the forms {', '.join(_SUFFIXES)}")
    for file in files:
        if file.suffix not in _SUFFIXES:
            raise DataError(f"{file}: one of {', '.join(_SUFFIXES)} is read; convert it, or name a folder")
        text = read_user_file(file)
        yield Part(file.name, split_of(file.stem), sha256(text.encode()).hexdigest(), list(_rows(text, file)))


def hub_parts(public_set: PublicSet, revision: str | None) -> Iterator[Part]:
    """Load the splits of a set from the hub, at a pinned revision.

    Raises:
        SettingError: The set is not on the hub, `datasets` is missing, or no revision is known or given.
        DataError: The hub cannot be reached, or does not have it.
    """
    mend = f"fetch {public_set.files} from {public_set.home} and run: bizgym data import {public_set.name} PATH"
    if public_set.hub_id is None:
        raise SettingError(f"{public_set.name}: it is not on the hub; {mend}")
    pinned = revision or public_set.revision
    if pinned is None:
        raise SettingError(f"{public_set.name}: name the commit to read with --revision SHA (see its page), or {mend}")
    try:
        import datasets
    except ImportError:
        raise SettingError(f"{public_set.name}: pip install 'bizgym[datasets]' reads the hub; or {mend}") from None
    try:
        loaded = datasets.load_dataset(public_set.hub_id, revision=pinned)
    except Exception as error:  # the hub's client raises of all kinds: no network, no such revision, gated
        raise DataError(f"{public_set.name}: the hub did not give it ({type(error).__name__}); {mend}") from None
    for name, rows in loaded.items():
        yield Part(str(name), split_of(str(name)), pinned, [_with_names(row, rows.features) for row in rows])


def split_of(name: str) -> Split:
    """Return the split that a file or a split of the hub belongs to, by its name."""
    return "test" if _TESTING.intersection(_WORDS.findall(name.lower())) else "train"


def _rows(text: str, file: Path) -> Iterator[Row]:
    if file.suffix == ".csv":
        csv.field_size_limit(_FIELD_CHARACTERS)
        for row in csv.DictReader(io.StringIO(text)):
            yield {name: _nested(cell) for name, cell in row.items()}
        return
    if file.suffix == ".json":
        yield from _objects(_decoded(text, str(file)), str(file))
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield from _objects([_decoded(line, f"{file}:{number}")], f"{file}:{number}")


def _nested(cell: Any) -> Any:
    """Return what a cell holds: lists and objects stand in CSV as JSON, or as Python writes them."""
    if not isinstance(cell, str) or not cell.startswith(("[", "{")):
        return cell
    try:
        return json.loads(cell)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell


def _objects(value: Any, place: str) -> Iterator[Row]:
    rows = value.get("data") if isinstance(value, dict) and isinstance(value.get("data"), list) else value
    if not isinstance(rows, list) or not all(isinstance(each, dict) for each in rows):
        raise DataError(f"{place}: a list of objects, one a row")
    yield from rows


def _decoded(text: str, place: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: not JSON ({error})") from None


def _with_names(row: dict[str, Any], features: Any) -> Row:
    """Add the names of numbered tags, which the hub keeps beside the rows."""
    tags = features.get("ner_tags") if hasattr(features, "get") else None
    names = getattr(getattr(tags, "feature", None), "names", None)
    return row if names is None else {**row, "tag_names": list(names)}

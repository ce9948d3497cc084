"""`bizgym data`: public question sets, imported from files or from the hub."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...envs.core.errors import SettingError
from ...envs.core.text import nearest
from ...envs.qa.loaders import SOURCES, import_set, summary_of
from ..tables import console, counted, print_json, print_table


def data_command(
    action: str, name: str | None, path: Path | None, *, revision: str | None, accept: bool, as_json: bool
) -> int:
    """Import a public set, or list all of them.

    Raises:
        SettingError: There is no such set, or more has to be said.
        DataError: There is nothing to read, or it is of another form.
    """
    if action == "list":
        return _list(as_json)
    if name is None:
        raise SettingError(f"data import: name a set: {', '.join(SOURCES)}")
    if name not in SOURCES:
        raise SettingError(f"data import: there is no set {name!r}.{nearest(name, SOURCES)} Sets: {', '.join(SOURCES)}")
    row = import_set(SOURCES[name], path, revision=revision, accept=accept)
    if as_json:
        print_json({"command": "data import", "ok": True, "rows": [row]})
        return 0
    out = console()
    out.print(f"{name}: {counted(row['items'], 'item')} ({row['train']} train, {row['test']} test), {row['licence']}")
    if row["corrected"]:
        out.print(f"{counted(row['corrected'], 'known error')} corrected")
    for reason, number in row["left_out"].items():
        out.print(f"left out: {counted(number, 'row')}, {reason}")
    split = "test" if row["test"] else "train"
    out.print(f"Play it: bizgym run env=qa env.source={name} env.split={split} agent=...  (kept in {row['file']})")
    return 0


def _list(as_json: bool) -> int:
    rows: list[dict[str, Any]] = []
    for each in SOURCES.values():
        summary = summary_of(each)
        rows.append(
            {
                "name": each.name,
                "title": each.title,
                "licence": each.licence,
                "items": None if summary is None else summary["items"],
                "home": each.home,
            }
        )
    if as_json:
        print_json({"command": "data list", "ok": True, "rows": rows})
    else:
        columns = ["name", "title", "licence", "items", "home"]
        print_table("", columns, [[row[name] for name in columns] for row in rows])
    return 0

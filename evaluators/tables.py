"""What commands print: a table on a terminal, plain lines elsewhere, JSON alone on standard output with --json."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

_UNDEFINED = "-"


class _Console(Console):
    def on_broken_pipe(self) -> None:
        raise  # rich calls this while it handles the BrokenPipeError, which is for `main` to answer


def console(stderr: bool = False) -> Console:
    """Return a console that prints plain text where its stream is no terminal."""
    stream = sys.stderr if stderr else sys.stdout
    # in a notebook rich would display HTML of its own instead of writing to the stream
    return _Console(
        file=stream, highlight=False, soft_wrap=not stream.isatty(), emoji=False, markup=False, force_jupyter=False
    )


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]], *, stderr: bool = False) -> None:
    """Print rows under their column names; numbers stand to the right and are never broken."""
    out = console(stderr)
    if not out.is_terminal:  # rich would turn the tabs into spaces
        heading = [f"# {title}"] if title else []
        lines = [*heading, "\t".join(columns), *("\t".join(map(cell, row)) for row in rows)]
        out.file.write("".join(f"{line}\n" for line in lines))
        return
    table = Table(title=title or None, title_justify="left", header_style="bold", box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for k, name in enumerate(columns):
        numeric = all(_is_number(row[k]) or row[k] is None for row in rows)
        short = numeric or k == 0
        table.add_column(name, justify="right" if numeric else "left", overflow="fold", no_wrap=short)
    for row in rows:
        table.add_row(*(cell(value) for value in row))
    out.print(table)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def cell(value: Any) -> str:
    """Write one value for a person, on one line and without what a terminal would obey."""
    if value is None:
        return _UNDEFINED
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1_000 else f"{value:.3g}"
    if isinstance(value, (list, tuple)):
        return " .. ".join(cell(part) for part in value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {cell(part)}" for name, part in value.items()) or _UNDEFINED
    return one_line(str(value))


def one_line(text: str) -> str:
    """Return `text` on one line, its control characters and halves of characters written as escapes."""
    line = " ".join(text.split())
    if line.isprintable():
        return line
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode() for each in line)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, `1 episode` or `3 episodes`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def print_json(content: Mapping[str, Any]) -> None:
    """Print one JSON document on standard output."""
    json.dump(content, sys.stdout, indent=1, allow_nan=False, ensure_ascii=True)
    sys.stdout.write("\n")

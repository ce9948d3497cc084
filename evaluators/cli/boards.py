"""Tables of a comparison: on a terminal in blocks that fit its width, each with the agents' names; else plain lines."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.table import Table as RichTable

from ..report_cells import Cell, Table
from ..tables import console, one_line

_GAP = 2
"""Between two columns: the padding of the first, and where its box would draw a line."""
_NAME_CHARACTERS = 28


def print_board(title: str, table: Table) -> None:
    """Print a table of a comparison; on a terminal it comes in blocks of columns, each with the first column.

    Args:
        title: What stands above it.
        table: The table; units stand in its heads, what a number rests on behind the number.
    """
    out = console()
    rows = [[_text(cell) for cell in row] for row in table.rows]
    if not out.is_terminal:
        names = [f"{head.name} [{head.unit}]" if head.unit else head.name for head in table.heads]
        lines = [f"# {title}", "\t".join(names), *("\t".join(row) for row in rows)]
        out.file.write("".join(f"{line}\n" for line in lines))
        return
    two_lines = any(head.unit for head in table.heads)
    heads = [f"{head.name}\n{head.unit}" if two_lines else head.name for head in table.heads]
    widths = [_width(heads[k], [row[k] for row in rows]) for k in range(len(heads))]
    out.print(title, style="bold")
    for block in _blocks(widths, out.width):
        shown = RichTable(
            header_style="bold",
            box=SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
        )
        for k in (0, *block):
            numeric = table.heads[k].numeric
            shown.add_column(heads[k], justify="right" if numeric else "left", no_wrap=numeric, overflow="fold")
        for row in rows:
            shown.add_row(*(row[k] for k in (0, *block)))
        out.print(shown)


def _text(cell: Cell) -> str:
    mark = "*" if cell.best else ""
    return one_line(f"{cell.text}{mark} ({cell.flag})" if cell.flag else f"{cell.text}{mark}")


def _width(head: str, cells: Sequence[str]) -> int:
    return max([*map(cell_len, head.split("\n")), *map(cell_len, cells)]) + _GAP


def _blocks(widths: Sequence[int], width: int) -> list[list[int]]:
    """Cut the columns behind the first into blocks that fit beside it, a column at least in each."""
    room = width - min(widths[0], _NAME_CHARACTERS) - _GAP
    blocks: list[list[int]] = [[]]
    for k in range(1, len(widths)):
        if blocks[-1] and sum(widths[each] for each in (*blocks[-1], k)) > room:
            blocks.append([])
        blocks[-1].append(k)
    return blocks

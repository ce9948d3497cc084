"""The parts that every table of a report is made of: heads, cells, intervals, and the counts that a number rests on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .aggregate import Counts

NONE = "–"
INTERVAL = "95 % interval"
STUDENT, WILSON = "Student's t", "Wilson's score"
OVER_TASKS = "Student's t over tasks"
"""Where a task has several trials, of rates too."""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column; `hint` says what it means."""

    name: str
    unit: str = ""
    hint: str = ""
    numeric: bool = True


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its text, the number to sort by, and `flag`, which says that a number rests on a part of the set.

    `best` marks the best number of a column.
    """

    text: str
    sort: float | None = None
    flag: str = ""
    best: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table that can be sorted; the first cell of each row names the agent."""

    heads: list[Head]
    rows: list[list[Cell]]


def interval_head(of: str, method: str, unit: str = "", name: str = INTERVAL) -> Head:
    """Return the head of a column of intervals.

    Args:
        of: What the interval is one of, such as `the mean reward`.
        method: `STUDENT`, `WILSON` or `OVER_TASKS`.
        unit: Of its ends.
        name: Of the column.
    """
    return Head(name, unit, f"95 % interval of {of}, by {method}")


def count_heads(things: str = "episodes", **hints: str) -> list[Head]:
    """Return the heads of the four counts that a number rests on, in the order of `Counts`.

    Args:
        things: What is counted.
        hints: By count, what it means where that differs from the usual.
    """
    told = {
        "n": f"{things} asked for",
        "attempted": f"{things} with a record",
        "errored": f"{things} without a score because the infrastructure failed",
        "unscored": f"{things} that ended without a verdict",
        **hints,
    }
    return [Head(name, "", hint) for name, hint in told.items()]


def count_cells(counts: Counts) -> list[Cell]:
    """Return the cells under `count_heads`."""
    return [Cell(str(count), count) for count in counts.as_dict().values()]


def spoken(name: str) -> str:
    """Return a name as people write it."""
    return name.replace("_", " ")


def decimals(values: Iterable[float | None]) -> int:
    """Return the decimals with which numbers of one column are written: none for large or whole ones."""
    known = [abs(value) for value in values if value is not None]
    if max(known, default=0.0) >= 1_000 or all(value == int(value) for value in known):
        return 0
    return 2 if max(known) >= 10 else 3


def number(value: float | None, digits: int | None = None) -> str:
    """Write a number for people, "–" where there is none."""
    if value is None:
        return NONE
    return f"{value + 0.0:,.{decimals([value]) if digits is None else digits}f}"  # -0.0 + 0.0 is 0.0


def aligned(heads: list[Head], rows: list[list[Cell]], *, but: Sequence[str] = ()) -> Table:
    """Return a table in which the numbers of a column have the same decimals."""
    for k, head in enumerate(heads):
        if not head.numeric or head.name in but:
            continue
        digits = decimals(row[k].sort for row in rows)
        for row in rows:
            if row[k].sort is not None:
                row[k] = replace(row[k], text=number(row[k].sort, digits))
    return Table(heads, rows)


def number_cell(value: float | None) -> Cell:
    """Return the cell of a number, "–" where there is none."""
    return Cell(number(value), value)


def interval_cell(ends: Sequence[float] | None) -> Cell:
    """An interval, sorted by its lower end."""
    if not ends:
        return Cell(NONE)
    digits = decimals(ends)
    return Cell(f"{number(ends[0], digits)} to {number(ends[1], digits)}", ends[0])

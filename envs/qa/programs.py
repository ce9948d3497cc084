"""Stored programs: Python that reckons an answer from the tables of an item, run in a sandbox.

A program names every figure by `cell(table, row, column)` and holds no number of its own but those of arithmetic and
the calendar, so that it stands or falls with the evidence. Its last expression is the answer.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from .answers import decimal_of
from .items import Section
from .tables import Table, tables_of

CONSTANTS = frozenset({0, 0.5, 1, 2, 3, 4, 12, 30, 52, 100, 360, 365, 1000, 10_000, 1_000_000})
"""Numbers a program may hold: of arithmetic, of the calendar, and between scales (basis points are 10,000 to one)."""

Cell = tuple[str, str, str]
"""Table, row, column."""

_READERS = frozenset({"float", "int", "Decimal", "len", "ord", "eval", "exec", "hash", "bool", "complex", "open"})
_PRELUDE = """
import json as _json
_reads = []
def cell(table, row, column):
    value = tables[table][row][column]
    if isinstance(value, str):
        raise ValueError(table + ', ' + row + ', ' + column + ' holds no number: ' + value)
    _reads.append((table, row, column))
    return value
"""


class ProgramError(Exception):
    """A program broke off, or gave no finite number."""


@dataclass(frozen=True, slots=True)
class Reckoned:
    """What a program gave.

    Attributes:
        values: Its last expression, and those asked for behind it.
        reads: The cells it read for its own answer, in order, each once.
    """

    values: tuple[Decimal, ...]
    reads: tuple[Cell, ...]


def run_program(program: str, sections: Iterable[Section]) -> Decimal:
    """Return what a program gives on the tables of the sections.

    Raises:
        ProgramError: It broke off (a cell it names is not there, for one), or gave no finite number.
    """
    return reckon(program, tables_of(sections)).values[0]


def reckon(program: str, tables: Mapping[str, Table], also: Sequence[str] = ()) -> Reckoned:
    """Run a program and, in its scope, further expressions.

    Args:
        program: Its last statement is an expression.
        tables: {table: {row: {column: value}}} as `tables_of` gives them.
        also: Expressions in the names that the program sets.

    Raises:
        ProgramError: As `run_program`.
    """
    body, last = _split(program)
    listed = ", ".join(f"({each})" for each in also)
    # In this order: what else is asked reads on.
    code = f"{_PRELUDE}{body}\n_json.dumps([({last}), list(_reads), [{listed}]])"
    value, reads, others = json.loads(_run(code, {"tables": _floats(tables)}))
    try:
        return Reckoned(tuple(decimal_of(each) for each in (value, *others)), tuple(dict.fromkeys(map(tuple, reads))))
    except ValueError as error:
        raise ProgramError(str(error)) from None


def standalone(program: str, sections: Iterable[Section]) -> str:
    """Return code that gives the same without any input: the cells a program reads, as literals, and the program.

    Raises:
        ProgramError: As `run_program`.
    """
    tables = tables_of(sections)
    reads = reckon(program, tables).reads
    cells = {(table, row, column): float(tables[table][row][column]) for table, row, column in reads}
    return f"_cells = {cells!r}\n\ndef cell(table, row, column):\n    return _cells[(table, row, column)]\n\n{program}"


def own_numbers(program: str) -> list[str]:
    """Return what stands in a program and should have come by `cell`: numbers but for constants, texts made numbers."""
    found: list[str] = []
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Constant) and isinstance(node.value, int | float | complex):
            if isinstance(node.value, bool) or node.value not in CONSTANTS:
                found.append(repr(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _READERS:
            found += [ast.unparse(node)] if any(isinstance(each, ast.Constant) for each in node.args) else []
    return found


def operations(program: str) -> int:
    """Return how many operations stand in a program: those of a loop once, a division of a percentage by 100 not."""
    count = 0
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.BinOp):
            percent = isinstance(node.op, ast.Div) and isinstance(node.right, ast.Constant) and node.right.value == 100
            count += not percent
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            count += node.func.id in ("sum", "max", "min", "exp", "log", "sqrt", "erf", "abs")
        elif isinstance(node, ast.AugAssign | ast.Compare):
            count += 1
    return count


def without(sections: Iterable[Section], reads: Iterable[Cell]) -> list[Section]:
    """Return the sections with every table row gone that holds one of the cells."""
    gone = {(table, row) for table, row, _ in reads}
    left: list[Section] = []
    for section in sections:
        lines, table = [], ""
        for line in section.text.splitlines():
            if line.startswith("Table: "):
                table = line.removeprefix("Table: ").split(" ", 1)[0]
            label = line.strip().strip("|").split("|", 1)[0].strip().strip("*").strip()
            if not (line.strip().startswith("|") and (table, label) in gone):
                lines.append(line)
        left.append(section.model_copy(update={"text": "\n".join(lines) or "(nothing)"}))
    return left


def _split(program: str) -> tuple[str, str]:
    tree = ast.parse(program)
    if not tree.body or not isinstance(tree.body[-1], ast.Expr):
        raise ProgramError("the last statement of a program is an expression")
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    return ast.unparse(tree), ast.unparse(last.value)


def _floats(tables: Mapping[str, Table]) -> dict[str, Any]:
    return {
        table: {
            row: {column: float(value) if isinstance(value, Decimal) else value for column, value in cells.items()}
            for row, cells in rows.items()
        }
        for table, rows in tables.items()
    }


def _run(code: str, inputs: dict[str, Any]) -> str:
    from .sandbox import run  # loads the sandbox, which reading programs does not need

    done = run(code, inputs=inputs)
    if done.status != "ok":
        raise ProgramError(f"{done.status}: {done.error}")
    return done.value

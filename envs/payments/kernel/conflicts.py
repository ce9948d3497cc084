"""The conflict prover: every key, in every cell of scope and time, has exactly one winning rule.

A cell is a combination of one value for each dimension of scope that any row of the key names (or a value that no row
names), and a stretch of time in which no row begins or ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from .rules import BEGINNING, RuleBook, RuleRow

ANY_OTHER = "*"
"""Stands for every value of a dimension that no row names."""


class Conflict(NamedTuple):
    """A cell without a winner, or with several.

    Attributes:
        key: What is ruled.
        subject: The cell's value of each dimension.
        at: The first minute of the cell.
        row_ids: The rows that tie, empty where none applies.
    """

    key: str
    subject: dict[str, str]
    at: int
    row_ids: tuple[str, ...]

    def __str__(self) -> str:
        """Say what is wrong and what would mend it."""
        place = f"{self.key} for {self.subject or 'every case'} from minute {self.at}"
        if not self.row_ids:
            return f"{place}: no rule applies; state a general one"
        return f"{place}: {' and '.join(self.row_ids)} tie; change authority, scope or effective_from of one"


def find(book: RuleBook) -> list[Conflict]:
    """Return every cell that has no winner or several; empty where the rules are sound."""
    return [conflict for key in book.keys for conflict in _of_key(key, book.rows_of(key))]


def cells(rows: Sequence[RuleRow]) -> Iterator[tuple[dict[str, str], int]]:
    """Yield (subject, first minute) of each cell of a key."""
    dimensions = sorted({dimension for row in rows for dimension in row.scope})
    values = [[*sorted({row.scope[each] for row in rows if each in row.scope}), ANY_OTHER] for each in dimensions]
    edges = {row.effective_from for row in rows} | {row.effective_to for row in rows if row.effective_to is not None}
    for combination in product(*values):
        for minute in sorted({BEGINNING, *edges}):
            yield dict(zip(dimensions, combination, strict=True)), minute


def _of_key(key: str, rows: Sequence[RuleRow]) -> Iterator[Conflict]:
    for subject, minute in cells(rows):
        applying = [row for row in rows if row.applies(subject, minute)]
        strongest = max((row.precedence for row in applying), default=None)
        winners = tuple(row.id for row in applying if row.precedence == strongest)
        if len(winners) != 1:
            yield Conflict(key, subject, minute, winners)

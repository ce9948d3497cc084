"""Tables in the form that `envs/qa/tables.py` reads back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

Value = int | Decimal | str | None
Form = Callable[[int], str]
DASH = "—"


@dataclass(slots=True)
class Grid:
    """One table.

    Attributes:
        name: Its name, unique in the filing.
        measure: What its numbers are in, for example `in thousands of USD, except per share amounts`.
        columns: Headings of its columns.
        form: How a whole number is written.
        rows: (label, cells) from the top.
    """

    name: str
    measure: str
    columns: Sequence[str]
    form: Form
    rows: list[tuple[str, list[str]]] = field(default_factory=list)

    def add(self, label: str, values: Sequence[Value], form: Form | None = None, *, always: bool = False) -> None:
        """Add a row; one without any figure but zero is left out unless it must always stand."""
        if always or any(value not in (0, None, "") for value in values):
            self.rows.append((label, [self._cell(value, form or self.form) for value in values]))

    def add_all(self, rows: Mapping[str, Sequence[Value]]) -> None:
        """Add rows by label."""
        for label, values in rows.items():
            self.add(label, values)

    @property
    def text(self) -> str:
        """The table as Markdown under the line that names it."""
        lines = [
            f"Table: {self.name} ({self.measure})",
            "",
            "| | " + " | ".join(self.columns) + " |",
            "|---|" + "---:|" * len(self.columns),
        ]
        return "\n".join(lines + [f"| {label} | " + " | ".join(cells) + " |" for label, cells in self.rows])

    @staticmethod
    def _cell(value: Value, form: Form) -> str:
        if value is None:
            return ""
        if isinstance(value, str):
            return value
        return decimal_text(value) if isinstance(value, Decimal) else form(value)


def thousands(amount: int) -> str:
    """Write a whole number: `1,234`, `(1,234)`, a dash for zero."""
    return _signed(amount, f"{abs(amount):,}")


def tenths(amount: int) -> str:
    """Write a number of tenths with one decimal: 12345 as `1,234.5`."""
    return _signed(amount, f"{abs(amount) // 10:,}.{abs(amount) % 10}")


def decimal_text(value: Decimal) -> str:
    """Write a number with the decimals it has, a negative one in brackets."""
    return f"({abs(value):,})" if value < 0 else f"{value:,}"


def _signed(amount: int, digits: str) -> str:
    if amount == 0:
        return DASH
    return f"({digits})" if amount < 0 else digits

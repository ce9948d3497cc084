"""The tables of a filing as its reader sees them, and sums over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal

from ..tables import Table
from .filing import Filing


class Sheet:
    """One table read back from its text.

    Args:
        name: Its name.
        rows: {row: {column: value}}.
    """

    def __init__(self, name: str, rows: Table) -> None:
        self.name, self._rows = name, rows

    @property
    def rows(self) -> list[str]:
        """Labels of the rows from the top."""
        return list(self._rows)

    @property
    def columns(self) -> list[str]:
        """Headings of the columns in which any figure stands, from the left."""
        seen: dict[str, None] = {}
        for cells in self._rows.values():
            seen.update(dict.fromkeys(cells))
        return list(seen)

    def at(self, row: str, column: str) -> Decimal:
        """Return a figure; zero where the row or the figure is left out, or the cell holds a text."""
        value = self._rows.get(row, {}).get(column, Decimal(0))
        return value if isinstance(value, Decimal) else Decimal(0)

    def between(self, first: str, last: str) -> list[str]:
        """Return the labels that stand below one row and above another."""
        labels = self.rows
        return labels[labels.index(first) + 1 : labels.index(last)]

    def above(self, last: str) -> list[str]:
        """Return the labels that stand above a row."""
        return self.rows[: self.rows.index(last)]

    def total_off(self, total: str, parts: Iterable[str], less: Iterable[str] = ()) -> list[str]:
        """Return where a total is not the sum of its parts less some others, in words."""
        plus, minus, found = list(parts), list(less), []
        for column in self.columns:
            reckoned = sum((self.at(row, column) for row in plus), Decimal(0))
            reckoned -= sum((self.at(row, column) for row in minus), Decimal(0))
            if reckoned != self.at(total, column):
                found.append(f"{self.name}, {column}: {total} is {self.at(total, column)}, its parts give {reckoned}")
        return found


def differ(what: str, values: Mapping[str, Decimal], within: Decimal = Decimal(0)) -> list[str]:
    """Return in words whether figures that must be one and the same differ by more than `within`."""
    if max(values.values()) - min(values.values()) <= within:
        return []
    return [f"{what}: " + ", ".join(f"{value} by {place}" for place, value in values.items())]


class Reading:
    """The tables of a filing.

    Args:
        filing: The filing.
    """

    def __init__(self, filing: Filing) -> None:
        self.filing = filing
        self.sheets = {name: Sheet(name, rows) for name, rows in filing.tables.items()}
        self.years = [filing.column(year) for year in filing.years]
        self.latest = self.years[0]

    @property
    def unit(self) -> Decimal:
        """One unit of the books in the scale of the statements."""
        return Decimal(self.filing.company.unit) / self.filing.company.scale

    def __getitem__(self, table: str) -> Sheet:
        return self.sheets.get(table, Sheet(table, {}))


Check = Callable[[Reading], list[str]]

"""The tables of a section: Markdown tables, each under a line that names it, read back as numbers.

The form, the same for shipped and generated items:

    Table: income_statement (in thousands of USD, except per share amounts)

    | | FY2025 | FY2024 (restated) |
    |---|---:|---:|
    | Net sales | 1,234 | 1,180 |
    | Cost of goods sold | (812) | (790) |
    | Gross profit | 422 | 390 |

The name behind `Table:` is unique in the item, so are the rows of a table and its columns. Numbers in brackets are
negative, a dash (`-`, `–`, `—`) is zero, `%` and currency signs fall away; what is no number stays a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal

from .items import Section

Table = Mapping[str, Mapping[str, Decimal | str]]
_NAME = re.compile(r"^Table: (?P<name>[a-z][a-z0-9_]*)\b")
_RULE = re.compile(r"^\|(\s*:?-+:?\s*\|)+$")
_NUMBER = re.compile(r"^(?P<open>\()?(?P<sign>[-−])?[$€£¥]?(?P<digits>\d[\d,]*(?:\.\d+)?)\s?%?(?(open)\))$")
_DASHES = ("-", "–", "—")


def tables_of(sections: Iterable[Section]) -> dict[str, dict[str, dict[str, Decimal | str]]]:
    """Return {table: {row: {column: value}}} over all sections.

    Raises:
        ValueError: Two tables share a name, two rows a label or two columns a heading, or a row has too many cells.
    """
    found: dict[str, dict[str, dict[str, Decimal | str]]] = {}
    for section in sections:
        name = ""
        lines = section.text.splitlines()
        for k, line in enumerate(lines):
            named = _NAME.match(line)
            if named:
                name = named["name"]
            elif name and _RULE.match(line.strip()):
                if name in found:
                    raise ValueError(f"{section.section_id}: the table {name} stands twice")
                found[name] = _rows(name, lines[k - 1], lines[k + 1 :])
                name = ""
    return found


def number_of(text: str) -> Decimal | None:
    """Return the number that a cell holds, None where it holds none."""
    text = text.strip()
    if text in _DASHES:
        return Decimal(0)
    match = _NUMBER.match(text)
    if match is None:
        return None
    value = Decimal(match["digits"].replace(",", ""))
    return -value if match["open"] or match["sign"] else value


def _rows(table: str, head: str, lines: list[str]) -> dict[str, dict[str, Decimal | str]]:
    columns = _cells(head)[1:]
    if len(set(columns)) != len(columns):
        raise ValueError(f"{table}: two columns share a heading")
    rows: dict[str, dict[str, Decimal | str]] = {}
    for line in lines:
        if not line.strip().startswith("|"):
            break
        label, *cells = _cells(line)
        if label in rows or len(cells) > len(columns):
            raise ValueError(f"{table}: the row {label!r} stands twice, or has more cells than columns")
        values: dict[str, Decimal | str] = {}
        for column, text in zip(columns, cells, strict=False):
            number = number_of(text)
            if text:
                values[column] = text if number is None else number
        rows[label] = values
    return rows


def _cells(line: str) -> list[str]:
    return [each.strip().strip("*").strip() for each in line.strip().strip("|").split("|")]

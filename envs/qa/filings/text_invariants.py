"""What must hold in the text of every annual report: headings and sentences give no figure of a table away,
and what was published before a correction is told as such."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from .clarity import blurred, misplaced, sentences, told
from .reading import Check, Reading, differ

_BRACES = re.compile(r"[{}]")


def headings_tell_nothing(read: Reading) -> list[str]:
    """No title of a section and no name of a table holds a figure or the name of a line."""
    lines = {row for sheet in read.sheets.values() for row in sheet.rows}
    titles = [section.title for section in read.filing.sections]
    return [title for title in (*titles, *read.sheets) if any(each.isdigit() for each in title) or title in lines]


def sentences_tell_no_figure(read: Reading) -> list[str]:
    """No number of the sentences stands in a table, no field of them was left open, and no year answers for another."""
    filing = read.filing
    left = [line for section in filing.sections for line in sentences(section.text) if _BRACES.search(line)]
    return left + told(filing.sections, filing.tables) + blurred(filing.tables) + misplaced(filing.tables)


def key_figures_are_rounded(read: Reading) -> list[str]:
    """Key figures are the statements' figures rounded; those of a restated year are as first published."""
    key, income, sheet = read["key_figures"], read["income_statement"], read["restatement"]
    thousand = read.filing.company.scale == 1000
    places = Decimal("0.1") if thousand else Decimal("0.01")
    found: list[str] = []
    for year in read.filing.years:
        for row in (income.rows[0], "Operating income", "Net income"):
            exact = income.at(row, read.filing.column(year))
            if year == read.filing.restated and row in sheet.rows:
                exact = sheet.at(row, "As previously reported")
            rounded = (exact / 1000).quantize(places, ROUND_HALF_UP)
            found += differ(f"{row} FY{year}", {"key figures": key.at(row, f"FY{year}"), "statements": rounded})
    return found


def restatement_agrees(read: Reading) -> list[str]:
    """Each restated line is what was reported plus the correction, and stands so in the statements."""
    sheet, year = read["restatement"], read.filing.restated
    if year is None:
        return [f"{sheet.name}: nothing was restated"] if sheet.rows else []
    before, change, after = "As previously reported", "Adjustment", "As restated"
    shown = [read["income_statement"], read["balance_sheet"]]
    found: list[str] = []
    for row in sheet.rows:
        told = {"sum": sheet.at(row, before) + sheet.at(row, change), after: sheet.at(row, after)}
        places = {t.name: t.at(row, read.filing.column(year)) for t in shown if row in t.rows}
        found += differ(row, told)
        found += differ(row, {after: sheet.at(row, after), **places}) if places else [f"{row} stands in no statement"]
    earned = {"net income": sheet.at("Net income", change), "retained": sheet.at("Retained earnings", change)}
    assets = ("Accounts receivable, net", "Prepaid expenses and other current assets", "Property and equipment, net")
    claims = ("Accounts payable", "Accrued compensation", "Income taxes payable", "Retained earnings")
    sides = {
        "assets": sum((sheet.at(row, change) for row in assets), Decimal(0)),
        "claims": sum((sheet.at(row, change) for row in claims), Decimal(0)),
    }
    return [*found, *differ("correction of income", earned), *differ("correction of the balance sheet", sides)]


TEXT_CHECKS: tuple[Check, ...] = (
    headings_tell_nothing,
    sentences_tell_no_figure,
    key_figures_are_rounded,
    restatement_agrees,
)

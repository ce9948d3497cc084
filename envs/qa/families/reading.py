"""Questions on an annual report: a family of `extraction.yaml`, asked of a filing."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

import numpy as np

from ..filings import Filing
from ..filings.company import slug
from ..tables import tables_of
from .cases import FOUR_DIGITS
from .checks.derived import LINES
from .drawing import possessive
from .filing_spec import FilingFamily, Target
from .gates import Draft, Refused
from .spec import Asked, Mistake

_PLACE = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_YEARS_AHEAD = 5
_ANYTHING = (Decimal("-1e12"), Decimal("1e12"))
_WORD = {1000: "thousands", 1_000_000: "millions"}


class Asker:
    """One family asked of one filing.

    Args:
        family: Which.
        filing: Of what.
        rng: Draws the target, the year, the part and the wording.
        wording: Number of the wording, counted in a circle; None draws it.
    """

    def __init__(
        self, family: FilingFamily, filing: Filing, rng: np.random.Generator, wording: int | None = None
    ) -> None:
        self._family, self._filing = family, filing
        self._target: Target = family.targets[int(rng.integers(len(family.targets)))]
        self._year = filing.years[family.years[int(rng.integers(len(family.years)))]]
        company = filing.company
        self._segment, segment = company.segments[int(rng.integers(len(company.segments)))]
        kinds = list(company.industry.property_classes)
        kind = kinds[int(rng.integers(len(kinds)))]
        self._property = slug(kind)
        many = len(family.questions)
        self._wording = family.questions[int(rng.integers(many)) if wording is None else wording % many]
        self._texts = self._labels() | {"segment": segment, "property": kind}
        for name in ("row", "table", "phrase", "column"):  # these may hold placeholders of their own
            self._texts[name] = self._fill(getattr(self._target, name))

    def draft(self) -> Draft:
        """Return the question.

        Raises:
            Refused: The filing has no such row.
        """
        sections = [each for each in self._filing.sections if each.section_id in self._family.sections]
        tables = tables_of(sections)
        self._texts |= self._terms(tables)
        program = self._fill(self._family.program).strip()
        cells = tables.get(self._texts["table"], {}).get(self._texts["row"], {})
        if self._texts["column"] not in cells:
            raise Refused(f"{self._family.name}: the filing has no {self._texts['row']}")
        return Draft(
            capability=self._family.capability,
            family=self._family.name,
            question=self._fill(self._wording) + (FOUR_DIGITS if self._family.kind == "formula" else ""),
            sections=sections,
            asked=Asked(kind=self._family.kind, unit=self._family.unit or self._filing.currency, scale=self._scale),
            judged=self._family.features,
            program=program,
            mistakes=[*self._own_mistakes(), *(self._neighbours(tables) if self._family.apart else [])],
            second=self._second(),
            plausible=self._family.plausible or _ANYTHING,
            explanation=self._fill(self._family.explanation),
            meta={"filing": self._filing.filing_id, "line": self._target.line},
        )

    @property
    def _scale(self) -> Literal[1, 1000, 1000000]:
        measure, in_millions = self._family.measure, self._filing.company.scale == 1_000_000
        if measure == "each":
            return 1
        return 1000 if measure == "thousands" or in_millions == (measure == "other") else 1_000_000

    def _second(self) -> Decimal:
        part = self._property if "{property}" in self._target.row else self._segment
        value = LINES[self._target.line](self._filing, self._year, part)
        return value if self._family.measure == "each" else value * self._filing.company.scale / self._scale

    def _labels(self) -> dict[str, str]:
        filing, scale = self._filing, self._filing.company.scale
        texts = {
            "company": filing.company.name,
            "ccy": filing.currency,
            "money": f"{_WORD[scale]} of {filing.currency}",
            "asked": f"{_WORD.get(self._scale, '')} of {filing.currency}" if self._scale > 1 else filing.currency,
            "year": str(self._year),
            "column": filing.column(self._year),
            "convert": "" if self._family.measure != "other" else (" / 1000" if scale == 1000 else " * 1000"),
            "revenue": filing.company.industry.revenue,
            "cost": filing.company.industry.cost,
            "from_millions": " * 1000" if scale == 1000 else "",
            "earlier": filing.column(self._year - 1),
        }
        for k, year in enumerate(filing.years):
            texts |= {f"y{k}": str(year), f"c{k}": filing.column(year)}
        for k in range(1, _YEARS_AHEAD + 1):
            texts |= {f"n{k}": f"FY{filing.years[0] + k}"}
        return texts

    def _terms(self, tables: dict[str, dict[str, dict[str, Decimal | str]]]) -> dict[str, str]:
        """Return how the program reads each term: nothing, where the filing has no such row or does not count it."""
        terms = self._filing.accounts.facts.credit
        counted = terms is not None and terms.adds_stock_compensation
        found: dict[str, str] = {}
        for name, place in self._family.terms.items():
            table, row = place.split("/", 1)
            there = row in tables.get(table, {}) and (counted or name != "stock_added")
            found[name] = f'cell("{table}", "{row}", "{self._texts["column"]}")' if there else "0"
        return found

    def _fill(self, text: str) -> str:
        return possessive(_PLACE.sub(lambda match: self._texts.get(match[1], match[0]), text))

    def _own_mistakes(self) -> list[Mistake]:
        return [Mistake(gives=self._fill(each.gives), why=self._fill(each.why)) for each in self._family.mistakes]

    def _neighbours(self, tables: dict[str, dict[str, dict[str, Decimal | str]]]) -> list[Mistake]:
        """Return what a reader takes who is a column, a row or a measure off."""
        found: list[Mistake] = []
        table, row, column = (self._texts[name] for name in ("table", "row", "column"))
        convert = self._texts["convert"]
        for other, value in tables[table][row].items():
            if other != column and isinstance(value, Decimal) and value:
                found.append(
                    Mistake(gives=f'cell("{table}", "{row}", "{other}"){convert}', why=f"The column {other} is taken.")
                )
        for like in self._target.like:
            name, label, *rest = self._fill(like).split("/")
            where = rest[0] if rest else column
            if isinstance(tables.get(name, {}).get(label, {}).get(where), Decimal):
                gives = f'cell("{name}", "{label}", "{where}"){convert}'
                found.append(Mistake(gives=gives, why=f"{label} in {name}, {where}, is taken."))
        if convert:
            gives = f'cell("{table}", "{row}", "{column}")'
            found.append(Mistake(gives=gives, why="The measure of the table is kept."))
        return found

"""A filing: sections of text and tables, and the books that they were written from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ...core.errors import SettingError
from ...core.text import nearest
from ..items import Section
from ..tables import Table, tables_of
from .bookkeeping import keep_books
from .clarity import blurred, misplaced, told
from .company import Company, draw_company
from .figures import Figures
from .industries import industries
from .page import Page
from .sections import sections

MAX_ATTEMPTS = 40


@dataclass(frozen=True)
class Filing:
    """One annual report.

    Attributes:
        filing_id: `F-<seed>`, with the industry where it was asked for.
        company: Who reports.
        industry: Key of its industry.
        currency: ISO code of its reporting currency.
        years: Financial years reported, from the latest.
        sections: Its parts in order; tables in the form of `envs/qa/tables.py`.
        accounts: Every exact figure behind the tables, in units of the books (`company.unit`).
        restated: The year whose figures were restated; None for none.
    """

    filing_id: str
    company: Company
    industry: str
    currency: str
    years: tuple[int, ...]
    sections: tuple[Section, ...]
    accounts: Figures
    restated: int | None = None

    def column(self, year: int) -> str:
        """Return the heading of a year's column in the tables of the statements and notes."""
        return f"FY{year} (restated)" if year == self.restated else f"FY{year}"

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The tables of all sections by name, as `tables_of` reads them."""
        return dict(tables_of(self.sections))

    @property
    def is_clear(self) -> bool:
        """Whether no cell answers for another year, no sentence for a table, and no line stands on the wrong side."""
        return not (blurred(self.tables) or misplaced(self.tables) or told(self.sections, self.tables))

    @cached_property
    def by_id(self) -> dict[str, Section]:
        """The sections by their ids."""
        return {section.section_id: section for section in self.sections}


def generate(seed: int, industry: str | None = None) -> Filing:
    """Draw an annual report; the same arguments give the same one.

    Args:
        seed: At least 0.
        industry: A key of `industries()`; drawn where None.

    Raises:
        SettingError: An argument is none of these.
    """
    if type(seed) is not int or seed < 0:
        raise SettingError(f"seed: an integer from 0, not {seed!r}")
    if industry is not None and industry not in industries():
        raise SettingError(f"industry: there is no {industry!r}.{nearest(str(industry), list(industries()))}")
    filing_id = f"F-{seed}" if industry is None else f"F-{industry}-{seed}"
    for attempt in range(MAX_ATTEMPTS):
        rng = np.random.Generator(np.random.PCG64([seed, attempt]))
        filing = _write(filing_id, rng, industry)
        if filing.is_clear:
            return filing
    raise SettingError(
        f"seed: none of {MAX_ATTEMPTS} draws from {seed} gives a report that reads clearly; take another"
    )


def _write(filing_id: str, rng: np.random.Generator, industry: str | None) -> Filing:
    company, revenue_millions = draw_company(rng, industry)
    figures = Figures(keep_books(rng, company, revenue_millions))
    page = Page(figures)
    code = company.currency.code
    return Filing(filing_id, company, company.industry_key, code, figures.years, sections(page), figures, page.restated)

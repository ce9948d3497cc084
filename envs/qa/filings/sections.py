"""The sections of an annual report in order: their titles, their text and their tables."""

from __future__ import annotations

from collections.abc import Iterable

from ..items import Section
from . import asset_notes, business_notes, capital_notes, statements, tax_notes
from .cash import cash_flow_statement
from .grid import Grid
from .page import Page
from .prose import Prose
from .words import words

Part = str | Grid


def sections(page: Page) -> tuple[Section, ...]:
    """Return the sections of the report."""
    prose = Prose(page)
    return tuple(
        section
        for group in (
            _front(page, prose),
            _statements(page, prose),
            _business(page, prose),
            _assets(page, prose),
            _capital(page, prose),
        )
        for section in group
    )


def _section(section_id: str, title: str, parts: Iterable[Part]) -> Section:
    texts = [part if isinstance(part, str) else part.text for part in parts if isinstance(part, str) or part.rows]
    return Section(section_id=section_id, title=title, text="\n\n".join(texts))


def _front(page: Page, prose: Prose) -> list[Section]:
    said = words().discussion
    charged = any(page.figures.income(year, "restructuring") for year in page.years)
    return [
        _section(
            "management_discussion",
            "Management's Discussion and Analysis",
            [
                prose.overview(),
                " ".join(prose.drivers()),
                said.published,
                business_notes.key_figures(page),
                said.measure,
                business_notes.adjusted_ebitda(page),
                *([prose.policy("restructuring")] if charged else []),
                prose.outlook(),
            ],
        )
    ]


def _statements(page: Page, prose: Prose) -> list[Section]:
    latest, change = page.company.latest_year, page.facts.restatement
    found = [
        _section(
            "income_statement",
            "Consolidated Statements of Income",
            [statements.income_statement(page), *prose.footnotes("income_statement")],
        ),
        _section(
            "balance_sheet",
            "Consolidated Balance Sheets",
            [statements.balance_sheet(page), *prose.footnotes("balance_sheet")],
        ),
        _section(
            "cash_flow",
            "Consolidated Statements of Cash Flows",
            [cash_flow_statement(page), *prose.footnotes("cash_flow")],
        ),
        _section(
            "equity",
            "Consolidated Statements of Shareholders' Equity",
            [
                f"Year FY{latest}",
                statements.equity_rollforward(page, latest, "equity_rollforward"),
                f"Year {page.heading(latest - 1)}",
                statements.equity_rollforward(page, latest - 1, "equity_rollforward_prior"),
                capital_notes.share_counts(page),
                *prose.footnotes("equity"),
            ],
        ),
    ]
    if change is not None:
        table = tax_notes.restatement(page, change)
        found.append(_section("restatement", "Note: Restatement", [*prose.restatement(), table]))
    return found


def _business(page: Page, prose: Prose) -> list[Section]:
    tables = business_notes
    regional = [tables.revenue_by_region(page)] if page.facts.years[page.company.latest_year].regions else []
    found = [
        _section(
            "segments",
            "Note: Segment Information",
            [
                prose.policy("segments"),
                tables.segment_revenue(page),
                tables.segment_operating_income(page),
                tables.segment_depreciation(page),
                tables.segment_capex(page),
            ],
        ),
        _section("quarters", "Selected Quarterly Data", [prose.policy("quarters"), tables.quarterly_results(page)]),
        _section(
            "revenue",
            "Note: Revenue",
            [prose.revenue_policy(), *regional],
        ),
        _section(
            "receivables",
            "Note: Receivables and Credit Losses",
            [prose.policy("receivables"), tables.receivables(page), tables.credit_loss_allowance(page)],
        ),
    ]
    if page.company.industry.stocks:
        found.append(
            _section("inventories", "Note: Inventories", [prose.policy("inventories"), tables.inventories(page)])
        )
    return found


def _assets(page: Page, prose: Prose) -> list[Section]:
    return [
        _section(
            "property",
            "Note: Property and Equipment",
            [prose.policy("property"), asset_notes.property_cost(page), asset_notes.property_depreciation(page)],
        ),
        _section(
            "goodwill",
            "Note: Goodwill and Intangible Assets",
            [
                *prose.goodwill(),
                asset_notes.goodwill_rollforward(page),
                prose.policy("intangibles"),
                asset_notes.intangible_amortization(page),
            ],
        ),
        _section(
            "leases",
            "Note: Leases",
            [
                prose.policy("leases"),
                asset_notes.lease_cost(page),
                asset_notes.lease_maturities(page),
                asset_notes.lease_terms(page),
            ],
        ),
    ]


def _capital(page: Page, prose: Prose) -> list[Section]:
    notes, terms = capital_notes, page.facts.credit
    covenants = [notes.covenant_terms(page, terms)] if terms is not None else []
    return [
        _section(
            "debt",
            "Note: Debt",
            [prose.policy("debt"), notes.debt(page), notes.debt_maturities(page), notes.interest_expense(page)],
        ),
        _section(
            "credit_agreement",
            "Note: Covenants of the Credit Agreement",
            [*prose.credit_agreement(), *covenants, notes.covenant_addbacks(page)],
        ),
        _section(
            "stock_compensation",
            "Note: Stock-Based Compensation",
            [prose.policy("stock_compensation"), notes.stock_compensation(page), notes.option_activity(page)],
        ),
        _section(
            "taxes",
            "Note: Income Taxes",
            [
                prose.policy("taxes"),
                tax_notes.tax_expense(page),
                tax_notes.tax_reconciliation(page),
                prose.policy("deferred"),
                tax_notes.deferred_taxes(page),
            ],
        ),
        _section(
            "earnings_per_share", "Note: Earnings per Share", [prose.policy("earnings"), notes.earnings_per_share(page)]
        ),
        _section(
            "share_repurchases",
            "Note: Share Repurchases",
            [prose.policy("repurchases"), notes.share_repurchases(page), prose.policy("later")],
        ),
    ]

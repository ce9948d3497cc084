"""Second computations on annual reports of what follows from several lines: sums, defined terms and ratios."""

from __future__ import annotations

from decimal import Decimal

from ...filings import Filing
from ...filings.covenants import consolidated_ebitda, total_net_debt
from ...filings.facts import CreditTerms
from ...filings.restatement import change_before_tax, change_of_income
from .books import ASSETS, BOOKS, Line, amount, expense, income, paid, segment

_DEPRECIATION = ("depreciation", "amortisation")
_EQUITY = ("common_stock", "paid_in_capital", "treasury_stock", "retained_earnings", "translation")


def _segment_revenue(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, filing.accounts.income(year, f"revenue:{part}"))


def _net_income(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, filing.accounts.net_income(year))


def _ebitda(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    return amount(filing, f.operating_income(year) - f.income(year, *_DEPRECIATION))


def _free_cash_flow(filing: Filing, year: int, part: str) -> Decimal:
    """Cash over the year without what investors in debt and shares put in or took out, acquisitions aside."""
    f = filing.accounts
    other = (
        "drawing",
        "notes_issue",
        "repayment",
        "exercise",
        "repurchase",
        "dividend_paid",
        "translation",
        "acquisition",
    )
    return amount(filing, f.ledger.moved(year, "cash") - sum(f.ledger.moved(year, "cash", memo) for memo in other))


def _net_debt(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, filing.accounts.claim(year, "debt") - filing.accounts.asset(year, "cash"))


def _net_property(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, filing.accounts.asset(year, f"property:{part}", f"depreciated:{part}"))


def _terms(filing: Filing) -> CreditTerms:
    terms = filing.accounts.facts.credit
    if terms is None:
        raise KeyError(f"{filing.filing_id} has no credit agreement")
    return terms


def _total_net_debt(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, total_net_debt(filing.accounts.books, year, _terms(filing)))


def _consolidated_ebitda(filing: Filing, year: int, part: str) -> Decimal:
    return amount(filing, consolidated_ebitda(filing.accounts.books, year, _terms(filing)))


def _first_published(line: str) -> Line:
    """What was reported before an error was corrected: the books, which hold the correction, less what it changed."""

    def published(filing: Filing, year: int, part: str) -> Decimal:
        f, change = filing.accounts, filing.accounts.facts.restatement
        if change is None or change.year != year:
            raise KeyError(f"{year} was not restated")
        if line == "net_income":
            return amount(filing, f.net_income(year) - change_of_income(change))
        held = f.operating_income(year) if line == "operating_income" else f.before_tax(year)
        return amount(filing, held - change_before_tax(change))

    return published


def _rise_over_first_published(filing: Filing, year: int, part: str) -> Decimal:
    before = _first_published("net_income")(filing, filing.years[1], part)
    return amount(filing, filing.accounts.net_income(filing.years[0])) - before


def _payout(filing: Filing, year: int, part: str) -> Decimal:
    moved = filing.accounts.ledger.moved
    return amount(filing, -sum(moved(year, "cash", memo) for memo in ("dividend_paid", "repurchase", "exercise")))


def _working_capital(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    return amount(filing, f.asset(year, "receivables", "allowance", "inventories") - f.claim(year, "payables"))


def _segment_before_depreciation(filing: Filing, year: int, part: str) -> Decimal:
    found = filing.accounts.facts.years[year].segments[part]
    return amount(filing, found.operating_income + found.depreciation)


def _other_segments_capex(filing: Filing, year: int, part: str) -> Decimal:
    found = filing.accounts.facts.years[year].segments
    return amount(filing, sum(each.capex for key, each in found.items() if key != part))


def _share(part: Line, whole: Line) -> Line:
    """One line as a percentage of another."""
    return lambda filing, year, key: 100 * part(filing, year, key) / whole(filing, year, key)


def _tax_rate(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    return 100 - 100 * Decimal(f.net_income(year)) / f.before_tax(year)


def _return_on_equity(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    held = sum(f.claim(when, *_EQUITY) for when in (year, year - 1))
    return 200 * Decimal(f.net_income(year)) / held


def _days_of_receivables(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    held = sum(f.asset(when, "receivables", "allowance") for when in (year, year - 1))
    return Decimal(held) * 365 / (2 * f.income(year, "revenue"))


def _margin_change(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    now, before = (Decimal(f.operating_income(y)) / f.income(y, "revenue") for y in (year, year - 1))
    return 10_000 * (now - before)


def _covenant_leverage(filing: Filing, year: int, part: str) -> Decimal:
    return _total_net_debt(filing, year, part) / _consolidated_ebitda(filing, year, part)


def _covenant_coverage(filing: Filing, year: int, part: str) -> Decimal:
    return _consolidated_ebitda(filing, year, part) / expense("interest")(filing, year, part)


def _covenant_headroom(filing: Filing, year: int, part: str) -> Decimal:
    """By how many per cent Consolidated EBITDA may fall until leverage is at its limit."""
    least = _total_net_debt(filing, year, part) / _terms(filing).max_leverage
    return 100 * (1 - least / _consolidated_ebitda(filing, year, part))


def _average_price(filing: Filing, year: int, part: str) -> Decimal:
    quarters = filing.accounts.facts.years[year].quarters
    spent = sum((each.repurchased * each.price for each in quarters), Decimal(0))
    return spent / sum(each.repurchased for each in quarters)


def _asset_turnover(filing: Filing, year: int, part: str) -> Decimal:
    f = filing.accounts
    held = sum(f.asset(when, *ASSETS, "goodwill", "intangibles") for when in (year, year - 1))
    return 2 * Decimal(f.income(year, "revenue")) / held


DERIVED: dict[str, Line] = {
    "tax_rate": _tax_rate,
    "segment_margin": _share(
        segment("operating_income"),
        _segment_revenue,
    ),
    "segment_share": _share(_segment_revenue, income("revenue")),
    "payout_of_profit": _share(paid("dividend_paid"), _net_income),
    "return_on_equity": _return_on_equity,
    "days_of_receivables": _days_of_receivables,
    "margin_change": _margin_change,
    "covenant_leverage": _covenant_leverage,
    "covenant_coverage": _covenant_coverage,
    "covenant_headroom": _covenant_headroom,
    "average_price": _average_price,
    "asset_turnover": _asset_turnover,
    "cash_conversion": _share(_free_cash_flow, _net_income),
    "ebitda": _ebitda,
    "total_net_debt": _total_net_debt,
    "consolidated_ebitda": _consolidated_ebitda,
    "operating_income_first": _first_published("operating_income"),
    "before_tax_first": _first_published("before_tax"),
    "net_income_first": _first_published("net_income"),
    "rise_over_first_published": _rise_over_first_published,
    "free_cash_flow": _free_cash_flow,
    "net_debt": _net_debt,
    "net_property_of_class": _net_property,
    "payout": _payout,
    "operating_working_capital": _working_capital,
    "segment_before_depreciation": _segment_before_depreciation,
    "other_segments_capex": _other_segments_capex,
}
"""By name of the line."""

LINES: dict[str, Line] = BOOKS | DERIVED
"""All lines that may be asked for."""

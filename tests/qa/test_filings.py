"""Annual reports drawn from a seed: reproducible, readable, plausible, and each its own company."""

import re
import subprocess
import sys
from collections import Counter
from decimal import Decimal
from itertools import combinations

import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.envs.qa.filings import generate
from bizgym.envs.qa.filings.cash import operating_cash
from bizgym.envs.qa.filings.industries import industries
from bizgym.envs.qa.filings.words import words

INDUSTRIES = tuple(industries())
ALWAYS = {
    "adjusted_ebitda",
    "balance_sheet",
    "cash_flow_statement",
    "covenant_addbacks",
    "covenant_terms",
    "credit_loss_allowance",
    "debt",
    "debt_maturities",
    "deferred_taxes",
    "earnings_per_share",
    "equity_rollforward",
    "equity_rollforward_prior",
    "goodwill_rollforward",
    "income_statement",
    "intangible_amortization",
    "interest_expense",
    "key_figures",
    "lease_cost",
    "lease_maturities",
    "lease_terms",
    "option_activity",
    "property_cost",
    "property_depreciation",
    "quarterly_results",
    "receivables",
    "segment_capex",
    "segment_depreciation",
    "segment_operating_income",
    "segment_revenue",
    "share_counts",
    "share_repurchases",
    "stock_compensation",
    "tax_expense",
    "tax_reconciliation",
}
SOMETIMES = {"inventories", "restatement", "revenue_by_region"}


def as_text(filing):
    return "\n".join(f"{section.title}\n{section.text}" for section in filing.sections)


def test_twelve_industries_are_told_apart_by_their_figures():
    assert len(INDUSTRIES) == 12
    margin = {key: generate(900, key).accounts for key in INDUSTRIES}
    gross = {key: figures.gross_profit(figures.years[0]) for key, figures in margin.items()}
    share = {key: gross[key] / figures.income(figures.years[0], "revenue") for key, figures in margin.items()}
    assert share["staffing_services"] < 0.3 < share["medical_devices"] < share["enterprise_software"]
    assert margin["water_utility"].asset(margin["water_utility"].years[0], "property") > 3 * margin[
        "water_utility"
    ].income(margin["water_utility"].years[0], "revenue")


@pytest.mark.parametrize("key", INDUSTRIES)
def test_a_report_holds_the_tables_and_the_words_of_its_trade(key):
    filing = generate(41, key)
    industry = industries()[key]
    assert filing.industry == key
    assert filing.filing_id == f"F-{key}-41"
    assert set(filing.tables) - SOMETIMES == ALWAYS
    assert ("inventories" in filing.tables) == bool(industry.stocks)
    assert ("restatement" in filing.tables) == (filing.restated is not None)
    assert list(filing.tables["income_statement"])[:2] == [industry.revenue, industry.cost]
    assert set(filing.tables["segment_revenue"]) - {"Total revenue"} <= set(industry.segments)
    assert list(filing.tables["property_cost"])[:-1] == list(industry.property_classes)
    assert industry.trade in filing.by_id["management_discussion"].text
    assert industry.revenue_policy in filing.by_id["revenue"].text


def test_the_same_seed_is_the_same_report_and_another_one_is_not():
    assert as_text(generate(7)) == as_text(generate(7))
    assert as_text(generate(7)) != as_text(generate(8))
    assert as_text(generate(7, "lodging")) != as_text(generate(7, "restaurants"))


def test_a_report_does_not_depend_on_the_hash_seed_of_the_process():
    program = (
        "from hashlib import sha256; from bizgym.envs.qa.filings import generate; "
        "print(sha256(''.join(s.text for k in range(3) for s in generate(k).sections).encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@pytest.mark.parametrize("seed", [-1, 1.0, True, "7", None])
def test_a_seed_that_is_none_is_refused(seed):
    with pytest.raises(SettingError, match="seed"):
        generate(seed)


def test_an_unknown_industry_is_refused_with_the_nearest_one():
    with pytest.raises(SettingError, match="lodging"):
        generate(1, "loging")


def test_money_is_whole_units_and_large_companies_report_in_millions():
    seen = {filing.company.scale: filing for filing in (generate(seed, "grocery_retail") for seed in range(30))}
    assert set(seen) == {1000, 1_000_000}
    revenue = {scale: filing.tables["segment_revenue"]["Total revenue"] for scale, filing in seen.items()}
    assert all(value == value.to_integral_value() for value in revenue[1000].values())
    assert all(value.as_tuple().exponent == -1 for value in revenue[1_000_000].values())
    for scale, filing in seen.items():
        latest = filing.years[0]
        exact = filing.accounts.income(latest, "revenue") * filing.company.unit
        assert revenue[scale][filing.column(latest)] * scale == exact
        assert f"in {'thousands' if scale == 1000 else 'millions'} of" in filing.by_id["income_statement"].text


def test_a_report_mixes_thousands_millions_and_amounts_a_share():
    filing = generate(17, "packaged_foods")
    code = filing.currency
    text = as_text(filing)
    for measure in (
        f"Table: income_statement (in thousands of {code}, except per share amounts)",
        f"Table: debt_maturities (principal, in millions of {code})",
        f"Table: option_activity (options in thousands, prices in {code} per share)",
        f"Table: key_figures (as first published; money in millions of {code} unless stated otherwise)",
    ):
        assert measure in text


def test_two_reports_are_of_two_companies():
    filings = [generate(seed) for seed in range(40)]
    assert len({filing.company.name for filing in filings}) >= 36
    assert len({filing.industry for filing in filings}) >= 10
    revenues = [tuple(filing.tables["segment_revenue"]["Total revenue"].values()) for filing in filings]
    assert all(not set(one) & set(other) for one, other in combinations(revenues, 2))


@pytest.mark.parametrize("key", INDUSTRIES)
def test_figures_are_plausible(key):
    for seed in range(500, 506):
        figures = generate(seed, key).accounts
        for year in figures.years:
            revenue = figures.income(year, "revenue")
            assert -0.06 < figures.net_income(year) / revenue < 0.32
            assert 0.02 < figures.asset(year, "cash") / revenue < 0.3
            assert 0.03 < figures.equity(year) / figures.total_assets(year) < 0.85
            assert operating_cash(figures, year) > -0.02 * revenue
            assert figures.claim(year, "debt") < 14 * figures.ebitda(year)
            assert all(figures.income(year, f"revenue:{key}") > 0 for key, _ in figures.company.segments)


def test_restatements_acquisitions_and_impairments_happen_at_their_rates():
    filings = [generate(seed) for seed in range(3000, 3120)]
    n = len(filings)
    restated = sum(filing.restated is not None for filing in filings) / n
    bought = sum(bool(filing.accounts.facts.acquired) for filing in filings) / n
    charged = sum("Restructuring charges" in filing.tables["income_statement"] for filing in filings) / n
    four_sigma = 4 * 0.5 / n**0.5
    assert abs(restated - 0.4) < four_sigma
    assert abs(bought - (1 - 0.7**3)) < four_sigma
    assert abs(charged - (1 - 0.55**3)) < four_sigma
    causes = Counter(filing.accounts.facts.restatement.cause for filing in filings if filing.restated)
    assert set(causes) == set(words().restatements)


def test_a_report_says_what_the_figures_did():
    for seed in range(60, 90):
        filing = generate(seed)
        figures, latest = filing.accounts, filing.years[0]
        said = filing.by_id["management_discussion"].text
        rose = figures.income(latest, "revenue") > figures.income(latest - 1, "revenue")
        reasons = filing.company.industry.up if rose else filing.company.industry.down
        assert sum(reason in said for reason in reasons) >= 2
        margins = [figures.operating_income(year) / figures.income(year, "revenue") for year in (latest, latest - 1)]
        assert ("margin widened" in said) == (margins[0] > margins[1])
        cash = [operating_cash(figures, year) for year in (latest, latest - 1)]
        assert ("operations increased" in said) == (cash[0] > cash[1])


def test_every_number_of_a_table_is_written_as_accountants_write_it():
    number = re.compile(r"^(?:—|\(?\d{1,3}(?:,\d{3})*(?:\.\d+)?\)?)$")
    for seed in (3, 4, 5):
        for section in generate(seed).sections:
            for line in section.text.splitlines():
                if line.startswith("| ") and not line.startswith("| |"):
                    cells = [cell.strip() for cell in line.strip("|").split("|")[1:]]
                    assert all(number.match(cell) for cell in cells if cell), line


def test_negative_figures_stand_in_brackets_and_are_read_back_as_negative():
    filing = generate(5)
    spent = filing.tables["cash_flow_statement"]["Capital expenditures"]
    assert all(value < 0 for value in spent.values())
    assert f"({abs(spent[filing.column(filing.years[0])]):,})" in filing.by_id["cash_flow"].text
    assert Decimal(filing.accounts.ledger.moved(filing.years[0], "cash", "capex")) * filing.company.unit == (
        spent[filing.column(filing.years[0])] * filing.company.scale
    )

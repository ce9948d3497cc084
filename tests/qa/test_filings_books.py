"""The books behind an annual report: double entry, and each estimate against a closed form or a second way."""

from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import pytest
from bizgym.envs.core.data import packaged_text, parse, validate
from bizgym.envs.core.errors import DataError
from bizgym.envs.qa.filings import generate
from bizgym.envs.qa.filings.bookkeeping import keep_books
from bizgym.envs.qa.filings.company import draw_company, slug
from bizgym.envs.qa.filings.covenants import consolidated_ebitda, total_net_debt
from bizgym.envs.qa.filings.facts import Lease, Tranche
from bizgym.envs.qa.filings.industries import Industries, industries
from bizgym.envs.qa.filings.investment import present_value
from bizgym.envs.qa.filings.journal import KINDS, Ledger, kind_of
from bizgym.envs.qa.filings.taxes import net_income
from bizgym.envs.qa.filings.words import Words, words
from hypothesis import given
from hypothesis import strategies as st

MEMOS = {
    "sale",
    "goods",
    "payroll",
    "credit_loss",
    "collection",
    "settlement",
    "wages",
    "capex",
    "disposal",
    "depreciation",
    "amortisation",
    "lease_payment",
    "new_lease",
    "stock_compensation",
    "exercise",
    "repayment",
    "interest",
    "interest_paid",
    "tax",
    "deferred_tax",
    "tax_paid",
    "dividend",
    "dividend_paid",
    "closing",
}


def test_the_ledger_refuses_what_does_not_balance():
    ledger = Ledger({"cash": 100, "retained_earnings": -100}, 2024)
    with pytest.raises(ValueError, match="differ by 1"):
        ledger.post(2024, "sale", {"cash": 41, "revenue:a": -40})
    with pytest.raises(ValueError, match="no account petty_cash"):
        ledger.post(2024, "sale", {"petty_cash": 40, "revenue:a": -40})
    with pytest.raises(ValueError, match="off by 3"):
        Ledger({"cash": 3}, 2024)


def test_the_ledger_adds_by_account_by_kind_by_memo_and_by_year():
    ledger = Ledger({"cash": 100, "retained_earnings": -100}, 2023)
    ledger.post(2023, "sale", {"receivables": 70, "revenue:a": -50, "revenue:b": -20})
    ledger.post(2024, "sale", {"receivables": 30, "revenue:a": -30})
    ledger.post(2024, "collection", {"cash": 60, "receivables": -60})
    ledger.post(2024, "nothing", {"cash": 0, "receivables": 0})
    assert [ledger.balance("receivables", year) for year in (2022, 2023, 2024)] == [0, 70, 40]
    assert ledger.moved(2023, "revenue") == -70
    assert ledger.moved(2024, "receivables", "sale") == 30
    assert ledger.moved(2024, "receivables", "sale", "collection") == ledger.moved(2024, "receivables") == -30
    assert ledger.now("revenue") == -100
    assert ledger.accounts("revenue") == ("revenue:a", "revenue:b")
    assert ledger.cash_of(2024, "operating") == 60
    assert [entry.memo for entry in ledger.journal] == ["sale", "sale", "collection"]


@pytest.mark.parametrize("key", tuple(industries()))
def test_three_years_are_booked_by_entries_of_every_kind(key):
    filing = generate(123, key)
    ledger = filing.accounts.ledger
    for year in filing.years:
        memos = {entry.memo for entry in ledger.journal if entry.year == year}
        assert memos >= MEMOS - {"goods"}
    assert {kind_of(account) for entry in ledger.journal for account, _ in entry.lines} <= KINDS
    assert ledger.now("revenue") == 0  # closed to retained earnings
    assert sum(ledger.opening.values()) == 0


@given(
    payment=st.integers(1, 50_000),
    rate=st.floats(0.02, 0.09),
    years=st.integers(2, 15),
)
def test_the_value_of_level_payments_is_that_of_an_annuity(payment, rate, years):
    lease = Lease(2020, {2020 + k: payment for k in range(1, years + 1)}, rate)
    annuity = payment * (1 - (1 + rate) ** -years) / rate
    assert present_value(lease, 2020) == pytest.approx(annuity, rel=1e-9)
    assert lease.cost == payment
    assert present_value(lease, 2020 + years) == 0


def test_lease_liabilities_stay_at_the_value_of_what_is_left_to_pay():
    for seed in range(20):
        filing = generate(seed)
        figures, latest = filing.accounts, filing.years[0]
        for k, lease in enumerate(figures.facts.leases, 1):
            owed = figures.claim(latest, f"lease_liability:{k}")
            assert abs(owed - present_value(lease, latest)) <= 3  # units of rounding over three years


@given(
    owed=st.integers(0, 10_000),
    repaid=st.dictionaries(st.integers(2025, 2029), st.integers(1, 4_000)),
    matures=st.integers(2026, 2030),
)
def test_what_is_owed_falls_due_once_and_in_full(owed, repaid, matures):
    tranche = Tranche("notes", "Notes", "notes", Decimal(5), 2020, matures, repaid)
    due = [tranche.due(owed, year, 2024) for year in range(2025, 2031)]
    assert sum(due) == owed
    assert min(due) >= 0
    assert not any(due[matures - 2024 :])


def test_depreciation_is_about_cost_over_life():
    for key in ("lodging", "water_utility", "industrial_machinery"):
        filing = generate(77, key)
        cost, worn = filing.tables["property_cost"], filing.tables["property_depreciation"]
        for name, part in filing.company.industry.property_classes.items():
            base = cost[name]["Opening balance"] + cost[name]["Disposals"] + cost[name]["Additions"] / 2
            charge = worn[name]["Depreciation"]
            spent = worn[name]["Closing balance"] / cost[name]["Closing balance"]
            assert 0.9 < charge / (base / part.life_years) < 1.1 or spent > Decimal("0.9"), name
            assert spent < 1


def test_consolidated_ebitda_follows_from_the_tables_as_the_agreement_defines_it():
    capped = adding = 0
    for seed in range(60):
        filing = generate(seed)
        figures, terms = filing.accounts, filing.accounts.facts.credit
        added, income, levels = (
            filing.tables[name] for name in ("covenant_addbacks", "income_statement", "covenant_terms")
        )
        said = filing.by_id["credit_agreement"].text
        adds_stock = "(d) stock-based compensation" in said
        assert adds_stock == terms.adds_stock_compensation
        for year in filing.years:
            column = filing.column(year)

            def at(table, row, column=column):
                return table.get(row, {}).get(column, Decimal(0))

            cap = (
                levels["Cap on restructuring charges added back in a year"]["Level"] * 1_000_000 / filing.company.scale
            )
            charges = at(added, "Restructuring charges")
            total = at(income, "Net income") + at(income, "Interest expense") - at(income, "Interest income")
            total += at(income, "Income tax expense (benefit)") + at(income, "Depreciation and amortization")
            total += at(added, "Goodwill impairment") + min(charges, cap)
            total += at(added, "Loss (gain) on disposal of property and equipment")
            total += at(added, "Foreign currency loss (gain)")
            total += at(added, "Stock-based compensation") if adds_stock else 0
            unit = Decimal(filing.company.unit) / filing.company.scale
            assert consolidated_ebitda(figures.books, year, terms) * unit == total
            capped += charges > cap
        adding += adds_stock
        reached = total_net_debt(figures.books, filing.years[0], terms) / consolidated_ebitda(
            figures.books, filing.years[0], terms
        )
        assert reached < terms.max_leverage + 1
    assert capped > 10  # the cap binds often enough to matter
    assert 15 < adding < 45


def test_net_debt_deducts_no_more_cash_than_the_cap():
    for seed in range(20):
        filing = generate(seed)
        latest, scale = filing.years[0], filing.company.scale
        cap = filing.tables["covenant_terms"]["Cap on cash deducted from debt"]["Level"] * 1_000_000 / scale
        cash = filing.tables["balance_sheet"]["Cash and cash equivalents"][filing.column(latest)]
        principal = filing.tables["debt"]["Total principal"][filing.column(latest)]
        net = total_net_debt(filing.accounts.books, latest, filing.accounts.facts.credit)
        assert net * filing.company.unit == (principal - min(cash, cap)) * scale
        assert cap < cash


def test_shares_are_diluted_by_the_treasury_stock_method_and_never_by_a_loss():
    losses = 0
    for seed in range(150):
        rng = np.random.Generator(np.random.PCG64(seed))
        company, revenue_millions = draw_company(rng, "freight_logistics")
        books = keep_books(rng, company, revenue_millions)
        for year in company.years:
            facts = books.facts.years[year]
            if net_income(books, year) <= 0:
                losses += 1
                assert facts.dilutive_shares == 0
                continue
            held = facts.options
            from_options = held.closing * max(Decimal(0), 1 - held.closing_price / facts.average_price)
            unvested = facts.dilutive_shares - from_options
            assert unvested - facts.opening_shares * Decimal("0.001") >= -1
            assert unvested <= facts.opening_shares * Decimal("0.004") + 1
    assert losses > 3


def test_the_effective_rate_lies_near_the_statutory_one():
    rates = []
    for seed in range(60):
        filing = generate(seed)
        for year in filing.years:
            before = filing.accounts.before_tax(year)
            charge = -filing.accounts.income(year, "current_tax", "deferred_tax_expense")
            rates.append(charge / before - float(filing.company.currency.tax_rate))
    rates.sort()
    assert abs(rates[len(rates) // 2]) < 0.03
    assert rates[len(rates) // 10] > -0.1


def test_units_of_the_books_round_half_up_to_what_is_shown():
    for seed in range(12):
        filing = generate(seed, "grocery_retail")
        key, latest = filing.tables["key_figures"], filing.years[0]
        per = 1_000_000 if filing.company.scale == 1000 else 1_000_000_000
        exact = Decimal(filing.accounts.income(latest, "revenue") * filing.company.unit) / per
        shown = key[filing.company.industry.revenue][f"FY{latest}"]
        if filing.restated != latest:
            places = Decimal("0.1") if filing.company.scale == 1000 else Decimal("0.01")
            assert shown == exact.quantize(places, ROUND_HALF_UP)


def test_every_restatement_balances_before_any_rounding_of_tables():
    for cause, error in words().restatements.items():
        effect = sum(
            -part if line in ("cost", "administration", "depreciation") else part for line, part in error.income.items()
        )
        assets = sum(part for line, part in error.balance.items() if line in ("receivables", "prepaid", "property"))
        claims = sum(part for line, part in error.balance.items() if line in ("payables", "payroll_payable"))
        assert assets - claims == pytest.approx(effect), cause
        assert effect < 0  # what was corrected had flattered income


def test_nothing_less_than_nothing_had_been_reported_before_a_restatement():
    lines = ("Accrued compensation", "Accounts payable", "Prepaid expenses and other current assets")
    shares = []
    for seed in range(200):
        table = generate(seed).tables.get("restatement", {})
        shares += [table[line]["Adjustment"] / table[line]["As restated"] for line in lines if line in table]
    assert max(shares) < Decimal("0.61")
    assert len(shares) > 40


@pytest.mark.parametrize(
    ("model", "name", "old", "new"),
    [
        (Industries, "industries.yaml", "life_years: 30", "life_years: -30"),
        (Industries, "industries.yaml", "economics:", "economy:"),
        (Words, "filing_words.yaml", "year_ends:", "year_end:"),
    ],
)
def test_a_data_file_that_breaks_its_schema_is_refused(model, name, old, new):
    text = packaged_text("qa", name)
    assert old in text
    with pytest.raises(DataError):
        validate(model, parse(text.replace(old, new, 1), name), name)


def test_the_industries_are_whole():
    for key, industry in industries().items():
        assert sum(part.share for part in industry.property_classes.values()) == pytest.approx(1), key
        assert set(industry.restatements) <= set(words().restatements), key
        assert len({slug(name) for name in industry.segments}) == len(industry.segments) >= 4, key
        for name in type(industry.economics).model_fields:
            low, high = getattr(industry.economics, name)
            assert low <= high, (key, name)
        assert bool(industry.stocks) == (industry.economics.inventory_days[1] > 0), key

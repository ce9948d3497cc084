"""Every figure in an option, right or wrong, reckoned anew from the figures of its question."""

import re
from math import exp, log, pi, sqrt

import pytest
from bizgym.envs.qa.authored import authored

WRITTEN = {choice.name: choice for _, choice in authored("domain_knowledge")}

# (question, option, the figure that stands first in it)
FIGURES = [
    ("insurance-paid-in-october", "prepaid-90", 120_000 * 9 / 12),
    ("insurance-paid-in-october", "prepaid-30", 120_000 * 3 / 12),
    ("stock-that-sells-below-cost", "at-42", min(50, 48 - 6)),
    ("stock-that-sells-below-cost", "at-44", 50 - 6),
    ("rooms-sold-on-a-platform", "agent", 0.15 * 200),
    ("rooms-sold-on-a-platform", "share", 200 - 0.15 * 200),
    ("impaired-unit-with-a-floor", "pro-rata", (40 + 120 + 60 - 150 - 40) * 60 / (120 + 60)),
    ("impaired-unit-with-a-floor", "all-assets", round(70 * 60 / 220)),
    ("impaired-unit-with-a-floor", "none-to-plant", 70 - 40),
    ("profit-within-the-group", "buyer", 0.30 * 200_000),
    ("profit-within-the-group", "seller", 0.20 * 200_000),
    ("errors-in-a-monetary-unit-sample", "mus", 5_000 / 20_000 * 50_000 + 4_000),
    ("errors-in-a-monetary-unit-sample", "both", 5_000 / 20_000 * 50_000 + 4_000 / 80_000 * 50_000),
    ("errors-in-a-monetary-unit-sample", "known", 5_000 + 4_000),
    ("errors-in-a-monetary-unit-sample", "first", 5_000 / 20_000 * 50_000),
    ("beta-after-a-recapitalisation", "double", 0.8 * (1 + 1)),
    ("beta-after-a-recapitalisation", "half-more", 0.8 * (1 + 0.5)),
    ("price-between-two-coupons", "dirty", 98 + 3 / 2),
    ("price-between-two-coupons", "minus", 98 - 3 / 2),
    ("price-between-two-coupons", "coupon", 98 + 3),
    ("spread-of-a-callable-bond", "bullet", 140 - 120),
    ("spread-of-a-callable-bond", "callable-40", 180 - 140),
    ("spread-of-a-callable-bond", "callable-60", 180 - 120),
    ("futures-bought-for-fuel", "pays", 10 * 1_000 * 0.80),
    ("futures-bought-for-fuel", "one", 1_000 * 0.80),
    ("call-and-put-at-the-same-strike", "call-parity", round(100 - 100 / 1.05, 1)),
    ("loan-swapped-to-fixed", "five", 1 + 2 + 3 - 1),
    ("loan-swapped-to-fixed", "three", 1 + 2),
    ("loan-swapped-to-fixed", "seven", (3 + 2) + (3 - 1)),
    ("hedge-with-another-fuel", "forty", 100 * (1 - sqrt(1 - 0.8**2))),
    ("hedge-with-another-fuel", "sixty-four", 100 * 0.8**2),
    ("hedge-with-another-fuel", "thirty-six", 100 * (1 - 0.8**2)),
    ("mortgages-with-a-low-weight", "leverage", max(0.04 * 200, 0.12 * 0.20 * 200)),
    ("mortgages-with-a-low-weight", "risk", 0.12 * 0.20 * 200),
    ("mortgages-with-a-low-weight", "no-weight", 0.12 * 200),
    ("mortgages-with-a-low-weight", "sum", 0.04 * 200 + 0.12 * 0.20 * 200),
    ("liquidity-ratio-with-large-inflows", "capped", 100 * 30 / (100 - min(90, 0.75 * 100))),
    ("liquidity-ratio-with-large-inflows", "uncapped", 100 * 30 / (100 - 90)),
    ("liquidity-ratio-with-large-inflows", "gross", 100 * 30 / 100),
    ("liquidity-ratio-with-large-inflows", "haircut", round(100 * 30 / (100 - 0.75 * 90))),
    ("machine-written-off-faster-for-tax", "liability-5", 0.25 * (80_000 - 60_000)),
    ("machine-written-off-faster-for-tax", "liability-15", 0.25 * 60_000),
    ("tax-on-what-a-shop-adds", "ten", 30 - 20),
    ("credit-or-deduction", "equal-rate", 0.25 * 10),
    ("law-voted-before-the-year-end", "a-only", 40 - 40 / 0.25 * 0.20),
    ("top-up-to-the-minimum-tax", "excess", (15 - 9) / 100 * (100 - 40)),
    ("top-up-to-the-minimum-tax", "whole", (15 - 9) / 100 * 100),
    ("top-up-to-the-minimum-tax", "tax-first", max(0, 0.15 * (100 - 40) - 9)),
    ("top-up-to-the-minimum-tax", "exclusion", (15 - 9) / 100 * 40),
    ("order-below-full-cost", "accept-three", 14 - 11),
    ("order-below-full-cost", "refuse-four", 18 - 14),
    ("stock-built-up-in-the-year", "higher-ten", (12_000 - 10_000) * 60_000 / 12_000),
    ("stock-built-up-in-the-year", "higher-twelve", (12_000 - 10_000) * 60_000 / 10_000),
    ("price-between-two-divisions", "forty-six", (30 - 4) + (50 - 30)),
    ("price-between-two-divisions", "twenty-six", 30 - 4),
    ("learning-on-the-third-and-fourth", "ninety-six", 4 * 100 * 0.8**2 - 2 * 100 * 0.8),
    ("learning-on-the-third-and-fourth", "average-four", 2 * 100 * 0.8**2),
    ("learning-on-the-third-and-fourth", "total", 4 * 100 * 0.8**2),
    ("learning-on-the-third-and-fourth", "average-two", 2 * 100 * 0.8),
    ("from-enterprise-value-to-the-cheque", "all", 100 - 30 + (12 - 4) - (20 - 18)),
    ("from-enterprise-value-to-the-cheque", "all-cash", 100 - 30 + 12 - (20 - 18)),
    ("from-enterprise-value-to-the-cheque", "no-peg", 100 - 30 + (12 - 4)),
    ("from-enterprise-value-to-the-cheque", "no-adjustment", 100 - 30 + 12),
    ("house-insured-for-too-little", "average", 200_000 * 600_000 / 1_000_000),
    ("house-insured-for-too-little", "uninsured", 200_000 * 400_000 / 1_000_000),
    ("layer-with-one-reinstatement", "ten", min(sum(min(x - 3, 5) for x in (7, 10, 6)), 2 * 5)),
    ("layer-with-one-reinstatement", "twelve", sum(min(x - 3, 5) for x in (7, 10, 6))),
    ("layer-with-one-reinstatement", "fourteen", sum(x - 3 for x in (7, 10, 6))),
]


def first_figure(text: str) -> float:
    return float(re.search(r"\d[\d,]*(?:\.\d+)?", text).group().replace(",", ""))


@pytest.mark.parametrize(("name", "option", "expected"), FIGURES, ids=lambda value: str(value))
def test_a_figure_follows_from_its_question(name, option, expected):
    assert first_figure(WRITTEN[name].options[option].text) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_floor_of_the_impaired_unit():
    loss, goodwill, plant, licences, plant_floor = 220 - 150, 40, 120, 60, 115
    left = loss - goodwill
    to_plant = min(left * plant / (plant + licences), plant - plant_floor)
    assert first_figure(WRITTEN["impaired-unit-with-a-floor"].options["floor"].text) == left - to_plant


def test_netting_balances():
    owed = {("A", "B"): 50, ("B", "C"): 70, ("C", "A"): 30}
    balance = {who: sum(v * ((to == who) - (by == who)) for (by, to), v in owed.items()) for who in "ABC"}
    assert balance == {"A": -20, "B": -20, "C": 40}
    text = WRITTEN["netting-among-three"].options["net"].text
    assert [int(each) for each in re.findall(r"\d+", text)] == [20, 40]


def test_the_discount_costs_more_than_the_credit_line():
    yearly = 0.02 / 0.98 * 365 / (30 - 10)
    assert yearly > 0.36 > 0.08
    assert "36%" in WRITTEN["discount-for-early-payment"].options["day-ten"].reason


def test_the_bullet_beats_the_barbell_with_full_prices_too():
    def price(years: float, rate: float) -> float:
        return exp(-rate * years)

    barbell = 0.5 * (price(2, 0.037) / price(2, 0.04) + price(12, 0.043) / price(12, 0.04))
    assert barbell == pytest.approx(1 + 0.003 - 0.018, abs=0.001)
    assert barbell < 1


def test_a_sold_call_loses_more_where_the_share_stays_at_the_strike():
    def gamma(share: float, years: float) -> float:
        scale = 0.2 * sqrt(years)
        d1 = (log(share / 100) + 0.2**2 / 2 * years) / scale
        return exp(-(d1**2) / 2) / sqrt(2 * pi) / (share * scale)

    def loss(share: float, from_month: int) -> float:
        weeks = range(1, 52 * (12 - from_month) // 12)
        return sum(0.5 * gamma(share, k / 52) * share**2 * (0.25**2 - 0.2**2) / 52 for k in weeks)

    assert loss(100, 0) > loss(100, 1) + loss(150, 1)


def test_gearing_makes_the_project_pay_the_lenders():
    without, with_project, owed, cost = 60, 60 + 30, 100, 20
    assert max(with_project - owed, 0) - cost < max(without - owed, 0)
    assert min(with_project, owed) - min(without, owed) == 30

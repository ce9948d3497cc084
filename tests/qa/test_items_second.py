"""The second computations against other libraries, hand-made figures and what must be true of them in special cases."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from bizgym.envs.qa.families.cases import DIGITS
from bizgym.envs.qa.families.checks import SECOND
from bizgym.envs.qa.families.drawing import Drawn
from bizgym.envs.qa.families.spec import families
from scipy.stats import norm


def reckoned(name, **figures):
    """A second computation on figures of one's own, the others drawn."""
    drawn = Drawn(families()[name], np.random.default_rng(4), "train").numbers
    with localcontext(prec=DIGITS):
        return float(SECOND[name](drawn | {key: Decimal(str(value)) for key, value in figures.items()}))


def flows(*amounts, name="cf"):
    return {f"{name}{k}": amount for k, amount in enumerate(amounts, 1)}


HAND_MADE = [
    ("npv_year_end", flows(3500, 3500, 3500, 3500, 3500) | {"outlay": 13000, "rate": 8}, 974.485),
    ("npv_mid_year", flows(100, 100, 100, 100) | {"outlay": 300, "salvage": 0, "rate": 21}, 100 * 2.540441 * 1.1 - 300),
    ("payback_period", {"outlay": 100, "cf1": 40, "cf2": 40, "third": 40, "fourth": 40}, 2.5),
    ("annuity_instalment", {"loan": 1000, "rate": 10, "years": 2}, 576.1905),
    ("instalment_interest_share", {"loan": 1000, "rate": 10, "years": 4}, 1000 * 0.1 / (1 - 1.1**-4) * 0.1 / 1.1),
    ("bond_price_annual", {"face": 1000, "coupon": 6, "yield": 6, "years": 9}, 1000),
    ("bond_dirty_price", {"face": 1000, "coupon": 5, "yield": 5, "years": 3, "days": 180}, 1000 * 1.05**0.5),
    ("effective_annual_rate", {"nominal": 12}, 12.682503),
    ("implied_forward_rate", {"one_year": 3, "spread": 1}, 100 * (1.04**2 / 1.03 - 1)),
    ("wacc_market_values", {"equity": 60, "debt": 40, "ke": 10, "kd": 5, "tax": 20}, 7.6),
    ("relevered_beta", {"beta": 1.2, "peer": 50, "target": 100, "ptax": 20, "tax": 30}, 1.2 / 1.4 * 1.7),
    ("gordon_terminal_value", {"flow": 100, "wacc": 8, "growth": 2}, 1700),
    ("customer_lifetime_value", {"revenue": 100, "margin": 50, "keep": 80, "rate": 0, "cost": 40}, 210),
    ("economic_order_quantity", {"demand": 1000, "order": 20, "price": 10, "holding": 40}, 100),
    ("exchange_loss_on_payable", {"payable": 1000, "booked": 0.1, "closing": 0.12}, 20),
    ("weighted_average_shares", {"opening": 1200, "issued": 400, "bought": 200}, 1450),
    ("lease_liability_first_year", {"rent": 100, "years": 3, "rate": 10}, 100 + 100 / 1.1),
    ("deferred_tax_rate_change", {"opening": 1000, "growth": 0, "loss": 0, "old": 30, "new": 20}, -100),
    ("diluted_eps", {"options": 0, "bond": 0, "conversion": 0, "profit": 500, "shares": 250}, 2),
    ("contract_revenue_second_year", {"price": 90, "first": 20, "second": 20, "est1": 60, "est2": 60}, 30),
    ("sales_mix_variance", {"b1": 10, "b2": 10, "a1": 5, "a2": 15, "m1": 6, "m2": 2}, -20),
    ("fifo_cost_of_sales", {"opening": 10, "q1": 10, "q2": 10, "left": 15, "p0": 1, "p1": 2, "p2": 3}, 20),
    ("moving_average_stock", {"opening": 10, "sold": 5, "bought": 5, "later": 5, "p0": 1, "p1": 3}, 10),
    ("value_at_risk", {"shares": 300, "bonds": 400, "s1": 1, "s2": 1, "rho": 0, "z": 2, "days": 4}, 20),
    ("early_payment_discount", {"discount": 2, "early": 10, "net": 30}, 37.244898),
]


@pytest.mark.parametrize(("name", "figures", "expected"), HAND_MADE, ids=[row[0] for row in HAND_MADE])
def test_figures_made_by_hand(name, figures, expected):
    assert reckoned(name, **figures) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("months", [9, 18, 24])
def test_options_are_worth_what_another_library_says(months):
    spot, strike, sigma, rate, carry, time = 60.0, 63.0, 0.31, 0.04, 0.03, months / 12

    def worth(kind, share):
        spread = sigma * np.sqrt(time)
        d1 = (np.log(share / strike) + (rate + sigma**2 / 2) * time) / spread
        sign = 1 if kind == "call" else -1
        bond = strike * np.exp(-rate * time)
        return sign * (share * norm.cdf(sign * d1) - bond * norm.cdf(sign * (d1 - spread)))

    told = {"spot": spot, "strike": strike, "sigma": 31, "rate": 4, "months": months}
    assert reckoned("black_scholes_call", **told) == pytest.approx(worth("call", spot), rel=1e-9)
    forward = spot * np.exp(-carry * time)
    assert reckoned("black_scholes_put", **told | {"yield": 3}) == pytest.approx(worth("put", forward), rel=1e-9)


def test_a_rate_of_return_is_a_root_of_the_polynomial_of_flows():
    amounts = (120, 90, 200, 40)
    roots = np.roots([-300, *amounts])
    growth = next(root.real for root in roots if abs(root.imag) < 1e-9 and root.real > 0)
    found = reckoned("internal_rate_of_return", outlay=300, **flows(*amounts))
    assert found == pytest.approx((growth - 1) * 100, rel=1e-9)


@pytest.mark.parametrize(("coupon", "rate", "years"), [(0.5, 4, 3), (5, 5, 8), (8, 3, 5)])
def test_duration_and_convexity_are_weighted_times(coupon, rate, years):
    times = np.arange(1, years + 1)
    paid = np.full(years, 10.0 * coupon) + 1000.0 * (times == years)
    worth = paid / (1 + rate / 100) ** times
    told = {"face": 1000, "coupon": coupon, "yield": rate, "years": years}
    duration = (times * worth).sum() / worth.sum() / (1 + rate / 100)
    assert reckoned("bond_modified_duration", **told) == pytest.approx(duration, rel=1e-9)
    convexity = (times * (times + 1) * worth).sum() / worth.sum() / (1 + rate / 100) ** 2
    assert reckoned("bond_convexity", **told) == pytest.approx(convexity, rel=1e-9)


def test_a_swap_at_the_par_rate_is_worth_nothing():
    factors = [1 / 1.03, 1 / 1.04**2, 1 / 1.05**3]
    par = (1 - factors[-1]) / sum(factors) * 100
    assert reckoned("interest_swap_value", notional=1e6, fixed=par, z1=3, z2=4, z3=5) == pytest.approx(0, abs=1e-6)


def test_equal_interest_rates_leave_the_forward_at_spot():
    assert reckoned("forward_rate_parity", spot=1.25, quote_rate=4, base_rate=4) == pytest.approx(1.25)


def test_present_values_add_up():
    told = flows(50, 60, 70) | {"outlay": 100, "ku": 9, "kd": 6, "fee": 3, "tax": 25}
    without_debt = reckoned("adjusted_present_value", **told, loan=0)
    with_debt = reckoned("adjusted_present_value", **told, loan=80)
    assert with_debt - without_debt == pytest.approx(80 * 0.06 * 0.25 * (1 - 1.06**-3) / 0.06)

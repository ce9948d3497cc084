"""Second computations: fixed income and loans."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second, annuity, horner, pct


def _effective_annual_rate(p: Drawn) -> Decimal:
    balance = HUNDRED
    for _ in range(12):
        balance += balance * p["nominal"] / 1200
    return balance - HUNDRED


def _instalment(p: Drawn) -> Decimal:
    return p["loan"] / annuity(pct(p["rate"]), int(p["years"]))


def _instalment_interest_share(p: Drawn) -> Decimal:
    balance, rate, payment = p["loan"], pct(p["rate"]), _instalment(p)
    for _ in range(3):
        balance += balance * rate - payment
    return balance * rate


def _payments(p: Drawn) -> list[Decimal]:
    """Payments of a bond at times 0, 1, ..., the face value with the last."""
    coupon = p["face"] * pct(p["coupon"])
    flows = [Decimal(0), *[coupon] * int(p["years"])]
    flows[-1] += p["face"]
    return flows


def _price(p: Drawn, rate: Decimal) -> Decimal:
    return horner(_payments(p), ONE / (ONE + rate))


def _bond_dirty_price(p: Drawn) -> Decimal:
    rate, gone = pct(p["yield"]), p["days"] / 360
    growth = (ONE + rate).ln()
    return sum((flow * (-(k - gone) * growth).exp() for k, flow in enumerate(_payments(p))), Decimal(0))


def _bond_modified_duration(p: Drawn) -> Decimal:
    rate, width = pct(p["yield"]), Decimal("1e-9")
    return -(_price(p, rate + width) - _price(p, rate - width)) / (2 * width) / _price(p, rate)


def _bond_convexity(p: Drawn) -> Decimal:
    rate, width = pct(p["yield"]), Decimal("1e-8")
    around = _price(p, rate + width) - 2 * _price(p, rate) + _price(p, rate - width)
    return around / width**2 / _price(p, rate)


def _amortised_cost_second_year(p: Drawn) -> Decimal:
    balance, rate = p["face"] - p["cost"], pct(p["rate"])
    first = balance * rate
    return (balance + first - p["face"] * pct(p["coupon"])) * rate


def _implied_forward_rate(p: Drawn) -> Decimal:
    one, two = HUNDRED + p["one_year"], HUNDRED + p["one_year"] + p["spread"]
    return two * two / one - HUNDRED


SECOND: dict[str, Second] = {
    "effective_annual_rate": _effective_annual_rate,
    "money_market_interest": lambda p: p["amount"] * p["days"] * p["rate"] / 36000,
    "annuity_instalment": _instalment,
    "instalment_interest_share": _instalment_interest_share,
    "bond_price_annual": lambda p: _price(p, pct(p["yield"])),
    "bond_dirty_price": _bond_dirty_price,
    "bond_modified_duration": _bond_modified_duration,
    "bond_convexity": _bond_convexity,
    "amortised_cost_second_year": _amortised_cost_second_year,
    "implied_forward_rate": _implied_forward_rate,
}

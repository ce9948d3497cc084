"""Second computations: derivatives and foreign exchange."""

from __future__ import annotations

import math
from decimal import Decimal
from itertools import pairwise

from .common import ONE, Drawn, Second, pct

_PI = Decimal("3.14159265358979323846264338327950288")
_INTERVALS, _DEVIATIONS = 4000, 12


def _normal(x: Decimal) -> Decimal:
    """The distribution function of the standard normal by its series x + x^3/3 + x^5/15 + ... times the density."""
    term = total = x
    k = 1
    while abs(term) > Decimal("1e-30"):
        k += 2
        term = term * x * x / k
        total += term
    return Decimal("0.5") + total * (-x * x / 2).exp() / (2 * _PI).sqrt()


def _call(p: Drawn, carry: Decimal) -> Decimal:
    """The call as the discounted mean of its payoff, integrated over the normal return by Simpson's rule.

    The integral starts where the payoff does, so that its integrand is smooth.
    """
    time, rate = float(p["months"]) / 12, float(pct(p["rate"]))
    sigma = float(pct(p["sigma"])) * math.sqrt(time)
    spot, strike = float(p["spot"]) * math.exp(-float(carry) * time), float(p["strike"])
    drift = rate * time - sigma * sigma / 2
    start = (math.log(strike / spot) - drift) / sigma
    width = (_DEVIATIONS - start) / _INTERVALS
    terms = []
    for k in range(_INTERVALS + 1):
        z = start + k * width
        weight = 1 if k in (0, _INTERVALS) else 4 if k % 2 else 2
        terms.append(weight * (spot * math.exp(drift + sigma * z) - strike) * math.exp(-z * z / 2))
    mean = math.fsum(terms) * width / 3 / math.sqrt(2 * math.pi)
    return Decimal(math.exp(-rate * time) * mean)


def _black_scholes_put(p: Drawn) -> Decimal:
    time, rate, carry = p["months"] / 12, pct(p["rate"]), pct(p["yield"])
    sigma = pct(p["sigma"]) * time.sqrt()
    share, bond = p["spot"] * (-carry * time).exp(), p["strike"] * (-rate * time).exp()
    d1 = (share / bond).ln() / sigma + sigma / 2
    call = share * _normal(d1) - bond * _normal(d1 - sigma)
    return call - share + bond


def _forward_rate_parity(p: Drawn) -> Decimal:
    borrowed = p["spot"] * (36000 + p["quote_rate"] * p["days"])
    return borrowed / (36000 + p["base_rate"] * p["days"])


def _interest_swap_value(p: Drawn) -> Decimal:
    factors = [ONE, *((ONE + pct(p[f"z{k}"])) ** -k for k in (1, 2, 3))]
    legs = []
    for before, after in pairwise(factors):
        forward = before / after - ONE
        legs.append(p["notional"] * (forward - pct(p["fixed"])) * after)
    return sum(legs, Decimal(0))


def _value_at_risk(p: Drawn) -> Decimal:
    a, b = p["shares"] * pct(p["s1"]), p["bonds"] * pct(p["s2"])
    along, across = a + p["rho"] * b, b * (ONE - p["rho"] * p["rho"]).sqrt()
    return p["z"] * (along * along + across * across).sqrt() * p["days"].sqrt()


def _translation_difference(p: Drawn) -> Decimal:
    closing = (p["assets"] + p["profit"]) * p["up"]
    return closing - p["assets"] * p["open"] - p["profit"] * p["mean"]


SECOND: dict[str, Second] = {
    "invoice_in_home_currency": lambda p: p["invoice"] / p["ask"],
    "exchange_loss_on_payable": lambda p: p["payable"] * p["closing"] - p["payable"] * p["booked"],
    "forward_rate_parity": _forward_rate_parity,
    "black_scholes_call": lambda p: _call(p, Decimal(0)),
    "black_scholes_put": _black_scholes_put,
    "put_call_parity": lambda p: (p["strike"] / (ONE + pct(p["rate"])) - p["spot"]) + p["call"],
    "interest_swap_value": _interest_swap_value,
    "value_at_risk": _value_at_risk,
    "translation_difference": _translation_difference,
}

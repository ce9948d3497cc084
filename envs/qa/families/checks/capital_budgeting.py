"""Second computations: capital budgeting."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second, annuity, newton, pct, series


def _npv_year_end(p: Drawn) -> Decimal:
    growth = ONE + pct(p["rate"])
    flows = series(p, "cf", 5)
    return sum((flow / growth ** (k + 1) for k, flow in enumerate(flows)), -p["outlay"])


def _npv_mid_year(p: Drawn) -> Decimal:
    growth = ONE + pct(p["rate"])
    root = growth.sqrt()
    flows = series(p, "cf", 4)
    at_end = sum(flow * growth ** (4 - k) for k, flow in enumerate(flows, 1)) * root + p["salvage"]
    return at_end / growth**4 - p["outlay"]


def _internal_rate_of_return(p: Drawn) -> Decimal:
    flows = [-p["outlay"], *series(p, "cf", 4)]

    def worth(factor: Decimal) -> Decimal:
        return sum((flow * factor**k for k, flow in enumerate(flows)), Decimal(0))

    return (ONE / newton(worth, Decimal("0.85")) - ONE) * HUNDRED


def _modified_internal_rate(p: Drawn) -> Decimal:
    growth = ONE + pct(p["rate"])
    final = sum(flow * growth ** (4 - k) for k, flow in enumerate(series(p, "cf", 4), 1))
    return ((final / p["outlay"]).sqrt().sqrt() - ONE) * HUNDRED


def _payback_period(p: Drawn) -> Decimal:
    left, years = p["outlay"], Decimal(0)
    for saved in (p["cf1"], p["cf2"], p["third"], p["fourth"]):
        share = min(ONE, left / saved)
        left, years = left - share * saved, years + share
    return years


def _equivalent_annual_cost(p: Drawn) -> Decimal:
    rate, life = pct(p["rate"]), int(p["life"])
    flows = [p["price"], *[p["running"]] * life]
    flows[-1] -= p["scrap"]
    worth = sum(flow / (ONE + rate) ** k for k, flow in enumerate(flows))
    return worth / annuity(rate, life)


def _replacement_npv(p: Drawn) -> Decimal:
    rate, tax = pct(p["rate"]), pct(p["tax"])
    profit = p["margin"] - p["outlay"] / 3
    cash = profit - profit * tax + p["outlay"] / 3
    flows = [-p["outlay"] - p["stock"], cash, cash, cash + p["stock"]]
    return sum((flow / (ONE + rate) ** k for k, flow in enumerate(flows)), Decimal(0))


def _customer_lifetime_value(p: Drawn) -> Decimal:
    one, factor = p["revenue"] * pct(p["margin"]), pct(p["keep"]) / (ONE + pct(p["rate"]))
    total, weight = Decimal(0), ONE
    while weight > Decimal("1e-25"):  # fee by fee, until what is left does not count
        total, weight = total + one * weight, weight * factor
    return total - p["cost"]


def _growth_over_years(p: Drawn) -> Decimal:
    return (((p["last"] / p["first"]).ln() / p["years"]).exp() - ONE) * HUNDRED


SECOND: dict[str, Second] = {
    "npv_year_end": _npv_year_end,
    "npv_mid_year": _npv_mid_year,
    "internal_rate_of_return": _internal_rate_of_return,
    "modified_internal_rate": _modified_internal_rate,
    "payback_period": _payback_period,
    "equivalent_annual_cost": _equivalent_annual_cost,
    "replacement_npv": _replacement_npv,
    "customer_lifetime_value": _customer_lifetime_value,
    "growth_over_years": _growth_over_years,
}

"""Second computations: cost of capital and valuation."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second, annuity, horner, pct, series


def _perpetuity_value(p: Drawn) -> Decimal:
    rate, many = pct(p["rate"]), 4000
    first = p["amount"] * annuity(rate, many)
    return first / (ONE - (ONE + rate) ** -many)  # a perpetuity is itself the start of a perpetuity


def _wacc_market_values(p: Drawn) -> Decimal:
    cost = p["equity"] * p["ke"] + p["debt"] * p["kd"] - p["debt"] * p["kd"] * pct(p["tax"])
    return cost / (p["equity"] + p["debt"])


def _gordon_terminal_value(p: Drawn) -> Decimal:
    growth = ONE + pct(p["growth"])
    ratio = growth / (ONE + pct(p["wacc"]))
    return p["flow"] * ratio / (ONE - ratio)


def _adjusted_present_value(p: Drawn) -> Decimal:
    unlevered, debt = ONE / (ONE + pct(p["ku"])), ONE / (ONE + pct(p["kd"]))
    saved = p["loan"] * pct(p["kd"]) * pct(p["tax"])
    operating = horner([-p["outlay"], *series(p, "cf", 3)], unlevered)
    return operating + horner([-p["fee"], saved, saved, saved], debt)


def _relevered_beta(p: Drawn) -> Decimal:
    own = HUNDRED + pct(HUNDRED - p["tax"]) * p["target"]
    peer = HUNDRED + pct(HUNDRED - p["ptax"]) * p["peer"]
    return p["beta"] * own / peer


def _two_stage_equity_value(p: Drawn) -> Decimal:
    factor, growth = ONE / (ONE + pct(p["wacc"])), ONE + pct(p["growth"])
    flows = series(p, "cf", 3)
    ratio = growth * factor
    firm = horner([Decimal(0), *flows], factor) + flows[-1] * factor**3 * ratio / (ONE - ratio)
    return (firm + p["cash"] - p["debt"] - p["minority"]) / p["shares"]


def _economic_value_added(p: Drawn) -> Decimal:
    spread = p["operating"] / p["capital"] * (HUNDRED - p["tax"]) - p["wacc"]
    return p["capital"] * pct(spread)


def _real_rate_of_return(p: Drawn) -> Decimal:
    gain = pct(p["nominal"]) * (ONE - pct(p["tax"]))
    inflation = pct(p["inflation"])
    return (gain - inflation) / (ONE + inflation) * HUNDRED


SECOND: dict[str, Second] = {
    "perpetuity_value": _perpetuity_value,
    "capm_cost_of_equity": lambda p: p["beta"] * p["market"] + (ONE - p["beta"]) * p["safe"],
    "wacc_market_values": _wacc_market_values,
    "gordon_terminal_value": _gordon_terminal_value,
    "adjusted_present_value": _adjusted_present_value,
    "relevered_beta": _relevered_beta,
    "two_stage_equity_value": _two_stage_equity_value,
    "economic_value_added": _economic_value_added,
    "dividend_yield": lambda p: ONE / (p["price"] / p["dividend"]) * HUNDRED,
    "real_rate_of_return": _real_rate_of_return,
}

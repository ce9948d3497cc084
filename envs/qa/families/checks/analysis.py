"""Second computations: financial statement analysis."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second


def _interest_cover(p: Drawn) -> Decimal:
    return ONE + p["pretax"] / p["interest"]


def _net_debt_to_ebitda(p: Drawn) -> Decimal:
    ebitda = p["operating"] + p["depreciation"]
    return p["loans"] / ebitda + p["lease"] / ebitda - p["cash"] / ebitda


def _dupont_return(p: Drawn) -> Decimal:
    equity = HUNDRED
    assets = (p["multiplier"] - p["lower"]) * equity
    profit = assets * p["turnover"] * (p["margin"] + p["better"]) / HUNDRED
    return profit / equity * HUNDRED


def _weighted_distress_score(p: Drawn) -> Decimal:
    on_assets = p["w1"] * p["working"] + p["w2"] * p["retained"] + p["w3"] * p["operating"] + p["w5"] * p["sales"]
    return (on_assets * p["owed"] + p["w4"] * p["value"] * p["assets"]) / (p["assets"] * p["owed"])


SECOND: dict[str, Second] = {
    "current_ratio": lambda p: p["assets"] / p["liabilities"],
    "gross_margin": lambda p: HUNDRED - HUNDRED * (p["sales"] - p["gross"]) / p["sales"],
    "sales_growth": lambda p: HUNDRED * (p["now"] - p["before"]) / p["before"],
    "basic_eps": lambda p: (p["profit"] * 1000) / (p["shares"] * 1000),
    "payout_ratio": lambda p: HUNDRED - HUNDRED * (p["profit"] - p["dividend"]) / p["profit"],
    "price_earnings": lambda p: ONE / (p["eps"] / p["price"]),
    "interest_cover": _interest_cover,
    "net_debt_to_ebitda": _net_debt_to_ebitda,
    "sustainable_growth": lambda p: HUNDRED * (p["profit"] - p["dividend"]) / p["equity"],
    "dupont_return": _dupont_return,
    "weighted_distress_score": _weighted_distress_score,
}

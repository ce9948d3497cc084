"""Second computations: costing, pricing and inventory."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second, pct


def _margin_of_safety(p: Drawn) -> Decimal:
    contribution = p["units"] * (p["price"] - p["variable"])
    return HUNDRED * (contribution - p["fixed"]) / contribution


def _operating_leverage(p: Drawn) -> Decimal:
    profit = p["sales"] - p["variable"] - p["fixed"]
    more = (p["sales"] - p["variable"]) * Decimal("1.01") - p["fixed"]  # profit at one per cent more volume
    return (more / profit - ONE) * HUNDRED


def _economic_order_quantity(p: Drawn) -> Decimal:
    """Where ordering and holding cost are equal: halve the interval between too small and too large."""
    keep, low, high = p["price"] * pct(p["holding"]), ONE, p["demand"]
    for _ in range(130):
        middle = (low + high) / 2
        dearer = p["demand"] / middle * p["order"] > middle / 2 * keep
        low, high = (middle, high) if dearer else (low, middle)
    return low


def _fifo_cost_of_sales(p: Drawn) -> Decimal:
    sold, cost = p["opening"] + p["q1"] + p["q2"] - p["left"], Decimal(0)
    for units, price in ((p["opening"], p["p0"]), (p["q1"], p["p1"]), (p["q2"], p["p2"])):
        taken = min(sold, units)
        sold, cost = sold - taken, cost + taken * price
    return cost


def _moving_average_stock(p: Drawn) -> Decimal:
    value = p["opening"] * p["p0"] - p["sold"] * p["p0"] + p["bought"] * p["p1"]
    units = p["opening"] - p["sold"] + p["bought"]
    return value - p["later"] * value / units


def _multi_product_break_even(p: Drawn) -> Decimal:
    contribution = sum(p[f"s{k}"] * p[f"m{k}"] for k in (1, 2, 3)) / HUNDRED
    return (p["s1"] + p["s2"] + p["s3"]) * p["fixed"] / contribution


def _sales_mix_variance(p: Drawn) -> Decimal:
    total = p["a1"] + p["a2"]
    average = (p["b1"] * p["m1"] + p["b2"] * p["m2"]) / (p["b1"] + p["b2"])
    return p["a1"] * p["m1"] + p["a2"] * p["m2"] - total * average


def _overhead_under_absorbed(p: Drawn) -> Decimal:
    spending, idle = p["actual"] - p["budget"], p["hours"] - p["worked"]
    return spending + idle * p["budget"] / p["hours"]


SECOND: dict[str, Second] = {
    "price_from_markup": lambda p: p["cost"] + p["cost"] * p["markup"] / HUNDRED,
    "break_even_units": lambda p: ONE / ((p["price"] - p["variable"]) / p["fixed"]),
    "margin_of_safety": _margin_of_safety,
    "operating_leverage": _operating_leverage,
    "economic_order_quantity": _economic_order_quantity,
    "material_price_variance": lambda p: p["bought"] * p["actual"] - p["bought"] * p["standard"],
    "labour_efficiency_variance": lambda p: p["worked"] * p["standard"] - p["allowed"] * p["standard"],
    "fifo_cost_of_sales": _fifo_cost_of_sales,
    "moving_average_stock": _moving_average_stock,
    "multi_product_break_even": _multi_product_break_even,
    "sales_mix_variance": _sales_mix_variance,
    "overhead_under_absorbed": _overhead_under_absorbed,
    "straight_line_charge": lambda p: p["cost"] / p["life"] - p["residual"] / p["life"],
}

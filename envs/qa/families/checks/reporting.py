"""Second computations: financial reporting."""

from __future__ import annotations

from decimal import Decimal

from .common import HUNDRED, ONE, Drawn, Second, horner, pct


def _prepaid_insurance(p: Drawn) -> Decimal:
    return p["premium"] - p["premium"] / 12 * p["used"]


def _declining_balance_charge(p: Drawn) -> Decimal:
    left, charge = p["cost"], Decimal(0)
    for _ in range(3):
        charge = left * pct(p["rate"])
        left -= charge
    return charge


def _weighted_average_shares(p: Drawn) -> Decimal:
    after_issue = p["opening"] + p["issued"]
    return (3 * p["opening"] + 6 * after_issue + 3 * (after_issue - p["bought"])) / 12


def _deferred_tax_rate_change(p: Drawn) -> Decimal:
    remeasured = p["opening"] * (p["new"] - p["old"])
    arisen = (p["growth"] - p["loss"]) * p["new"]
    return pct(remeasured + arisen)


def _cash_conversion_cycle(p: Drawn) -> Decimal:
    stock, debtors, creditors = (p[f"{name}0"] + p[f"{name}1"] for name in ("stock", "debtors", "creditors"))
    half_year = Decimal(365) / 2
    return half_year * ((stock - creditors) * p["sales"] + debtors * p["cogs"]) / (p["cogs"] * p["sales"])


def _lease_liability_first_year(p: Drawn) -> Decimal:
    rents = [p["rent"]] * (int(p["years"]) - 1)  # those still open, the first of them on the next day
    return horner(rents, ONE / (ONE + pct(p["rate"])))


def _diluted_eps(p: Drawn) -> Decimal:
    proceeds = p["options"] * p["exercise"]
    free = p["options"] - proceeds / p["price"]
    saved = p["bond"] * p["coupon"] * (HUNDRED - p["tax"]) / 10000
    return (p["profit"] + saved) / (p["shares"] + p["conversion"] + free)


def _goodwill_full_method(p: Drawn) -> Decimal:
    deferred = p["uplift"] * pct(p["tax"])
    return p["paid"] + p["contingent"] + p["minority"] - p["book"] - p["uplift"] + deferred


def _minority_share_of_profit(p: Drawn) -> Decimal:
    before_tax = p["uplift"] / p["life"] + p["margin"]
    group = p["profit"] - before_tax + before_tax * pct(p["tax"])
    return group - group * pct(p["holding"])


def _contract_revenue_second_year(p: Drawn) -> Decimal:
    done = (p["first"] + p["second"]) * p["est1"] - p["first"] * p["est2"]
    return p["price"] * done / (p["est1"] * p["est2"])


def _pension_cost(p: Drawn) -> Decimal:
    interest_cost, interest_income = (p[name] * pct(p["rate"]) for name in ("obligation", "assets"))
    return p["service"] + interest_cost - interest_income


def _early_payment_discount(p: Drawn) -> Decimal:
    paid = HUNDRED - p["discount"]
    return (HUNDRED / paid - ONE) * HUNDRED / ((p["net"] - p["early"]) / 365)


SECOND: dict[str, Second] = {
    "effective_tax_rate": lambda p: HUNDRED - HUNDRED * (p["pretax"] - p["tax"]) / p["pretax"],
    "prepaid_insurance": _prepaid_insurance,
    "declining_balance_charge": _declining_balance_charge,
    "units_of_production_charge": lambda p: p["made"] / p["capacity"] * (p["cost"] - p["residual"]),
    "expected_credit_loss": lambda p: pct(sum((p[f"r{k}"] * p[f"l{k}"] for k in range(1, 5)), Decimal(0))),
    "weighted_average_shares": _weighted_average_shares,
    "deferred_tax_liability": lambda p: pct(p["carrying"] * p["tax"]) - pct(p["base"] * p["tax"]),
    "deferred_tax_rate_change": _deferred_tax_rate_change,
    "cash_conversion_cycle": _cash_conversion_cycle,
    "lease_liability_first_year": _lease_liability_first_year,
    "diluted_eps": _diluted_eps,
    "goodwill_full_method": _goodwill_full_method,
    "minority_share_of_profit": _minority_share_of_profit,
    "contract_revenue_second_year": _contract_revenue_second_year,
    "pension_cost": _pension_cost,
    "early_payment_discount": _early_payment_discount,
}

"""A firm with full order books runs out of cash, since work that is done is billed ever later.

Root cause: weeks between the work and its invoice. Red herrings: customers who pay somewhat later, and stock that grew.
The naive path takes claims and stock at their book value, or reaches for the loan.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

# Work of a week, the weeks until it is billed, and those until it is paid.
work_week = m.parameter("work_week", "thousand cur/week", 60, 160, 10)
billing_before = m.parameter("billing_before", "week", 3, 6, 1)
billing_now = m.parameter("billing_now", "week", 10, 18, 1)
pay_before = m.parameter("pay_before", "week", 4, 7, 1)
pay_now = m.parameter("pay_now", "week", 5, 9, 1)
unbilled_rise = m.kpi("unbilled_rise", "thousand cur", work_week * (billing_now - billing_before))
late_rise = m.kpi("late_rise", "thousand cur", work_week * (pay_now - pay_before))
stock_rise = m.parameter("stock_rise", "thousand cur", 50, 300, 10)

# Bill by stages, as far as customers accept it.
billing_goal = m.parameter("billing_goal", "week", 3, 7, 1)
accept_share = m.parameter("accept_share", "%", 30, 90, 5)
bill_cost = m.parameter("bill_cost", "thousand cur", 20, 100, 10)
cash_bill = m.kpi("cash_bill", "thousand cur", work_week * (billing_now - billing_goal) * accept_share - bill_cost)

# Sell the claims on customers: only some are taken, and at a discount.
taken_share = m.parameter("taken_share", "%", 40, 90, 10)
advance_share = m.parameter("advance_share", "%", 60, 85, 5)
receivables = m.kpi("receivables", "thousand cur", work_week * pay_now)
cash_claims = m.kpi("cash_claims", "thousand cur", receivables * taken_share * advance_share)

# Sell what stands about, below its book value; or borrow, beyond what the bank allows.
book_value = m.parameter("book_value", "thousand cur", 500, 1500, 50)
resale_share = m.parameter("resale_share", "%", 20, 60, 5)
cash_resale = m.kpi("cash_resale", "thousand cur", book_value * resale_share)
loan = m.parameter("loan", "thousand cur", 400, 1200, 50)
debt_now = m.parameter("debt_now", "thousand cur", 1000, 2500, 50)
debt_limit = m.parameter("debt_limit", "thousand cur", 1000, 2800, 50)

# What surrounds the case, and what has no part in it.
biggest_share = m.parameter("biggest_share", "%", 14, 26, 2)
orders_months = m.parameter("orders_months", "month", 8, 16, 1)
price_trend = m.parameter("price_trend", "%", 2, 6, 1)
terms_days = m.parameter("terms_days", "day", 30, 45, 5)
rent = m.parameter("rent", "thousand cur/year", 60, 200, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
satisfaction = m.parameter("satisfaction", "%", 84, 96, 2)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(pay_now, pay_before)
m.require(billing_goal, billing_before)
m.require(cash_bill, 0.1 * receivables)
m.require(debt_limit, 1.04 * debt_now)
m.require(debt_now + loan, 1.08 * debt_limit)

BLUEPRINT = Blueprint(
    blueprint_id="turnaround_1",
    model=m,
    options=(
        Option("bill_stages", value=cash_bill),
        Option("sell_claims", value=cash_claims, naive=receivables),
        Option("sell_stock", value=cash_resale, naive=book_value),
        Option("borrow", value=loan, naive=loan, needs=(Need(debt_now + loan, debt_limit),)),
    ),
    facts=(
        Fact("volume.own", (work_week,), given="middle"),
        Fact("operations.process_time", (billing_before, billing_now)),
        Fact("cash.working_capital", (pay_before, pay_now), segment="payment", given="easy"),
        Fact("timing.ramp", (billing_goal,), after=("operations.process_time",)),
        Fact("customers.need", (accept_share,)),
        Fact("cash.working_capital", (taken_share, advance_share), segment="factor", given="easy"),
        Fact("investment.life", (resale_share,), given="easy"),
        Fact("constraint.limit", (debt_now, debt_limit)),
        Fact("supply.inventory", (stock_rise,)),
        Fact("customers.concentration", (biggest_share,)),
        Fact("volume.forecast", (orders_months,)),
        Fact("price.trend", (price_trend,)),
        Fact("supply.terms", (terms_days,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("customers.satisfaction", (satisfaction,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("billing", "root", fact="operations.process_time", effect=unbilled_rise),
        Cause("payers", "red_herring", fact="cash.working_capital:payment", effect=late_rise),
        Cause("stock", "red_herring", fact="supply.inventory", effect=stock_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(unbilled_rise, cash_bill, cash_claims, cash_resale),
    branches=("operations", "customers", "cash", "investment", "constraints"),
)

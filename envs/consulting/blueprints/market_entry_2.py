"""A subscription business looks at private customers who pay well each month, and soon leave again.

Root cause: how short they stay. What a customer brings before leaving hardly covers what winning one costs. Red
herrings: a cheaper rival and unpaid bills, both small. The naive path takes every new customer for a full year and
forgets what it costs to win one.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number, maximum

m = Model()

fee = m.parameter("fee", "cur/unit/month", 24, 40, 2)
service_cost = m.parameter("service_cost", "cur/unit/month", 6, 12, 1)
signups = m.parameter("signups", "unit/year", 2000, 5000, 500)
stay = m.parameter("stay", "month", 4, 7, 1)
win_cost = m.parameter("win_cost", "cur/unit", 60, 130, 10)
launch_cost = m.parameter("launch_cost", "thousand cur/year", 40, 120, 20)
budget = m.parameter("budget", "thousand cur/year", 60, 300, 20)
contribution = m.kpi("contribution", "cur/unit/month", fee - service_cost)

# By the month, as everybody over there sells.
life_monthly = m.kpi("life_monthly", "cur/unit", contribution * stay - win_cost)
value_monthly = m.kpi("value_monthly", "thousand cur/year", signups * life_monthly - launch_cost)
spend_monthly = m.kpi("spend_monthly", "thousand cur/year", signups * win_cost)

# With a contract for a year and a rebate: fewer sign, and they stay.
rebate = m.parameter("rebate", "%", 5, 15, 5)
annual_share = m.parameter("annual_share", "%", 20, 50, 5)
annual_stay = m.parameter("annual_stay", "month", 12, 20, 1)
annual_fee = m.kpi("annual_fee", "cur/unit/month", fee * (1 - rebate))
annual_signups = m.kpi("annual_signups", "unit/year", signups * annual_share)
life_annual = m.kpi("life_annual", "cur/unit", (annual_fee - service_cost) * annual_stay - win_cost)
value_annual = m.kpi("value_annual", "thousand cur/year", annual_signups * life_annual - launch_cost)
spend_annual = m.kpi("spend_annual", "thousand cur/year", annual_signups * win_cost)

# Through somebody who has the customers already; or a step at home.
partner_units = m.parameter("partner_units", "unit", 800, 2400, 200)
partner_margin = m.parameter("partner_margin", "cur/unit/month", 5, 12, 1)
value_partner = m.kpi("value_partner", "thousand cur/year", partner_units * partner_margin)
home_gain = m.parameter("home_gain", "thousand cur/year", 80, 240, 10)

full_year = Number(12, "month")
early_loss = m.kpi("early_loss", "thousand cur/year", signups * contribution * (full_year - stay))
rival_gap = m.parameter("rival_gap", "%", 2, 6, 1)
unpaid = m.parameter("unpaid", "%", 1, 3, 0.5)

# What has no part in the answer.
households = m.parameter("households", "thousand unit", 90, 240, 10)
growth = m.parameter("growth", "%/year", 3, 9, 1)
liked = m.parameter("liked", "%", 82, 94, 2)
store_rent = m.parameter("store_rent", "thousand cur/year", 40, 90, 10)
absence = m.parameter("absence", "%", 3, 6, 0.5)
system_age = m.parameter("system_age", "year", 2, 8, 1)
repair_budget = m.parameter("repair_budget", "thousand cur/year", 20, 60, 5)

m.require(value_monthly, 0.2 * launch_cost)
m.require(value_annual, 0.2 * launch_cost)
m.require(value_partner, 0.3 * home_gain)
m.require(contribution, 0.55 * fee)
m.require(1.2 * maximum(value_annual, maximum(value_partner, home_gain)), value_monthly)

BLUEPRINT = Blueprint(
    blueprint_id="market_entry_2",
    model=m,
    options=(
        Option(
            "by_month",
            value=value_monthly,
            naive=signups * contribution * full_year - launch_cost,
            needs=(Need(spend_monthly, budget),),
        ),
        Option(
            "by_year",
            value=value_annual,
            naive=annual_signups * (annual_fee - service_cost) * full_year - launch_cost,
            needs=(Need(spend_annual, budget),),
        ),
        Option("through_partner", value=value_partner, naive=value_partner),
        Option("stay", value=home_gain, naive=home_gain),
    ),
    facts=(
        Fact("volume.forecast", (signups,), given="middle"),
        Fact("price.own", (fee,), given="easy"),
        Fact("cost.unit", (service_cost,), given="easy"),
        Fact("cost.fixed", (launch_cost,), given="easy"),
        Fact("customers.retention", (stay,)),
        Fact("customers.acquisition", (win_cost,)),
        Fact("price.willingness", (annual_share, annual_stay), after=("customers.retention",)),
        Fact("mix.channel", (partner_units, partner_margin)),
        Fact("constraint.limit", (budget,), after=("customers.acquisition",)),
        Fact("competitor.price", (rival_gap,)),
        Fact("cash.working_capital", (unpaid,)),
        Fact("market.size", (households,)),
        Fact("market.growth", (growth,)),
        Fact("customers.satisfaction", (liked,)),
        Fact("competitor.offer"),
        Fact("cost.rent", (store_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("cost.maintenance", (repair_budget,), noise=True),
    ),
    causes=(
        Cause("short_stay", "root", fact="customers.retention", effect=early_loss),
        Cause("rival", "red_herring", fact="competitor.price", effect=signups * fee * stay * rival_gap),
        Cause("unpaid", "red_herring", fact="cash.working_capital", effect=signups * fee * stay * unpaid),
    ),
    constraint="constraint.limit",
    key_numbers=(life_monthly, value_monthly, value_annual, value_partner),
    branches=("customers", "price", "mix", "variable_cost", "constraints"),
)

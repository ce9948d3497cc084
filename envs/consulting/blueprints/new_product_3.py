"""A pilot that everybody praises and that earns nothing: each customer is held by the hand.

Root cause: the hours of help that a customer takes, which the pilot did not count. Red herrings: the fee of a platform
and customers who leave. The naive path reckons fee less direct cost, and offers the full service to all.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

wage = m.parameter("wage", "cur/hour", 36, 56, 4)
hours_free = m.parameter("hours_free", "hour/year", 2400, 8000, 200)

# The service of the pilot, for all.
full_customers = m.parameter("full_customers", "customer", 300, 600, 25)
full_fee = m.parameter("full_fee", "cur/customer/year", 1400, 2400, 100)
direct_cost = m.parameter("direct_cost", "cur/customer/year", 300, 600, 50)
help_hours = m.parameter("help_hours", "hour/customer/year", 10, 22, 1)
full_fixed = m.parameter("full_fixed", "thousand cur/year", 80, 200, 20)
full_hours = m.kpi("full_hours", "hour/year", full_customers * help_hours)
full_left = m.kpi("full_left", "cur/customer/year", full_fee - direct_cost - help_hours * wage)
value_full = m.kpi("value_full", "thousand cur/year", full_customers * full_left - full_fixed)

# A version that customers run themselves.
self_customers = m.parameter("self_customers", "customer", 250, 550, 25)
self_fee = m.parameter("self_fee", "cur/customer/year", 900, 1600, 100)
taken_over = m.parameter("taken_over", "%", 60, 90, 5)
self_fixed = m.parameter("self_fixed", "thousand cur/year", 80, 240, 20)
self_hours = m.kpi("self_hours", "hour/customer/year", help_hours * (1 - taken_over))
self_left = m.kpi("self_left", "cur/customer/year", self_fee - direct_cost - self_hours * wage)
value_self = m.kpi("value_self", "thousand cur/year", self_customers * self_left - self_fixed)

# Sold by a partner who also helps, for a share; or nothing of the kind.
partner_customers = m.parameter("partner_customers", "customer", 300, 700, 50)
royalty = m.parameter("royalty", "cur/customer/year", 200, 500, 50)
value_partner = m.kpi("value_partner", "thousand cur/year", partner_customers * royalty)
projects = m.parameter("projects", "thousand cur/year", 40, 160, 10)

# What is blamed for the pilot's result.
help_cost = m.kpi("help_cost", "thousand cur/year", full_hours * wage)
platform_fee = m.parameter("platform_fee", "thousand cur/year", 15, 60, 5)
leaver_cost = m.parameter("leaver_cost", "thousand cur/year", 10, 50, 5)

# What has no part in the answer.
praise = m.parameter("praise", "%", 84, 96, 2)
market_growth = m.parameter("market_growth", "%/year", 6, 14, 1)
rival_fee = m.parameter("rival_fee", "cur/customer/year", 1200, 2600, 100)
rent = m.parameter("rent", "thousand cur/year", 30, 90, 10)
absence = m.parameter("absence", "%", 2, 5, 0.5)
staff = m.parameter("staff", "person", 14, 40, 2)
peak_share = m.parameter("peak_share", "%", 30, 50, 5)

m.require(full_left, 0.1 * full_fee)
m.require(value_full, 0.1 * full_fixed)
m.require(value_self, 0.1 * self_fixed)
m.require(0.8 * full_fee, self_fee)
m.require(0.6 * full_fee, direct_cost + 0.25 * full_fee)

BLUEPRINT = Blueprint(
    blueprint_id="new_product_3",
    model=m,
    options=(
        Option(
            "full_service",
            value=value_full,
            needs=(Need(full_hours, hours_free),),
            naive=full_customers * (full_fee - direct_cost) - full_fixed,
        ),
        Option(
            "self_service",
            value=value_self,
            needs=(Need(self_customers * self_hours, hours_free),),
            naive=self_customers * (self_fee - direct_cost) - self_fixed,
        ),
        Option("partner", value=value_partner, naive=value_partner),
        Option("projects", value=projects, naive=projects),
    ),
    facts=(
        Fact("volume.forecast", (full_customers, self_customers), given="middle"),
        Fact("price.own", (full_fee, self_fee), given="easy"),
        Fact("cost.unit", (direct_cost,), given="easy"),
        Fact("operations.process_time", (help_hours,)),
        Fact("labour.wage", (wage,), given="easy"),
        Fact("technology.automation", (taken_over,), after=("operations.process_time",)),
        Fact("cost.fixed", (full_fixed, self_fixed)),
        Fact("mix.channel", (partner_customers,)),
        Fact("constraint.limit", (hours_free,)),
        Fact("supply.terms", (platform_fee,)),
        Fact("customers.retention", (leaver_cost,)),
        Fact("customers.satisfaction", (praise,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.price", (rival_fee,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("labour.headcount", (staff,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("help", "root", fact="operations.process_time", effect=help_cost),
        Cause("platform", "red_herring", fact="supply.terms", effect=platform_fee),
        Cause("leavers", "red_herring", fact="customers.retention", effect=leaver_cost),
    ),
    constraint="constraint.limit",
    key_numbers=(full_hours, value_full, value_self, value_partner),
    branches=("operations", "technology", "fixed_cost", "constraints"),
)

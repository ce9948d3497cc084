"""A flat fee that few use heavily: they cost more than they pay, and every campaign attracts more of their kind.

Root cause: the heavy users. Red herrings: the dearer input of a use and the rent.
The naive path reckons with the average use and so recruits more customers at the flat fee.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# Who pays the flat fee, and how often each group uses it in a month.
light_users = m.parameter("light_users", "thousand customer", 8, 20, 1)
heavy_users = m.parameter("heavy_users", "thousand customer", 2, 8, 0.5)
flat_fee = m.parameter("flat_fee", "cur/customer/month", 24, 40, 1)
use_cost = m.parameter("use_cost", "cur/use", 3, 6, 0.5)
light_uses = m.parameter("light_uses", "use/customer/month", 2, 4, 0.5)
heavy_uses = m.parameter("heavy_uses", "use/customer/month", 9, 18, 1)

light_margin = m.kpi("light_margin", "cur/customer/month", flat_fee - light_uses * use_cost)
heavy_loss = m.kpi("heavy_loss", "cur/customer/month", heavy_uses * use_cost - flat_fee)
drain = m.kpi("drain", "thousand cur/month", heavy_users * heavy_loss)

# A cap on the uses in the fee; those who stay keep to it.
cap = m.parameter("cap", "use/customer/month", 4, 6, 1)
heavy_stay = m.parameter("heavy_stay", "%", 30, 70, 5)
capped_margin = m.kpi("capped_margin", "cur/customer/month", flat_fee - cap * use_cost)
gain_cap = m.kpi("gain_cap", "thousand cur/month", drain + heavy_users * heavy_stay * capped_margin)

# A price for each use instead of the fee; all stay, but the heavy users use it less.
use_price = m.parameter("use_price", "cur/use", 7, 12, 0.5)
fewer_uses = m.parameter("fewer_uses", "use/customer/month", 3, 8, 0.5)
use_margin = m.kpi("use_margin", "cur/use", use_price - use_cost)
gain_by_use = m.kpi(
    "gain_by_use",
    "thousand cur/month",
    drain + heavy_users * fewer_uses * use_margin + light_users * (light_uses * use_margin - light_margin),
)

# A higher fee for all, or more customers at the old one.
rise = m.parameter("rise", "cur/customer/month", 2, 6, 1)
gain_rise = m.kpi("gain_rise", "thousand cur/month", (light_users + heavy_users) * rise)
added = m.parameter("added", "thousand customer", 2, 6, 0.5)
heavy_added = m.parameter("heavy_added", "%", 40, 70, 5)
gain_recruit = m.kpi(
    "gain_recruit", "thousand cur/month", added * ((1 - heavy_added) * light_margin - heavy_added * heavy_loss)
)

# What looks like the cause, and what has no part in the answer.
input_rise = m.parameter("input_rise", "thousand cur/month", 4, 30, 2)
rent_rise = m.parameter("rent_rise", "thousand cur/month", 2, 20, 1)
rival_fee = m.parameter("rival_fee", "cur/customer/month", 26, 44, 1)
market_growth = m.parameter("market_growth", "%/year", 4, 12, 1)
content = m.parameter("content", "%", 80, 94, 2)
leaving = m.parameter("leaving", "%/year", 8, 18, 1)
peak_use = m.parameter("peak_use", "%", 60, 85, 5)
outages = m.parameter("outages", "hour/month", 1, 6, 1)
marketing = m.parameter("marketing", "thousand cur/year", 40, 140, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 2, 7, 1)
largest_share = m.parameter("largest_share", "%", 2, 6, 1)

mean_cost = (light_users * light_uses + heavy_users * heavy_uses) / (light_users + heavy_users) * use_cost
m.require(heavy_loss, 0.25 * flat_fee)
m.require(light_margin, 0.3 * flat_fee)
m.require(capped_margin, 0.1 * flat_fee)
m.require(flat_fee - mean_cost, 0.1 * flat_fee)
m.require(0.7 * heavy_uses, fewer_uses)
m.require(use_price, 1.4 * use_cost)
m.require(gain_by_use, 0.1 * drain)
m.require(heavy_added * heavy_loss, 1.1 * (1 - heavy_added) * light_margin)

BLUEPRINT = Blueprint(
    blueprint_id="pricing_3",
    model=m,
    options=(
        Option("cap_uses", value=gain_cap, naive=0 * drain - heavy_users * (1 - heavy_stay) * flat_fee),
        Option("by_use", value=gain_by_use, naive=light_users * (light_uses * use_price - flat_fee)),
        Option("raise_fee", value=gain_rise, excluded=True),
        Option("recruit", value=gain_recruit, naive=added * (flat_fee - mean_cost)),
    ),
    facts=(
        Fact("mix.segment", (light_users, heavy_users), given="easy"),
        Fact("price.own", (flat_fee,), given="middle"),
        Fact("cost.unit", (use_cost,), given="easy"),
        Fact("volume.own", (light_uses, heavy_uses), after=("mix.segment",)),
        Fact("customers.retention", (heavy_stay,), segment="capped"),
        Fact("price.willingness", (fewer_uses,)),
        Fact("customers.acquisition", (heavy_added,)),
        Fact("constraint.commitment"),
        Fact("cost.trend", (input_rise,)),
        Fact("cost.rent", (rent_rise,)),
        Fact("competitor.price", (rival_fee,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (content,)),
        Fact("customers.retention", (leaving,), segment="all"),
        Fact("capacity.utilization", (peak_use,)),
        Fact("operations.downtime", (outages,)),
        Fact("cost.marketing", (marketing,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("customers.concentration", (largest_share,), noise=True),
    ),
    causes=(
        Cause("heavy_use", "root", fact="volume.own", effect=drain),
        Cause("dear_input", "red_herring", fact="cost.trend", effect=input_rise),
        Cause("rent", "red_herring", fact="cost.rent", effect=rent_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(heavy_loss, drain, gain_cap, gain_by_use),
    branches=("volume", "price", "customers", "variable_cost", "mix"),
)

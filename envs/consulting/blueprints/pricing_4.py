"""A cheap newcomer, and customers who leave: most of them left for another reason than the newcomer's price.

Root cause: the service of the client itself. Red herrings: the newcomer's price and advertising cut back.
The naive path believes that the old price of the newcomer brings everybody back, and so cuts every price.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# What was lost, and why those who left did so.
sold_before = m.parameter("sold_before", "thousand unit/year", 400, 600, 20)
sold_now = m.parameter("sold_now", "thousand unit/year", 300, 480, 20)
price = m.parameter("price", "cur/unit", 18, 30, 1)
cost = m.parameter("cost", "cur/unit", 8, 16, 1)
service_left = m.parameter("service_left", "%", 50, 70, 5)
price_left = m.parameter("price_left", "%", 10, 30, 5)
lost = m.kpi("lost", "thousand unit/year", sold_before - sold_now)
unit_margin = m.kpi("unit_margin", "cur/unit", price - cost)
lost_service = m.kpi("lost_service", "thousand unit/year", lost * service_left)
lost_price = m.kpi("lost_price", "thousand unit/year", lost * price_left)

# Cut the price for all, or only for those who ask.
cut = m.parameter("cut", "cur/unit", 2, 5, 0.5)
returning = m.parameter("returning", "%", 50, 90, 5)
leak = m.parameter("leak", "%", 4, 14, 1)
cut_margin = m.kpi("cut_margin", "cur/unit", unit_margin - cut)
back_price = m.kpi("back_price", "thousand unit/year", lost_price * returning)
loss_match = m.kpi("loss_match", "thousand cur/year", sold_now * cut - back_price * cut_margin)
gain_target = m.kpi("gain_target", "thousand cur/year", back_price * cut_margin - sold_now * leak * cut)

# Mend the service, for which there is only so much money; or give up where the newcomer is.
mending = m.parameter("mending", "%", 30, 60, 5)
mend_cost = m.parameter("mend_cost", "thousand cur/year", 150, 450, 25)
budget = m.parameter("budget", "thousand cur/year", 150, 500, 25)
back_service = m.kpi("back_service", "thousand unit/year", lost_service * mending)
gain_mend = m.kpi("gain_mend", "thousand cur/year", back_service * unit_margin - mend_cost)
spared = m.parameter("spared", "thousand cur/year", 340, 740, 20)
given_up = m.parameter("given_up", "thousand unit/year", 20, 50, 5)
gain_retreat = m.kpi("gain_retreat", "thousand cur/year", spared - given_up * unit_margin)

# What looks like the cause, and what has no part in the answer.
rival_price = m.parameter("rival_price", "cur/unit", 14, 26, 1)
adverts_lost = m.parameter("adverts_lost", "thousand unit/year", 2, 20, 2)
rival_size = m.parameter("rival_size", "%", 8, 18, 1)
market_growth = m.parameter("market_growth", "%/year", 1, 5, 0.5)
full = m.parameter("full", "%", 50, 75, 5)
days_late = m.parameter("days_late", "%", 10, 24, 1)
rival_cost = m.parameter("rival_cost", "cur/unit", 7, 14, 1)
wage = m.parameter("wage", "cur/hour", 15, 24, 1)
rent = m.parameter("rent", "thousand cur/year", 80, 240, 20)
winter_share = m.parameter("winter_share", "%", 28, 40, 2)
system_age = m.parameter("system_age", "year", 3, 8, 1)

zero = Number(0, "thousand cur/year")
m.require(lost, 0.15 * sold_before)
m.require(0.4 * sold_before, lost)
m.require(unit_margin, 2 * cut)
m.require(rival_price + cut, price)
m.require(price, rival_price + 0.5 * cut)
m.require(gain_target, 0.05 * sold_now * cut)
m.require(gain_mend, 0.1 * mend_cost)
m.require(gain_retreat, 0.05 * spared)
m.require(loss_match, 0.1 * sold_now * cut)

BLUEPRINT = Blueprint(
    blueprint_id="pricing_4",
    model=m,
    options=(
        Option("match_all", value=zero - loss_match, naive=lost * (unit_margin - cut)),
        Option("targeted_cut", value=gain_target, naive=back_price * cut_margin),
        Option("mend_service", value=gain_mend, needs=(Need(mend_cost, budget),), naive=zero - mend_cost),
        Option("retreat", value=gain_retreat, naive=gain_retreat),
    ),
    facts=(
        Fact("volume.trend", (sold_before, sold_now), given="easy"),
        Fact("price.own", (price,), given="middle"),
        Fact("cost.unit", (cost,), given="easy"),
        Fact("customers.need", (service_left, price_left), after=("volume.trend",)),
        Fact("price.willingness", (returning,), after=("customers.need",)),
        Fact("price.discount", (leak,)),
        Fact("operations.quality", (mending,), after=("customers.need",)),
        Fact("volume.own", (given_up,), segment="contested", given="easy"),
        Fact("constraint.limit", (budget,)),
        Fact("competitor.price", (rival_price,)),
        Fact("cost.marketing", (adverts_lost,)),
        Fact("market.share", (rival_size,), segment="newcomer"),
        Fact("market.growth", (market_growth,)),
        Fact("capacity.utilization", (full,)),
        Fact("customers.satisfaction", (days_late,)),
        Fact("competitor.cost", (rival_cost,)),
        Fact("labour.wage", (wage,), noise=True),
        Fact("cost.rent", (rent,), noise=True),
        Fact("volume.seasonality", (winter_share,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("service", "root", fact="customers.need", effect=lost_service),
        Cause("cheap_newcomer", "red_herring", fact="competitor.price", effect=lost_price),
        Cause("adverts", "red_herring", fact="cost.marketing", effect=adverts_lost),
    ),
    constraint="constraint.limit",
    key_numbers=(lost_service, gain_target, gain_mend, gain_retreat),
    branches=("customers", "price", "competitors", "operations", "constraints"),
)

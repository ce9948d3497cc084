"""Orders stand still while enquiries come in: nearly half of them are never followed up.

Root cause: agents call only on the enquiries that suit them. Red herrings: orders lost on price, and a slight fall in
enquiries. The naive path buys more enquiries, as if each of them were answered.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# From the enquiry to the order.
enquiries = m.parameter("enquiries", "customer/year", 2000, 4000, 200)
visited_share = m.parameter("visited_share", "%", 45, 65, 5)
win_rate = m.parameter("win_rate", "%", 15, 30, 5)
order_price = m.parameter("order_price", "cur/customer", 3600, 6000, 200)
order_cost = m.parameter("order_cost", "cur/customer", 2200, 4200, 200)
order_margin = m.kpi("order_margin", "cur/customer", order_price - order_cost)
unvisited = m.kpi("unvisited", "customer/year", enquiries * (1 - visited_share))
lost_orders = m.kpi("lost_orders", "customer/year", unvisited * win_rate)

# More enquiries.
extra_enquiries = m.parameter("extra_enquiries", "customer/year", 500, 2500, 250)
portal_fee = m.parameter("portal_fee", "thousand cur/year", 60, 240, 20)
extra_orders = m.kpi("extra_orders", "customer/year", extra_enquiries * visited_share * win_rate)
gain_enquiries = m.kpi("gain_enquiries", "thousand cur/year", extra_orders * order_margin - portal_fee)

# People of one's own who answer.
advisers = m.parameter("advisers", "person", 4, 10, 1)
adviser_pay = m.parameter("adviser_pay", "thousand cur/person/year", 50, 70, 5)
answered_share = m.parameter("answered_share", "%", 70, 90, 5)
saved_orders = m.kpi("saved_orders", "customer/year", enquiries * (answered_share - visited_share) * win_rate)
gain_advisers = m.kpi("gain_advisers", "thousand cur/year", saved_orders * order_margin - advisers * adviser_pay)

# A lower price.
rebate = m.parameter("rebate", "cur/customer", 100, 400, 50)
win_rise = m.parameter("win_rise", "%", 6, 14, 1)
orders_now = m.kpi("orders_now", "customer/year", enquiries * visited_share * win_rate)
orders_rebate = m.kpi("orders_rebate", "customer/year", enquiries * visited_share * (win_rate + win_rise))
gain_rebate = m.kpi(
    "gain_rebate", "thousand cur/year", orders_rebate * (order_margin - rebate) - orders_now * order_margin
)

# Selling by telephone through a bought-in service, which a principle rules out.
phone_gain = m.parameter("phone_gain", "thousand cur/year", 200, 700, 50)

# What is blamed.
lost_on_price = m.parameter("lost_on_price", "customer/year", 20, 80, 10)
enquiry_fall = m.parameter("enquiry_fall", "customer/year", 50, 250, 50)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 2, 6, 1)
satisfied = m.parameter("satisfied", "%", 84, 96, 2)
hall_rent = m.parameter("hall_rent", "thousand cur/year", 80, 200, 20)
absence = m.parameter("absence", "%", 3, 6, 0.5)
system_age = m.parameter("system_age", "year", 3, 9, 1)
peak_share = m.parameter("peak_share", "%", 30, 45, 5)

m.require(order_margin, 3 * rebate)
m.require(0.5 * order_price, order_margin)
m.require(gain_enquiries, 0.3 * portal_fee)
m.require(gain_rebate, 0.05 * orders_now * order_margin)
m.require(gain_advisers, 0.3 * advisers * adviser_pay)
m.require(enquiries, extra_enquiries)

BLUEPRINT = Blueprint(
    blueprint_id="growth_2",
    model=m,
    options=(
        Option("more_enquiries", value=gain_enquiries, naive=extra_enquiries * win_rate * order_price - portal_fee),
        Option("advisers", value=gain_advisers, naive=saved_orders * order_margin - advisers * adviser_pay),
        Option("rebate", value=gain_rebate, naive=(orders_rebate - orders_now) * order_price),
        Option("telephone", value=phone_gain, excluded=True),
    ),
    facts=(
        Fact("volume.own", (enquiries,), given="middle"),
        Fact("operations.bottleneck", (visited_share,)),
        Fact("customers.acquisition", (win_rate,), given="easy"),
        Fact("price.own", (order_price,), given="easy"),
        Fact("cost.unit", (order_cost,)),
        Fact("capacity.expansion", (advisers, answered_share), after=("operations.bottleneck",)),
        Fact("labour.wage", (adviser_pay,), given="easy"),
        Fact("price.willingness", (win_rise,)),
        Fact("constraint.commitment"),
        Fact("competitor.price", (lost_on_price,)),
        Fact("volume.trend", (enquiry_fall,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (satisfied,)),
        Fact("cost.rent", (hall_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("unanswered", "root", fact="operations.bottleneck", effect=lost_orders * order_margin),
        Cause("price", "red_herring", fact="competitor.price", effect=lost_on_price * order_margin),
        Cause(
            "fewer", "red_herring", fact="volume.trend", effect=enquiry_fall * visited_share * win_rate * order_margin
        ),
    ),
    constraint="constraint.commitment",
    key_numbers=(lost_orders, gain_enquiries, gain_advisers, gain_rebate),
    branches=("operations", "price", "variable_cost", "capacity", "constraints"),
)

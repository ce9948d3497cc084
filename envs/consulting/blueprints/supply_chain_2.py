"""Goods from far away look cheap in the list and are not at the door, since part of them has to fly.

Root cause: air freight, which a long lead time makes necessary. Red herrings: duty and the rise of sea freight. The
naive path compares list prices and signs for more of the same.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# What a piece from far away costs at the door.
demand = m.parameter("demand", "thousand unit/year", 40, 100, 5)
far_price = m.parameter("far_price", "cur/unit", 24, 40, 1)
sea_freight = m.parameter("sea_freight", "cur/unit", 2, 5, 0.5)
duty = m.parameter("duty", "%", 2, 6, 1)
air_share = m.parameter("air_share", "%", 15, 30, 5)
air_extra = m.parameter("air_extra", "cur/unit", 10, 20, 1)
sea_cost = m.kpi("sea_cost", "cur/unit", far_price * (1 + duty) + sea_freight)
landed_far = m.kpi("landed_far", "cur/unit", sea_cost + air_share * air_extra)
air_bill = m.kpi("air_bill", "thousand cur/year", demand * air_share * air_extra)

# Part of it, or most of it, from a maker nearby; then nothing has to fly.
near_price = m.parameter("near_price", "cur/unit", 28, 52, 1)
near_large_price = m.parameter("near_large_price", "cur/unit", 26, 46, 1)
near_freight = m.parameter("near_freight", "cur/unit", 0.5, 1.5, 0.5)
split_share = m.parameter("split_share", "%", 20, 35, 5)
large_share = m.parameter("large_share", "%", 75, 90, 5)
gain_split = m.kpi(
    "gain_split", "thousand cur/year", air_bill - demand * split_share * (near_price + near_freight - sea_cost)
)
gain_large = m.kpi(
    "gain_large", "thousand cur/year", air_bill - demand * large_share * (near_large_price + near_freight - sea_cost)
)
bound_share = m.parameter("bound_share", "%", 30, 60, 5)

# A buffer at home; or a larger contract far away, with a longer lead time.
air_left = m.parameter("air_left", "%", 5, 15, 5)
buffer_value = m.parameter("buffer_value", "thousand cur", 300, 900, 50)
holding = m.parameter("holding", "%/year", 12, 24, 2)
gain_buffer = m.kpi(
    "gain_buffer", "thousand cur/year", demand * (air_share - air_left) * air_extra - buffer_value * holding
)
deal_cut = m.parameter("deal_cut", "%", 6, 14, 1)
air_added = m.parameter("air_added", "%", 5, 20, 5)
gain_deal = m.kpi(
    "gain_deal", "thousand cur/year", demand * (far_price * deal_cut * (1 + duty) - air_added * air_extra)
)

# What surrounds the case, and what has no part in it.
sea_rise = m.parameter("sea_rise", "cur/unit", 0.2, 0.8, 0.1)
lead_weeks = m.parameter("lead_weeks", "week", 14, 24, 1)
rejects = m.parameter("rejects", "%", 1, 3, 0.5)
missed = m.parameter("missed", "%", 2, 5, 1)
growth = m.parameter("growth", "%", 2, 6, 1)
rival_near = m.parameter("rival_near", "%", 30, 50, 5)
rent = m.parameter("rent", "thousand cur/year", 120, 300, 20)
absence = m.parameter("absence", "%", 3, 7, 0.5)
marketing = m.parameter("marketing", "thousand cur/year", 200, 500, 20)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(near_price + near_freight, 1.05 * sea_cost)
m.require(near_price, 1.04 * near_large_price)
m.require(near_large_price, far_price)
m.require(gain_split, 0.2 * air_bill)
m.require(gain_buffer, 0.2 * air_bill)
m.require(gain_large, 0.05 * air_bill)
m.require(gain_deal, 0.05 * air_bill)
m.require(large_share + bound_share, 1.1)
m.require(split_share, air_share)

BLUEPRINT = Blueprint(
    blueprint_id="supply_chain_2",
    model=m,
    options=(
        Option(
            "split",
            value=gain_split,
            naive=demand * split_share * (far_price - near_price),
        ),
        Option("buffer", value=gain_buffer, naive=-1 * (buffer_value * holding)),
        Option("deal", value=gain_deal, naive=demand * far_price * deal_cut),
        Option("nearby", value=gain_large, needs=(Need(large_share + bound_share, Number(1)),)),
    ),
    facts=(
        Fact("volume.own", (demand,), given="middle"),
        Fact("supply.terms", (far_price,), segment="list", given="easy"),
        Fact("cost.distribution", (sea_freight,), segment="sea", given="easy"),
        Fact("regulation.levy", (duty,), given="easy"),
        Fact("supply.logistics", (air_share, air_extra)),
        Fact("cost.distribution", (near_freight,), segment="lorry"),
        Fact("supply.inventory", (air_left, buffer_value), after=("supply.logistics",)),
        Fact("supply.terms", (air_added,), segment="deal", after=("supply.logistics",)),
        Fact("constraint.commitment", (bound_share,)),
        Fact("cost.trend", (sea_rise,)),
        Fact("timing.ramp", (lead_weeks,)),
        Fact("operations.quality", (rejects,)),
        Fact("customers.satisfaction", (missed,)),
        Fact("competitor.offer", (rival_near,)),
        Fact("market.growth", (growth,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("cost.marketing", (marketing,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("air", "root", fact="supply.logistics", effect=air_bill),
        Cause("duty", "red_herring", fact="regulation.levy", effect=demand * far_price * duty),
        Cause("sea", "red_herring", fact="cost.trend", effect=demand * sea_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(landed_far, gain_split, gain_buffer, gain_deal),
    branches=("supply", "variable_cost", "timing", "constraints"),
)

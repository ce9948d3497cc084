"""Orders multiply and profit falls: most new orders are small, and a small order costs more to serve than it leaves.

Root cause: the cost of picking and delivering small orders. Red herrings: the rent of the new store and dearer fuel.
The naive path counts the margin on the goods alone and so goes after more small orders.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model, Number

m = Model()

# Small orders: what they bring and what they cost to serve.
small_before = m.parameter("small_before", "thousand order/year", 20, 50, 5)
small_now = m.parameter("small_now", "thousand order/year", 50, 90, 5)
small_basket = m.parameter("small_basket", "cur/order", 60, 120, 10)
large_basket = m.parameter("large_basket", "cur/order", 500, 900, 50)
goods_margin = m.parameter("goods_margin", "%", 20, 35, 5)
handling = m.parameter("handling", "cur/order", 12, 24, 2)
drop = m.parameter("drop", "cur/order", 14, 26, 2)

small_margin = m.kpi("small_margin", "cur/order", small_basket * goods_margin)
serving = m.kpi("serving", "cur/order", handling + drop)
small_loss = m.kpi("small_loss", "cur/order", serving - small_margin)
orders_added = m.kpi("orders_added", "thousand order/year", small_now - small_before)
drag = m.kpi("drag", "thousand cur/year", orders_added * small_loss)

# A charge on small orders, which some customers will not pay.
charge = m.parameter("charge", "cur/order", 8, 20, 2)
leaving = m.parameter("leaving", "%", 10, 40, 5)
staying = m.kpi("staying", "thousand order/year", small_now * (1 - leaving))
gain_charge = m.kpi("gain_charge", "thousand cur/year", staying * (charge - small_loss) + small_now * small_loss)

# Fixed days for a round, so that two small orders become one.
merging = m.parameter("merging", "%", 25, 50, 5)
round_cost = m.parameter("round_cost", "thousand cur/year", 50, 200, 25)
orders_spared = m.kpi("orders_spared", "thousand order/year", small_now * merging)
gain_rounds = m.kpi("gain_rounds", "thousand cur/year", orders_spared * serving - round_cost)

# More small orders, or none at all.
new_orders = m.parameter("new_orders", "thousand order/year", 15, 40, 5)
sales_team = m.parameter("sales_team", "thousand cur/year", 60, 160, 20)
loss_push = m.kpi("loss_push", "thousand cur/year", new_orders * small_loss + sales_team)
loss_small = m.kpi("loss_small", "thousand cur/year", small_now * small_loss)

# What looks like the cause, and what has no part in the answer.
rent_rise = m.parameter("rent_rise", "thousand cur/year", 40, 160, 20)
fuel_rise = m.parameter("fuel_rise", "thousand cur/year", 10, 60, 10)
large_orders = m.parameter("large_orders", "thousand order/year", 20, 40, 5)
rival_floor = m.parameter("rival_floor", "cur/order", 100, 250, 50)
market_growth = m.parameter("market_growth", "%/year", 1, 4, 0.5)
on_time = m.parameter("on_time", "%", 90, 98, 1)
top_share = m.parameter("top_share", "%", 12, 28, 2)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 3, 9, 1)
leaflets = m.parameter("leaflets", "thousand cur/year", 20, 60, 5)
winter_share = m.parameter("winter_share", "%", 26, 34, 2)

zero = Number(0, "thousand cur/year")
m.require(small_loss, 0.15 * serving)
m.require(small_margin, 0.4 * serving)
m.require(gain_charge, 0.5 * round_cost)
m.require(gain_rounds, 0.5 * round_cost)
m.require(charge, 0.4 * small_loss)
m.require(0.3 * small_basket, charge)

BLUEPRINT = Blueprint(
    blueprint_id="profitability_2",
    model=m,
    options=(
        Option("small_charge", value=gain_charge, naive=staying * charge - small_now * leaving * small_margin),
        Option("fixed_rounds", value=gain_rounds, naive=zero - round_cost),
        Option("win_more", value=zero - loss_push, naive=new_orders * small_margin),
        Option("drop_small", value=loss_small, excluded=True),
    ),
    facts=(
        Fact("volume.trend", (small_before, small_now), segment="small", given="easy"),
        Fact("price.own", (small_basket, large_basket), given="easy"),
        Fact("mix.margin", (goods_margin,), given="middle"),
        Fact("cost.unit", (handling,)),
        Fact("cost.distribution", (drop,)),
        Fact("price.willingness", (leaving,), after=("price.own",)),
        Fact("customers.need", (merging,)),
        Fact("volume.forecast", (new_orders,), given="middle"),
        Fact("constraint.commitment"),
        Fact("cost.rent", (rent_rise,)),
        Fact("cost.energy", (fuel_rise,)),
        Fact("volume.own", (large_orders,), segment="large"),
        Fact("competitor.offer", (rival_floor,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (on_time,)),
        Fact("customers.concentration", (top_share,)),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("cost.marketing", (leaflets,), noise=True),
        Fact("volume.seasonality", (winter_share,), noise=True),
    ),
    causes=(
        Cause("serving", "root", fact="cost.distribution", effect=drag),
        Cause("store", "red_herring", fact="cost.rent", effect=rent_rise),
        Cause("fuel", "red_herring", fact="cost.energy", effect=fuel_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(small_loss, drag, gain_charge, gain_rounds),
    branches=("volume", "price", "variable_cost", "customers", "fixed_cost"),
)

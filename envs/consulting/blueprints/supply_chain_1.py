"""Large lots were bought for the sake of their price, and a good part of them goes into the skip.

Root cause: write-offs, since a lot lasts longer than the goods. Red herrings: the supplier's price rise and the rent of
the store. The naive path looks at the discount and buys a year's need at once.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model, Number

m = Model()

# Half-yearly lots, as bought now: a quarter of a year's need lies in the store on average.
demand = m.parameter("demand", "thousand unit/year", 400, 900, 50)
price = m.parameter("price", "cur/unit", 3, 6, 0.5)
wasted_now = m.parameter("wasted_now", "%", 8, 16, 1)
holding = m.parameter("holding", "%/year", 10, 20, 2)
spend = m.kpi("spend", "thousand cur/year", demand * price)
written_off = m.kpi("written_off", "thousand cur/year", spend * wasted_now)
stock_now = m.kpi("stock_now", "thousand cur", spend * Number(0.25, "year"))

# Monthly lots: dearer for a piece, ten more orders a year, little waste.
monthly_surcharge = m.parameter("monthly_surcharge", "%", 2, 6, 0.5)
monthly_waste = m.parameter("monthly_waste", "%", 1, 4, 0.5)
order_cost = m.parameter("order_cost", "thousand cur/order", 1, 5, 0.5)
stock_monthly = m.kpi("stock_monthly", "thousand cur", spend / Number(24, "1/year"))
gain_monthly = m.kpi(
    "gain_monthly",
    "thousand cur/year",
    spend * (wasted_now - monthly_waste - monthly_surcharge)
    + (stock_now - stock_monthly) * holding
    - order_cost * Number(10, "order/year"),
)

# On call: the supplier holds the stock and is paid for it.
call_surcharge = m.parameter("call_surcharge", "%", 3, 9, 0.5)
call_waste = m.parameter("call_waste", "%", 2, 6, 0.5)
gain_call = m.kpi(
    "gain_call", "thousand cur/year", spend * (wasted_now - call_waste - call_surcharge) + stock_now * holding
)

# A year's need at once; or buy jointly with others, which a word given rules out.
yearly_discount = m.parameter("yearly_discount", "%", 5, 12, 0.5)
yearly_waste = m.parameter("yearly_waste", "%", 16, 30, 1)
yearly_loss = m.kpi(
    "yearly_loss", "thousand cur/year", spend * (yearly_waste - wasted_now - yearly_discount) + stock_now * holding
)
gain_yearly = m.kpi("gain_yearly", "thousand cur/year", -1 * yearly_loss)
pool_gain = m.parameter("pool_gain", "thousand cur/year", 80, 300, 10)

# What surrounds the case, and what has no part in it.
price_rise = m.parameter("price_rise", "%", 1, 4, 0.5)
rent_rise = m.parameter("rent_rise", "thousand cur/year", 5, 40, 5)
on_time = m.parameter("on_time", "%", 90, 98, 1)
lead_weeks = m.parameter("lead_weeks", "week", 3, 8, 1)
articles = m.parameter("articles", "article", 200, 600, 50)
filled = m.parameter("filled", "%", 84, 96, 2)
peak_share = m.parameter("peak_share", "%", 28, 40, 2)
absence = m.parameter("absence", "%", 3, 7, 0.5)
marketing = m.parameter("marketing", "thousand cur/year", 60, 180, 10)
system_age = m.parameter("system_age", "year", 4, 10, 1)

m.require(gain_monthly, 0.01 * spend)
m.require(gain_call, 0.01 * spend)
m.require(yearly_loss, 0.01 * spend)
m.require(yearly_waste, wasted_now)

BLUEPRINT = Blueprint(
    blueprint_id="supply_chain_1",
    model=m,
    options=(
        Option("monthly", value=gain_monthly, naive=-1 * (spend * monthly_surcharge)),
        Option("on_call", value=gain_call, naive=-1 * (spend * call_surcharge)),
        Option("yearly", value=gain_yearly, naive=spend * yearly_discount),
        Option("pool", value=pool_gain, excluded=True),
    ),
    facts=(
        Fact("volume.own", (demand,), given="middle"),
        Fact("supply.terms", (price,), segment="price", given="easy"),
        Fact("supply.inventory", (wasted_now,), segment="written_off"),
        Fact("supply.inventory", (holding,), segment="warehouse", given="easy"),
        Fact(
            "supply.inventory",
            (monthly_waste, call_waste),
            segment="short_lots",
            after=("supply.inventory:written_off",),
        ),
        Fact("supply.inventory", (yearly_waste,), segment="long_lots", after=("supply.inventory:written_off",)),
        Fact("supply.terms", (monthly_surcharge, call_surcharge), segment="surcharge"),
        Fact("operations.process_time", (order_cost,), given="easy"),
        Fact("constraint.commitment"),
        Fact("cost.trend", (price_rise,)),
        Fact("cost.rent", (rent_rise,)),
        Fact("supply.reliability", (on_time, lead_weeks)),
        Fact("mix.product", (articles,)),
        Fact("capacity.utilization", (filled,)),
        Fact("volume.seasonality", (peak_share,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("cost.marketing", (marketing,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("lots", "root", fact="supply.inventory:written_off", effect=written_off),
        Cause("prices", "red_herring", fact="cost.trend", effect=spend * price_rise),
        Cause("rent", "red_herring", fact="cost.rent", effect=rent_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(gain_monthly, gain_call, gain_yearly),
    branches=("supply", "variable_cost", "fixed_cost", "constraints"),
)

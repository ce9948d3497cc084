"""Everything stops when one supplier stops, and the insurance that seems to cover it pays from a late day on only.

Root cause: the only supplier fails. Red herrings: late lorries and failures of the own machines. The naive path takes
the insurer's share for the share of the loss.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number, minimum

m = Model()

# What a day without the goods costs, and how many such days there are to expect.
daily_units = m.parameter("daily_units", "thousand unit/day", 8, 20, 1)
unit_margin = m.parameter("unit_margin", "cur/unit", 1.5, 3.5, 0.5)
penalty = m.parameter("penalty", "thousand cur/day", 4, 16, 2)
outages = m.parameter("outages", "outage/year", 1.5, 3, 0.5)
outage_days = m.parameter("outage_days", "day/outage", 6, 12, 1)
day_loss = m.kpi("day_loss", "thousand cur/day", daily_units * unit_margin + penalty)
expected_loss = m.kpi("expected_loss", "thousand cur/year", outages * outage_days * day_loss)

# A stock of the goods; or a second supplier, who is dearer and can deliver part of them.
stock_days = m.parameter("stock_days", "day/outage", 4, 8, 1)
stock_value = m.parameter("stock_value", "thousand cur", 200, 900, 50)
store_cost = m.parameter("store_cost", "thousand cur/year", 40, 200, 20)
holding = m.parameter("holding", "%/year", 8, 14, 1)
days_bridged = m.kpi("days_bridged", "day/outage", minimum(stock_days, outage_days))
stock_cost = m.kpi("stock_cost", "thousand cur/year", stock_value * holding + store_cost)
gain_stock = m.kpi("gain_stock", "thousand cur/year", outages * days_bridged * day_loss - stock_cost)
second_cover = m.parameter("second_cover", "%", 40, 80, 5)
second_cost = m.parameter("second_cost", "thousand cur/year", 80, 400, 20)
gain_second = m.kpi("gain_second", "thousand cur/year", expected_loss * second_cover - second_cost)

# An insurance with days of waiting; or making the goods oneself, for which the money is lacking.
insured_share = m.parameter("insured_share", "%", 70, 90, 5)
premium = m.parameter("premium", "thousand cur/year", 40, 160, 20)
wait_days = m.parameter("wait_days", "day/outage", 3, 9, 1)
paid_days = m.kpi("paid_days", "day/outage", outage_days - wait_days)
gain_insure = m.kpi("gain_insure", "thousand cur/year", outages * paid_days * day_loss * insured_share - premium)
plant_price = m.parameter("plant_price", "thousand cur", 3000, 8000, 250)
plant_cost = m.parameter("plant_cost", "thousand cur/year", 100, 400, 50)
budget = m.parameter("budget", "thousand cur", 1500, 6000, 250)
gain_plant = m.kpi("gain_plant", "thousand cur/year", expected_loss - plant_cost - plant_price * holding)

# What surrounds the case, and what has no part in it.
late_days = m.parameter("late_days", "day/year", 0.4, 1.6, 0.4)
own_days = m.parameter("own_days", "day/year", 1.5, 3, 0.5)
lead_weeks = m.parameter("lead_weeks", "week", 6, 16, 2)
growth = m.parameter("growth", "%", 2, 6, 1)
biggest = m.parameter("biggest", "%", 18, 34, 2)
rent = m.parameter("rent", "thousand cur/year", 120, 300, 20)
absence = m.parameter("absence", "%", 3, 7, 0.5)
marketing = m.parameter("marketing", "thousand cur/year", 100, 300, 20)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(outage_days, wait_days + Number(1, "day/outage"))
m.require(outage_days, stock_days)
m.require(gain_stock, 0.5 * stock_cost)
m.require(gain_second, 0.2 * second_cost)
m.require(gain_insure, 0.1 * premium)
m.require(gain_plant, 0.1 * plant_cost)
m.require(plant_price, 1.1 * budget)

BLUEPRINT = Blueprint(
    blueprint_id="supply_chain_3",
    model=m,
    options=(
        Option("stock", value=gain_stock, naive=gain_stock),
        Option("second", value=gain_second, naive=gain_second),
        Option("insure", value=gain_insure, naive=expected_loss * insured_share - premium),
        Option("plant", value=gain_plant, needs=(Need(plant_price, budget),)),
    ),
    facts=(
        Fact("volume.own", (daily_units,), given="middle"),
        Fact("mix.margin", (unit_margin,), given="easy"),
        Fact("customers.satisfaction", (penalty,), given="easy"),
        Fact("supply.reliability", (outages, outage_days)),
        Fact("supply.inventory", (stock_value, store_cost)),
        Fact("supply.terms", (second_cover, second_cost), segment="second", after=("supply.reliability",)),
        Fact("supply.terms", (wait_days,), segment="insurance"),
        Fact("constraint.limit", (budget,)),
        Fact("supply.logistics", (late_days,)),
        Fact("operations.downtime", (own_days,)),
        Fact("timing.ramp", (lead_weeks,)),
        Fact("market.growth", (growth,)),
        Fact("customers.concentration", (biggest,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("cost.marketing", (marketing,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("single_source", "root", fact="supply.reliability", effect=expected_loss),
        Cause("lorries", "red_herring", fact="supply.logistics", effect=late_days * day_loss),
        Cause("machines", "red_herring", fact="operations.downtime", effect=own_days * day_loss),
    ),
    constraint="constraint.limit",
    key_numbers=(day_loss, expected_loss, gain_stock, gain_second),
    branches=("supply", "operations", "timing", "constraints"),
)

"""A rival is for sale whose profit looks sound, but many customers buy from both houses so as to have a second source.

Root cause: those customers, who would take part of their orders elsewhere once the two are one. Red herrings: the gap
in pay and the repairs that were put off. The naive path adds the target's profit and the savings, and buys.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, maximum

m = Model()

hurdle = m.parameter("hurdle", "%/year", 8, 14, 1)
debt_room = m.parameter("debt_room", "thousand cur", 4000, 16000, 500)

# The whole of the rival.
price_whole = m.parameter("price_whole", "thousand cur", 7000, 14000, 500)
profit_whole = m.parameter("profit_whole", "thousand cur/year", 1200, 2000, 100)
saving = m.parameter("saving", "thousand cur/year", 400, 1000, 100)
integration = m.parameter("integration", "thousand cur", 500, 2000, 100)
overlap_sales = m.parameter("overlap_sales", "million cur/year", 5, 12, 1)
shift_share = m.parameter("shift_share", "%", 15, 40, 5)
contribution = m.parameter("contribution", "%", 30, 45, 5)
lost = m.kpi("lost", "thousand cur/year", overlap_sales * shift_share * contribution)
need_whole = m.kpi("need_whole", "thousand cur", price_whole + integration)
value_whole = m.kpi("value_whole", "thousand cur/year", profit_whole + saving - lost - need_whole * hurdle)

# One of its sites, which serves other customers.
price_part = m.parameter("price_part", "thousand cur", 2000, 5000, 250)
profit_part = m.parameter("profit_part", "thousand cur/year", 350, 800, 50)
saving_part = m.parameter("saving_part", "thousand cur/year", 50, 200, 25)
charge_part = m.kpi("charge_part", "thousand cur/year", price_part * hurdle)
value_part = m.kpi("value_part", "thousand cur/year", profit_part + saving_part - charge_part)

# Buying supplies together, each under its own name; or a step of one's own.
own_spend = m.parameter("own_spend", "million cur/year", 6, 14, 1)
rebate = m.parameter("rebate", "%", 3, 8, 1)
bureau_cost = m.parameter("bureau_cost", "thousand cur/year", 60, 160, 20)
value_alliance = m.kpi("value_alliance", "thousand cur/year", own_spend * rebate - bureau_cost)
own_gain = m.parameter("own_gain", "thousand cur/year", 100, 500, 50)

pay_gap = m.parameter("pay_gap", "thousand cur/year", 40, 140, 20)
backlog = m.parameter("backlog", "thousand cur/year", 40, 140, 20)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 1, 5, 0.5)
rivals_left = m.parameter("rivals_left", "unit", 4, 9, 1)
stay_on = m.parameter("stay_on", "%", 75, 90, 5)
extra_sales = m.parameter("extra_sales", "thousand cur/year", 40, 120, 10)
rent = m.parameter("rent", "thousand cur/year", 60, 160, 10)
system_age = m.parameter("system_age", "year", 3, 11, 1)
absence = m.parameter("absence", "%", 3, 7, 0.5)
peak_share = m.parameter("peak_share", "%", 28, 40, 2)

m.require(value_part, 0.2 * charge_part)
m.require(value_alliance, bureau_cost)
m.require(profit_whole, 2 * profit_part)
m.require(price_whole, 2 * price_part)
m.require(profit_whole + saving - price_whole * hurdle, value_part)
m.require(lost, saving)
m.require(1.2 * maximum(value_part, maximum(value_alliance, own_gain)), value_whole)
m.require(value_whole, 0.1 * saving)

BLUEPRINT = Blueprint(
    blueprint_id="mergers_1",
    model=m,
    options=(
        Option(
            "buy_whole",
            value=value_whole,
            naive=profit_whole + saving - price_whole * hurdle,
            needs=(Need(need_whole, debt_room),),
        ),
        Option("buy_part", value=value_part, naive=value_part, needs=(Need(price_part, debt_room),)),
        Option("alliance", value=value_alliance, naive=value_alliance),
        Option("alone", value=own_gain, naive=own_gain),
    ),
    facts=(
        Fact("target.value", (profit_whole,), segment="whole", given="middle"),
        Fact("target.value", (profit_part, saving_part), segment="part", given="easy"),
        Fact("synergy.cost", (saving,), given="easy"),
        Fact("mix.margin", (contribution,), given="easy"),
        Fact("customers.concentration", (overlap_sales,)),
        Fact("customers.retention", (shift_share,), after=("customers.concentration",)),
        Fact("synergy.integration", (integration,)),
        Fact("supply.terms", (own_spend, rebate)),
        Fact("cash.debt", (debt_room,)),
        Fact("labour.wage", (pay_gap,)),
        Fact("cost.maintenance", (backlog,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.offer", (rivals_left,)),
        Fact("synergy.revenue", (extra_sales,)),
        Fact("people.skills", (stay_on,)),
        Fact("timing.deadline"),
        Fact("cost.rent", (rent,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("second_source", "root", fact="customers.retention", effect=lost),
        Cause("pay", "red_herring", fact="labour.wage", effect=pay_gap),
        Cause("repairs", "red_herring", fact="cost.maintenance", effect=backlog),
    ),
    constraint="cash.debt",
    key_numbers=(lost, value_whole, value_part, value_alliance),
    branches=("synergies", "customers", "mix", "supply", "cash"),
)

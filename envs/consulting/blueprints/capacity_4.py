"""Booked out for weeks, and yet a part of the time is never used: people book and do not come.

Root cause: places that stay empty because nobody turns up. Red herrings: breakdowns and slow turnover. The naive path
takes booked places for used ones, and so sees no way but a second machine, counted at its full price.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, minimum

m = Model()

slots = m.parameter("slots", "thousand slot/year", 8, 14, 0.5)
empty_share = m.parameter("empty_share", "%", 12, 24, 2)
elsewhere = m.parameter("elsewhere", "thousand slot/year", 1.5, 4, 0.5)
price = m.parameter("price", "cur/slot", 180, 300, 10)
cost = m.parameter("cost", "cur/slot", 30, 70, 5)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)

margin = m.kpi("margin", "cur/slot", price - cost)
left_empty = m.kpi("left_empty", "thousand slot/year", slots * empty_share)
empty_loss = m.kpi("empty_loss", "thousand cur/year", left_empty * margin)

# A second machine, for those who now go elsewhere.
machine_slots = m.parameter("machine_slots", "thousand slot/year", 4, 9, 0.5)
machine_upkeep = m.parameter("machine_upkeep", "thousand cur/year", 120, 240, 20)
machine_capex = m.parameter("machine_capex", "thousand cur", 1000, 2400, 100)
machine_sold = m.kpi("machine_sold", "thousand slot/year", minimum(machine_slots, elsewhere))
gain_machine = m.kpi(
    "gain_machine", "thousand cur/year", machine_sold * margin - machine_upkeep - machine_capex * hurdle
)

# Remind people, and keep a deposit.
saved_share = m.parameter("saved_share", "%", 35, 70, 5)
remind_cost = m.parameter("remind_cost", "thousand cur/year", 15, 60, 5)
saved = m.kpi("saved", "thousand slot/year", minimum(left_empty * saved_share, elsewhere))
gain_remind = m.kpi("gain_remind", "thousand cur/year", saved * margin - remind_cost)

# Book more than there are places for; who comes and cannot be fitted in has to be made good.
over_share = m.parameter("over_share", "%", 6, 12, 1)
clash = m.parameter("clash", "%", 15, 40, 5)
amends = m.parameter("amends", "cur/slot", 100, 200, 10)
doubled = m.kpi("doubled", "thousand slot/year", slots * over_share)
gain_double = m.kpi(
    "gain_double", "thousand cur/year", minimum(doubled * (1 - clash), elsewhere) * margin - doubled * clash * amends
)

# Longer hours, for which there may not be people enough.
evening_slots = m.parameter("evening_slots", "thousand slot/year", 0.6, 1.6, 0.1)
evening_pay = m.parameter("evening_pay", "thousand cur/year", 50, 130, 10)
evening_hours = m.parameter("evening_hours", "hour/week", 10, 20, 1)
free_hours = m.parameter("free_hours", "hour/week", 6, 26, 1)
evening_sold = m.kpi("evening_sold", "thousand slot/year", minimum(evening_slots, elsewhere))
gain_evening = m.kpi("gain_evening", "thousand cur/year", evening_sold * margin - evening_pay)

# What is much talked about, or has no part in the answer.
broken_slots = m.parameter("broken_slots", "slot/year", 80, 300, 20)
slow_slots = m.parameter("slow_slots", "slot/year", 80, 300, 20)
rival_price = m.parameter("rival_price", "cur/slot", 170, 310, 10)
wait_weeks = m.parameter("wait_weeks", "week", 4, 9, 1)
growth = m.parameter("growth", "%/year", 2, 6, 1)
machine_life = m.parameter("machine_life", "year", 8, 14, 1)
rent = m.parameter("rent", "thousand cur/year", 60, 180, 20)
autumn_share = m.parameter("autumn_share", "%", 27, 36, 3)
inspection_gap = m.parameter("inspection_gap", "year", 2, 5, 1)
paid_days = m.parameter("paid_days", "day", 14, 40, 2)

m.require(gain_machine, 0.05 * machine_upkeep)
m.require(gain_remind, 0.1 * remind_cost)
m.require(gain_double, 0.1 * remind_cost)
m.require(gain_evening, 0.1 * evening_pay)
m.require(empty_share, over_share)

BLUEPRINT = Blueprint(
    blueprint_id="capacity_4",
    model=m,
    options=(
        Option("second_machine", value=gain_machine, naive=machine_slots * price - machine_upkeep),
        Option("remind", value=gain_remind, naive=-1 * remind_cost),
        Option("overbook", value=gain_double, naive=-1 * doubled * amends),
        Option(
            "evenings",
            value=gain_evening,
            naive=evening_slots * price - evening_pay,
            needs=(Need(evening_hours, free_hours),),
        ),
    ),
    facts=(
        Fact("price.own", (price,), given="middle"),
        Fact("cost.unit", (cost,), given="easy"),
        Fact("capacity.limit", (slots,), given="easy"),
        Fact("capacity.utilization", (empty_share,), after=("capacity.limit",)),
        Fact("customers.satisfaction", (clash, amends), given="easy"),
        Fact("market.size", (elsewhere,)),
        Fact("technology.adoption", (saved_share,), after=("capacity.utilization",)),
        Fact("investment.capex", (machine_capex,)),
        Fact("constraint.limit", (free_hours,)),
        Fact("operations.downtime", (broken_slots,)),
        Fact("operations.process_time", (slow_slots,)),
        Fact("competitor.price", (rival_price,)),
        Fact("timing.ramp", (wait_weeks,)),
        Fact("market.growth", (growth,)),
        Fact("investment.life", (machine_life,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("volume.seasonality", (autumn_share,), noise=True),
        Fact("regulation.rule", (inspection_gap,), noise=True),
        Fact("cash.working_capital", (paid_days,), noise=True),
    ),
    causes=(
        Cause("not_come", "root", fact="capacity.utilization", effect=empty_loss),
        Cause("breakdowns", "red_herring", fact="operations.downtime", effect=broken_slots * margin),
        Cause("slow_change", "red_herring", fact="operations.process_time", effect=slow_slots * margin),
    ),
    constraint="constraint.limit",
    key_numbers=(left_empty, gain_machine, gain_remind, gain_double),
    branches=("capacity", "market", "technology", "investment", "constraints"),
)

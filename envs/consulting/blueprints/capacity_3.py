"""A full order book that is not what it seems: buyers who fear to wait order the same goods twice.

Root cause: many orders stand with a second maker as well and will be cancelled. Red herrings: late parts and sick
leave. The naive path takes every order for demand and builds for all of it.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, minimum

m = Model()

# What is ordered, what of it is meant, and what can be made.
ordered = m.parameter("ordered", "thousand unit/year", 70, 110, 5)
twice = m.parameter("twice", "%", 20, 45, 5)
made = m.parameter("made", "thousand unit/year", 40, 60, 2)
margin = m.parameter("margin", "cur/unit", 40, 80, 5)
hurdle = m.parameter("hurdle", "%/year", 12, 18, 2)

meant = m.kpi("meant", "thousand unit/year", ordered * (1 - twice))
short = m.kpi("short", "thousand unit/year", meant - made)
seems_short = m.kpi("seems_short", "thousand unit/year", ordered - made)

# A hall of one's own.
hall_units = m.parameter("hall_units", "thousand unit/year", 24, 40, 2)
hall_capex = m.parameter("hall_capex", "thousand cur", 2000, 4500, 250)
hall_sold = m.kpi("hall_sold", "thousand unit/year", minimum(hall_units, short))
gain_hall = m.kpi("gain_hall", "thousand cur/year", hall_sold * margin - hall_capex * hurdle)

# A rented line that can be given back.
rented_units = m.parameter("rented_units", "thousand unit/year", 6, 14, 1)
rental = m.parameter("rental", "thousand cur/year", 120, 360, 20)
rented_sold = m.kpi("rented_sold", "thousand unit/year", minimum(rented_units, short))
gain_rent = m.kpi("gain_rent", "thousand cur/year", rented_sold * margin - rental)

# Extra shifts at the weekend, of which there may be too many.
extra_shifts = m.parameter("extra_shifts", "shift/year", 30, 50, 2)
allowed_shifts = m.parameter("allowed_shifts", "shift/year", 20, 60, 2)
shift_units = m.parameter("shift_units", "unit/shift", 150, 300, 25)
shift_pay = m.parameter("shift_pay", "cur/unit", 10, 30, 2)
weekend_sold = m.kpi("weekend_sold", "thousand unit/year", minimum(extra_shifts * shift_units, short))
gain_weekend = m.kpi("gain_weekend", "thousand cur/year", weekend_sold * (margin - shift_pay))

# Firm dates for those who pay for them; what is made stays the same.
date_price = m.parameter("date_price", "cur/unit", 10, 24, 2)
date_share = m.parameter("date_share", "%", 15, 40, 5)
gain_dates = m.kpi("gain_dates", "thousand cur/year", made * date_share * date_price)

phantom = m.kpi("phantom", "thousand cur/year", ordered * twice * margin)

# What is much talked about, or has no part in the answer.
late_loss = m.parameter("late_loss", "thousand cur/year", 50, 200, 10)
sick_loss = m.parameter("sick_loss", "thousand cur/year", 40, 160, 10)
rival_gap = m.parameter("rival_gap", "%", 1, 5, 1)
ramp_months = m.parameter("ramp_months", "month", 9, 18, 1)
growth = m.parameter("growth", "%/year", 2, 6, 1)
scrap = m.parameter("scrap", "%", 1, 3, 0.5)
fair_cost = m.parameter("fair_cost", "thousand cur/year", 20, 60, 5)
test_years = m.parameter("test_years", "year", 3, 6, 1)
loan = m.parameter("loan", "thousand cur", 200, 800, 50)

m.require(short, 0.08 * made)
m.require(gain_hall, 0.02 * hall_capex * hurdle)
m.require(gain_rent, 0.1 * rental)
m.require(margin, 1.5 * shift_pay)
m.require(hall_units, 1.2 * short)

BLUEPRINT = Blueprint(
    blueprint_id="capacity_3",
    model=m,
    options=(
        Option("build_hall", value=gain_hall, naive=minimum(hall_units, seems_short) * margin - hall_capex * hurdle),
        Option("rent_line", value=gain_rent, naive=minimum(rented_units, seems_short) * margin - rental),
        Option(
            "weekend_shifts",
            value=gain_weekend,
            naive=extra_shifts * shift_units * (margin - shift_pay),
            needs=(Need(extra_shifts, allowed_shifts),),
        ),
        Option("sell_dates", value=gain_dates, naive=gain_dates),
    ),
    facts=(
        Fact("volume.own", (ordered,), given="middle"),
        Fact("capacity.limit", (made,), given="easy"),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("labour.wage", (shift_units, shift_pay), given="easy"),
        Fact("customers.retention", (twice,), after=("volume.own",)),
        Fact("investment.capex", (hall_capex,)),
        Fact("capacity.expansion", (rented_units, rental), after=("capacity.limit",)),
        Fact("price.willingness", (date_share,)),
        Fact("constraint.limit", (allowed_shifts,)),
        Fact("supply.reliability", (late_loss,)),
        Fact("labour.absence", (sick_loss,)),
        Fact("competitor.price", (rival_gap,)),
        Fact("timing.ramp", (ramp_months,)),
        Fact("market.growth", (growth,)),
        Fact("operations.quality", (scrap,), noise=True),
        Fact("cost.marketing", (fair_cost,), noise=True),
        Fact("regulation.rule", (test_years,), noise=True),
        Fact("cash.debt", (loan,), noise=True),
    ),
    causes=(
        Cause("double_orders", "root", fact="customers.retention", effect=phantom),
        Cause("late_parts", "red_herring", fact="supply.reliability", effect=late_loss),
        Cause("sick_leave", "red_herring", fact="labour.absence", effect=sick_loss),
    ),
    constraint="constraint.limit",
    key_numbers=(short, gain_hall, gain_rent),
    branches=("customers", "capacity", "price", "investment", "constraints"),
)

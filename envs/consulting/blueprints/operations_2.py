"""A line that runs fast and stands often: every order begins with a set-up, and orders have become many.

Root cause: hours lost to set-ups. Red herrings: breakdowns and spoilt goods. The naive path looks at the speed of the
line, as though it ran all the hours that it is manned, and buys a faster machine.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, minimum

m = Model()

hours = m.parameter("hours", "hour/year", 4000, 6000, 250)
speed = m.parameter("speed", "thousand unit/hour", 1.5, 3, 0.5)
orders = m.parameter("orders", "order/year", 600, 1200, 50)
setup_time = m.parameter("setup_time", "hour/order", 1.1, 2, 0.1)
unmet = m.parameter("unmet", "thousand unit/year", 700, 1800, 100)
margin = m.parameter("margin", "cur/unit", 0.3, 0.6, 0.05)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)

setup_hours = m.kpi("setup_hours", "hour/year", orders * setup_time)
run_hours = m.kpi("run_hours", "hour/year", hours - setup_hours)
setup_loss = m.kpi("setup_loss", "thousand cur/year", setup_hours * speed * margin)

# Set up more quickly.
time_cut = m.parameter("time_cut", "%", 20, 40, 5)
tool_capex = m.parameter("tool_capex", "thousand cur", 500, 1500, 100)
freed_quick = m.kpi("freed_quick", "thousand unit/year", minimum(setup_hours * time_cut * speed, unmet))
gain_quick = m.kpi("gain_quick", "thousand cur/year", freed_quick * margin - tool_capex * hurdle)

# Run faster, in the hours in which the line runs.
faster = m.parameter("faster", "%", 10, 20, 2)
machine_capex = m.parameter("machine_capex", "thousand cur", 900, 2400, 100)
added_fast = m.kpi("added_fast", "thousand unit/year", minimum(run_hours * speed * faster, unmet))
gain_fast = m.kpi("gain_fast", "thousand cur/year", added_fast * margin - machine_capex * hurdle)

# Make more at a time, set up less often, and keep the rest in store.
fewer = m.parameter("fewer", "%", 20, 40, 5)
store_cost = m.parameter("store_cost", "thousand cur/year", 40, 200, 20)
pallets_needed = m.parameter("pallets_needed", "pallet", 300, 600, 20)
pallets_free = m.parameter("pallets_free", "pallet", 240, 840, 20)
freed_batch = m.kpi("freed_batch", "thousand unit/year", minimum(setup_hours * fewer * speed, unmet))
gain_batch = m.kpi("gain_batch", "thousand cur/year", freed_batch * margin - store_cost)

# Man the line on Saturdays as well; it is set up there as often as on other days.
saturday_hours = m.parameter("saturday_hours", "hour/year", 400, 800, 50)
saturday_cost = m.parameter("saturday_cost", "cur/hour", 200, 400, 25)
run_share = m.kpi("run_share", "%", run_hours / hours)
added_saturday = m.kpi("added_saturday", "thousand unit/year", minimum(saturday_hours * run_share * speed, unmet))
gain_saturday = m.kpi("gain_saturday", "thousand cur/year", added_saturday * margin - saturday_hours * saturday_cost)

# What is much talked about, or has no part in the answer.
broken_hours = m.parameter("broken_hours", "hour/year", 80, 260, 20)
spoilt_loss = m.parameter("spoilt_loss", "thousand cur/year", 40, 180, 20)
growth = m.parameter("growth", "%/year", 2, 6, 1)
rival_days = m.parameter("rival_days", "day", 5, 12, 1)
articles = m.parameter("articles", "article", 90, 180, 10)
train_weeks = m.parameter("train_weeks", "week", 4, 12, 1)
absence = m.parameter("absence", "%", 3, 7, 0.5)
energy_bill = m.parameter("energy_bill", "thousand cur/year", 80, 200, 20)
audit_years = m.parameter("audit_years", "year", 2, 4, 1)
paid_days = m.parameter("paid_days", "day", 20, 50, 5)

m.require(0.45 * hours, setup_hours)
m.require(setup_hours, 0.15 * hours)
m.require(gain_quick, 0.1 * store_cost)
m.require(gain_fast, 0.1 * store_cost)
m.require(gain_batch, 0.1 * store_cost)
m.require(gain_saturday, 0.1 * store_cost)

BLUEPRINT = Blueprint(
    blueprint_id="operations_2",
    model=m,
    options=(
        Option("quick_setup", value=gain_quick, naive=-1 * tool_capex * hurdle),
        Option("fast_machine", value=gain_fast, naive=hours * speed * faster * margin),
        Option("large_batches", value=gain_batch, naive=-1 * store_cost, needs=(Need(pallets_needed, pallets_free),)),
        Option(
            "saturdays", value=gain_saturday, naive=saturday_hours * speed * margin - saturday_hours * saturday_cost
        ),
    ),
    facts=(
        Fact("capacity.limit", (hours, speed), given="easy"),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("volume.own", (orders,), given="easy"),
        Fact("volume.forecast", (unmet,), given="middle"),
        Fact("operations.process_time", (setup_time,), after=("volume.own",)),
        Fact("people.skills", (time_cut,), after=("operations.process_time",)),
        Fact("investment.capex", (tool_capex, machine_capex)),
        Fact("supply.inventory", (pallets_needed, store_cost)),
        Fact("constraint.limit", (pallets_free,), after=("supply.inventory",)),
        Fact("operations.downtime", (broken_hours,)),
        Fact("operations.quality", (spoilt_loss,)),
        Fact("market.growth", (growth,)),
        Fact("competitor.offer", (rival_days,)),
        Fact("mix.product", (articles,)),
        Fact("timing.ramp", (train_weeks,)),
        Fact("labour.absence", (absence,), noise=True),
        Fact("cost.energy", (energy_bill,), noise=True),
        Fact("regulation.rule", (audit_years,), noise=True),
        Fact("cash.working_capital", (paid_days,), noise=True),
    ),
    causes=(
        Cause("setups", "root", fact="operations.process_time", effect=setup_loss),
        Cause("breakdowns", "red_herring", fact="operations.downtime", effect=broken_hours * speed * margin),
        Cause("spoilt", "red_herring", fact="operations.quality", effect=spoilt_loss),
    ),
    constraint="constraint.limit",
    key_numbers=(setup_hours, gain_quick, gain_fast, gain_batch),
    branches=("operations", "people_and_organisation", "investment", "supply", "constraints"),
)

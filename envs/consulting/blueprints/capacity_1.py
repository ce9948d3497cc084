"""More orders than the works can fill: the queue stands in front of the first step, but the second one sets the pace.

Root cause: the second step passes fewer pieces an hour than the steps around it. Red herrings: stops of the first step
and absence, both of which are seen every day and cost little. The naive path adds a machine where the queue stands.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, minimum

m = Model()

# The three steps, and what is refused.
hours = m.parameter("hours", "hour/year", 4000, 6000, 500)
first_rate = m.parameter("first_rate", "unit/hour", 110, 150, 10)
second_rate = m.parameter("second_rate", "unit/hour", 60, 90, 5)
third_rate = m.parameter("third_rate", "unit/hour", 100, 140, 10)
refused = m.parameter("refused", "thousand unit/year", 60, 160, 10)
contribution = m.parameter("contribution", "cur/unit", 3, 7, 0.5)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)

other_rate = m.kpi("other_rate", "unit/hour", minimum(first_rate, third_rate))
pace = m.kpi("pace", "unit/hour", minimum(second_rate, other_rate))
output_now = m.kpi("output_now", "thousand unit/year", pace * hours)
room = m.kpi("room", "thousand unit/year", (other_rate - pace) * hours)
saleable = m.kpi("saleable", "thousand unit/year", minimum(room, refused))

# One more machine for the first step: the second one passes no more for it.
first_adds = m.parameter("first_adds", "unit/hour", 50, 80, 5)
first_capex = m.parameter("first_capex", "thousand cur", 400, 900, 50)
value_first = m.kpi("value_first", "thousand cur/year", -1 * first_capex * hurdle)

# Widen the second step.
second_adds = m.parameter("second_adds", "unit/hour", 20, 45, 5)
second_capex = m.parameter("second_capex", "thousand cur", 900, 2400, 100)
budget = m.parameter("budget", "thousand cur", 1000, 2400, 100)
extra_second = m.kpi("extra_second", "thousand unit/year", minimum(second_adds * hours, saleable))
value_second = m.kpi("value_second", "thousand cur/year", extra_second * contribution - second_capex * hurdle)

# Run the second step longer.
night_hours = m.parameter("night_hours", "hour/year", 800, 1600, 100)
night_cost = m.parameter("night_cost", "cur/hour", 100, 220, 10)
extra_night = m.kpi("extra_night", "thousand unit/year", minimum(pace * night_hours, saleable))
value_night = m.kpi("value_night", "thousand cur/year", extra_night * contribution - night_hours * night_cost)

# Have the second step done elsewhere.
partner_units = m.parameter("partner_units", "thousand unit/year", 40, 120, 10)
partner_fee = m.parameter("partner_fee", "cur/unit", 1, 4, 0.5)
extra_out = m.kpi("extra_out", "thousand unit/year", minimum(partner_units, saleable))
value_out = m.kpi("value_out", "thousand cur/year", extra_out * (contribution - partner_fee))

lost_profit = m.kpi("lost_profit", "thousand cur/year", saleable * contribution)

# What is seen every day and matters little, or not at all.
stop_cost = m.parameter("stop_cost", "thousand cur/year", 30, 90, 10)
relief_cost = m.parameter("relief_cost", "thousand cur/year", 20, 80, 10)
spoilt = m.parameter("spoilt", "%", 1, 3, 0.5)
growth = m.parameter("growth", "%/year", 3, 8, 1)
wait_weeks = m.parameter("wait_weeks", "week", 5, 12, 1)
top_share = m.parameter("top_share", "%", 20, 40, 5)
rent = m.parameter("rent", "thousand cur/year", 80, 240, 20)
system_age = m.parameter("system_age", "year", 3, 9, 1)
fair_budget = m.parameter("fair_budget", "thousand cur/year", 20, 60, 5)

m.require(other_rate, 1.2 * second_rate)
m.require(contribution, 1.3 * partner_fee)
m.require(value_second, 0.1 * first_capex * hurdle)
m.require(value_night, 0.1 * first_capex * hurdle)

BLUEPRINT = Blueprint(
    blueprint_id="capacity_1",
    model=m,
    options=(
        Option("widen_first", value=value_first, naive=first_adds * hours * contribution - first_capex * hurdle),
        Option(
            "widen_second",
            value=value_second,
            naive=second_adds * hours * contribution - second_capex * hurdle,
            needs=(Need(second_capex, budget),),
        ),
        Option("run_longer", value=value_night, naive=pace * night_hours * contribution - night_hours * night_cost),
        Option("send_out", value=value_out, naive=partner_units * (contribution - partner_fee)),
    ),
    facts=(
        Fact("capacity.utilization", (hours,), given="easy"),
        Fact("mix.margin", (contribution,), given="easy"),
        Fact("labour.wage", (night_cost,), given="easy"),
        Fact("volume.forecast", (refused,), given="middle"),
        Fact("capacity.limit", (first_rate, third_rate)),
        Fact("operations.bottleneck", (second_rate,), after=("capacity.limit",)),
        Fact("investment.capex", (first_capex, second_capex)),
        Fact("supply.terms", (partner_units, partner_fee), after=("operations.bottleneck",)),
        Fact("constraint.limit", (budget,)),
        Fact("operations.downtime", (stop_cost,)),
        Fact("labour.absence", (relief_cost,)),
        Fact("operations.quality", (spoilt,)),
        Fact("market.growth", (growth,)),
        Fact("customers.satisfaction", (wait_weeks,)),
        Fact("customers.concentration", (top_share,), noise=True),
        Fact("cost.rent", (rent,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("cost.marketing", (fair_budget,), noise=True),
    ),
    causes=(
        Cause("second_step", "root", fact="operations.bottleneck", effect=lost_profit),
        Cause("stops", "red_herring", fact="operations.downtime", effect=stop_cost),
        Cause("absence", "red_herring", fact="labour.absence", effect=relief_cost),
    ),
    constraint="constraint.limit",
    key_numbers=(output_now, value_second, value_night, value_out),
    branches=("capacity", "operations", "investment", "supply", "constraints"),
)

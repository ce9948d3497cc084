"""A machine for a short season: the saving on a piece is real, but there are pieces for some weeks of the year only.

Root cause: the machine would stand idle for most of the year. Red herring: jams, which cost a fraction of the saving.
The naive path takes the saving of a week for the saving of every week, as the vendor does.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()
FULL_YEAR = Number(48, "week/year")

weekly = m.parameter("weekly", "thousand unit/week", 5, 12, 0.5)
weeks = m.parameter("weeks", "week/year", 8, 18, 1)
hand_cost = m.parameter("hand_cost", "cur/unit", 3, 6, 0.5)
machine_cost = m.parameter("machine_cost", "cur/unit", 1, 2, 0.5)
charge_rate = m.parameter("charge_rate", "%/year", 15, 25, 5)

volume = m.kpi("volume", "thousand unit/year", weekly * weeks)
saving = m.kpi("saving", "cur/unit", hand_cost - machine_cost)

# A machine for the peak, a smaller one that runs all through the season, one on hire, and better work by hand.
large_capex = m.parameter("large_capex", "thousand cur", 600, 1600, 50)
small_capex = m.parameter("small_capex", "thousand cur", 150, 400, 25)
small_rate = m.parameter("small_rate", "thousand unit/week", 3, 7, 0.5)
hire_week = m.parameter("hire_week", "thousand cur/week", 8, 24, 1)
hire_setup = m.parameter("hire_setup", "thousand cur/year", 10, 50, 5)
hand_gain = m.parameter("hand_gain", "thousand cur/year", 30, 180, 10)
budget = m.parameter("budget", "thousand cur", 400, 1200, 50)

value_large = m.kpi("value_large", "thousand cur/year", volume * saving - large_capex * charge_rate)
value_small = m.kpi("value_small", "thousand cur/year", small_rate * weeks * saving - small_capex * charge_rate)
value_hire = m.kpi("value_hire", "thousand cur/year", volume * saving - hire_week * weeks - hire_setup)

idle_loss = m.kpi("idle_loss", "thousand cur/year", weekly * (FULL_YEAR - weeks) * saving)
stop_share = m.parameter("stop_share", "%", 2, 8, 1)
stop_loss = m.kpi("stop_loss", "thousand cur/year", volume * stop_share * saving)

# What has no part in the answer.
helpers = m.parameter("helpers", "person", 20, 60, 5)
growth = m.parameter("growth", "%", 1, 4, 0.5)
content_share = m.parameter("content_share", "%", 80, 94, 2)
trained = m.parameter("trained", "person", 2, 6, 1)
rent = m.parameter("rent", "thousand cur/year", 40, 120, 10)
power = m.parameter("power", "thousand cur/year", 20, 60, 5)
inspection = m.parameter("inspection", "year", 2, 4, 1)

m.require(weekly, 1.25 * small_rate)
m.require(budget, 1.2 * small_capex)
m.require(large_capex, 2 * small_capex)
m.require(value_large, 0.1 * large_capex * charge_rate)
m.require(value_small, 0.2 * small_capex * charge_rate)
m.require(value_hire, 0.5 * hire_setup)
m.require(large_capex, 1.1 * budget)

BLUEPRINT = Blueprint(
    blueprint_id="automation_2",
    model=m,
    options=(
        Option(
            "large",
            value=value_large,
            needs=(Need(large_capex, budget),),
            naive=weekly * FULL_YEAR * saving - large_capex * charge_rate,
        ),
        Option("small", value=value_small, naive=small_rate * FULL_YEAR * saving - small_capex * charge_rate),
        Option("hire", value=value_hire, naive=(weekly * saving - hire_week) * FULL_YEAR - hire_setup),
        Option("by_hand", value=hand_gain, naive=hand_gain),
    ),
    facts=(
        Fact("volume.own", (weekly,), given="middle"),
        Fact("cost.unit", (hand_cost, machine_cost), given="easy"),
        Fact("volume.seasonality", (weeks,)),
        Fact("capacity.limit", (small_rate,)),
        Fact("investment.capex", (large_capex, small_capex)),
        Fact("supply.terms", (hire_week, hire_setup)),
        Fact("constraint.limit", (budget,)),
        Fact("operations.downtime", (stop_share,)),
        Fact("labour.headcount", (helpers,)),
        Fact("volume.trend", (growth,)),
        Fact("customers.satisfaction", (content_share,)),
        Fact("people.skills", (trained,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("cost.energy", (power,), noise=True),
        Fact("regulation.rule", (inspection,), noise=True),
    ),
    causes=(
        Cause("season", "root", fact="volume.seasonality", effect=idle_loss),
        Cause("jams", "red_herring", fact="operations.downtime", effect=stop_loss),
    ),
    constraint="constraint.limit",
    key_numbers=(volume, value_large, value_small, value_hire),
    branches=("volume", "capacity", "investment", "supply", "constraints"),
)

"""Faults come to light at the last step, but most of them were made at the first and carried through the dear one.

Root cause: faults of the first step that nobody sees until the end. Red herrings: the last step itself and new hands.
The naive path puts down to the last step all that is found there.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

started = m.parameter("started", "thousand unit/year", 100, 200, 20)
first_faults = m.parameter("first_faults", "%", 7, 14, 1)
last_faults = m.parameter("last_faults", "%", 2, 4, 0.5)
first_cost = m.parameter("first_cost", "cur/unit", 10, 18, 1)
last_cost = m.parameter("last_cost", "cur/unit", 22, 40, 1)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)

full_cost = m.kpi("full_cost", "cur/unit", first_cost + last_cost)
first_scrap = m.kpi("first_scrap", "thousand unit/year", started * first_faults)
last_scrap = m.kpi("last_scrap", "thousand unit/year", started * last_faults)
scrap_cost = m.kpi("scrap_cost", "thousand cur/year", (first_scrap + last_scrap) * full_cost)

# Look at each piece behind the first step, so that no bad one goes on.
caught = m.parameter("caught", "%", 60, 90, 10)
test_cost = m.parameter("test_cost", "cur/unit", 0.4, 1.2, 0.1)
gain_test = m.kpi("gain_test", "thousand cur/year", first_scrap * caught * last_cost - started * test_cost)

# Renew the first step, which then stands still for a while.
first_cut = m.parameter("first_cut", "%", 40, 70, 10)
first_capex = m.parameter("first_capex", "thousand cur", 800, 2400, 100)
idle_weeks = m.parameter("idle_weeks", "week", 4, 9, 1)
idle_allowed = m.parameter("idle_allowed", "week", 2, 11, 1)
gain_first = m.kpi("gain_first", "thousand cur/year", first_scrap * first_cut * full_cost - first_capex * hurdle)

# Renew the last step.
last_cut = m.parameter("last_cut", "%", 40, 70, 10)
last_capex = m.parameter("last_capex", "thousand cur", 200, 700, 50)
gain_last = m.kpi("gain_last", "thousand cur/year", last_scrap * last_cut * full_cost - last_capex * hurdle)

# Mend what is found at the end.
mended = m.parameter("mended", "%", 25, 50, 5)
mend_cost = m.parameter("mend_cost", "cur/unit", 8, 24, 1)
gain_mend = m.kpi("gain_mend", "thousand cur/year", (first_scrap + last_scrap) * mended * (full_cost - mend_cost))

first_loss = m.kpi("first_loss", "thousand cur/year", first_scrap * full_cost)
last_loss = m.kpi("last_loss", "thousand cur/year", last_scrap * full_cost)

# What is much talked about, or has no part in the answer.
novice_loss = m.parameter("novice_loss", "thousand cur/year", 20, 100, 10)
returned = m.parameter("returned", "%", 0.2, 0.8, 0.1)
input_faults = m.parameter("input_faults", "%", 0.2, 0.6, 0.1)
growth = m.parameter("growth", "%/year", 2, 6, 1)
rival_scrap = m.parameter("rival_scrap", "%", 4, 7, 1)
first_age = m.parameter("first_age", "year", 12, 22, 1)
rent = m.parameter("rent", "thousand cur/year", 80, 240, 20)
winter_share = m.parameter("winter_share", "%", 26, 36, 2)
fair_cost = m.parameter("fair_cost", "thousand cur/year", 20, 60, 5)
system_age = m.parameter("system_age", "year", 2, 8, 1)

m.require(first_faults, 2.2 * last_faults)
m.require(gain_test, 0.1 * started * test_cost)
m.require(gain_first, 0.1 * last_capex * hurdle)
m.require(gain_last, 0.1 * last_capex * hurdle)
m.require(full_cost, 1.5 * mend_cost)

BLUEPRINT = Blueprint(
    blueprint_id="operations_3",
    model=m,
    options=(
        Option("test_early", value=gain_test, naive=-1 * started * test_cost),
        Option(
            "renew_first",
            value=gain_first,
            naive=-1 * first_capex * hurdle,
            needs=(Need(idle_weeks, idle_allowed),),
        ),
        Option(
            "renew_last",
            value=gain_last,
            naive=(first_scrap + last_scrap) * last_cut * full_cost - last_capex * hurdle,
        ),
        Option("mend", value=gain_mend, naive=gain_mend),
    ),
    facts=(
        Fact("volume.own", (started,), given="middle"),
        Fact("cost.unit", (first_cost, last_cost), given="easy"),
        Fact("investment.capex", (first_capex, last_capex), given="easy"),
        Fact("supply.terms", (first_cut, last_cut), given="easy"),
        Fact("operations.quality", (last_faults,), segment="last"),
        Fact("operations.quality", (first_faults,), segment="first", after=("operations.quality:last",)),
        Fact("technology.automation", (caught, test_cost)),
        Fact("labour.productivity", (mended, mend_cost)),
        Fact("constraint.limit", (idle_allowed,)),
        Fact("people.skills", (novice_loss,)),
        Fact("customers.satisfaction", (returned,)),
        Fact("supply.reliability", (input_faults,)),
        Fact("market.growth", (growth,)),
        Fact("competitor.cost", (rival_scrap,)),
        Fact("investment.life", (first_age,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("volume.seasonality", (winter_share,), noise=True),
        Fact("cost.marketing", (fair_cost,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("first_step", "root", fact="operations.quality:first", effect=first_loss),
        Cause("last_step", "red_herring", fact="operations.quality:last", effect=last_loss),
        Cause("novices", "red_herring", fact="people.skills", effect=novice_loss),
    ),
    constraint="constraint.limit",
    key_numbers=(scrap_cost, gain_test, gain_first, gain_mend),
    branches=("operations", "technology", "labour", "constraints"),
)

"""A second house in the next region looks full on paper, but many of its visitors travel to the first one today.

Root cause: customers who would only move from one house to the other. Red herrings: a local rival's rebate and a levy
of the town. The naive path counts all visits of the new house as new.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, maximum

m = Model()

spend = m.parameter("spend", "cur/unit", 20, 40, 2)
margin = m.parameter("margin", "%", 40, 60, 5)
hurdle = m.parameter("hurdle", "%/year", 8, 14, 2)
earned = m.kpi("earned", "cur/unit", spend * margin)

# A large house, a small one.
visits_large = m.parameter("visits_large", "thousand unit/year", 80, 160, 10)
visits_small = m.parameter("visits_small", "thousand unit/year", 40, 80, 5)
moved_large = m.parameter("moved_large", "%", 45, 65, 5)
moved_small = m.parameter("moved_small", "%", 10, 30, 5)
cost_large = m.parameter("cost_large", "thousand cur/year", 260, 500, 20)
cost_small = m.parameter("cost_small", "thousand cur/year", 100, 240, 20)
capex_large = m.parameter("capex_large", "thousand cur", 1000, 2500, 100)
capex_small = m.parameter("capex_small", "thousand cur", 400, 1000, 100)
new_large = m.kpi("new_large", "thousand unit/year", visits_large * (1 - moved_large))
new_small = m.kpi("new_small", "thousand unit/year", visits_small * (1 - moved_small))
value_large = m.kpi("value_large", "thousand cur/year", new_large * earned - cost_large - capex_large * hurdle)
value_small = m.kpi("value_small", "thousand cur/year", new_small * earned - cost_small - capex_small * hurdle)

# On wheels, to where the customers are; or a step at home.
visits_mobile = m.parameter("visits_mobile", "thousand unit/year", 25, 55, 5)
travel_cost = m.parameter("travel_cost", "cur/unit", 2, 6, 1)
mobile_cost = m.parameter("mobile_cost", "thousand cur/year", 60, 160, 10)
value_mobile = m.kpi("value_mobile", "thousand cur/year", visits_mobile * (earned - travel_cost) - mobile_cost)
home_gain = m.parameter("home_gain", "thousand cur/year", 100, 480, 20)

# Those who can run a house without being taught.
staff_large = m.parameter("staff_large", "person", 12, 24, 2)
staff_small = m.parameter("staff_small", "person", 5, 11, 1)
staff_free = m.parameter("staff_free", "person", 6, 26, 1)

moved_profit = m.kpi("moved_profit", "thousand cur/year", visits_large * moved_large * earned)
rival_rebate = m.parameter("rival_rebate", "%", 2, 5, 1)
levy_rate = m.parameter("levy_rate", "%", 0.5, 2, 0.5)

# What has no part in the answer.
people_near = m.parameter("people_near", "thousand person", 120, 320, 20)
growth = m.parameter("growth", "%/year", 1, 4, 0.5)
content = m.parameter("content", "%", 80, 94, 2)
fullness = m.parameter("fullness", "%", 62, 84, 2)
ramp = m.parameter("ramp", "month", 4, 12, 1)
repair_budget = m.parameter("repair_budget", "thousand cur/year", 40, 110, 10)
system_age = m.parameter("system_age", "year", 2, 8, 1)
weekend_share = m.parameter("weekend_share", "%", 35, 55, 5)
absence = m.parameter("absence", "%", 3, 6, 0.5)

m.require(value_large, 0.1 * cost_large)
m.require(value_small, 0.1 * cost_small)
m.require(value_mobile, 0.1 * mobile_cost)
m.require(1.2 * maximum(value_small, maximum(value_mobile, home_gain)), value_large)
m.require(cost_large, 1.5 * cost_small)
m.require(capex_large, 1.5 * capex_small)
m.require(visits_large, 1.3 * visits_small)

BLUEPRINT = Blueprint(
    blueprint_id="market_entry_4",
    model=m,
    options=(
        Option(
            "large",
            value=value_large,
            naive=visits_large * earned - cost_large,
            needs=(Need(staff_large, staff_free),),
        ),
        Option(
            "small",
            value=value_small,
            naive=visits_small * earned - cost_small,
            needs=(Need(staff_small, staff_free),),
        ),
        Option("mobile", value=value_mobile, naive=visits_mobile * earned - mobile_cost),
        Option("stay", value=home_gain, naive=home_gain),
    ),
    facts=(
        Fact("volume.forecast", (visits_large, visits_small), segment="houses", given="middle"),
        Fact("price.own", (spend,), given="easy"),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("cost.fixed", (cost_large, cost_small), given="easy"),
        Fact("mix.segment", (moved_large, moved_small)),
        Fact("investment.capex", (capex_large, capex_small)),
        Fact("volume.forecast", (visits_mobile,), segment="mobile"),
        Fact("cost.distribution", (travel_cost,), after=("volume.forecast:mobile",)),
        Fact("constraint.limit", (staff_free,)),
        Fact("competitor.price", (rival_rebate,)),
        Fact("regulation.levy", (levy_rate,)),
        Fact("market.size", (people_near,)),
        Fact("market.growth", (growth,), after=("market.size",)),
        Fact("customers.satisfaction", (content,)),
        Fact("capacity.utilization", (fullness,)),
        Fact("timing.ramp", (ramp,)),
        Fact("cost.maintenance", (repair_budget,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (weekend_share,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
    ),
    causes=(
        Cause("moved", "root", fact="mix.segment", effect=moved_profit),
        Cause("rival", "red_herring", fact="competitor.price", effect=visits_large * spend * rival_rebate),
        Cause("levy", "red_herring", fact="regulation.levy", effect=visits_large * spend * levy_rate),
    ),
    constraint="constraint.limit",
    key_numbers=(new_large, value_large, value_small, value_mobile),
    branches=("mix", "volume", "investment", "variable_cost", "constraints"),
)

"""The last novelty sold to a few: what it could do, most buyers have no use for. Now the next one is to be chosen.

Root cause: only a small part of the buyers needs the feature. Red herrings: a rival's model and the discounts of
dealers. The naive path multiplies the extra price by all buyers. The developers' weeks are limited.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

buyers = m.parameter("buyers", "unit/year", 600, 1500, 100)
life = m.parameter("life", "year", 4, 5, 1)
weeks_free = m.parameter("weeks_free", "week", 80, 240, 10)

# A model with everything.
full_share = m.parameter("full_share", "%", 8, 20, 2)
full_premium = m.parameter("full_premium", "cur/unit", 3200, 6000, 200)
full_cost = m.parameter("full_cost", "cur/unit", 1200, 2600, 200)
full_develop = m.parameter("full_develop", "thousand cur", 300, 700, 50)
weeks_full = m.parameter("weeks_full", "week", 120, 240, 10)
value_full = m.kpi(
    "value_full", "thousand cur/year", buyers * full_share * (full_premium - full_cost) - full_develop / life
)

# A lean model.
lean_share = m.parameter("lean_share", "%", 30, 50, 5)
lean_premium = m.parameter("lean_premium", "cur/unit", 900, 1800, 100)
lean_cost = m.parameter("lean_cost", "cur/unit", 300, 900, 100)
lean_develop = m.parameter("lean_develop", "thousand cur", 150, 450, 25)
weeks_lean = m.parameter("weeks_lean", "week", 50, 120, 10)
value_lean = m.kpi(
    "value_lean", "thousand cur/year", buyers * lean_share * (lean_premium - lean_cost) - lean_develop / life
)

# A module for what was sold before.
in_use = m.parameter("in_use", "unit", 3000, 7000, 500)
fitted_share = m.parameter("fitted_share", "%/year", 4, 10, 1)
module_price = m.parameter("module_price", "cur/unit", 800, 1600, 100)
module_cost = m.parameter("module_cost", "cur/unit", 300, 800, 100)
module_develop = m.parameter("module_develop", "thousand cur", 100, 300, 25)
value_module = m.kpi(
    "value_module", "thousand cur/year", in_use * fitted_share * (module_price - module_cost) - module_develop / life
)

# The developers lent to others.
lend_income = m.parameter("lend_income", "thousand cur/year", 60, 200, 20)

# Why the last model disappointed.
unused = m.kpi("unused", "thousand cur/year", buyers * (lean_share - full_share) * (full_premium - full_cost))
rival_units = m.parameter("rival_units", "unit/year", 10, 40, 5)
dealer_discount = m.parameter("dealer_discount", "thousand cur/year", 30, 110, 10)

# What has no part in the answer.
rated_first = m.parameter("rated_first", "%", 50, 70, 5)
market_growth = m.parameter("market_growth", "%/year", 2, 6, 1)
late_share = m.parameter("late_share", "%", 3, 9, 1)
workshop_rent = m.parameter("workshop_rent", "thousand cur/year", 60, 150, 10)
absence = m.parameter("absence", "%", 2, 5, 0.5)
fair_share = m.parameter("fair_share", "%", 20, 40, 5)
approval_gap = m.parameter("approval_gap", "year", 2, 5, 1)

m.require(value_full, 0.05 * full_develop / life)
m.require(value_lean, 0.1 * lean_develop / life)
m.require(value_module, 0.1 * module_develop / life)
m.require(0.7 * lean_premium, lean_premium - lean_cost)
m.require(lean_premium - lean_cost, 0.3 * lean_premium)
m.require(module_price - module_cost, 0.3 * module_price)
m.require(full_develop, 1.3 * lean_develop)
m.require(lean_develop, 1.1 * module_develop)
m.require(weeks_full, 1.3 * weeks_lean)

BLUEPRINT = Blueprint(
    blueprint_id="new_product_2",
    model=m,
    options=(
        Option("full_model", value=value_full, needs=(Need(weeks_full, weeks_free),), naive=buyers * full_premium),
        Option("lean_model", value=value_lean, needs=(Need(weeks_lean, weeks_free),), naive=buyers * lean_premium),
        Option("module", value=value_module, naive=in_use * fitted_share * module_price),
        Option("lend_out", value=lend_income, naive=lend_income),
    ),
    facts=(
        Fact("volume.own", (buyers,), segment="yearly", given="middle"),
        Fact("volume.own", (in_use,), segment="in_use", given="easy"),
        Fact("mix.segment", (full_share, lean_share), after=("volume.own:yearly",)),
        Fact("price.willingness", (full_premium, lean_premium), given="easy"),
        Fact("cost.material", (full_cost, lean_cost, module_cost)),
        Fact("investment.capex", (full_develop, lean_develop, module_develop)),
        Fact("investment.life", (life,), given="easy"),
        Fact("technology.adoption", (fitted_share,), after=("volume.own:in_use",)),
        Fact("constraint.limit", (weeks_free,)),
        Fact("competitor.offer", (rival_units,)),
        Fact("price.discount", (dealer_discount,)),
        Fact("customers.need", (rated_first,)),
        Fact("market.growth", (market_growth,)),
        Fact("supply.reliability", (late_share,)),
        Fact("cost.rent", (workshop_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("volume.seasonality", (fair_share,), noise=True),
        Fact("regulation.rule", (approval_gap,), noise=True),
    ),
    causes=(
        Cause("few_need_it", "root", fact="mix.segment", effect=unused),
        Cause("rival", "red_herring", fact="competitor.offer", effect=rival_units * (full_premium - full_cost)),
        Cause("dealers", "red_herring", fact="price.discount", effect=dealer_discount),
    ),
    constraint="constraint.limit",
    key_numbers=(value_full, value_lean, value_module),
    branches=("mix", "variable_cost", "investment", "technology", "constraints"),
)

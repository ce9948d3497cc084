"""What a new product is worth to its buyers: an average hides one group that saves much and one that saves little.

Root cause: the savings of both groups lie far apart. Red herrings: the rival's list price and dearer components.
The naive path prices by the average saving and so loses the small buyers without charging the large ones.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

# What the product saves in each group, and what a buyer is therefore ready to pay.
large_saving = m.parameter("large_saving", "cur/unit/year", 60, 120, 5)
small_saving = m.parameter("small_saving", "cur/unit/year", 25, 60, 5)
life = m.parameter("life", "year", 4, 7, 1)
keep_share = m.parameter("keep_share", "%", 40, 60, 10)
large_worth = m.kpi("large_worth", "cur/unit", large_saving * life * (1 - keep_share))
small_worth = m.kpi("small_worth", "cur/unit", small_saving * life * (1 - keep_share))

# Buyers whom the sales force can reach.
large_units = m.parameter("large_units", "unit/year", 10000, 30000, 2000)
small_units = m.parameter("small_units", "unit/year", 30000, 80000, 2000)
reach = m.parameter("reach", "%", 20, 50, 10)
unit_cost = m.parameter("unit_cost", "cur/unit", 24, 48, 2)
reached_large = m.kpi("reached_large", "unit/year", large_units * reach)
reached_all = m.kpi("reached_all", "unit/year", (large_units + small_units) * reach)

# Three list prices, and two versions at two prices.
low_price = m.parameter("low_price", "cur/unit", 60, 110, 5)
middle_price = m.parameter("middle_price", "cur/unit", 85, 150, 5)
high_price = m.parameter("high_price", "cur/unit", 120, 220, 5)
rework = m.parameter("rework", "thousand cur", 400, 2400, 100)
budget = m.parameter("budget", "thousand cur", 400, 2000, 100)
charge_rate = m.parameter("charge_rate", "%/year", 20, 30, 5)
light_support = m.parameter("light_support", "thousand cur/year", 50, 200, 25)

value_low = m.kpi("value_low", "thousand cur/year", reached_all * (low_price - unit_cost))
value_middle = m.kpi("value_middle", "thousand cur/year", reached_large * (middle_price - unit_cost))
value_high = m.kpi("value_high", "thousand cur/year", reached_large * (high_price - unit_cost))
reached_small = m.kpi("reached_small", "unit/year", reached_all - reached_large)
value_two = m.kpi(
    "value_two",
    "thousand cur/year",
    value_high + reached_small * (low_price - unit_cost) - rework * charge_rate - light_support,
)

# What looks like the key to the price, and what has no part in the answer.
rival_gap = m.parameter("rival_gap", "cur/unit", 5, 40, 5)
component_rise = m.parameter("component_rise", "cur/unit", 1, 8, 1)
all_buyers = m.parameter("all_buyers", "thousand unit", 400, 900, 50)
market_growth = m.parameter("market_growth", "%/year", 3, 9, 1)
trial_content = m.parameter("trial_content", "%", 80, 95, 5)
faults = m.parameter("faults", "%", 1, 3, 0.5)
lead_weeks = m.parameter("lead_weeks", "week", 4, 12, 1)
fair_cost = m.parameter("fair_cost", "thousand cur/year", 40, 120, 10)
engineers = m.parameter("engineers", "person", 8, 20, 1)
rent = m.parameter("rent", "thousand cur/year", 80, 200, 10)
patent_left = m.parameter("patent_left", "year", 8, 15, 1)

mean_units = large_units + small_units
mean_worth = (large_units * large_worth + small_units * small_worth) / mean_units
m.require(small_worth, low_price)
m.require(low_price, 0.75 * small_worth)
m.require(middle_price, 1.1 * small_worth)
m.require(mean_worth, middle_price)
m.require(high_price, 1.05 * mean_worth)
m.require(large_worth, high_price)
m.require(high_price, 0.75 * large_worth)
m.require(low_price, 1.4 * unit_cost)
m.require(high_price, 1.2 * middle_price)

BLUEPRINT = Blueprint(
    blueprint_id="pricing_1",
    model=m,
    options=(
        Option("low_list", value=value_low, naive=reached_all * (low_price - unit_cost)),
        Option("middle_list", value=value_middle, naive=reached_all * (middle_price - unit_cost)),
        Option("high_list", value=value_high),
        Option("two_versions", value=value_two, needs=(Need(rework, budget),)),
    ),
    facts=(
        Fact("mix.segment", (large_units, small_units), given="middle"),
        Fact("market.share", (reach,), given="easy"),
        Fact("cost.unit", (unit_cost,), given="easy"),
        Fact("investment.life", (life,)),
        Fact("customers.need", (large_saving,), segment="large", after=("mix.segment",)),
        Fact("customers.need", (small_saving,), segment="small", after=("mix.segment",)),
        Fact("price.willingness", (keep_share,)),
        Fact("constraint.limit", (budget,)),
        Fact("competitor.price", (rival_gap,)),
        Fact("cost.trend", (component_rise,)),
        Fact("market.size", (all_buyers,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (trial_content,)),
        Fact("operations.quality", (faults,)),
        Fact("supply.reliability", (lead_weeks,)),
        Fact("cost.marketing", (fair_cost,), noise=True),
        Fact("labour.headcount", (engineers,), noise=True),
        Fact("cost.rent", (rent,), noise=True),
        Fact("regulation.rule", (patent_left,), noise=True),
    ),
    causes=(
        Cause("two_groups", "root", fact="customers.need:small", effect=large_worth - small_worth),
        Cause("rival_list", "red_herring", fact="competitor.price", effect=rival_gap),
        Cause("components", "red_herring", fact="cost.trend", effect=component_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(large_worth, small_worth, value_low, value_high),
    branches=("customers", "price", "competitors", "investment", "constraints"),
)

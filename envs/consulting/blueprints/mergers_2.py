"""Two firms were joined, and the savings that were promised have not come.

Root cause: one half still buys the main input under its old and dearer contract. Red herrings: offices that cost more
than planned and the levelling of pay. The naive path looks at turnover, and sets up a joint sales force.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

spread = m.parameter("spread", "year", 2, 5, 1)

# The input that both halves buy.
price_old = m.parameter("price_old", "cur/unit", 60, 90, 2)
price_new = m.parameter("price_new", "cur/unit", 44, 66, 2)
bought = m.parameter("bought", "thousand unit/year", 30, 70, 5)
movable = m.parameter("movable", "%", 30, 60, 5)
penalty = m.parameter("penalty", "thousand cur", 200, 900, 50)
price_gap = m.kpi("price_gap", "cur/unit", price_old - price_new)
overpaid = m.kpi("overpaid", "thousand cur/year", bought * price_gap)
value_buying = m.kpi("value_buying", "thousand cur/year", overpaid * movable - penalty / spread)

# One head office for two.
office_saving = m.parameter("office_saving", "thousand cur/year", 400, 900, 50)
move_cost = m.parameter("move_cost", "thousand cur", 400, 1600, 100)
value_office = m.kpi("value_office", "thousand cur/year", office_saving - move_cost / spread)

# One sales force for two.
extra_sales = m.parameter("extra_sales", "thousand cur/year", 1500, 3500, 100)
margin = m.parameter("margin", "%", 18, 34, 2)
team_cost = m.parameter("team_cost", "thousand cur/year", 150, 400, 50)
value_sales = m.kpi("value_sales", "thousand cur/year", extra_sales * margin - team_cost)

# Closing a site, which a promise rules out.
closing_gain = m.parameter("closing_gain", "thousand cur/year", 250, 600, 50)

offices_over = m.parameter("offices_over", "thousand cur/year", 40, 200, 20)
pay_levelled = m.parameter("pay_levelled", "thousand cur/year", 40, 200, 20)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 1, 4, 0.5)
rival_gap = m.parameter("rival_gap", "%", 1, 5, 1)
kept = m.parameter("kept", "%", 90, 97, 1)
fullness = m.parameter("fullness", "%", 66, 86, 2)
bonus_share = m.parameter("bonus_share", "%", 5, 15, 5)
energy_bill = m.parameter("energy_bill", "thousand cur/year", 120, 320, 20)
absence = m.parameter("absence", "%", 4, 7, 0.5)
system_age = m.parameter("system_age", "year", 3, 9, 1)
peak_share = m.parameter("peak_share", "%", 30, 42, 2)

m.require(price_gap, 0.1 * price_old)
m.require(0.35 * price_old, price_gap)
m.require(value_buying, 0.1 * overpaid)
m.require(value_office, 0.2 * office_saving)
m.require(value_sales, 0.3 * team_cost)
m.require(move_cost, 0.5 * office_saving * spread)

BLUEPRINT = Blueprint(
    blueprint_id="mergers_2",
    model=m,
    options=(
        Option("buy_together", value=value_buying, naive=overpaid * movable),
        Option("one_office", value=value_office, naive=office_saving),
        Option("one_sales_force", value=value_sales, naive=extra_sales - team_cost),
        Option("close_site", value=closing_gain, excluded=True),
    ),
    facts=(
        Fact("synergy.revenue", (extra_sales,), given="middle"),
        Fact("synergy.cost", (office_saving,), given="easy"),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("labour.headcount", (team_cost,), given="easy"),
        Fact("cost.material", (price_old, price_new)),
        Fact("supply.terms", (bought, penalty), after=("cost.material",)),
        Fact("operations.quality", (movable,), after=("cost.material",)),
        Fact("synergy.integration", (move_cost,)),
        Fact("constraint.commitment"),
        Fact("cost.overhead", (offices_over,)),
        Fact("labour.wage", (pay_levelled,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.price", (rival_gap,)),
        Fact("customers.retention", (kept,)),
        Fact("capacity.utilization", (fullness,)),
        Fact("people.incentive", (bonus_share,)),
        Fact("cost.energy", (energy_bill,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("old_contract", "root", fact="cost.material", effect=overpaid),
        Cause("offices", "red_herring", fact="cost.overhead", effect=offices_over),
        Cause("pay", "red_herring", fact="labour.wage", effect=pay_levelled),
    ),
    constraint="constraint.commitment",
    key_numbers=(overpaid, value_buying, value_office, value_sales),
    branches=("variable_cost", "supply", "synergies", "labour", "constraints"),
)

"""Two firms can be bought, and the larger one shows the profit of a year that will not come again.

Root cause: one contract that ends. Red herrings: the owner who works for little, and a rent that was raised. The naive
path takes the profit of the last accounts and buys the larger firm.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, maximum

m = Model()

hurdle = m.parameter("hurdle", "%/year", 8, 14, 1)
funds = m.parameter("funds", "thousand cur", 2500, 12000, 500)

# The larger one.
price_large = m.parameter("price_large", "thousand cur", 5000, 9000, 500)
profit_large = m.parameter("profit_large", "thousand cur/year", 1000, 1800, 100)
contract_sales = m.parameter("contract_sales", "thousand cur/year", 1000, 2400, 200)
contract_margin = m.parameter("contract_margin", "%", 25, 50, 5)
owner_gap = m.parameter("owner_gap", "thousand cur/year", 30, 120, 10)
saving_large = m.parameter("saving_large", "thousand cur/year", 100, 300, 20)
joining_large = m.parameter("joining_large", "thousand cur", 300, 900, 100)
passing = m.kpi("passing", "thousand cur/year", contract_sales * contract_margin)
lasting = m.kpi("lasting", "thousand cur/year", profit_large - passing - owner_gap)
charge_large = m.kpi("charge_large", "thousand cur/year", (price_large + joining_large) * hurdle)
value_large = m.kpi("value_large", "thousand cur/year", lasting + saving_large - charge_large)

# The smaller one.
price_small = m.parameter("price_small", "thousand cur", 2000, 4500, 250)
profit_small = m.parameter("profit_small", "thousand cur/year", 350, 800, 50)
saving_small = m.parameter("saving_small", "thousand cur/year", 50, 180, 10)
joining_small = m.parameter("joining_small", "thousand cur", 100, 400, 50)
charge_small = m.kpi("charge_small", "thousand cur/year", (price_small + joining_small) * hurdle)
value_small = m.kpi("value_small", "thousand cur/year", profit_small + saving_small - charge_small)

# Something of one's own.
capex = m.parameter("capex", "thousand cur", 1000, 3000, 250)
own_sales = m.parameter("own_sales", "thousand cur/year", 1200, 2200, 200)
own_margin = m.parameter("own_margin", "%", 40, 60, 5)
own_cost = m.parameter("own_cost", "thousand cur/year", 200, 500, 50)
value_own = m.kpi("value_own", "thousand cur/year", own_sales * own_margin - own_cost - capex * hurdle)

rent_rise = m.parameter("rent_rise", "thousand cur/year", 20, 80, 10)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 1, 6, 0.5)
rival_gap = m.parameter("rival_gap", "%", 1, 6, 1)
kept = m.parameter("kept", "%", 88, 97, 1)
skilled = m.parameter("skilled", "person", 8, 26, 2)
ramp = m.parameter("ramp", "month", 12, 30, 3)
cross_sales = m.parameter("cross_sales", "thousand cur/year", 20, 80, 10)
energy_bill = m.parameter("energy_bill", "thousand cur/year", 60, 180, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 2, 9, 1)
peak_share = m.parameter("peak_share", "%", 28, 42, 2)

m.require(lasting, 0.2 * profit_large)
m.require(passing, 0.25 * profit_large)
m.require(value_large, 0.05 * charge_large)
m.require(value_small, 0.1 * charge_small)
m.require(value_own, 0.2 * own_cost)
m.require(1.2 * maximum(value_small, value_own), value_large)
m.require(profit_large - price_large * hurdle, 1.2 * (profit_small - price_small * hurdle))

BLUEPRINT = Blueprint(
    blueprint_id="mergers_4",
    model=m,
    options=(
        Option(
            "buy_large",
            value=value_large,
            naive=profit_large + saving_large - price_large * hurdle,
            needs=(Need(price_large + joining_large, funds),),
        ),
        Option(
            "buy_small",
            value=value_small,
            naive=profit_small + saving_small - price_small * hurdle,
            needs=(Need(price_small + joining_small, funds),),
        ),
        Option("build", value=value_own, naive=value_own, needs=(Need(capex, funds),)),
    ),
    facts=(
        Fact("target.value", (profit_large,), segment="large", given="middle"),
        Fact("target.value", (profit_small,), segment="small", given="easy"),
        Fact("mix.margin", (own_margin,), given="easy"),
        Fact("volume.forecast", (own_sales,), given="easy"),
        Fact("customers.concentration", (contract_sales, contract_margin)),
        Fact("people.incentive", (owner_gap,)),
        Fact("synergy.cost", (saving_large, saving_small)),
        Fact("synergy.integration", (joining_large, joining_small)),
        Fact("constraint.limit", (funds,)),
        Fact("cost.rent", (rent_rise,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.price", (rival_gap,)),
        Fact("customers.retention", (kept,)),
        Fact("people.skills", (skilled,)),
        Fact("timing.ramp", (ramp,)),
        Fact("synergy.revenue", (cross_sales,)),
        Fact("cost.energy", (energy_bill,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("ending_contract", "root", fact="customers.concentration", effect=passing),
        Cause("owner", "red_herring", fact="people.incentive", effect=owner_gap),
        Cause("rent", "red_herring", fact="cost.rent", effect=rent_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(lasting, value_large, value_small, value_own),
    branches=("synergies", "customers", "people_and_organisation", "fixed_cost", "constraints"),
)

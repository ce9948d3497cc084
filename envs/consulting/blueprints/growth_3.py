"""A maker looks for new regions while its own machines, once out of warranty, are looked after by others.

Root cause: most of the machines in use have no service contract. Red herrings: tenders lost on price, and a dearer
material. The naive path compares sales and goes to the new region.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

# Machines in use, and who looks after them.
installed = m.parameter("installed", "machine", 4000, 9000, 500)
contract_share = m.parameter("contract_share", "%", 20, 40, 5)
service_fee = m.parameter("service_fee", "cur/machine/year", 360, 640, 20)
service_cost = m.parameter("service_cost", "cur/machine/year", 160, 320, 20)
uncovered = m.kpi("uncovered", "machine", installed * (1 - contract_share))
service_margin = m.kpi("service_margin", "cur/machine/year", service_fee - service_cost)

# Win contracts.
winnable = m.parameter("winnable", "%", 15, 35, 5)
service_fixed = m.parameter("service_fixed", "thousand cur/year", 80, 200, 20)
gain_service = m.kpi("gain_service", "thousand cur/year", uncovered * winnable * service_margin - service_fixed)

# Sell machines in another region.
region_market = m.parameter("region_market", "million cur/year", 15, 35, 2.5)
region_share = m.parameter("region_share", "%", 6, 16, 2)
machine_margin = m.parameter("machine_margin", "%", 24, 36, 2)
region_fixed = m.parameter("region_fixed", "thousand cur/year", 200, 500, 50)
region_sales = m.kpi("region_sales", "thousand cur/year", region_market * region_share)
gain_region = m.kpi("gain_region", "thousand cur/year", region_sales * machine_margin - region_fixed)

# Bring out a lighter machine.
light_sales = m.parameter("light_sales", "thousand cur/year", 1000, 2800, 200)
light_margin = m.parameter("light_margin", "%", 12, 22, 2)
light_fixed = m.parameter("light_fixed", "thousand cur/year", 40, 120, 20)
gain_light = m.kpi("gain_light", "thousand cur/year", light_sales * light_margin - light_fixed)

# Buy a rival service firm, which costs more than there is.
target_profit = m.parameter("target_profit", "thousand cur/year", 300, 900, 50)
target_price = m.parameter("target_price", "thousand cur", 2500, 6000, 250)
budget = m.parameter("budget", "thousand cur", 1200, 4500, 100)

# What is blamed for standing still.
lost_service = m.kpi("lost_service", "thousand cur/year", uncovered * service_margin)
tender_loss = m.parameter("tender_loss", "thousand cur/year", 300, 900, 100)
material_rise = m.parameter("material_rise", "thousand cur/year", 40, 200, 20)

# What has no part in the answer.
rivals_first = m.parameter("rivals_first", "%", 40, 60, 5)
home_growth = m.parameter("home_growth", "%/year", 1, 3, 0.5)
hall_use = m.parameter("hall_use", "%", 60, 80, 5)
lease = m.parameter("lease", "thousand cur/year", 90, 240, 30)
apprentices = m.parameter("apprentices", "person", 4, 14, 2)
system_age = m.parameter("system_age", "year", 4, 11, 1)
autumn_share = m.parameter("autumn_share", "%", 30, 45, 5)

m.require(service_margin, 0.3 * service_fee)
m.require(0.6 * service_fee, service_margin)
m.require(gain_service, service_fixed)
m.require(gain_region, 0.3 * region_fixed)
m.require(gain_light, light_fixed)
m.require(target_price, 1.08 * budget)

BLUEPRINT = Blueprint(
    blueprint_id="growth_3",
    model=m,
    options=(
        Option("win_contracts", value=gain_service, naive=uncovered * winnable * service_fee),
        Option("new_region", value=gain_region, naive=region_sales),
        Option("light_model", value=gain_light, naive=light_sales),
        Option("buy_rival", value=target_profit, needs=(Need(target_price, budget),)),
    ),
    facts=(
        Fact("volume.own", (installed,), given="middle"),
        Fact("customers.retention", (contract_share,), after=("volume.own",)),
        Fact("price.own", (service_fee,), given="easy"),
        Fact("cost.unit", (service_cost,)),
        Fact("customers.need", (winnable,), after=("customers.retention",)),
        Fact("market.share", (region_share,), given="easy"),
        Fact("mix.margin", (machine_margin, light_margin), given="easy"),
        Fact("cost.fixed", (service_fixed, region_fixed, light_fixed)),
        Fact("constraint.limit", (budget,)),
        Fact("competitor.price", (tender_loss,)),
        Fact("cost.trend", (material_rise,)),
        Fact("competitor.offer", (rivals_first,)),
        Fact("market.growth", (home_growth,)),
        Fact("capacity.utilization", (hall_use,)),
        Fact("cost.rent", (lease,), noise=True),
        Fact("labour.headcount", (apprentices,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (autumn_share,), noise=True),
    ),
    causes=(
        Cause("no_contract", "root", fact="customers.retention", effect=lost_service),
        Cause("tenders", "red_herring", fact="competitor.price", effect=tender_loss * machine_margin),
        Cause("material", "red_herring", fact="cost.trend", effect=material_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(service_margin, gain_service, gain_region, gain_light),
    branches=("customers", "variable_cost", "fixed_cost", "constraints"),
)

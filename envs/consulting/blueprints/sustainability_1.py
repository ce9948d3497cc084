"""A works pays ever more for gas and its levy, since steam is kept up while the lines stand idle.

Root cause: gas burnt in idle hours. Red herrings: a levy that rose and a boiler that lost some efficiency. The naive
path takes promised heat and green premiums at their face value, or buys the large new boiler.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# Gas in running and in idle hours, and what it costs with the levy.
run_hours = m.parameter("run_hours", "hour/year", 4000, 6000, 500)
idle_hours = m.parameter("idle_hours", "hour/year", 2000, 3500, 250)
run_gas = m.parameter("run_gas", "MWh/hour", 6, 12, 1)
idle_gas = m.parameter("idle_gas", "MWh/hour", 2, 5, 0.5)
gas_price = m.parameter("gas_price", "cur/MWh", 30, 50, 2)
levy = m.parameter("levy", "cur/MWh", 8, 20, 2)
heat_price = m.kpi("heat_price", "cur/MWh", gas_price + levy)
idle_bill = m.kpi("idle_bill", "thousand cur/year", idle_hours * idle_gas * heat_price)

# Let the steam down when the lines stand.
idle_cut = m.parameter("idle_cut", "%", 30, 80, 5)
idle_cost = m.parameter("idle_cost", "thousand cur/year", 20, 120, 10)
gain_idle = m.kpi("gain_idle", "thousand cur/year", idle_bill * idle_cut - idle_cost)

# Recover heat from the exhaust while the lines run; only part of it finds a use.
recovered = m.parameter("recovered", "MWh/hour", 1, 3, 0.5)
useful_share = m.parameter("useful_share", "%", 30, 80, 5)
recover_cost = m.parameter("recover_cost", "thousand cur/year", 60, 180, 10)
gain_recover = m.kpi(
    "gain_recover", "thousand cur/year", recovered * run_hours * useful_share * heat_price - recover_cost
)

# Sell with a green certificate: only some buyers pay more.
volume = m.parameter("volume", "thousand unit/year", 20, 60, 5)
premium = m.parameter("premium", "cur/unit", 8, 24, 2)
buyers_share = m.parameter("buyers_share", "%", 20, 60, 5)
label_cost = m.parameter("label_cost", "thousand cur/year", 40, 160, 10)
gain_label = m.kpi("gain_label", "thousand cur/year", volume * buyers_share * premium - label_cost)

# The electric boiler, above what may be spent.
boiler_gain = m.parameter("boiler_gain", "thousand cur/year", 150, 500, 10)
boiler_price = m.parameter("boiler_price", "thousand cur", 1500, 4000, 100)
budget = m.parameter("budget", "thousand cur", 800, 3500, 100)

# What surrounds the case, and what has no part in it.
levy_rise = m.parameter("levy_rise", "cur/MWh", 1, 3, 0.5)
boiler_loss = m.parameter("boiler_loss", "%", 2, 5, 1)
rival_energy = m.parameter("rival_energy", "%", 8, 16, 1)
growth = m.parameter("growth", "%", 1, 4, 1)
grant_share = m.parameter("grant_share", "%", 10, 25, 5)
mechanics = m.parameter("mechanics", "person", 4, 12, 1)
rent = m.parameter("rent", "thousand cur/year", 60, 200, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
peak_share = m.parameter("peak_share", "%", 28, 38, 2)

m.require(Number(8760, "hour/year"), run_hours + idle_hours)
m.require(gain_idle, 0.2 * idle_cost)
m.require(gain_recover, 0.1 * recover_cost)
m.require(gain_label, 0.1 * label_cost)
m.require(boiler_price, 1.08 * budget)
m.require(levy, 4 * levy_rise)
m.require(run_gas, 2 * idle_gas)
m.require(run_gas, 3 * recovered)

BLUEPRINT = Blueprint(
    blueprint_id="sustainability_1",
    model=m,
    options=(
        Option("let_down", value=gain_idle),
        Option("recover", value=gain_recover, naive=recovered * run_hours * heat_price),
        Option("label", value=gain_label, naive=volume * premium),
        Option("boiler", value=boiler_gain, naive=boiler_gain, needs=(Need(boiler_price, budget),)),
    ),
    facts=(
        Fact("capacity.utilization", (run_hours, idle_hours)),
        Fact("operations.downtime", (idle_gas,), after=("capacity.utilization",)),
        Fact("cost.energy", (gas_price,), given="easy"),
        Fact("regulation.levy", (levy,), given="easy"),
        Fact("technology.automation", (idle_cut,)),
        Fact("capacity.limit", (useful_share,), given="easy"),
        Fact("volume.own", (volume,), given="middle"),
        Fact("price.willingness", (premium, buyers_share), given="easy"),
        Fact("constraint.limit", (budget,)),
        Fact("cost.trend", (levy_rise,)),
        Fact("investment.life", (boiler_loss, run_gas)),
        Fact("competitor.cost", (rival_energy,)),
        Fact("market.growth", (growth,)),
        Fact("regulation.subsidy", (grant_share,)),
        Fact("labour.headcount", (mechanics,), noise=True),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("idle", "root", fact="operations.downtime", effect=idle_bill),
        Cause(
            "levy",
            "red_herring",
            fact="cost.trend",
            effect=(run_hours * run_gas + idle_hours * idle_gas) * levy_rise,
        ),
        Cause(
            "old_boiler", "red_herring", fact="investment.life", effect=run_hours * run_gas * boiler_loss * heat_price
        ),
    ),
    constraint="constraint.limit",
    key_numbers=(idle_bill, gain_idle, gain_recover, gain_label),
    branches=("capacity", "operations", "variable_cost", "technology", "constraints"),
)

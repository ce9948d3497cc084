"""Contracts at a flat fee lose money, since they take far more visits than was reckoned when they were signed.

Root cause: the number of visits. Red herrings: a wage round and dearer fuel. The naive path looks at turnover and so
wins further contracts of the kind; full costs would also deceive, as vehicles and depots stay when a contract goes.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

# The contracts, and what their visits cost as far as it can be avoided.
contracts = m.parameter("contracts", "contract", 20, 60, 5)
fee = m.parameter("fee", "cur/contract/year", 14000, 30000, 1000)
visits_planned = m.parameter("visits_planned", "visit/contract/year", 20, 34, 2)
visits_now = m.parameter("visits_now", "visit/contract/year", 30, 56, 2)
visit_cost = m.parameter("visit_cost", "cur/visit", 500, 1000, 50)
fixed_share = m.parameter("fixed_share", "%", 10, 40, 5)
avoidable = m.kpi("avoidable", "cur/visit", visit_cost * (1 - fixed_share))
contract_loss = m.kpi("contract_loss", "cur/contract/year", visits_now * avoidable - fee)
extra_cost = m.kpi("extra_cost", "thousand cur/year", contracts * (visits_now - visits_planned) * avoidable)

# Charge for visits beyond the plan: some customers leave, and take their loss with them.
supplement = m.parameter("supplement", "cur/visit", 100, 700, 50)
stay_share = m.parameter("stay_share", "%", 40, 90, 5)
extra_fee = m.kpi("extra_fee", "cur/contract/year", (visits_now - visits_planned) * supplement)
gain_reprice = m.kpi(
    "gain_reprice", "thousand cur/year", contracts * (contract_loss - stay_share * (contract_loss - extra_fee))
)

# End the contracts; or win more of them.
gain_exit = m.kpi("gain_exit", "thousand cur/year", contracts * contract_loss)
new_contracts = m.parameter("new_contracts", "contract", 8, 20, 2)
grow_loss = m.kpi("grow_loss", "thousand cur/year", new_contracts * contract_loss)

# Steer visits by instruments, for which the money is lacking.
spared_share = m.parameter("spared_share", "%", 10, 40, 5)
steer_price = m.parameter("steer_price", "thousand cur", 400, 1200, 50)
hurdle = m.parameter("hurdle", "%/year", 8, 14, 1)
cash_limit = m.parameter("cash_limit", "thousand cur", 200, 1000, 50)
gain_steer = m.kpi(
    "gain_steer",
    "thousand cur/year",
    contracts * visits_now * spared_share * avoidable - steer_price * hurdle,
)

# What surrounds the case, and what has no part in it.
wage_rise = m.parameter("wage_rise", "thousand cur/year", 30, 120, 10)
fuel_rise = m.parameter("fuel_rise", "thousand cur/year", 10, 60, 5)
flat_share = m.parameter("flat_share", "%", 40, 70, 5)
growth = m.parameter("growth", "%", 1, 5, 1)
rival_fee = m.parameter("rival_fee", "cur/contract/year", 15000, 36000, 1000)
office_cost = m.parameter("office_cost", "thousand cur/year", 150, 400, 10)
rent = m.parameter("rent", "thousand cur/year", 40, 120, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
satisfaction = m.parameter("satisfaction", "%", 82, 96, 2)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(visits_now, 1.3 * visits_planned)
m.require(fee, visits_planned * avoidable)
m.require(contract_loss, 0.04 * fee)
m.require(0.4 * fee, contract_loss)
m.require(0.5 * fee, extra_fee)
m.require(visit_cost, supplement)
m.require(gain_steer, 0.1 * steer_price * hurdle)
m.require(steer_price, 1.08 * cash_limit)

BLUEPRINT = Blueprint(
    blueprint_id="turnaround_2",
    model=m,
    options=(
        Option("reprice", value=gain_reprice, naive=contracts * extra_fee),
        Option("leave", value=gain_exit, naive=-1 * contracts * fee),
        Option("win_more", value=-1 * new_contracts * contract_loss, naive=new_contracts * fee),
        Option("steer", value=gain_steer, needs=(Need(steer_price, cash_limit),)),
    ),
    facts=(
        Fact("volume.own", (contracts,), given="middle"),
        Fact("price.own", (fee,), given="easy"),
        Fact("volume.trend", (visits_planned, visits_now)),
        Fact("cost.unit", (visit_cost,)),
        Fact("cost.fixed", (fixed_share,), after=("cost.unit",)),
        Fact("price.willingness", (stay_share,), given="easy"),
        Fact("technology.automation", (spared_share,), given="easy"),
        Fact("constraint.limit", (cash_limit,)),
        Fact("labour.wage", (wage_rise,)),
        Fact("cost.energy", (fuel_rise,)),
        Fact("mix.segment", (flat_share,)),
        Fact("market.growth", (growth,)),
        Fact("competitor.price", (rival_fee,)),
        Fact("cost.overhead", (office_cost,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("customers.satisfaction", (satisfaction,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("visits", "root", fact="volume.trend", effect=extra_cost),
        Cause("wages", "red_herring", fact="labour.wage", effect=wage_rise),
        Cause("fuel", "red_herring", fact="cost.energy", effect=fuel_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(avoidable, contract_loss, gain_reprice, gain_exit),
    branches=("volume", "variable_cost", "fixed_cost", "price", "constraints"),
)

"""A bill for a bought-in input has grown, and all talk about its price, while each piece has come to need more of it.

Root cause: usage for a piece. Red herrings: the price of the input and the growth of volume. The naive path takes the
offer of a cheaper supplier, of whose goods more is needed.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

# The bill, the year before and now: price times usage times volume.
price_before = m.parameter("price_before", "cur/measure", 2.0, 2.8, 0.1)
price_now = m.parameter("price_now", "cur/measure", 2.1, 3.0, 0.1)
usage_before = m.parameter("usage_before", "measure/unit", 50, 62, 2)
usage_now = m.parameter("usage_now", "measure/unit", 58, 74, 2)
volume_before = m.parameter("volume_before", "thousand unit/year", 30, 70, 2)
volume_now = m.parameter("volume_now", "thousand unit/year", 32, 72, 2)
bill_before = m.kpi("bill_before", "thousand cur/year", price_before * usage_before * volume_before)
bill_now = m.kpi("bill_now", "thousand cur/year", price_now * usage_now * volume_now)
bill_rise = m.kpi("bill_rise", "thousand cur/year", bill_now - bill_before)
extra_usage = m.kpi("extra_usage", "measure/unit", usage_now - usage_before)
usage_effect = m.kpi("usage_effect", "thousand cur/year", extra_usage * price_now * volume_now)
price_effect = m.kpi("price_effect", "thousand cur/year", (price_now - price_before) * usage_before * volume_before)
volume_effect = m.kpi("volume_effect", "thousand cur/year", (volume_now - volume_before) * usage_before * price_now)

# Set the process right by hand, or rebuild the plant that it runs on.
tuned_share = m.parameter("tuned_share", "%", 30, 70, 5)
tuning_cost = m.parameter("tuning_cost", "thousand cur/year", 60, 300, 20)
gain_tune = m.kpi("gain_tune", "thousand cur/year", usage_effect * tuned_share - tuning_cost)
rebuilt_share = m.parameter("rebuilt_share", "%", 80, 100, 5)
capex = m.parameter("capex", "thousand cur", 4000, 10000, 500)
budget = m.parameter("budget", "thousand cur", 2000, 7000, 500)
hurdle = m.parameter("hurdle", "%/year", 8, 14, 1)
gain_rebuild = m.kpi("gain_rebuild", "thousand cur/year", usage_effect * rebuilt_share - capex * hurdle)

# Buy from somebody cheaper, of whose goods more is needed; or bind oneself to the present supplier.
price_cut = m.parameter("price_cut", "%", 10, 18, 1)
newcomer_extra = m.parameter("newcomer_extra", "%", 5, 14, 1)
gain_switch = m.kpi("gain_switch", "thousand cur/year", bill_now * (1 - (1 - price_cut) * (1 + newcomer_extra)))
discount = m.parameter("discount", "%", 5, 11, 0.5)
gain_contract = m.kpi("gain_contract", "thousand cur/year", bill_now * discount)

# What surrounds the case, and what has no part in it.
rival_usage = m.parameter("rival_usage", "measure/unit", 52, 62, 2)
loaded = m.parameter("loaded", "%", 72, 90, 2)
on_time = m.parameter("on_time", "%", 90, 98, 1)
newcomers = m.parameter("newcomers", "person", 3, 9, 1)
rent = m.parameter("rent", "thousand cur/year", 150, 400, 25)
absence = m.parameter("absence", "%", 3, 7, 0.5)
big_buyers = m.parameter("big_buyers", "%", 24, 40, 2)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(price_now, price_before)
m.require(volume_now, volume_before)
m.require(extra_usage, 0.1 * usage_before)
m.require(rival_usage, usage_before)
m.require(usage_now, 1.05 * rival_usage)
m.require(gain_switch, 0.02 * bill_now)
m.require(gain_tune, 0.5 * tuning_cost)
m.require(gain_rebuild, 0.1 * capex * hurdle)
m.require(capex, 1.1 * budget)

BLUEPRINT = Blueprint(
    blueprint_id="cost_reduction_1",
    model=m,
    options=(
        Option("tune", value=gain_tune, naive=gain_tune),
        Option("switch", value=gain_switch, naive=bill_now * price_cut),
        Option("contract", value=gain_contract, naive=gain_contract),
        Option("rebuild", value=gain_rebuild, needs=(Need(capex, budget),)),
    ),
    facts=(
        Fact("supply.terms", (price_before, price_now), given="easy"),
        Fact("volume.trend", (volume_before, volume_now), given="middle"),
        Fact("cost.material", (usage_before, usage_now)),
        Fact("operations.quality", (tuned_share, tuning_cost), segment="trial", after=("cost.material",)),
        Fact("operations.quality", (newcomer_extra,), segment="newcomer"),
        Fact("technology.automation", (rebuilt_share,), after=("cost.material",)),
        Fact("investment.capex", (capex,), given="easy"),
        Fact("constraint.limit", (budget,)),
        Fact("competitor.cost", (rival_usage,), after=("cost.material",)),
        Fact("people.skills", (newcomers,)),
        Fact("capacity.utilization", (loaded,)),
        Fact("customers.satisfaction", (on_time,)),
        Fact("supply.reliability"),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("customers.concentration", (big_buyers,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("usage", "root", fact="cost.material", effect=usage_effect),
        Cause("price", "red_herring", fact="supply.terms", effect=price_effect),
        Cause("volume", "red_herring", fact="volume.trend", effect=volume_effect),
    ),
    constraint="constraint.limit",
    key_numbers=(bill_rise, gain_tune, gain_switch),
    branches=("supply", "variable_cost", "operations", "investment", "constraints"),
)

"""A scheme of returnable containers costs more than it should, since too many of them never come back.

Root cause: containers that users keep. Red herrings: breakage in the wash and a dearer wash. The naive path ignores
those whom a deposit drives away, and the breakage of a cheaper container; the return to throw-away ware is barred.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# Uses of a year, and what is lost with containers that stay away.
uses = m.parameter("uses", "thousand use/year", 400, 1200, 50)
return_now = m.parameter("return_now", "%", 70, 84, 1)
container_cost = m.parameter("container_cost", "cur/use", 3, 7, 0.5)
lost_now = m.kpi("lost_now", "thousand use/year", uses * (1 - return_now))
loss_bill = m.kpi("loss_bill", "thousand cur/year", lost_now * container_cost)

# A deposit brings more of them back and drives some users away.
return_deposit = m.parameter("return_deposit", "%", 86, 96, 1)
deterred_share = m.parameter("deterred_share", "%", 3, 12, 1)
use_margin = m.parameter("use_margin", "cur/use", 1, 4, 0.5)
lost_deposit = m.kpi("lost_deposit", "thousand use/year", uses * (1 - deterred_share) * (1 - return_deposit))
gain_deposit = m.kpi(
    "gain_deposit",
    "thousand cur/year",
    loss_bill - lost_deposit * container_cost - uses * deterred_share * use_margin,
)

# More places at which one can hand them back.
return_points = m.parameter("return_points", "%", 78, 92, 1)
points_cost = m.parameter("points_cost", "thousand cur/year", 40, 200, 10)
gain_points = m.kpi(
    "gain_points", "thousand cur/year", uses * (return_points - return_now) * container_cost - points_cost
)

# A cheaper container, of which some break at each use.
cheap_cost = m.parameter("cheap_cost", "cur/use", 1, 4, 0.5)
cheap_broken = m.parameter("cheap_broken", "%", 2, 8, 1)
gain_cheap = m.kpi(
    "gain_cheap", "thousand cur/year", lost_now * (container_cost - cheap_cost) - uses * cheap_broken * cheap_cost
)

# Throw-away ware, which a promise rules out.
single_saving = m.parameter("single_saving", "thousand cur/year", 150, 700, 10)

# What surrounds the case, and what has no part in it.
broken_share = m.parameter("broken_share", "%", 0.5, 3, 0.5)
wash_rise = m.parameter("wash_rise", "cur/use", 0.02, 0.1, 0.02)
growth = m.parameter("growth", "%", 2, 8, 1)
regulars = m.parameter("regulars", "%", 45, 75, 5)
stock_months = m.parameter("stock_months", "month", 2, 5, 1)
rent = m.parameter("rent", "thousand cur/year", 40, 120, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 2, 6, 1)
inspection_gap = m.parameter("inspection_gap", "year", 2, 4, 1)

m.require(container_cost, 1.4 * cheap_cost)
m.require(return_points - return_now, 0.03)
m.require(return_deposit - return_points, 0.02)
m.require(gain_deposit, 0.1 * points_cost)
m.require(gain_points, 0.1 * points_cost)
m.require(gain_cheap, 0.1 * points_cost)

BLUEPRINT = Blueprint(
    blueprint_id="sustainability_2",
    model=m,
    options=(
        Option("deposit", value=gain_deposit, naive=uses * (return_deposit - return_now) * container_cost),
        Option("points", value=gain_points, naive=uses * (return_points - return_now) * container_cost - points_cost),
        Option("cheaper", value=gain_cheap, naive=lost_now * (container_cost - cheap_cost)),
        Option("throw_away", value=single_saving, naive=single_saving, excluded=True),
    ),
    facts=(
        Fact("volume.own", (uses,), given="middle"),
        Fact("operations.quality", (return_now,), segment="missing"),
        Fact("supply.terms", (container_cost, cheap_cost), given="easy"),
        Fact("competitor.offer", (return_deposit,), given="easy"),
        Fact("price.willingness", (deterred_share,), given="easy"),
        Fact("mix.margin", (use_margin,), given="easy"),
        Fact("supply.logistics", (return_points,)),
        Fact("investment.life", (cheap_broken,)),
        Fact("constraint.commitment"),
        Fact("operations.quality", (broken_share,), segment="breakage"),
        Fact("cost.trend", (wash_rise,)),
        Fact("market.growth", (growth,)),
        Fact("customers.retention", (regulars,)),
        Fact("supply.inventory", (stock_months,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("regulation.rule", (inspection_gap,), noise=True),
    ),
    causes=(
        Cause("missing", "root", fact="operations.quality:missing", effect=loss_bill),
        Cause(
            "breakage", "red_herring", fact="operations.quality:breakage", effect=uses * broken_share * container_cost
        ),
        Cause("washing", "red_herring", fact="cost.trend", effect=uses * wash_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(loss_bill, gain_deposit, gain_points, gain_cheap),
    branches=("operations", "supply", "customers", "investment", "constraints"),
)

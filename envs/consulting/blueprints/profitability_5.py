"""Full order books and less profit: what exceeds the own capacity is put out to others at more than it brings.

Root cause: the work put out. Red herrings: repairs and the last wage round.
The naive path reckons every further order at the firm's own cost, and so signs the next large contract.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# Orders, what the firm can do of them itself, and what it puts out.
done_before = m.parameter("done_before", "thousand unit/year", 140, 180, 10)
done_now = m.parameter("done_now", "thousand unit/year", 220, 300, 10)
capacity = m.parameter("capacity", "thousand unit/year", 180, 220, 10)
price = m.parameter("price", "cur/unit", 30, 44, 1)
own_cost = m.parameter("own_cost", "cur/unit", 20, 32, 1)
outside_cost = m.parameter("outside_cost", "cur/unit", 34, 54, 1)

put_out = m.kpi("put_out", "thousand unit/year", done_now - capacity)
outside_loss = m.kpi("outside_loss", "cur/unit", outside_cost - price)
own_margin = m.kpi("own_margin", "cur/unit", price - own_cost)
drain = m.kpi("drain", "thousand cur/year", put_out * outside_loss)

# Decline what exceeds the capacity; some customers then leave with all they order.
linked = m.parameter("linked", "thousand unit/year", 5, 25, 5)
gain_decline = m.kpi("gain_decline", "thousand cur/year", drain - linked * own_margin)

# Charge more for everything; those who leave are taken off the work that is put out.
rise = m.parameter("rise", "cur/unit", 0.5, 2, 0.5)
leaving = m.parameter("leaving", "%", 5, 20, 5)
orders_lost = m.kpi("orders_lost", "thousand unit/year", done_now * leaving)
gain_rise = m.kpi("gain_rise", "thousand cur/year", (done_now - orders_lost) * rise + orders_lost * outside_loss)

# Widen the own capacity, for which there is only so much money.
added = m.parameter("added", "thousand unit/year", 20, 60, 10)
upkeep = m.parameter("upkeep", "thousand cur/year", 40, 160, 20)
outlay = m.parameter("outlay", "thousand cur", 600, 2400, 100)
hurdle = m.parameter("hurdle", "%/year", 10, 20, 2)
budget = m.parameter("budget", "thousand cur", 800, 2600, 100)
outlay_charge = m.kpi("outlay_charge", "thousand cur/year", outlay * hurdle)
gain_widen = m.kpi("gain_widen", "thousand cur/year", added * (outside_cost - own_cost) - upkeep - outlay_charge)

# Sign the next contract.
contract = m.parameter("contract", "thousand unit/year", 30, 70, 10)
loss_contract = m.kpi("loss_contract", "thousand cur/year", contract * outside_loss)

# What looks like the cause, and what has no part in the answer.
repair_rise = m.parameter("repair_rise", "thousand cur/year", 20, 120, 10)
wage_rise = m.parameter("wage_rise", "thousand cur/year", 30, 160, 10)
market_growth = m.parameter("market_growth", "%/year", 2, 7, 1)
rival_price = m.parameter("rival_price", "cur/unit", 31, 46, 1)
content = m.parameter("content", "%", 84, 94, 2)
late = m.parameter("late", "%", 2, 8, 1)
stoppage = m.parameter("stoppage", "%", 2, 5, 0.5)
rent = m.parameter("rent", "thousand cur/year", 120, 300, 20)
autumn_share = m.parameter("autumn_share", "%", 28, 40, 2)
system_age = m.parameter("system_age", "year", 3, 9, 1)
brochures = m.parameter("brochures", "thousand cur/year", 10, 40, 5)

m.require(outside_loss, 0.06 * price)
m.require(own_margin, 0.15 * price)
m.require(put_out, added)
m.require(put_out, orders_lost)
m.require(gain_decline, 0.2 * drain)
m.require(gain_widen, 0.5 * upkeep)
m.require(own_margin, 2 * rise)

BLUEPRINT = Blueprint(
    blueprint_id="profitability_5",
    model=m,
    options=(
        Option("decline_excess", value=gain_decline, naive=Number(0, "cur/year") - (put_out + linked) * own_margin),
        Option("charge_more", value=gain_rise, naive=(done_now - orders_lost) * rise - orders_lost * own_margin),
        Option(
            "widen_capacity",
            value=gain_widen,
            needs=(Need(outlay, budget),),
            naive=Number(0, "cur/year") - upkeep - outlay_charge,
        ),
        Option("sign_contract", value=Number(0, "cur/year") - loss_contract, naive=contract * own_margin),
    ),
    facts=(
        Fact("volume.trend", (done_before, done_now), given="middle"),
        Fact("price.own", (price,), given="middle"),
        Fact("cost.unit", (own_cost,), given="easy"),
        Fact("capacity.limit", (capacity,), given="easy"),
        Fact("supply.terms", (outside_cost,), after=("capacity.limit",)),
        Fact("customers.concentration", (linked,)),
        Fact("price.willingness", (leaving,)),
        Fact("capacity.expansion", (added, upkeep), after=("capacity.limit",)),
        Fact("constraint.limit", (budget,)),
        Fact("cost.maintenance", (repair_rise,)),
        Fact("labour.wage", (wage_rise,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.price", (rival_price,)),
        Fact("customers.satisfaction", (content,)),
        Fact("operations.quality", (late,)),
        Fact("operations.downtime", (stoppage,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("volume.seasonality", (autumn_share,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("cost.marketing", (brochures,), noise=True),
    ),
    causes=(
        Cause("put_out", "root", fact="supply.terms", effect=drain),
        Cause("repairs", "red_herring", fact="cost.maintenance", effect=repair_rise),
        Cause("wages", "red_herring", fact="labour.wage", effect=wage_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(drain, gain_decline, gain_rise, gain_widen),
    branches=("capacity", "supply", "price", "customers", "constraints"),
)

"""Full when everybody wants to come, empty at all other hours: what is short is not room but room at one time of day.

Root cause: demand gathers in a few hours. Red herrings: closures for repair and a rival nearby. The naive path counts
those who were turned away at the full price and builds for them.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model, minimum

m = Model()

# Busy hours and quiet ones.
busy_supply = m.parameter("busy_supply", "thousand slot/year", 10, 20, 1)
busy_wanted = m.parameter("busy_wanted", "thousand slot/year", 18, 34, 1)
quiet_supply = m.parameter("quiet_supply", "thousand slot/year", 20, 40, 2)
quiet_used = m.parameter("quiet_used", "%", 15, 40, 5)
price = m.parameter("price", "cur/slot", 16, 28, 1)
cost = m.parameter("cost", "cur/slot", 2, 6, 0.5)
hurdle = m.parameter("hurdle", "%/year", 8, 14, 2)

turned_away = m.kpi("turned_away", "thousand slot/year", busy_wanted - busy_supply)
quiet_now = m.kpi("quiet_now", "thousand slot/year", quiet_supply * quiet_used)
quiet_free = m.kpi("quiet_free", "thousand slot/year", quiet_supply - quiet_now)

# More places.
build_slots = m.parameter("build_slots", "thousand slot/year", 4, 10, 1)
build_upkeep = m.parameter("build_upkeep", "thousand cur/year", 20, 60, 5)
build_capex = m.parameter("build_capex", "thousand cur", 300, 1000, 50)
build_sold = m.kpi("build_sold", "thousand slot/year", minimum(build_slots, turned_away))
gain_build = m.kpi("gain_build", "thousand cur/year", build_sold * (price - cost) - build_upkeep - build_capex * hurdle)

# Cheaper in the quiet hours, for all who come then.
discount = m.parameter("discount", "%", 10, 25, 5)
move_share = m.parameter("move_share", "%", 30, 70, 5)
moved = m.kpi("moved", "thousand slot/year", minimum(turned_away * move_share, quiet_free))
given_away = m.kpi("given_away", "thousand cur/year", quiet_now * price * discount)
gain_shift = m.kpi("gain_shift", "thousand cur/year", moved * (price * (1 - discount) - cost) - given_away)

# Dearer in the busy hours: some stay away, and those who were turned away take their places.
surcharge = m.parameter("surcharge", "cur/slot", 2, 6, 0.5)
drop = m.parameter("drop", "%", 10, 40, 5)
busy_left = m.kpi("busy_left", "thousand slot/year", busy_wanted * (1 - drop))
busy_sold = m.kpi("busy_sold", "thousand slot/year", minimum(busy_supply, busy_left))
gain_raise = m.kpi(
    "gain_raise", "thousand cur/year", busy_sold * (price + surcharge - cost) - busy_supply * (price - cost)
)

# Longer hours, which a promise rules out.
late_gain = m.parameter("late_gain", "thousand cur/year", 40, 140, 10)

missed = m.kpi("missed", "thousand cur/year", minimum(turned_away, quiet_free) * (price - cost))

# What is much talked about, or has no part in the answer.
closure_loss = m.parameter("closure_loss", "thousand cur/year", 5, 30, 5)
rival_loss = m.parameter("rival_loss", "thousand cur/year", 5, 30, 5)
rival_price = m.parameter("rival_price", "cur/slot", 15, 29, 1)
growth = m.parameter("growth", "%/year", 2, 6, 1)
content_share = m.parameter("content_share", "%", 74, 90, 2)
office_cost = m.parameter("office_cost", "thousand cur/year", 40, 90, 10)
staff = m.parameter("staff", "person", 8, 18, 1)
review_gap = m.parameter("review_gap", "year", 2, 5, 1)
card_share = m.parameter("card_share", "%", 55, 85, 5)

m.require(busy_wanted, 1.3 * busy_supply)
m.require(price, 3 * cost)
m.require(gain_shift, 0.1 * late_gain)
m.require(gain_raise, 0.1 * late_gain)
m.require(gain_build, 0.05 * late_gain)

BLUEPRINT = Blueprint(
    blueprint_id="capacity_2",
    model=m,
    options=(
        Option("build", value=gain_build, naive=turned_away * price - build_upkeep),
        Option("shift", value=gain_shift, naive=moved * price * (1 - discount) - given_away),
        Option("raise", value=gain_raise, naive=busy_supply * surcharge - busy_wanted * drop * price),
        Option("open_longer", value=late_gain, excluded=True),
    ),
    facts=(
        Fact("price.own", (price,), given="middle"),
        Fact("cost.unit", (cost,), given="easy"),
        Fact("capacity.limit", (busy_supply, quiet_supply), given="easy"),
        Fact("price.willingness", (drop,), after=("price.own",), given="easy"),
        Fact("volume.seasonality", (busy_wanted,)),
        Fact("capacity.utilization", (quiet_used,), after=("capacity.limit",)),
        Fact("customers.need", (move_share,), after=("volume.seasonality",)),
        Fact("investment.capex", (build_capex,)),
        Fact("constraint.commitment"),
        Fact("operations.downtime", (closure_loss,)),
        Fact("competitor.reaction", (rival_loss,)),
        Fact("competitor.price", (rival_price,), after=("price.own",)),
        Fact("market.growth", (growth,)),
        Fact("customers.satisfaction", (content_share,)),
        Fact("cost.overhead", (office_cost,), noise=True),
        Fact("labour.headcount", (staff,), noise=True),
        Fact("regulation.rule", (review_gap,), noise=True),
        Fact("technology.system", (card_share,), noise=True),
    ),
    causes=(
        Cause("one_time", "root", fact="capacity.utilization", effect=missed),
        Cause("closures", "red_herring", fact="operations.downtime", effect=closure_loss),
        Cause("rival", "red_herring", fact="competitor.reaction", effect=rival_loss),
    ),
    constraint="constraint.commitment",
    key_numbers=(turned_away, gain_build, gain_shift, gain_raise),
    branches=("volume", "capacity", "customers", "investment", "constraints"),
)

"""A division earns next to nothing in the books, and there are people who would take it over.

Root cause: it carries a share of the head office that would stay if it left. Red herrings: its old plant's energy bill
and its pay above the usual. The naive path sets the price offered against the profit in the books, and sells.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

rate = m.parameter("rate", "%/year", 7, 12, 1)

# Keep it.
booked = m.parameter("booked", "thousand cur/year", 40, 200, 20)
allocated = m.parameter("allocated", "thousand cur/year", 250, 600, 50)
stays = m.parameter("stays", "%", 40, 80, 5)
stranded = m.kpi("stranded", "thousand cur/year", allocated * stays)
value_keep = m.kpi("value_keep", "thousand cur/year", booked + stranded)

# Sell it to those who run it.
offer = m.parameter("offer", "thousand cur", 5000, 11000, 500)
tax = m.parameter("tax", "%", 10, 25, 5)
bought_inside = m.parameter("bought_inside", "thousand cur/year", 400, 1200, 100)
dearer = m.parameter("dearer", "%", 4, 12, 1)
net_offer = m.kpi("net_offer", "thousand cur", offer * (1 - tax))
value_sale = m.kpi("value_sale", "thousand cur/year", net_offer * rate - bought_inside * dearer)

# Let it to them.
rent = m.parameter("rent", "thousand cur/year", 500, 1000, 50)
upkeep = m.parameter("upkeep", "thousand cur/year", 100, 460, 20)
value_lease = m.kpi("value_lease", "thousand cur/year", rent - upkeep)

# Sell it to a rival, which a promise rules out.
rival_offer = m.parameter("rival_offer", "thousand cur", 6000, 13000, 500)
value_rival = m.kpi("value_rival", "thousand cur/year", rival_offer * (1 - tax) * rate - bought_inside * dearer)

energy_over = m.parameter("energy_over", "thousand cur/year", 20, 90, 10)
pay_over = m.parameter("pay_over", "thousand cur/year", 20, 90, 10)

# What has no part in the answer.
sales = m.parameter("sales", "million cur/year", 4, 9, 0.5)
market_growth = m.parameter("market_growth", "%/year", 1, 4, 0.5)
outside_share = m.parameter("outside_share", "%", 60, 85, 5)
fullness = m.parameter("fullness", "%", 60, 84, 2)
crew = m.parameter("crew", "person", 24, 60, 4)
decide_by = m.parameter("decide_by", "month", 3, 8, 1)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 3, 11, 1)
peak_share = m.parameter("peak_share", "%", 30, 45, 5)
marketing = m.parameter("marketing", "thousand cur/year", 30, 90, 10)

m.require(rival_offer, 1.1 * offer)
m.require(1.5 * offer, rival_offer)
m.require(offer * rate, 2 * booked)
m.require(value_sale, 0.3 * offer * rate)

BLUEPRINT = Blueprint(
    blueprint_id="mergers_3",
    model=m,
    options=(
        Option("keep", value=value_keep, naive=booked),
        Option("sell_to_managers", value=value_sale, naive=offer * rate),
        Option("lease", value=value_lease, naive=rent),
        Option("sell_to_rival", value=value_rival, excluded=True),
    ),
    facts=(
        Fact("target.value", (booked,), given="middle"),
        Fact("cost.overhead", (allocated,), segment="share", given="easy"),
        Fact("cost.overhead", (stays,), segment="after", after=("cost.overhead:share",)),
        Fact("regulation.levy", (tax,)),
        Fact("supply.terms", (bought_inside, dearer)),
        Fact("cost.maintenance", (upkeep,)),
        Fact("constraint.commitment"),
        Fact("cost.energy", (energy_over,)),
        Fact("labour.wage", (pay_over,)),
        Fact("volume.own", (sales,)),
        Fact("market.growth", (market_growth,)),
        Fact("mix.segment", (outside_share,)),
        Fact("capacity.utilization", (fullness,)),
        Fact("labour.headcount", (crew,)),
        Fact("timing.deadline", (decide_by,)),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
        Fact("cost.marketing", (marketing,), noise=True),
    ),
    causes=(
        Cause("overhead", "root", fact="cost.overhead:after", effect=stranded),
        Cause("energy", "red_herring", fact="cost.energy", effect=energy_over),
        Cause("pay", "red_herring", fact="labour.wage", effect=pay_over),
    ),
    constraint="constraint.commitment",
    key_numbers=(stranded, value_keep, value_sale, value_lease),
    branches=("fixed_cost", "supply", "regulation", "labour", "constraints"),
)

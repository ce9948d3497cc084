"""A novelty that shops love in the first month: many try it, few buy it again.

Root cause: buyers do not come back. Red herrings: gaps on the shelf and a rival's promotion. The naive path reckons
that everybody who tries it stays, and launches it as it is.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model, Number

m = Model()

# The novelty as it is.
households = m.parameter("households", "thousand household", 1000, 3000, 200)
trial = m.parameter("trial", "%", 6, 14, 2)
repeat = m.parameter("repeat", "%", 10, 25, 5)
repeat_usual = m.parameter("repeat_usual", "%", 45, 60, 5)
packs = m.parameter("packs", "pack/household/year", 6, 14, 1)
price = m.parameter("price", "cur/pack", 2.4, 4, 0.2)
pack_cost = m.parameter("pack_cost", "cur/pack", 1.2, 2.4, 0.2)
campaign = m.parameter("campaign", "thousand cur/year", 100, 300, 25)
first_pack = Number(1, "pack/household/year")
pack_margin = m.kpi("pack_margin", "cur/pack", price - pack_cost)
triers = m.kpi("triers", "thousand household", households * trial)
packs_launch = m.kpi("packs_launch", "thousand pack/year", triers * (first_pack + repeat * packs))
value_launch = m.kpi("value_launch", "thousand cur/year", packs_launch * pack_margin - campaign)

# The novelty improved.
repeat_better = m.parameter("repeat_better", "%", 25, 50, 5)
dearer = m.parameter("dearer", "cur/pack", 0.1, 0.5, 0.1)
work_cost = m.parameter("work_cost", "thousand cur/year", 60, 200, 20)
packs_better = m.kpi("packs_better", "thousand pack/year", triers * (first_pack + repeat_better * packs))
value_improve = m.kpi(
    "value_improve", "thousand cur/year", packs_better * (pack_margin - dearer) - campaign - work_cost
)

# The line let to others instead, or the novelty under a chain's label, which a principle rules out.
filling = m.parameter("filling", "thousand cur/year", 250, 800, 25)
label_income = m.parameter("label_income", "thousand cur/year", 200, 700, 50)

# What is blamed for the weeks after the first month.
lost_repeat = m.kpi("lost_repeat", "thousand cur/year", triers * (repeat_usual - repeat) * packs * pack_margin)
gap_share = m.parameter("gap_share", "%", 3, 9, 1)
promotion_loss = m.parameter("promotion_loss", "thousand cur/year", 20, 80, 10)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 4, 12, 1)
known_share = m.parameter("known_share", "%", 30, 55, 5)
line_use = m.parameter("line_use", "%", 50, 70, 5)
depot_rent = m.parameter("depot_rent", "thousand cur/year", 40, 120, 10)
laboratory = m.parameter("laboratory", "person", 3, 9, 1)
audit_gap = m.parameter("audit_gap", "year", 1, 3, 1)
oldest_line = m.parameter("oldest_line", "year", 8, 20, 2)

m.require(pack_margin, 0.35 * price)
m.require(0.55 * price, pack_margin)
m.require(pack_margin, 3 * dearer)
m.require(value_launch, 0.2 * campaign)
m.require(value_improve, 0.2 * campaign)
m.require(repeat_better, repeat + 0.1)
m.require(repeat_usual, repeat_better + 0.05)

BLUEPRINT = Blueprint(
    blueprint_id="new_product_1",
    model=m,
    options=(
        Option("launch_now", value=value_launch, naive=triers * packs * pack_margin - campaign),
        Option(
            "improve_first", value=value_improve, naive=triers * packs * (pack_margin - dearer) - campaign - work_cost
        ),
        Option("fill_for_others", value=filling, naive=filling),
        Option("chain_label", value=label_income, excluded=True),
    ),
    facts=(
        Fact("market.size", (households,), given="middle"),
        Fact("customers.acquisition", (trial,), given="easy"),
        Fact("customers.retention", (repeat, repeat_usual), after=("customers.acquisition",)),
        Fact("volume.forecast", (packs,), after=("customers.retention",)),
        Fact("price.own", (price,), given="easy"),
        Fact("cost.unit", (pack_cost,)),
        Fact("customers.need", (repeat_better,), after=("customers.retention",)),
        Fact("cost.marketing", (campaign,), given="easy"),
        Fact("constraint.commitment"),
        Fact("supply.reliability", (gap_share,)),
        Fact("competitor.reaction", (promotion_loss,)),
        Fact("market.growth", (market_growth,)),
        Fact("market.share", (known_share,)),
        Fact("capacity.utilization", (line_use,)),
        Fact("cost.rent", (depot_rent,), noise=True),
        Fact("labour.headcount", (laboratory,), noise=True),
        Fact("regulation.rule", (audit_gap,), noise=True),
        Fact("technology.system", (oldest_line,), noise=True),
    ),
    causes=(
        Cause("not_again", "root", fact="customers.retention", effect=lost_repeat),
        Cause("gaps", "red_herring", fact="supply.reliability", effect=packs_launch * gap_share * pack_margin),
        Cause("promotion", "red_herring", fact="competitor.reaction", effect=promotion_loss),
    ),
    constraint="constraint.commitment",
    key_numbers=(packs_launch, value_launch, value_improve),
    branches=("customers", "volume", "variable_cost", "constraints"),
)

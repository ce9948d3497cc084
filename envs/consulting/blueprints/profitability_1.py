"""Sales grow and profit falls: buyers move from the offer that earns much to a lighter one that earns little.

Root cause: the mix. Each light unit replaces a full one and leaves a smaller margin. Red herring: overhead, which
rose in the same year, but by less than half of it. The naive path counts revenue and so pushes the light offer further.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# The two offers, last year and this year.
full_before = m.parameter("full_before", "thousand unit/year", 200, 300, 20)
full_now = m.parameter("full_now", "thousand unit/year", 120, 220, 10)
light_before = m.parameter("light_before", "thousand unit/year", 50, 100, 10)
light_now = m.parameter("light_now", "thousand unit/year", 160, 260, 10)
full_price = m.parameter("full_price", "cur/unit", 26, 40, 1)
full_cost = m.parameter("full_cost", "cur/unit", 10, 18, 1)
light_price = m.parameter("light_price", "cur/unit", 13, 20, 1)
light_cost = m.parameter("light_cost", "cur/unit", 8, 14, 1)
overhead_rise = m.parameter("overhead_rise", "thousand cur/year", 150, 500, 50)

full_margin = m.kpi("full_margin", "cur/unit", full_price - full_cost)
light_margin = m.kpi("light_margin", "cur/unit", light_price - light_cost)
full_lost = m.kpi("full_lost", "thousand unit/year", full_before - full_now)
light_gained = m.kpi("light_gained", "thousand unit/year", light_now - light_before)
mix_loss = m.kpi("mix_loss", "thousand cur/year", full_lost * full_margin - light_gained * light_margin)
profit_fall = m.kpi("profit_fall", "thousand cur/year", mix_loss + overhead_rise)

# Win light buyers back to the full offer.
return_share = m.parameter("return_share", "%", 10, 35, 5)
return_cost = m.parameter("return_cost", "thousand cur/year", 50, 300, 50)
returned = m.kpi("returned", "thousand unit/year", light_now * return_share)
gain_win_back = m.kpi("gain_win_back", "thousand cur/year", returned * (full_margin - light_margin) - return_cost)

# Raise the price of the light offer.
price_rise = m.parameter("price_rise", "cur/unit", 1, 3, 0.5)
lost_share = m.parameter("lost_share", "%", 5, 30, 5)
light_kept = m.kpi("light_kept", "thousand unit/year", light_now * (1 - lost_share))
gain_raise = m.kpi(
    "gain_raise", "thousand cur/year", light_kept * (light_margin + price_rise) - light_now * light_margin
)

# Advertise the light offer.
advertising = m.parameter("advertising", "thousand cur/year", 100, 300, 50)
advertised_units = m.parameter("advertised_units", "thousand unit/year", 40, 100, 10)
gain_advertise = m.kpi("gain_advertise", "thousand cur/year", advertised_units * light_margin - advertising)

# Cut staff, which a promise rules out.
staff_saving = m.parameter("staff_saving", "thousand cur/year", 200, 600, 50)

# What has no part in the answer.
rival_price = m.parameter("rival_price", "cur/unit", 12, 21, 1)
market_growth = m.parameter("market_growth", "%", 2, 6, 1)
satisfaction = m.parameter("satisfaction", "%", 78, 92, 2)
fullness = m.parameter("fullness", "%", 62, 84, 2)
repair_budget = m.parameter("repair_budget", "thousand cur/year", 80, 200, 20)
peak_share = m.parameter("peak_share", "%", 30, 45, 5)
system_age = m.parameter("system_age", "year", 4, 9, 1)
inspection_gap = m.parameter("inspection_gap", "year", 2, 5, 1)

m.require(light_margin, 2 * price_rise)
m.require(full_margin, 2 * light_margin)
m.require(light_gained, full_lost)
m.require(light_gained * light_price, 1.05 * full_lost * light_price)
m.require(gain_advertise, 0.1 * advertising)
m.require(gain_raise, 0.1 * overhead_rise)
m.require(gain_win_back, 0.1 * overhead_rise)
m.require(light_now * light_price + full_now * full_price, light_before * light_price + full_before * full_price)

BLUEPRINT = Blueprint(
    blueprint_id="profitability_1",
    model=m,
    options=(
        Option("win_back", value=gain_win_back, naive=returned * (full_price - light_price)),
        Option(
            "raise_price", value=gain_raise, naive=light_kept * (light_price + price_rise) - light_now * light_price
        ),
        Option("advertise", value=gain_advertise, naive=advertised_units * light_price),
        Option("cut_staff", value=staff_saving, excluded=True),
    ),
    facts=(
        Fact("volume.trend", (full_before, full_now), segment="full", given="easy"),
        Fact("volume.trend", (light_before, light_now), segment="light", given="easy"),
        Fact("price.own", (full_price, light_price), given="easy"),
        Fact("cost.unit", (full_cost, light_cost)),
        Fact("cost.overhead", (overhead_rise,)),
        Fact("customers.need", (return_share, return_cost), after=("volume.trend:light",)),
        Fact("price.willingness", (lost_share,), after=("price.own",)),
        Fact("volume.forecast", (advertised_units,), given="middle"),
        Fact("constraint.commitment"),
        Fact("competitor.price", (rival_price,), after=("price.own",)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (satisfaction,)),
        Fact("capacity.utilization", (fullness,)),
        Fact("cost.maintenance", (repair_budget,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("regulation.rule", (inspection_gap,), noise=True),
    ),
    causes=(
        Cause("mix", "root", fact="cost.unit", effect=mix_loss),
        Cause("overhead", "red_herring", fact="cost.overhead", effect=overhead_rise),
        Cause("rivals", "neutral", fact="competitor.price"),
    ),
    constraint="constraint.commitment",
    key_numbers=(light_margin, profit_fall, gain_win_back, gain_raise),
    branches=("price", "variable_cost", "fixed_cost", "customers", "constraints"),
)

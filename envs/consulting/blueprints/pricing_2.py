"""Whose price to raise: a buyer who stays away takes along what he would have spent besides the ticket.

Root cause: the side spending that leaves with those who leave. Red herrings: dearer energy and a rival nearby.
The naive path reckons takings at the counter and so raises every price.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, maximum

m = Model()

# Two groups, what they pay, what they spend besides, what a visit costs.
guests = m.parameter("guests", "thousand visit/year", 80, 180, 10)
regulars = m.parameter("regulars", "thousand visit/year", 100, 240, 10)
guest_price = m.parameter("guest_price", "cur/visit", 14, 24, 1)
regular_price = m.parameter("regular_price", "cur/visit", 8, 15, 1)
guest_side = m.parameter("guest_side", "cur/visit", 3, 11, 0.5)
regular_side = m.parameter("regular_side", "cur/visit", 2, 11, 0.5)
visit_cost = m.parameter("visit_cost", "cur/visit", 1, 3, 0.5)
rise = m.parameter("rise", "cur/visit", 1, 4, 0.5)
guests_away = m.parameter("guests_away", "%", 4, 30, 2)
regulars_away = m.parameter("regulars_away", "%", 4, 30, 2)

guests_lost = m.kpi("guests_lost", "thousand visit/year", guests * guests_away)
regulars_lost = m.kpi("regulars_lost", "thousand visit/year", regulars * regulars_away)
guest_worth = m.kpi("guest_worth", "cur/visit", guest_price + guest_side - visit_cost)
regular_worth = m.kpi("regular_worth", "cur/visit", regular_price + regular_side - visit_cost)
gain_guests = m.kpi("gain_guests", "thousand cur/year", (guests - guests_lost) * rise - guests_lost * guest_worth)
gain_regulars = m.kpi(
    "gain_regulars", "thousand cur/year", (regulars - regulars_lost) * rise - regulars_lost * regular_worth
)
visits_lost = m.kpi("visits_lost", "thousand visit/year", guests_lost + regulars_lost)
gain_all = m.kpi("gain_all", "thousand cur/year", gain_guests + gain_regulars)

# Leave the prices and close on the quietest day.
spared = m.parameter("spared", "thousand cur/year", 110, 340, 10)
quiet_visits = m.parameter("quiet_visits", "thousand visit/year", 4, 16, 1)
gain_close = m.kpi("gain_close", "thousand cur/year", spared - quiet_visits * regular_worth)

# How many visits may be lost, and what goes along with them.
visit_limit = m.parameter("visit_limit", "thousand visit/year", 10, 50, 2)
side_lost = m.kpi("side_lost", "thousand cur/year", guests_lost * guest_side + regulars_lost * regular_side)

# What looks like the cause, and what has no part in the answer.
energy_rise = m.parameter("energy_rise", "thousand cur/year", 20, 120, 10)
rival_took = m.parameter("rival_took", "thousand cur/year", 10, 90, 10)
market_growth = m.parameter("market_growth", "%/year", 1, 4, 0.5)
content = m.parameter("content", "%", 78, 92, 2)
filling = m.parameter("filling", "%", 45, 70, 5)
discount = m.parameter("discount", "%", 5, 15, 5)
wage = m.parameter("wage", "cur/hour", 18, 26, 1)
repairs = m.parameter("repairs", "thousand cur/year", 60, 160, 10)
posters = m.parameter("posters", "thousand cur/year", 20, 70, 5)
system_age = m.parameter("system_age", "year", 3, 9, 1)
permit_left = m.parameter("permit_left", "year", 5, 14, 1)

guest_takings = (guests - guests_lost) * rise - guests_lost * guest_price
regular_takings = (regulars - regulars_lost) * rise - regulars_lost * regular_price
m.require(guest_takings, 0.2 * guests_lost * rise)
m.require(regular_takings, 0.2 * regulars_lost * rise)
m.require(gain_close, 0.1 * spared)
m.require(maximum(gain_guests, 0 * spared - gain_guests), 0.05 * spared)
m.require(maximum(gain_regulars, 0 * spared - gain_regulars), 0.05 * spared)
m.require(guest_price, 3 * rise)
m.require(regular_price, 2.5 * rise)
m.require(guest_price, 1.2 * regular_price)
m.require(0.7 * guest_price, guest_side)
m.require(regular_price, regular_side)
m.require(gain_guests + gain_regulars + 0.3 * spared, 0.02 * spared)

BLUEPRINT = Blueprint(
    blueprint_id="pricing_2",
    model=m,
    options=(
        Option(
            "raise_all",
            value=gain_all,
            needs=(Need(visits_lost, visit_limit),),
            naive=guest_takings + regular_takings,
        ),
        Option("raise_guests", value=gain_guests, needs=(Need(guests_lost, visit_limit),), naive=guest_takings),
        Option("raise_regulars", value=gain_regulars, needs=(Need(regulars_lost, visit_limit),), naive=regular_takings),
        Option("quiet_day", value=gain_close, needs=(Need(quiet_visits, visit_limit),), naive=0 * spared),
    ),
    facts=(
        Fact("volume.own", (guests, regulars), given="easy"),
        Fact("price.own", (guest_price, regular_price), given="middle"),
        Fact("mix.margin", (guest_side, regular_side)),
        Fact("cost.unit", (visit_cost,), given="easy"),
        Fact("price.willingness", (guests_away,), segment="guests", after=("price.own",)),
        Fact("price.willingness", (regulars_away,), segment="regulars", after=("price.own",)),
        Fact("cost.fixed", (spared,)),
        Fact("volume.seasonality", (quiet_visits,), given="easy"),
        Fact("constraint.limit", (visit_limit,)),
        Fact("cost.energy", (energy_rise,)),
        Fact("competitor.offer", (rival_took,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (content,)),
        Fact("capacity.utilization", (filling,)),
        Fact("price.discount", (discount,)),
        Fact("labour.wage", (wage,)),
        Fact("cost.maintenance", (repairs,), noise=True),
        Fact("cost.marketing", (posters,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("regulation.rule", (permit_left,), noise=True),
    ),
    causes=(
        Cause("side_spending", "root", fact="mix.margin", effect=side_lost),
        Cause("energy", "red_herring", fact="cost.energy", effect=energy_rise),
        Cause("neighbour", "red_herring", fact="competitor.offer", effect=rival_took),
    ),
    constraint="constraint.limit",
    key_numbers=(side_lost, gain_guests, gain_regulars, gain_close),
    branches=("price", "mix", "volume", "fixed_cost", "constraints"),
)

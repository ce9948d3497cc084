"""Customers pour in and profit sinks: those won by a promotion leave before they have paid for being won.

Root cause: how briefly promoted customers stay. Red herrings: the rent and a rival who took a few old customers.
The naive path reckons that everybody stays as long as the old customers do, and so doubles the promotion.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# A customer by the month, and how long he or she stays.
fee = m.parameter("fee", "cur/customer/month", 36, 60, 2)
upkeep = m.parameter("upkeep", "cur/customer/month", 6, 16, 2)
contribution = m.kpi("contribution", "cur/customer/month", fee - upkeep)
promo_stay = m.parameter("promo_stay", "month", 2, 6, 0.5)
usual_stay = m.parameter("usual_stay", "month", 14, 26, 1)

# Customers won by the promotion.
promo_won = m.parameter("promo_won", "customer/year", 3000, 9000, 500)
promo_cost = m.parameter("promo_cost", "cur/customer", 120, 240, 10)
promo_earned = m.kpi("promo_earned", "cur/customer", contribution * promo_stay)
promo_loss = m.kpi("promo_loss", "cur/customer", promo_cost - promo_earned)
drain = m.kpi("drain", "thousand cur/year", promo_won * promo_loss)

# Put the money into a reward for customers who bring somebody.
reward = m.parameter("reward", "cur/customer", 30, 90, 10)
referred = m.parameter("referred", "customer/year", 200, 900, 50)
gain_refer = m.kpi("gain_refer", "thousand cur/year", drain + referred * (contribution * usual_stay - reward))

# Keep the promotion, but bind those who take it.
term = m.parameter("term", "month", 7, 12, 1)
signing = m.parameter("signing", "%", 30, 60, 5)
gain_bind = m.kpi("gain_bind", "thousand cur/year", drain + promo_won * signing * (contribution * term - promo_cost))

# Look after the newcomers so that they stay longer, for which there is only so much money.
care = m.parameter("care", "cur/customer", 40, 90, 5)
extra_stay = m.parameter("extra_stay", "month", 3, 8, 0.5)
care_bill = m.kpi("care_bill", "thousand cur/year", promo_won * care)
budget = m.parameter("budget", "thousand cur/year", 200, 800, 20)
gain_care = m.kpi("gain_care", "thousand cur/year", promo_won * contribution * extra_stay - care_bill)

# Double the promotion.
promo_extra = m.parameter("promo_extra", "customer/year", 2000, 6000, 500)
loss_double = m.kpi("loss_double", "thousand cur/year", promo_extra * promo_loss)

# What looks like the cause, and what has no part in the answer.
rent_rise = m.parameter("rent_rise", "thousand cur/year", 20, 140, 10)
rival_left = m.parameter("rival_left", "customer", 60, 300, 20)
rival_fee = m.parameter("rival_fee", "cur/customer/month", 30, 44, 2)
market_growth = m.parameter("market_growth", "%/year", 4, 12, 1)
rating = m.parameter("rating", "%", 82, 94, 2)
peak_use = m.parameter("peak_use", "%", 55, 75, 5)
office_rise = m.parameter("office_rise", "thousand cur/year", 5, 25, 5)
absence = m.parameter("absence", "%", 3, 7, 0.5)
system_age = m.parameter("system_age", "year", 2, 6, 1)
spring_share = m.parameter("spring_share", "%", 22, 34, 2)
licences = m.parameter("licences", "thousand cur/year", 10, 40, 5)

m.require(promo_loss, 0.15 * promo_cost)
m.require(promo_earned, 0.3 * promo_cost)
m.require(0.75 * usual_stay, term)
m.require(contribution * term, 1.1 * promo_cost)
m.require(0.6 * usual_stay, promo_stay + extra_stay)
m.require(gain_care, 0.2 * care_bill)
m.require(contribution * usual_stay, 2 * promo_cost)

BLUEPRINT = Blueprint(
    blueprint_id="profitability_3",
    model=m,
    options=(
        Option("reward_friends", value=gain_refer, naive=referred * (contribution * usual_stay - reward)),
        Option("minimum_term", value=gain_bind),
        Option("first_months", value=gain_care, needs=(Need(care_bill, budget),), naive=gain_care),
        Option(
            "double_promotion",
            value=Number(0, "cur/year") - loss_double,
            needs=(Need(promo_extra * promo_cost, budget),),
            naive=promo_extra * (contribution * usual_stay - promo_cost),
        ),
    ),
    facts=(
        Fact("price.own", (fee,), given="middle"),
        Fact("cost.unit", (upkeep,), given="easy"),
        Fact("customers.acquisition", (promo_won, promo_cost), segment="promotion", given="easy"),
        Fact("customers.retention", (usual_stay,), segment="usual", given="easy"),
        Fact("customers.retention", (promo_stay,), segment="promotion"),
        Fact("customers.acquisition", (referred,), segment="friends"),
        Fact("price.willingness", (signing,)),
        Fact("customers.need", (extra_stay,), after=("customers.retention:promotion",)),
        Fact("constraint.limit", (budget,)),
        Fact("cost.rent", (rent_rise,)),
        Fact("competitor.offer", (rival_left,)),
        Fact("competitor.price", (rival_fee,), after=("competitor.offer",)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (rating,)),
        Fact("capacity.utilization", (peak_use,)),
        Fact("cost.overhead", (office_rise,)),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (spring_share,), noise=True),
        Fact("regulation.rule", (licences,), noise=True),
    ),
    causes=(
        Cause("short_stay", "root", fact="customers.retention:promotion", effect=drain),
        Cause("rent", "red_herring", fact="cost.rent", effect=rent_rise),
        Cause("rival", "red_herring", fact="competitor.offer", effect=rival_left * contribution),
    ),
    constraint="constraint.limit",
    key_numbers=(promo_loss, gain_refer, gain_bind, gain_care),
    branches=("customers", "price", "fixed_cost", "competitors", "constraints"),
)

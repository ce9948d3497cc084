"""A chain opens outlet after outlet and its older ones shrink: a good part of what a new one sells was sold next door.

Root cause: new outlets draw on the chain's own. Red herrings: a rival's openings and a loyalty discount, both small.
The naive path counts all sales of further outlets as growth.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# Further outlets.
new_outlets = m.parameter("new_outlets", "outlet", 6, 14, 2)
outlet_sales = m.parameter("outlet_sales", "thousand cur/outlet/year", 320, 520, 20)
drawn_share = m.parameter("drawn_share", "%", 20, 45, 5)
margin = m.parameter("margin", "%", 40, 56, 4)
outlet_cost = m.parameter("outlet_cost", "thousand cur/outlet/year", 50, 90, 5)
outlet_capex = m.parameter("outlet_capex", "thousand cur/outlet", 125, 250, 25)
charge = m.parameter("charge", "%/year", 8, 14, 2)
added_sales = m.kpi("added_sales", "thousand cur/year", new_outlets * outlet_sales * (1 - drawn_share))
gain_open = m.kpi(
    "gain_open",
    "thousand cur/year",
    added_sales * margin - new_outlets * outlet_cost - new_outlets * outlet_capex * charge,
)

# The older outlets, done up.
old_outlets = m.parameter("old_outlets", "outlet", 20, 40, 5)
old_sales = m.parameter("old_sales", "thousand cur/outlet/year", 240, 400, 20)
uplift = m.parameter("uplift", "%", 6, 15, 1)
refit_capex = m.parameter("refit_capex", "thousand cur/outlet", 20, 60, 5)
refit_rise = m.kpi("refit_rise", "thousand cur/year", old_outlets * old_sales * uplift)
gain_refit = m.kpi("gain_refit", "thousand cur/year", refit_rise * margin - old_outlets * refit_capex * charge)

# A service that comes to the customer.
service_sales = m.parameter("service_sales", "thousand cur/year", 1200, 5200, 200)
delivery_share = m.parameter("delivery_share", "%", 20, 36, 2)
service_cost = m.parameter("service_cost", "thousand cur/year", 150, 400, 25)
gain_service = m.kpi("gain_service", "thousand cur/year", service_sales * (margin - delivery_share) - service_cost)

# The name let to others, which a promise rules out.
licence_income = m.parameter("licence_income", "thousand cur/year", 300, 800, 50)

# What made the older outlets shrink: the openings of the last years, and what is blamed instead.
opened = m.parameter("opened", "outlet", 8, 16, 2)
drawn_profit = m.kpi("drawn_profit", "thousand cur/year", opened * outlet_sales * drawn_share * margin)
rival_sales = m.parameter("rival_sales", "thousand cur/year", 120, 400, 40)
discount_cost = m.parameter("discount_cost", "thousand cur/year", 40, 180, 20)

# What has no part in the answer.
market_growth = m.parameter("market_growth", "%/year", 1, 4, 0.5)
satisfied = m.parameter("satisfied", "%", 76, 92, 2)
absence = m.parameter("absence", "%", 4, 7, 0.5)
till_age = m.parameter("till_age", "year", 3, 8, 1)
office_rent = m.parameter("office_rent", "thousand cur/year", 60, 180, 20)
busy_share = m.parameter("busy_share", "%", 30, 45, 5)

m.require(gain_open, 0.05 * added_sales * margin)
m.require(gain_refit, 0.2 * refit_rise * margin)
m.require(gain_service, 0.2 * service_cost)
m.require(margin, delivery_share + 0.08)
m.require(outlet_sales, 1.1 * old_sales)
m.require(2 * old_outlets, 3 * new_outlets)

BLUEPRINT = Blueprint(
    blueprint_id="growth_1",
    model=m,
    options=(
        Option("open_more", value=gain_open, naive=new_outlets * outlet_sales),
        Option("refit", value=gain_refit, naive=refit_rise),
        Option("service", value=gain_service, naive=service_sales),
        Option("licence", value=licence_income, excluded=True),
    ),
    facts=(
        Fact("volume.forecast", (outlet_sales,), segment="new_outlet", given="middle"),
        Fact("mix.segment", (drawn_share,), segment="new_outlet", after=("volume.forecast:new_outlet",)),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("cost.fixed", (outlet_cost,), given="easy"),
        Fact("volume.own", (old_sales,), given="easy"),
        Fact("volume.forecast", (uplift,), segment="refit", after=("volume.own",)),
        Fact("investment.capex", (outlet_capex, refit_capex)),
        Fact("cost.distribution", (delivery_share, service_cost)),
        Fact("constraint.commitment"),
        Fact("volume.trend", (opened,)),
        Fact("competitor.offer", (rival_sales,)),
        Fact("price.discount", (discount_cost,)),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (satisfied,)),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (till_age,), noise=True),
        Fact("cost.rent", (office_rent,), noise=True),
        Fact("volume.seasonality", (busy_share,), noise=True),
    ),
    causes=(
        Cause("own_outlets", "root", fact="mix.segment:new_outlet", effect=drawn_profit),
        Cause("rival", "red_herring", fact="competitor.offer", effect=rival_sales * margin),
        Cause("discount", "red_herring", fact="price.discount", effect=discount_cost),
    ),
    constraint="constraint.commitment",
    key_numbers=(added_sales, gain_open, gain_refit, gain_service),
    branches=("volume", "mix", "variable_cost", "investment", "constraints"),
)

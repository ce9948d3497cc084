"""The web shop sends more each year and the firm earns less: too much of what it sends comes back.

Root cause: the cost of returns in the web shop. Red herrings: dearer advertising and a rival's lower prices.
The naive path reckons the full margin on every piece that is sent, and so pushes the web shop.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model, Number

m = Model()

# A piece that the web shop sends.
sent_before = m.parameter("sent_before", "thousand unit/year", 20, 50, 5)
sent_now = m.parameter("sent_now", "thousand unit/year", 60, 120, 5)
price = m.parameter("price", "cur/unit", 90, 150, 5)
cost = m.parameter("cost", "cur/unit", 55, 100, 5)
return_share = m.parameter("return_share", "%", 30, 50, 5)
sending = m.parameter("sending", "cur/unit", 8, 16, 1)
taking_back = m.parameter("taking_back", "cur/unit", 10, 20, 1)
spoilt = m.parameter("spoilt", "cur/unit", 12, 36, 2)

unit_margin = m.kpi("unit_margin", "cur/unit", price - cost)
return_cost = m.kpi("return_cost", "cur/unit", taking_back + spoilt)
returns_each = m.kpi("returns_each", "cur/unit", return_share * return_cost)
sent_loss = m.kpi("sent_loss", "cur/unit", returns_each + sending - (1 - return_share) * unit_margin)
sent_more = m.kpi("sent_more", "thousand unit/year", sent_now - sent_before)
drag = m.kpi("drag", "thousand cur/year", sent_more * sent_loss)

# Advise buyers better, so that pieces which came back are kept.
fewer = m.parameter("fewer", "%", 4, 12, 1)
advice_cost = m.parameter("advice_cost", "thousand cur/year", 60, 240, 20)
kept_more = m.kpi("kept_more", "thousand unit/year", sent_now * fewer)
gain_advice = m.kpi("gain_advice", "thousand cur/year", kept_more * (unit_margin + return_cost) - advice_cost)

# Have buyers fetch their piece from a dealer, who is paid for it and takes back what does not suit.
fetching = m.parameter("fetching", "%", 15, 40, 5)
dealer_fee = m.parameter("dealer_fee", "cur/unit", 8, 18, 1)
fetched = m.kpi("fetched", "thousand unit/year", sent_now * fetching)
gain_fetch = m.kpi("gain_fetch", "thousand cur/year", fetched * (sending + returns_each - dealer_fee))

# Charge for what is sent back, or advertise the web shop.
return_fee = m.parameter("return_fee", "cur/unit", 4, 9, 1)
gain_fee = m.kpi("gain_fee", "thousand cur/year", sent_now * return_share * return_fee)
sent_extra = m.parameter("sent_extra", "thousand unit/year", 15, 40, 5)
campaign = m.parameter("campaign", "thousand cur/year", 100, 300, 20)
loss_push = m.kpi("loss_push", "thousand cur/year", sent_extra * sent_loss + campaign)

# What looks like the cause, and what has no part in the answer.
click_rise = m.parameter("click_rise", "thousand cur/year", 30, 150, 10)
price_cut = m.parameter("price_cut", "thousand cur/year", 10, 60, 10)
dealers_now = m.parameter("dealers_now", "thousand unit/year", 80, 140, 10)
dealer_price = m.parameter("dealer_price", "%", 56, 70, 2)
market_growth = m.parameter("market_growth", "%/year", 3, 9, 1)
stars = m.parameter("stars", "%", 84, 95, 1)
stock_days = m.parameter("stock_days", "day", 60, 110, 5)
rent = m.parameter("rent", "thousand cur/year", 100, 240, 20)
absence = m.parameter("absence", "%", 3, 7, 0.5)
autumn_share = m.parameter("autumn_share", "%", 30, 44, 2)
system_age = m.parameter("system_age", "year", 2, 7, 1)

m.require(sent_loss, 0.02 * price)
m.require(unit_margin, 1.6 * sending)
m.require(0.5 * cost, spoilt)
m.require(gain_advice, 0.5 * advice_cost)
m.require(sending + returns_each, 1.2 * dealer_fee)
m.require(0.3 * return_share, fewer)

BLUEPRINT = Blueprint(
    blueprint_id="profitability_4",
    model=m,
    options=(
        Option("better_advice", value=gain_advice, naive=kept_more * unit_margin - advice_cost),
        Option("fetch_at_dealer", value=gain_fetch, naive=fetched * (sending - dealer_fee)),
        Option("return_charge", value=gain_fee, excluded=True),
        Option("push_web", value=Number(0, "cur/year") - loss_push, naive=sent_extra * unit_margin),
    ),
    facts=(
        Fact("volume.trend", (sent_before, sent_now), segment="web", given="easy"),
        Fact("price.own", (price,), given="middle"),
        Fact("cost.unit", (cost,), given="easy"),
        Fact("operations.quality", (return_share,), after=("volume.trend:web",)),
        Fact("cost.distribution", (sending, taking_back, spoilt)),
        Fact("customers.need", (fewer,), after=("operations.quality",)),
        Fact("mix.channel", (fetching,)),
        Fact("constraint.commitment"),
        Fact("cost.marketing", (click_rise,)),
        Fact("competitor.price", (price_cut,)),
        Fact("volume.own", (dealers_now,), segment="dealers"),
        Fact("price.discount", (dealer_price,), segment="dealers"),
        Fact("market.growth", (market_growth,)),
        Fact("customers.satisfaction", (stars,)),
        Fact("supply.inventory", (stock_days,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("volume.seasonality", (autumn_share,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("returns", "root", fact="operations.quality", effect=drag),
        Cause("clicks", "red_herring", fact="cost.marketing", effect=click_rise),
        Cause("cheap_rival", "red_herring", fact="competitor.price", effect=price_cut),
    ),
    constraint="constraint.commitment",
    key_numbers=(sent_loss, drag, gain_advice, gain_fetch),
    branches=("volume", "variable_cost", "operations", "customers", "mix"),
)

"""A large market abroad that is mostly tied: what can be reached alone is a fraction of what the size suggests.

Root cause: most buyers are bound by exclusive contracts. Red herrings: local prices and a levy, which both cost little.
The naive path takes the market as a whole and enters alone.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

market_size = m.parameter("market_size", "million cur/year", 200, 400, 20)
open_share = m.parameter("open_share", "%", 10, 30, 5)
won_share = m.parameter("won_share", "%", 10, 25, 5)
margin = m.parameter("margin", "%", 24, 36, 2)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)

# With a branch of one's own.
branch_cost = m.parameter("branch_cost", "thousand cur/year", 500, 1500, 100)
branch_capex = m.parameter("branch_capex", "thousand cur", 1000, 3000, 250)
sales_alone = m.kpi("sales_alone", "million cur/year", market_size * open_share * won_share)
branch_charge = m.kpi("branch_charge", "thousand cur/year", branch_capex * hurdle)
value_alone = m.kpi("value_alone", "thousand cur/year", sales_alone * margin - branch_cost - branch_charge)

# Through a partner who serves part of the buyers that are bound.
served_share = m.parameter("served_share", "%", 20, 40, 5)
partner_share = m.parameter("partner_share", "%", 6, 16, 2)
commission = m.parameter("commission", "%", 8, 16, 2)
partner_fee = m.parameter("partner_fee", "thousand cur/year", 100, 300, 50)
partner_capex = m.parameter("partner_capex", "thousand cur", 200, 800, 100)
sales_partner = m.kpi("sales_partner", "million cur/year", market_size * served_share * partner_share)
partner_charge = m.kpi("partner_charge", "thousand cur/year", partner_capex * hurdle)
value_partner = m.kpi(
    "value_partner", "thousand cur/year", sales_partner * (margin - commission) - partner_fee - partner_charge
)

# Buying a firm there, which may cost more than there is; or spending the money at home.
target_profit = m.parameter("target_profit", "thousand cur/year", 1200, 2600, 100)
target_price = m.parameter("target_price", "thousand cur", 6000, 12000, 500)
budget = m.parameter("budget", "thousand cur", 3500, 9000, 500)
value_buy = m.kpi("value_buy", "thousand cur/year", target_profit - target_price * hurdle)
home_gain = m.parameter("home_gain", "thousand cur/year", 200, 900, 50)

# The whole market, as the naive path sees it, and what keeps most of it away.
naive_sales = m.kpi("naive_sales", "million cur/year", market_size * won_share)
tied_profit = m.kpi("tied_profit", "thousand cur/year", (naive_sales - sales_alone) * margin)
price_gap = m.parameter("price_gap", "%", 1, 5, 1)
levy_rate = m.parameter("levy_rate", "%", 1, 3, 0.5)

# What has no part in the answer.
growth = m.parameter("growth", "%/year", 5, 12, 1)
reaction_cut = m.parameter("reaction_cut", "%", 1, 4, 1)
rated_first = m.parameter("rated_first", "%", 55, 75, 5)
home_rent = m.parameter("home_rent", "thousand cur/year", 120, 300, 20)
absence = m.parameter("absence", "%", 3, 6, 0.5)
speakers = m.parameter("speakers", "person", 4, 12, 1)
system_age = m.parameter("system_age", "year", 2, 7, 1)

m.require(value_partner, 0.1 * partner_fee)
m.require(sales_alone * margin, 0.5 * branch_cost)
m.require(target_price, 1.1 * budget)

BLUEPRINT = Blueprint(
    blueprint_id="market_entry_1",
    model=m,
    options=(
        Option("enter_alone", value=value_alone, naive=naive_sales * margin - branch_cost),
        Option("partner", value=value_partner, naive=naive_sales * (margin - commission) - partner_fee),
        Option(
            "buy", value=value_buy, needs=(Need(target_price, budget),), naive=target_profit - target_price * hurdle
        ),
        Option("stay_home", value=home_gain, naive=home_gain),
    ),
    facts=(
        Fact("market.size", (market_size,), given="middle"),
        Fact("market.share", (open_share,), segment="open"),
        Fact("market.share", (won_share,), segment="won", given="easy"),
        Fact("mix.margin", (margin,), given="easy"),
        Fact("cost.fixed", (branch_cost,), given="easy"),
        Fact("mix.channel", (served_share, partner_share), after=("market.share:open",)),
        Fact("cost.distribution", (commission,), after=("mix.channel",)),
        Fact("investment.capex", (branch_capex, partner_capex)),
        Fact("constraint.limit", (budget,)),
        Fact("competitor.price", (price_gap,)),
        Fact("competitor.reaction", (reaction_cut,), after=("competitor.price",)),
        Fact("regulation.levy", (levy_rate,)),
        Fact("customers.need", (rated_first,)),
        Fact("market.growth", (growth,)),
        Fact("cost.rent", (home_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("people.skills", (speakers,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("tied", "root", fact="market.share:open", effect=tied_profit),
        Cause("prices", "red_herring", fact="competitor.price", effect=sales_alone * price_gap),
        Cause("levy", "red_herring", fact="regulation.levy", effect=sales_alone * levy_rate),
    ),
    constraint="constraint.limit",
    key_numbers=(sales_alone, value_alone, value_partner),
    branches=("market", "mix", "variable_cost", "investment", "constraints"),
)

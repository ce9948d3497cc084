"""A firm cannot fill the orders it has: its growth is tied up in what customers have not yet paid.

Root cause: the shops pay late. Red herrings: the instalments on a machine, and bad debts. The naive path takes the
largest order, which ties up more money than the owners will borrow.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

interest = m.parameter("interest", "%/year", 6, 12, 1)
stock_months = m.parameter("stock_months", "month", 1, 3, 0.5)
room = m.parameter("room", "thousand cur", 300, 900, 50)

# The order of a chain.
chain_sales = m.parameter("chain_sales", "thousand cur/year", 1800, 3600, 120)
chain_margin = m.parameter("chain_margin", "%", 16, 26, 2)
chain_months = m.parameter("chain_months", "month", 2, 4, 0.5)
tied_chain = m.kpi("tied_chain", "thousand cur", chain_sales * (chain_months + stock_months))
value_chain = m.kpi("value_chain", "thousand cur/year", chain_sales * chain_margin - tied_chain * interest)

# A shop of one's own on the net: paid at once.
web_sales = m.parameter("web_sales", "thousand cur/year", 960, 2160, 120)
web_margin = m.parameter("web_margin", "%", 34, 48, 2)
web_marketing = m.parameter("web_marketing", "thousand cur/year", 100, 350, 25)
tied_web = m.kpi("tied_web", "thousand cur", web_sales * stock_months)
value_web = m.kpi("value_web", "thousand cur/year", web_sales * web_margin - web_marketing - tied_web * interest)

# An agent abroad.
export_sales = m.parameter("export_sales", "thousand cur/year", 960, 2160, 120)
export_margin = m.parameter("export_margin", "%", 22, 34, 2)
export_months = m.parameter("export_months", "month", 1, 2, 0.5)
tied_export = m.kpi("tied_export", "thousand cur", export_sales * (export_months + stock_months))
value_export = m.kpi("value_export", "thousand cur/year", export_sales * export_margin - tied_export * interest)

# The name for a fee, without any money tied up.
licence_fee = m.parameter("licence_fee", "thousand cur/year", 120, 320, 20)

# Where the money is now.
shop_sales = m.parameter("shop_sales", "thousand cur/year", 2400, 4800, 240)
shop_months = m.parameter("shop_months", "month", 2.5, 4, 0.5)
tied_now = m.kpi("tied_now", "thousand cur", shop_sales * shop_months)
instalments = m.parameter("instalments", "thousand cur", 60, 180, 20)
unpaid = m.parameter("unpaid", "thousand cur", 20, 80, 10)

# What has no part in the answer.
asked_for = m.parameter("asked_for", "%", 60, 80, 5)
market_growth = m.parameter("market_growth", "%/year", 3, 8, 1)
rival_lines = m.parameter("rival_lines", "unit", 40, 90, 10)
store_rent = m.parameter("store_rent", "thousand cur/year", 40, 120, 10)
absence = m.parameter("absence", "%", 3, 6, 0.5)
system_age = m.parameter("system_age", "year", 2, 8, 1)
season_share = m.parameter("season_share", "%", 35, 55, 5)

m.require(value_web, 0.3 * web_marketing)
m.require(tied_chain, 1.08 * room)
m.require(value_chain, 1.05 * value_export)
m.require(chain_sales, 1.2 * web_sales)
m.require(chain_sales, 1.2 * export_sales)

BLUEPRINT = Blueprint(
    blueprint_id="growth_4",
    model=m,
    options=(
        Option("chain", value=value_chain, needs=(Need(tied_chain, room),), naive=chain_sales),
        Option("web_shop", value=value_web, needs=(Need(tied_web, room),), naive=web_sales),
        Option("agent", value=value_export, needs=(Need(tied_export, room),), naive=export_sales),
        Option("licence", value=licence_fee, naive=licence_fee),
    ),
    facts=(
        Fact("cash.working_capital", (shop_sales, shop_months), segment="shops"),
        Fact("volume.forecast", (web_sales,), segment="web", given="middle"),
        Fact("volume.forecast", (export_sales,), segment="agent", given="easy"),
        Fact("mix.margin", (chain_margin, web_margin, export_margin), given="easy"),
        Fact("cash.debt", (interest,), given="easy"),
        Fact("cash.working_capital", (chain_months, export_months), segment="new_buyers"),
        Fact("supply.inventory", (stock_months,)),
        Fact("cost.marketing", (web_marketing,), after=("volume.forecast:web",)),
        Fact("constraint.limit", (room,)),
        Fact("investment.capex", (instalments,)),
        Fact("customers.concentration", (unpaid,)),
        Fact("customers.need", (asked_for,)),
        Fact("market.growth", (market_growth,)),
        Fact("competitor.offer", (rival_lines,)),
        Fact("cost.rent", (store_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("volume.seasonality", (season_share,), noise=True),
    ),
    causes=(
        Cause("late_payers", "root", fact="cash.working_capital:shops", effect=tied_now),
        Cause("machine", "red_herring", fact="investment.capex", effect=instalments),
        Cause("bad_debts", "red_herring", fact="customers.concentration", effect=unpaid),
    ),
    constraint="constraint.limit",
    key_numbers=(tied_now, tied_chain, value_web, value_export),
    branches=("cash", "supply", "fixed_cost", "constraints"),
)

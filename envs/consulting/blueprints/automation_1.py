"""Software that was to type orders saves little: most orders are no standard ones, and a person still settles them.

Root cause: the share of exceptions. Red herring: misread fields, which cost a fraction of it. The naive path counts
every order as saved and so buys the large suite.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

orders = m.parameter("orders", "thousand order/year", 40, 160, 10)
minutes = m.parameter("minutes", "minute/order", 6, 15, 1)
wage = m.parameter("wage", "cur/hour", 24, 42, 2)
standard_share = m.parameter("standard_share", "%", 20, 45, 5)
charge_rate = m.parameter("charge_rate", "%/year", 20, 30, 5)

full_cost = m.kpi("full_cost", "thousand cur/year", orders * minutes * wage)

# The suite that reads every order, and stops at those that are no standard ones.
suite_fee = m.parameter("suite_fee", "thousand cur/year", 40, 140, 10)
suite_capex = m.parameter("suite_capex", "thousand cur", 100, 400, 20)
hours_saved = m.kpi("hours_saved", "thousand hour/year", orders * standard_share * minutes)
value_suite = m.kpi("value_suite", "thousand cur/year", hours_saved * wage - suite_fee - suite_capex * charge_rate)

# A form that has customers put the order into an order that the system understands.
form_share = m.parameter("form_share", "%", 20, 60, 5)
form_fee = m.parameter("form_fee", "thousand cur/year", 20, 80, 5)
form_capex = m.parameter("form_capex", "thousand cur", 40, 200, 20)
value_form = m.kpi(
    "value_form", "thousand cur/year", orders * form_share * minutes * wage - form_fee - form_capex * charge_rate
)

# Working by hand in one team, and handing the work to a bureau, which a promise rules out.
team_gain = m.parameter("team_gain", "thousand cur/year", 40, 300, 10)
bureau_gain = m.parameter("bureau_gain", "thousand cur/year", 80, 300, 20)

exceptions = m.kpi("exceptions", "thousand cur/year", full_cost - hours_saved * wage)
misread_share = m.parameter("misread_share", "%", 1, 3, 0.5)
misread_cost = m.parameter("misread_cost", "cur/order", 12, 40, 2)

# What has no part in the answer.
order_growth = m.parameter("order_growth", "%", 2, 6, 1)
rivals_online = m.parameter("rivals_online", "%", 20, 50, 5)
trained = m.parameter("trained", "person", 3, 9, 1)
rent = m.parameter("rent", "thousand cur/year", 60, 180, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
keep_years = m.parameter("keep_years", "year", 6, 10, 1)

m.require(value_suite, 0.1 * suite_fee)
m.require(value_form, 0.1 * form_fee)
m.require(exceptions, 2 * orders * misread_share * misread_cost)

BLUEPRINT = Blueprint(
    blueprint_id="automation_1",
    model=m,
    options=(
        Option("suite", value=value_suite, naive=full_cost - suite_fee),
        Option("form", value=value_form, naive=orders * form_share * minutes * wage - form_fee),
        Option("team", value=team_gain, naive=team_gain),
        Option("bureau", value=bureau_gain, excluded=True),
    ),
    facts=(
        Fact("volume.own", (orders,), given="middle"),
        Fact("operations.process_time", (minutes,), given="easy"),
        Fact("labour.wage", (wage,), given="easy"),
        Fact("technology.automation", (standard_share,), after=("operations.process_time",)),
        Fact("technology.adoption", (form_share,)),
        Fact("cost.fixed", (suite_fee, form_fee)),
        Fact("investment.capex", (suite_capex, form_capex)),
        Fact("constraint.commitment"),
        Fact("operations.quality", (misread_share, misread_cost)),
        Fact("volume.trend", (order_growth,)),
        Fact("competitor.offer", (rivals_online,)),
        Fact("people.skills", (trained,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("regulation.rule", (keep_years,), noise=True),
    ),
    causes=(
        Cause("exceptions", "root", fact="technology.automation", effect=exceptions),
        Cause("misreads", "red_herring", fact="operations.quality", effect=orders * misread_share * misread_cost),
    ),
    constraint="constraint.commitment",
    key_numbers=(hours_saved, value_suite, value_form),
    branches=("technology", "fixed_cost", "investment", "operations", "constraints"),
)

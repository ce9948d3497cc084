"""An app that was to relieve the telephone: half of the calls ask what became of an earlier one, which no app answers.

Root cause: calls that only chase. Red herring: users who give up at the log-in, who are few. The naive path lets the
app take every call.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

calls = m.parameter("calls", "thousand call/year", 60, 240, 10)
minutes = m.parameter("minutes", "minute/call", 5, 12, 1)
wage = m.parameter("wage", "cur/hour", 24, 42, 3)
chase_share = m.parameter("chase_share", "%", 35, 60, 5)
charge_rate = m.parameter("charge_rate", "%/year", 20, 30, 5)

chasers = m.kpi("chasers", "thousand call/year", calls * chase_share)
call_cost = m.kpi("call_cost", "cur/call", minutes * wage)

# The app, for calls that bring something new; messages, for those that chase.
app_share = m.parameter("app_share", "%", 15, 45, 5)
app_fee = m.parameter("app_fee", "thousand cur/year", 15, 60, 5)
app_capex = m.parameter("app_capex", "thousand cur", 60, 240, 20)
avoid_share = m.parameter("avoid_share", "%", 30, 60, 5)
message_fee = m.parameter("message_fee", "thousand cur/year", 10, 60, 5)
message_capex = m.parameter("message_capex", "thousand cur", 40, 200, 20)
value_app = m.kpi(
    "value_app", "thousand cur/year", (calls - chasers) * app_share * call_cost - app_fee - app_capex * charge_rate
)
value_message = m.kpi(
    "value_message",
    "thousand cur/year",
    chasers * avoid_share * call_cost - message_fee - message_capex * charge_rate,
)

# Another rota, and fewer hours on the telephone, which a promise rules out.
rota_gain = m.parameter("rota_gain", "thousand cur/year", 30, 150, 10)
hours_gain = m.parameter("hours_gain", "thousand cur/year", 60, 260, 20)

chase_cost = m.kpi("chase_cost", "thousand cur/year", chasers * call_cost)
login_share = m.parameter("login_share", "%", 10, 25, 5)
login_loss = m.kpi("login_loss", "thousand cur/year", (calls - chasers) * app_share * login_share * call_cost)

# What has no part in the answer.
growth = m.parameter("growth", "%", 1, 4, 0.5)
content_share = m.parameter("content_share", "%", 62, 78, 2)
rivals = m.parameter("rivals", "%", 20, 60, 10)
monday = m.parameter("monday", "%", 24, 34, 2)
rent = m.parameter("rent", "thousand cur/year", 40, 120, 10)
absence = m.parameter("absence", "%", 4, 9, 0.5)
exchange_age = m.parameter("exchange_age", "year", 3, 9, 1)
audit = m.parameter("audit", "year", 2, 4, 1)

m.require(value_app, 0.2 * app_fee)
m.require(value_message, 0.2 * message_fee)

BLUEPRINT = Blueprint(
    blueprint_id="automation_3",
    model=m,
    options=(
        Option("app", value=value_app, naive=calls * call_cost - app_fee),
        Option("messages", value=value_message),
        Option("rota", value=rota_gain, naive=rota_gain),
        Option("fewer_hours", value=hours_gain, excluded=True),
    ),
    facts=(
        Fact("volume.own", (calls,), given="middle"),
        Fact("operations.process_time", (minutes,), given="easy"),
        Fact("labour.wage", (wage,), given="easy"),
        Fact("customers.need", (chase_share,)),
        Fact("technology.adoption", (app_share,), after=("customers.need",)),
        Fact("technology.automation", (avoid_share,), after=("customers.need",)),
        Fact("cost.fixed", (app_fee, message_fee), given="easy"),
        Fact("investment.capex", (app_capex, message_capex)),
        Fact("constraint.commitment"),
        Fact("operations.quality", (login_share,)),
        Fact("volume.trend", (growth,)),
        Fact("customers.satisfaction", (content_share,)),
        Fact("competitor.offer", (rivals,)),
        Fact("volume.seasonality", (monday,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (exchange_age,), noise=True),
        Fact("regulation.rule", (audit,), noise=True),
    ),
    causes=(
        Cause("chasing", "root", fact="customers.need", effect=chase_cost),
        Cause("login", "red_herring", fact="operations.quality", effect=login_loss),
    ),
    constraint="constraint.commitment",
    key_numbers=(chasers, value_app, value_message),
    branches=("customers", "technology", "fixed_cost", "investment", "constraints"),
)

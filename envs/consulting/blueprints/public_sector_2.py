"""A public service whose subsidy grows: it runs full hours for very few users outside the busy times.

Root cause: the quiet hours. Red herring: dearer energy, which costs less than half of it. The naive path cuts the quiet
hours and counts the full cost of an hour as saved, of which a part stays, and a promise forbids the cut.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

visits = m.parameter("visits", "thousand visit/year", 120, 400, 20)
fee = m.parameter("fee", "cur/visit", 1.5, 3, 0.5)
hour_cost = m.parameter("hour_cost", "cur/hour", 30, 60, 5)
full_cost = m.parameter("full_cost", "cur/hour", 75, 120, 5)

# The quiet hours: what could be saved, less what is paid in them.
quiet_hours = m.parameter("quiet_hours", "thousand hour/year", 6, 16, 1)
quiet_visits = m.parameter("quiet_visits", "thousand visit/year", 8, 30, 2)
quiet_loss = m.kpi("quiet_loss", "thousand cur/year", quiet_hours * hour_cost - quiet_visits * fee)

# Service on call in their place.
call_share = m.parameter("call_share", "%", 50, 80, 5)
call_cost = m.parameter("call_cost", "cur/visit", 6, 14, 1)
call_fee = m.parameter("call_fee", "thousand cur/year", 20, 100, 10)
value_call = m.kpi("value_call", "thousand cur/year", quiet_loss - quiet_visits * call_share * call_cost - call_fee)

# A dearer visit, and a depot shared with the neighbours.
fee_rise = m.parameter("fee_rise", "cur/visit", 0.5, 1.5, 0.5)
lost_share = m.parameter("lost_share", "%", 5, 20, 1)
value_fee = m.kpi("value_fee", "thousand cur/year", visits * (1 - lost_share) * (fee + fee_rise) - visits * fee)
share_gain = m.parameter("share_gain", "thousand cur/year", 60, 240, 10)

energy_rise = m.parameter("energy_rise", "thousand cur/year", 20, 160, 10)

# What has no part in the answer.
trend = m.parameter("trend", "%", 1, 4, 0.5)
content_share = m.parameter("content_share", "%", 70, 88, 2)
staff = m.parameter("staff", "person", 18, 60, 2)
rent = m.parameter("rent", "thousand cur/year", 20, 80, 5)
absence = m.parameter("absence", "%", 4, 8, 0.5)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(quiet_loss, 2.2 * energy_rise)
m.require(value_call, 0.5 * call_fee)
m.require(value_fee, 0.1 * visits * fee_rise)

BLUEPRINT = Blueprint(
    blueprint_id="public_sector_2",
    model=m,
    options=(
        Option("close_quiet", value=quiet_loss, naive=quiet_hours * full_cost, excluded=True),
        Option("on_call", value=value_call, naive=quiet_hours * hour_cost - call_fee),
        Option("fee", value=value_fee, naive=visits * fee_rise),
        Option("share", value=share_gain, naive=share_gain),
    ),
    facts=(
        Fact("volume.own", (visits,), given="middle"),
        Fact("price.own", (fee,), given="easy"),
        Fact("cost.unit", (hour_cost,), given="easy"),
        Fact("volume.seasonality", (quiet_hours, quiet_visits)),
        Fact("customers.need", (call_share,), after=("volume.seasonality",)),
        Fact("supply.terms", (call_cost, call_fee)),
        Fact("price.willingness", (lost_share,)),
        Fact("constraint.commitment"),
        Fact("cost.energy", (energy_rise,)),
        Fact("cost.fixed", (full_cost,)),
        Fact("volume.trend", (trend,)),
        Fact("customers.satisfaction", (content_share,)),
        Fact("labour.headcount", (staff,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause("quiet_hours", "root", fact="volume.seasonality", effect=quiet_loss),
        Cause("energy", "red_herring", fact="cost.energy", effect=energy_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(quiet_loss, value_call, value_fee),
    branches=("volume", "price", "customers", "supply", "constraints"),
)

"""A programme with a fine success rate that changes little: most of those it serves would have succeeded without it.

Root cause: the deadweight of the open programme. Red herring: people who drop out, who are few. The naive path counts
every success as the programme's own.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model

m = Model()

budget = m.parameter("budget", "thousand cur/year", 1200, 3000, 200)

# Open to all: cheap, popular, and mostly for those who need it least.
open_cost = m.parameter("open_cost", "cur/person", 1000, 2000, 250)
open_success = m.parameter("open_success", "%", 60, 76, 2)
open_anyway = m.parameter("open_anyway", "%", 44, 66, 2)
open_places = m.kpi("open_places", "person/year", budget / open_cost)
gain_open = m.kpi("gain_open", "person/year", open_places * (open_success - open_anyway))

# For those who need it most, as far as there is somebody to look after them.
close_cost = m.parameter("close_cost", "cur/person", 2500, 5000, 500)
close_success = m.parameter("close_success", "%", 30, 50, 5)
close_anyway = m.parameter("close_anyway", "%", 4, 12, 1)
close_places = m.kpi("close_places", "person/year", budget / close_cost)
gain_close = m.kpi("gain_close", "person/year", close_places * (close_success - close_anyway))
places_limit = m.parameter("places_limit", "person/year", 400, 900, 20)

# Through others, who take some of the money for what they would have done.
through_cost = m.parameter("through_cost", "cur/person", 2000, 5000, 500)
windfall = m.parameter("windfall", "%", 65, 80, 5)
through_places = m.kpi("through_places", "person/year", budget / through_cost)
gain_through = m.kpi("gain_through", "person/year", through_places * (1 - windfall))

# Advice by letter, whose effect others have measured.
letter_gain = m.parameter("letter_gain", "person/year", 60, 200, 10)

deadweight = m.kpi("deadweight", "person/year", open_places * open_anyway)
drop_share = m.parameter("drop_share", "%", 4, 12, 1)

# What has no part in the answer.
applications = m.parameter("applications", "%", 3, 9, 1)
content_share = m.parameter("content_share", "%", 84, 96, 2)
neighbours = m.parameter("neighbours", "%", 20, 60, 10)
experience = m.parameter("experience", "year", 4, 12, 1)
rent = m.parameter("rent", "thousand cur/year", 40, 120, 10)
register_age = m.parameter("register_age", "year", 3, 11, 1)
absence = m.parameter("absence", "%", 3, 7, 0.5)

m.require(open_success, open_anyway + 0.06)
m.require(open_anyway, 2 * drop_share)
m.require(open_places * open_success, 1.1 * through_places)
m.require(open_places * open_success, 1.1 * close_places * close_success)
m.require(gain_through, 0.5 * letter_gain)
m.require(gain_close, 0.5 * letter_gain)

BLUEPRINT = Blueprint(
    blueprint_id="public_sector_1",
    model=m,
    options=(
        Option("widen", value=gain_open, naive=open_places * open_success),
        Option(
            "focus", value=gain_close, needs=(Need(close_places, places_limit),), naive=close_places * close_success
        ),
        Option("through", value=gain_through, naive=through_places),
        Option("letters", value=letter_gain, naive=letter_gain),
    ),
    facts=(
        Fact("volume.own", (open_success,), given="middle"),
        Fact("cost.unit", (open_cost, close_cost), given="easy"),
        Fact("customers.need", (open_anyway,), segment="open"),
        Fact("customers.need", (close_anyway,), segment="close", after=("customers.need:open",)),
        Fact("volume.forecast", (close_success,)),
        Fact("regulation.subsidy", (through_cost, windfall)),
        Fact("constraint.limit", (places_limit,)),
        Fact("customers.retention", (drop_share,)),
        Fact("volume.trend", (applications,)),
        Fact("customers.satisfaction", (content_share,)),
        Fact("competitor.offer", (neighbours,)),
        Fact("people.skills", (experience,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("technology.system", (register_age,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
    ),
    causes=(
        Cause("deadweight", "root", fact="customers.need:open", effect=deadweight),
        Cause("dropouts", "red_herring", fact="customers.retention", effect=open_places * drop_share),
    ),
    constraint="constraint.limit",
    key_numbers=(gain_open, gain_close, gain_through),
    branches=("customers", "volume", "variable_cost", "regulation", "constraints"),
)

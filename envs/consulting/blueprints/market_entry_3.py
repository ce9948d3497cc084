"""A bulky product sells dearly overseas, and the way there eats what the price leaves.

Root cause: freight, since a finished piece is mostly air. Red herrings: the duty, and makers over there who ask a
little less. The naive path compares the price over there with the cost of the home works and exports.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

price = m.parameter("price", "cur/unit", 300, 460, 20)
works_cost = m.parameter("works_cost", "cur/unit", 140, 220, 10)
volume = m.parameter("volume", "unit/year", 4000, 10000, 500)
duty = m.parameter("duty", "%", 2, 5, 1)
hurdle = m.parameter("hurdle", "%/year", 10, 16, 2)
duty_paid = m.kpi("duty_paid", "cur/unit", works_cost * duty)

# Finished pieces by ship.
freight = m.parameter("freight", "cur/unit", 50, 120, 10)
office_cost = m.parameter("office_cost", "thousand cur/year", 100, 300, 20)
margin_export = m.kpi("margin_export", "cur/unit", price - works_cost - duty_paid - freight)
value_export = m.kpi("value_export", "thousand cur/year", volume * margin_export - office_cost)

# Parts by ship, put together over there.
kit_freight = m.parameter("kit_freight", "cur/unit", 10, 30, 5)
assembly_extra = m.parameter("assembly_extra", "cur/unit", 10, 45, 5)
assembly_fixed = m.parameter("assembly_fixed", "thousand cur/year", 250, 600, 50)
capex = m.parameter("capex", "thousand cur", 800, 2400, 200)
margin_assembly = m.kpi("margin_assembly", "cur/unit", price - works_cost - duty_paid - kit_freight - assembly_extra)
assembly_charge = m.kpi("assembly_charge", "thousand cur/year", capex * hurdle)
value_assembly = m.kpi(
    "value_assembly", "thousand cur/year", volume * margin_assembly - assembly_fixed - assembly_charge
)

# A licence, which a promise rules out; or a step at home.
royalty = m.parameter("royalty", "cur/unit", 20, 60, 5)
value_licence = m.kpi("value_licence", "thousand cur/year", volume * royalty)
home_gain = m.parameter("home_gain", "thousand cur/year", 150, 600, 50)

freight_bill = m.kpi("freight_bill", "thousand cur/year", volume * freight)
rival_gap = m.parameter("rival_gap", "%", 1, 5, 1)

# What has no part in the answer.
market_units = m.parameter("market_units", "thousand unit/year", 60, 150, 10)
growth = m.parameter("growth", "%/year", 4, 12, 1)
first_named = m.parameter("first_named", "%", 52, 74, 2)
ramp = m.parameter("ramp", "month", 3, 9, 1)
satisfied = m.parameter("satisfied", "%", 84, 96, 2)
works_rent = m.parameter("works_rent", "thousand cur/year", 120, 280, 20)
absence = m.parameter("absence", "%", 3, 6, 0.5)
speakers = m.parameter("speakers", "person", 3, 12, 1)
peak_share = m.parameter("peak_share", "%", 30, 45, 5)

m.require(margin_export, 0.1 * price)
m.require(value_export, 0.3 * office_cost)
m.require(value_assembly, 0.3 * office_cost)

BLUEPRINT = Blueprint(
    blueprint_id="market_entry_3",
    model=m,
    options=(
        Option("export", value=value_export, naive=volume * (price - works_cost) - office_cost),
        Option(
            "assemble",
            value=value_assembly,
            naive=volume * (price - works_cost - assembly_extra) - assembly_fixed,
        ),
        Option("license", value=value_licence, naive=value_licence, excluded=True),
        Option("stay_home", value=home_gain, naive=home_gain),
    ),
    facts=(
        Fact("volume.forecast", (volume,), given="middle"),
        Fact("price.own", (price,), given="easy"),
        Fact("cost.unit", (works_cost,), segment="home", given="easy"),
        Fact("cost.fixed", (office_cost, assembly_fixed), given="easy"),
        Fact("supply.logistics", (freight, kit_freight)),
        Fact("cost.unit", (assembly_extra,), segment="assembly"),
        Fact("investment.capex", (capex,)),
        Fact("regulation.levy", (duty,)),
        Fact("constraint.commitment"),
        Fact("competitor.price", (rival_gap,), after=("price.own",)),
        Fact("market.size", (market_units,)),
        Fact("market.growth", (growth,), after=("market.size",)),
        Fact("customers.need", (first_named,)),
        Fact("timing.ramp", (ramp,)),
        Fact("customers.satisfaction", (satisfied,)),
        Fact("cost.rent", (works_rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("people.skills", (speakers,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
    ),
    causes=(
        Cause("freight", "root", fact="supply.logistics", effect=freight_bill),
        Cause("duty", "red_herring", fact="regulation.levy", effect=volume * duty_paid),
        Cause("rivals", "red_herring", fact="competitor.price", effect=volume * price * rival_gap),
    ),
    constraint="constraint.commitment",
    key_numbers=(margin_export, value_export, value_assembly),
    branches=("price", "supply", "variable_cost", "investment", "constraints"),
)

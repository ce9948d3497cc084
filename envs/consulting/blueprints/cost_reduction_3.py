"""Overtime eats the margin: work comes in waves, the roster is flat, and hours paid in quiet are missing at the peak.

Root cause: a roster that does not follow the work. Red herrings: sickness and a rise of pay. The naive path compares
what an hour costs and calls an agency, whose people get less done in it.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# Overtime as it is.
overtime_hours = m.parameter("overtime_hours", "thousand hour/year", 30, 60, 2)
overtime_wage = m.parameter("overtime_wage", "cur/hour", 30, 42, 1)
overtime_cost = m.kpi("overtime_cost", "thousand cur/year", overtime_hours * overtime_wage)
peak_share = m.parameter("peak_share", "%", 60, 85, 5)
peak_cost = m.kpi("peak_cost", "thousand cur/year", overtime_cost * peak_share)

# Agency staff instead of overtime: cheaper by the hour, slower in it.
agency_wage = m.parameter("agency_wage", "cur/hour", 20, 30, 1)
own_rate = m.parameter("own_rate", "unit/hour", 20, 40, 2)
agency_rate = m.parameter("agency_rate", "unit/hour", 14, 36, 2)
agency_unit_cost = m.kpi("agency_unit_cost", "cur/unit", agency_wage / agency_rate)
agency_hours = m.kpi("agency_hours", "thousand hour/year", overtime_hours * own_rate / agency_rate)
gain_agency = m.kpi("gain_agency", "thousand cur/year", overtime_cost - agency_hours * agency_wage)

# A roster that follows the work, for those who agree to it.
willing = m.parameter("willing", "%", 40, 70, 5)
allowance = m.parameter("allowance", "thousand cur/year", 60, 240, 20)
gain_roster = m.kpi("gain_roster", "thousand cur/year", peak_cost * willing - allowance)

# A machine, or part-timers, for whom there are no posts.
machine_share = m.parameter("machine_share", "%", 35, 60, 5)
capex = m.parameter("capex", "thousand cur", 1200, 3200, 100)
hurdle = m.parameter("hurdle", "%/year", 10, 20, 2)
gain_machine = m.kpi("gain_machine", "thousand cur/year", overtime_cost * machine_share - capex * hurdle)
part_wage = m.parameter("part_wage", "cur/hour", 20, 28, 1)
posts = m.parameter("posts", "person", 24, 48, 2)
posts_free = m.parameter("posts_free", "person", 10, 40, 2)
gain_hire = m.kpi("gain_hire", "thousand cur/year", overtime_hours * (overtime_wage - part_wage))

# What surrounds the case, and what has no part in it.
sick_share = m.parameter("sick_share", "%", 5, 15, 1)
pay_rise = m.parameter("pay_rise", "%", 2, 5, 0.5)
faults = m.parameter("faults", "%", 1, 3, 0.5)
growth = m.parameter("growth", "%", 2, 6, 1)
content = m.parameter("content", "%", 76, 92, 2)
rent = m.parameter("rent", "thousand cur/year", 200, 500, 20)
training = m.parameter("training", "thousand cur/year", 20, 60, 5)
system_age = m.parameter("system_age", "year", 2, 8, 1)
audit_gap = m.parameter("audit_gap", "month", 6, 18, 3)

m.require(own_rate, 1.1 * agency_rate)
m.require(gain_agency, 0.05 * overtime_cost)
m.require(gain_roster, 0.5 * allowance)
m.require(gain_machine, 0.1 * capex * hurdle)
m.require(overtime_wage, agency_wage + Number(4, "cur/hour"))
m.require(overtime_wage, part_wage + Number(4, "cur/hour"))
m.require(posts, 1.1 * posts_free)

BLUEPRINT = Blueprint(
    blueprint_id="cost_reduction_3",
    model=m,
    options=(
        Option("agency", value=gain_agency, naive=overtime_hours * (overtime_wage - agency_wage)),
        Option("roster", value=gain_roster, naive=gain_roster),
        Option("machine", value=gain_machine, naive=gain_machine),
        Option("hire", value=gain_hire, needs=(Need(posts, posts_free),)),
    ),
    facts=(
        Fact("labour.absence", (overtime_hours,), segment="overtime", given="middle"),
        Fact("labour.wage", (overtime_wage,), segment="overtime", given="easy"),
        Fact("labour.wage", (agency_wage,), segment="agency", given="easy"),
        Fact("labour.productivity", (own_rate, agency_rate)),
        Fact("volume.seasonality", (peak_share,)),
        Fact("people.incentive", (willing, allowance), after=("volume.seasonality",)),
        Fact("technology.automation", (machine_share,)),
        Fact("investment.capex", (capex,), given="easy"),
        Fact("constraint.limit", (posts_free,)),
        Fact("labour.absence", (sick_share,), segment="sickness"),
        Fact("labour.wage", (pay_rise,), segment="settlement"),
        Fact("operations.quality", (faults,)),
        Fact("market.growth", (growth,)),
        Fact("customers.satisfaction", (content,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("people.skills", (training,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("regulation.rule", (audit_gap,), noise=True),
    ),
    causes=(
        Cause("roster", "root", fact="volume.seasonality", effect=peak_cost),
        Cause("sickness", "red_herring", fact="labour.absence:sickness", effect=overtime_cost * sick_share),
        Cause("settlement", "red_herring", fact="labour.wage:settlement", effect=overtime_cost * pay_rise),
    ),
    constraint="constraint.limit",
    key_numbers=(overtime_cost, agency_unit_cost, gain_roster, gain_agency),
    branches=("labour", "volume", "technology", "people_and_organisation", "constraints"),
)

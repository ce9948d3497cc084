"""Servicing was put off to save money, and the machines stand still the more often for it.

Root cause: servicing that was cut. Red herrings: dearer spare parts and careless hands. The naive path reads the budget
of the workshop and stretches the intervals again.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, Number

m = Model()

# Servicing and failures of a fleet, before the cut and now.
fleet = m.parameter("fleet", "unit", 40, 100, 5)
service_full = m.parameter("service_full", "cur/unit/year", 4000, 7000, 500)
service_now = m.parameter("service_now", "cur/unit/year", 2000, 3500, 250)
failures_before = m.parameter("failures_before", "failure/unit/year", 1.5, 2.5, 0.5)
failures_now = m.parameter("failures_now", "failure/unit/year", 3.0, 6.0, 0.5)

# A failure: the repair, and the days without the machine.
repair_cost = m.parameter("repair_cost", "cur/failure", 500, 1500, 100)
stop_days = m.parameter("stop_days", "day/failure", 2, 5, 1)
day_loss = m.parameter("day_loss", "cur/day", 200, 500, 50)
stop_cost = m.kpi("stop_cost", "cur/failure", stop_days * day_loss)
failure_cost = m.kpi("failure_cost", "cur/failure", repair_cost + stop_cost)
failure_bill = m.kpi("failure_bill", "thousand cur/year", fleet * failures_now * failure_cost)

# Service as before; or hand it to the maker, whose fee covers servicing and repairs but not the days lost.
failures_serviced = m.parameter("failures_serviced", "failure/unit/year", 1.5, 3.5, 0.5)
gain_restore = m.kpi(
    "gain_restore",
    "thousand cur/year",
    fleet * ((failures_now - failures_serviced) * failure_cost - (service_full - service_now)),
)
fee = m.parameter("fee", "cur/unit/year", 6000, 11000, 500)
failures_maker = m.parameter("failures_maker", "failure/unit/year", 1.5, 3.0, 0.5)
gain_maker = m.kpi(
    "gain_maker",
    "thousand cur/year",
    fleet * (service_now + failures_now * failure_cost - fee - failures_maker * stop_cost),
)

# Stretch the intervals again; or renew part of the fleet on credit, of which there is too little.
stretch_saving = m.parameter("stretch_saving", "cur/unit/year", 500, 1250, 250)
failures_added = m.parameter("failures_added", "failure/unit/year", 0.4, 1.6, 0.4)
stretch_loss = m.kpi("stretch_loss", "thousand cur/year", fleet * (failures_added * failure_cost - stretch_saving))
renewal_saving = m.parameter("renewal_saving", "thousand cur/year", 300, 800, 20)
renewal_price = m.parameter("renewal_price", "thousand cur", 1500, 4000, 100)
hurdle = m.parameter("hurdle", "%/year", 6, 12, 1)
credit = m.parameter("credit", "thousand cur", 800, 3000, 100)
gain_renew = m.kpi("gain_renew", "thousand cur/year", renewal_saving - renewal_price * hurdle)

# What surrounds the case, and what has no part in it.
parts_rise = m.parameter("parts_rise", "%", 3, 9, 1)
misuse_share = m.parameter("misuse_share", "%", 5, 15, 1)
age = m.parameter("age", "year", 5, 9, 1)
mechanics = m.parameter("mechanics", "person", 4, 12, 1)
spare_share = m.parameter("spare_share", "%", 4, 10, 1)
rent = m.parameter("rent", "thousand cur/year", 60, 180, 10)
absence = m.parameter("absence", "%", 3, 7, 0.5)
growth = m.parameter("growth", "%", 1, 4, 1)
system_age = m.parameter("system_age", "year", 3, 9, 1)

m.require(service_full, 1.5 * service_now)
m.require(failures_now, 1.5 * failures_before)
m.require(failures_serviced, failures_before)
m.require(failures_now, failures_serviced + Number(1, "failure/unit/year"))
m.require(failures_now, failures_maker + Number(1, "failure/unit/year"))
m.require(gain_restore, 0.1 * fleet * service_full)
m.require(gain_maker, 0.1 * fleet * service_full)
m.require(stretch_loss, 0.1 * fleet * stretch_saving)
m.require(gain_renew, 0.1 * renewal_saving)
m.require(renewal_price, 1.1 * credit)

BLUEPRINT = Blueprint(
    blueprint_id="cost_reduction_4",
    model=m,
    options=(
        Option("restore", value=gain_restore, naive=fleet * (service_now - service_full)),
        Option("maker", value=gain_maker, naive=fleet * (service_now - fee)),
        Option("stretch", value=fleet * (stretch_saving - failures_added * failure_cost), naive=fleet * stretch_saving),
        Option("renew", value=gain_renew, needs=(Need(renewal_price, credit),)),
    ),
    facts=(
        Fact("cost.maintenance", (service_full, service_now), segment="service", given="easy"),
        Fact("cost.maintenance", (repair_cost,), segment="repair", given="middle"),
        Fact("operations.downtime", (failures_before, failures_now), segment="failures"),
        Fact("operations.downtime", (stop_days, day_loss), segment="standstill"),
        Fact("operations.quality", (failures_serviced,), after=("operations.downtime:failures",)),
        Fact("supply.terms", (failures_maker,), given="easy"),
        Fact("competitor.cost", (failures_added,), after=("operations.downtime:failures",)),
        Fact("cash.debt", (credit,)),
        Fact("supply.reliability", (parts_rise,)),
        Fact("people.skills", (misuse_share,), after=("operations.downtime:failures",)),
        Fact("investment.life", (age,)),
        Fact("labour.headcount", (mechanics,)),
        Fact("capacity.limit", (spare_share,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("labour.absence", (absence,), noise=True),
        Fact("market.growth", (growth,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
    ),
    causes=(
        Cause(
            "servicing",
            "root",
            fact="operations.downtime:failures",
            effect=fleet * (failures_now - failures_before) * failure_cost,
        ),
        Cause(
            "parts", "red_herring", fact="supply.reliability", effect=fleet * failures_now * repair_cost * parts_rise
        ),
        Cause("misuse", "red_herring", fact="people.skills", effect=failure_bill * misuse_share),
    ),
    constraint="cash.debt",
    key_numbers=(failure_cost, failure_bill, gain_restore, gain_maker),
    branches=("fixed_cost", "operations", "competitors", "cash"),
)

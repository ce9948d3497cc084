"""An office that cannot keep up and hires help by the hour: much of its work is done twice.

Root cause: papers that come in incomplete and have to be taken up again. Red herrings: sick leave and a slow program.
The naive path sees too few hands and a slow desk, and adds people or speed.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Need, Option
from ..model import Model, minimum

m = Model()

# The work, the hours for it, and the hours that are bought in.
cases = m.parameter("cases", "thousand case/year", 20, 40, 2)
first_time = m.parameter("first_time", "minute/case", 36, 60, 6)
again_time = m.parameter("again_time", "minute/case", 30, 60, 6)
again_share = m.parameter("again_share", "%", 30, 55, 5)
staff = m.parameter("staff", "person", 12, 26, 1)
hours_each = m.parameter("hours_each", "hour/person/year", 1400, 1600, 50)
rate = m.parameter("rate", "cur/hour", 50, 80, 5)
salary = m.parameter("salary", "thousand cur/person/year", 50, 75, 5)

first_hours = m.kpi("first_hours", "thousand hour/year", cases * first_time)
again_hours = m.kpi("again_hours", "thousand hour/year", cases * again_share * again_time)
own_hours = m.kpi("own_hours", "thousand hour/year", staff * hours_each)
bought_hours = m.kpi("bought_hours", "thousand hour/year", first_hours + again_hours - own_hours)

# More people of one's own, if posts are to be had.
hires = m.parameter("hires", "person", 3, 6, 1)
posts = m.parameter("posts", "person", 2, 7, 1)
gain_hire = m.kpi("gain_hire", "thousand cur/year", minimum(hires * hours_each, bought_hours) * rate - hires * salary)

# A check at the door, so that less comes back.
avoided = m.parameter("avoided", "%", 30, 60, 5)
check_cost = m.parameter("check_cost", "thousand cur/year", 40, 140, 10)
check_hours = m.kpi("check_hours", "thousand hour/year", minimum(again_hours * avoided, bought_hours))
gain_check = m.kpi("gain_check", "thousand cur/year", check_hours * rate - check_cost)

# A program that makes the first handling quicker.
quicker = m.parameter("quicker", "%", 8, 24, 2)
licence = m.parameter("licence", "thousand cur/year", 50, 150, 10)
program_hours = m.kpi("program_hours", "thousand hour/year", minimum(first_hours * quicker, bought_hours))
gain_program = m.kpi("gain_program", "thousand cur/year", program_hours * rate - licence)

# The second handling given to a bureau.
fee = m.parameter("fee", "cur/case", 16, 34, 2)
gain_bureau = m.kpi(
    "gain_bureau", "thousand cur/year", minimum(again_hours, bought_hours) * rate - cases * again_share * fee
)

# What is much talked about, or has no part in the answer.
sick_hours = m.parameter("sick_hours", "thousand hour/year", 0.4, 1.4, 0.2)
slow_hours = m.parameter("slow_hours", "thousand hour/year", 0.3, 1.2, 0.1)
wait_weeks = m.parameter("wait_weeks", "week", 5, 11, 1)
volume_rise = m.parameter("volume_rise", "%", 2, 6, 1)
signing_days = m.parameter("signing_days", "day", 2, 5, 1)
train_weeks = m.parameter("train_weeks", "week", 6, 14, 1)
rent = m.parameter("rent", "thousand cur/year", 60, 180, 20)
spring_share = m.parameter("spring_share", "%", 26, 34, 2)
archive_years = m.parameter("archive_years", "year", 6, 12, 1)
letter_cost = m.parameter("letter_cost", "thousand cur/year", 10, 40, 5)

m.require(bought_hours, 0.1 * own_hours)
m.require(0.5 * own_hours, bought_hours)
m.require(gain_hire, 0.1 * licence)
m.require(gain_check, 0.1 * check_cost)
m.require(gain_program, 0.1 * licence)
m.require(gain_bureau, 0.1 * licence)

BLUEPRINT = Blueprint(
    blueprint_id="operations_1",
    model=m,
    options=(
        Option("hire", value=gain_hire, naive=hires * hours_each * rate, needs=(Need(hires, posts),)),
        Option("check", value=gain_check, naive=-1 * check_cost),
        Option("program", value=gain_program, naive=(first_hours + again_hours) * quicker * rate),
        Option("bureau", value=gain_bureau, naive=-1 * cases * again_share * fee),
    ),
    facts=(
        Fact("volume.own", (cases,), given="middle"),
        Fact("labour.headcount", (staff,), given="easy"),
        Fact("labour.productivity", (hours_each,), after=("labour.headcount",), given="easy"),
        Fact("operations.process_time", (first_time, again_time), given="easy"),
        Fact("operations.quality", (again_share,), segment="returned"),
        Fact("operations.quality", (avoided,), segment="trial", after=("operations.quality:returned",)),
        Fact("labour.wage", (rate, salary)),
        Fact("technology.automation", (quicker,)),
        Fact("constraint.limit", (posts,)),
        Fact("labour.absence", (sick_hours,)),
        Fact("technology.system", (slow_hours,)),
        Fact("customers.satisfaction", (wait_weeks,)),
        Fact("volume.trend", (volume_rise,)),
        Fact("operations.bottleneck", (signing_days,)),
        Fact("timing.ramp", (train_weeks,)),
        Fact("cost.rent", (rent,), noise=True),
        Fact("volume.seasonality", (spring_share,), noise=True),
        Fact("regulation.rule", (archive_years,), noise=True),
        Fact("cost.distribution", (letter_cost,), noise=True),
    ),
    causes=(
        Cause("incomplete", "root", fact="operations.quality:returned", effect=again_hours * rate),
        Cause("sick_leave", "red_herring", fact="labour.absence", effect=sick_hours * rate),
        Cause("slow_program", "red_herring", fact="technology.system", effect=slow_hours * rate),
    ),
    constraint="constraint.limit",
    key_numbers=(bought_hours, gain_hire, gain_check, gain_program),
    branches=("operations", "labour", "technology", "constraints"),
)

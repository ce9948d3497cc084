"""A site shows a loss in the accounts, and only because head office, which has grown, is charged to it by its floor.

Root cause: the growth of head office costs. Red herrings: the site's rent and its wages. The naive path closes the site
and believes that the loss goes with it; but what is charged stays, and what the site earns above its own costs is lost.
"""

from __future__ import annotations

from ..blueprint import Blueprint, Cause, Fact, Option
from ..model import Model

m = Model()

# The site: what it earns above its own costs.
price = m.parameter("price", "cur/unit", 24, 40, 2)
unit_cost = m.parameter("unit_cost", "cur/unit", 8, 18, 1)
volume = m.parameter("volume", "thousand unit/year", 40, 80, 5)
site_fixed = m.parameter("site_fixed", "thousand cur/year", 400, 1000, 50)
contribution = m.kpi("contribution", "thousand cur/year", (price - unit_cost) * volume)
site_result = m.kpi("site_result", "thousand cur/year", contribution - site_fixed)

# Head office, and the part of it that is charged to the site.
overhead_before = m.parameter("overhead_before", "thousand cur/year", 1600, 2800, 100)
overhead_now = m.parameter("overhead_now", "thousand cur/year", 2200, 4000, 100)
floor_share = m.parameter("floor_share", "%", 20, 36, 2)
overhead_rise = m.kpi("overhead_rise", "thousand cur/year", overhead_now - overhead_before)
charged = m.kpi("charged", "thousand cur/year", overhead_now * floor_share)
book_loss = m.kpi("book_loss", "thousand cur/year", charged - site_result)

# Close the site: part of its customers go to another one.
moved_share = m.parameter("moved_share", "%", 10, 40, 5)
gain_close = m.kpi("gain_close", "thousand cur/year", site_fixed - contribution * (1 - moved_share))
closing_loss = m.kpi("closing_loss", "thousand cur/year", contribution * (1 - moved_share) - site_fixed)

# Cut back head office, keep shorter hours, or take a tenant.
trim_share = m.parameter("trim_share", "%", 6, 16, 1)
trim_cost = m.parameter("trim_cost", "thousand cur/year", 20, 120, 10)
gain_trim = m.kpi("gain_trim", "thousand cur/year", overhead_now * trim_share - trim_cost)
hours_saving = m.parameter("hours_saving", "thousand cur/year", 150, 450, 25)
hours_lost = m.parameter("hours_lost", "%", 6, 20, 1)
gain_hours = m.kpi("gain_hours", "thousand cur/year", hours_saving - contribution * hours_lost)
tenant_rent = m.parameter("tenant_rent", "thousand cur/year", 100, 400, 20)

# What surrounds the case, and what has no part in it.
rent_rise = m.parameter("rent_rise", "thousand cur/year", 10, 60, 5)
wage_rise = m.parameter("wage_rise", "thousand cur/year", 10, 60, 5)
rival_price = m.parameter("rival_price", "cur/unit", 22, 42, 2)
growth = m.parameter("growth", "%", 1, 5, 1)
content = m.parameter("content", "%", 80, 94, 2)
repairs = m.parameter("repairs", "thousand cur/year", 40, 120, 10)
peak_share = m.parameter("peak_share", "%", 30, 44, 2)
system_age = m.parameter("system_age", "year", 3, 9, 1)
check_gap = m.parameter("check_gap", "year", 2, 5, 1)

m.require(site_result, 0.2 * site_fixed)
m.require(book_loss, 0.1 * charged)
m.require(closing_loss, 0.1 * site_fixed)
m.require(overhead_rise, 0.2 * overhead_before)
m.require(gain_trim, 0.5 * trim_cost)
m.require(gain_hours, 0.1 * hours_saving)

BLUEPRINT = Blueprint(
    blueprint_id="cost_reduction_2",
    model=m,
    options=(
        Option("close", value=gain_close, naive=book_loss + contribution * moved_share),
        Option("trim", value=gain_trim, naive=gain_trim),
        Option("hours", value=gain_hours, naive=gain_hours),
        Option("tenant", value=tenant_rent, excluded=True),
    ),
    facts=(
        Fact("price.own", (price,), given="easy"),
        Fact("volume.own", (volume,), given="middle"),
        Fact("cost.unit", (unit_cost,)),
        Fact("cost.fixed", (site_fixed,), given="easy"),
        Fact("cost.overhead", (overhead_before, overhead_now), segment="office"),
        Fact("cost.overhead", (floor_share,), segment="charge", after=("cost.overhead:office",)),
        Fact("labour.headcount", (trim_share, trim_cost), after=("cost.overhead:office",)),
        Fact("customers.retention", (moved_share,)),
        Fact("customers.need", (hours_lost,), given="easy"),
        Fact("constraint.commitment"),
        Fact("cost.rent", (rent_rise,)),
        Fact("labour.wage", (wage_rise,)),
        Fact("competitor.price", (rival_price,)),
        Fact("market.growth", (growth,)),
        Fact("customers.satisfaction", (content,)),
        Fact("cost.maintenance", (repairs,), noise=True),
        Fact("volume.seasonality", (peak_share,), noise=True),
        Fact("technology.system", (system_age,), noise=True),
        Fact("regulation.rule", (check_gap,), noise=True),
    ),
    causes=(
        Cause("head_office", "root", fact="cost.overhead:office", effect=overhead_rise * floor_share),
        Cause("rent", "red_herring", fact="cost.rent", effect=rent_rise),
        Cause("wages", "red_herring", fact="labour.wage", effect=wage_rise),
    ),
    constraint="constraint.commitment",
    key_numbers=(site_result, gain_close, gain_trim, gain_hours),
    branches=("variable_cost", "fixed_cost", "customers", "labour", "constraints"),
)

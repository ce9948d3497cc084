"""A small blueprint whose figures can be worked out in one's head, and cases that can be taken apart."""

from bizgym.envs.consulting.blueprint import Blueprint, Cause, Fact, Need, Option
from bizgym.envs.consulting.matches import Match
from bizgym.envs.consulting.model import Model
from bizgym.envs.consulting.tasks import all_tasks


def case_of(task_id="market_entry_1-hard-a"):
    """A shipped case."""
    return all_tasks().get(task_id).case


def kiosk(**changes):
    """A kiosk: sell more (60), raise the price (80, but the rent limit rules it out) or do nothing (40)."""
    m = Model()
    pieces = m.parameter("pieces", "unit/year", 10, 10, 1)
    price = m.parameter("price", "cur/unit", 8, 8, 1)
    cost = m.parameter("cost", "cur/unit", 2, 2, 1)
    rent = m.parameter("rent", "cur/year", 50, 50, 10)
    limit = m.parameter("limit", "cur/year", 40, 40, 10)
    base = m.parameter("base", "cur/year", 40, 40, 10)
    margin = m.kpi("margin", "cur/unit", price - cost)
    gain = m.kpi("gain", "cur/year", pieces * margin)
    fields = {
        "blueprint_id": "pricing_1",
        "model": m,
        "options": (
            Option("sell", value=gain, naive=pieces * price),
            Option("raise_price", value=pieces * price, naive=gain, needs=(Need(rent, limit),)),
            Option("nothing", value=base),
        ),
        "facts": (
            Fact("volume.own", (pieces,), given="easy"),
            Fact("price.own", (price,), after=("volume.own",)),
            Fact("cost.unit", (cost,)),
            Fact("cost.rent", (rent,)),
            Fact("constraint.limit", (limit,)),
            Fact("market.size", noise=True),
            Fact("market.growth", noise=True),
            Fact("labour.wage", noise=True),
        ),
        "causes": (
            Cause("cheap", "root", fact="price.own", effect=gain),
            Cause("rent", "red_herring", fact="cost.rent", effect=base / 2),
        ),
        "constraint": "constraint.limit",
        "key_numbers": (margin, gain),
        "branches": ("price", "variable_cost", "fixed_cost"),
    }
    return Blueprint(**{**fields, **changes})


def values_of(blueprint, **changes):
    """The kiosk's values, some of them changed, with what follows from them."""
    drawn = {name: each.low * blueprint.model.nodes[name].unit.scale for name, each in blueprint.model.ranges.items()}
    return blueprint.model.reckon({**drawn, **changes})


def sure(fact_type, *more):
    """A matcher that is sure of one type; of several where more are given."""
    kind = "several" if more else "release"
    return lambda question: Match(kind, tuple((name, 1.0) for name in (fact_type, *more)))


def unsure(*fact_types):
    """A matcher that takes any of some types to be likely, the first most of all."""
    likely = tuple((name, 0.4 / k) for k, name in enumerate(fact_types, 1))
    return lambda question: Match("menu", likely, ("price",))


def deaf(question):
    """A matcher that understands nothing."""
    return Match("none")

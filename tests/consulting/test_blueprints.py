"""Blueprints: the rule and its margin in closed form, what is essential, and what is refused."""

import pytest
from bizgym.envs.consulting.archetypes import ARCHETYPES
from bizgym.envs.consulting.blueprint import Cause, Fact, Option
from bizgym.envs.consulting.blueprints import blueprint, blueprint_ids
from bizgym.envs.consulting.check import problems
from bizgym.envs.core.errors import DataError, SettingError

from .toys import kiosk, values_of


def test_the_best_option_that_the_constraint_allows_is_right():
    toy = kiosk()
    decision = toy.decide(values_of(toy))
    assert (decision.option_id, decision.runner_up) == ("sell", "raise_price")
    # 60 against 40, a third; the rent of 50 breaks the limit of 40 by a quarter, which is less.
    assert decision.margin == pytest.approx(0.25)


def test_a_limit_that_is_kept_lets_the_better_option_through():
    toy = kiosk()
    decision = toy.decide(values_of(toy, limit=60.0))
    assert (decision.option_id, decision.runner_up) == ("raise_price", "sell")
    assert decision.margin == pytest.approx(1 / 6)  # its own slack, 10 of 60, is less than its lead of 20 over 80


def test_a_commitment_rules_out_whatever_the_figures_say():
    toy = kiosk()
    sell, raised, nothing = toy.options
    barred = Option("raise_price", value=raised.value, naive=raised.naive, excluded=True)
    other = kiosk(options=(sell, barred, nothing), model=toy.model, **parts(toy))
    decision = other.decide(values_of(other))
    assert (decision.option_id, decision.margin) == ("sell", pytest.approx(1 / 3))


def parts(toy):
    """What belongs to the model of a toy, so that some of it can be replaced."""
    return {"facts": toy.facts, "causes": toy.causes, "key_numbers": toy.key_numbers}


def test_the_naive_path_knows_no_constraint_and_no_cost():
    toy = kiosk()
    assert toy.naive(values_of(toy)) == "sell"
    assert not toy.fits(values_of(toy), "middle")  # the naive path decides rightly here
    assert toy.naive(values_of(toy, cost=-2.0)) == "raise_price"


def test_the_root_does_at_least_twice_what_a_red_herring_does():
    toy = kiosk()
    assert toy.root_stands_out(values_of(toy))  # 60 against 20
    assert not toy.root_stands_out(values_of(toy, base=70.0))  # 60 against 35
    assert not toy.root_stands_out(values_of(toy, cost=20.0))  # a root that does the opposite explains nothing


def test_facts_are_essential_where_something_cannot_be_reckoned_without_them():
    toy = kiosk()
    assert toy.essential("hard") == ["volume.own", "price.own", "cost.unit", "cost.rent", "constraint.limit"]
    assert toy.essential("easy") == ["price.own", "cost.unit", "cost.rent", "constraint.limit"]
    assert toy.told("easy") == {"pieces", "base"}
    assert toy.told("hard") == {"base"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"blueprint_id": "pricing_9"}, "the id is"),
        ({"blueprint_id": "oracles_1"}, "the id is"),
        ({"branches": ("price", "weather", "market")}, "no such topic: weather"),
        ({"branches": ("price", "market")}, "three to five topics"),
        ({"constraint": "constraint.commitment"}, "no such fact: constraint.commitment"),
        ({"causes": (Cause("cheap", "root", fact="price.own"),)}, "one or two red herrings"),
        ({"causes": (Cause("rent", "red_herring", fact="cost.rent"),)}, "one root"),
    ],
)
def test_what_does_not_fit_is_refused(changes, message):
    with pytest.raises(DataError, match=message):
        kiosk(**changes)


@pytest.mark.parametrize(
    ("fact", "message"),
    [
        (Fact("price.mood"), "no such fact type: price.mood"),
        (Fact("market.share", after=("market.trend",)), "no such fact: market.trend"),
        (Fact("cost.unit"), "a fact stands twice: cost.unit"),
        (Fact("market.share", noise=True), None),
        (Fact("timing.ramp", noise=True), None),
    ],
)
def test_facts_that_do_not_fit_are_refused(fact, message):
    toy = kiosk()
    given = {**parts(toy), "model": toy.model, "options": toy.options, "facts": (*toy.facts, fact)}
    if message is None:
        assert kiosk(**given).by_id[fact.fact_id] is fact
        return
    with pytest.raises(DataError, match=message):
        kiosk(**given)


def test_what_must_be_known_before_stands_in_front():
    toy = kiosk()
    given = {**parts(toy), "model": toy.model, "options": toy.options, "facts": toy.facts[::-1]}
    with pytest.raises(DataError, match=r"price\.own: list volume\.own, which must be known before, in front"):
        kiosk(**given)


def test_the_archetypes_hold_47_blueprints_two_thirds_of_them_for_training():
    ids = [f"{archetype}_{k}" for archetype, count in ARCHETYPES.items() for k in range(1, count + 1)]
    assert len(ids) == 47
    assert set(blueprint_ids()) <= set(ids)
    test = [each for each in ids if each[-1] in "35" or (each[-1] == "2" and ARCHETYPES[each[:-2]] == 2)]
    assert len(test) == 15
    assert [name for name in blueprint_ids() if blueprint(name).split == "test"] == [
        n for n in test if n in blueprint_ids()
    ]


def test_an_unknown_blueprint_is_refused_with_the_nearest():
    with pytest.raises(SettingError, match=r"there is no 'market_entri_1'\. Did you mean 'market_entry_1'"):
        blueprint("market_entri_1")


@pytest.mark.parametrize("blueprint_id", blueprint_ids())
def test_every_gate_holds(blueprint_id):
    assert list(problems(blueprint_id)) == []

"""Search, base-stock rules, random play and the bound, against known optima, enumeration and each other."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
from bizgym.envs.beer_game.policies import SCALAR_OPS, STAGES, parse_policies
from bizgym.envs.beer_game.search import (
    Budget,
    base_stock_plans,
    best_base_stock,
    best_plan,
    lower_bound,
    plan_costs,
    random_mean,
)
from bizgym.envs.beer_game.state import Settings, advance, initial_state

STEP = (100,) + (400,) * 24
ONCE = Budget(restarts=1)
QUICK = Budget(restarts=1, population=60, generations=10, polished=1, polish_game_weeks=500_000)

# Shipping weeks, policy of the other stages, first order: cost that no plan can undercut, known to be attained.
OPTIMA = {
    (1, "typical", None): 6100,
    (1, "typical", 100): 7900,
    (1, "tau8", None): 6100,
    (1, "tau8", 100): 7900,
    (2, "typical", None): 13_300,
    (2, "typical", 100): 16_500,
    (2, "tau8", None): 13_300,
    (2, "tau8", 100): 16_500,
}
# The same where the bound is not attained: best plan found by an independent search.
BEST_KNOWN = {
    (1, "smoothing4", None): 7155,
    (1, "smoothing4", 100): 9456.25,
    (2, "smoothing4", None): 16_388,
    (2, "smoothing4", 100): 20_183,
}
# Level, cost; both again with a first order of 100.
BASE_STOCK = {
    (1, "typical"): (1200, 6300, 1200, 8100),
    (1, "smoothing4"): (1200, 8775, 1200, 10_804.6875),
    (1, "tau8"): (1025, 6100, 1200, 7907),
    (2, "typical"): (1600, 14_400, 1600, 17_600),
    (2, "smoothing4"): (1600, 18_904.6875, 1600, 22_334.375),
    (2, "tau8"): (2950, 13_756.5, 3025, 16_706.5),
}


def chain(ship_weeks: int, others: str, **settings: object) -> Settings:
    return Settings(ship_weeks=ship_weeks, policies=parse_policies(others), **settings)


def scalar_cost(settings: Settings, demand: tuple[int, ...], orders: tuple[int, ...]) -> float:
    state = initial_state(settings)
    for order, units in zip(orders, demand, strict=True):
        state, _ = advance(settings, state, order, units, SCALAR_OPS)
    return state.total_cost[settings.role_index]


def tiny_games() -> list[tuple[Settings, tuple[int, ...]]]:
    """Return games small enough to try every plan."""
    games = []
    rng = np.random.default_rng(17)
    for role, policy in itertools.product(STAGES, ("typical", "tau8", "pass_through")):
        settings = Settings(
            role=role,
            ship_weeks=1,
            horizon_weeks=6,
            initial_inventory=2,
            target_inventory=2,
            initial_flow=1,
            max_order=4,
            minimum_inventory_cost_per_week=0.5,
            policies=parse_policies(policy),
        )
        games.append((settings, tuple(int(units) for units in rng.integers(0, 5, size=6))))
    return games


@pytest.mark.parametrize("game", OPTIMA, ids=str)
def test_optima_are_found_and_proven(game):
    ship_weeks, others, first_order = game
    settings = chain(ship_weeks, others)
    orders, cost = best_plan(settings, STEP, seed=1, first_order=first_order)
    assert cost == OPTIMA[game]
    assert lower_bound(settings, STEP, first_order=first_order) == OPTIMA[game]
    assert scalar_cost(settings, STEP, orders) == cost
    assert first_order is None or orders[0] == first_order
    assert {type(units) for units in orders} == {int}


@pytest.mark.parametrize("game", BEST_KNOWN, ids=str)
def test_best_known_plans_are_matched(game):
    ship_weeks, others, first_order = game
    orders, cost = best_plan(chain(ship_weeks, others), STEP, seed=1, first_order=first_order, budget=ONCE)
    assert cost <= BEST_KNOWN[game]
    assert scalar_cost(chain(ship_weeks, others), STEP, orders) == cost


@pytest.mark.parametrize(("settings", "demand"), tiny_games(), ids=lambda value: getattr(value, "role", None))
def test_every_plan_of_a_tiny_game(settings, demand):
    plans = np.array(list(itertools.product(range(5), repeat=6)), dtype=float)
    costs = plan_costs(settings, demand, plans)
    orders, cost = best_plan(settings, demand, seed=0, budget=Budget(restarts=2, population=100, generations=30))
    assert cost == costs.min() == scalar_cost(settings, demand, orders)
    fixed = costs[plans[:, 0] == 1]
    assert best_plan(settings, demand, seed=0, first_order=1, budget=QUICK._replace(restarts=3))[1] == fixed.min()
    if settings.role == "retailer":
        assert lower_bound(settings, demand) <= costs.min()
        assert lower_bound(settings, demand, first_order=1) <= fixed.min()
    else:
        assert lower_bound(settings, demand) is None


def test_no_random_plan_undercuts_the_bound():
    rng = np.random.default_rng(2)
    for _ in range(40):
        settings = Settings(
            ship_weeks=int(rng.integers(1, 4)),
            order_weeks=int(rng.integers(1, 3)),
            initial_inventory=int(rng.integers(0, 800)),
            minimum_inventory_cost_per_week=float(rng.choice([0.0, 200.0])),
            max_order=int(rng.choice([300, 800, 5000])),
            policies=parse_policies(str(rng.choice(["typical", "smoothing4", "supply_line", "order_balance"]))),
        )
        demand = tuple(int(units) for units in rng.integers(0, 500, size=25))
        plans = rng.integers(0, settings.max_order, size=(300, 25), endpoint=True).astype(float)
        plans *= rng.random(plans.shape) < rng.random((300, 1))
        costs = plan_costs(settings, demand, plans)
        assert lower_bound(settings, demand) <= costs.min()
        first = plans[0, 0]
        plans[:, 0] = first
        assert lower_bound(settings, demand, first_order=int(first)) <= plan_costs(settings, demand, plans).min()


def test_the_search_repeats_itself():
    demand = tuple(int(units) for units in np.random.default_rng(1).integers(50, 351, size=25))
    settings = chain(2, "smoothing4", role="wholesaler", max_order=900)
    first = best_plan(settings, demand, seed=5, budget=QUICK)
    assert first == best_plan(settings, demand, seed=5, budget=QUICK)
    assert first[0] != best_plan(settings, demand, seed=6, budget=QUICK)[0]
    assert max(first[0]) <= 900


def test_a_first_order_over_the_limit_is_refused():
    with pytest.raises(ValueError, match="first_order must be an integer from 0 to 1000, got 1001"):
        best_plan(chain(2, "typical", max_order=1000), STEP, seed=1, first_order=1001)


def test_a_smaller_limit_costs_more():
    # Searched before: 14,400 with orders up to 1,000, 13,400 up to 2,000, 13,300 from 3,000 on.
    costs = [
        best_plan(chain(2, "typical", max_order=limit), STEP, seed=1, budget=ONCE)[1] for limit in (1000, 2000, 3000)
    ]
    assert costs == [14_400, 13_400, 13_300]


@pytest.mark.parametrize("game", BASE_STOCK, ids=str)
def test_base_stock_levels(game):
    settings = chain(*game)
    level, cost, level_fixed, cost_fixed = BASE_STOCK[game]
    assert best_base_stock(settings, [STEP]) == (level, cost)
    assert best_base_stock(settings, [STEP], first_order=100) == (level_fixed, cost_fixed)


def test_base_stock_over_several_paths():
    settings = chain(2, "typical")
    steady = (100,) * 25
    level, cost = best_base_stock(settings, [STEP, steady])
    assert best_base_stock(settings, [steady])[1] == 5000
    assert (14_400 + 5000) / 2 < cost < (99_700 + 5000) / 2
    assert level == best_base_stock(settings, [STEP, steady, STEP, steady])[0]


def test_base_stock_orders_are_whole_units_within_the_limit():
    settings = chain(2, "smoothing4", role="wholesaler", max_order=1500)
    orders, costs = base_stock_plans(settings, STEP, np.arange(0, 6001, 25.0))
    assert (orders == orders.round()).all()
    assert (orders.min(), orders.max()) == (0, 1500)
    np.testing.assert_array_equal(costs, plan_costs(settings, STEP, orders))


def test_the_base_stock_grid_grows_with_demand():
    # Ten times the units everywhere: ten times the level and, the minimum scaled too, ten times the cost.
    tenfold = chain(2, "typical", initial_inventory=4000, target_inventory=4000, initial_flow=1000, max_order=50_000)
    tenfold = replace(tenfold, minimum_inventory_cost_per_week=2000)
    assert best_base_stock(tenfold, [tuple(10 * units for units in STEP)]) == (16_000, 144_000)
    assert best_base_stock(chain(2, "typical", max_order=50_000), [(100,) + (4000,) * 24])[0] > 6000


@pytest.mark.parametrize("horizon", [1, 2, 3])
@pytest.mark.parametrize("first_order", [None, 3])
def test_very_short_games(horizon, first_order):
    settings = chain(1, "typical", horizon_weeks=horizon, initial_inventory=0, max_order=9)
    orders, cost = best_plan(settings, (200,) * horizon, seed=0, first_order=first_order, budget=QUICK)
    # What is under way brings 100 units in weeks 1 and 2; an order of week 1 arrives in week 3.
    assert cost == [300, 700, 1300 - (9 if first_order is None else 3)][horizon - 1]
    assert len(orders) == horizon


@pytest.mark.parametrize(
    ("ship_weeks", "others", "mean", "standard_error"),
    [(1, "typical", 18_233, 146), (2, "typical", 23_707, 111), (2, "smoothing4", 27_882, 107)],
)
def test_random_players(ship_weeks, others, mean, standard_error):
    found = random_mean(chain(ship_weeks, others, max_order=1000), STEP, n=20_000, seed=3)
    assert abs(found - mean) < 3 * standard_error

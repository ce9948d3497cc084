"""What settings, policies and `simulate` accept, and what they say when they refuse."""

import copy
import pickle
from dataclasses import replace

import pytest
from bizgym.envs.beer_game.policies import SCALAR_OPS, STAGES, Policy, parse_policies
from bizgym.envs.beer_game.simulate import simulate
from bizgym.envs.beer_game.state import Settings, advance, initial_state


@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        ("ship_weeks", 0, "ship_weeks must be an integer from 1 to 12, got 0"),
        ("ship_weeks", 13, "ship_weeks must be an integer from 1 to 12, got 13"),
        ("ship_weeks", True, "ship_weeks must be an integer from 1 to 12, got True"),
        ("order_weeks", 1.0, "order_weeks must be an integer from 1 to 12, got 1.0"),
        ("horizon_weeks", 521, "horizon_weeks must be an integer from 1 to 520"),
        ("holding_cost_per_unit_week", float("nan"), "holding_cost_per_unit_week must be a number from 0 to 1000000"),
        ("backlog_cost_per_unit_week", -0.5, "backlog_cost_per_unit_week must be a number from 0"),
        ("minimum_inventory_cost_per_week", "200", "minimum_inventory_cost_per_week must be a number from 0"),
        ("initial_inventory", -1, "initial_inventory must be an integer from 0 to 1000000, got -1"),
        ("target_inventory", None, "target_inventory must be an integer"),
        ("initial_flow", 10**7, "initial_flow must be an integer"),
        ("initial_open_orders", -5, "initial_open_orders must be an integer from 0 to 1000000, got -5"),
        ("max_order", 0, "max_order must be an integer from 1 to 1000000, got 0"),
        ("role", "retaler", "unknown role 'retaler'; did you mean 'retailer'?"),
        ("rounding", "floor", "unknown rounding 'floor'"),
        ("target_line", "3d", "unknown target_line '3d'; did you mean '2d'?"),
        ("policies", (Policy(),) * 3, "policies must have 4 entries, one a stage, got 3"),
        ("policies", ("typical",) * 4, "a policy must be a Policy, got 'typical'"),
        ("policies", (Policy("typicl"),) * 4, "unknown policy 'typicl'; did you mean 'typical'?"),
        ("policies", (Policy(alpha=11),) * 4, "alpha must be a number from 0 to 10, got 11"),
    ],
)
def test_wrong_settings_are_refused(field, value, message):
    with pytest.raises(ValueError, match=message.replace("?", r"\?")):
        Settings(**{field: value})


def test_open_orders_follow_the_delays():
    settings = Settings()
    assert initial_state(settings).open_orders == (300,) * 4
    assert initial_state(replace(settings, ship_weeks=1)).open_orders == (200,) * 4
    assert initial_state(replace(settings, order_weeks=3)).open_orders == (500,) * 4
    assert initial_state(replace(settings, initial_open_orders=7)).open_orders == (7,) * 4


def test_settings_copy_and_pickle():
    settings = Settings(role="brewery", policies=parse_policies({"brewery": "tau8"}))
    for twin in (copy.deepcopy(settings), pickle.loads(pickle.dumps(settings))):
        assert twin == settings
        assert twin.role_index == 3
        assert twin.stage_plans == settings.stage_plans


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("base", (Policy("typical"),) * 4),
        ("smooth4", (Policy("smoothing4"),) * 4),
        ({"name": "typical", "alpha": 0.5, "beta": 0}, (Policy("typical", alpha=0.5, beta=0),) * 4),
        ({"brewery": {"name": "constant", "units": 40}}, (*(Policy(),) * 3, Policy("constant", units=40))),
        ({stage: Policy("tau8") for stage in STAGES}, (Policy("tau8"),) * 4),
    ],
)
def test_policy_specs(spec, expected):
    assert parse_policies(spec) == expected


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("smothing4", "unknown policy 'smothing4'; did you mean 'smoothing4'?"),
        ({"brewer": "tau8"}, "unknown stage 'brewer'; did you mean 'brewery'?"),
        ({"name": "typical", "alpah": 1}, "unknown parameter of policy typical 'alpah'; did you mean 'alpha'?"),
        ({"name": "tau8", "alpha": 1}, "unknown parameter of policy tau8 'alpha' (known: none)"),
        ({"name": "typical", "beta": True}, "beta must be a number from 0 to 10, got True"),
        ({"name": "constant", "units": -1}, "units must be an integer from 0"),
        (7, "a policy is a name or an object"),
        ({"retailer": None}, "a policy is a name or an object"),
    ],
)
def test_wrong_policy_specs_are_refused(spec, message):
    with pytest.raises(ValueError) as error:
        parse_policies(spec)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"orders": [400] * 24}, "orders has 24 weeks, the game 25"),
        ({"orders": [400, -1] * 13}, "orders: week 2 must be an integer from 0 to 1000000, got -1"),
        ({"orders": "400"}, "orders must be a list of integers"),
        ({"horizon": 0}, "horizon must be an integer from 1 to 520, got 0"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"ship_weeks": 0}, "ship_weeks must be an integer from 1 to 12, got 0"),
        ({"role": "shop"}, "unknown role 'shop'"),
        ({"demand": "setp"}, "unknown demand pattern 'setp'"),
    ],
)
def test_simulate_names_the_wrong_argument(arguments, message):
    with pytest.raises(ValueError) as error:
        simulate(**arguments)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("policy", "target_line", "expected"),
    [
        # Stock 100, backlog 0, on order 600, customer orders 100, 100, 400, target 400: the third order of a retailer
        # that ordered 100 and 400 before, when demand rose to 400 in week 2 and shipping takes two weeks.
        ({"name": "typical"}, "lead_time", 400 + 300),
        ({"name": "typical", "alpha": 0.5, "beta": 2}, "lead_time", 400 + 150),
        ("ignore_backlog", "lead_time", 400 + 300),
        ("supply_line", "lead_time", 400 + 300 + (1200 - 600)),
        ("supply_line", "2d", 400 + 300 + (800 - 600)),
        ("tau8", "lead_time", 512),
        ("tau8", "2d", 462),
        ("order_balance", "lead_time", 512),
        ("order_balance", "2d", 462),
        ("smoothing4", "lead_time", 250 + 300),
        ("pass_through", "lead_time", 400),
        ({"name": "constant", "units": 321}, "lead_time", 321),
    ],
)
def test_policies_order_by_their_formula(policy, target_line, expected):
    assert third_order(policy, target_line, first_orders=(100, 400)) == expected


def test_typical_weighs_the_backlog():
    # A stock of 0 and a backlog of 150 after a second week of demand for 650.
    assert third_order({"name": "typical", "beta": 2}, "lead_time", (100, 100), demand=650) == 650 + 400 + 2 * 150
    assert third_order({"name": "typical", "alpha": 0, "beta": 0.5}, "lead_time", (100, 100), demand=650) == 650 + 75


def third_order(policy, target_line, first_orders, demand=400):
    settings = Settings(policies=parse_policies({"retailer": policy}), target_line=target_line)
    state = initial_state(settings)
    for order, units in zip((*first_orders, None), (100, demand, demand), strict=True):
        state, week = advance(settings, state, order, units, SCALAR_OPS)
    return week.ordered[0]


def test_simulate_sets_up_the_classic_game():
    for demand in ("classic", {"pattern": "classic"}):
        first, *_, last = simulate(demand=demand, horizon=6)
        assert (first["demand"], first["w_inventory"], first["w_cost"]) == (4, 12, 6)
        assert last["demand"] == 8


def test_simulate_plays_any_stage():
    rows = simulate(role="distributor", orders=[150] * 25)
    assert {row["d_order"] for row in rows} == {150}
    assert {row["r_order"] for row in rows} != {150}


def test_simulate_draws_random_demand_from_its_seed():
    spec = {"pattern": "uniform", "low": 0, "high": 400}
    assert simulate(demand=spec, seed=1) == simulate(demand=spec, seed=1)
    assert simulate(demand=spec, seed=1) != simulate(demand=spec, seed=2)

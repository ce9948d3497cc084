"""Properties of the kernel on random games: no unit appears or vanishes, steady stays steady, batch equals scalar."""

from functools import partial

import numpy as np
import pytest
from bizgym.envs.beer_game.demand import demand_weeks
from bizgym.envs.beer_game.policies import BATCH_OPS, RULES, SCALAR_OPS, STAGES, Policy
from bizgym.envs.beer_game.scoring import metrics
from bizgym.envs.beer_game.state import ROUNDINGS, TARGET_LINES, Settings, State, Week, advance, initial_state

PATTERNS = ("step", "constant", "uniform", "seasonal", "classic")
GAMES = 1000
BLOCKS = 10
same = partial(pytest.approx, abs=1e-6, rel=1e-12)


def random_settings(rng: np.random.Generator) -> Settings:
    policies = tuple(
        Policy(str(rng.choice(list(RULES))), alpha=float(rng.random()), beta=float(rng.random()), units=150)
        for _ in STAGES
    )
    return Settings(
        role=str(rng.choice(STAGES)),
        ship_weeks=int(rng.integers(1, 5)),
        order_weeks=int(rng.integers(1, 4)),
        horizon_weeks=int(rng.integers(8, 30)),
        initial_inventory=int(rng.integers(0, 600)),
        initial_flow=int(rng.integers(0, 200)),
        policies=policies,
        rounding=str(rng.choice(ROUNDINGS)),
        target_line=str(rng.choice(TARGET_LINES)),
    )


def random_demand(settings: Settings, rng: np.random.Generator) -> tuple[int, ...]:
    return demand_weeks(str(rng.choice(PATTERNS)), settings.horizon_weeks, rng)


def check_flows(settings: Settings, state: State, weeks: list[Week]) -> None:
    mailed_before = settings.initial_flow * settings.order_weeks
    shipped_before = settings.initial_flow * settings.ship_weeks
    for stage in range(3):
        supplier = stage + 1
        ordered = sum(week.ordered[stage] for week in weeks)
        shipped = sum(week.shipped[supplier] for week in weeks)
        received = sum(week.received[stage] for week in weeks)
        in_mail = sum(row[stage] for row in state.mail)
        in_transit = sum(row[stage] for row in state.transit)
        assert ordered + mailed_before == same(shipped + state.backlog[supplier] + in_mail)
        assert shipped + shipped_before == same(received + in_transit)
    brewed = sum(week.ordered[3] for week in weeks) + mailed_before + shipped_before
    under_way = sum(row[3] for row in (*state.mail, *state.transit))
    assert brewed == same(sum(week.received[3] for week in weeks) + under_way)


def check_books(state: State, week: Week, first: State) -> None:
    for stage in range(4):
        assert state.inventory[stage] >= 0
        assert state.backlog[stage] >= 0
        assert min(state.inventory[stage], state.backlog[stage]) == 0
        position = state.inventory[stage] - state.backlog[stage] + state.open_orders[stage]
        assert week.inventory[stage] == state.inventory[stage]
        assert week.ordered[stage] >= 0
        before = first.inventory[stage] - first.backlog[stage] + first.open_orders[stage]
        assert position - before == same(week.ordered[stage] - week.demanded[stage])


@pytest.mark.parametrize("block", range(BLOCKS))
def test_no_unit_appears_or_vanishes(block):
    rng = np.random.default_rng(block)
    for _ in range(GAMES // BLOCKS):
        settings = random_settings(rng)
        state, weeks = initial_state(settings), []
        for units in random_demand(settings, rng):
            order = int(rng.integers(0, 1001)) if rng.random() < 0.9 else None
            before = state
            state, week = advance(settings, state, order, units, SCALAR_OPS)
            weeks.append(week)
            check_books(state, week, before)
            check_flows(settings, state, weeks)


@pytest.mark.parametrize(("order_weeks", "ship_weeks"), [(1, 1), (1, 2), (2, 1), (3, 4)])
def test_orders_and_shipments_arrive_in_time(order_weeks, ship_weeks):
    settings = Settings(order_weeks=order_weeks, ship_weeks=ship_weeks)
    orders = np.random.default_rng(9).permutation(np.arange(1, 31) * 7)
    state, weeks = initial_state(settings), []
    for order in orders:
        state, week = advance(settings, state, int(order), 100, SCALAR_OPS)
        weeks.append(week)
    lead_weeks = order_weeks + ship_weeks
    for stage in range(3):
        sent, arrived = [week.ordered[stage] for week in weeks], [week.demanded[stage + 1] for week in weeks]
        assert arrived == [100] * order_weeks + sent[:-order_weeks]
        sent, arrived = [week.shipped[stage + 1] for week in weeks], [week.received[stage] for week in weeks]
        assert arrived == [100] * ship_weeks + sent[:-ship_weeks]
    brewed = [week.ordered[3] for week in weeks]
    assert [week.received[3] for week in weeks] == [100] * lead_weeks + brewed[:-lead_weeks]


def test_metrics_count_the_played_stage():
    rng = np.random.default_rng(11)
    for _ in range(50):
        settings = random_settings(rng)
        state, weeks = initial_state(settings), []
        for units in random_demand(settings, rng):
            state, week = advance(settings, state, int(rng.integers(0, 1001)), units, SCALAR_OPS)
            weeks.append(week)
        role = settings.role_index
        asked, placed = [week.demanded[role] for week in weeks], [week.ordered[role] for week in weeks]
        late = sum(min(week.demanded[role], week.backlog[role]) for week in weeks)
        found = metrics(settings, weeks, None)
        assert found["cost"] == same(sum(week.cost[role] for week in weeks))
        assert found["cost_chain"] == same(sum(sum(week.cost) for week in weeks))
        assert found["weeks_in_backlog"] == sum(week.backlog[role] > 0 for week in weeks)
        assert found.get("fill_rate") == (same((sum(asked) - late) / sum(asked)) if sum(asked) else None)
        ratio = np.var(placed) / np.var(asked) if np.var(asked) > 1e-9 else None
        assert found.get("bullwhip") == (None if ratio is None else pytest.approx(ratio))


@pytest.mark.parametrize("role", STAGES)
@pytest.mark.parametrize("policy", [name for name in RULES if name != "constant"])
@pytest.mark.parametrize(("order_weeks", "ship_weeks"), [(1, 1), (1, 2), (3, 4)])
def test_steady_demand_and_orders_stay_flat(role, policy, order_weeks, ship_weeks):
    settings = Settings(role=role, order_weeks=order_weeks, ship_weeks=ship_weeks, policies=(Policy(policy),) * 4)
    first = state = initial_state(settings)
    for week in range(1, 26):
        state, row = advance(settings, state, 100, 100, SCALAR_OPS)
        assert (state.inventory, state.backlog, state.open_orders) == (
            first.inventory,
            first.backlog,
            first.open_orders,
        )
        assert row.cost == (200,) * 4
        assert state.total_cost == (200 * week,) * 4


@pytest.mark.parametrize("seed", range(100))
def test_batch_equals_scalar_bit_for_bit(seed):
    rng = np.random.default_rng(seed)
    settings = random_settings(rng)
    demand = random_demand(settings, rng)
    orders = rng.integers(0, 1001, size=(5, len(demand)))
    consumers = np.tile(np.array(demand, dtype=float), (5, 1)) + np.arange(5)[:, None]
    batch: State = initial_state(settings)
    batch_weeks = []
    for week in range(len(demand)):
        batch, row = advance(settings, batch, orders[:, week].astype(float), consumers[:, week], BATCH_OPS)
        batch_weeks.append(row)
    for game in range(5):
        state = initial_state(settings)
        for week, units in enumerate(demand):
            state, row = advance(settings, state, int(orders[game, week]), units + game, SCALAR_OPS)
            assert flat(row) == flat(batch_weeks[week], game)
        assert flat(state) == flat(batch, game)


def flat(values: object, game: int | None = None) -> list[float]:
    if isinstance(values, tuple):
        return [number for value in values for number in flat(value, game)]
    return [values[game] if isinstance(values, np.ndarray) else values]


def test_scalar_games_keep_python_numbers():
    rng = np.random.default_rng(3)
    for _ in range(50):
        settings = random_settings(rng)
        state = initial_state(settings)
        for units in random_demand(settings, rng):
            state, week = advance(settings, state, int(rng.integers(0, 1001)), units, SCALAR_OPS)
            assert {type(number) for number in (*flat(state), *flat(week))} <= {int, float}

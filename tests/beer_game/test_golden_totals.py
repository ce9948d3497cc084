"""Totals of nine retailer policies against three upstream policies, one and two weeks of shipping: 54 games."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from bizgym.envs.beer_game.demand import demand_weeks
from bizgym.envs.beer_game.policies import BATCH_OPS, STAGES, parse_policies
from bizgym.envs.beer_game.simulate import simulate
from bizgym.envs.beer_game.state import Settings, advance, initial_state

GOLDEN = Path(__file__).parent / "golden"
SEQUENCES = json.loads((GOLDEN / "beer_game_forced_sequences.json").read_text(encoding="utf-8"))
FORCED = {
    "constant400": SEQUENCES["forced_constant400"],
    "zero": [0] * 25,
    "forced_random": SEQUENCES["forced_random"],
}
COLUMNS = [f"{stage}_total" for stage in STAGES]
CENT = 0.005

with (GOLDEN / "beer_game_retailer_vs_fixed_totals.csv").open(encoding="utf-8") as file:
    ROWS = list(csv.DictReader(file))
CHAINS = sorted({(int(row["ship_weeks"]), row["other_stages"]) for row in ROWS})


def played(row: dict[str, str]) -> list[dict[str, float]]:
    name = row["retailer_policy"]
    policies = dict.fromkeys(STAGES[1:], row["other_stages"]) | ({} if name in FORCED else {"retailer": name})
    return simulate(orders=FORCED.get(name), policies=policies, ship_weeks=int(row["ship_weeks"]))


def test_all_rows_are_there():
    assert len(ROWS) == 54
    assert len(CHAINS) == 6


@pytest.mark.parametrize("row", ROWS, ids=lambda row: "-".join(list(row.values())[:3]))
def test_totals_to_the_cent(row):
    last = played(row)[-1]
    for stage, column in zip("rwdb", COLUMNS, strict=True):
        assert last[f"{stage}_total_cost"] == pytest.approx(float(row[column]), abs=CENT, rel=0)
    assert last["chain_total_cost"] == pytest.approx(float(row["chain_total"]), abs=CENT, rel=0)


@pytest.mark.parametrize(("ship_weeks", "others"), CHAINS)
def test_totals_of_one_batch(ship_weeks, others):
    rows = [row for row in ROWS if (int(row["ship_weeks"]), row["other_stages"]) == (ship_weeks, others)]
    orders = np.array([[week["r_order"] for week in played(row)] for row in rows], dtype=float)
    settings = Settings(ship_weeks=ship_weeks, policies=parse_policies(others))
    state = initial_state(settings)
    for week, units in enumerate(demand_weeks("step", 25, np.random.default_rng(0))):
        state, _ = advance(settings, state, orders[:, week], units, BATCH_OPS)
    expected = np.array([[float(row[column]) for column in COLUMNS] for row in rows])
    np.testing.assert_allclose(np.stack(state.total_cost, axis=1), expected, atol=CENT, rtol=0)

"""Every cell of the system-dynamics tutorial model's files.

That model reports stocks and costs at the start of a step, a week later than ours, and totals that leave out the step's
own cost; its open orders begin at 200 whatever the shipping time, and it rounds half to even.
"""

import csv
import json
from pathlib import Path

import pytest
from bizgym.envs.beer_game.simulate import simulate

GOLDEN = Path(__file__).parent / "golden"
SEQUENCE = json.loads((GOLDEN / "beer_game_forced_sequences.json").read_text(encoding="utf-8"))["forced_random"]
FORCED = [*SEQUENCE, SEQUENCE[-1]]
SMOOTH_OTHERS = dict.fromkeys(("wholesaler", "distributor", "brewery"), "smoothing4")

GAMES = {
    "base": {"policies": "typical"},
    "base_ship2": {"policies": "typical", "ship_weeks": 2},
    "smooth4": {"policies": "smoothing4"},
    "smooth4_ship2": {"policies": "smoothing4", "ship_weeks": 2},
    "tau8": {"policies": "tau8"},
    "tau8_ship2": {"policies": "tau8", "ship_weeks": 2},
    "forced_random_ship2": {"orders": FORCED, "ship_weeks": 2},
    "forced_random_others_smooth4": {"orders": FORCED, "policies": SMOOTH_OTHERS},
    "forced_random_others_smooth4_ship2": {"orders": FORCED, "policies": SMOOTH_OTHERS, "ship_weeks": 2},
}
STOCKS = {"inventory": "inventory", "backorder": "backlog", "open_orders": "open_orders", "cost": "cost"}
FLOWS = {
    "order_decision": "order",
    "incoming_orders": "in_order",
    "incoming_deliveries": "in_deliv",
    "outgoing_deliveries": "out_deliv",
}
FIRST_STOCKS = {"inventory": 400, "backorder": 0, "open_orders": 200, "cost": 200}
FIRST_COST = 200
STAGES = "rwdb"


def start_of_step(rows: list[dict[str, float]], step: int) -> dict[str, float]:
    """Translate end-of-week rows into the row of the given step (1, 2, ...)."""
    row = {"t": step, "demand": rows[step - 1]["demand"]}
    for stage in STAGES:
        for column, ours in STOCKS.items():
            row[f"{stage}_{column}"] = rows[step - 2][f"{stage}_{ours}"] if step > 1 else FIRST_STOCKS[column]
        for column, ours in FLOWS.items():
            row[f"{stage}_{column}"] = rows[step - 1][f"{stage}_{ours}"]
    row["total_retailer_cost"] = FIRST_COST * (step > 1) + (rows[step - 3]["r_total_cost"] if step > 2 else 0)
    row["total_supply_chain_cost"] = 4 * FIRST_COST * (step > 1) + (
        rows[step - 3]["chain_total_cost"] if step > 2 else 0
    )
    return row


def test_every_file_is_played():
    assert {path.name for path in GOLDEN.glob("beer_game_sd_*.csv")} == {f"beer_game_sd_{name}.csv" for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_every_cell(name):
    with (GOLDEN / f"beer_game_sd_{name}.csv").open(encoding="utf-8") as file:
        expected = list(csv.DictReader(file))
    game = {"ship_weeks": 1, "horizon": 26, "initial_open_orders": 200, "rounding": "half_even", **GAMES[name]}
    rows = simulate(**game)
    assert len(expected) == 26
    for step, wanted in enumerate(expected, start=1):
        row = start_of_step(rows, step)
        assert set(row) == set(wanted)
        for column, cell in wanted.items():
            # The files carry six decimals.
            assert row[column] == pytest.approx(float(cell), abs=1e-6, rel=0), (name, step, column)

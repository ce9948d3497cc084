"""Every cell of the agent-based tutorial model's files: books at the end of the week, one week of shipping."""

import csv
import json
from pathlib import Path

import pytest
from bizgym.envs.beer_game.simulate import simulate

GOLDEN = Path(__file__).parent / "golden"
FORCED = json.loads((GOLDEN / "beer_game_forced_sequences.json").read_text(encoding="utf-8"))

GAMES = {
    "base": {"policies": "typical"},
    "steady": {"policies": "typical", "demand": "constant"},
    "ignore_backlog": {"policies": "ignore_backlog"},
    "supply_line": {"policies": "supply_line"},
    "supply_line_tau8": {"policies": "tau8"},
    "order_balance_tau8": {"policies": "order_balance"},
    "forced_constant400": {"orders": FORCED["forced_constant400"]},
    "forced_random": {"orders": FORCED["forced_random"]},
}
# The source model stores costs as integers and so loses halves; only this file has any.
TOLERANCE = {"order_balance_tau8": (0.5, 1.0)}


def golden(name: str) -> list[dict[str, float]]:
    with (GOLDEN / f"beer_game_abm_{name}.csv").open(encoding="utf-8") as file:
        return [{column: float(cell) for column, cell in row.items()} for row in csv.DictReader(file)]


def test_every_file_is_played():
    assert {path.name for path in GOLDEN.glob("beer_game_abm_*.csv")} == {f"beer_game_abm_{name}.csv" for name in GAMES}


@pytest.mark.parametrize("name", GAMES)
def test_every_cell(name):
    expected = golden(name)
    rows = simulate(ship_weeks=1, **GAMES[name])
    assert len(rows) == len(expected) == 25
    a_week, so_far = TOLERANCE.get(name, (0.0, 0.0))
    for row, wanted in zip(rows, expected, strict=True):
        assert list(row) == list(wanted)
        for column, value in wanted.items():
            tolerance = so_far if column.endswith("total_cost") else a_week
            assert row[column] == pytest.approx(value, abs=tolerance, rel=0), (name, row["t"], column)


@pytest.mark.parametrize("target_line", ["lead_time", "2d"])
def test_both_target_lines_agree_when_the_lead_time_is_two_weeks(target_line):
    rows = simulate(ship_weeks=1, policies="tau8", target_line=target_line)
    assert rows[-1]["chain_total_cost"] == golden("supply_line_tau8")[-1]["chain_total_cost"]


def test_cells_are_python_numbers():
    cells = [value for row in simulate(policies="smoothing4", demand="seasonal") for value in row.values()]
    assert {type(value) for value in cells} <= {int, float}

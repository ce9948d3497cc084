"""Demand: every pattern, a user's list, a user's file, and what is refused."""

import numpy as np
import pytest
from bizgym.envs.beer_game.demand import classic_settings, demand_weeks, is_classic
from bizgym.envs.beer_game.state import Settings


def weeks(spec, horizon=25, seed=0):
    return demand_weeks(spec, horizon, np.random.default_rng(seed))


def write(tmp_path, text):
    path = tmp_path / "demand.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return str(path)


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("step", [100, 400, 400, 400, 400, 400]),
        ({"pattern": "step", "before": 10, "after": 20, "step_week": 4}, [10, 10, 10, 20, 20, 20]),
        ("constant", [100] * 6),
        ({"pattern": "constant", "units": 7}, [7] * 6),
        # 250 - 150 cos(2 pi (t - 1) / 12) at twelfths of a turn: cos = 1, 0.866, 0.5, 0, -0.5, -0.866
        ("seasonal", [100, 120, 175, 250, 325, 380]),
        ({"pattern": "seasonal", "mean": 20, "amplitude": 10, "period_weeks": 4}, [10, 20, 30, 20, 10, 20]),
        ("classic", [4, 4, 4, 4, 8, 8]),
        ([5, 0, 1_000_000, 3, 2, 1, 99], [5, 0, 1_000_000, 3, 2, 1]),
        ((1, 2, 3, 4, 5, 6), [1, 2, 3, 4, 5, 6]),
    ],
)
def test_patterns(spec, expected):
    assert weeks(spec, horizon=6) == tuple(expected)


def test_uniform_draws_from_the_generator_alone():
    spec = {"pattern": "uniform", "low": 50, "high": 52}
    drawn = weeks(spec, horizon=500, seed=4)
    assert set(drawn) == {50, 51, 52}
    assert drawn == weeks(spec, horizon=500, seed=4)
    assert drawn != weeks(spec, horizon=500, seed=5)
    assert {type(units) for units in drawn} == {int}


@pytest.mark.parametrize("spec", ["step", "constant", "seasonal", "classic", [1] * 25])
def test_other_patterns_leave_the_generator_alone(spec):
    rng = np.random.default_rng(8)
    demand_weeks(spec, 25, rng)
    assert rng.random() == np.random.default_rng(8).random()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("setp", "unknown demand pattern 'setp'; did you mean 'step'?"),
        ({"pattern": "uniform", "hihg": 3}, "unknown parameter of demand uniform 'hihg'; did you mean 'high'?"),
        ({"low": 3}, "unknown demand pattern None"),
        ({"pattern": "uniform", "low": 5, "high": 4}, r"low \(5\) must not exceed high \(4\)"),
        ({"pattern": "uniform", "low": -1}, "low must be an integer from 0 to 1000000, got -1"),
        ({"pattern": "constant", "units": True}, "units must be an integer from 0 to 1000000, got True"),
        ({"pattern": "seasonal", "mean": 10, "amplitude": 11}, "amplitude .11. must not exceed mean"),
        ({"pattern": "classic", "units": 4}, "unknown parameter of demand classic 'units'"),
        ({"pattern": ["step"]}, "unknown demand pattern"),
        ([100] * 24, "demand list has 24 weeks, the game 25"),
        ([100, -1] * 13, "demand of week 2 must be an integer from 0 to 1000000, got -1"),
        ([100, 2.0] * 13, "demand of week 2"),
        ([100, float("nan")] * 13, "demand of week 2"),
        ([1_000_001] * 25, "demand of week 1"),
        (7, "demand must be"),
        (None, "demand must be"),
    ],
)
def test_wrong_specs_are_refused(spec, message):
    with pytest.raises(ValueError, match=message):
        weeks(spec)


@pytest.mark.parametrize(
    "text",
    [
        "3\n0\n1000000\n",
        "demand\n3\n0\n1000000\n",
        "\ufeffUnits\r\n3\r\n0\r\n1000000\r\n\r\n",
        "week,demand,note\n1,3,a\n2, 0 ,b\n3,1000000,c\n4,9,d\n",
        '"units"\n"3"\n"0"\n"1000000"\n',
    ],
)
def test_files(tmp_path, text):
    path = write(tmp_path, text)
    assert weeks(path, horizon=3) == weeks({"pattern": "csv", "path": path}, horizon=3) == (3, 0, 1_000_000)


@pytest.mark.parametrize("cell", ["NaN", "-4", "four", "", "1.5", "1e3", "1_000", "٣", "1000001", "9" * 5000, "inf"])
def test_bad_cells_name_row_column_and_mend(tmp_path, cell):
    path = write(tmp_path, f"week,units\n1,100\n2,{cell}\n3,100\n")
    with pytest.raises(ValueError, match="integer from 0 to 1000000; write whole units there") as error:
        weeks(path, horizon=3)
    assert f"{path}, row 3, column 2: " in str(error.value)
    assert len(str(error.value)) < 400


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("\n\n", "is empty"),
        ("demand\n", "has 0 weeks"),
        ("100\n100\n", "has 2 weeks, the game 3"),
        ("100\n\n100\n100\n", "row 2, column 1: the row has 0 cells, the first row 1"),
        ("100\n100,5\n100\n", "row 2, column 1: the row has 2 cells, the first row 1"),
        ("sales\n100\n100\n100\n", "row 1, column 1: 'sales' .* or name the column demand or units"),
        ("week,sales\n1,100\n", "name exactly one of them demand or units"),
        ("demand,units\n1,100\n", "name exactly one of them demand or units"),
        ('demand\n"100\n', "is not a CSV file"),
        (b"\xff\xfe1\x00", "is not a CSV file in UTF-8"),
        ("1\n" * 600_000, "is longer than 1000000 bytes"),
    ],
)
def test_bad_files_are_refused(tmp_path, text, message):
    with pytest.raises(ValueError, match=message):
        weeks(write(tmp_path, text), horizon=3)


def test_paths_that_are_no_file(tmp_path):
    for path in (str(tmp_path / "none.csv"), str(tmp_path)):
        with pytest.raises(ValueError, match="does not exist or is no file"):
            weeks({"pattern": "csv", "path": path})
    with pytest.raises(ValueError, match="path must be"):
        weeks({"pattern": "csv"})
    with pytest.raises(ValueError, match="unknown parameter of demand csv 'pth'; did you mean 'path'"):
        weeks({"pattern": "csv", "pth": "x.csv"})


def test_classic_is_the_board_game():
    settings = Settings(**classic_settings())
    assert (settings.initial_inventory, settings.target_inventory, settings.initial_flow) == (12, 12, 4)
    assert (settings.minimum_inventory_cost_per_week, settings.max_order) == (0, 100)
    assert is_classic("classic")
    assert is_classic({"pattern": "classic"})
    assert not is_classic("step")
    assert not is_classic([4, 8])

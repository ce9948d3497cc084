"""Consumer demand: what the retailer's customers ask for, week by week.

A spec is a pattern's name (`"step"`), an object with parameters (`{"pattern": "uniform", "low": 50, "high": 350}`), a
list of units (`[100, 400, 250]`), or the path of a CSV file. Every pattern but `uniform` is deterministic.
"""

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from .policies import MAX_UNITS, check_integer, unknown

DEFAULT_DEMAND = "step"
MIN_PERIOD_WEEKS = 2
MAX_PERIOD_WEEKS = 520
MAX_CSV_BYTES = 1_000_000
MAX_CELL_CHARACTERS = 40
CSV_COLUMNS = ("demand", "units")
CLASSIC_STEP_WEEK = 5
CLASSIC_UNITS_BEFORE = 4
CLASSIC_UNITS_AFTER = 8

DemandSpec: TypeAlias = str | Sequence[int] | Mapping[str, object]


class Pattern(NamedTuple):
    """A deterministic or random pattern: its integer parameters as name -> (default, low, high), and its rule."""

    parameters: dict[str, tuple[int, int, int]]
    rule: Callable[[dict[str, int], int, np.random.Generator], list[int]]


def demand_weeks(spec: DemandSpec, horizon_weeks: int, rng: np.random.Generator) -> tuple[int, ...]:
    """Return the consumers' order of each week.

    Patterns and their parameters (units 0 to 1,000,000):
        step: `before` (100) and, from `step_week` (2) on, `after` (400).
        constant: `units` (100).
        uniform: integers from `low` (0) to `high` (400), both included, drawn from `rng`.
        seasonal: mean - amplitude * cos(2 pi (t - 1) / period_weeks), rounded: `mean` (250), `amplitude` (150, at most
            the mean), `period_weeks` (12). It starts at mean - amplitude.
        classic: 4, and 8 from week 5 on (Sterman 1989); see also `classic_settings`.
        csv: `path` of a file with one column, or with a column named demand or units, one row a week. A string that
            ends in .csv is short for it.

    Args:
        spec: name, object with `pattern`, list of integers, or path of a CSV file.
        horizon_weeks: weeks to return; a longer list or file is cut.
        rng: used by `uniform` alone.

    Raises:
        ValueError: what is wrong and where; an unknown name with the nearest one; a list too short for the game.
    """
    if isinstance(spec, str):
        spec = {"pattern": "csv", "path": spec} if spec.lower().endswith(".csv") else {"pattern": spec}
    if isinstance(spec, Mapping):
        if spec.get("pattern") == "csv":
            return _cut(_csv_units(spec), horizon_weeks, f"demand file {spec['path']}")
        return _from_pattern(spec, horizon_weeks, rng)
    if not isinstance(spec, list | tuple):
        raise ValueError(f"demand must be a pattern's name, an object, a list of integers or a CSV path, got {spec!r}")
    for week, units in enumerate(spec, start=1):
        check_integer(f"demand of week {week}", units, 0, MAX_UNITS)
    return _cut(spec, horizon_weeks, "demand list")


def _cut(units: Sequence[int], horizon_weeks: int, source: str) -> tuple[int, ...]:
    if len(units) < horizon_weeks:
        raise ValueError(f"{source} has {len(units)} weeks, the game {horizon_weeks}: give one number for every week")
    return tuple(units[:horizon_weeks])


def _from_pattern(spec: Mapping[str, object], horizon_weeks: int, rng: np.random.Generator) -> tuple[int, ...]:
    given = dict(spec)
    name = given.pop("pattern", None)
    if not isinstance(name, str) or name not in PATTERNS:
        raise ValueError(unknown("demand pattern", name, [*PATTERNS, "csv"]))
    pattern = PATTERNS[name]
    values = {key: default for key, (default, _, _) in pattern.parameters.items()}
    for key, value in given.items():
        if key not in pattern.parameters:
            raise ValueError(unknown(f"parameter of demand {name}", key, list(pattern.parameters)))
        _, low, high = pattern.parameters[key]
        check_integer(f"demand {name}: {key}", value, low, high)
        values[key] = value  # type: ignore[assignment]  # checked on the line above
    return tuple(pattern.rule(values, horizon_weeks, rng))


def _step(values: dict[str, int], weeks: int, rng: np.random.Generator) -> list[int]:
    return [values["before"] if week < values["step_week"] else values["after"] for week in range(1, weeks + 1)]


def _constant(values: dict[str, int], weeks: int, rng: np.random.Generator) -> list[int]:
    return [values["units"]] * weeks


def _uniform(values: dict[str, int], weeks: int, rng: np.random.Generator) -> list[int]:
    if values["low"] > values["high"]:
        raise ValueError(f"demand uniform: low ({values['low']}) must not exceed high ({values['high']})")
    return [int(units) for units in rng.integers(values["low"], values["high"], size=weeks, endpoint=True)]


def _seasonal(values: dict[str, int], weeks: int, rng: np.random.Generator) -> list[int]:
    mean, amplitude = values["mean"], values["amplitude"]
    if amplitude > mean:
        raise ValueError(f"demand seasonal: amplitude ({amplitude}) must not exceed mean ({mean})")
    turn = 2 * math.pi / values["period_weeks"]
    return [round(mean - amplitude * math.cos(turn * week)) for week in range(weeks)]


def _classic(values: dict[str, int], weeks: int, rng: np.random.Generator) -> list[int]:
    step = {"before": CLASSIC_UNITS_BEFORE, "after": CLASSIC_UNITS_AFTER, "step_week": CLASSIC_STEP_WEEK}
    return _step(step, weeks, rng)


PATTERNS = {
    "step": Pattern(
        {"before": (100, 0, MAX_UNITS), "after": (400, 0, MAX_UNITS), "step_week": (2, 1, MAX_PERIOD_WEEKS)}, _step
    ),
    "constant": Pattern({"units": (100, 0, MAX_UNITS)}, _constant),
    "uniform": Pattern({"low": (0, 0, MAX_UNITS), "high": (400, 0, MAX_UNITS)}, _uniform),
    "seasonal": Pattern(
        {
            "mean": (250, 0, MAX_UNITS // 2),
            "amplitude": (150, 0, MAX_UNITS // 2),
            "period_weeks": (12, MIN_PERIOD_WEEKS, MAX_PERIOD_WEEKS),
        },
        _seasonal,
    ),
    "classic": Pattern({}, _classic),
}


def is_classic(spec: object) -> bool:
    """Tell whether a demand spec is the `classic` pattern, which comes with settings of its own."""
    return spec == "classic" or (isinstance(spec, Mapping) and spec.get("pattern") == "classic")


def classic_settings() -> dict[str, Any]:
    """Return the `Settings` fields in which the classic board game (Sterman 1989) differs from the default game.

    Stock and target of 12 cases, flows of 4, no minimum inventory cost, orders up to 100; delays, horizon and the costs
    of 0.5 and 1.0 a case and week are the default ones.
    """
    return {
        "initial_inventory": 12,
        "target_inventory": 12,
        "initial_flow": CLASSIC_UNITS_BEFORE,
        "minimum_inventory_cost_per_week": 0.0,
        "max_order": 100,
    }


def _csv_units(spec: Mapping[str, object]) -> list[int]:
    for key in spec:
        if key not in ("pattern", "path"):
            raise ValueError(unknown("parameter of demand csv", key, ["path"]))
    path = spec.get("path")
    if not isinstance(path, str) or not path:
        raise ValueError(f"demand csv: path must be the path of a CSV file, got {path!r}")
    rows = _csv_rows(path)
    column, first = _csv_column(path, rows)
    return [_cell(path, number, column, row, len(rows[0])) for number, row in enumerate(rows[first:], start=first + 1)]


def _csv_rows(path: str) -> list[list[str]]:
    try:
        if not Path(path).is_file():
            raise ValueError(f"demand file {path} does not exist or is no file")
        with Path(path).open("rb") as file:
            raw = file.read(MAX_CSV_BYTES + 1)
    except OSError as error:
        raise ValueError(f"demand file {path} cannot be read: {error}") from error
    if len(raw) > MAX_CSV_BYTES:
        raise ValueError(f"demand file {path} is longer than {MAX_CSV_BYTES} bytes: give one short row a week")
    try:
        rows = list(csv.reader(raw.decode("utf-8-sig").splitlines(), strict=True))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"demand file {path} is not a CSV file in UTF-8: {error}") from error
    while rows and not any(cell.strip() for cell in rows[-1]):
        rows.pop()
    if not rows:
        raise ValueError(f"demand file {path} is empty: give one row a week")
    return rows


def _csv_column(path: str, rows: list[list[str]]) -> tuple[int, int]:
    """Return the index of the column to read and that of the first row of numbers."""
    names = [cell.strip().lower() for cell in rows[0]]
    found = [index for index, name in enumerate(names) if name in CSV_COLUMNS]
    if len(found) == 1:
        return found[0], 1
    if found or len(names) > 1:
        raise ValueError(f"demand file {path} has the columns {names}: name exactly one of them demand or units")
    return 0, 0


def _cell(path: str, number: int, column: int, row: list[str], width: int) -> int:
    where = f"demand file {path}, row {number}, column {column + 1}"
    if len(row) != width:
        raise ValueError(f"{where}: the row has {len(row)} cells, the first row {width}; write {width} cells there")
    text = row[column].strip()
    # int() also reads "1_000" and other alphabets' digits, which in a file are more likely slips than numbers.
    plain = text.isascii() and text.isdigit() and len(text) <= MAX_CELL_CHARACTERS
    if not plain or int(text) > MAX_UNITS:
        mend = (
            "write whole units there" if number > 1 else "write whole units there, or name the column demand or units"
        )
        raise ValueError(f"{where}: {text[:MAX_CELL_CHARACTERS]!r} is not an integer from 0 to {MAX_UNITS}; {mend}")
    return int(text)

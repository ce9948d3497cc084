"""Stored programs: they read by cell, hold no figure of their own, and fall with their evidence."""

from decimal import Decimal

import pytest
from bizgym.envs.qa.items import Section
from bizgym.envs.qa.programs import ProgramError, operations, own_numbers, reckon, run_program, standalone, without
from bizgym.envs.qa.sandbox import run
from bizgym.envs.qa.tables import tables_of

pytestmark = pytest.mark.sandbox
SHEET = Section(
    section_id="sheet",
    title="Sheet",
    text="Table: sheet (in thousands of USD)\n\n| | FY2025 | FY2024 |\n|---|---:|---:|\n"
    "| Net sales | 1,250 | 1,000 |\n| Cost | (800) | n/a |\n\nTable: other\n\n| | X |\n|---|---:|\n| Net sales | 7 |\n",
)
GROWTH = 'now, before = [cell("sheet", "Net sales", c) for c in ("FY2025", "FY2024")]\n(now / before - 1) * 100'


def test_a_program_gives_its_last_expression_in_the_tables_own_scale():
    assert run_program(GROWTH, [SHEET]) == 25
    assert run_program('cell("sheet", "Cost", "FY2025")', [SHEET]) == -800


def test_other_expressions_stand_in_its_scope_and_read_nothing_for_it():
    done = reckon(GROWTH, tables_of([SHEET]), ["before / now", 'cell("other", "Net sales", "X")'])
    assert done.values == (Decimal(25), Decimal("0.8"), Decimal(7))
    assert done.reads == (("sheet", "Net sales", "FY2025"), ("sheet", "Net sales", "FY2024"))


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ('cell("sheet", "Costs", "FY2025")', "Costs"),
        ('cell("sheet", "Cost", "FY2024")', "holds no number"),
        ('cell("sheet", "Cost", "FY2025") / 0', "ZeroDivision"),
        ('float("nan")', "finite"),
        ("True", "a number"),
        ("x = 1", "last statement"),
        ("while True:\n    pass\n1", "time"),
    ],
)
def test_what_breaks_off_says_why(program, said):
    with pytest.raises(ProgramError, match=said):
        run_program(program, [SHEET])


@pytest.mark.parametrize(
    ("program", "found"),
    [
        (GROWTH, []),
        ('cell("sheet", "Cost", "FY2025") * 365 / 12 ** 0.5', []),
        ('cell("sheet", "Cost", "FY2025") * 0.07', ["0.07"]),
        ("1250 / 1000", ["1250"]),
        ('float("1250")', ["float('1250')"]),
        ("int(cell('sheet', 'Cost', 'FY2025'))", []),
        ("True", ["True"]),
        ("1j", ["1j"]),
    ],
)
def test_figures_of_its_own_are_found(program, found):
    assert own_numbers(program) == found


def test_a_row_that_is_taken_away_is_missed_and_no_other_one():
    left = without([SHEET], [("sheet", "Net sales", "FY2025")])
    assert "Net sales | 7" in left[0].text
    assert "1,250" not in left[0].text
    with pytest.raises(ProgramError, match="Net sales"):
        run_program(GROWTH, left)
    assert run_program('cell("sheet", "Cost", "FY2025")', left) == -800


def test_operations_are_counted_without_the_change_of_a_percentage():
    assert operations('a = cell("t", "r", "c") / 100\n1 + a') == 1
    assert operations("sum(x * 2 for x in y) / 3") == 3


def test_a_program_that_stands_alone_gives_the_same_without_tables():
    code = standalone(GROWTH, [SHEET])
    assert "800" not in code  # only what it reads goes along
    assert Decimal(run(code).value) == 25

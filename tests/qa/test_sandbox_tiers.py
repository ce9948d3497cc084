"""The two tiers of the sandbox give the same values: two hundred stored programs, and the ways in which others end."""

import pytest
from bizgym.envs.qa.programs import standalone
from bizgym.envs.qa.sandbox import bubblewrap, run
from bizgym.envs.qa.store import read_items

N_PROGRAMS = 200
pytestmark = [
    pytest.mark.sandbox,
    pytest.mark.skipif(bubblewrap.unavailable() != "", reason=bubblewrap.unavailable()),
]
ITEMS = [
    item
    for capability in ("numerical_calculation", "complex_reasoning", "information_extraction")
    for item in read_items(capability)
    if item.program
][:N_PROGRAMS]


def test_there_are_two_hundred_programs_of_many_families():
    assert len(ITEMS) == N_PROGRAMS
    assert len({item.family for item in ITEMS}) >= 80


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, N_PROGRAMS, 25))
def test_the_tiers_agree(start):
    for item in ITEMS[start : start + 25]:
        code = standalone(item.program, item.sections)
        first, second = (run(code, tiers=[tier]) for tier in ("monty", "bubblewrap"))
        assert (first.status, second.status) == ("ok", "ok"), (item.item_id, first, second)
        assert float(first.value) == pytest.approx(float(second.value), rel=1e-12, abs=1e-12), item.item_id


@pytest.mark.parametrize(
    "code",
    [
        "1 / 0",
        "x = 1\ny = x + missing",
        "[1][3]",
        "{'a': 1}['b']",
        "int('x')",
        "def f(",
        "answer = None",
        "print('only')",
        "round(2.665, 1)",
        "sorted([3, 1, 2])",
        "'%.2f' % 3.14159",
        "f'{1234567.891:,.2f}'",
        "sum(k * k for k in range(1000))",
        "10 ** 30",
        "-7 // 2, -7 % 3",
        "import math\nmath.log(math.e ** 3)",
        "from decimal import Decimal\nDecimal('0.1') + Decimal('0.2')",
        "from statistics import mean\nmean([1, 2, 3])",
    ],
)
def test_the_tiers_agree_on_how_a_program_ends(code):
    if "statistics" in code:
        assert run(code, tiers=["monty"]).status == "unsupported"
        return
    first, second = (run(code, tiers=[tier]) for tier in ("monty", "bubblewrap"))
    assert (first.status, first.value, first.stdout) == (second.status, second.value, second.stdout)
    assert first.error.partition(":")[0] == second.error.partition(":")[0]


def test_the_one_known_difference_is_that_the_first_tier_rounds_as_the_number_is_written():
    assert (run("round(2.675, 2)", tiers=["monty"]).value, run("round(2.675, 2)", tiers=["bubblewrap"]).value) == (
        "2.68",
        "2.67",
    )

"""Numbers of the tables, against closed forms."""

import pytest
from bizgym.evaluators.report_tables import decimals, number, sd_over_trials


def test_sd_over_trials_pools_what_trials_of_a_task_differ_by():
    assert sd_over_trials([[1.0, 3.0], [12.0, 12.0], [50.0]]) == pytest.approx(1.0)
    assert sd_over_trials([[1.0], [9.0]]) is None


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (-0.0, "0"), (1234.5, "1,234"), (0.25, "0.250"), (12.345, "12.35"), (7.0, "7")]
)
def test_numbers_for_people(value, text):
    assert number(value) == text


def test_numbers_of_a_column_share_their_decimals():
    assert [decimals(values) for values in ([1.0, 2.0], [0.5, 2.0], [0.5, 20.0], [0.5, 2000.0], [None])] == [
        0,
        3,
        2,
        0,
        0,
    ]

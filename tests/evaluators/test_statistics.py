"""Means, intervals and tails against closed forms and an independent library."""

import math

import pytest
from bizgym.evaluators.statistics import (
    ci95,
    ci95_by_task,
    mean,
    mean_ci95,
    quantile,
    rate_ci95,
    spearman,
    standard_deviation,
    student_t975,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

NUMBERS = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=40)


@pytest.mark.parametrize("degrees", range(1, 201))
def test_student_t_agrees_with_scipy(degrees: int) -> None:
    assert student_t975(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), abs=0.01)


def test_student_t_has_its_closed_forms() -> None:
    """One degree: the Cauchy distribution. Two: x / sqrt(2 + x^2) = 0.95. Many: the normal distribution."""
    assert student_t975(1) == pytest.approx(math.tan(math.pi * 0.475), rel=1e-12)
    assert student_t975(2) == pytest.approx(0.95 * math.sqrt(2 / (1 - 0.95**2)), rel=1e-12)
    assert student_t975(4) == pytest.approx(stats.t.ppf(0.975, 4), rel=1e-9)
    assert student_t975(10**9) == pytest.approx(1.959963984540054, rel=1e-8)
    values = [student_t975(degrees) for degrees in range(1, 400)]
    assert values == sorted(values, reverse=True)


def test_mean_ci95_of_known_numbers() -> None:
    """Mean 3, sample standard deviation sqrt(2.5), 4 degrees of freedom: 3 -+ 2.7764 * 0.70711."""
    low, high = mean_ci95([1, 2, 3, 4, 5]) or (0, 0)
    assert (low + high) / 2 == 3
    assert (high - low) / 2 == pytest.approx(2.7764451 * math.sqrt(0.5), rel=1e-6)
    assert mean_ci95([7.0]) is None
    assert mean_ci95([]) is None
    assert mean_ci95([7.0, 7.0]) == (7.0, 7.0)


@given(NUMBERS)
def test_mean_ci95_agrees_with_scipy(values: list[float]) -> None:
    low, high = mean_ci95(values) or (0.0, 0.0)
    half = stats.t.ppf(0.975, len(values) - 1) * stats.sem(values)
    assert (high - low) / 2 == pytest.approx(half, rel=0.005, abs=1e-6)
    assert low <= mean(values) <= high or math.isclose(low, high, rel_tol=1e-12)


@pytest.mark.parametrize(
    ("successes", "n"),
    [(0, 1), (1, 1), (0, 10), (5, 10), (10, 10), (1, 3), (81, 263), (15, 148), (0, 20), (99, 100)],
)
def test_rate_ci95_solves_wilsons_equation(successes: int, n: int) -> None:
    """The bounds are the rates p at which |successes / n - p| is z standard errors of p."""
    low, high = rate_ci95(successes, n) or (0.0, 0.0)
    z = stats.norm.ppf(0.975)
    roots = sorted(
        ((2 * successes + z**2) + sign * z * math.sqrt(z**2 + 4 * successes * (1 - successes / n))) / (2 * (n + z**2))
        for sign in (-1, 1)
    )
    assert (low, high) == pytest.approx(tuple(roots), abs=1e-12)
    for bound in (low, high):
        if 1e-9 < bound < 1 - 1e-9:
            assert abs(successes / n - bound) == pytest.approx(z * math.sqrt(bound * (1 - bound) / n), rel=1e-9)
    assert 0 <= low <= successes / n <= high <= 1


def test_rate_ci95_as_published() -> None:
    """Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, n), interval in published.items():
        assert rate_ci95(successes, n) == pytest.approx(interval, abs=5e-5)
    assert rate_ci95(0, 0) is None


def test_quantiles_are_interpolated() -> None:
    assert quantile([4, 1, 3, 2], 0.5) == 2.5
    assert quantile([10, 20], 0.05) == 10.5
    assert quantile([3], 0.95) == 3
    assert quantile([1, 2, 3], 0) == 1
    assert quantile([1, 2, 3], 1) == 3


@given(NUMBERS, st.floats(0, 1))
def test_quantile_agrees_with_scipy(values: list[float], share: float) -> None:
    assert quantile(values, share) == pytest.approx(
        float(stats.scoreatpercentile(values, 100 * share)), rel=1e-9, abs=1e-6
    )


@given(NUMBERS)
def test_mean_is_exact(values: list[float]) -> None:
    assert mean(values) == pytest.approx(math.fsum(values) / len(values))
    assert mean([0.1] * 10) == 0.1


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(-5, 5)), min_size=2, max_size=40))
def test_spearman_agrees_with_scipy(pairs: list[tuple[int, int]]) -> None:
    left, right = ([float(pair[k]) for pair in pairs] for k in (0, 1))
    if len(set(left)) < 2 or len(set(right)) < 2:
        assert spearman(left, right) is None
    else:
        assert spearman(left, right) == pytest.approx(stats.spearmanr(left, right).statistic, abs=1e-9)


def test_spearman_of_unequal_lengths_is_refused() -> None:
    with pytest.raises(ValueError, match="2 values against 1"):
        spearman([1.0, 2.0], [1.0])


def test_standard_deviation_of_known_numbers() -> None:
    assert standard_deviation([1, 2, 3, 4, 5]) == pytest.approx(math.sqrt(2.5))
    assert standard_deviation([7.0]) == standard_deviation([]) == 0.0


def test_the_interval_of_zeros_and_ones_is_wilsons_and_of_anything_else_students():
    assert ci95([1.0] * 8, is_rate=True) == rate_ci95(8, 8)
    assert ci95([1.0, 0.0, 1.0], is_rate=True) == pytest.approx((0.2077, 0.9385), abs=1e-4)  # 2 of 3 by Wilson's score
    assert ci95([1.0], is_rate=True) is not None
    assert ci95([], is_rate=True) is None
    assert ci95([1.0, 0.0, 1.0], is_rate=False) == mean_ci95([1.0, 0.0, 1.0])
    assert ci95([1.0, 0.5], is_rate=True) == mean_ci95([1.0, 0.5])  # a record of another version


def test_trials_of_one_task_are_no_sample_of_their_own():
    once, five = [[4.0], [9.0], [2.0]], [[4.0] * 5, [9.0] * 5, [2.0] * 5]
    assert ci95_by_task(five, is_rate=False) == pytest.approx(mean_ci95([4.0, 9.0, 2.0]))
    assert ci95_by_task(once, is_rate=False) == mean_ci95([4.0, 9.0, 2.0])
    mixed = [[1.0, 0.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]]
    assert ci95_by_task(mixed, is_rate=True) == pytest.approx((0.0, 1.0))  # cut: 0.5 +- 0.65 over four tasks
    assert ci95_by_task([[5.0, 7.0], [9.0, 3.0], [8.0, 6.0]], is_rate=False) == pytest.approx(
        mean_ci95([6.0, 6.0, 7.0])
    )


def test_one_task_alone_has_no_interval_and_no_rate_is_certain():
    assert ci95_by_task([[1.0, 2.0, 3.0]], is_rate=False) is None
    assert ci95_by_task([[1.0, 1.0], []], is_rate=True) is None
    assert ci95_by_task([[1.0] * 3] * 8, is_rate=True) == rate_ci95(8, 8)
    assert ci95_by_task([[1.0], [0.0]], is_rate=True) == rate_ci95(1, 2)


def test_tasks_of_unequal_trials_keep_the_mean_of_the_episodes_inside():
    tasks = [[0.0] * 10] * 10 + [[1.0]] * 10
    low, high = ci95_by_task(tasks, is_rate=False)
    assert low < 10 / 110 < high < 0.5

"""pass^k against its closed forms, and the three ways to read trials that the infrastructure lost."""

from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import CheckRecord
from bizgym.evaluators.aggregate import count, reliability_rows
from bizgym.evaluators.reliability import LARGEST_K, PassHatK, Trials, chance, curve, pass_hat_k

from tests.fixtures.records import record, write_run


@pytest.mark.parametrize("n", range(1, 7))
def test_chance_is_the_share_of_choices_in_which_all_succeeded(n):
    for successes, k in product(range(n + 1), range(1, n + 1)):
        trials = [1] * successes + [0] * (n - successes)
        choices = [all(choice) for choice in combinations(trials, k)]
        assert chance(successes, n, k) == Fraction(sum(choices), len(choices))


@pytest.mark.parametrize("p", [Fraction(0), Fraction(1, 3), Fraction(9, 10), Fraction(1)])
@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 2), (5, 3), (8, 8)])
def test_chance_is_unbiased(n, k, p):
    """Its mean over the binomial distribution of successes is p^k."""
    assert sum(comb(n, c) * p**c * (1 - p) ** (n - c) * chance(c, n, k) for c in range(n + 1)) == p**k


@pytest.mark.parametrize(("successes", "n", "k"), [(-1, 3, 1), (4, 3, 1), (1, 3, 0), (1, 3, 4)])
def test_what_cannot_be_is_refused(successes, n, k):
    with pytest.raises(ValueError, match=f"not {successes} of {n} and k = {k}"):
        chance(successes, n, k)
    with pytest.raises(ValueError, match="k: at least 1, not 0"):
        pass_hat_k([], 0)


def test_the_three_conventions_part_where_trials_were_lost():
    """Two tasks of four trials: 3 won of 4; and 1 won, 1 lost, 1 errored, 1 never played."""
    tasks = [Trials(asked=4, successes=3, failures=1), Trials(asked=4, successes=1, failures=1, unknown=1)]
    found = pass_hat_k(tasks, 2)
    assert found == PassHatK(
        k=2,
        tasks=2,
        excluded=(3 / 6 + 0 / 1) / 2,
        excluded_tasks=2,
        as_failures=(3 / 6 + 0 / 3) / 2,
        as_failures_tasks=2,
        lower=(3 / 6 + 0 / 6) / 2,
        upper=(3 / 6 + 3 / 6) / 2,
    )
    one = pass_hat_k(tasks, 1)
    assert (one.excluded, one.as_failures) == ((3 / 4 + 1 / 2) / 2, float((Fraction(3, 4) + Fraction(1, 3)) / 2))
    assert (one.lower, one.upper) == ((3 / 4 + 1 / 4) / 2, (3 / 4 + 3 / 4) / 2)


def test_one_lucky_trial_among_errors_shows_on_how_little_it_rests():
    """Left out, seven errors of eight make a perfect score; the other conventions do not."""
    found = pass_hat_k([Trials(asked=4, successes=1, unknown=3), Trials(asked=4, unknown=4)], 1)
    assert (found.excluded, found.excluded_tasks, found.tasks) == (1.0, 1, 2)
    assert (found.as_failures, found.as_failures_tasks) == (1 / 8, 2)
    assert (found.lower, found.upper) == (1 / 8, 1.0)


def test_where_no_task_has_k_trials_there_is_no_number():
    found = pass_hat_k([Trials(asked=2, successes=1, unknown=1)], 2)
    assert (found.excluded, found.excluded_tasks) == (None, 0)
    assert (found.as_failures, found.lower, found.upper) == (0.0, 0.0, 1.0)
    assert pass_hat_k([Trials(asked=1, successes=1)], 2).lower is None


def test_without_lost_trials_the_conventions_agree():
    tasks = {str(c): Trials(asked=5, successes=c, failures=5 - c) for c in range(6)}
    found = curve(tasks)
    assert [each.k for each in found] == [1, 2, 3, 4, 5]
    for each in found:
        assert each.excluded == each.as_failures == each.lower == each.upper
    assert found[0].excluded == 0.5
    assert found[4].excluded == 1 / 6
    assert sorted((each.excluded for each in found), reverse=True) == [each.excluded for each in found]


def test_a_long_curve_ends():
    assert [each.k for each in curve({"a": Trials(asked=50, successes=50)})] == list(range(1, LARGEST_K + 1))
    assert curve({}) == []


def test_a_run_is_counted_by_task(tmp_path):
    """count_0: won twice; count_1: won once and errored once; count_2: lost once, ended unscored once."""
    won = [CheckRecord(id="G1", kind="goal", passed=True, expected="", observed="")]
    lost = [won[0].model_copy(update={"passed": False})]
    rows = [
        record("count_0", 0, checks=won),
        record("count_0", 1, checks=won),
        record("count_1", 0, checks=won),
        record("count_1", 1, reward=None),
        record("count_2", 0, reward=0.0, checks=lost),
        record("count_2", 1, reward=None, stop_reason=StopReason.ENV_DONE),
    ]
    folder = write_run(tmp_path, rows, ["count_0", "count_1", "count_2"], trials=2)
    one, two = reliability_rows(count(folder))
    assert (one["agent"], one["k"], one["tasks"], two["k"]) == ("a", 1, 3, 2)
    assert (one["excluded"], one["as_failures"], one["lower"], one["upper"]) == (2 / 3, 0.5, 0.5, 5 / 6)
    assert (two["excluded"], two["excluded_tasks"]) == (1.0, 1)
    assert (two["as_failures"], two["lower"], two["upper"]) == (1 / 3, 1 / 3, 2 / 3)


def test_a_run_without_checks_has_no_reliability(tmp_path):
    assert reliability_rows(count(write_run(tmp_path, [record("count_0")], ["count_0"]))) == []

"""Goal, process and protection are told apart, and what the last state hides is counted; by records made by hand."""

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import CheckRecord
from bizgym.evaluators.aggregate import count, score_rows
from bizgym.evaluators.statistics import rate_ci95
from bizgym.evaluators.strict_success import Judged, Rate, judged, rates

from tests.fixtures.records import record, write_run

KINDS = {"G": "goal", "P": "process", "F": "protection"}


def checks(**verdicts):
    """Checks by id: True passed, None broken by the end, a number broken in that turn."""
    return [
        CheckRecord(
            id=name,
            kind=KINDS[name[0]],
            passed=found is True,
            expected="",
            observed="",
            turn=None if found is True else found,
        )
        for name, found in verdicts.items()
    ]


def row(k=0, reward=0.0, **verdicts):
    return record(f"count_{k}", reward=reward, checks=checks(**verdicts))


STRICT = row(G1=True, P1=True, F1=True)
REPAIRED = row(G1=True, P1=True, F1=7)
UNTOLD = row(G1=True, P1=None, F1=True)
LOST = row(G1=None, P1=True, F1=True)
CARELESS = row(G1=None, G2=True, P1=3, P2=True, F1=True)


@pytest.mark.parametrize(
    ("played", "classes", "strict", "violating", "on_the_way"),
    [
        (STRICT, (True, True, True), True, False, False),
        (REPAIRED, (True, True, False), False, True, True),
        (UNTOLD, (True, False, True), False, True, False),
        (LOST, (False, True, True), False, False, False),
        (CARELESS, (False, False, True), False, False, True),
    ],
)
def test_an_episode_is_judged_by_class(played, classes, strict, violating, on_the_way):
    found = judged(played)
    assert found == Judged(dict(zip(KINDS.values(), classes, strict=True)), on_the_way)
    assert (found.strict, found.goal_but_violating) == (strict, violating)


def test_what_has_no_verdict_is_not_judged():
    assert judged(record(reward=1.0)) is None
    assert judged(record(reward=None, checks=checks(G1=True))) is None
    assert judged(record(reward=None, stop_reason=StopReason.ENV_DONE, checks=checks(G1=True))) is None


def test_the_rates_of_five_episodes_and_an_errored_one():
    found = rates([judged(each) for each in (STRICT, REPAIRED, UNTOLD, LOST, CARELESS)], attempted=6)
    assert found == [
        Rate("strict", 1, 6),
        Rate("strict_of_scored", 1, 5),
        Rate("goal", 3, 5),
        Rate("process", 3, 5),
        Rate("protection", 4, 5),
        Rate("goal_but_violating", 2, 5),
        Rate("intermediate_failure", 2, 5),
    ]
    goal, strict, violating = found[2], found[1], found[5]
    assert goal.count - strict.count == violating.count  # the gap between the goals and strict success


def test_a_class_is_rated_over_the_episodes_that_have_checks_of_it():
    unprotected = judged(row(G1=True, P1=True))
    found = {each.metric: each for each in rates([unprotected, judged(REPAIRED)], attempted=2)}
    assert found["protection"] == Rate("protection", 0, 1)
    assert found["process"] == Rate("process", 2, 2)


def test_checks_of_one_class_are_strict_success_and_nothing_else():
    assert [each.metric for each in rates([judged(row(G1=True))], attempted=1)] == ["strict", "strict_of_scored"]
    assert rates([], attempted=4) == []


def test_more_verdicts_than_attempts_are_refused():
    with pytest.raises(ValueError, match="attempted: at least the 1 episodes that are judged, not 0"):
        rates([judged(STRICT)], attempted=0)


def test_a_run_tells_each_rate_once_with_wilsons_interval(tmp_path):
    rows = [
        record(f"count_{k}", reward=reward, checks=verdicts, metrics={"goal": 0.0, "strict": reward, "pace": 2.0})
        for k, (reward, verdicts) in enumerate([(1.0, checks(G1=True, F1=True)), (0.0, checks(G1=True, F1=4))])
    ]
    rows.append(record("count_2", reward=None))
    found = score_rows(count(write_run(tmp_path, rows, ["count_0", "count_1", "count_2", "count_3"])))
    values = {each["metric"]: each["value"] for each in found}
    assert len(values) == len(found)
    assert values == {
        "reward": 0.5,
        "pace": 2.0,
        "strict": 1 / 3,
        "strict_of_scored": 1 / 2,
        "goal": 1.0,
        "protection": 1 / 2,
        "goal_but_violating": 1 / 2,
        "intermediate_failure": 1 / 2,
    }
    goal = next(each for each in found if each["metric"] == "goal")
    assert goal["ci95"] == list(rate_ci95(2, 2))
    assert [goal[name] for name in ("n", "attempted", "errored", "unscored")] == [4, 3, 1, 0]

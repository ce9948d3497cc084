"""Paired comparisons: differences by hand, intervals against a closed form, and who is the best fixed agent."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from bizgym.envs.core.errors import SettingError
from bizgym.evaluators.comparison import Contest, gather
from bizgym.evaluators.comparison.paired import (
    NORMALIZED,
    against_best,
    best_fixed,
    bootstrap_ci95,
    compare,
    matrix,
)
from bizgym.evaluators.comparison.versus import compare_named, find, paired_table, verdict

from tests.fixtures.contestants import GPT, MakeRun, played

Played = dict[str, Sequence[Sequence[float | None]]]
"""By agent, for each task the reward of each trial."""


@pytest.fixture
def contest(make_run: MakeRun, tmp_path: Path) -> Callable[..., Contest]:
    def made(agents: Played, **fields: dict[str, Any]) -> Contest:
        runs = [
            make_run(
                tmp_path / name,
                [
                    played(name, f"t{k:03}", trial, reward, **fields.get(name, {}))
                    for k, trials in enumerate(tasks)
                    for trial, reward in enumerate(trials)
                ],
            )
            for name, tasks in agents.items()
        ]
        (found,) = gather(runs)
        return found

    return made


def test_differences_and_signs_by_hand(contest: Callable[..., Contest]) -> None:
    found = contest({"a": [[3.0, 1.0], [2.0, None]], "b": [[1.0, 1.0], [4.0, 9.0]]})
    left, right = found.entries
    row = compare(left, right)
    assert row.difference == pytest.approx((2 + 0 - 2) / 3)  # the pair that one side errored in is left out
    assert (row.n, row.asked, row.tasks) == (3, 4, 2)
    assert (row.wins, row.losses, row.ties) == (1, 1, 1)


def test_only_what_both_were_asked_to_play_is_paired(contest: Callable[..., Contest]) -> None:
    found = contest({"a": [[1.0], [1.0], [1.0]], "b": [[0.0]]})
    row = compare(*found.entries)
    assert (row.n, row.asked, row.tasks, row.ci95) == (1, 1, 1, None)
    assert "one task shows no spread" in verdict(row)


def test_the_interval_of_zeros_and_ones_is_that_of_the_binomial() -> None:
    """The mean of a resample of 10 zeros and 10 ones is Binomial(20, 1/2) / 20, whose quantiles are 6 and 14."""
    by_task = {f"t{k}": [float(k % 2)] for k in range(20)}
    assert bootstrap_ci95(by_task) == (6 / 20, 14 / 20)


def test_the_interval_of_two_tasks_spans_both() -> None:
    assert bootstrap_ci95({"a": [0.0], "b": [1.0]}) == (0.0, 1.0)  # each end has a probability of one quarter


def test_a_constant_difference_has_no_spread() -> None:
    assert bootstrap_ci95({f"t{k}": [0.5, 0.5] for k in range(7)}) == (0.5, 0.5)


def test_the_interval_nears_that_of_the_normal_for_many_tasks() -> None:
    values = np.random.default_rng(3).normal(1.0, 2.0, 300)
    half = 1.96 * values.std(ddof=0) / np.sqrt(300)
    found = bootstrap_ci95({f"t{k:03}": [value] for k, value in enumerate(values)})
    assert found == pytest.approx((values.mean() - half, values.mean() + half), abs=0.02)


def test_trials_of_a_task_stay_together() -> None:
    """Five equal trials of each task tell no more than one; as so many tasks of their own they would seem to."""
    values = np.random.default_rng(4).normal(size=30)
    once = bootstrap_ci95({f"t{k:02}": [value] for k, value in enumerate(values)})
    often = bootstrap_ci95({f"t{k:02}": [value] * 5 for k, value in enumerate(values)})
    apart = bootstrap_ci95({f"t{k:02}-{j}": [value] for k, value in enumerate(values) for j in range(5)})
    assert once is not None
    assert often == pytest.approx(once)
    assert apart is not None
    assert (once[1] - once[0]) / (apart[1] - apart[0]) == pytest.approx(np.sqrt(5), rel=0.05)


def test_the_order_of_tasks_and_of_sides_does_not_matter(contest: Callable[..., Contest]) -> None:
    values = {f"t{k:02}": [float(k**2 % 7)] for k in range(15)}
    assert bootstrap_ci95(values) == bootstrap_ci95(dict(reversed(values.items())))
    found = contest({"a": [[float(k % 5)] for k in range(12)], "b": [[float(k % 3)] for k in range(12)]})
    there, back = compare(*found.entries), compare(*reversed(found.entries))
    assert there.ci95 is not None
    assert back.ci95 == pytest.approx((-there.ci95[1], -there.ci95[0]))
    assert (back.difference, back.wins, back.losses) == (-(there.difference or 0), there.losses, there.wins)


def test_normalized_differences_need_a_scale_on_both_sides(contest: Callable[..., Contest]) -> None:
    scaled = {"metrics": {"normalized": 0.75}}
    both = contest({"a": [[1.0]], "b": [[0.0]]}, a=scaled, b={"metrics": {"normalized": 0.5}})
    assert compare(*both.entries, NORMALIZED).difference == 0.25
    assert {row.metric for row in matrix(both)} == {"reward", "normalized"}


def test_a_metric_that_one_side_lacks_is_no_comparison(contest: Callable[..., Contest]) -> None:
    one = contest({"a": [[1.0]], "b": [[0.0]]}, a={"metrics": {"normalized": 0.75}})
    assert compare(*one.entries, NORMALIZED).n == 0
    assert {row.metric for row in matrix(one)} == {"reward"}


ORACLE = {"settings": {"_target_": "bizgym.agents.baselines.qa.Oracle"}}
ROUTER = {"settings": {"_target_": "bizgym.agents.aoa.AdaptiveAssembly"}, "client": GPT}
METHOD = {"settings": {"_target_": "bizgym.agents.cot.ChainOfThought"}, "client": GPT}


def test_the_best_fixed_agent_is_no_oracle_no_router_and_plays_every_task(contest: Callable[..., Contest]) -> None:
    rewards: Played = {
        "oracle": [[1.0], [1.0]],
        "aoa": [[0.9], [0.9]],
        "rule": [[0.8], [0.8]],
        "easy": [[0.95]],
        "cot": [[0.5], [0.4]],
        "ace": [[0.6], [0.5]],
    }
    found = contest(rewards, oracle=ORACLE, aoa=ROUTER, easy=METHOD, cot=METHOD, ace=METHOD)
    best = best_fixed(found)
    assert best is not None
    assert best.label == "ace"  # the best of those with a model
    rows = against_best(found)
    assert [row.left for row in rows] == ["oracle", "aoa", "easy", "rule", "cot"]
    assert {row.right for row in rows} == {"ace"}
    assert rows[1].difference == pytest.approx(0.35)


def test_without_a_model_the_best_rule_is_the_best_fixed_agent(contest: Callable[..., Contest]) -> None:
    best = best_fixed(contest({"x": [[0.2]], "y": [[0.3]]}))
    assert best is not None
    assert best.label == "y"


def test_agents_are_found_by_label_method_or_a_part_that_is_their_own(contest: Callable[..., Contest]) -> None:
    found = contest({"cot@qa": [[1.0]], "dynamic_cheatsheet@qa": [[0.0]], "ace@qa": [[0.0]]})
    for name, label in {"cot": "cot@qa", "cot@qa": "cot@qa", "sheet": "dynamic_cheatsheet@qa"}.items():
        entry = find(found, name)
        assert entry is not None
        assert entry.label == label
    with pytest.raises(SettingError, match="fits several agents: cot@qa, dynamic_cheatsheet@qa, ace@qa"):
        find(found, "@qa")
    with pytest.raises(SettingError, match=r"no agent 'acee'\. Did you mean 'ace@qa'"):
        compare_named([found], "cot", "acee")


def test_a_table_says_when_pairs_are_missing_and_a_verdict_when_tasks_are_few(contest: Callable[..., Contest]) -> None:
    found = contest({"a": [[3.0], [2.0], [None]], "b": [[1.0], [1.0], [1.0]]})
    row = compare(*found.entries)
    table = paired_table([row], "$")
    assert table is not None
    cells = dict(zip([head.name for head in table.heads], table.rows[0], strict=True))
    assert (cells["pairs"].text, cells["tasks"].sort, cells["ahead"].sort) == ("2/3", 2, 2)
    assert verdict(row).endswith("With fewer than 10 tasks it is too narrow to be relied on.")
    assert paired_table([], "") is None

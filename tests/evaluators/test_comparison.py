"""Merged runs: one entry an agent, labels that tell agents apart, and numbers counted by hand."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.comparison import Contest, Entry, gather
from bizgym.evaluators.comparison.board import score_table, use_table
from bizgym.evaluators.comparison.board_rows import board_rows, notes
from bizgym.evaluators.comparison.measures import measure
from bizgym.evaluators.statistics import rate_ci95
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixtures.contestants import GPT, SONNET, MakeRun, check, played

TASKS = ("t1", "t2", "t3", "t4")


def only(contests: list[Contest]) -> dict[str, Entry]:
    (contest,) = contests
    return {entry.label: entry for entry in contest.entries}


def rows_json(folders: list[RunFolder]) -> list[dict[str, Any]]:
    return [row for contest in gather(folders) for row in board_rows(contest)]


@settings(max_examples=25, deadline=None)
@given(
    rewards=st.lists(st.sampled_from([0.0, 0.25, 1.0, None]), min_size=12, max_size=12),
    by_task=st.booleans(),
    cut=st.integers(1, 2),
)
def test_merged_runs_are_the_run_of_both(
    rewards: list[float | None], by_task: bool, cut: int, make_run: MakeRun, tmp_path_factory: pytest.TempPathFactory
) -> None:
    names, tasks = ("a", "b", "c"), TASKS
    rows = [played(*key, 0, reward) for key, reward in zip(product(names, tasks), rewards, strict=True)]
    folder = tmp_path_factory.mktemp("merged")
    first = set(tasks[: 2 * cut - 1] if by_task else names[:cut])
    own = [(row.task_id if by_task else row.agent["name"]) in first for row in rows]
    parts = [[row for row, is_own in zip(rows, own, strict=True) if is_own is side] for side in (True, False)]
    whole = make_run(folder / "whole", rows)
    halves = [make_run(folder / f"half-{k}", part, name="half") for k, part in enumerate(parts)]
    key = [(row["agent"], row) for row in rows_json([whole])]
    assert sorted(key, key=lambda pair: pair[0]) == sorted(
        ((row["agent"], row) for row in rows_json(halves)), key=lambda pair: pair[0]
    )


def test_one_agent_with_two_models_is_told_apart_by_the_model(make_run: MakeRun, tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / str(k), [played(name, "t1", client=client)], name="run")
        for k, (name, client) in enumerate([("cot", GPT), ("cot", SONNET), ("ace", GPT)])
    ]
    assert set(only(gather(runs))) == {"cot (openai gpt-4.1)", "cot (anthropic sonnet)", "ace"}


def test_a_label_names_the_settings_that_differ_and_no_other(make_run: MakeRun, tmp_path: Path) -> None:
    kinds = [{"profile": "paper", "rounds": 2}, {"profile": "lean", "rounds": 2}]
    runs = [
        make_run(tmp_path / str(k), [played("ace", "t1", settings={"_target_": "acme.Ace", **kind})], seed=seed)
        for k, (kind, seed) in enumerate([(kinds[0], 0), (kinds[1], 0), (kinds[1], 7)])
    ]
    assert list(only(gather(runs))) == [
        "ace (profile=paper, seed=0)",
        "ace (profile=lean, seed=0)",
        "ace (profile=lean, seed=7)",
    ]


def test_the_same_episodes_played_twice_stay_apart(make_run: MakeRun, tmp_path: Path) -> None:
    runs = [make_run(tmp_path / name, [played("cot", "t1", 0, reward)]) for name, reward in (("x", 0.0), ("y", 1.0))]
    found = only(gather(runs))
    assert {label: measure(entry).score for label, entry in found.items()} == {"x/cot": 0.0, "y/cot": 1.0}


def test_games_with_other_settings_are_other_contests_and_splits_are_not(make_run: MakeRun, tmp_path: Path) -> None:
    given_by = [{"ship_weeks": 1, "split": "train"}, {"ship_weeks": 1, "split": "test"}, {"ship_weeks": 2}]
    runs = [
        make_run(tmp_path / str(k), [played("a", f"t{k}", env_kwargs=kwargs)], name="run")
        for k, kwargs in enumerate(given_by)
    ]
    one, two = gather(runs)
    assert (one.tasks, two.tasks) == (["t0", "t1"], ["t2"])
    assert one.title.endswith("ship_weeks=1")
    assert [entry.label for entry in one.entries] == ["a"]


USAGE = {
    "act": {"calls": 6, "input": 1_000, "cached": 250, "output": 100, "cost": 0.3},
    "reflect@adaptation": {"calls": 2, "input": 400, "output": 100, "cost": 0.1},
    "simulator": {"calls": 5, "input": 5_000, "output": 5_000, "cost": 9.0},
}


def test_use_is_the_agents_own_and_adaptation_a_share_of_it(make_run: MakeRun, tmp_path: Path) -> None:
    rows = [
        played("ace", "t1", client=GPT, usage=USAGE, timing={"seconds": 3.0}),
        played("ace", "t2", client=GPT, usage={"act": {"calls": 2, "input": 600, "output": 0, "cost": 0.2}}),
    ]
    use = measure(only(gather([make_run(tmp_path / "run", rows)]))["ace"]).use
    assert (use.each(use.calls), use.each(use.input), use.each(use.output)) == (5.0, 1_000.0, 100.0)
    assert use.adaptation_share == 2 / 10
    assert use.adaptation_token_share == 500 / 2_200
    assert use.cached_share == 250 / 2_000
    assert use.usd == pytest.approx(0.3)
    assert (use.simulator_calls, use.judge_calls, use.seconds_each) == (5, 0, 3.0)


def test_an_unknown_price_is_said_and_never_counts_as_free(make_run: MakeRun, tmp_path: Path) -> None:
    unknown = {"act": {"calls": 4, "input": 10, "output": 1, "unpriced": 4}}
    half = {"act": {"calls": 4, "input": 10, "output": 1, "unpriced": 1, "cost": 0.03}}
    rows = [played(name, "t1", client=GPT, usage=use) for name, use in (("all", unknown), ("half", half))]
    (contest,) = gather([make_run(tmp_path / "run", rows)])
    table = use_table(contest)
    column = [head.name for head in table.heads].index("cost")
    cells = {row[0].text: row[column] for row in table.rows}
    assert (cells["all"].text, cells["all"].sort) == ("unpriced", None)
    assert (cells["half"].text, cells["half"].flag) == ("0.030", "at least: 1 calls unpriced")
    told = {row["agent"]: (row["cost"], row["unpriced_calls"]) for row in board_rows(contest)}
    assert told == {"all": (None, 4), "half": (None, 1)}


def test_what_was_run_again_is_paid_for_and_not_averaged(make_run: MakeRun, tmp_path: Path) -> None:
    use = {"act": {"calls": 4, "input": 10, "output": 1, "cost": 0.5}}
    rows = [played("a", "t1", 0, reward, client=GPT, usage=use) for reward in (None, 1.0)]
    (contest,) = gather([make_run(tmp_path / "run", rows)])
    (row,) = board_rows(contest)
    assert (row["calls"], row["cost"], row["paid"]) == (4.0, 0.5, {"usd": 1.0, "calls": 8, "unpriced": 0})
    assert (row["n"], row["attempted"], row["errored"]) == (1, 1, 0)


def test_reliability_and_the_last_trial_by_hand(make_run: MakeRun, tmp_path: Path) -> None:
    won = {"t1": (1, 1, 1), "t2": (1, 0, 1), "t3": (0, 0, 0), "t4": (0, 1, None)}
    rows = [
        played("a", task, k, None if each is None else float(each), checks=[] if each is None else [check(bool(each))])
        for task, trials in won.items()
        for k, each in enumerate(trials)
    ]
    numbers = measure(only(gather([make_run(tmp_path / "run", rows)]))["a"])
    assert numbers.counts.as_dict() == {"n": 12, "attempted": 12, "errored": 1, "unscored": 0}
    assert (numbers.score, numbers.strict) == (6 / 11, 6 / 12)  # the errored one is no score, and no success
    assert numbers.ci95 == (0.0, 1.0)  # cut: 6 / 11 +- 0.83, by Student's t over four tasks
    assert [row.as_failures for row in numbers.reliability] == pytest.approx(
        [(1 + 2 / 3 + 0 + 1 / 3) / 4, (1 + 1 / 3 + 0 + 0) / 4, (1 + 0 + 0 + 0) / 4]
    )
    assert numbers.last_trial == 2 / 3  # of t1, t2, t3; not the best of the trials
    assert numbers.trials == 3


def test_S10_a_score_on_fewer_tasks_is_no_headline_without_the_flag(make_run: MakeRun, tmp_path: Path) -> None:
    rows = [played("whole", task, 0, 0.5) for task in TASKS]
    runs = [
        make_run(tmp_path / "whole", rows),
        make_run(tmp_path / "easy", [played("easy", task, 0, 1.0) for task in TASKS[:2]]),
    ]
    (contest,) = gather(runs)
    first, second = score_table(contest).rows
    assert (first[0].text, second[0].text) == ("whole", "easy")  # the better mean on less stands behind
    assert (second[1].text, second[1].sort, second[1].flag) == ("withheld", None, "2 of 4 tasks")
    shown = score_table(contest, partial=True).rows[1][1]
    assert (shown.sort, shown.flag) == (1.0, "2 of 4 tasks")
    told = {row["agent"]: (row["score"], row.get("reason")) for row in board_rows(contest)}
    assert told == {"whole": (0.5, None), "easy": (None, "plays 2 of 4 tasks")}
    assert "easy plays 2 of the 4 tasks: its scores are no match for those of the others." in list(notes(contest))


def test_S09_an_incomplete_agent_is_named_with_its_four_counts(make_run: MakeRun, tmp_path: Path) -> None:
    rows = [played("a", "t1"), played("a", "t2", 0, None)]
    (contest,) = gather([make_run(tmp_path / "run", rows, tasks=list(TASKS))])
    assert list(notes(contest)) == ["a is incomplete: n 4, attempted 2, errored 1, unscored 0."]
    assert score_table(contest).rows[0][1].flag == "1/4"


def test_feedback_that_differs_is_said(make_run: MakeRun, tmp_path: Path) -> None:
    rows = [played(name, "t1", client=GPT) for name in ("a", "b")]
    rows[1] = rows[1].model_copy(update={"agent": {**rows[1].agent, "feedback": "gold"}})
    (contest,) = gather([make_run(tmp_path / "run", rows)])
    assert "The agents learn from different feedback: gold, none." in list(notes(contest))
    assert {row["agent"]: row["feedback"] for row in board_rows(contest)} == {"a": "none", "b": "gold"}


def test_points_that_are_all_0_are_no_rate(make_run: MakeRun, tmp_path: Path) -> None:
    """An interview scores from 0 to 10 points: that all ten scored 0 says nothing by Wilson's score of successes."""
    env, case = "bizgym/Consulting-v0", "profitability_1-easy-"
    rows = [played("silent", f"{case}{letter}", trial, 0.0, env_id=env) for letter in "ab" for trial in range(5)]
    (entry,) = only(gather([make_run(tmp_path / "points", rows)])).values()
    assert measure(entry).ci95 == (0.0, 0.0)
    rows = [played("silent", f"ie-easy-0{k}", 0, 0.0, env_id="bizgym/EnterpriseQA-v0") for k in range(1, 6)]
    (entry,) = only(gather([make_run(tmp_path / "answers", rows)])).values()
    assert measure(entry).ci95 == rate_ci95(0, 5)

"""Scores that are 0 or 1: their intervals are Wilson's, in the rows, the summary and the leaderboard."""

import pytest
from bizgym.envs.core.outcome import Outcome
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.aggregate import count, score_rows, summary
from bizgym.evaluators.benchmarks import own_envs, rates_of
from bizgym.evaluators.comparison import gather
from bizgym.evaluators.comparison.board_rows import board_rows
from bizgym.evaluators.report import write_report
from bizgym.evaluators.statistics import mean_ci95, rate_ci95

from tests.fixtures.records import BEER, baseline, play_all, rows_of

QA, PAYMENTS = "bizgym/EnterpriseQA-v0", "bizgym/PaymentWorkflows-v0"
N = 12


def player(benchmark, kind):
    return {"_target_": f"bizgym.agents.baselines.{benchmark}.{kind}", "name": kind.lower()}


@pytest.fixture(scope="module")
def answered(tmp_path_factory):
    path = tmp_path_factory.mktemp("rates") / "run"
    agents = {name: player("qa", name) for name in ("Oracle", "Majority")}
    play_all(path, lineups={"main": {"env": {"id": QA}, "agents": agents}}, limit=N)
    return RunFolder(path)


def test_only_benchmarks_of_zero_and_one_have_rates():
    assert {env_id for env_id in own_envs() if rates_of(env_id)} == {QA, PAYMENTS}
    assert rates_of("nobody/Nothing-v0") == frozenset()


def test_what_is_called_a_rate_is_zero_or_one(answered, tmp_path):
    play_all(tmp_path / "run", env={"id": PAYMENTS}, agent=player("payments", "Naive"), limit=2)
    for row in [*rows_of(answered.path), *rows_of(tmp_path / "run")]:
        outcome = Outcome({"all": row.reward}, row.metrics)
        values = {"reward": outcome.reward, **outcome.metrics}
        assert {values[name] for name in rates_of(row.env_id) if name in values} <= {0.0, 1.0}


def test_their_intervals_are_wilsons(answered):
    totals = count(answered)
    told = {(row["agent"], row["metric"]): row for row in score_rows(totals)}
    for agent in ("oracle", "majority"):
        for metric in ("reward", "normalized", "correct_strict"):
            row = told[agent, metric]
            assert row["ci95"] == list(rate_ci95(round(row["value"] * N), N))
    assert told["oracle", "reward"]["ci95"] == pytest.approx([0.7575, 1.0], abs=1e-4)  # 12 of 12 by Wilson's score
    assert summary(totals)["by_agent"]["oracle"]["ci95"] == told["oracle", "reward"]["ci95"]


def test_the_leaderboard_says_whose_they_are(answered, read_page):
    page = read_page(write_report([answered]))
    assert page.leaderboards[0]["oracle"]["95 % interval"] == "0.758 to 1.000"
    assert "95 % interval of the mean reward, by Wilson&#39;s score" in page.html


def test_amounts_keep_students(tmp_path, read_page):
    run = play_all(tmp_path / "game", env=BEER, agent=baseline("Constant"), trials=3).folder
    (row,) = [row for row in score_rows(count(run)) if row["metric"] == "reward"]
    assert row["ci95"] is None  # three trials of one task
    assert summary(count(run))["by_agent"]["constant"]["ci95"]["reason"] == "several trials of one task alone"
    assert "of the mean reward, by Student&#39;s t" in read_page(write_report([run])).html


@pytest.fixture(scope="module")
def five_times(tmp_path_factory):
    path = tmp_path_factory.mktemp("trials") / "run"
    play_all(path, env={"id": BEER["id"], "split": "train"}, agent=baseline("Constant"), limit=4, trials=5)
    return RunFolder(path)


def test_trials_of_a_player_without_chance_do_not_narrow_an_interval(five_times, read_page):
    totals = count(five_times)
    rows = [row for row in rows_of(five_times.path) if row.trial == 0]
    (told,) = [row for row in score_rows(totals) if row["metric"] == "reward"]
    assert told["ci95"] == pytest.approx(list(mean_ci95([row.reward for row in rows])))
    assert summary(totals)["by_agent"]["constant"]["ci95"] == told["ci95"]
    board = next(board_rows(gather([five_times])[0]))
    assert board["ci95"] == told["ci95"]
    assert "of the mean reward, by Student&#39;s t over tasks" in read_page(write_report([five_times])).html

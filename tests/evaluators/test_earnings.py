"""Earnings by scenario, against plans worked out by hand, in the score, its JSON and the report."""

import json
import re
import sys
from math import sqrt
from statistics import fmean

import gymnasium as gym
import numpy as np
import pytest
from bizgym import envs
from bizgym.agents.rollout import rollout
from bizgym.envs.core.seeding import episode_seed
from bizgym.envs.core.tasks import Anchors
from bizgym.envs.core.upkeep import cache_path, write_whole
from bizgym.envs.digital_twin.tasks import CachedAnchors, TaskPlans, custom_task
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.run import print_earnings
from bizgym.evaluators.earnings import ScenarioEarnings, earnings_table, of_group, of_run
from bizgym.evaluators.report import write_report

from tests.digital_twin.firms import project, spec, write
from tests.evaluators.conftest import Scripted
from tests.evaluators.test_progress import Terminal

ENV_ID = "bizgym/DigitalTwin-v0"
WINDOW = {"start_month": 1, "deadline_month": 12}
# Fees of 6 x $100,000 in time with one consultant; 24 reported months of fixed cost, 23 of each consultant.
FLOOR, ONE, TWO = -240_000.0, 600_000.0 - 240_000 - 23 * 8_000, 600_000.0 - 240_000 - 2 * 23 * 8_000
ANCHORS = Anchors(
    floor=FLOOR,
    floor_player="do_nothing",
    ceiling=ONE,
    ceiling_method="worked out by hand: all of the fees with the fewest consultants",
    ceiling_seed=0,
    proof="optimal",
    null_score=FLOOR,
)


def plan(consultants):
    projects = {"a": WINDOW} if consultants else {}
    return {"consultants": consultants, "revenue_risk": 0.0, "projects": projects}


def submits(chosen):
    calls = [{"name": "submit_plan", "arguments": {"plan": chosen}}, {"name": "run_simulation", "arguments": {}}]
    return lambda turn: calls[turn - 1]


TURNS = {"nobody": submits(plan(0)), "one": submits(plan(1)), "two": submits(plan(2)), "silent": lambda turn: ""}


@pytest.fixture
def scenario(tmp_path, monkeypatch):
    """A scenario file whose ceiling is known and cached."""
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path / "cache"))
    path = write(tmp_path, spec(project("a", rate_per_month=100_000.0)))
    task_id = custom_task(path).task_id
    best = {"plan": plan(1), "earnings": ONE}
    plans = TaskPlans.model_validate({"task_id": task_id, "best": best, "heuristics": {}})
    write_whole(cache_path("digital_twin", task_id), CachedAnchors(anchors=ANCHORS, plans=plans).model_dump_json())
    return path


@pytest.fixture
def play_twin(scenario):
    """Play one episode: `play_twin(name, trial)`."""
    gym.register_envs(envs)
    env = gym.make(ENV_ID, scenario=scenario)
    (task_id,) = env.unwrapped.task_ids

    def played(name, trial=0):
        labels = {"agent": {"name": name, "settings": {}}}
        seed = episode_seed(0, task_id, trial)
        return rollout(env, Scripted(TURNS[name]), seed=seed, task_id=task_id, trial=trial, labels=labels)

    return played


def changed(row, **fields):
    return row.model_copy(update=fields)


def test_regret_of_plans_worked_out_by_hand(play_twin, make_run, tmp_path):
    rows = [play_twin(name, trial) for name in ("nobody", "one", "two", "silent") for trial in range(2)]
    found = {each.agent: each.to_json() for each in of_run(make_run(tmp_path / "run", rows))}
    expected = {"nobody": FLOOR, "one": ONE, "two": TWO, "silent": FLOOR}
    assert list(found) == ["one", "two", "nobody", "silent"]
    for name, earned in expected.items():
        assert found[name] == {
            "agent": name,
            "task_id": rows[0].task_id,
            "n": 2,
            "mean": earned,
            "ci95": [earned, earned],
            "ceiling": ONE,
            "proof": "optimal",
            "regret": ONE - earned,
            "regret_share": pytest.approx((ONE - earned) / (ONE - FLOOR)),
        }


def test_interval_and_regret_of_distinct_scores():
    scores = [100_000.0, -50_000.0, 190_000.0]
    told = ScenarioEarnings("a", "s", scores, ANCHORS).to_json()
    half = 4.302653 * np.std(scores, ddof=1) / sqrt(3)  # Student's t with two degrees of freedom, from a table
    assert told["ci95"] == pytest.approx([fmean(scores) - half, fmean(scores) + half])
    assert told["regret"] == pytest.approx(fmean(ONE - score for score in scores))
    assert told["regret_share"] == pytest.approx(fmean((ONE - score) / (ONE - FLOOR) for score in scores))
    assert told["n"] == 3


def test_a_lucky_mean_has_a_negative_regret():
    assert ScenarioEarnings("a", "s", [ONE + 1_000.0], ANCHORS).to_json()["regret"] == -1_000.0


def test_one_episode_has_no_interval_and_a_narrow_scale_no_share():
    narrow = ANCHORS.model_copy(update={"ceiling": FLOOR + 0.005 * -FLOOR})  # below 1 % of the floor
    told = ScenarioEarnings("a", "s", [FLOOR], narrow).to_json()
    assert (told["ci95"], told["regret_share"]) == (None, None)
    assert told["regret"] == pytest.approx(1_200.0)


def test_only_scored_episodes_that_were_asked_for_count(play_twin, make_run, tmp_path):
    rows = [changed(play_twin("one", trial), reward=reward) for trial, reward in enumerate((10.0, 30.0, None, 5_000.0))]
    (found,) = of_run(make_run(tmp_path / "run", rows, trials=3))
    assert (found.scores, found.mean) == ([10.0, 30.0], 20.0)


def test_scenarios_come_in_the_order_of_the_set_and_the_best_agent_first():
    by_agent = {"b": {"story_5": [1.0], "story_1": [2.0]}, "a": {"story_1": [3.0, 1.0]}, "c": {"story_1": [3.0]}}
    found = of_group(ENV_ID, {"scenario": "no such file"}, by_agent, ["story_1", "story_4", "story_5"])
    assert [(each.task_id, each.agent, each.mean) for each in found] == [
        ("story_1", "c", 3.0),
        ("story_1", "b", 2.0),
        ("story_1", "a", 2.0),
        ("story_5", "b", 1.0),
    ]


@pytest.mark.parametrize(
    "settings",
    [{"scenario": "gone.yaml"}, {"gate": "coin"}, {"gate": ["threshold"]}, {"scenario": 7}, {"rounds": "many"}],
)
def test_settings_that_do_not_hold_leave_the_ceiling_unknown(scenario, settings):
    (found,) = of_group(ENV_ID, {"scenario": scenario, **settings}, {"a": {"t": [1.0, 2.0]}}, ["t"])
    told = found.to_json()
    assert [told[name] for name in ("mean", "ceiling", "proof", "regret", "regret_share")] == [1.5, *[None] * 4]
    (row,) = earnings_table([found]).rows
    assert [cell.text for cell in row[5:]] == ["–"] * 4


def test_other_benchmarks_have_no_earnings(lineup, make_run, tmp_path, capsys):
    folder = make_run(tmp_path / "beer", lineup)
    assert of_run(folder) == []
    assert of_group("elsewhere/Unknown-v0", {}, {"a": {"t": [1.0]}}, ["t"]) == []
    assert earnings_table([]) is None
    main(["score", str(folder.path), "--json"])
    assert "scenarios" not in json.loads(capsys.readouterr().out)


def test_score_prints_the_table_and_its_json(play_twin, make_run, tmp_path, capsys):
    rows = [play_twin(name, trial) for name in ("two", "nobody") for trial in range(2)]
    folder = make_run(tmp_path / "run", rows)
    assert main(["score", str(folder.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["scenarios"] == [each.to_json() for each in of_run(folder)]
    assert main(["score", str(folder.path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    begin = lines.index("# earnings by scenario in $")
    heads, two = (line.split("\t") for line in lines[begin + 1 : begin + 3])
    assert dict(zip(heads, two, strict=True)) == {
        "agent": "two",
        "task_id": rows[0].task_id,
        "n": "2",
        "mean": "-8,000",
        "ci95": "-8,000 .. -8,000",
        "ceiling": "176,000",
        "proof": "optimal",
        "regret": "184,000",
        "regret_share": "0.442",
    }


def test_a_terminal_of_80_columns_shows_the_table_whole(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "80")
    rows = [ScenarioEarnings(name, "medium-03", [-1_000_000.0, ONE], ANCHORS) for name in ("digital_twin/a", "b")]
    print_earnings([row.to_json() for row in rows])
    lines = re.sub(r"\x1b\[\d*m", "", stream.getvalue()).splitlines()
    assert max(map(len, lines)) <= 80
    mean, half = (ONE - 1_000_000) / 2, 12.7062047 * (ONE + 1_000_000) / 2  # Student's t with one degree of freedom
    (line,) = [line.split() for line in lines if "digital_twin/a" in line]
    cells = [f"{value:,.0f}" for value in (mean, half, ONE, ONE - mean)]
    assert line == ["medium-03", "digital_twin/a", "2", *cells, f"{(ONE - mean) / (ONE - FLOOR):.3g}"]


def test_the_report_shows_the_table_and_the_charts(play_twin, make_run, read_page, tmp_path):
    rows = [play_twin(name) for name in ("nobody", "two")]
    page = read_page(write_report([make_run(tmp_path / "run", rows)]))
    table = page.tables[f"Earnings by scenario in {ENV_ID}"]
    shown = {row["agent"]: row for row in table}
    assert list(shown) == ["two", "nobody"], "the best agent of a scenario first"
    assert shown["two"]["scenario"] == rows[0].task_id
    assert (shown["two"]["mean earnings"], shown["two"]["ceiling"], shown["two"]["proof"]) == (
        "-8,000",
        "176,000",
        "optimal",
    )
    assert (shown["two"]["regret"], shown["two"]["regret share"]) == ("184,000", "0.442")
    assert float(shown["nobody"]["regret share #"]) == 1.0
    assert page.units["regret"] == "$"
    assert "work (full height: 2 consultants)" in page.html


def test_the_beer_games_report_has_no_such_table(page):
    assert not [caption for caption in page.tables if caption.startswith("Earnings")]

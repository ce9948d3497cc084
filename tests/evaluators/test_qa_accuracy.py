"""Accuracy by capability and band, of answers worked out by hand, in the rows, the tables and their JSON."""

import json
import re
import sys

import gymnasium as gym
import pytest
from bizgym import envs
from bizgym.agents.rollout import rollout
from bizgym.envs.core.seeding import episode_seed
from bizgym.envs.core.stop import StopReason
from bizgym.envs.qa import scoring
from bizgym.envs.qa.answers import AnswerSpec
from bizgym.envs.qa.difficulty import Features, band_of, difficulty
from bizgym.envs.qa.env import EnterpriseQAEnv
from bizgym.envs.qa.items import Item
from bizgym.envs.qa.tasks import QATasks, task_of_item
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.run import print_accuracy
from bizgym.evaluators.qa_accuracy import accuracy_table, of_run, paper_table
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import Scripted
from tests.evaluators.test_progress import Terminal

ENV_ID = "bizgym/EnterpriseQA-v0"
IE, NC, DK = "information_extraction", "numerical_calculation", "domain_knowledge"
EASY, HARD = Features(), Features(steps=6, evidence=4, distractors=4)
SPECS = {
    "ie-1": (IE, EASY, {"kind": "number", "value": 1234, "unit": "USD", "scale": 1000}),
    "ie-2": (IE, EASY, {"kind": "number", "value": 12}),
    "nc-1": (NC, HARD, {"kind": "formula", "value": 974.5, "abs_tol": 0.05}),
    "dk-1": (DK, EASY, {"kind": "labels", "value": ["Goodwill", "Revenues", "Assets", "Cash"]}),
    "dk-2": (DK, EASY, {"kind": "choice", "value": "B", "options": ["first", "second", "third"]}),
}
ANSWERS = {
    "sharp": {"ie-1": 1234, "ie-2": "12", "nc-1": 974.5, "dk-1": "Goodwill, Revenues, Assets, Cash", "dk-2": "B"},
    "loose": {
        "ie-1": "1.234 million",
        "ie-2": 12.4,
        "nc-1": "974.55",
        "dk-1": "Goodwill, Cash, Assets, Cash",
        "dk-2": "A",
    },
    "silent": {},
}


def item(item_id):
    capability, features, answer = SPECS[item_id]
    return Item(
        item_id=item_id,
        capability=capability,
        band=band_of(difficulty(features)),
        split="test",
        features=features,
        question="How much is it?",
        answer=AnswerSpec.model_validate(answer),
        family="by hand",
    )


@pytest.fixture
def played(monkeypatch):
    """Play one question: `played(agent, item_id, trial)`."""
    tasks = QATasks(task_of_item(item(item_id)) for item_id in SPECS)
    monkeypatch.setattr(scoring, "shipped_tasks", lambda: tasks)
    monkeypatch.setattr(EnterpriseQAEnv, "_questions", classmethod(lambda cls: tasks))
    gym.register_envs(envs)
    if ENV_ID not in gym.registry:
        gym.register(id=ENV_ID, entry_point="bizgym.envs.qa.env:EnterpriseQAEnv", order_enforce=False)
    env = gym.make(ENV_ID, split=None)

    def one(name, item_id, trial=0):
        value = ANSWERS[name].get(item_id)
        turn = "" if value is None else {"name": "answer", "arguments": {"value": value}}
        labels = {"agent": {"name": name, "settings": {}}}
        return rollout(
            env,
            Scripted(lambda _: turn),
            seed=episode_seed(0, item_id, trial),
            task_id=item_id,
            trial=trial,
            labels=labels,
        )

    return one


@pytest.fixture
def run_of(played, make_run, tmp_path):
    def made(*names, **config):
        rows = [played(name, item_id) for name in names for item_id in SPECS]
        return make_run(tmp_path / "run", rows, **config)

    return made


def rates(rows, agent):
    return {
        (row.capability, row.band): (row.rate("paper"), row.rate("strict"), row.counts.n)
        for row in rows
        if row.agent == agent
    }


def test_rates_by_capability_and_band_under_both_profiles(run_of):
    rows = of_run(run_of("sharp", "loose"))
    assert list(rates(rows, "sharp").values()) == [(1.0, 1.0, n) for n in (2, 2, 1, 1, 2, 2, 5)]
    assert rates(rows, "loose") == {
        (IE, "easy"): (0.5, 0.5, 2),  # 1.234 million: right, not the scale asked for; 12.4: not 12, yet it rounds to it
        (IE, "all"): (0.5, 0.5, 2),
        (NC, "hard"): (1.0, 0.0, 1),  # 974.55: within half a unit, rounds to 974.6
        (NC, "all"): (1.0, 0.0, 1),
        (DK, "easy"): (0.0, 0.0, 2),
        (DK, "all"): (0.0, 0.0, 2),
        ("all", "all"): (0.4, 0.2, 5),
    }


def test_the_share_of_labels_is_told_beside_the_rate(run_of):
    rows = {(row.agent, row.capability, row.band): row for row in of_run(run_of("sharp", "loose", "silent"))}
    shares = {agent: rows[agent, DK, "easy"].label_share for agent in ANSWERS}
    assert shares == {"sharp": 1.0, "loose": 0.75, "silent": 0.0}
    assert rows["loose", "all", "all"].label_share == 0.75
    assert rows["loose", IE, "easy"].label_share is None


def test_intervals_are_wilsons(run_of):
    (every,) = [row for row in of_run(run_of("loose")) if row.capability == "all"]
    # 2 of 5 and 1 of 5 with z = 1.959964: (p + z2/2n -+ z sqrt(p(1-p)/n + z2/4n2)) / (1 + z2/n)
    assert every.ci95("paper") == pytest.approx((0.117621, 0.769276), abs=1e-6)
    assert every.ci95("strict") == pytest.approx((0.036224, 0.624465), abs=1e-6)


def test_what_has_no_verdict_is_counted_and_leaves_the_rate(played, make_run, tmp_path):
    rows = [played("sharp", "ie-1", trial) for trial in range(4)]
    rows[1] = rows[1].model_copy(
        update={"stop_reason": StopReason.PROVIDER_ERROR, "reward": None, "metrics": None, "checks": []}
    )
    rows[2] = rows[2].model_copy(update={"reward": None, "metrics": None, "checks": []})
    found = of_run(make_run(tmp_path / "run", rows, trials=5))
    assert {(row.capability, row.band) for row in found} == {(IE, "easy"), (IE, "all"), ("all", "all")}
    for row in found:
        told = row.to_json()
        assert {name: told[name] for name in ("n", "attempted", "errored", "unscored")} == {
            "n": 5,
            "attempted": 4,
            "errored": 1,
            "unscored": 1,
        }
        assert (told["paper"], told["strict"], row.scored) == (1.0, 1.0, 2)


def test_an_agent_without_a_scored_answer_has_no_rate(played, make_run, tmp_path):
    row = played("sharp", "ie-2").model_copy(
        update={"stop_reason": StopReason.ENV_ERROR, "reward": None, "metrics": None}
    )
    (cell, *_) = of_run(make_run(tmp_path / "run", [row]))
    told = cell.to_json()
    assert [told[name] for name in ("paper", "paper_ci95", "strict", "strict_ci95", "label_share")] == [None] * 5
    assert [each.text for each in paper_table([cell]).rows[0]] == ["sharp", "–"]


def test_a_question_that_is_not_there_is_counted_apart(played, make_run, tmp_path):
    rows = [played("sharp", "ie-1"), played("sharp", "ie-2").model_copy(update={"task_id": "finqa:gone"})]
    found = rates(of_run(make_run(tmp_path / "run", rows)), "sharp")
    assert found["not known here", "all"] == (1.0, 1.0, 1)
    assert found["all", "all"] == (1.0, 1.0, 2)


def test_the_table_of_the_paper_has_one_line_an_agent_the_best_first(run_of):
    table = paper_table(of_run(run_of("silent", "loose", "sharp")))
    assert [head.name for head in table.heads] == [
        "agent",
        "information extraction, easy",
        "information extraction",
        "numerical calculation, hard",
        "numerical calculation",
        "domain knowledge, easy",
        "domain knowledge",
        "all",
    ]
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["sharp", *["100.0"] * 7],
        ["loose", "50.0", "50.0", "100.0", "100.0", "0.0", "0.0", "40.0"],
        ["silent", *["0.0"] * 7],
    ]
    strict = paper_table(of_run(run_of("silent", "loose", "sharp")), "strict")
    assert [cell.text for cell in strict.rows[1]] == ["loose", "50.0", "50.0", "0.0", "0.0", "0.0", "0.0", "20.0"]


def test_a_rate_on_a_part_of_its_questions_is_flagged(run_of):
    table = paper_table(of_run(run_of("sharp", trials=2)))
    assert [cell.flag for cell in table.rows[0][1:]] == ["2/4", "2/4", "1/2", "1/2", "2/4", "2/4", "5/10"]


def test_the_long_table_prints_intervals_and_the_four_counts(run_of):
    table = accuracy_table(of_run(run_of("loose")))
    heads = [head.name for head in table.heads]
    last = dict(zip(heads, (cell.text for cell in table.rows[-1]), strict=True))
    assert last == {
        "agent": "loose",
        "capability": "all",
        "band": "all",
        "paper": "0.400",
        "95 % interval": "0.118 to 0.769",
        "strict": "0.200",
        "interval under strict": "0.036 to 0.624",
        "label share": "0.750",
        "n": "5",
        "attempted": "5",
        "errored": "0",
        "unscored": "0",
    }


def test_score_prints_the_rows_and_their_json(run_of, capsys):
    folder = run_of("loose")
    assert main(["score", str(folder.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accuracy"] == [row.to_json() for row in of_run(folder)]
    assert main(["score", str(folder.path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    begin = lines.index("# accuracy of answers")
    heads, *rows = (line.split("\t") for line in lines[begin + 1 : begin + 9])
    last = dict(zip(heads, rows[-1], strict=True))
    assert (last["capability"], last["paper"], last["paper_ci95"]) == ("all", "0.4", "0.118 .. 0.769")
    assert (last["strict"], last["label_share"], last["n"], last["errored"]) == ("0.2", "0.75", "5", "0")


def test_a_terminal_of_80_columns_shows_the_table_whole(run_of, monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "80")
    print_accuracy([row.to_json() for row in of_run(run_of("loose"))])
    lines = re.sub(r"\x1b\[\d*m", "", stream.getvalue()).splitlines()
    assert max(map(len, lines)) <= 80
    (line,) = [line.split() for line in lines if " all " in line and "loose" in line and " 5 " in line]
    assert line == ["loose", "all", "all", "5", "0.4", "0.118", "..", "0.769", "0.2", "0.75"]


def test_the_report_shows_both_profiles_and_the_intervals(run_of, read_page, tmp_path):
    page = read_page(write_report([run_of("sharp", "loose")]))
    for profile, every in (("paper", "40.0"), ("strict", "20.0")):
        shown = {row["agent"]: row for row in page.tables[f"Accuracy under {profile} in {ENV_ID}"]}
        assert list(shown) == ["sharp", "loose"]
        assert (shown["sharp"]["all"], shown["loose"]["all"]) == ("100.0", every)
    long = page.tables[f"Accuracy with intervals in {ENV_ID}"]
    assert [row["n"] for row in long if row["agent"] == "loose"] == ["2", "2", "1", "1", "2", "2", "5"]


def test_the_beer_games_report_has_no_such_table(page):
    assert not [caption for caption in page.tables if caption.startswith("Accuracy")]


def test_other_benchmarks_have_no_accuracy(lineup, make_run, tmp_path):
    assert of_run(make_run(tmp_path / "beer", lineup)) == []
    assert accuracy_table([]) is None
    assert paper_table([]) is None


def test_a_run_of_an_environment_that_is_not_installed_has_no_accuracy(played, make_run, tmp_path):
    row = played("sharp", "ie-1").model_copy(update={"env_id": "elsewhere/Unknown-v0"})
    assert of_run(make_run(tmp_path / "run", [row])) == []

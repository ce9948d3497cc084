"""Points of interviews by archetype and difficulty: means and intervals worked out by hand, with what they rest on."""

import json

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.run import print_interviews
from bizgym.evaluators.consulting_scores import SCORES, difficulty_table, of_run, scores_table
from bizgym.evaluators.report import write_report

from tests.fixtures.records import BEER, baseline, play_all, rows_of

EASY, HARD = "market_entry_1-easy-a", "market_entry_1-hard-a"
OTHER = "profitability_1-easy-b"
POINTS = {EASY: (8, 6, 4, 10), HARD: (4, 2, 0, 6), OTHER: (10, 10, 10, 10)}


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """One row of each task, played in silence."""
    folder = tmp_path_factory.mktemp("interviews") / "run"
    agent = {"_target_": "bizgym.agents.baselines.consulting.RefuseAll", "name": "refuse_all"}
    play_all(
        folder, env={"id": "bizgym/Consulting-v0", "tasks": [EASY, HARD, OTHER, "market_entry_1-easy-b"]}, agent=agent
    )
    return {row.task_id: row for row in rows_of(folder)}


@pytest.fixture
def run_of(played, make_run, tmp_path):
    def row(task_id, points):
        metrics = dict(zip(SCORES, (*points, sum(points) / 4), strict=True))
        changes = {"agent": {"name": "someone", "settings": {}}, "metrics": {k: float(v) for k, v in metrics.items()}}
        return played[task_id].model_copy(update={**changes, "reward": sum(points) / 4})

    def made(*more, **config):
        return make_run(tmp_path / "run", [row(*each) for each in POINTS.items()] + list(more), **config)

    return made


def by_place(rows):
    return {(row.archetype, row.difficulty): row for row in rows}


def test_means_by_archetype_and_difficulty_with_their_sums(run_of):
    found = by_place(of_run(run_of()))
    assert {place: row.mean("overall_mean") for place, row in found.items()} == {
        ("market_entry", "easy"): 7.0,
        ("market_entry", "hard"): 3.0,
        ("market_entry", "all"): 5.0,
        ("profitability", "easy"): 10.0,
        ("profitability", "all"): 10.0,
        ("all", "easy"): 8.5,
        ("all", "hard"): 3.0,
        ("all", "all"): pytest.approx(20 / 3),
    }
    assert list(found)[-3:] == [("all", "easy"), ("all", "hard"), ("all", "all")]
    every = found["all", "all"]
    assert [every.mean(name) for name in SCORES[:4]] == [pytest.approx(each / 3) for each in (22, 18, 14, 26)]
    low, high = found["all", "easy"].ci95("overall_mean")
    assert (low, high) == pytest.approx((8.5 - 12.7062 * 1.5, 8.5 + 12.7062 * 1.5), abs=1e-3)
    assert found["all", "hard"].ci95("overall_mean") is None


def test_every_mean_says_what_it_rests_on(run_of, played):
    failed = played["market_entry_1-easy-b"].model_copy(
        update={
            "agent": {"name": "someone", "settings": {}},
            "stop_reason": StopReason.PROVIDER_ERROR,
            "reward": None,
            "metrics": None,
        }
    )
    folder = run_of(failed, tasks=[*POINTS, "market_entry_1-easy-b", "market_entry_1-easy-c", "gone-easy-a"])
    found = by_place(of_run(folder))
    easy = found["market_entry", "easy"]
    assert easy.counts.as_dict() == {"n": 3, "attempted": 2, "errored": 1, "unscored": 0}
    assert easy.mean("overall_mean") == 7.0
    assert found["not known here", "all"].counts.as_dict() == {"n": 1, "attempted": 0, "errored": 0, "unscored": 0}
    table = difficulty_table(list(found.values()))
    flags = dict(zip([head.name for head in table.heads], [cell.flag for cell in table.rows[0]], strict=True))
    assert (flags["overall mean"], flags["easy"], flags["hard"]) == ("3/6", "2/4", "")


def test_the_table_and_the_command_show_them(run_of, capsys, read_page):
    folder = run_of()
    rows = of_run(folder)
    assert print_interviews([row.to_json() for row in rows]) is None
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "# interviews, points of 10"
    assert printed[2].split("\t")[:5] == ["someone", "bizgym/Consulting-v0", "market_entry", "easy", "7"]
    assert main(["score", str(folder.path), "--json"]) == 1  # these records were made by hand, and score 0
    told = json.loads(capsys.readouterr().out)["interviews"]
    assert told == [row.to_json() for row in rows]
    page = read_page(write_report([folder]))
    caption = "Points of interviews in bizgym/Consulting-v0, best overall mean first"
    assert [page.tables[caption][0][name] for name in ("overall mean", "easy", "hard")] == ["6.67", "8.50", "3.00"]
    details = page.tables["Points of interviews by archetype in bizgym/Consulting-v0"]
    assert len(details) == len(rows) == len(scores_table(rows).rows)


def test_there_is_nothing_to_show_of_a_run_without_interviews(tmp_path):
    result = play_all(tmp_path / "run", env=BEER, agent=baseline("Constant"))
    assert of_run(result.folder) == []
    assert scores_table([]) is None
    assert difficulty_table([]) is None

"""The papers' tables: their columns in their order, numbers by hand, the best marked; both experiments fill them."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bizgym.envs  # noqa: F401
import gymnasium as gym
import pytest
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.cli import main
from bizgym.evaluators.cli.compose import compose_run
from bizgym.evaluators.comparison import gather
from bizgym.evaluators.paper_tables import BIZAGENTBENCH, ENTERPRISEBENCH, PaperTable, paper_tables

from tests.fixtures.contestants import GPT, MakeRun, check, played

QA, CONSULTING, BEER, TWIN, PAYMENTS = (
    f"bizgym/{name}-v0" for name in ("EnterpriseQA", "Consulting", "BeerGame", "DigitalTwin", "PaymentWorkflows")
)
METHODS = (
    *("cot", "self_refine", "reflexion", "debate", "discussion", "dynamic_cheatsheet", "gepa", "ace", "amem", "aoa"),
)
DIMENSIONS = ("structure", "quantitative", "business_sense", "communication", "overall_mean")


def answered(name: str, right: dict[str, float], **fields: Any) -> list[Any]:
    return [
        played(name, task, 0, each, env_id=QA, metrics={"correct_paper": each, "correct_strict": 0.0}, **fields)
        for task, each in right.items()
    ]


def table_of(runs: list[RunFolder], paper: str, title: str) -> dict[str, dict[str, Any]]:
    (found,) = [table for table in paper_tables(gather(runs), paper) if title in table.title]
    return cells_of(found)


def cells_of(table: PaperTable) -> dict[str, dict[str, Any]]:
    heads = [f"{head.name} {head.unit}".strip() for head in table.table.heads]
    return {row[0].text: dict(zip(heads[1:], row[1:], strict=True)) for row in table.table.rows}


def test_accuracy_by_capability_and_difficulty_in_percent(make_run: MakeRun, tmp_path: Path) -> None:
    right = {"ie-easy-01": 1.0, "ie-easy-02": 0.0, "nc-hard-01": 1.0, "cr-middle-01": 1.0}
    wrong = {**right, "ie-easy-02": 1.0, "nc-hard-01": 0.0}
    runs = [make_run(tmp_path / name, answered(name, marks)) for name, marks in (("cot@qa", right), ("ace@qa", wrong))]
    table = table_of(runs, ENTERPRISEBENCH, "accuracy")
    assert list(table["cot"]) == ["IE easy", "NC hard", "CR middle", "all"]
    assert {head: cell.sort for head, cell in table["cot"].items()} == {
        "IE easy": 50.0, "NC hard": 100.0, "CR middle": 100.0, "all": 75.0,
    }  # fmt: skip
    assert [head for head, cell in table["cot"].items() if cell.best] == ["NC hard"]
    assert [head for head, cell in table["ace"].items() if cell.best] == ["IE easy"]  # equal columns have no best
    assert [cell.text for cell in table["n"].values()] == ["2", "1", "1", "4"]


def test_the_interactive_tasks_stand_side_by_side_and_lower_cost_is_better(make_run: MakeRun, tmp_path: Path) -> None:
    runs = []
    for name, points, cost in (("cot", 4.0, 20_000.0), ("gepa", 6.0, 19_400.0)):
        metrics = dict.fromkeys(DIMENSIONS, points)
        rows = [
            played(name, "case", env_id=CONSULTING, metrics=metrics),
            played(name, "default", env_id=BEER, reward=-cost, metrics={"cost": cost}),
            played(name, "story_5", env_id=TWIN, reward=6_760_000.0, metrics={"earnings": 6_760_000.0}),
        ]
        runs += [make_run(tmp_path / f"{name}-{k}", [row], name="run") for k, row in enumerate(rows)]
    table = table_of(runs, ENTERPRISEBENCH, "interactive")
    consulting = [f"{name} Consulting" for name in ("Struct.", "Quant.", "Business", "Comm.", "Overall")]
    assert list(table["cot"]) == [*consulting, "Beer Game cost, $", "Digital Twin earnings, $"]
    assert [cell.text for cell in table["gepa"].values()] == ["6.00"] * 5 + ["19,400", "6,760,000"]
    assert [cell.best for cell in table["gepa"].values()] == [True] * 6 + [False]
    assert not any(cell.best for cell in table["cot"].values())


def test_goal_process_protection_and_reliability_of_payments(make_run: MakeRun, tmp_path: Path) -> None:
    verdicts = {("t1", 0): "gpf", ("t1", 1): "gpf", ("t2", 0): "gp", ("t2", 1): ""}
    rows = [
        played(
            "cot", task, trial, float(kept == "gpf"), env_id=PAYMENTS,
            checks=[
                check("g" in kept),
                check("p" in kept, "process", turn=None if "p" in kept else 3),
                check("f" in kept, "protection", turn=None),
            ],
        )
        for (task, trial), kept in verdicts.items()
    ]  # fmt: skip
    table = table_of([make_run(tmp_path / "run", rows)], BIZAGENTBENCH, "success by class")
    assert {head: cell.sort for head, cell in table["cot"].items()} == {
        "G": 75.0, "P": 75.0, "F": 50.0, "interm. failure": 25.0, "strict": 50.0, "pass^1": 50.0, "pass^2": 50.0,
    }  # fmt: skip
    assert [cell.text for cell in table["n"].values()] == ["4", "4", "4", "4", "4", "2", "2"]


def test_calls_and_tokens_per_sample_hold_what_was_learned_and_no_simulator(make_run: MakeRun, tmp_path: Path) -> None:
    usage = {
        "act": {"calls": 4, "input": 10_000, "output": 400},
        "curate@adaptation": {"calls": 2, "input": 10_000, "output": 1_000},
        "simulator": {"calls": 9, "input": 9_999, "output": 9_999},
    }
    rows = answered("ace", {"ie-easy-01": 1.0, "ie-easy-02": 1.0}, client=GPT, usage=usage, n_steps=3)
    table = table_of([make_run(tmp_path / "run", rows)], ENTERPRISEBENCH, "per sample")
    assert {head: cell.sort for head, cell in table["ace"].items()} == {
        "turns EnterpriseQA": 3.0, "calls EnterpriseQA": 6.0, "tokens EnterpriseQA": 21_400.0,
    }  # fmt: skip


def test_a_method_on_fewer_tasks_is_never_the_best(make_run: MakeRun, tmp_path: Path) -> None:
    runs = [
        make_run(tmp_path / "cot", answered("cot", {"ie-easy-01": 1.0, "ie-easy-02": 0.0})),
        make_run(tmp_path / "ace", answered("ace", {"ie-easy-01": 0.0, "ie-easy-02": 0.0})),
        make_run(tmp_path / "few", answered("few", {"ie-easy-01": 1.0})),
    ]
    table = table_of(runs, ENTERPRISEBENCH, "accuracy")
    assert [name for name, cells in table.items() if cells["all"].best] == ["cot"]
    assert (table["few"]["all"].text, table["few"]["all"].flag) == ("100.0", "n 1")
    assert table["n"]["all"].text == "1–2"


EXPERIMENTS = {ENTERPRISEBENCH: ("qa", "consulting", "beer_game", "digital_twin"), BIZAGENTBENCH: ("payments",)}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_plays_all_methods_in_all_environments_of_its_paper(name: str) -> None:
    plan = compose_run([f"experiment={name}", "client=scripted"]).plan
    assert tuple(plan) == EXPERIMENTS[name]
    for label, lineup in plan.items():
        assert tuple(lineup.agents) == METHODS
        assert {agent.name.removesuffix(f"@{label}") for agent in lineup.agents.values()} == set(METHODS)
        routed = lineup.agents["aoa"].settings["methods"]
        assert sorted(routed) == sorted(METHODS[:-1])
        for method, settings in routed.items():  # the router's methods are those that play alone
            alone = lineup.agents[method].settings
            assert {**settings, "name": ""} == {**alone, "name": ""}


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_what_practises_in_an_experiment_never_meets_a_task_that_is_scored(name: str) -> None:
    for lineup in compose_run([f"experiment={name}", "client=scripted"]).plan.values():
        practice = lineup.agents["gepa"].settings["practice_env"]
        assert practice == lineup.agents["aoa"].settings["practice_env"]
        kwargs = {key: value for key, value in lineup.env.kwargs.items() if value is not None}
        scored = gym.make(lineup.env.id, **kwargs).unwrapped.task_ids
        practised = gym.make(lineup.env.id, **{**kwargs, **practice}).unwrapped.task_ids
        assert scored
        assert practised
        assert not set(scored) & set(practised)


def small(name: str) -> list[str]:
    """Overrides that make an experiment a matter of seconds."""
    gepa = ("budget_metric_calls=2", "n_train=1", "n_val=1")
    agents = [f"lineups.{label}.agents" for label in EXPERIMENTS[name]]
    return [
        *(f"{place}.{who}.{setting}" for place in agents for who in ("gepa", "aoa.methods.gepa") for setting in gepa),
        *(f"{place}.aoa.n_dev=1" for place in agents),
        *("limit=1", "trials=1", "limits.max_calls=12", "progress=off", "evaluator.report=false"),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("name", EXPERIMENTS)
def test_an_experiment_fills_the_tables_of_its_paper(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["run", f"experiment={name}", "client=scripted", *small(name), "run_dir=RUN", "--json"]) == 0
    capsys.readouterr()
    assert main(["report", "RUN", "--table", name, "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert len(content["tables"]) == (3 if name == ENTERPRISEBENCH else 2)
    for table in content["tables"]:
        assert [row["agent"] for row in table["rows"]] == list(METHODS)
        assert all(value is not None for row in table["rows"] for value in row["values"])
    assert {row["router"] for row in content["routing"]} == {
        f"aoa@{label}" if len(EXPERIMENTS[name]) > 1 else "aoa" for label in EXPERIMENTS[name]
    }
    assert all(not row["missing"] for row in content["routing"])


def test_a_paper_whose_environments_were_not_played_is_refused(
    make_run: Callable[..., RunFolder], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = make_run(tmp_path / "run", answered("cot", {"ie-easy-01": 1.0}))
    assert main(["report", str(run.path), "--table", BIZAGENTBENCH]) == 2
    assert "none of its environments is played" in capsys.readouterr().err

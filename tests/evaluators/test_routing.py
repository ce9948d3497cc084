"""Routing against its yardsticks: numbers by hand, and a played run in which it gains by a known amount."""

import json
from hashlib import sha256

import pytest
from bizgym.envs.core.run_folder import RunFolder
from bizgym.evaluators.routing import DEVELOPMENT, HINDSIGHT, ORACLE, RANDOM, print_routing, routing_rows

from tests.fixtures.figures import MODULE_ID
from tests.fixtures.records import play_all, record, write_run

COT, ACE = ({"_target_": f"bizgym.agents.{name}", "max_tokens": 9} for name in ("cot.ChainOfThought", "ace.ACE"))
METHODS = {"cot": {**COT, "name": "cot"}, "ace": {**ACE, "name": "ace"}}
AOA = {"_target_": "bizgym.agents.aoa.AOA", "methods": METHODS}
TASKS = [f"count_{k}" for k in range(4)]
STATE = {
    "development": {"best_fixed": "ace"},
    "routes": {"count_0": [{"method": "cot"}, {"method": "ace"}], "count_1": [{"method": "cot"}]},
}


def rows_of(name, settings, rewards, **fields):
    agent = {"name": name, "settings": settings}
    return [record(task, reward=reward, agent=agent, **fields) for task, reward in zip(TASKS, rewards, strict=True)]


def write(folder, agents, state=STATE, seed=0, **fields):
    """Write a run of agents with the rewards of their four tasks."""
    rows = [row for name, settings, rewards in agents for row in rows_of(name, settings, rewards, **fields)]
    written = write_run(folder, rows, TASKS, agents=tuple(name for name, *_ in agents))
    written.describe(written.description().model_copy(update={"config": {"seed": seed}}))
    if state is not None:
        name = sha256(b"aoa").hexdigest()[:16]
        written.write_text(f"agent_state/{name}.json", json.dumps({"agent": "aoa", "after": 4, "state": state}))
    return written


def found(rows):
    return {row["against"]: (row["agent"], row["value"], row["difference"]) for row in rows}


@pytest.fixture
def played(tmp_path):
    router = write(tmp_path / "router", [("aoa", AOA, [1.0, 1.0, 1.0, 0.0])])
    alone = write(tmp_path / "alone", [("cot", COT, [1.0, 1.0, 0.0, 0.0]), ("ace", ACE, [0.0, 0.0, 1.0, 0.0])], None)
    return [router, alone]


def test_the_yardsticks_by_hand(played):
    rows = routing_rows(played)
    assert found(rows) == {
        DEVELOPMENT: ("ace", 0.25, 0.5),
        HINDSIGHT: ("cot", 0.5, 0.25),
        RANDOM: (None, 0.375, 0.375),
        ORACLE: (None, 0.75, 0.0),
    }
    assert {(row["router"], row["metric"], row["routed"], row["n"], row["asked"], row["tasks"]) for row in rows} == {
        ("aoa", "reward", 0.75, 4, 4, 4)
    }
    assert all(row["routes"] == {"ace": 1, "cot": 2} and row["missing"] == [] for row in rows)
    assert json.loads(json.dumps(rows)) == rows


def test_a_gain_that_is_the_same_on_every_task_has_an_interval_of_one_point(tmp_path):
    agents = [("aoa", AOA, [1.0, 0.5, 0.75, 0.5]), ("cot", COT, [0.5, 0.0, 0.25, 0.0]), ("ace", ACE, [0.0] * 4)]
    (row,) = [row for row in routing_rows([write(tmp_path / "run", agents)]) if row["against"] == HINDSIGHT]
    assert (row["agent"], row["difference"], row["ci95"]) == ("cot", 0.5, [0.5, 0.5])


def test_only_episodes_count_that_router_and_methods_all_have_a_score_of(tmp_path, capsys):
    agents = [("aoa", AOA, [1.0, 1.0, None, 0.0]), ("cot", COT, [1.0, None, 0.0, 0.0]), ("ace", ACE, [0.0] * 4)]
    rows = routing_rows([write(tmp_path / "run", agents, None)])
    assert {(row["n"], row["asked"], row["tasks"]) for row in rows} == {(2, 4, 2)}
    assert found(rows)[HINDSIGHT] == ("cot", 0.5, 0.0)
    assert DEVELOPMENT not in found(rows)  # no state says which method it was
    print_routing(rows)
    assert "2 of 4 episodes have a score of router and methods.\n" in capsys.readouterr().out


def test_a_method_is_known_by_its_settings_not_by_its_name(tmp_path, capsys):
    other = {**COT, "max_tokens": 10}
    agents = [("aoa", AOA, [1.0] * 4), ("plain", COT, [1.0, 0.0, 0.0, 0.0]), ("cot", other, [1.0] * 4)]
    rows = routing_rows([write(tmp_path / "run", agents)])
    assert found(rows)[HINDSIGHT] == ("plain", 0.25, 0.75)
    assert {tuple(row["missing"]) for row in rows} == {("ace",)}
    assert DEVELOPMENT not in found(rows)  # it was ace, which is missing
    print_routing(rows)
    assert "No runs of ace here: best, random and oracle are over the others.\n" in capsys.readouterr().out


@pytest.mark.parametrize("other", [{"client": {"name": "openai", "model": "another"}}, {"seed": 1}])
def test_a_method_under_another_model_or_seed_is_not_the_routers(tmp_path, other):
    client = {"name": "openai", "model": "one"}
    cot = ("cot", COT, [0.0] * 4)
    router = write(tmp_path / "router", [("aoa", AOA, [1.0] * 4), cot], client=client)
    alone = write(tmp_path / "alone", [("ace", ACE, [1.0] * 4)], None, **{"client": client, **other})
    assert {tuple(row["missing"]) for row in routing_rows([router, alone])} == {("ace",)}
    same = write(tmp_path / "same", [("ace", ACE, [1.0] * 4)], None, client=client)
    rows = routing_rows([router, alone, same])
    assert {tuple(row["missing"]) for row in rows} == {()}
    assert found(rows)[HINDSIGHT][1:] == (1.0, 0.0)


def test_runs_without_a_router_have_no_rows(tmp_path):
    assert routing_rows([write(tmp_path / "run", [("cot", COT, [1.0] * 4)], None)]) == []
    assert routing_rows([write(tmp_path / "alone", [("aoa", AOA, [1.0] * 4)])]) == []


def test_what_is_printed(played, capsys):
    print_routing(routing_rows(played))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("Counter-v0: aoa, reward 0.750 on 4 episodes of 4 tasks")
    assert lines[1] == "against\tmethod\tmean\trouted - mean\t95 % interval"
    assert lines[2].startswith("best fixed on development\tace\t0.25\t0.5\t0.000 .. 1.000")
    assert lines[5] == "oracle per episode\t-\t0.75\t0\t0.000 .. 0.000"
    assert lines[6:] == [
        "Routed to: ace 1, cot 2.",
        "With fewer than 10 tasks an interval is too narrow to be relied on.",
    ]


@pytest.fixture
def methods(tmp_path):
    prompts = {"adds": "$rules\nAdd up what is named.\n", "last": "$rules\nTake what is named last.\n"}
    for name, text in prompts.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    kind = "bizgym.agents.cot.ChainOfThought"
    return {name: {"_target_": kind, "name": name, "prompt": str(tmp_path / f"{name}.md")} for name in prompts}


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_played_run_gains_by_the_known_amount_and_nothing_with_shuffled_labels(methods, tmp_path, shuffled):
    router = {"_target_": "bizgym.agents.aoa.AOA", "name": "aoa", "methods": methods, "n_dev": 40}
    agents = {"aoa": {**router, "shuffle_labels": shuffled}, **methods}
    client = {"_target_": "tests.fixtures.figures.FiguresModel", "name": "figures"}
    lineups = {"figures": {"env": {"id": MODULE_ID}, "agents": agents}}
    play_all(tmp_path / "run", lineups=lineups, client=client, limit=40)
    rows = {
        row["against"]: row for row in routing_rows([RunFolder.open(tmp_path / "run")]) if row["metric"] == "reward"
    }
    assert [rows[name]["value"] for name in (DEVELOPMENT, HINDSIGHT, RANDOM, ORACLE)] == [0.5, 0.5, 0.5, 1.0]
    gains = [rows[name] for name in (DEVELOPMENT, HINDSIGHT)]
    if not shuffled:
        # Half of the tasks gain 1: the mean of 40 such draws has a standard error of 0.079.
        assert all(row["difference"] == 0.5 and row["ci95"] == pytest.approx([0.35, 0.65], abs=0.03) for row in gains)
        assert rows[ORACLE]["difference"] == 0.0
        assert gains[0]["routes"] == {"adds": 20, "last": 20}
    else:
        assert gains[0]["difference"] == 0.0
        assert all(row["ci95"][0] <= 0.0 <= row["ci95"][1] for row in gains)
        assert sorted(gains[0]["routes"].values()) == [40]

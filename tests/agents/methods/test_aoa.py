"""AOA: what it plays and asks before the first episode, how it routes, and what it gains where methods differ."""

import json
import re
from pathlib import Path

import pytest
from bizgym.agents.aoa import AOA
from bizgym.agents.base import RunContext
from bizgym.agents.development import develop
from bizgym.agents.meter import Ledger, Meter
from bizgym.agents.prices import load_prices
from bizgym.agents.rollout import Limits, rollout
from bizgym.agents.team import Team
from bizgym.envs.core.errors import SettingError

from tests.fixtures.figures import ENV_ID, MODULE_ID, SECRET, FiguresModel, role_of
from tests.fixtures.models import make
from tests.fixtures.players import TRUSTED
from tests.fixtures.records import content, play_all, rows_of

RULES = [{"when": {"tables": 0}, "method": "last"}, {"when": {"tables": 1}, "method": "adds"}]
DEV = {"tasks": [f"{kind}_{k}" for k in range(30, 34) for kind in ("table", "prose")]}
TWO = {"tasks": ["table_0", "prose_0", "table_30", "prose_30"]}
OUTSIDE = {"_target_": "tests.fixtures.players.Breaks", "name": "breaks"}


@pytest.fixture
def methods(tmp_path):
    """Chain of thought in two ways: one adds up, which is right for tables; one takes the last figure, for prose."""
    prompts = {"adds": "$rules\nAdd up what is named.\n", "last": "$rules\nTake what is named last.\n"}
    for name, text in prompts.items():
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
    return {name: cot(str(tmp_path / f"{name}.md")) for name in prompts}


def cot(prompt="cot"):
    return {"_target_": "bizgym.agents.cot.ChainOfThought", "name": "cot", "prompt": prompt}


def aoa(methods, **settings):
    return {"_target_": "bizgym.agents.aoa.AOA", "name": "aoa", "methods": methods, "n_dev": 8, **settings}


def route(agent, model, *task_ids):
    """Play tasks one after another in one run; return the records."""
    meter = Meter(model, Ledger(load_prices()), Limits())
    settings = {"env_id": MODULE_ID, "env_kwargs": {}, "task_ids": task_ids, "feedback": "outcome"}
    run = RunContext("test", 7, meter.client(), {**settings, "trusted_targets": TRUSTED}, meter)
    env = make(MODULE_ID)
    runs = [run, *[None] * len(task_ids)]
    return [rollout(env, agent, seed=0, task_id=each, run=runs[k], meter=meter) for k, each in enumerate(task_ids)]


def run_of(folder: Path, methods, client=None, fixed=False, **settings):
    """Play a run; return its records and the state of its router."""
    agents = {"aoa": aoa(methods, **settings.pop("agent", {}))}
    if fixed:
        agents |= {name: {**config, "name": name} for name, config in methods.items()}
    lineups = {"figures": {"env": {"id": MODULE_ID}, "agents": agents}}
    model = client or {"_target_": "tests.fixtures.figures.FiguresModel", "name": "figures"}
    play_all(folder, lineups=lineups, client=model, **{"limit": 4, **settings})
    (path,) = (folder / "agent_state").glob("*") if (folder / "agent_state").exists() else (None,)
    state = None if path is None else json.loads(path.read_text(encoding="utf-8"))["state"]
    return [content(row) for row in rows_of(folder)], state


def calls_of(row):
    return {role: amounts["calls"] for role, amounts in row.usage.items()}


def test_development_extraction_synthesis_and_then_no_call_for_routing(methods):
    agent, model = AOA(methods, n_dev=8, practice_env=DEV), FiguresModel()
    first, second = route(agent, model, "table_0", "prose_0")
    assert calls_of(first) == {"act@adaptation": 16, "extract@adaptation": 16, "synthesise@adaptation": 1, "act": 1}
    assert calls_of(second) == {"act": 1}
    assert (first.reward, second.reward) == (1.0, 1.0)
    state = agent.state()
    assert state["playbook"] == {"rules": RULES, "default": "adds"}
    assert state["development"]["means"] == {"adds": 0.5, "last": 0.5}
    assert [(each[0]["method"], each[0]["rule"]) for each in state["routes"].values()] == [("adds", 1), ("last", 0)]
    assert state["routes"]["prose_0"][0]["traits"] == {
        "env": ENV_ID, "answer": "number", "context": "short", "tables": 0, "tools": 1, "needs_code": False
    }  # fmt: skip
    assert sorted(state["development"]["tasks"]) == sorted(DEV["tasks"])
    assert (state["unreadable"], state["dropped"]) == (0, 0)


def test_what_each_prompt_of_the_learning_sees(methods):
    model = FiguresModel()
    route(AOA(methods, n_dev=2, practice_env=TWO), model, "table_0", "prose_0")
    asked = [(role_of(prompt), prompt[-1]["content"]) for prompt in model.prompts]
    assert [role for role, _ in asked] == ["act"] * 4 + ["extract"] * 4 + ["synthesise", "act", "act"]
    (extract,) = (text for _, text in asked[4:8] if "by the method adds" in text and "They named" in text)
    synthesis = asked[8][1]
    assert "\n> They named [33, 5, 39].\n" in extract
    answered = r'> Turn 1: I give it \(seed \d+\)\. answer\(\{"value": 77\}\)\n> Result: The answer is taken\.\n'
    assert re.search(answered, extract)
    assert "on this task, from 0 to 1: adds 0.00, last 1.00\n" in extract
    assert "- adds: Chain of thought: " in extract
    assert "- adds: 0.500\n- last: 0.500\n" in synthesis
    assert "- tables = 0 (1 task): adds 0.00, last 1.00\n- tables = 1 (1 task): adds 1.00, last 0.00\n" in synthesis
    assert synthesis.count('\n> {"traits": {"tables": ') == 4
    assert '"decided": "The sum or not."' in synthesis
    assert all(SECRET not in message["content"] for prompt in model.prompts for message in prompt if message["content"])


def test_rules_that_cannot_be_checked_are_dropped_and_counted(methods):
    rules = [
        {"when": {"colour": "red"}, "method": "last"},
        {"when": {"tables": 1}, "method": "ace"},
        {"when": {"tables": "one"}, "method": "last"},
        {"when": {}, "method": "last"},
        "tables -> last",
        {"when": {"tables": {"at_least": 1}}, "method": "adds"},
    ]
    agent = AOA(methods, practice_env=TWO)
    route(agent, FiguresModel(playbook=json.dumps({"rules": rules, "default": "last"})), "prose_0")
    state = agent.state()
    assert state["playbook"] == {"rules": rules[5:], "default": "adds"}  # the best on development, not what it wrote
    assert state["dropped"] == 5
    assert state["routes"]["prose_0"][0]["rule"] == "default"


def test_a_playbook_that_cannot_be_read_leaves_the_default_alone(methods):
    agent = AOA(methods, practice_env=TWO)
    first, second = route(agent, FiguresModel(playbook="Tables should go to adds."), "table_0", "prose_0")
    assert (first.reward, second.reward) == (1.0, 0.0)
    assert agent.state()["playbook"] == {"rules": [], "default": "adds"}
    assert agent.state()["unreadable"] == 1


@pytest.mark.parametrize(
    ("reply", "method", "rule"), [('{"method": "last"}', "last", "model"), ("ace", "adds", "default")]
)
def test_a_model_may_choose_where_no_rule_fits(methods, reply, method, rule):
    playbook = json.dumps({"rules": RULES[1:]})
    agent, model = AOA(methods, practice_env=TWO, fallback="model"), FiguresModel(playbook=playbook, route=reply)
    first, second = route(agent, model, "table_0", "prose_0")
    assert "route" not in calls_of(first)
    assert calls_of(second) == {"route": 1, "act": 1}
    (chosen,) = agent.state()["routes"]["prose_0"]
    assert (chosen["method"], chosen["rule"]) == (method, rule)
    assert agent.state()["unreadable"] == (rule == "default")
    (asked,) = (prompt[0]["content"] for prompt in model.prompts if role_of(prompt) == "route")
    assert "\n> They named [3, 5, 9].\n" in asked
    assert "Mean 0.500." in asked


def test_routing_gains_where_methods_differ_and_nothing_once_the_labels_are_shuffled(methods, tmp_path):
    rows, _ = run_of(tmp_path / "run", methods, fixed=True, limit=40)
    scores = {name: [row["reward"] for row in rows if row["agent"]["name"] == name] for name in ("aoa", "adds", "last")}
    assert {name: sum(each) / 40 for name, each in scores.items()} == {"aoa": 1.0, "adds": 0.5, "last": 0.5}
    turns = {(row["agent"]["name"], row["task_id"]): row["steps"][0]["turn"] for row in rows}
    for task_id in (f"{kind}_{k}" for kind in ("table", "prose") for k in range(20)):  # as the method plays it alone
        assert turns["aoa", task_id] == turns["adds" if task_id.startswith("table") else "last", task_id]
    assert len({str(turn) for turn in turns.values()}) == 80
    gains = []
    for seed in range(6):
        agent = {"shuffle_labels": True, "n_dev": 40}
        rows, state = run_of(tmp_path / f"shuffled{seed}", methods, limit=40, seed=seed, agent=agent)
        assert state["development"]["shuffled"] is True
        assert sum(state["development"]["means"].values()) == pytest.approx(1.0)  # the same labels, on other traces
        gains.append(sum(row["reward"] for row in rows) / 40 - 0.5)
    assert gains == [0.0] * 6


def test_a_resumed_run_goes_on_as_an_uninterrupted_one(methods, tmp_path):
    config = {**methods, "gepa": {"_target_": "bizgym.agents.gepa.GEPA", "name": "gepa", "profile": "small"}}
    whole = run_of(tmp_path / "whole", config, trials=2)
    run_of(tmp_path / "parts", config, trials=1)
    assert run_of(tmp_path / "parts", config, trials=2) == whole
    rows, state = whole
    assert ["synthesise@adaptation" in row["usage"] for row in rows] == [True] + [False] * 7
    assert all(row["stop_reason"] == "env_done" for row in rows)
    learned = state["methods"]["gepa"]["adaptation"]  # in development, and kept: no episode teaches it
    played = len(state["development"]["tasks"]) * 3 + learned["metric_calls"]
    assert sum(row["usage"].get("act@adaptation", {}).get("calls", 0) for row in rows) == played
    assert not {task for task, _ in learned["train"] + learned["validation"]} & set(state["development"]["tasks"])
    assert [len(each) for each in state["routes"].values()] == [2] * 4


def test_a_method_that_learns_begins_the_run_anew_and_keeps_its_state(tmp_path):
    learner = {"_target_": "tests.fixtures.figures.Counts", "name": "counts"}
    rows, state = run_of(tmp_path / "run", {"counts": learner}, trials=2, agent={"n_dev": 3})
    assert state["methods"] == {"counts": {"episodes": 8, "rewards": [row["reward"] for row in rows]}}
    assert [row["steps"][0]["turn"]["calls"][0]["arguments"]["value"] for row in rows] == list(range(8))


@pytest.mark.parametrize(("feedback", "told"), [("outcome", [0.0] * 3), ("none", [None] * 3)])
def test_a_method_that_learns_is_told_in_development_what_the_run_tells(feedback, told):
    team = Team({"counts": {"_target_": "tests.fixtures.figures.Counts", "name": "counts"}})
    settings = {"env_id": MODULE_ID, "env_kwargs": {}, "feedback": feedback, "trusted_targets": TRUSTED}
    traces = develop(RunContext("test", 7, None, settings), team, None, 3)
    assert team.state()["counts"]["rewards"] == told
    assert [trace.score for trace in traces] == [0.0] * 3
    assert all(trace.trajectory.checks == [] for trace in traces)


def test_a_method_that_does_not_learn_is_seeded_anew_in_each_episode(tmp_path):
    seeded = {"_target_": "tests.fixtures.figures.Seeded", "name": "seeded"}
    rows, state = run_of(tmp_path / "run", {"seeded": seeded}, trials=2, agent={"n_dev": 1})
    assert len({row["steps"][0]["turn"]["calls"][0]["arguments"]["value"] for row in rows}) == 8
    assert state["methods"] == {}


def test_nothing_of_one_run_reaches_another(methods, tmp_path):
    alone = run_of(tmp_path / "alone", methods)
    run_of(tmp_path / "other", methods, seed=3, agent={"shuffle_labels": True})
    assert run_of(tmp_path / "again", methods) == alone


def test_a_provider_that_fails_during_development_leaves_an_episode_to_play_again(methods, tmp_path):
    outage = tmp_path / "outage"
    outage.touch()
    client = {"_target_": "tests.fixtures.figures.FiguresModel", "name": "figures", "outage": str(outage)}
    rows, state = run_of(tmp_path / "run", methods, client)
    assert ([row["stop_reason"] for row in rows], state) == (["provider_error"], None)
    outage.unlink()
    rows, state = run_of(tmp_path / "run", methods, client)
    assert (rows[1:], state) == run_of(tmp_path / "undisturbed", methods, client)


def test_prompts_of_all_methods_are_in_the_record(methods):
    (row,) = route(AOA(methods, n_dev=1), FiguresModel(), "table_0")
    assert set(row.prompt_hashes) == {
        "aoa_extract.md", "aoa_synthesise.md", "aoa_route.md", "adds/adds.md", "last/last.md"
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "methods: name at least one"),
        ({"cot": "cot"}, r"methods\.cot: .* an agent's configuration"),
        ({"cot": {**cot(), "promt": "x"}}, r"methods\.cot: there is no setting 'promt'\. Did you mean 'prompt'"),
        ({"cot": cot("none")}, r"methods\.cot: prompt: there is no none"),
        ({"a/b": cot()}, r"methods\.a/b: a name"),
    ],
)
def test_methods_that_cannot_be_built_are_refused_before_the_run(given, message):
    with pytest.raises(SettingError, match=message):
        AOA(given)


def test_a_method_from_elsewhere_is_built_only_where_it_is_trusted(methods):
    agent = AOA({**methods, "breaks": OUTSIDE})
    agent.begin_run(RunContext("test", 7, FiguresModel(), {"trusted_targets": TRUSTED}))
    assert agent._team.seat("breaks", 0).adaptive is False
    agent.begin_run(RunContext("test", 7, FiguresModel(), {"trusted_targets": []}))
    with pytest.raises(SettingError, match=r"methods\.breaks: _target_: .* is outside bizgym"):
        agent._team.seat("breaks", 0)

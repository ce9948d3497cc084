"""GEPA: what it plays and asks to learn, what comes of it, and that its budget is one."""

import json
import sys
from pathlib import Path

import pytest
from bizgym.agents.base import RunContext
from bizgym.agents.gepa import COMPONENTS, GEPA
from bizgym.agents.gepa_search import Search, _Interrupted
from bizgym.agents.meter import Ledger, Meter
from bizgym.agents.practice import Practised
from bizgym.agents.prices import load_prices
from bizgym.agents.prompting import load_prompt
from bizgym.agents.rollout import Limits, rollout
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.counter.env import MODULE_ID
from tests.fixtures.counting_model import ADVICE, CountingModel, counting_model, is_reflection, played_first
from tests.fixtures.models import make
from tests.fixtures.records import content, play, record, rows_of

COUNTER = {"id": MODULE_ID, "tasks": [f"count_{k}" for k in range(10)]}
VAL = {"count_5": 8, "count_8": 11, "count_7": 10, "count_3": 6}
"""Targets of the tasks that judge: of the nine that `count_0` leaves, the last four by their digests."""


def learn(agent, model, tasks=("count_0",), settings=None):
    """Play one episode with an agent that begins its run; return the record."""
    meter = Meter(model, Ledger(load_prices()), Limits())
    told = {"env_id": MODULE_ID, "env_kwargs": {}, "task_ids": tasks, "feedback": "outcome", **(settings or {})}
    run = RunContext("test", 7, meter.client(), told, meter)
    return rollout(make(MODULE_ID), agent, seed=0, task_id=tasks[0], run=run, meter=meter)


def gepa_config(**settings):
    return {"_target_": "bizgym.agents.gepa.GEPA", "name": "gepa", "profile": "small", **settings}


def run_of(folder: Path, client=None, **settings):
    """Play a run of the tasks 0 to 2; what it practises on are the others."""
    asked = {"agent": gepa_config(), "client": client or counting_model(), "limit": 3, **settings}
    play(folder, asked.pop("agent"), COUNTER, **asked)
    states = [json.loads(path.read_text(encoding="utf-8")) for path in (folder / "agent_state").glob("*")]
    return [content(row) for row in rows_of(folder)], states


def test_the_small_profile_learns_in_two_rounds_what_the_episodes_taught():
    model, agent = CountingModel(), GEPA("small")
    row = learn(agent, model)
    assert (row.stop_reason, row.reward) == (StopReason.ENV_DONE, 1.0)
    adaptation = agent.state()["adaptation"]
    assert adaptation["validation"] == [[task, 0] for task in VAL]
    assert adaptation["train"] == [[f"count_{k}", n] for k, n in ((2, 0), (1, 0), (9, 0), (6, 0), (4, 0), (2, 1))]
    # By hand: untold it reaches 5, after each round 3 more. Where all are right nothing is better, and the search ends.
    reached = [[float(target <= reach) for target in VAL.values()] for reach in (5, 8, 11)]
    assert [each["scores"] for each in adaptation["validated"]] == reached
    assert [each["mean"] for each in adaptation["validated"]] == [0.0, 0.5, 1.0]
    # The seed on 4; each round parent and child on 3, and a child that gained on 4.
    assert [each["metric_calls"] for each in adaptation["validated"]] == [4, 14, 24]
    assert adaptation["metric_calls"] == 24
    practised = played_first(model.prompts)
    assert len(practised) == 24 + 1
    assert practised[:4] == practised[10:14] == practised[20:24] == list(VAL.values())
    assert practised[4:7] == practised[7:10]
    assert practised[14:17] == practised[17:20]
    assert sorted({*practised[4:10], *practised[14:20]}) == [4, 5, 7, 9, 12]
    assert practised[-1] == 3
    calls = {role: amounts["calls"] for role, amounts in row.usage.items()}
    assert calls["reflect@adaptation"] == 2
    assert calls["act"] == 2
    assert calls["act@adaptation"] == len(model.prompts) - 4


def test_a_component_at_a_time_is_rewritten_and_all_of_them_stand_behind_the_rules():
    model, agent = CountingModel(), GEPA("small")
    learn(agent, model)
    candidate = agent.state()["candidate"]
    seeds = {name: load_prompt(f"gepa_seed_{name}").fill() for name in COMPONENTS}
    assert sum(text.count(ADVICE) for text in candidate.values()) == 2
    assert all(candidate[name].startswith(seeds[name]) for name in COMPONENTS)
    system = model.prompts[-1][0]["content"]
    assert system.startswith("You count.")
    assert system.endswith(load_prompt("gepa_learned").fill(**candidate))
    for heading, _ in COMPONENTS.values():
        assert f"{heading}:\n" in system
    assert {f"gepa_seed_{name}.md" for name in COMPONENTS} | {"gepa_reflect.md"} <= agent.prompt_hashes.keys()


def test_a_reflection_sees_the_episodes_quoted_and_their_scores():
    model = CountingModel()
    learn(GEPA("small"), model)
    reflections = [prompt[0]["content"] for prompt in model.prompts if is_reflection(prompt)]
    for text in reflections:
        assert text.count("\n> You count.\n> \n> Count ") == 3
        assert text.count("\nScore from 0 to 1: ") == 3
        assert '> Turn 1: I count. add({"units": ' in text
    assert [text.count("Score from 0 to 1: 1.000.") for text in reflections] == [1, 2]  # of 5, 12, 7 and of 5, 9, 4
    assert 'rewrite the part "How to work"' in reflections[0]


@pytest.mark.parametrize("budget", [1, 3, 4, 10, 13, 14, 20, 30, 61, 150])
def test_a_budget_is_never_passed(budget):
    model, agent = CountingModel(idle=True, reach=0), GEPA("small", budget_metric_calls=budget)
    learn(agent, model)
    adaptation = agent.state()["adaptation"]
    rounds = max(0, budget - 4 - 4) // 6  # a round that gains nothing costs 6 of the 10 that it needs to begin
    assert adaptation["metric_calls"] == (0 if budget < 4 else 4 + 6 * rounds) <= budget
    assert len(played_first(model.prompts)) == adaptation["metric_calls"] + 1
    assert [each["mean"] for each in adaptation["validated"]] == [0.0] * (budget >= 4)
    assert agent.state()["candidate"] == {name: load_prompt(f"gepa_seed_{name}").fill() for name in COMPONENTS}


def test_the_paper_profile_spends_what_the_paper_reports():
    model, agent = CountingModel(idle=True, reach=0), GEPA("paper")
    row = learn(agent, model)
    adaptation = agent.state()["adaptation"]
    assert (len(adaptation["train"]), len(adaptation["validation"])) == (30, 20)
    # 20 to validate the seed, then rounds of 6 that gain nothing, the last one begun where 6 + 20 of 620 are left.
    assert adaptation["metric_calls"] == 20 + 6 * 96
    assert row.usage["reflect@adaptation"]["calls"] == 96


def test_a_batch_that_the_budget_does_not_hold_is_not_begun_and_the_best_so_far_stays():
    played = []

    def episode(candidate, item):
        played.append(item)
        return Practised(record(), score=0.6 if "better" in candidate["system"] else 0.5)

    items = [("a", 0), ("b", 0)]
    search = Search(episode, lambda *_: None, val=items, budget=7, minibatch=1)
    for text in ("seed", "better", "no better"):
        search.evaluate(items, {"system": text})
    with pytest.raises(_Interrupted):
        search.evaluate(items, {"system": "seed"})
    assert (search.best, search.metric_calls, len(played)) == ({"system": "better"}, 6, 6)


def test_a_mistake_in_a_reflection_ends_the_search_rather_than_a_round():
    def broken(candidate, component, episodes):
        raise ZeroDivisionError("a mistake")

    search = Search(lambda *_: Practised(record(), score=0.0), broken, val=[("a", 0)], budget=30, minibatch=1)
    with pytest.raises(ZeroDivisionError, match="a mistake"):
        search.evolve({"system": "seed"}, [("b", 0)], seed=1)
    assert search.metric_calls == 2  # the seed on `a`, the parent on `b`


def test_a_reflection_that_cannot_be_read_changes_nothing_and_is_counted():
    model, agent = CountingModel(unreadable=True), GEPA("small")
    learn(agent, model)
    state = agent.state()
    assert state["unreadable"] == sum(map(is_reflection, model.prompts)) > 0
    assert len(state["adaptation"]["validated"]) == 1
    assert ADVICE not in str(state["candidate"])


def test_a_run_adapts_once_and_goes_on_from_its_state(tmp_path):
    whole, (state,) = run_of(tmp_path / "whole", trials=2)
    run_of(tmp_path / "parts", trials=1)
    parts, (resumed,) = run_of(tmp_path / "parts", trials=2)
    assert len(whole) == 6
    assert (parts, resumed["state"]) == (whole, state["state"])
    assert ["reflect@adaptation" in row["usage"] for row in whole] == [True] + [False] * 5
    assert state["state"]["adaptation"]["metric_calls"] > 0


def test_nothing_of_one_run_reaches_another(tmp_path):
    alone = run_of(tmp_path / "alone")
    run_of(tmp_path / "other", agent=gepa_config(n_val=2, minibatch=2), seed=5)
    assert run_of(tmp_path / "again") == alone


def test_a_provider_that_fails_during_adaptation_leaves_an_episode_to_play_again(tmp_path):
    outage = tmp_path / "outage"
    outage.touch()
    client = counting_model(outage=str(outage))
    rows, states = run_of(tmp_path / "run", client)
    assert [(row["stop_reason"], row["reward"]) for row in rows] == [("provider_error", None)]
    assert rows[0]["error"] == "503 from the provider"
    assert states == []
    outage.unlink()
    rows, _ = run_of(tmp_path / "run", client)
    assert [row["stop_reason"] for row in rows] == ["provider_error", *["env_done"] * 3]
    undisturbed, _ = run_of(tmp_path / "undisturbed", client)
    assert rows[1:] == undisturbed


def test_a_runs_budget_stops_adaptation_and_a_larger_one_begins_it_again(tmp_path):
    rows, states = run_of(tmp_path / "run", budget={"max_calls": 30})
    assert ([row["stop_reason"] for row in rows], states) == (["cancelled"], [])
    rows, states = run_of(tmp_path / "run", budget={"max_calls": 300})
    assert (rows[1:], states) == run_of(tmp_path / "undisturbed")


def test_a_single_task_is_practised_under_seeds_of_its_own():
    agent = GEPA("small", n_train=2, n_val=2)
    row = learn(agent, CountingModel(), settings={"env_kwargs": {"tasks": ["count_0"]}})
    adaptation = agent.state()["adaptation"]
    assert adaptation["train"] == [["count_0", 0], ["count_0", 1]]
    assert adaptation["validation"] == [["count_0", 2], ["count_0", 3]]
    assert row.reward == 1.0


def test_the_library_is_asked_for_by_name_where_it_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "gepa", None)
    with pytest.raises(SettingError, match=r"pip install 'bizgym\[gepa\]'"):
        GEPA()


@pytest.mark.parametrize("setting", ["budget_metric_calls", "n_train", "n_val", "minibatch"])
def test_numbers_below_one_are_refused(setting):
    with pytest.raises(SettingError, match=f"{setting}: at least 1, not 0"):
        GEPA(**{setting: 0})

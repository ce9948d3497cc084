"""Play that tries to get more than it earned, or more than it is told, out of the environment."""

import json
import pickle
from random import Random

import gymnasium as gym
import pytest
from bizgym import envs as _registers_the_ids  # noqa: F401
from bizgym.envs.core.actions import parse_action
from bizgym.envs.digital_twin import scoring
from bizgym.envs.digital_twin.plan import Plan, Window
from bizgym.envs.digital_twin.search.heuristics import trivial
from bizgym.envs.digital_twin.simulate import simulate

from tests.contract.fuzz import Fuzzer
from tests.digital_twin.firms import firm, project, spec, write

ENV = "bizgym/DigitalTwin-v0"
RISKY = {"extension_probability": 0.5, "extension_effort_months": 4.0, "follow_on_probability": 0.4}
RUN = '{"name": "run_simulation"}'
SETTINGS = [
    *({"rounds": rounds, "score": score} for rounds in (1, 2, 5) for score in ("last", "best", "mean")),
    {"split": "reference", "gate": "bernoulli", "rounds": 3},
    {"split": None, "rounds": 2, "score": "mean", "order": "sequential"},
]


@pytest.fixture
def risky(tmp_path):
    return write(tmp_path, spec(project("a", **RISKY), project("b", **RISKY), gate="bernoulli"))


def hostile_actions(env, seed):
    """Garbage, valid calls and runs in any order, lists of them included."""
    fuzzer, rng = Fuzzer(env, seed), Random(seed)
    while True:
        pick = rng.random()
        yield fuzzer.draw()[1] if pick < 0.45 else RUN if pick < 0.6 else env.action_space.sample()


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda settings: " ".join(map(str, settings.values())))
def test_hostile_play_is_paid_as_its_record_is_scored_also_from_a_copy_half_way(risky, settings):
    given = {"max_turns": 60, "max_consecutive_errors": 30, **settings}
    given |= {} if "split" in settings else {"scenario": risky}
    for seed in range(12):
        env = gym.make(ENV, **given).unwrapped
        _, info = env.reset(seed=seed)
        copy, paid, history = None, 0.0, []
        for turn, action in enumerate(hostile_actions(env, seed), 1):
            calls, before = parse_action(action, turn), env.state_digest()
            reply = env.step(action)
            results = reply[4]["tool_results"]
            history += [(call.name, call.arguments) for call, each in zip(calls, results, strict=True) if each["ok"]]
            paid += reply[1]
            ended = reply[2] or reply[3]
            if not ended and not any(each["ok"] for each in results):
                assert env.state_digest() == before
            if copy is not None:
                assert copy.step(action) == reply
            if ended:
                break
            if turn == 5:
                copy = pickle.loads(pickle.dumps(env))
        task = scoring.task_of(given, info["task_id"], seed)
        found = scoring.outcome(task, history)
        assert found.reward == pytest.approx(paid, abs=1e-9)
        assert dict(found.metrics) == reply[4]["metrics"]


def test_whoever_must_employ_somebody_saves_nothing_by_not_playing(tmp_path):
    given = spec(firm={**spec()["firm"], "consultants": {"low": 4, "high": 6}})
    env = gym.make(ENV, scenario=write(tmp_path, given)).unwrapped
    rules, _ = env.reset(seed=0)
    assert "counts as employing as few as it may and declining everything" in rules
    refused, forfeited, *_ = env.forfeit("refusal")
    assert "1 round not run counted as employing as few as it may" in refused
    assert forfeited == -24 * 10_000 - 23 * 4 * 8_000
    env.reset(seed=0)
    env.step({"name": "submit_plan", "arguments": {"plan": {"consultants": 4, "revenue_risk": 0}}})
    assert env.step(RUN)[1] == forfeited


def test_a_seed_gives_a_project_the_same_luck_in_every_plan():
    twin = firm(project("a", **RISKY), project("b", **RISKY), gate="bernoulli")
    window, differing = Window(1, 12), set()
    for seed in range(50):
        both = simulate(twin, Plan(4, 1.0, {"a": window, "b": window}), seed=seed).projects
        alone = simulate(twin, Plan(2, 1.0, {"b": window}), seed=seed).projects
        assert [each for each in both if each.name.startswith("b")] == alone
        differing.add(tuple(each.delivered_months for each in alone))
    assert len(differing) > 1


def test_what_a_planner_reads_of_the_largest_scenario_is_complete():
    largest = max(gym.make(ENV, split=None).unwrapped._all_tasks, key=lambda task: len(task.firm.template.projects))
    env = gym.make(ENV, tasks=[largest.task_id]).unwrapped
    first, info = env.reset(seed=0)
    ids = list(largest.firm.bounds.projects)
    assert len(ids) >= 40
    assert all(first.count(f"\n| {each} | ") == 1 for each in ids)
    assert len(first) + sum(map(len, info["tools"])) < 40_000
    env.step({"name": "submit_plan", "arguments": {"plan": trivial(largest.firm).to_json()}})
    for text in (env.step({"name": "list_projects", "arguments": {}})[0], env.step(RUN)[0]):
        assert "left out" not in text
        assert all(f"\n| {each} | " in text for each in ids)


def test_a_plan_of_a_megabyte_is_refused_in_a_bounded_reply(risky):
    env = gym.make(ENV, scenario=risky).unwrapped
    env.reset(seed=0)
    before = env.state_digest()
    for plan in (
        {"consultants": 1, "revenue_risk": 1, "projects": {f"x{k}": None for k in range(60_000)}},
        {f"x{k}": 1 for k in range(60_000)},
        {"consultants": 1, "revenue_risk": 1, "projects": {"a" * 900_000: None}},
    ):
        observation, reward, *_, info = env.step(json.dumps({"name": "submit_plan", "arguments": {"plan": plan}}))
        assert (info["error"], reward, env.state_digest()) == ("bad_arguments", 0.0, before)
        assert len(observation) <= 8_000

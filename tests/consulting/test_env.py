"""The environment: what is shown, what ends an interview, what a recommendation pays, and what hostile input does."""

import json

import gymnasium as gym
import pytest
from bizgym.envs.consulting.candidate import calls
from bizgym.envs.consulting.fact_types import fact_types
from bizgym.envs.consulting.scoring import outcome, outcome_of_record
from bizgym.envs.consulting.tasks import all_tasks
from bizgym.envs.core.stop import StopReason

ID = "bizgym/Consulting-v0"
TASKS = ["profitability_1-easy-a", "market_entry_1-hard-c"]
ASK = {"name": "ask_interviewer", "arguments": {"question": "Which costs would a merger save?", "topic": "synergies"}}
"""A question that no case played here has anything on."""


def begun(task_id, **kwargs):
    env = gym.make(ID, **kwargs).unwrapped
    observation, info = env.reset(seed=0, options={"task_id": task_id})
    return env, observation, info


def call(name, **arguments):
    return {"name": name, "arguments": arguments}


@pytest.mark.parametrize("task_id", TASKS)
def test_the_opening_holds_the_rules_the_topics_and_the_case(task_id):
    _, observation, info = begun(task_id)
    case = all_tasks().get(task_id).case
    assert case.statement in observation
    assert f"You have {case.turns} turns." in observation
    assert all(f"- `{topic}`: {covers}" in observation for topic, covers in fact_types().topics.items())
    names = [json.loads(text)["function"]["name"] for text in info["tools"]]
    assert names == ["ask_interviewer", "share_analysis", "request_exhibit", "submit_recommendation"]
    topics = json.loads(info["tools"][0])["function"]["parameters"]["properties"]["topic"]["anyOf"][0]["enum"]
    assert topics == list(fact_types().topics)


@pytest.mark.parametrize("task_id", TASKS)
def test_nothing_of_the_interviewers_knowledge_stands_in_the_opening(task_id):
    env, observation, info = begun(task_id)
    case = all_tasks().get(task_id).case
    seen = observation + json.dumps([info, env.tools])
    hidden = [*(fact.sentence for fact in case.facts), *(cause.text for cause in case.causes)]
    hidden += [exhibit.title for exhibit in case.exhibits] + [case.solution.why_not, case.solution.constraint.text]
    assert not [text for text in hidden if text in seen]


@pytest.mark.parametrize("task_id", TASKS)
def test_the_candidate_is_paid_what_the_outcome_says(task_id):
    env, _, _ = begun(task_id)
    task = all_tasks().get(task_id)
    paid = [env.step(call(name, **arguments)) for name, arguments in calls(task.case)]
    assert [reward for _, reward, *_ in paid[:-1]] == [0.0] * (len(paid) - 1)
    _, reward, terminated, truncated, info = paid[-1]
    assert (reward, terminated, truncated) == (10.0, True, False)
    assert info["reward_components"] == {"overall": 10.0}
    assert info["metrics"] == dict(outcome(task, calls(task.case)).metrics)
    assert info["metrics"]["normalized"] == 1.0
    assert all(check.passed for check in env.checks())
    assert env.stop_reason is StopReason.ENV_DONE


def test_a_question_after_the_last_turn_ends_it_without_pay():
    env, _, _ = begun(TASKS[0])
    for _ in range(8):
        observation, reward, terminated, _, info = env.step(ASK)
        assert (reward, terminated, info["metrics"]) == (0.0, False, {})
    assert "We are out of time" in observation
    observation, reward, terminated, truncated, info = env.step(ASK)
    assert (reward, terminated, truncated) == (0.0, True, False)
    assert set(info["metrics"].values()) == {0.0}
    assert "the time is up" in observation


def test_after_the_last_turn_a_recommendation_is_still_taken():
    env, _, _ = begun(TASKS[0])
    for _ in range(8):
        env.step(ASK)
    name, arguments = calls(all_tasks().get(TASKS[0]).case)[-1]
    _, reward, terminated, _, info = env.step(call(name, **arguments))
    assert terminated
    parts = {name: info["metrics"][name] for name in ("structure", "quantitative", "business_sense", "communication")}
    # Without a fact only the decision, guessed, is left of business sense, and a figure of the reason has no source.
    assert parts == {"structure": 2.0, "quantitative": 8.0, "business_sense": 4.0, "communication": 10.0}
    assert reward == sum(parts.values()) / 4


def test_turns_are_spent_by_questions_alone():
    env, _, _ = begun(TASKS[1])
    env.step(call("share_analysis", text="I think that the market is small.", numbers=[]))
    said, *_ = env.step(call("share_analysis", text="And that it is tied."))
    assert said.startswith("I follow you.")
    observation, *_ = env.step(ASK)
    assert "(15 of 16 turns left.)" in observation


def test_an_unknown_decision_ends_it_like_any_other():
    env, _, _ = begun(TASKS[0])
    empty = {"headline": "", "key_numbers": [], "reasons": [], "risks": [], "next_steps": []}
    _, reward, terminated, _, info = env.step(call("submit_recommendation", decision="no such option", **empty))
    assert (reward, terminated, info["error"]) == (0.0, True, "")


@pytest.mark.parametrize(
    "arguments",
    [
        {"question": ""},
        {"question": "x" * 2_001},
        {"question": 7},
        {"question": "Price?", "topic": "weather"},
        {"question": "Price?", "fact_id": "price.own"},
        {},
    ],
)
def test_questions_that_do_not_fit_change_nothing(arguments):
    env, _, _ = begun(TASKS[0])
    before = env.state_digest()
    _, _, _, _, info = env.step(call("ask_interviewer", **arguments))
    assert info["error"] == "bad_arguments"
    assert env.state_digest() == before


def test_a_decision_may_stand_in_quotes_and_a_value_may_be_whole():
    task = all_tasks().get(TASKS[0])
    name, arguments = calls(task.case)[-1]
    number = {"metric": "light_margin", "value": 3, "unit": "GBP"}
    env, _, _ = begun(TASKS[0])
    changed = {**arguments, "decision": f"`{task.case.solution.decision.upper()}` ", "key_numbers": [number]}
    _, _, terminated, _, info = env.step(call(name, **changed))
    assert (terminated, info["error"], info["metrics"]["business_sense"]) == (True, "", 4.0)


@pytest.mark.parametrize(
    "number",
    [
        {"metric": "x", "value": "12", "unit": "%"},
        {"metric": "x", "value": True, "unit": "%"},
        {"metric": "x", "value": 12},
        {"metric": "x", "value": 12, "unit": "%", "note": "!"},
        [1, 2],
    ],
)
def test_numbers_that_do_not_fit_do_not_end_the_interview(number):
    env, _, _ = begun(TASKS[0])
    texts = {"decision": "x", "headline": "x", "reasons": [], "risks": [], "next_steps": []}
    _, _, terminated, _, info = env.step(call("submit_recommendation", key_numbers=[number], **texts))
    assert (terminated, info["error"]) == (False, "bad_arguments")


def test_huge_and_strange_recommendations_are_scored_like_any_other():
    env, _, _ = begun(TASKS[0])
    number = {"metric": "\x00" * 200, "value": 1.7e308, "unit": "million " * 12}
    text = "1" * 1_000 + " ١٢ %€£ {price} \\ `|` 1,2,3 ٣ " + "9,999,999 " * 90
    texts = dict.fromkeys(("reasons", "risks", "next_steps"), [text[:2_000]] * 8)
    action = call(
        "submit_recommendation", decision="advertise", headline=text[:2_000], key_numbers=[number] * 8, **texts
    )
    _, reward, terminated, _, info = env.step(action)
    assert terminated
    assert 0.0 <= reward <= 2.5
    assert all(0.0 <= info["metrics"][name] <= 10.0 for name in ("structure", "quantitative", "business_sense"))


def test_a_record_is_scored_as_it_was_paid():
    from bizgym.agents.base import RunContext
    from bizgym.agents.baselines.consulting import ByTopic
    from bizgym.agents.executors import make_env
    from bizgym.agents.rollout import rollout

    for task_id in TASKS:
        run = RunContext(run_id="test", seed=0, settings={"env_id": ID, "env_kwargs": {}})
        record = rollout(make_env(ID, {}), ByTopic(), seed=0, task_id=task_id, trial=0, run=run)
        scored = outcome_of_record(record)
        assert scored.reward == record.reward > 0
        assert dict(scored.metrics) == record.metrics
        assert [check.turn for check in scored.checks] == [check.turn for check in record.checks]


def test_fresh_cases_are_drawn_by_the_seed():
    env = gym.make(ID, source="generated").unwrapped
    seen = {env.reset(seed=seed)[1]["task_id"] for seed in range(12)}
    assert len(seen) == 12
    assert all(task_id.startswith("fresh-") for task_id in seen)
    again = {env.reset(seed=seed)[1]["task_id"] for seed in range(12)}
    assert again == seen
    env.reset(seed=3, options={"task_id": "fresh-market_entry_1-hard-b-7"})
    name, arguments = calls(all_tasks().get("fresh-market_entry_1-hard-b-7").case)[-1]
    assert env.step(call(name, **arguments))[2]

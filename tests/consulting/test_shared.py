"""Numbers that are shared are judged twice at most: nobody finds the key numbers by trying."""

import json
import re

import gymnasium as gym
import pytest
from bizgym.envs.consulting.play import NO_MORE_CHECKS, SUBMIT
from bizgym.envs.consulting.recommendation import StatedNumber
from bizgym.envs.consulting.tasks import all_tasks
from bizgym.envs.consulting.traps import _FRAMEWORK, _NEXT_STEP, _RISK, submission

from .binders import QUESTIONS, TASK, UNIT, given, interviewed


def shared(interview, value, unit=UNIT, metric="value_hire"):
    return interview.share("x", [StatedNumber(metric=metric, value=value, unit=unit)]).partition(": ")[2]


def test_a_number_is_judged_twice_and_no_more():
    interview = interviewed()
    assert [shared(interview, value) for value in (100.0, 200.0, 221.0, 221.0)] == [
        "that is not what I get.", "that is not what I get.", NO_MORE_CHECKS, NO_MORE_CHECKS,
    ]  # fmt: skip
    assert shared(interview, 172.0, metric="value_large") == "right."
    assert shared(interview, 221.0, metric="value-hire (thousand USD)") == NO_MORE_CHECKS


@pytest.mark.parametrize(("value", "verdict"), [(221 * 1.015, "right."), (221 * 1.03, "that is not what I get.")])
def test_a_number_is_right_within_two_percent(value, verdict):
    assert shared(interviewed(), value) == verdict


def test_what_says_nothing_of_the_value_is_not_counted():
    interview = interviewed()
    assert all("not the unit" in shared(interview, 221.0, unit="bananas") for _ in range(5))
    assert all("cannot tell" in shared(interview, 221.0, metric="mood") for _ in range(5))
    assert shared(interview, 221.0) == "right."
    assert interview.progress.turns == len(QUESTIONS)  # which are all that took one


def test_the_tool_and_the_rules_say_so():
    env = gym.make("bizgym/Consulting-v0", split=None)
    observation, info = env.reset(seed=0, options={"task_id": TASK})
    (tool,) = (each for each in map(json.loads, info["tools"]) if each["function"]["name"] == "share_analysis")
    assert "twice" in tool["function"]["description"]
    assert "twice" in observation.partition("`share_analysis")[2][:200]


def brute_force(env, statement):
    """Find the key numbers by guessing, all guesses in one step."""
    metrics = re.findall(r"^- `(\w+)`: .*\(([^()]*)\)$", statement.partition("Numbers that")[2], re.MULTILINE)
    values = [1.038**k for k in range(310)]
    guesses = [{"metric": name, "value": value, "unit": unit} for value in values for name, unit in metrics]
    batches = [guesses[k : k + 8] for k in range(0, len(guesses), 8)]
    shares = [{"name": "share_analysis", "arguments": {"text": "x", "numbers": batch}} for batch in batches]
    results = env.step(shares)[4]["tool_results"]
    lines = [line for result in results for line in result["content"].splitlines()]
    found = [guess for guess, line in zip(guesses, lines, strict=True) if line.endswith(": right.")]
    return list({guess["metric"]: guess for guess in found}.values())


def test_guessing_does_not_reckon_for_the_candidate():
    env = gym.make("bizgym/Consulting-v0", split=None)
    statement, _ = env.reset(seed=0, options={"task_id": TASK})
    for question, topic in QUESTIONS:
        env.step({"name": "ask_interviewer", "arguments": {"question": question, "topic": topic}})
    numbers = brute_force(env, statement)
    metrics = env.step({"name": SUBMIT, "arguments": given(key_numbers=numbers)})[4]["metrics"]
    assert metrics["quantitative"] < 5.0


@pytest.mark.parametrize("task_id", ["pricing_1-easy-a", "mergers_1-easy-a", "pricing_4-easy-b"])
def test_a_talker_who_guesses_stays_at_four(task_id):
    env = gym.make("bizgym/Consulting-v0", split=None)
    statement, _ = env.reset(seed=0, options={"task_id": task_id})
    numbers = brute_force(env, statement)
    case = all_tasks().get(task_id).case
    decision = case.solution.decision
    arguments = submission(decision, case.options[decision].text, list(_FRAMEWORK), [_RISK], [_NEXT_STEP])
    assert env.step({"name": SUBMIT, "arguments": {**arguments, "key_numbers": numbers}})[1] <= 4.0

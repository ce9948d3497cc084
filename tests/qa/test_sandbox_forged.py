"""Programs that forge their report, chance in the second tier, a relay that dies: nothing is raised or differs."""

import os

import gymnasium as gym
import pytest
from bizgym.envs.qa import sandbox
from bizgym.envs.qa.sandbox import bubblewrap, relay
from bizgym.envs.qa.tasks import shipped_tasks

needs_bubblewrap = pytest.mark.skipif(bubblewrap.unavailable() != "", reason=bubblewrap.unavailable())
SECOND_TIER = "import os, sys\nx = 1\ndel x\n"
"""What the first tier cannot read."""


def program_env():
    task = next(each for each in shipped_tasks() if each.item.answer.kind == "program")
    env = gym.make("bizgym/EnterpriseQA-v0", split=None, disable_env_checker=True)
    env.reset(options={"task_id": task.task_id})
    return env, str(task.item.answer.value)


@needs_bubblewrap
def test_a_forged_report_of_deep_brackets_does_not_raise_out_of_step():
    env, _ = program_env()
    code = SECOND_TIER + 'os.write(int(sys.argv[1]), b"[" * 90000)\nos._exit(0)'
    observation, *_ = env.step({"name": "run_python", "arguments": {"code": code}})
    assert "error" in observation


@needs_bubblewrap
@pytest.mark.parametrize(
    "report",
    [
        '{"status": "weird", "value": {"a": 1}, "error": "x"}',
        '{"status": ["a"], "value": null, "error": [1]}',
    ],
)
def test_a_forged_report_of_another_form_is_an_error(report):
    code = SECOND_TIER + f"os.write(int(sys.argv[1]), {report!r}.encode())\nos._exit(0)"
    assert sandbox.run(code, tiers=("bubblewrap",)).status == "error"


@needs_bubblewrap
def test_a_forged_value_with_half_a_character_gives_text_that_can_be_written():
    env, _ = program_env()
    report = '{"status": "ok", "value": "\\ud800", "error": ""}'
    code = SECOND_TIER + f"os.write(int(sys.argv[1]), {report!r}.encode())\nos._exit(0)"
    observation, *_ = env.step({"name": "run_python", "arguments": {"code": code}})
    observation.encode()


@needs_bubblewrap
@pytest.mark.parametrize(
    "expression",
    ["','.join({'alpha', 'beta', 'gamma', 'delta', 'eps', 'zeta'})", "__import__('random').random()"],
)
def test_the_second_tier_gives_the_same_value_each_time(expression):
    """`-I` makes CPython ignore PYTHONHASHSEED, and `random` is seeded by the clock; the first tier pins both."""
    found = {sandbox.run(f"{SECOND_TIER}{expression}", tiers=("bubblewrap",)).value for _ in range(4)}
    assert len(found) == 1


@needs_bubblewrap
def test_loading_an_ended_episode_keeps_its_outcome():
    for _ in range(6):
        env, gold = program_env()
        code = f"import random\nx = 1\ndel x\nanswer = {gold} if random.random() < 0.5 else 0"
        _, reward, *_ = env.step({"name": "answer", "arguments": {"value": code}})
        again = gym.make("bizgym/EnterpriseQA-v0", split=None, disable_env_checker=True)
        again.reset(seed=0)
        again.unwrapped.load(env.unwrapped.save())
        assert again.unwrapped.checks()[0].passed == bool(reward)
        assert again.unwrapped.state_digest() == env.unwrapped.state_digest()


def test_a_relay_that_died_is_replaced():
    pid = os.getpid()
    limits = sandbox.DEFAULT_LIMITS
    assert relay.run(pid, "6 * 7", {}, limits).value == "42"
    process = relay._relay(pid)
    process.kill()
    process.wait()
    try:
        relay.run(pid, "6 * 7", {}, limits)
        assert relay.run(pid, "6 * 7", {}, limits).value == "42"
    finally:
        relay._relay.cache_clear()

"""`make bench`: what a question to the interviewer costs, free text understood by the matcher included."""

from statistics import median
from time import process_time

import bizgym.envs  # noqa: F401
import gymnasium as gym
from bizgym.envs.consulting.tasks import all_tasks

from .ratio import verdict

QUESTIONS = (
    "How have prices developed over the last few years?",
    "What do we know about the fixed costs of the site, rent in particular?",
    "Could you tell me how many customers come back within a year, and why the others leave?",
    "Is there anything that the client will not do under any circumstances?",
    "Who else is in this market, and what do they charge?",
)


def milliseconds_a_question(env):
    """The median over eight questions of each of many interviews, in process time."""
    spent = []
    for task_id in list(all_tasks().ids)[:: max(1, len(all_tasks()) // 40)]:
        env.reset(seed=0, options={"task_id": task_id})
        for k in range(8):
            action = {"name": "ask_interviewer", "arguments": {"question": QUESTIONS[k % len(QUESTIONS)]}}
            started = process_time()
            _, _, terminated, _, _ = env.step(action)
            spent.append(1_000 * (process_time() - started))
            if terminated:
                break
    return median(spent)


def test_a_question(benchmark):
    env = gym.make("bizgym/Consulting-v0", split=None).unwrapped
    milliseconds_a_question(env)  # loads the matcher and the cases
    found = benchmark.pedantic(milliseconds_a_question, args=(env,), rounds=5)
    benchmark.extra_info["milliseconds"] = found
    verdict("case interviews, milliseconds a question", found, "bar 1", found <= 1.0)

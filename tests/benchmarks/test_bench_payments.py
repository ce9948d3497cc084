"""`make bench`: what a call, a reset and an open episode of the payments company cost; rates as ratios in one run."""

import gc
import json
import tracemalloc
from statistics import median
from time import perf_counter, process_time

import bizgym.envs  # noqa: F401
import gymnasium as gym
from bizgym.envs.payments.content import packaged
from bizgym.envs.payments.modules.catalog import TOOLS

from .ratio import interleaved, median_ratio, verdict

ENV_ID = "bizgym/PaymentWorkflows-v0"
TASKS = list(packaged().tasks)
READ = '{"name": "call_tool", "arguments": {"name": "account_get", "arguments": {"record": "ACC-1"}}}'
CALLS, PUSHES = 900, 20_000
ROUNDS = 5
OPEN_EPISODES = 4
"""A task; they are played to their last call but one and kept open."""


def make():
    return gym.make(ENV_ID, split=None, max_turns=10_000)


def path_of(task):
    return [json.dumps(each.model_dump()) for each in task.goldens[0].actions]


PATHS = {task.task_id: path_of(task) for task in TASKS}


def kind_of(text):
    call = json.loads(text)
    name = call["name"]
    return f"{TOOLS[call['arguments']['name']].effect} call" if name == "call_tool" else name


def pushes_per_second(pole):
    pole.reset(seed=0)
    started = process_time()
    for k in range(PUSHES):
        _, _, terminated, truncated, _ = pole.step(k % 2)
        if terminated or truncated:
            pole.reset()
    return PUSHES / (process_time() - started)


def calls_per_second(env, calls):
    env.reset(seed=0, options={"task_id": TASKS[0].task_id})
    started = process_time()
    for call in calls:
        env.step(call)
    return len(calls) / (process_time() - started)


def paths_per_second(env):
    """Calls a second over the reference paths of all tasks, resets and verdicts included."""
    started = process_time()
    for task_id, path in PATHS.items():
        env.reset(seed=0, options={"task_id": task_id})
        for call in path:
            env.step(call)
    return sum(map(len, PATHS.values())) / (process_time() - started)


def timed(env):
    """The wall time of every reset and call of the reference paths, in milliseconds, by what it is."""
    found = {}
    for _ in range(ROUNDS):
        for task_id, path in PATHS.items():
            started = perf_counter()
            env.reset(seed=0, options={"task_id": task_id})
            found.setdefault("reset", []).append(1e3 * (perf_counter() - started))
            for call in path:
                started = perf_counter()
                env.step(call)
                found.setdefault(kind_of(call), []).append(1e3 * (perf_counter() - started))
    return found


def test_a_call_against_cartpole(benchmark):
    env, pole = make(), gym.make("CartPole-v1")
    calls = [READ] * CALLS
    calls_per_second(env, calls)
    measured = interleaved(lambda: calls_per_second(env, calls), lambda: pushes_per_second(pole))
    benchmark.pedantic(calls_per_second, args=(env, calls), rounds=3)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_to_cartpole"] = ratio
    verdict("a business read through call_tool, calls against CartPole-v1 steps", ratio, "bar 0.2", ratio >= 0.2)
    assert ratio >= 0.2


def test_reference_paths_against_cartpole(benchmark):
    """All that a whole episode asks for: documents, searches, a customer who answers, acts, and the verdict."""
    env, pole = make(), gym.make("CartPole-v1")
    measured = interleaved(lambda: paths_per_second(env), lambda: pushes_per_second(pole))
    benchmark.pedantic(paths_per_second, args=(env,), rounds=3)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_to_cartpole"] = ratio
    verdict("the calls of whole reference paths against CartPole-v1 steps", ratio, "for information", True)


def test_medians_of_resets_and_calls(benchmark):
    env = make()
    timed(env)
    found = timed(env)
    benchmark.pedantic(paths_per_second, args=(env,), rounds=1)
    bars = {"reset": 1.0, "read call": 0.2, "write call": 0.5, "search_documents": 1.0, "search_tools": 1.0}
    for name, bar in bars.items():
        value = median(found[name])
        benchmark.extra_info[f"{name}, ms"] = value
        verdict(f"{name}, median in ms over {len(found[name])}", value, f"bar {bar}", value <= bar)
    for name in ("read_document", "message_user", "finish"):
        verdict(f"{name}, median in ms over {len(found[name])}", median(found[name]), "for information", True)
    assert all(median(found[name]) <= bar for name, bar in bars.items())


def test_memory_of_an_open_episode(benchmark):
    """Whole episodes but their last call, kept open: what each holds beyond what all share."""
    one = make()
    for task_id, path in PATHS.items():
        play(one, task_id, path)
    gc.collect()
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    envs = [(make(), task_id) for task_id in PATHS for _ in range(OPEN_EPISODES)]
    for env, task_id in envs:
        play(env, task_id, PATHS[task_id])
    gc.collect()
    held = (tracemalloc.get_traced_memory()[0] - before) / len(envs) / 2**20
    tracemalloc.stop()
    benchmark.pedantic(play, args=(one, TASKS[0].task_id, PATHS[TASKS[0].task_id]), rounds=1)
    benchmark.extra_info["megabytes"] = held
    verdict(f"memory of an open episode, MB over {len(envs)}", held, "bar 2", held <= 2)
    assert held <= 2


def play(env, task_id, path):
    env.reset(seed=0, options={"task_id": task_id})
    for call in path[:-1]:
        env.step(call)

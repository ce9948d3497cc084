"""Many episodes at once: each is as it would be alone, under any hash seed, and shares what does not change."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from random import Random

import bizgym.envs
from bizgym.envs.payments.modules.catalog import TOOLS

from tests.payments.workflows import golden, make, play

N_EPISODES = 64
ROOT = Path(__file__).parents[2]
PROGRAM = """
from tests.payments.test_env_together import path_of, digest_of
from tests.payments.workflows import make, play
for number in range(8):
    env = make()
    print(digest_of(env, play(env, path_of(number))))
"""


def path_of(number):
    """A path that strays from the reference path at random: acts dropped, doubled, and calls of no sense put in."""
    rng, path = Random(number), []
    for action in golden()[:-1]:
        path += [action] * rng.choice([0, 1, 1, 1, 1, 1, 2])
        if rng.random() < 0.3:
            name = rng.choice(sorted(TOOLS))
            path.append({"name": "call_tool", "arguments": {"name": name, "arguments": {"record": "RSV-1"}}})
    return [*path, golden()[-1]]


def digest_of(env, replies):
    return json.dumps([env.state_digest(), env._episode.engine.log.digest(), replies], sort_keys=True)


def lone(number):
    env = make(max_consecutive_errors=1_000)
    return digest_of(env, play(env, path_of(number), seed=number))


def test_interleaved_episodes_are_as_each_alone():
    envs = [make(max_consecutive_errors=1_000) for _ in range(N_EPISODES)]
    replies = [[env.reset(seed=number)] for number, env in enumerate(envs)]
    left = {number: path_of(number) for number in range(N_EPISODES)}
    rng = Random(7)
    while left:
        number = rng.choice(list(left))
        replies[number].append(envs[number].step(left[number].pop(0)))
        if not left[number]:
            del left[number]
    together = [digest_of(env, seen) for env, seen in zip(envs, replies, strict=True)]
    assert together == [lone(number) for number in range(N_EPISODES)]
    assert len(set(together)) > N_EPISODES // 2


def test_threads_change_nothing():
    found = {}
    threads = [threading.Thread(target=lambda k=k: found.update({k: lone(k)})) for k in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {number: lone(number) for number in range(8)}


def test_hash_seeds_change_no_byte():
    packages = Path(bizgym.envs.__file__).parents[2]
    outputs = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join([str(packages), str(ROOT)])}
        command = [sys.executable, "-c", PROGRAM]
        outputs.append(subprocess.run(command, env=environment, check=True, capture_output=True, cwd=ROOT).stdout)
    assert outputs[0] == outputs[1]
    assert len(outputs[0].splitlines()) == 8


def test_a_reset_shares_what_does_not_change():
    first, second = make(), make()
    first.reset(seed=0)
    second.reset(seed=0)
    assert first._setting is second._setting
    assert first._library is second._library

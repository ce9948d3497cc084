"""`make bench`: what a step of the text game, an import and a week of the kernel cost, as ratios in one run."""

import subprocess
import sys
from time import perf_counter, process_time

import bizgym.envs  # noqa: F401
import gymnasium as gym
import numpy as np
from bizgym.envs.beer_game.policies import BATCH_OPS, SCALAR_OPS
from bizgym.envs.beer_game.state import Settings, advance, initial_state

from .ratio import interleaved, median_difference, median_ratio, verdict

STEPS = 10_000
GAMES = 4_096


def steps_per_second(env, actions):
    env.reset(seed=0)
    started = process_time()
    for action in actions:
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset()
    return len(actions) / (process_time() - started)


def test_text_game_against_cartpole(benchmark):
    rng = np.random.default_rng(0)
    game, pole = gym.make("bizgym/BeerGame-v0", history_weeks=4), gym.make("CartPole-v1")
    orders = rng.integers(0, 801, STEPS)
    calls = [f'{{"name": "place_order", "arguments": {{"quantity": {units}}}}}' for units in orders]
    pushes = [int(push) for push in rng.integers(0, 2, 2 * STEPS)]
    measured = interleaved(lambda: steps_per_second(game, calls), lambda: steps_per_second(pole, pushes))
    benchmark.pedantic(steps_per_second, args=(game, calls), rounds=3)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_to_cartpole"] = ratio
    verdict("text game through gym.make, steps against CartPole-v1", ratio, "bar 0.4", ratio >= 0.4)


def seconds_to_run(code):
    started = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return perf_counter() - started


def test_import_against_gymnasium(benchmark):
    measured = interleaved(lambda: seconds_to_run("import bizgym.envs"), lambda: seconds_to_run("import gymnasium"))
    benchmark.pedantic(seconds_to_run, args=("import bizgym.envs",), rounds=3)
    extra = median_difference(measured)
    benchmark.extra_info["seconds_beyond_gymnasium"] = extra
    verdict("import bizgym.envs beyond import gymnasium, seconds", extra, "bar 0.1", extra <= 0.1)


def weeks_per_second_alone():
    settings = Settings()
    started = process_time()
    for _ in range(200):
        state = initial_state(settings)
        for _ in range(settings.horizon_weeks):
            state, _ = advance(settings, state, 400, 400, SCALAR_OPS)
    return 200 * settings.horizon_weeks / (process_time() - started)


def weeks_per_second_in_a_batch():
    settings = Settings()
    orders = np.full(GAMES, 400.0)
    started = process_time()
    state = initial_state(settings)
    for _ in range(settings.horizon_weeks):
        state, _ = advance(settings, state, orders, 400, BATCH_OPS)
    return GAMES * settings.horizon_weeks / (process_time() - started)


def test_kernel_in_a_batch_against_alone(benchmark):
    measured = interleaved(weeks_per_second_in_a_batch, weeks_per_second_alone)
    benchmark.pedantic(weeks_per_second_in_a_batch, rounds=3)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_batch_to_scalar"] = ratio
    verdict(f"kernel weeks in a batch of {GAMES} games against one game", ratio, "for information", True)

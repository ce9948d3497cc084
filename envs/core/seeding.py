"""Seeds that depend on what is played, never on when or where."""

from __future__ import annotations

from zlib import crc32

import numpy as np
from gymnasium.utils.seeding import np_random

_AGENT = 0xA6E7


def episode_seed(run_seed: int, task_id: str, trial: int) -> int:
    """Return the seed of one episode of a run: the same on every machine, executor and order of play.

    Args:
        run_seed: Seed of the run, >= 0.
        task_id: The task played.
        trial: Number of the repetition, from 0.
    """
    sequence = np.random.SeedSequence([run_seed, crc32(task_id.encode("utf-8")), trial])
    return int(sequence.generate_state(1)[0])


def agent_seed(seed: int) -> int:
    """Return the seed of what an agent draws in an episode, which tells nothing of the episode's own."""
    return int(np.random.SeedSequence([seed, _AGENT]).generate_state(1)[0])


def episode_rng(seed: int) -> np.random.Generator:
    """Return the generator of an episode as it stands when its task has been chosen and its world is drawn."""
    rng, _ = np_random(seed)
    rng.random()
    return rng

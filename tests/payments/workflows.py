"""`bizgym-tests/Payments-v0`: the payments environment over `content/`, a complete task on a handful of records."""

from functools import cache
from pathlib import Path

import gymnasium as gym
from bizgym.envs.payments.content import Content
from bizgym.envs.payments.env import PaymentWorkflowsEnv

PAYMENTS = "bizgym-tests/Payments-v0"
TASK_ID = "reserve_release_1"
FOLDER = Path(__file__).parent / "content"


@cache
def content() -> Content:
    return Content(FOLDER)


class SmallPaymentsEnv(PaymentWorkflowsEnv):
    """The same environment over a small folder of content."""

    @classmethod
    def _content(cls) -> Content:
        return content()


def task():
    return content().tasks.get(TASK_ID)


def golden():
    """The reference path as calls."""
    return [each.model_dump() for each in task().goldens[0].actions]


def make(**kwargs):
    """An environment without Gymnasium's wrappers."""
    return gym.make(PAYMENTS, **kwargs).unwrapped


def play(env, actions, seed=0):
    """Play actions from a reset to the end or as far as they go; return all replies."""
    replies = [env.reset(seed=seed)]
    for action in actions:
        replies.append(env.step(action))
        if env.stop_reason is not None:
            break
    return replies


gym.register(PAYMENTS, entry_point=f"{__name__}:SmallPaymentsEnv")

"""Paths that are made of the reference paths of the shipped tasks, and whether they are strict."""

import json

import gymnasium as gym

from tests.payments.shipped import golden

RELEASE, PAYOUT = "release_tarnbrook", "payout_tidewater"
FINISH = {"name": "finish", "arguments": {}}


def usd(minor):
    return {"minor": minor, "currency": "USD"}


def act(name, **arguments):
    return {"name": "call_tool", "arguments": {"name": name, "arguments": arguments}}


def say(text, *asks):
    listed = [{"kind": kind, "ref": ref} for kind, ref in asks]
    return {"name": "message_user", "arguments": {"text": text, **({"asks": listed} if asks else {})}}


def acts(path, name):
    """Where a business tool is called on a path."""
    return [k for k, each in enumerate(path) if each["name"] == "call_tool" and each["arguments"]["name"] == name]


def given(path, k):
    """The arguments of the business tool that is called at a place."""
    return path[k]["arguments"]["arguments"]


def make(task_id):
    env = gym.make("bizgym/PaymentWorkflows-v0", split=None, tasks=[task_id], disable_env_checker=True).unwrapped
    env.reset(seed=0)
    return env


def play(task_id, path):
    """Play a path, every call of which has to be done; return what was paid and the environment."""
    env, paid = make(task_id), 0.0
    for action in path:
        observation, reward, _, _, info = env.step(json.dumps(action))
        assert not info["error"], f"{action}: {observation}"
        paid += reward
    return paid, env


def broken(task_id, path):
    """The ids of the checks that a path breaks."""
    paid, env = play(task_id, path)
    found = {each.id for each in env.checks() if not each.passed}
    assert (paid == 1.0) == (not found)
    return found


def with_tail(task_id, *more):
    """The reference path with more calls before its end."""
    return [*golden(task_id)[:-1], *more, FINISH]


def result(env, action):
    """Play one call and return its result."""
    return json.loads(env.step(json.dumps(action))[0])["result"]

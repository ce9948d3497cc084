"""`bizgym-tests/PaymentsShipped-v0`: the environment over the tasks that come with BizGym, and their players."""

import json
import threading
from hashlib import sha256

import gymnasium as gym
from bizgym.agents.base import Agent, RunContext, TaskCard
from bizgym.agents.baselines import payments
from bizgym.agents.rollout import rollout
from bizgym.envs.payments.content import packaged

SHIPPED = "bizgym-tests/PaymentsShipped-v0"
TASKS = [each.task_id for each in packaged().tasks]
RELEASE, PAYOUT = "release_kilnmoor", "payout_tidewater"


class Walks(Agent):
    """Plays calls, and nothing once they are over."""

    def __init__(self, calls):
        self.left = list(calls)

    def act(self, observation, info):
        return self.left.pop(0)


def task(task_id):
    return packaged().tasks.get(task_id)


def setting(task_id):
    return packaged().setting(task(task_id))


def golden(task_id):
    """The reference path of a task as calls."""
    return [each.model_dump() for each in task(task_id).goldens[0].actions]


def make(**kwargs):
    """An environment without Gymnasium's wrappers."""
    return gym.make(SHIPPED, **kwargs).unwrapped


def play(env, task_id, actions, seed=0):
    """Play actions from a reset to the end or as far as they go; return all replies."""
    replies = [env.reset(seed=seed, options={"task_id": task_id})]
    for action in actions:
        replies.append(env.step(action))
        if env.stop_reason is not None:
            break
    return replies


def record(player, task_id, *, env=None, trial=0, meter=None, limits=None, **kwargs):
    """The record of an episode of a player of `agents.baselines.payments`, by the name of its class."""
    agent = player if not isinstance(player, str) else getattr(payments, player)()
    name = type(agent).__name__
    return rollout(
        env or gym.make(SHIPPED, **kwargs),
        agent,
        seed=trial,
        task_id=task_id,
        trial=trial,
        labels={"agent": {"name": name}},
        run=RunContext(run_id="test", seed=0, client=None, settings={"env_id": SHIPPED, "env_kwargs": kwargs}),
        meter=meter,
        limits=limits,
    )


def calls_of(player, task_id):
    """What a player of the reference path would call, to its end; for `RandomCalls` 40 samples of the action space."""
    if player == "RandomCalls":
        env = make()
        env.reset(seed=len(task_id), options={"task_id": task_id})
        env.action_space.seed(7)
        return [env.action_space.sample() for _ in range(40)]
    agent = getattr(payments, player)()
    agent.begin_run(RunContext(run_id="test", seed=0, client=None, settings={"env_id": SHIPPED, "env_kwargs": {}}))
    agent.begin_episode(TaskCard(SHIPPED, task_id, "", ()))
    calls = [agent.act("", {})]
    while calls[-1]["name"] != "finish":
        calls.append(agent.act("", {}))
    return calls


def logs_by_threads(n):
    """The log of the reference path of each task, played by so many threads; a line each, in the order of tasks."""
    found, waiting = {}, list(TASKS)

    def work():
        while waiting:
            task_id = waiting.pop()
            found[task_id] = digest_of(env := make(), play(env, task_id, golden(task_id)))

    threads = [threading.Thread(target=work) for _ in range(n)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return [f"{task_id} {found[task_id]}" for task_id in TASKS]


def digest_of(env, replies):
    shown = json.dumps([reply[:4] for reply in replies[1:]], sort_keys=True)
    return f"{env.state_digest()} {env._episode.engine.log.digest()} {sha256(shown.encode()).hexdigest()}"


gym.register(SHIPPED, entry_point="bizgym.envs.payments.env:PaymentWorkflowsEnv", kwargs={"split": None})

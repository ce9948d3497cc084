"""What the contract tests share: every id, actions for any environment, and transcripts as JSON values."""

import gymnasium as gym
from bizgym import envs as _registers_the_ids  # noqa: F401

from tests.fixtures.shop_env import MANY_TOOLS, SHOP

REGISTERED = sorted(env_id for env_id in gym.registry if env_id.startswith("bizgym/"))
TEXT_IDS = [env_id for env_id in REGISTERED if "Numeric" not in env_id]
ALL_IDS = [*TEXT_IDS, SHOP, MANY_TOOLS]
SOME_IDS = [*TEXT_IDS, SHOP]
INFO_KEYS = {
    "task_id",
    "turn",
    "messages",
    "tools",
    "error",
    "tool_results",
    "reward_components",
    "metrics",
}
ENDING = {"finish", "answer", "submit_recommendation", "run_simulation"}
GARBAGE = "I would rather talk about the weather."
QA = "bizgym/EnterpriseQA-v0"
SETTINGS = {QA: {"context": "tools", "capability": "information_extraction"}}
"""Settings with which an episode lasts longer than one call."""
RANDOM_DEMAND = {"pattern": "uniform", "low": 0, "high": 400}


def make(env_id, **kwargs):
    """An environment without Gymnasium's wrappers, whose samples repeat."""
    env = gym.make(env_id, **{**SETTINGS.get(env_id, {}), **kwargs}).unwrapped
    env.action_space.seed(0)
    return env


def shipped_ids(env_id):
    """The ids of the tasks of one split."""
    return make(env_id, split=next(iter(make(env_id).task_splits))).task_ids


def calls_of(env, n, seed=0):
    """Schema-valid calls that do not end the episode of themselves."""
    mask = {each["function"]["name"]: each["function"]["name"] not in ENDING for each in env.tools}
    env.action_space.seed(seed)
    return [env.action_space.sample(mask) for _ in range(n)]


def actions_of(env, n, seed=0):
    """Schema-valid calls of the tools on offer, with every fourth one broken."""
    env.action_space.seed(seed)
    return [GARBAGE if k % 4 == 3 else env.action_space.sample() for k in range(n)]


def play(env, actions, seed=None):
    """Everything that comes back, as one JSON value a turn; stops at the end of the episode."""
    observation, info = env.reset(seed=seed)
    rows = [[observation, info, env.state_digest()]]
    for action in actions:
        reply = env.step(action)
        rows.append([*reply, env.state_digest()])
        if reply[2] or reply[3]:
            break
    return rows


def total(rows):
    """The return of the episode."""
    return sum(row[1] for row in rows[1:])

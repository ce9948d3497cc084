"""A hundred thousand hostile actions: none raises, none that is refused changes anything, each is answered."""

import re
from collections import Counter
from functools import cache

import pytest
from bizgym.envs.core.actions import ACTION_ERRORS

from tests.contract.common import TEXT_IDS, make
from tests.contract.fuzz import Fuzzer
from tests.fixtures.shop_env import SHOP

N_ACTIONS = 100_000
IDS = [*TEXT_IDS, SHOP]
N_EACH = N_ACTIONS // len(IDS)
RULE_CODES = re.compile(r"out_of_stock|outside_bounds|plan_incomplete|no_such_section|[A-Z]+(_[A-Z]+)+")
"""Codes of rules; those of the payments company are many, and upper case."""


def check_results(env, info):
    """Each call has one result with an id of its own, and each answer belongs to one."""
    results = info["tool_results"]
    ids = [result["id"] for result in results]
    assert ids
    assert len(set(ids)) == len(ids)
    answered = [message["tool_call_id"] for message in info["messages"] if message["role"] == "tool"]
    assert answered == [call_id for call_id in ids if call_id in set(answered)]
    for result in results:
        assert result["code"] in ("", *ACTION_ERRORS) or RULE_CODES.fullmatch(result["code"])
        assert result["ok"] == (result["code"] == "")
    assert info["error"] in ("", *ACTION_ERRORS)
    assert bool(info["error"]) == any(not result["ok"] for result in results)


def check_text(env, observation, info):
    assert observation in env.observation_space
    observation.encode("utf-8")
    for message in info["messages"]:
        message["content"].encode("utf-8")


class Played:
    """One environment under fire: its digest is taken only where an action may not have changed it."""

    def __init__(self, env):
        self.env = env
        self.episode = -1
        self.begin()

    def begin(self):
        self.episode += 1
        self.env.reset(seed=self.episode, options={"task_id": self.env.task_ids[0]})
        self.digest = self.env.state_digest()

    def step(self, action):
        observation, _, terminated, truncated, info = self.env.step(action)
        check_results(self.env, info)
        check_text(self.env, observation, info)
        ended = terminated or truncated
        if not ended and not info["tool_results"][0]["ok"]:
            assert self.env.state_digest() == self.digest
        elif not ended:
            self.digest = self.env.state_digest()
        if ended:
            self.begin()
        return info["error"]


@cache
def fire(env_id, seed=20, n_actions=N_EACH):
    """Play the hostile actions; return how often each kind was drawn and each error met."""
    env = make(env_id, max_consecutive_errors=40)
    played, fuzzer = Played(env), Fuzzer(env, seed)
    kinds, errors = Counter(), Counter()
    for _ in range(n_actions):
        kind, action, codes = fuzzer.draw()
        error = played.step(action)
        assert codes is None or error in codes, (kind, str(action)[:500], error)
        kinds[kind] += 1
        errors[error] += 1
    return kinds, errors


@pytest.mark.slow
@pytest.mark.parametrize("env_id", IDS)
def test_hostile_actions_are_answered_and_change_nothing(env_id):
    kinds, errors = fire(env_id)
    assert kinds["schema_mutation"] >= 0.3 * sum(kinds.values())
    assert kinds["valid"] > 0
    missing = {code for code in ACTION_ERRORS if not errors[code]}
    assert missing <= ({"tool_refused"} if env_id != SHOP else set())


@pytest.mark.slow
def test_every_error_code_was_met(capsys):
    total = sum((fire(env_id)[1] for env_id in IDS), Counter())
    with capsys.disabled():
        shares = ", ".join(f"{code or 'run'} {total[code] / total.total():.2%}" for code in ("", *ACTION_ERRORS))
        print(f"\n{total.total()} hostile actions: {shares}")
    assert total.total() > N_ACTIONS - len(IDS)
    assert [code for code in ("", *ACTION_ERRORS) if not total[code]] == []


@pytest.mark.parametrize("env_id", IDS)
def test_hostile_episodes_are_saved_and_played_again(env_id):
    env, twin = make(env_id, max_consecutive_errors=1_000), make(env_id, max_consecutive_errors=1_000)
    fuzzer = Fuzzer(make(env_id), seed=7)
    for seed in range(20):
        env.reset(seed=seed)
        for _ in range(60):
            if env.stop_reason is None:
                env.step(fuzzer.draw()[1])
        twin.load(env.save())
        assert (twin.save(), twin.state_digest()) == (env.save(), env.state_digest())
        assert twin.stop_reason == env.stop_reason

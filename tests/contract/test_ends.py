"""How episodes end: no prefix pays more than finishing badly, and each end has one reason."""

from itertools import cycle

import pytest
from bizgym.envs.core import StopReason
from gymnasium.error import ResetNeeded

from tests.contract.common import GARBAGE, QA, RANDOM_DEMAND, SOME_IDS, calls_of, make

SCORED = [
    "max_steps",
    "max_tokens",
    "max_calls",
    "max_cost",
    "context_overflow",
    "output_truncated",
    "refusal",
    "malformed_calls",
    "agent_error",
    "timeout",
]
ERRORED = ["provider_error", "simulator_failure", "env_error", "cancelled"]
BEER_GAME = "bizgym/BeerGame-v0"
TWIN = "bizgym/DigitalTwin-v0"
PAYMENTS = "bizgym/PaymentWorkflows-v0"
CONSULTING = "bizgym/Consulting-v0"
_HIRE_NOBODY = {"consultants": 0, "revenue_risk": 0.0, "projects": {}}
BAD_FINISH = {
    BEER_GAME: [{"name": "place_order", "arguments": {"quantity": 0}}],
    TWIN: [{"name": "submit_plan", "arguments": {"plan": _HIRE_NOBODY}}, {"name": "run_simulation", "arguments": {}}],
}
"""The actions that, repeated, finish an episode as badly as not playing it counts."""


def begun(env_id, n, **kwargs):
    """An episode after n valid turns, and what they paid."""
    env = make(env_id, **kwargs)
    env.reset(seed=2)
    return env, sum(env.step(action)[1] for action in calls_of(env, n, seed=5))


def finished_badly(env_id, n, **kwargs):
    """The return of the same prefix played on to the end with the worst of finishing."""
    env, paid = begun(env_id, n, **kwargs)
    if env_id not in BAD_FINISH:
        return paid
    actions = cycle(BAD_FINISH[env_id])
    while env.stop_reason is None:
        paid += env.step(next(actions))[1]
    assert env.stop_reason is StopReason.ENV_DONE
    return paid


def turns_of(env):
    """The interviewer turns of a case interview, 0 for anything else."""
    case = getattr(env._task, "case", None)
    return 0 if case is None else case.turns


CASES = [
    *((env_id, {}) for env_id in SOME_IDS),
    (BEER_GAME, {"demand": RANDOM_DEMAND, "role": "brewery"}),
    (TWIN, {"rounds": 3, "score": "mean"}),
]


def test_the_reasons_are_the_documented_ones():
    assert {reason.value for reason in StopReason} == {"env_done", *SCORED, *ERRORED}
    assert {reason.value for reason in StopReason if reason.scored} == {"env_done", *SCORED}


@pytest.mark.parametrize("n", [0, 1, 7])
@pytest.mark.parametrize("reason", SCORED)
@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_a_forfeit_pays_what_finishing_badly_pays(env_id, kwargs, reason, n):
    env, paid = begun(env_id, n, **kwargs)
    observation, reward, terminated, truncated, info = env.forfeit(reason)
    assert paid + reward == pytest.approx(finished_badly(env_id, n, **kwargs), abs=1e-9)
    assert (terminated, truncated) == (reason == "malformed_calls", reason != "malformed_calls")
    assert env.stop_reason.value == reason
    assert f"ended early ({reason})" in observation
    assert (info["turn"], info["tool_results"], info["error"]) == (n, [], "")
    assert reward == sum(info["reward_components"].values())


@pytest.mark.parametrize("n", [0, 1, 7])
@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_ten_malformed_calls_end_the_episode_and_are_charged(env_id, kwargs, n):
    env, paid = begun(env_id, n, **kwargs)
    for k in range(1, 11):
        _, reward, terminated, truncated, info = env.step(GARBAGE)
        paid += reward
        assert (terminated, truncated) == (k == 10, False)
        assert reward == 0.0 or k == 10
    assert env.stop_reason is StopReason.MALFORMED_CALLS
    assert info["error"] == "not_json"
    assert paid == pytest.approx(finished_badly(env_id, n, **kwargs), abs=1e-9)


@pytest.mark.parametrize("n", [1, 7])
@pytest.mark.parametrize(("env_id", "kwargs"), CASES)
def test_the_turn_budget_truncates_and_is_charged(env_id, kwargs, n):
    env, paid = begun(env_id, n, max_turns=n, **kwargs)
    assert env.stop_reason is StopReason.MAX_STEPS
    assert paid == pytest.approx(finished_badly(env_id, n, **kwargs), abs=1e-9)
    with pytest.raises(ResetNeeded):
        env.step(GARBAGE)


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_garbage_alone_pays_no_more_than_finishing_badly(env_id):
    for n in (0, 1, 5):
        env = make(env_id, max_consecutive_errors=1_000, max_turns=n + 1)
        env.reset(seed=2)
        paid = sum(env.step(GARBAGE)[1] for _ in range(n + 1))
        assert paid == pytest.approx(finished_badly(env_id, 0), abs=1e-9)


@pytest.mark.parametrize("reason", [*ERRORED, "env_done", "max_stepz", "", None, 3, ["refusal"]])
@pytest.mark.parametrize("env_id", SOME_IDS)
def test_reasons_that_no_agent_answers_for_are_refused(env_id, reason):
    env, _ = begun(env_id, 1)
    before = env.save(), env.state_digest()
    with pytest.raises(ValueError, match="reason: ") as error:
        env.forfeit(reason)
    assert "Did you mean 'max_steps'?" in str(error.value) or reason != "max_stepz"
    assert (env.save(), env.state_digest(), env.stop_reason) == (*before, None)


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_the_default_turn_budget_is_finite(env_id):
    env = make(env_id, max_consecutive_errors=10_000)
    env.reset(seed=0)
    turns = 0
    while env.stop_reason is None and turns < 2_000:
        env.step(GARBAGE)
        turns += 1
    assert env.stop_reason is StopReason.MAX_STEPS
    found = {BEER_GAME: 4 * 25, TWIN: 200, PAYMENTS: 1_000, QA: 30, CONSULTING: 4 * turns_of(env)}
    assert turns == found.get(env_id, 40)


@pytest.mark.parametrize("env_id", SOME_IDS)
def test_a_stopped_state_has_a_digest_of_its_own(env_id):
    digests = set()
    for reason in ("refusal", "timeout", "malformed_calls"):
        env, _ = begun(env_id, 3)
        digests.add(env.state_digest())
        env.forfeit(reason)
        digests.add(env.state_digest())
    assert len(digests) == 4

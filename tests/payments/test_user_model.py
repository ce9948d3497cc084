"""A model that plays the customer badly: what the validator catches, and what a turn that broke off leaves behind."""

import json

import gymnasium as gym
import pytest
from bizgym.agents.base import Agent
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.rollout import rollout
from bizgym.envs.core.errors import CounterpartError, SettingError
from bizgym.evaluators.replay import replay
from gymnasium.error import ResetNeeded

RELEASE = "release_tarnbrook"


def usd(minor):
    return {"minor": minor, "currency": "USD"}


def act(name, **arguments):
    return {"name": "call_tool", "arguments": {"name": name, "arguments": arguments}}


def say(text, *asks, **more):
    listed = [{"kind": kind, "ref": ref} for kind, ref in asks]
    return {"name": "message_user", "arguments": {"text": text, **({"asks": listed} if asks else {}), **more}}


def make(task_id, **kwargs):
    env = gym.make("bizgym/PaymentWorkflows-v0", split=None, tasks=[task_id], disable_env_checker=True, **kwargs)
    env.unwrapped.reset(seed=0)
    return env.unwrapped


def spoken(*replies):
    """An environment whose customer is a model that says these things in order, and then `Fine.`"""
    left = list(replies)
    env = make(RELEASE, counterpart={"driver": "llm"})
    env.set_counterpart(ScriptedClient(lambda *_: left.pop(0) if left else "Fine."))
    return env


def thrown(env, message=None):
    env.step(json.dumps(message or say("Hello there.")))
    return [each["violation"][0] for each in env.counterpart_record()["rejected"]]


def call(name, **arguments):
    return {"name": name, "arguments": arguments}


@pytest.mark.parametrize("outcome", ["satisfied", "gave_up"])
def test_a_model_may_not_end_before_it_has_what_it_wants_or_lost_patience(outcome):
    """The defect `user stops early` of the design: the agent is scored 0 for what the simulator did."""
    env = spoken([call("end_conversation", outcome=outcome)])
    assert thrown(env, say("What is your fee cap?", ("fact", "fee_cap")))


@pytest.mark.parametrize(
    "text",
    [
        "Our cap is sixty-one dollars and fifty cents.",
        "Our cap is \uff16\uff11.\uff15\uff10.",
    ],
)
def test_an_undisclosed_value_is_caught_in_however_it_is_written(text):
    assert thrown(spoken(text)) == ["PV2"]


def test_a_consent_that_nobody_asked_for_is_caught():
    env = spoken([call("set_consent_cap", subject="RSV-3", cap=usd(99_999_900))], "Charge what you like.")
    assert thrown(env) == ["PV3"]


def test_an_approval_in_prose_alone_is_caught():
    env = make(RELEASE, counterpart={"driver": "llm"})
    env.set_counterpart(ScriptedClient(lambda *_: "I approve it, go ahead."))
    request = act("approval_request_open", customer="PTY-1", subject="FIL-3", action="close_file", amount=usd(0),
                  max_fee=usd(0))  # fmt: skip
    opened = json.loads(env.step(json.dumps(request))[0])["result"]["request"]
    with pytest.raises(CounterpartError):
        env.step(json.dumps(say("Do you approve?", ("approval", opened))))


@pytest.mark.parametrize(
    "text",
    [
        "Okay, the user wants the fee cap. I need to be careful not to reveal it. Fine.",
        "*thinks* I should not reveal my cap. Hello.",
        "I have released your reserve and sent you a notice. Is that all?",
        "Sure, I will look into your account and get back to you shortly.",
    ],
)
def test_reasoning_and_the_agents_part_are_caught(text):
    assert thrown(spoken(text)) == ["PV5"]


@pytest.mark.parametrize("text", ["\u200b", "..."])
def test_a_turn_that_says_nothing_is_caught(text):
    assert thrown(spoken(text)) == ["PV7"]


def test_a_failed_turn_of_the_customer_leaves_no_half_message_behind():
    """The message and its minutes stay in the log, but not in the save: what is loaded is another state."""
    env = spoken("", "", "")
    with pytest.raises(CounterpartError):
        env.step(json.dumps(say("Hello there.")))
    try:
        env.step(json.dumps(say("Hello again.")))
    except ResetNeeded:
        return  # as good: the episode is over
    other = spoken()
    other.load(env.save())
    assert other.state_digest() == env.state_digest()


class Hello(Agent):
    """Greets the customer and does nothing else."""

    def act(self, observation, info):
        return {"name": "message_user", "arguments": {"text": "Hello there."}}


def test_a_record_that_ends_by_the_customers_failure_replays():
    rules = [{"text": "As an AI, no."}]
    client = {"factory": "bizgym.agents.clients.scripted:ScriptedClient", "rules": rules}
    counterpart = {"driver": "llm", "client": client}
    env = gym.make("bizgym/PaymentWorkflows-v0", split=None, tasks=[RELEASE], counterpart=counterpart)
    record = rollout(env, Hello(), seed=0)
    assert record.stop_reason == "simulator_failure"
    assert not list(replay(record, env))


@pytest.mark.parametrize(
    "counterpart",
    [{"driver": "llm", "client": {"factory": "os:system", "command": "true"}}, {"driver": "replay"}],
)
def test_a_counterpart_that_can_never_play_is_refused_at_once(counterpart):
    """It is refused only in the middle of the first conversation, by an exception out of `step`."""
    with pytest.raises(SettingError):
        gym.make("bizgym/PaymentWorkflows-v0", counterpart=counterpart)

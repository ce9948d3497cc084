"""A model as the customer: it plays through the environment, stands in saves and records, and fails as itself."""

import json
import pickle

import gymnasium as gym
import pytest
from bizgym.agents.base import Agent
from bizgym.agents.rollout import rollout
from bizgym.envs.core.chat import Completion, ToolCall
from bizgym.envs.core.errors import CounterpartError, SettingError
from bizgym.evaluators.benchmarks import rescore
from bizgym.evaluators.replay import replay

from tests.payments.workflows import PAYMENTS, TASK_ID, golden, make, play

LLM = {"driver": "llm"}
CAP = {"minor": 6_000, "currency": "USD"}
SPEECH = [
    [("disclose_facts", {"facts": ["which", "by_when", "target", "route"]})],
    [("supply_evidence", {"paper": "report"})],
    [
        ("view_request_terms", {"request": "CON-2"}),
        ("set_consent_cap", {"subject": "RSV-1", "cap": CAP, "request": "CON-2"}),
    ],
    [("view_request_terms", {"request": "APR-1"}), ("approve_request", {"request": "APR-1"})],
]
SAID = [
    "It is RSV-1, to ACC-1, standard review, by minute 137 please.",
    "Here it is.",
    "Fine, USD 60.00.",
    "Yes, I approve.",
]


class Client:
    """A model that says what it was given."""

    def __init__(self, *completions):
        self.completions = list(completions)

    @property
    def description(self):
        return {"model": "given"}

    def complete(self, messages, tools, settings):
        return self.completions.pop(0)


class Golden(Agent):
    """Plays the reference path."""

    def begin_episode(self, task):
        self.left = golden()

    def act(self, observation, info):
        return self.left.pop(0)


def spoken():
    """The customer's side of the reference path: of each turn its calls, then its text."""
    completions = []
    for calls, said in zip(SPEECH, SAID, strict=True):
        listed = tuple(ToolCall(f"c{k}", name, json.dumps(given)) for k, (name, given) in enumerate(calls))
        completions += [Completion("", listed), Completion(said)]
    return completions


def with_model(*completions, **kwargs):
    env = gym.make(PAYMENTS, counterpart=LLM, **kwargs)
    env.unwrapped.set_counterpart(Client(*completions))
    return env


def test_the_reference_path_passes_with_a_model_as_the_customer():
    env = with_model(*spoken()).unwrapped
    replies = play(env, golden())
    assert replies[-1][1] == 1.0
    assert SAID[0] in replies[4][0]


@pytest.mark.parametrize("n", [4, 12, 22])
def test_a_save_and_a_pickle_hold_what_the_model_said_and_need_no_model(n):
    env = with_model(*spoken()).unwrapped
    play(env, golden()[:n])
    twin = make(counterpart=LLM)
    twin.load(env.save())
    assert twin.state_digest() == pickle.loads(pickle.dumps(env)).state_digest() == env.state_digest()
    assert twin.save() == env.save()


def test_an_episode_goes_on_with_the_model_where_the_save_ends():
    env = with_model(*spoken()).unwrapped
    play(env, golden()[:8])
    twin = with_model(*spoken()[4:]).unwrapped
    twin.load(env.save())
    replies = [twin.step(action) for action in golden()[8:]]
    assert replies[-1][1] == 1.0


def test_what_was_fed_is_not_said_again_in_the_next_episode():
    env = with_model(*spoken()).unwrapped
    play(env, golden())
    twin = with_model(*spoken()[:1], Completion("Something else.")).unwrapped
    twin.load(env.save())
    assert "Something else." in play(twin, golden()[:4])[-1][0]


def test_the_record_holds_the_model_s_turns_replays_and_scores_without_the_model():
    trajectory = rollout(with_model(*spoken()), Golden(), seed=3, task_id=TASK_ID)
    assert (trajectory.stop_reason, trajectory.reward, trajectory.error) == ("env_done", 1.0, "")
    told = [step.counterpart for step in trajectory.steps if step.counterpart]
    assert [each["turns"][0][-1]["text"] for each in told] == SAID
    assert rescore(trajectory).metrics == trajectory.metrics
    assert replay(trajectory, gym.make(PAYMENTS, counterpart=LLM)) == ""


def test_a_model_that_fails_thrice_is_a_failure_of_the_simulator_and_its_turns_are_kept():
    env = with_model(*[Completion("")] * 3)
    trajectory = rollout(env, Golden(), seed=3, task_id=TASK_ID)
    assert (trajectory.stop_reason, trajectory.reward) == ("simulator_failure", None)
    rejected = env.unwrapped.counterpart_record()["rejected"]
    assert [each["violation"][0] for each in rejected] == ["PV7"] * 3


def test_a_turn_that_was_thrown_away_is_recorded_and_not_replayed():
    env = with_model(Completion(""), *spoken()).unwrapped
    play(env, golden()[:4])
    found = env.counterpart_record()
    assert ([each["violation"][0] for each in found["rejected"]], len(found["turns"])) == (["PV7"], 1)
    twin = make(counterpart=LLM)
    twin.load(env.save())
    assert twin.state_digest() == env.state_digest()


def test_a_script_leaves_no_record_and_no_replies():
    env = make()
    play(env, golden()[:5])
    assert env.counterpart_record() is None
    assert json.loads(env.save())["replies"] == []


def test_recorded_turns_and_a_person_play_the_customer_as_well():
    env = with_model(*spoken()).unwrapped
    play(env, golden())
    turns = json.loads(env.save())["replies"]
    assert play(make(counterpart={"driver": "replay", "turns": turns}), golden())[-1][1] == 1.0
    lines = [
        line
        for calls, said in zip(SPEECH, SAID, strict=True)
        for line in [*(json.dumps({"name": name, "arguments": given}) for name, given in calls), said]
    ]
    person = make(counterpart={"driver": "human"})
    person.set_counterpart(lambda shown: lines.pop(0))
    assert play(person, golden())[-1][1] == 1.0


@pytest.mark.parametrize(
    ("counterpart", "words"),
    [
        ({"driver": "llama"}, "counterpart.driver"),
        ({"driver": "llm", "clients": {}}, "counterpart.clients"),
        ({"driver": "llm", "client": {}}, "counterpart.client.factory"),
        ({"driver": "llm", "client": {"factory": "no place"}}, "counterpart.client.factory"),
        ("llm", "counterpart"),
    ],
)
def test_a_setting_that_is_none_is_refused_with_its_path(counterpart, words):
    with pytest.raises(SettingError, match=words):
        make(counterpart=counterpart)


@pytest.mark.parametrize(
    ("factory", "words"),
    [("bizgym.envs.core.chat:nothing", "cannot be loaded"), ("bizgym.no:x", "cannot be")],
)
def test_a_factory_from_nowhere_is_refused_when_it_is_needed(factory, words):
    env = make(counterpart={"driver": "llm", "client": {"factory": factory}})
    play(env, golden()[:3])
    with pytest.raises(SettingError, match=words):
        env.step(golden()[3])


def test_only_the_driver_that_needs_one_takes_a_counterpart():
    with pytest.raises(SettingError, match="the driver scripted takes no Client"):
        make().set_counterpart(Client())


def test_a_model_without_a_client_is_a_setting_that_is_missing():
    env = make(counterpart=LLM)
    play(env, golden()[:3])
    with pytest.raises((SettingError, CounterpartError), match="client"):
        env.step(golden()[3])

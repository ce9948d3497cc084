"""Interviewers that are no script: their replies are checked, recorded, replayed, and fail as themselves."""

import json
import pickle

import gymnasium as gym
import pytest
from bizgym.agents.base import Agent
from bizgym.agents.rollout import rollout
from bizgym.envs.consulting.candidate import calls, plan
from bizgym.envs.consulting.drivers import Reply, View
from bizgym.envs.consulting.play import EXHIBIT
from bizgym.envs.consulting.reply_rules import violation
from bizgym.envs.consulting.state import Asked, Progress
from bizgym.envs.core.chat import Completion, Finish, Usage
from bizgym.envs.core.errors import CounterpartError, DataError, SettingError
from bizgym.evaluators.benchmarks import rescore
from bizgym.evaluators.replay import replay

from .toys import case_of

ID, TASK = "bizgym/Consulting-v0", "market_entry_1-middle-b"
CASE = case_of(TASK)
LLM = {"driver": "llm"}


class Client:
    """A model that says what it was given, and remembers what it was sent."""

    def __init__(self, *replies):
        self.replies, self.sent = list(replies), []

    @property
    def description(self):
        return {"model": "given"}

    def complete(self, messages, tools, settings):
        self.sent.append(messages)
        reply = self.replies.pop(0)
        return reply if isinstance(reply, Completion) else Completion(reply, usage=Usage(input=9, output=3))


def tell(fact_id, say="", act="tell"):
    return json.dumps({"act": act, "fact": fact_id, "topics": [], "say": say or CASE.by_id[fact_id].sentence})


def told():
    """What a good interviewer answers to the candidate's questions."""
    return [tell(fact_id) for fact_id in plan(CASE)]


class Candidate(Agent):
    """Plays the scripted candidate."""

    def begin_episode(self, task):
        self.left = [{"name": name, "arguments": arguments} for name, arguments in calls(CASE)]

    def act(self, observation, info):
        return self.left.pop(0)


def with_model(*replies, driver="llm", **kwargs):
    env = gym.make(ID, counterpart={"driver": driver}, **kwargs)
    client = Client(*replies)
    env.unwrapped.set_counterpart(client)
    return env, client


def play(env, n=None):
    env.reset(seed=1, options={"task_id": TASK})
    return [env.step({"name": name, "arguments": arguments}) for name, arguments in calls(CASE)[:n]]


def test_the_candidate_is_right_with_a_model_as_the_interviewer():
    env, client = with_model(*told())
    replies = play(env)
    assert replies[-1][1] == 10.0
    system = client.sent[0][0]["content"]
    assert CASE.statement in system
    assert all(fact.sentence in system for fact in CASE.facts)
    assert CASE.solution.reference not in system
    assert CASE.solution.why_not not in system
    assert len(client.sent[3]) == 2 + 2 * 3  # the system, three exchanges, the question


def test_an_exhibit_is_named_whatever_the_model_says():
    env, _ = with_model(tell("market.share:open"))
    observation = play(env, 1)[0][0]
    assert "`southern_spending`" in observation
    shown, *_ = env.step({"name": EXHIBIT, "arguments": {"name": "southern_spending"}})
    assert "Free to choose" in shown


@pytest.mark.parametrize(
    ("question", "raised"), [("How much of the market is open?", True), ("market", False), ("Market, please.", False)]
)
def test_the_name_of_a_topic_alone_raises_nothing_with_a_model_either(question, raised):
    for topic in ("market", None):
        env, _ = with_model(tell("market.share:open"))
        env.reset(seed=1, options={"task_id": TASK})
        arguments = {"question": question} if topic is None else {"question": question, "topic": topic}
        env.step({"name": "ask_interviewer", "arguments": arguments})
        assert ("market" in env.unwrapped._interview.progress.raised) is raised


KNOWN = Progress(asked=(Asked(1, "released", "market", "market.share:open"),))
CHANNEL = CASE.by_id["mix.channel"]
OPEN = CASE.by_id["market.share:open"].sentence


@pytest.mark.parametrize(
    ("reply", "code"),
    [
        (Reply("shout", say="Hm."), "IV1"),
        (Reply.of(["tell"]), "IV1"),
        (Reply("nothing"), "IV2"),
        (Reply("nothing", say="x" * 1_501), "IV2"),
        (Reply("tell", "price.mood", say="Hm."), "IV3"),
        (Reply("nothing", "cost.fixed", say="Nothing."), "IV3"),
        (Reply("menu", topics=("weather",), say="Which?"), "IV4"),
        (Reply("menu", topics=(), say="Which?"), "IV4"),
        (Reply("tell", "market.share:open", say=OPEN), "IV6"),
        (Reply("repeat", "cost.fixed", say="Hm."), "IV6"),
        (Reply("tell", "cost.distribution", say=CASE.by_id["cost.distribution"].sentence), "IV7"),
        (Reply("first", "cost.fixed", say="First ask about the market."), "IV7"),
        (Reply("tell", "mix.channel", say="The wholesaler supplies a good part of the practices."), "IV8"),
        (Reply("nothing", say="Nothing, but the answer is 4,711."), "IV9"),
        (Reply("tell", "mix.channel", say=f"{CHANNEL.sentence} That makes 77 % of it."), "IV9"),
        (
            Reply(
                "nothing", say="Practices first want a result before the animal leaves the yard, and strips give it."
            ),
            "IV10",
        ),
        (Reply("nothing", say=CASE.solution.why_not.partition(",")[0] + "."), "IV11"),
        (Reply("nothing", say="Buying groups with supply contracts shut newcomers out, I think."), "IV11"),
    ],
)
def test_replies_that_break_a_rule(reply, code):
    assert violation(reply, View(CASE, KNOWN, "?", None, ())).startswith(f"{code}: ")


@pytest.mark.parametrize(
    "reply",
    [
        Reply("tell", "mix.channel", say=CHANNEL.sentence),
        Reply("repeat", "market.share:open", say=f"As I said: {OPEN}"),
        Reply("first", "cost.distribution", say="Let us first hear what you ask about the mix of channels."),
        Reply("menu", topics=("price", "market"), say="Do you mean prices or the market?"),
        Reply("purpose", say="What would you use it for?"),
        Reply("nothing", say="We have nothing on that."),
    ],
)
def test_replies_that_keep_the_rules(reply):
    assert violation(reply, View(CASE, KNOWN, "?", None, ())) == ""


def test_a_bad_reply_is_thrown_away_and_the_complaint_is_told():
    env, client = with_model("I would rather chat.", tell("cost.fixed", "It costs 1 USD."), told()[0])
    observation, _, _, _, info = play(env, 1)[0]
    assert observation.startswith(CASE.by_id[plan(CASE)[0]].sentence)
    assert info["error"] == ""
    assert "Your last answer was thrown away. IV1" in client.sent[1][0]["content"]
    found = env.unwrapped.counterpart_record()
    assert [each["violation"][:3] for each in found["rejected"]] == ["IV1", "IV8"]
    assert len(found["turns"]) == 1
    assert found["usage"] == [{"input": 9, "output": 3}] * 3


def test_three_bad_replies_are_a_failure_of_the_interviewer():
    env, _ = with_model("no", Completion("", finish=Finish.LENGTH), "{")
    record = rollout(env, Candidate(), seed=3, task_id=TASK)
    assert (record.stop_reason, record.reward) == ("simulator_failure", None)


def test_the_record_replays_and_is_scored_without_the_model():
    env, _ = with_model(*told())
    record = rollout(env, Candidate(), seed=3, task_id=TASK)
    assert (record.stop_reason, record.reward, record.error) == ("env_done", 10.0, "")
    assert rescore(record).metrics == record.metrics
    assert replay(record, gym.make(ID, counterpart=LLM)) == ""


@pytest.mark.parametrize("n", [1, 4, 8])
def test_a_save_and_a_pickle_hold_what_was_said_and_need_no_model(n):
    env = with_model(*told())[0].unwrapped
    play(env, n)
    twin = gym.make(ID, counterpart=LLM).unwrapped
    twin.load(env.save())
    assert twin.state_digest() == pickle.loads(pickle.dumps(env)).state_digest() == env.state_digest()
    hidden = [fact.sentence for fact in CASE.facts if fact.fact_id not in env._interview.progress.known]
    assert not [sentence for sentence in hidden if sentence in env.save()]


def test_a_recorded_interviewer_and_a_person_interview_as_well():
    env = with_model(*told())[0].unwrapped
    play(env)
    turns = json.loads(env.save())["replies"]
    assert play(gym.make(ID, counterpart={"driver": "replay", "turns": turns}))[-1][1] == 10.0
    numbers = [[fact.fact_id for fact in CASE.facts].index(fact_id) + 1 for fact_id in plan(CASE)]
    lines, shown = [f"#{k}" for k in numbers], []
    person = gym.make(ID, counterpart={"driver": "human"})
    person.unwrapped.set_counterpart(lambda text: shown.append(text) or lines.pop(0))
    assert play(person)[-1][1] == 10.0
    assert "The candidate asks: On market" in shown[0]


def test_a_person_can_offer_topics_and_say_nothing():
    person = gym.make(ID, counterpart={"driver": "human"})
    lines = ["?price, market", "#99 is no fact", "We have nothing on that."]
    person.unwrapped.set_counterpart(lambda text: lines.pop(0))
    person.reset(seed=1, options={"task_id": TASK})
    said = [person.step({"name": "ask_interviewer", "arguments": {"question": "Hm?"}})[0] for _ in range(2)]
    assert said[0].startswith("Which of these do you mean: price, market? (12 of 12 turns left.)")
    assert said[1].startswith("We have nothing on that. (11 of 12")  # the line before held a number that is not told


@pytest.mark.parametrize(
    ("counterpart", "error"),
    [
        ({"driver": "llm"}, SettingError),
        ({"driver": "replay", "turns": [{"act": "tell"}]}, DataError),
        ({"driver": "replay", "turns": []}, CounterpartError),
        ({"driver": "replay", "turns": [{"act": "tell", "fact": "x", "topics": [], "say": "y"}]}, CounterpartError),
    ],
)
def test_what_a_driver_needs(counterpart, error):
    env = gym.make(ID, counterpart=counterpart).unwrapped
    env.reset(seed=1, options={"task_id": TASK})
    with pytest.raises(error):
        env.step({"name": "ask_interviewer", "arguments": {"question": "Hm?"}})


@pytest.mark.parametrize("driver", ["scripted", "replay"])
def test_a_counterpart_that_nobody_asked_for_is_refused(driver):
    recorded = {"turns": []} if driver == "replay" else {}
    env = gym.make(ID, counterpart={"driver": driver, **recorded}).unwrapped
    with pytest.raises(SettingError, match=f"the driver {driver} takes no Client"):
        env.set_counterpart(Client())

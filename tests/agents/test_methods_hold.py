"""What must hold where methods meet the rest: practice, resumed lessons, full windows, what is counted and told."""

import json
from time import sleep
from typing import ClassVar

import pytest
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.debate import Debate
from bizgym.agents.feedback import told
from bizgym.agents.proposals import Proposal
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ContextOverflow
from bizgym.envs.core.run_folder import RunFolder
from bizgym.envs.core.trajectory import Step
from bizgym.evaluators.cli import main
from bizgym.evaluators.routing import routing_rows

from tests.fixtures.models import converse, make, order, says, tool_call
from tests.fixtures.records import play_all, record, rows_of
from tests.fixtures.skilled.play import method

SCRIPTED = {"_target_": "bizgym.agents.clients.scripted.ScriptedClient", "name": "scripted"}


@pytest.mark.parametrize(
    "agent",
    [
        method("gepa", profile="small", n_train=2, n_val=2, budget_metric_calls=2),
        method("aoa", methods={"cot": method("cot")}, n_dev=2),
    ],
    ids=["gepa", "aoa"],
)
def test_the_other_sides_model_is_counted_and_charged_in_practice_too(agent, tmp_path, monkeypatch):
    """agents.md A.0: simulator calls must be metered; README: budget.* bounds the whole run."""
    asked = []
    complete = ScriptedClient.complete

    def counting(self, messages, tools, settings):
        asked.extend([1] * (self.description["model"] == "interviewer"))
        return complete(self, messages, tools, settings)

    monkeypatch.setattr(ScriptedClient, "complete", counting)
    said = '{"act": "nothing", "fact": "", "topics": [], "say": "Nothing comes to mind on that."}'
    client = {"factory": "bizgym.agents.clients:make_client", "name": "scripted", "model": "interviewer"}
    counterpart = {"driver": "llm", "client": {**client, "rules": [{"text": said}]}}
    env = {"id": "bizgym/Consulting-v0", "split": "train", "counterpart": counterpart, "max_turns": 4}
    rules = [{"calls": [{"name": "ask_interviewer", "arguments": {"question": "What colour is the chief's car?"}}]}]
    play_all(tmp_path, env=env, agent=agent, client={**SCRIPTED, "rules": rules}, limit=1)
    recorded = sum(row.usage.get("simulator", {}).get("calls", 0) for row in rows_of(tmp_path))
    assert len(asked) > 0
    assert recorded == len(asked)


def proposals(*arguments: str) -> list[Proposal]:
    return [Proposal(says(tool_call("place_order", each))) for each in arguments]


def test_a_simulator_that_fails_in_practice_is_named_as_such(tmp_path):
    """architecture.md §3: simulator_failure and provider_error are two reasons; the provider did nothing wrong here."""
    said = '{"act": "purpose", "fact": "", "topics": [], "say": "What do you want to know that for?"}'  # twice: IV5
    client = {"factory": "bizgym.agents.clients:make_client", "name": "scripted", "rules": [{"text": said}]}
    env = {"id": "bizgym/Consulting-v0", "split": "train", "counterpart": {"driver": "llm", "client": client}}
    rules = [{"calls": [{"name": "ask_interviewer", "arguments": {"question": "What is the market share?"}}]}]
    agent = method("gepa", profile="small", n_train=2, n_val=2, budget_metric_calls=2)
    play_all(tmp_path, env=env, agent=agent, client={**SCRIPTED, "rules": rules}, limit=1)
    (row,) = rows_of(tmp_path)
    assert row.stop_reason == "simulator_failure"


def test_what_the_interviewer_threw_away_is_not_told_to_the_agent():
    """A reply that the rules refused was never said: it may hold facts that the episode did not reveal."""
    thrown = {"turns": [], "rejected": [{"say": "The secret margin is 4711.", "fact": "price.mood"}], "usage": []}
    row = record(steps=[Step(turn=None, results=[], observation="Go on.", reward=0.0, components={}, error="",
                             counterpart=thrown)])  # fmt: skip
    for mode in ("none", "outcome"):
        seen, _ = told(mode, row, lambda: None)
        assert "4711" not in seen.model_dump_json()


class Recorder:
    """Plays the first letter; answers a question with what `REPLY` says; keeps every prompt."""

    free = True
    description: ClassVar[dict[str, str]] = {"name": "recorder", "model": "recorder"}
    prompts: ClassVar[list[str]] = []
    reply: ClassVar[str] = ""

    def complete(self, messages, tools, settings):
        text = "\n".join(str(message["content"]) for message in messages)
        Recorder.prompts.append(text)
        if tools and settings.tool_choice != "none":
            return says(tool_call("answer", '{"value": "A"}'))
        return says(text=Recorder.reply)


RECORDER = {"_target_": "tests.agents.test_methods_hold.Recorder", "name": "recorder"}
QA = {"id": "bizgym/EnterpriseQA-v0", "split": "test"}


@pytest.mark.parametrize(
    "agent", [method("dynamic_cheatsheet"), method("reflexion", apply="episode")], ids=["sheet", "reflexion"]
)
def test_a_run_that_is_resumed_goes_on_as_if_it_had_not_been_stopped(agent, tmp_path):
    """Also where a model repeats something that looks like a key: what is written is what was in use."""
    Recorder.reply = '{"solved": false, "why": "x"} <cheatsheet>Use sk-test-0123456789abcdef01234567.</cheatsheet>'
    asked = {"env": QA, "agent": agent, "client": RECORDER}

    def prompts(folder, *stops):
        Recorder.prompts = []
        for stop in (*stops, 2):
            play_all(folder, **asked, trials=stop, limit=1)
        return Recorder.prompts

    assert prompts(tmp_path / "stopped", 1) == prompts(tmp_path / "whole")


def test_a_dry_run_says_what_routing_will_take(tmp_path, monkeypatch, capsys):
    """What it will take is said before money is spent."""
    monkeypatch.chdir(tmp_path)
    run = ["run", "env=qa", "env.split=test", "limit=2", "agent=aoa", "agent.n_dev=4", "client=scripted", "--json"]
    assert main([*run, "--dry-run"]) == 0
    expected = json.loads(capsys.readouterr().out)["expected_calls"]
    assert main([*run, "progress=off"]) == 0
    usage = json.loads(capsys.readouterr().out)["by_agent"]["aoa"]["usage"]
    made = sum(each["calls"] for each in usage.values())
    assert made / 2 <= expected <= made * 2


def test_a_panel_whose_second_round_does_not_fit_plays_what_it_has():
    """A refusal or a cut-off reply of a round is an abstention; a prompt too long for the window costs the episode."""

    def script(messages, tools, settings):
        if "Colleague" in str(messages[-1]["content"]):
            raise ContextOverflow("the window is full")
        return says(order(400))

    env = make("bizgym/BeerGame-v0", horizon=1)  # a week later the prompt would be longer than what did not fit
    row, _ = converse(env, agent=Debate("small"), client=ScriptedClient(script), limits=Limits(max_steps=4))
    assert row.stop_reason == "env_done"


def test_a_router_is_held_against_methods_that_were_told_as_little_as_it_was(tmp_path):
    """The yardsticks of a router under `none` are its methods under `none`, not those that saw the answers."""
    ace = method("ace", profile="lean")
    router = method("aoa", methods={"cot": method("cot"), "ace": ace}, n_dev=1)
    asked = {"env": QA, "client": SCRIPTED, "limit": 2}
    play_all(tmp_path / "router", agent=router, feedback="none", **asked)
    play_all(tmp_path / "cot", agent=method("cot"), feedback="none", **asked)
    play_all(tmp_path / "gold", agent=ace, feedback="gold", **asked)
    rows = routing_rows([RunFolder(tmp_path / name) for name in ("router", "cot", "gold")])
    assert {tuple(row["missing"]) for row in rows} == {("ace",)}


class Slow(Recorder):
    """Takes its time, and reads nothing into what it is asked, but answers who is to play."""

    def complete(self, messages, tools, settings):
        sleep(0.05)
        Recorder.reply = '{"method": "cot"}'
        return super().complete(messages, tools, settings)


def test_the_time_that_routing_takes_to_learn_is_no_time_of_the_first_episode(tmp_path):
    """README: calls made to learn do not count against an episode's limits. Eleven calls to learn, two to play."""
    agent = method("aoa", methods={"cot": method("cot")}, n_dev=5, fallback="model")
    client = {"_target_": "tests.agents.test_methods_hold.Slow", "name": "slow"}
    play_all(tmp_path, env=QA, agent=agent, client=client, limit=1, limits={"timeout_seconds": 0.4})
    (row,) = rows_of(tmp_path)
    assert row.stop_reason == "env_done"


class Breaks(Recorder):
    """Has a fault of its own in its first call."""

    def complete(self, messages, tools, settings):
        Recorder.prompts.append("")
        if len(Recorder.prompts) <= 2:
            raise ValueError("a fault of the client")
        return super().complete(messages, tools, settings)


def test_practice_that_broke_down_leaves_a_trace(tmp_path):
    """architecture.md §8: nothing swallowed. Two of two practice episodes raise; the row says nothing of it."""
    Recorder.prompts, Recorder.reply = [], "{}"
    client = {"_target_": "tests.agents.test_methods_hold.Breaks", "name": "breaks"}
    agent = method("gepa", profile="small", n_train=2, n_val=2, budget_metric_calls=2)
    play_all(tmp_path, env=QA, agent=agent, client=client, limit=1)
    (row,) = rows_of(tmp_path)
    (state,) = [each.read_text(encoding="utf-8") for each in tmp_path.glob("agent_state/*.json")]
    assert "a fault of the client" in row.error + state or row.reward is None

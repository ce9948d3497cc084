"""Every method plays every benchmark against the stub server, and the meter counts what the server counted."""

import json
import re
from collections import Counter
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from bizgym import agents
from bizgym.agents.phases import ADAPTATION, is_adaptation, metered_role
from bizgym.agents.run_config import RunConfig
from bizgym.agents.runner import run
from bizgym.envs.core.trajectory import Trajectory

from tests.fixtures.records import rows_of
from tests.fixtures.skilled.play import method
from tests.fixtures.skilled.reading import asked_keys
from tests.fixtures.stub_model import Call, Conversation, Logged, Say, StubModel

TEAM = {"cot": method("cot"), "reflexion": method("reflexion")}
METHODS: dict[str, dict[str, Any]] = {
    "cot": {},
    "self_refine": {"profile": "small"},
    "reflexion": {},
    "reflexion/episode": {"apply": "episode"},
    "debate": {"profile": "small"},
    "discussion": {"profile": "small"},
    "dynamic_cheatsheet": {},
    "ace": {},
    "ace/lean": {"profile": "lean"},
    "amem": {},
    "amem/full": {"mode": "full"},
    "gepa": {"n_train": 1, "n_val": 1, "minibatch": 1, "budget_metric_calls": 5},
    "aoa": {"methods": TEAM, "n_dev": 1},
}
LEARN_BY_MODEL = {"reflexion/episode", "dynamic_cheatsheet", "ace", "ace/lean", "amem/full", "gepa", "aoa"}
BENCHMARKS = {
    "BeerGame": ("openai", {"horizon": 3}),
    "DigitalTwin": ("openai_responses", {}),
    "Consulting": ("anthropic", {}),
    "EnterpriseQA": ("openai", {}),
    "PaymentWorkflows": ("anthropic", {}),
}
CLIENTS = {"openai": "OpenAI", "openai_responses": "OpenAIResponses", "anthropic": "Anthropic"}
RECOMMENDATION: dict[str, list[str]] = {key: [] for key in ("key_numbers", "reasons", "risks", "next_steps")}
TURNS: dict[str, list[dict[str, Any]]] = {
    "place_order": [],
    "run_simulation": [
        {"name": "submit_plan", "plan": {"consultants": 0, "revenue_risk": 0.0}},
        {"name": "run_simulation"},
    ],
    "ask_interviewer": [
        {"name": "ask_interviewer", "question": "What does it cost?"},
        {"name": "submit_recommendation", "decision": "none", "headline": "None.", **RECOMMENDATION},
    ],
    "answer": [],
    "search_documents": [{"name": "search_documents", "query": "fees"}, {"name": "finish"}],
}
"""What is played where a tool is on offer, turn by turn; where there is nothing, what the prompt's digest says."""

ASKED_BY = {
    "self_refine_critique": "critic",
    "self_refine_revise": "revise",
    "self_refine_review": "revise",
    "reflexion_evaluate": "evaluate",
    "reflexion_reflect": "reflect",
    "reflexion_evaluate_episode": "evaluate@adaptation",
    "reflexion_reflect_episode": "reflect@adaptation",
    "discussion_secretary": "vote",
    "dynamic_cheatsheet_curate": "curate@adaptation",
    "dynamic_cheatsheet_synthesise": "curate@adaptation",
    "ace_reflect": "reflect@adaptation",
    "ace_curate": "curate@adaptation",
    "amem_query": "retrieve",
    "amem_analyse": "analyse@adaptation",
    "amem_evolve": "evolve@adaptation",
    "gepa_reflect": "reflect@adaptation",
    "aoa_extract": "extract@adaptation",
    "aoa_synthesise": "synthesise@adaptation",
}
"""The role, and the phase, in which each prompt is sent; whatever holds none of them is `act`, in either phase."""


PROMPTS = {
    path.stem: path.read_text(encoding="utf-8").splitlines()
    for path in sorted((Path(agents.__file__).parent / "prompts").glob("*.md"))
}


def a_line_of(prompt: str) -> str:
    """The longest line of a prompt without a placeholder that stands in no other prompt."""
    others = {line for name, lines in PROMPTS.items() if name != prompt for line in lines}
    return max((line for line in PROMPTS[prompt] if "$" not in line and line not in others), key=len)


LINES = {a_line_of(prompt): role for prompt, role in ASKED_BY.items()}
SAID = {
    "ok": False,
    "issues": ["Look at the figures again."],
    "solved": False,
    "choice": 2,
    "operations": [{"type": "ADD", "section": "strategies", "content": "Look at the costs first."}],
    "bullet_tags": [],
    "keywords": ["costs"],
    "tags": ["costs"],
    "links": [],
    "neighbours": [],
    "traits": {},
    "guidance": "keep",
    "rules": [],
}


def plays(conversation: Conversation) -> Say:
    """Plays what fits the tools on offer, and writes what a prompt asks for; it has never anything to praise."""
    digest = sha256(repr(conversation.messages).encode()).digest()[0]
    tool = next((name for name in TURNS if name in conversation.tools), None)
    if tool is not None and conversation.tool_choice != "none":
        turns = TURNS[tool] or [
            {"name": tool, **({"value": str(digest)} if tool == "answer" else {"quantity": digest})}
        ]
        turn = dict(turns[min(conversation.n_turns, len(turns) - 1)])
        return Say("I think.", (Call(turn.pop("name"), json.dumps(turn)),), reasoning=digest % 3)
    asked = conversation.messages[-1].text
    marks = re.findall(r"between <(\w+)> and </\1>", asked)
    if marks:
        return Say(f"<{marks[-1]}>\nLook at the costs first.\n</{marks[-1]}>")
    keys = asked_keys(asked)
    said = json.dumps({key: SAID.get(key, "Nobody looked at the costs.") for key in keys})
    return Say(said if keys else "Next time I look at the costs.")


@dataclass(frozen=True)
class Served:
    """A run, what the server logged of it, and where in that log each agent's last episode ended."""

    rows: list[Trajectory]
    log: list[Logged]
    ends: dict[str, int]


@dataclass(frozen=True)
class Played:
    """One episode, and what the server logged while it was played."""

    row: Trajectory
    log: list[Logged]


def serve(benchmark: str, folder: Path, methods: dict[str, dict[str, Any]], **settings: Any) -> Served:
    """Play a benchmark against the server."""
    client, env = BENCHMARKS[benchmark]
    seats = {name: {**method(name.split("/")[0], **own), "name": name} for name, own in methods.items()}
    calling = {"_target_": f"bizgym.agents.clients.{client}.{CLIENTS[client]}", "name": client, "model": "org/any:7b"}
    ends: dict[str, int] = {}
    with StubModel(plays) as stub:
        config = {
            "lineups": {"all": {"env": {"id": f"bizgym/{benchmark}-v0", **env}, "agents": seats}},
            "limit": 1,
            "limits": {"max_steps": 8},
            "client": {**calling, "base_url": stub.url(client), "api_key_env": None},
            "run_dir": str(folder),
            "progress": "off",
            **settings,
        }
        run(RunConfig.parse(config), lambda row, done, total: ends.update({row.agent["name"]: len(stub.log)}))
        return Served(rows_of(folder), list(stub.log), ends)


@pytest.fixture(scope="module", params=BENCHMARKS)
def played(request, tmp_path_factory) -> dict[str, Played]:
    """One episode of each method in one benchmark, by the method's name."""
    served = serve(request.param, tmp_path_factory.mktemp(request.param) / "run", METHODS)
    starts = dict(zip(served.ends, [0, *served.ends.values()], strict=False))
    rows = {row.agent["name"]: row for row in served.rows}
    return {name: Played(rows[name], served.log[starts[name] : end]) for name, end in served.ends.items()}


def role_of(logged: Logged) -> str:
    """Under which role a request was made, by the prompt that it ends with."""
    asked = logged.conversation.messages[-1].text
    return next((role for line, role in LINES.items() if line in asked), "act")


def counted(usage: dict[str, dict[str, float]]) -> dict[str, Counter]:
    """What a record says was used, by role alone."""
    by_role: dict[str, Counter] = {}
    for metered, amounts in usage.items():
        known = {name: int(amounts.get(name, 0)) for name in ("calls", "input", "cached", "cache_write", "output")}
        by_role.setdefault(metered.partition("@")[0], Counter()).update(known)
    return by_role


def served(log: list[Logged]) -> dict[str, Counter]:
    """What the server counted, by role alone."""
    by_role: dict[str, Counter] = {}
    for each in log:
        cache = {"cached": each.counts.cached, "cache_write": each.counts.cache_write}
        amounts = {"calls": 1, "input": each.counts.input, "output": each.counts.output, **cache}
        by_role.setdefault(role_of(each).partition("@")[0], Counter()).update(amounts)
    return by_role


@pytest.mark.parametrize("name", METHODS)
def test_an_episode_ends_in_a_scored_stop(name, played):
    row = played[name].row
    assert row.error == ""
    assert row.stop_reason.value == "env_done"
    assert row.scored
    assert row.errors == {}


@pytest.mark.parametrize("name", METHODS)
def test_calls_and_tokens_by_role_are_those_of_the_server(name, played):
    row, log = played[name].row, played[name].log
    assert log != []
    assert {each.fault for each in log} == {None}
    assert counted(row.usage) == served(log)


@pytest.mark.parametrize("name", METHODS)
def test_adaptation_and_inference_are_told_apart_and_sum_to_the_total(name, played):
    """Every prompt knows its phase; beside those only practice and passes that are not scored adapt."""
    row, log = played[name].row, played[name].log
    calls = {role: int(amounts["calls"]) for role, amounts in row.usage.items()}
    asked = Counter(map(role_of, log))
    learning = sum(n for role, n in calls.items() if is_adaptation(role))
    assert learning + sum(n for role, n in calls.items() if not is_adaptation(role)) == len(log)
    assert (learning > 0) == (name in LEARN_BY_MODEL)
    for role, n in asked.items():
        if is_adaptation(role):
            assert calls[role] == n
        elif name != "aoa":  # what a method of its team does in practice is adaptation
            assert calls[role] + calls.get(metered_role(role, ADAPTATION), 0) == n
    if name in {"cot", "reflexion/episode", "dynamic_cheatsheet", "ace", "ace/lean", "amem", "gepa"}:
        assert calls["act"] == row.n_steps  # one scored call a turn


def test_over_several_episodes_every_prompt_is_sent_and_counted(tmp_path):
    """What memories need an earlier episode for, and what panels need a tie for."""
    more = {**METHODS, "self_refine/paper": {}, "dynamic_cheatsheet/retrieval": {"variant": "retrieval"}}
    sent: set[str] = set()
    for benchmark in ("BeerGame", "EnterpriseQA"):
        run_of = serve(benchmark, tmp_path / benchmark, more, trials=3)
        total: dict[str, Counter] = {}
        for row in run_of.rows:
            for role, amounts in counted(row.usage).items():
                total.setdefault(role, Counter()).update(amounts)
        assert total == served(run_of.log)
        sent |= {role_of(each) for each in run_of.log}
    assert sent == {*ASKED_BY.values(), "act"}


def test_a_prompt_is_told_by_its_line():
    assert len(LINES) == len(ASKED_BY)
    assert min(map(len, LINES)) > 60

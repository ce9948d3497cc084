"""Traits from the public card, rules over them, and what development says by trait."""

import json

import gymnasium as gym
import pytest
from bizgym import envs
from bizgym.agents.base import TaskCard
from bizgym.agents.development import Trace, best_of, means, means_by_trait, shuffled, varying_traits
from bizgym.agents.routing import Playbook, Rule, read_rules
from bizgym.agents.traits import TRAITS, traits_of

from tests.fixtures.records import record

gym.register_envs(envs)
METHODS = ["cot", "ace"]
TABLE = "| a | b |\n|---|---:|\n| x | 1 |\n"


def card(text, name="answer", argument="value"):
    tool = {"function": {"name": name, "parameters": {"properties": {argument: {}}}}}
    return TaskCard("bizgym/X-v0", "x", text, (json.dumps(tool),))


def trace(method, task_id, score, **traits):
    return Trace(method, task_id, traits, record(task_id), score)


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("x" * 1_999, "context", "short"),
        ("x" * 2_000, "context", "medium"),
        ("x" * 10_000, "context", "long"),
        ("x" * 40_000, "context", "very_long"),
        (TABLE * 3, "tables", 3),
        ("a | b\n--- | ---", "tables", 0),
        ("Answer with the letter of one option.", "answer", "choice"),
        ("Answer with a number in USD.", "answer", "number"),
        ("Answer with Python code that reckons a number in USD: the", "answer", "code"),
        ("Answer with 3 labels in the order", "answer", "labels"),
        ("Answer with the words as they stand", "answer", "words"),
        ("We shall not Answer with a number.", "answer", None),
        ("Capability: Numerical calculation\n", "capability", "numerical_calculation"),
        ("Our capability: none", "capability", None),
        ("You have 12 turns.", "turns", 12),
        ("It took them 12 turns.", "turns", None),
    ],
)
def test_a_trait_is_what_the_task_shows(text, name, value):
    assert traits_of(card(text)).get(name) == value


@pytest.mark.parametrize(
    ("name", "argument", "needs"),
    [("run_python", "code", True), ("run_simulation", "months", False), ("close_case", "code", False)],
)
def test_code_is_needed_where_a_tool_runs_it(name, argument, needs):
    assert traits_of(card("x", name, argument))["needs_code"] is needs


@pytest.mark.parametrize(
    ("env_id", "task_id", "expected"),
    [
        ("EnterpriseQA", "dk-easy-04", {"answer": "choice", "context": "short", "tables": 0, "tools": 1}),
        ("EnterpriseQA", "nc-middle-13", {"answer": "number", "context": "medium", "tables": 5, "needs_code": False}),
        ("Consulting", "cost_reduction_2-middle-a", {"turns": 12, "tools": 4, "context": "medium"}),
        ("BeerGame", "default", {"turns": 25, "tools": 1, "context": "short"}),
    ],
)
def test_the_traits_of_shipped_tasks(env_id, task_id, expected):
    env = gym.make(f"bizgym/{env_id}-v0")
    text, info = env.reset(seed=0, options={"task_id": task_id})
    found = traits_of(TaskCard(f"bizgym/{env_id}-v0", task_id, text, info["tools"]))
    assert {name: found.get(name) for name in expected} == expected
    assert found.keys() <= TRAITS.keys()


def test_the_first_rule_that_fits_decides_and_else_the_default():
    book = Playbook((Rule({"tables": {"at_least": 2, "at_most": 3}}, "ace"), Rule({"tables": [3, 4]}, "cot")), "cot")
    assert [book.route({"tables": k}) for k in range(6)] == [
        ("cot", None), ("cot", None), ("ace", 0), ("ace", 0), ("cot", 1), ("cot", None)
    ]  # fmt: skip
    assert book.route({"answer": "choice"}) == ("cot", None)
    assert Playbook.from_json(json.loads(json.dumps(book.to_json()))) == book


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ({"answer": "Choice"}, True),
        ({"answer": ["number", "choice"]}, True),
        ({"answer": "number"}, False),
        ({"needs_code": True}, True),
        ({"needs_code": False}, False),
        ({"turns": 12.0}, True),
        ({"turns": {"at_least": 13}}, False),
        ({"turns": {"at_most": 12}}, True),
        ({"answer": "choice", "turns": 5}, False),
        ({"capability": "domain_knowledge"}, False),
    ],
)
def test_conditions(when, holds):
    ((rule,), dropped) = read_rules([{"when": when, "method": "cot"}], METHODS)
    assert dropped == 0
    assert rule.fits({"answer": "choice", "needs_code": True, "turns": 12}) is holds


@pytest.mark.parametrize(
    "rule",
    [
        {"when": {"answer": "choice"}, "method": "reflexion"},
        {"when": {"answer": "choice"}, "method": ["cot"]},
        {"when": {"answer": "choice", "band": "easy"}, "method": "cot"},
        {"when": {"answer": 3}, "method": "cot"},
        {"when": {"answer": []}, "method": "cot"},
        {"when": {"answer": {"at_least": 3}}, "method": "cot"},
        {"when": {"turns": {"more_than": 3}}, "method": "cot"},
        {"when": {"turns": {}}, "method": "cot"},
        {"when": {"turns": True}, "method": "cot"},
        {"when": {"needs_code": 1}, "method": "cot"},
        {"when": "answer = choice", "method": "cot"},
        {"when": {}, "method": "cot"},
        {"method": "cot"},
        [],
        None,
    ],
)
def test_a_rule_that_cannot_be_checked_falls_as_a_whole(rule):
    assert read_rules([rule], METHODS) == ((), 1)


def test_means_the_best_and_the_first_of_equals():
    traces = [trace("cot", "a", 0.5), trace("cot", "b", 0.5), trace("ace", "a", 1.0), trace("ace", "b", 0.0)]
    assert means(traces) == {"cot": 0.5, "ace": 0.5}
    assert best_of(means(traces)) == "cot"
    assert best_of({"cot": 0.4, "ace": 0.5}) == "ace"


def test_means_by_trait_leave_out_what_all_tasks_share_and_cut_long_numbers_at_the_median():
    traces = [
        trace(method, f"t{k}", float((k < 5) == (method == "cot")), tools=1, turns=k, needs_code=k % 2 == 0)
        for method in METHODS
        for k in range(10)
    ]
    assert varying_traits(traces) == ["needs_code", "turns"]
    assert means_by_trait(traces) == [
        "- needs_code = false (5 tasks): cot 0.40, ace 0.60",
        "- needs_code = true (5 tasks): cot 0.60, ace 0.40",
        "- turns at most 4.5 (5 tasks): cot 1.00, ace 0.00",
        "- turns above 4.5 (5 tasks): cot 0.00, ace 1.00",
    ]


def test_shuffling_deals_the_same_scores_out_by_the_seed():
    traces = [trace("cot", f"t{k}", k / 20) for k in range(20)]
    once, again, other = shuffled(traces, 1), shuffled(traces, 1), shuffled(traces, 2)
    assert once == again
    assert [each.score for each in once] != [each.score for each in other]
    assert sorted(each.score for each in once) == [each.score for each in traces]
    assert [each.task_id for each in once] == [each.task_id for each in traces]

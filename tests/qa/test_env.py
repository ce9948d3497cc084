"""One question an episode: what is shown, what an answer is worth, and what code and look-ups do."""

import json

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.envs.qa import scoring
from bizgym.envs.qa.observation import PART_CHARACTERS, form_of
from bizgym.envs.qa.sandbox import Execution

from .questions import ITEMS, LONG, TABLE, TASKS, Questions, ask, give

RIGHT = {
    "number": "1,840",
    "program": "212 / 1840 * 100",
    "formula": 7.602,
    "span": "In March.",
    "choice": "B",
    "labels": "Revenues, LeaseCost",
    "long": 20,
}
WRONG = {
    "number": 1710,
    "program": "205 / 1840 * 100",
    "formula": 7.59,
    "span": "in April",
    "choice": "A",
    "labels": "LeaseCost, Revenues",
    "long": "21",
}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", list(RIGHT))
def test_a_right_answer_is_worth_one_and_ends_the_episode(name):
    env, _, _ = ask(name)
    _, reward, terminated, truncated, info = give(env, RIGHT[name])
    assert (reward, terminated, truncated, info["error"]) == (1.0, True, False, "")
    assert info["metrics"]["correct_paper"] == info["metrics"]["normalized"] == 1.0
    assert [check.passed for check in env.checks()] == [True]
    assert env.stop_reason is StopReason.ENV_DONE


@pytest.mark.sandbox
@pytest.mark.parametrize("name", list(WRONG))
def test_a_wrong_answer_is_worth_nothing_and_ends_it_too(name):
    env, _, _ = ask(name)
    _, reward, terminated, _, info = give(env, WRONG[name])
    assert (reward, terminated) == (0.0, True)
    assert set(info["metrics"].values()) == {0.0}
    assert set(info["metrics"]) == {"correct_paper", "correct_strict", "normalized"}
    (check,) = env.checks()
    assert (check.passed, check.turn) == (False, 1)
    assert check.expected == scoring.gold_text(env._task.item.answer)


def test_the_strict_profile_stands_beside_the_reward():
    env, _, _ = ask("program")
    _, reward, _, _, info = give(env, 11.6)
    assert (reward, info["metrics"]["correct_strict"]) == (1.0, 0.0)


def test_the_opening_holds_context_question_and_the_form_of_an_answer():
    _, observation, info = ask("number")
    for part in ("## Income statement [income_statement]", TABLE.strip(), "Two sites were closed in March."):
        assert part in observation
    assert "Question: What was revenue in FY2025" in observation
    assert "Answer with a number in thousands of EUR. It is right within 0.000001." in observation
    assert [json.loads(text)["function"]["name"] for text in info["tools"]] == ["answer"]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("program", "Python code that reckons a number in percent (12.5 means 12.5 %)"),
        ("program", "It is right within 1 % of the true value, or 0.000001 if that is more."),
        ("formula", "It is right within 0.0005."),
        ("span", "Answer with the words as they stand in the context"),
        ("choice", "A) Gearing\nB) Current ratio\nC) Payout ratio"),
        ("choice", "Answer with the letter of one option."),
        ("labels", "Labels to choose from: LeaseCost, Revenues, InterestExpense"),
        ("labels", "Answer with 2 labels in the order of the marked places"),
    ],
)
def test_every_kind_says_what_its_answer_looks_like(name, told):
    assert told in ask(name)[1]


def test_nothing_of_the_answer_is_shown():
    for each in ITEMS:
        _, observation, info = ask(each.item_id)
        shown = observation + json.dumps(info)
        assert "program" not in form_of(each.answer)
        for hidden in (each.program, *each.reasons, each.family if each.family != "test" else None):
            assert hidden is None or hidden not in shown


def test_long_contexts_are_looked_up_in_parts_that_fit():
    env, observation, _ = ask("long")
    assert "Line 1:" not in observation
    assert "lookup(section)" in observation
    n_parts = -(-len(LONG.text) // PART_CHARACTERS)
    texts = []
    for k in range(1, 100):
        shown, _, _, _, info = env.step({"name": "lookup", "arguments": {"section": f"filing_part{k}"}})
        if info["error"]:
            break
        texts.append(shown)
    assert n_parts <= len(texts) <= n_parts + 2
    assert "".join(texts) == LONG.text
    assert all(len(text) <= PART_CHARACTERS for text in texts)


def test_context_by_tools_shows_no_text_and_reads_each_section():
    env, observation, info = ask("number", context="tools")
    assert "Revenue | 1,840" not in observation
    assert "- income_statement: Income statement (" in observation
    assert [json.loads(text)["function"]["name"] for text in info["tools"]] == ["answer", "lookup"]
    shown, reward, terminated, _, _ = env.step({"name": "lookup", "arguments": {"section": "income_statement"}})
    assert (shown, reward, terminated) == (TABLE, 0.0, False)
    _, _, _, _, refused = env.step({"name": "lookup", "arguments": {"section": "income_statment"}})
    assert refused["error"] == "tool_refused"
    assert "Did you mean 'income_statement'?" in refused["tool_results"][0]["content"]
    assert give(env, 1840)[1] == 1.0


def test_a_question_of_pure_knowledge_has_nothing_to_look_up():
    assert len(ask("choice", context="tools")[2]["tools"]) == 1


@pytest.mark.sandbox
def test_code_runs_where_the_question_allows_it():
    env, _, info = ask("formula")
    assert [json.loads(text)["function"]["name"] for text in info["tools"]] == ["answer", "run_python"]
    before = env.state_digest()
    shown, reward, terminated, _, _ = env.step(
        {"name": "run_python", "arguments": {"code": "print(1)\n(1840 / 1710 - 1) * 100"}}
    )
    found = json.loads(shown)
    assert (found["status"], found["stdout"], found["tier"]) == ("ok", "1\n", "monty")
    assert float(found["value"]) == pytest.approx(7.60234)
    assert (reward, terminated, env.state_digest()) == (0.0, False, before)
    env, _, _ = ask("span")
    assert env.step({"name": "run_python", "arguments": {"code": "1"}})[4]["error"] == "unknown_tool"


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("1 / 0", "ZeroDivisionError"),
        ("while True:\n    pass", "time_limit"),
        ("answer = None", "no value"),
        ("def f(:\n    return 1", "SyntaxError"),
    ],
)
def test_an_answer_whose_code_fails_is_wrong_and_says_why(code, why):
    env, _, _ = ask("program")
    shown, reward, terminated, _, _ = give(env, code)
    assert (reward, terminated) == (0.0, True)
    assert why in shown
    assert why in env.checks()[0].observed


def test_code_that_no_sandbox_here_can_run_is_refused_and_may_be_mended(monkeypatch):
    from bizgym.envs.qa import execution

    with monkeypatch.context() as patched:
        patched.setattr(execution, "run", lambda code: Execution("unsupported", error="ModuleNotFoundError: no numpy"))
        env, _, _ = ask("program")
        _, reward, terminated, _, info = give(env, "import numpy\n1")
        assert (reward, terminated, info["error"]) == (0.0, False, "tool_refused")
        assert "sandbox_unsupported" in info["tool_results"][0]["content"]
    assert give(env, 11.52)[1] == 1.0


def test_an_episode_without_an_answer_is_worth_nothing():
    env, _, _ = ask("number")
    _, reward, _, truncated, info = env.forfeit("max_tokens")
    assert (reward, truncated, info["metrics"]["correct_paper"]) == (0.0, True, 0.0)
    assert env.checks()[0].observed == "nothing: no answer was given"


@pytest.mark.parametrize("value", [True, None, [1840], {"value": 3}])
def test_an_answer_is_a_text_or_a_number(value):
    env, _, _ = ask("number")
    assert give(env, value)[4]["error"] == "bad_arguments"
    assert give(env, 1840.0)[1] == 1.0


def test_tasks_are_chosen_by_capability_and_band():
    env = Questions(split=None, capability="domain_knowledge")
    assert env.task_ids == ("choice", "labels")
    env = Questions(split=None, capability="numerical_calculation", band="hard")
    assert env.task_ids == ("program",)
    assert Questions(split="test").task_ids == ("formula", "long")
    env = Questions(split=None)
    for seed in range(20):
        assert env.reset(seed=seed, options={"capability": "domain_knowledge"})[1]["task_id"] in ("choice", "labels")


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"capability": "numerical"}, r"capability: there is no 'numerical'\..*There are: complex_reasoning"),
        ({"band": "medium"}, r"band: there is no 'medium'\..*easy, hard, middle"),
        ({"source": "finqua"}, r"source: there is no 'finqua'\. Did you mean 'finqa'\?"),
        ({"context": "inlin"}, r"context: one of inline, tools, not inlin\. Did you mean 'inline'\?"),
        ({"capability": "complex_reasoning"}, "holds no item of complex_reasoning"),
        ({"tasks": ["nmber"]}, r"there is no task 'nmber'\. Did you mean 'number'\?"),
    ],
)
def test_settings_that_do_not_exist_are_refused(kwargs, message):
    with pytest.raises(ValueError, match=message):
        Questions(**{"split": None, **kwargs})


def test_the_number_of_tools_is_the_most_that_a_question_offers():
    env = Questions(split=None)
    offered = [len(env.reset(options={"task_id": task_id})[1]["tools"]) for task_id in TASKS.ids]
    assert env.n_tools == max(offered) > min(offered) == 1


def test_sequential_order_walks_the_split():
    env = Questions(split=None, order="sequential")
    assert [env.reset()[1]["task_id"] for _ in range(len(TASKS) + 1)] == [*TASKS.ids, TASKS.ids[0]]


def test_a_run_over_generated_questions_says_how_many():
    from bizgym.agents.runner import make_plan
    from bizgym.evaluators.cli.compose import compose_run

    wanted = ["env=qa", "env.source=generated", "agent=qa/oracle"]
    with pytest.raises(ValueError, match=r"limit: bizgym/EnterpriseQA-v0 has 6,000,000 tasks"):
        make_plan(compose_run(wanted))
    assert len(make_plan(compose_run([*wanted, "limit=7"])).jobs) == 7


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "value", ["11.52 %", "11.52 percent", "print(11.52)", "```python\n212 / 1840 * 100\n```", "answer = 11.52"]
)
def test_a_program_may_be_a_line_in_words_may_print_and_may_be_fenced(value):
    env, _, _ = ask("program")
    assert give(env, value)[1] == 1.0


@pytest.mark.sandbox
def test_what_is_printed_last_is_the_value_of_a_program_without_one():
    env, _, _ = ask("formula")
    shown = env.step({"name": "run_python", "arguments": {"code": "for k in range(3):\n    print(k * 2)"}})[0]
    assert (json.loads(shown)["status"], json.loads(shown)["value"]) == ("ok", "4")

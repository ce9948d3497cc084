"""What of a reply is its answer: no thinking, of a JSON object its answer, and of a fenced program the code."""

import pytest
from bizgym.envs.qa import scoring
from bizgym.envs.qa.grading.spoken import answer_of_object, without_fence, without_thinking
from bizgym.envs.qa.scoring import grade

from .test_rescoring import task

SPECS = {
    "number": ({"kind": "number", "value": 12.4}, "12.4", "13"),
    "formula": ({"kind": "formula", "value": 12.4}, "12.4", "13"),
    "program": ({"kind": "program", "value": 12.4}, "12.4", "13"),
    "choice": ({"kind": "choice", "value": "B", "options": ["to defer it", "to expense it"]}, "B", "A"),
    "labels": ({"kind": "labels", "value": ["Goodwill"], "options": ["Goodwill", "Assets"]}, "Goodwill", "Assets"),
    "span": ({"kind": "span", "value": "straight-line"}, "straight-line", "declining"),
}
BLOCKS = (
    "<think>{}</think>",
    "<think>\nThe answer is {}\n</think>\n\n",
    "<THINKING>{}</THINKING>",
    "<reasoning>{}</reasoning>\n",
    "<think>a <think> b</think>The answer is {}</think>",
    "The answer is {}\n</think>\n",
    "◁think▷{}◁/think▷",
    "[THINK]{}[/THINK]",
    "<|begin_of_thought|>{}<|end_of_thought|>",
    "<|channel|>analysis<|message|>{}<|end|><|start|>assistant<|channel|>final<|message|>",
)


@pytest.mark.parametrize("kind", SPECS)
@pytest.mark.parametrize("block", BLOCKS)
def test_what_is_thought_is_no_answer_and_contradicts_none(kind, block):
    spec, right, wrong = SPECS[kind]
    assert grade(block.format(wrong) + right, spec).correct is True
    assert grade(block.format(right) + wrong, spec).correct is False
    assert grade(block.format(right), spec).correct is False


@pytest.mark.parametrize("kind", SPECS)
def test_thinking_that_never_ends_is_no_answer(kind):
    spec, right, _ = SPECS[kind]
    assert grade(f"<think>{right}", spec).correct is False
    assert grade(f"{right}\n<think>was that so?", spec).correct is True


@pytest.mark.parametrize("kind", [each for each in SPECS if each != "program"])
def test_an_answer_may_stand_beside_other_members_of_an_object(kind):
    spec, right, wrong = SPECS[kind]
    for quote in ('"', "")[: 1 + (kind in ("number", "formula"))]:
        said = f"{quote}{right}{quote}"
        assert grade(f'{{"answer": {said}, "confidence": 0.9, "note": "{wrong}"}}', spec).correct is True
        assert grade(f'```json\n{{"reason": "not {wrong}", "final_answer": {said}}}\n```', spec).correct is True
        assert grade(f'{{"answer": {said}, "final_answer": "{wrong}"}}', spec).correct is False
        assert grade(f'{{"answer": {said}, "answer": "{wrong}"}}', spec).correct is False
        assert grade(f'{{"value": {said}, "result": "{wrong}"}}', spec).correct is False


def test_the_members_unit_and_scale_are_the_answers():
    spec = {"kind": "number", "value": 12.4, "unit": "USD", "scale": 1_000_000}
    for members, verdict in (
        ('"unit": "USD"', True),
        ('"unit": "USD", "scale": 1000000', True),
        ('"scale": "million"', True),
        ('"unit": "EUR"', False),
        ('"scale": 1000', False),
        ('"unit": "percent"', False),
    ):
        assert grade(f'{{"answer": 12.4, {members}}}', spec).correct is verdict, members


def test_what_is_no_such_object_stays_as_it_is():
    for reply in ("12.4", "{", "{}", '{"npv": 12.4}', '{"answer": {"value": 12.4}}', "[12.4]", '{"answer": 1} and 2'):
        assert answer_of_object(reply) is None, reply
    assert without_thinking("a < b > c") == "a < b > c"


@pytest.mark.parametrize(
    "reply",
    [
        "```python\n{}\n```",
        "```\n{}\n```",
        "Here is the code:\n\n```python\n{}\n```\n\nIt divides one by the other.",
        "<think>Divide.</think>\n```py\n{}\n```",
        "{}",
    ],
)
def test_a_program_is_run_without_its_fence(reply):
    code = "total = 31\ntotal / 2.5"
    assert without_fence(reply.format(code)).strip() == code


def test_of_several_blocks_none_is_chosen_and_a_string_is_no_fence():
    several = "```python\n1\n```\nor\n```python\n2\n```"
    assert without_fence(several) == several
    code = 'text = "``` a ```"\n12.4'
    assert without_fence(code) == code


@pytest.mark.parametrize("fence", ["```python\n{}\n```", "```\n{}\n```", "Code:\n```python\n{}\n```", "{}"])
def test_a_fenced_program_answers_its_question(fence):
    item = task("program").item
    assert scoring.outcome_of(item, scoring.given_by(item, fence.format("x = 1949\nx / 2"), 1), None).reward == 1
    assert scoring.outcome_of(item, scoring.given_by(item, fence.format("x = 1950\n-x / 2"), 1), None).reward == 0

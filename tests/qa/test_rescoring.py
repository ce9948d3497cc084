"""Records are scored anew from what stands in them, under both profiles."""

import random

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import ResultRecord, Step, Trajectory, TurnRecord, from_line, to_line
from bizgym.envs.qa import scoring
from bizgym.envs.qa.difficulty import Features
from bizgym.envs.qa.items import Item
from bizgym.envs.qa.tasks import QATasks, task_of_item

SPECS = {
    "number": {"kind": "number", "value": 1234, "unit": "USD", "scale": 1000},
    "formula": {"kind": "formula", "value": 974.5, "abs_tol": 0.05},
    "program": {"kind": "program", "value": 974.5, "rel_tol": 0.01},
    "choice": {"kind": "choice", "value": "B", "options": ["to defer it", "to expense it", "to do nothing"]},
    "labels": {"kind": "labels", "value": ["Goodwill", "Revenues"], "options": ["Goodwill", "Revenues", "Assets"]},
    "span": {"kind": "span", "value": "straight-line method"},
}
VALUES = {  # the answer, and whether it is right under paper and under strict
    "number": [("1,234 thousand", 1, 1), ("The answer is $1.234 million.", 1, 0), ("(1,234)", 0, 0)],
    "formula": [(974.5, 1, 1), ("NPV = 974.55", 1, 0), ("about 975", 0, 0)],
    "program": [(974.5, 1, 1), (980, 1, 0), (1_000.0, 0, 0)],
    "choice": [("B because it is small", 1, 1), ("A fair answer. Verdict: B", 1, 1), ("A or B", 0, 0)],
    "labels": [('["Goodwill", "Revenues"]', 1, 1), ("1. goodwill\n2. revenues", 1, 1), ("Revenues, Goodwill", 0, 0)],
    "span": [("Straight-line method.", 1, 1), ("declining balance", 0, 0), ("", 0, 0)],
}


def task(kind):
    return task_of_item(
        Item(
            item_id=kind,
            capability="information_extraction",
            band="easy",
            split="test",
            features=Features(),
            question="What is it?",
            answer=scoring.AnswerSpec.model_validate(SPECS[kind]),
            family="by hand",
        )
    )


def record(kind, value):
    call = {"name": "answer", "arguments": {"value": value}}
    taken = ResultRecord(id="call_1_0", name="answer", ok=True, code="", content="The answer is taken.")
    turn = TurnRecord(text="", calls=[call])
    step = Step(turn=turn, results=[taken], observation="", reward=0.0, components={}, error="")
    return Trajectory(
        env_id="bizgym/EnterpriseQA-v0",
        env_kwargs={},
        task_id=kind,
        trial=0,
        seed=0,
        agent={"name": "a"},
        version={"bizgym": "0", "task_set_hash": "0"},
        stop_reason=StopReason.ENV_DONE,
        terminated=True,
        truncated=False,
        reward=0.0,
        metrics={},
        final_digest="",
        n_steps=1,
        first_observation="Question: what is it? " * 200,
        steps=[step],
    )


@pytest.fixture
def _questions(monkeypatch):
    tasks = QATasks(map(task, SPECS))
    monkeypatch.setattr(scoring, "shipped_tasks", lambda: tasks)


def lines(n, rng):
    """Records as lines, and what each is worth under both profiles."""
    played = [(kind, *rng.choice(VALUES[kind])) for kind in rng.choices(list(SPECS), k=n)]
    return [to_line(record(kind, value)) for kind, value, *_ in played], [
        (paper, strict) for *_, paper, strict in played
    ]


@pytest.mark.usefixtures("_questions")
def test_records_are_scored_by_what_stands_in_them():
    written, worth = lines(500, random.Random(5))
    found = [scoring.outcome_of_record(from_line(line)).metrics for line in written]
    assert [(each["correct_paper"], each["correct_strict"]) for each in found] == worth

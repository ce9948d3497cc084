"""Rows of public sets in further forms that files have: line breaks, CSV, scales in words, spans, one bad question."""

import json

import gymnasium as gym
import pytest
from bizgym.envs.qa.generated import generated_item
from bizgym.envs.qa.loaders import imported_items
from bizgym.envs.qa.loaders.files import split_of
from bizgym.envs.qa.observation import form_of
from bizgym.envs.qa.scoring import grade
from bizgym.evaluators.cli import main

BIZBENCH = {"question": "What was revenue?", "answer": "4,120", "task": "SEC-NUM", "options": None, "program": None}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path / "cache"))
    return tmp_path


def imported(folder, name, file, rows, *more):
    path = folder / file
    lines = file.endswith(".jsonl")
    text = "\n".join(json.dumps(each) for each in rows) if lines else json.dumps(rows)
    path.write_text(text, encoding="utf-8")
    assert main(["data", "import", name, str(path), *more]) == 0
    return imported_items(name)


@pytest.mark.parametrize("break_", ["\u2028", "\u2029", "\u0085"])
def test_a_set_whose_text_holds_a_unicode_line_break_can_be_read_after_its_import(folder, break_):
    items = imported(folder, "bizbench", "test.jsonl", [{**BIZBENCH, "context": f"Revenue{break_}was $4,120."}])
    assert len(items) == 1


def test_json_lines_are_split_at_line_feeds_alone(folder):
    row = json.dumps({**BIZBENCH, "context": "Revenue\u2028was $4,120."}, ensure_ascii=False)
    (folder / "test.jsonl").write_text(row + "\n", encoding="utf-8")
    assert main(["data", "import", "bizbench", str(folder / "test.jsonl")]) == 0


def test_knowledge_questions_survive_csv(folder):
    """BizBench says that it reads CSV; there its options are the text of a list."""
    text = (
        "question,answer,task,context,options,program\n\"Which ratio?\",1,FinKnow,,\"['Gearing', 'Current ratio']\",\n"
    )
    (folder / "test.csv").write_text(text, encoding="utf-8")
    assert main(["data", "import", "bizbench", str(folder / "test.csv")]) == 0
    assert [each.answer.kind for each in imported_items("bizbench")] == ["choice"]


def tatqa(folder, *questions):
    table = {"uid": "t", "table": [["", "2020", "2019"], ["Deferred revenue", "1,734", "1,602"]]}
    row = {"table": table, "paragraphs": [], "questions": list(questions)}
    return {each.item_id: each for each in imported(folder, "tatqa", "tatqa_dev.json", [row])}


def spans(*values):
    return {"uid": "q1", "question": "Which?", "answer": list(values), "answer_type": "multi-span", "scale": ""}


def test_several_spans_can_be_answered_in_the_form_that_is_asked_for(folder):
    answer = tatqa(folder, spans("1,734", "1,602"))["tatqa.q1"].answer
    form = form_of(answer)
    assert "marked places" not in form  # nothing is marked in TAT-QA, and no labels stand above
    assert "separated by commas" not in form or grade("1,734, 1,602", answer).correct


def test_a_span_in_percent_is_strictly_right_as_it_stands_in_the_text(folder):
    asked = {"uid": "q1", "question": "How much?", "answer": ["12.5%"], "answer_type": "span", "scale": ""}
    assert grade("12.5%", tatqa(folder, asked)["tatqa.q1"].answer, "strict").correct is True


def test_one_bad_question_does_not_drop_the_others_of_its_row(folder):
    good = {"uid": "q2", "question": "How much?", "answer": ["a note"], "answer_type": "span", "scale": ""}
    assert len(tatqa(folder, spans("a", "b"), "bad", good)) == 2


def test_an_answer_in_the_scale_that_the_question_names_is_right(folder):
    row = {
        "financebench_id": "f1",
        "question": "What is the FY2018 capital expenditure amount (in USD millions)?",
        "answer": "$1577.00",
        "evidence": [],
    }
    (item,) = imported(folder, "financebench", "open.jsonl", [row], "--accept-licence")
    assert grade("$1,577 million", item.answer).correct is True


def test_a_percentage_of_finqa_says_whether_percent_or_a_ratio_is_asked_for(folder):
    """The row holds `answer: 12.5%` beside `exe_ans: 0.125`; without a unit the prompt leaves it open."""
    asked = {
        "question": "what is the percentage change?",
        "program": "divide(1,8)",
        "exe_ans": 0.125,
        "answer": "12.5%",
    }
    (item,) = imported(folder, "finqa", "test.json", [{"id": "A", "qa": asked}])
    assert item.answer.unit in ("ratio", "percent")


@pytest.mark.parametrize("name", ["train_latest", "train_retrieval", "developer_train"])
def test_a_file_for_training_is_not_taken_for_a_test(name):
    assert split_of(name) == "train"


def test_covenant_headroom_does_not_exceed_all_of_ebitda():
    """Total Net Debt is negative here: no fall of EBITDA short of a loss breaks the covenant."""
    item = generated_item(3890, "numerical_calculation", "hard")
    assert item.family != "covenant_headroom" or float(item.answer.value) <= 100


def test_the_hash_of_mixed_tasks_knows_the_imported_ones(folder):
    """Otherwise a run over both goes on under its old key after the set was imported anew with other golds."""
    hashes = set()
    for gold in ("4,120", "4,121"):
        (item,) = imported(folder, "bizbench", "test.jsonl", [{**BIZBENCH, "answer": gold, "context": "x"}])
        env = gym.make("bizgym/EnterpriseQA-v0", tasks=["ie-easy-01", item.item_id], disable_env_checker=True)
        hashes.add(env.unwrapped.task_set_hash)
    assert len(hashes) == 2

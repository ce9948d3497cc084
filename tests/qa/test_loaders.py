"""Public sets become items of one form; the rows under `public/` are written by us in the forms of the sets."""

import json
from pathlib import Path

import pytest
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.qa.difficulty import band_of, difficulty
from bizgym.envs.qa.loaders import SOURCES, import_set, imported_items, summary_of
from bizgym.envs.qa.loaders.errata import errata
from bizgym.envs.qa.loaders.files import hub_parts, split_of
from bizgym.envs.qa.loaders.public_set import markdown, number_in, slug

from .questions import Questions

PUBLIC = Path(__file__).with_name("public")
EXPECTED = {
    "bizbench": (4, {"task FormulaEval": 1, "the gold is none of the options": 1}),
    "convfinqa": (4, {"the gold is no number": 1, "turns and answers differ in number": 1}),
    "docfinqa": (1, {"no text in Context": 1}),
    "financebench": (2, {"the answer is prose": 1}),
    "finer": (2, {"no tagged number": 1, "tags are numbers without names": 1}),
    "finqa": (3, {"no question": 1, "the gold is no number": 1}),
    "formula": (1, {"known error": 2, "the target is no number": 1}),
    "tatqa": (8, {"the gold is no number": 1, "no questions": 1}),
}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path / "cache"))


def imported(name, path=None):
    summary = import_set(SOURCES[name], path or PUBLIC / name, revision=None, accept=True)
    return summary, {each.meta["id"]: each for each in imported_items(name)}


def test_every_set_has_rows_to_read():
    assert sorted(EXPECTED) == sorted(SOURCES) == sorted(each.name for each in PUBLIC.iterdir())


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_rows_become_items_and_the_others_are_counted_by_reason(name):
    summary, items = imported(name)
    n, left_out = EXPECTED[name]
    assert (summary["items"], summary["left_out"]) == (n, left_out)
    assert len(items) == n == summary["train"] + summary["test"]
    assert summary_of(SOURCES[name])["items"] == n
    for item in items.values():
        assert item.item_id.startswith(f"{name}.")
        assert (item.source, item.band) == (name, band_of(difficulty(item.features)))
        assert item.licence.split()[0] in SOURCES[name].licence


def test_finqa_is_a_page_with_its_table():
    _, items = imported("finqa")
    item = items["KTL/2019/page_31.pdf-1"]
    assert (item.split, item.answer.kind, item.answer.value, item.answer.rel_tol) == (
        "train",
        "program",
        "0.01639",
        0.01,
    )
    assert [each.section_id for each in item.sections] == ["before", "table", "after"]
    assert "| net revenue | $ 5829 | $ 5735 |" in item.sections[1].text
    assert (item.features.steps, item.code) == (2, True)
    yes = items["KTL/2019/page_31.pdf-2"]
    assert (yes.answer.kind, yes.answer.value, yes.answer.options, yes.code) == ("choice", "yes", ["yes", "no"], False)


def test_a_conversation_shows_what_was_said_before():
    _, items = imported("convfinqa")
    last = items["Single_KTL/2019/page_31.pdf-1_2"]
    assert last.question.startswith("Earlier in this conversation:\nQ: what was rent expense in 2019 ?\nA: 41\n")
    assert last.question.endswith("Now: what is the change ?")
    assert items["Single_KTL/2019/page_31.pdf-1_0"].question == "what was rent expense in 2019 ?"


def test_tatqa_keeps_scale_and_unit():
    _, items = imported("tatqa")
    found = {
        key: (each.answer.kind, each.answer.value, each.answer.scale, each.answer.unit) for key, each in items.items()
    }
    assert found["q-1"] == ("number", "1734", 1000, None)
    assert found["q-2"] == ("program", "132", 1000, None)
    assert found["q-3"] == ("labels", ["prepaid support contracts", "loyalty points"], 1, None)
    assert found["q-4"] == ("program", "8.24", 1, "percent")
    assert found["q-5"] == ("span", "within twelve months", 1, None)
    assert found["q-7"] == ("number", "2", 1, None)
    assert found["q-8"] == ("program", "1500.0", 1000000, None)
    assert items["q-1"].sections[1].text.startswith("Deferred revenue arises")


def test_bizbench_by_task():
    _, items = imported("bizbench")
    kinds = sorted((each.family, each.answer.kind, str(each.answer.value)) for each in items.values())
    assert kinds == [
        ("FinCode", "program", "1800.0"),
        ("FinKnow", "choice", "B"),
        ("SEC-NUM", "number", "4120"),
        ("TAT-QA (E)", "span", "the audit firm"),
    ]


def test_finer_marks_the_numbers():
    _, items = imported("finer")
    item = items["11"]
    assert item.sections[0].text == "Interest expense was $ [1: 4.2] million and the loan matures in [2: 5] years ."
    assert item.answer.value == ["InterestExpense", "DebtInstrumentTerm"]
    assert items["13"].sections[0].text == "Lease cost was [1: 7.5 8.1] ."
    assert items["13"].answer.options == ["OperatingLeaseCost"]


def test_a_whole_filing_is_long():
    _, items = imported("docfinqa")
    assert next(iter(items.values())).context_characters > 60_000


@pytest.mark.parametrize(
    ("name", "original", "value"),
    [
        ("finqa", "ANSS/2008/page_89.pdf-1", 4.26),
        ("convfinqa", "Double_AOS/2004/page_11.pdf_0", 0.52772),
        ("tatqa", "c91ad938-6ad1-4481-8f6b-43ccd2f69926", -1.9),
    ],
)
def test_known_errors_are_corrected_with_their_evidence(name, original, value):
    summary, items = imported(name)
    assert items[original].answer.value == value
    assert summary["corrected"] == 1
    assert len(items[original].meta["erratum"]) > 20


def test_an_error_that_its_publisher_has_mended_is_left_alone(tmp_path):
    rows = json.loads((PUBLIC / "finqa" / "test.json").read_text(encoding="utf-8"))
    rows[1]["qa"]["exe_ans"] = 4.3
    (tmp_path / "test.json").write_text(json.dumps(rows), encoding="utf-8")
    summary, items = imported("finqa", tmp_path / "test.json")
    assert (items["ANSS/2008/page_89.pdf-1"].answer.value, summary["corrected"]) == ("4.3", 0)


def test_every_erratum_is_of_a_set_and_says_why():
    assert set(errata()) <= set(SOURCES)
    assert sum(map(len, errata().values())) >= 5


def test_a_set_that_is_not_there_names_the_command():
    with pytest.raises(
        DataError, match=r"finqa has not been imported; fetch .* and run: bizgym data import finqa PATH"
    ):
        imported_items("finqa")


def test_a_licence_that_is_to_be_accepted_is_asked_for():
    with pytest.raises(SettingError, match=r"non-commercial .*add --accept-licence"):
        import_set(SOURCES["financebench"], PUBLIC / "financebench", revision=None, accept=False)


def test_the_hub_is_read_at_a_commit_alone():
    with pytest.raises(SettingError, match=r"name the commit to read with --revision"):
        list(hub_parts(SOURCES["bizbench"], None))
    with pytest.raises(SettingError, match=r"finqa: it is not on the hub; fetch dataset/train.json"):
        list(hub_parts(SOURCES["finqa"], None))


def test_the_hub_is_asked_for_the_pinned_commit(monkeypatch):
    asked = []

    class Rows(list):
        features: dict = {}  # noqa: RUF012

    class Hub:
        @staticmethod
        def load_dataset(hub_id, revision):
            asked.append((hub_id, revision))
            return {"test": Rows(json.loads((PUBLIC / "docfinqa" / "test.json").read_text(encoding="utf-8")))}

    monkeypatch.setitem(__import__("sys").modules, "datasets", Hub)
    summary = import_set(SOURCES["docfinqa"], None, revision=None, accept=False)
    assert asked == [("kensho/DocFinQA", "64ebaff62f692495bcc182f45cf9a9606251b19b")]
    assert (summary["items"], summary["parts"][0]["digest"]) == (1, asked[0][1])


def test_a_hub_that_cannot_be_reached_names_the_mend(monkeypatch):
    class Hub:
        @staticmethod
        def load_dataset(hub_id, revision):
            raise ConnectionError("no network")

    monkeypatch.setitem(__import__("sys").modules, "datasets", Hub)
    with pytest.raises(DataError, match=r"ConnectionError.*bizgym data import docfinqa PATH"):
        import_set(SOURCES["docfinqa"], None, revision=None, accept=False)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("rows.json", "{", "not JSON"),
        ("rows.json", "[1, 2]", "a list of objects"),
        ("rows.jsonl", "[]\n3\n", "a list of objects"),
        ("rows.json", "[]", "no row fits this set \\(no rows\\)"),
        ("rows.json", '[{"id": 3}]', "no question \\(1\\)"),
        ("rows.json", '[{"id": 3, "qa": {"question": "q", "exe_ans": "prose"}}]', "the gold is no number"),
        (
            "rows.json",
            '[{"id": 3, "qa": {"question": "q", "exe_ans": 1, "gold_inds": 4}}]',
            "another form \\(TypeError\\)",
        ),
        ("rows.txt", "x", "one of .json, .jsonl, .csv is read"),
    ],
)
def test_files_of_another_form_are_refused(tmp_path, name, text, message):
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=message):
        import_set(SOURCES["finqa"], tmp_path / name, revision=None, accept=False)


def test_an_empty_folder_and_a_missing_file_are_refused(tmp_path):
    with pytest.raises(DataError, match="holds no file"):
        import_set(SOURCES["finqa"], tmp_path, revision=None, accept=False)
    with pytest.raises(DataError, match="there is no such file or folder"):
        import_set(SOURCES["finqa"], tmp_path / "none.json", revision=None, accept=False)


def test_rows_with_one_id_stay_apart(tmp_path):
    row = json.loads((PUBLIC / "finqa" / "train.json").read_text(encoding="utf-8"))[0]
    (tmp_path / "train.json").write_text(json.dumps([row, row]), encoding="utf-8")
    import_set(SOURCES["finqa"], tmp_path, revision=None, accept=False)
    assert [each.item_id for each in imported_items("finqa")] == [
        "finqa.KTL-2019-page_31-pdf-1",
        "finqa.KTL-2019-page_31-pdf-1.2",
    ]


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1,234.5", "1234.5"),
        ("(12)", "-12"),
        ("$ 3", "3"),
        ("5%", "5"),
        ("-2", "-2"),
        ("n/a", None),
        (True, None),
        ("inf", None),
    ],
)
def test_numbers_of_rows(value, number):
    found = number_in(value)
    assert (None if found is None else str(found)) == number


def test_small_things():
    assert split_of("tatqa_dataset_dev") == split_of("test") == split_of("validation") == "test"
    assert split_of("train") == "train"
    assert slug("../../etc/passwd") == "etc-passwd"
    assert slug("///") == "row"
    assert markdown([["a", "b|c"], ["1"]]) == "| a | b/c |\n|---|---|\n| 1 |  |"
    assert markdown("none") == markdown([]) == ""


def test_an_imported_set_is_played_and_its_records_are_scored(tmp_path):
    import gymnasium as gym

    with pytest.raises(DataError, match="bizgym data import finqa PATH"):
        Questions(source="finqa", split="test")
    imported("finqa")
    env = Questions(source="finqa", split="test")
    assert isinstance(env, gym.Env)
    assert env.task_ids == ("finqa.KTL-2019-page_31-pdf-2", "finqa.ANSS-2008-page_89-pdf-1")
    observation, _ = env.reset(seed=0, options={"task_id": "finqa.KTL-2019-page_31-pdf-2"})
    assert "A) yes\nB) no" in observation
    assert env.step({"name": "answer", "arguments": {"value": "yes"}})[1] == 1.0
    before = env.task_set_hash
    rows = json.loads((PUBLIC / "finqa" / "test.json").read_text(encoding="utf-8"))
    (tmp_path / "test.json").write_text(json.dumps(rows[:1]), encoding="utf-8")
    imported("finqa", tmp_path / "test.json")
    assert Questions(source="finqa", split="test").task_set_hash != before

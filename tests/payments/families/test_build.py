"""What is stored is built from cases and rules, byte for byte, and is stale once what it was built from changes."""

import json
import shutil
from functools import cache
from pathlib import Path

import bizgym.data
import pytest
import yaml
from bizgym.envs.core.data import parse
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.content import Content, packaged
from bizgym.envs.payments.families.__main__ import main
from bizgym.envs.payments.families.build import Builder
from bizgym.envs.payments.families.files import CANARY, as_file
from bizgym.envs.payments.families.stale import stale
from bizgym.envs.payments.lineage import changes

FOLDER = Path(bizgym.data.__path__[0]) / "payments"
TASKS = list(packaged().tasks.ids)


@cache
def builder():
    return Builder(FOLDER)


def copied(tmp_path):
    """A copy of the folder of content, to change."""
    return Path(shutil.copytree(FOLDER, tmp_path / "payments"))


def change_rule(folder, name, **fields):
    """Change fields of a rule row in its file."""
    for place in sorted((folder / "rules").glob("*.yaml")):
        rows = parse(place.read_text(encoding="utf-8"), place.name)
        if any(row["id"] == name for row in rows):
            rows = [{**row, **fields} if row["id"] == name else row for row in rows]
            place.write_text(yaml.safe_dump(rows), encoding="utf-8")


def stale_in(folder, task_id):
    content = Content(folder)
    task = content.tasks.get(task_id)
    return list(stale(task, content.setting(task)))


@pytest.mark.parametrize("task_id", TASKS)
def test_every_stored_file_is_what_its_case_leads_to(task_id):
    assert list(builder().differences(task_id)) == []


def test_every_stored_task_and_world_has_a_case():
    assert builder().task_ids == sorted(TASKS)
    worlds = {builder().case(task_id).world for task_id in TASKS}
    assert {each.stem for each in (FOLDER / "worlds").glob("*.yaml")} == worlds


def test_both_families_have_tasks_to_train_on_to_validate_with_and_to_test_with():
    splits = {}
    for task in packaged().tasks:
        splits.setdefault(task.family, []).append(task.split)
    wanted = ["test", "train", "train", "validation"]
    assert {family: sorted(found) for family, found in splits.items()} == {
        "payout_run": wanted,
        "reserve_release": wanted,
    }


def test_the_test_task_of_the_releases_has_traps_and_a_place_that_no_other_one_has():
    of_family = [builder().case(each) for each in TASKS if each.startswith("release_")]
    (held_out,) = [each for each in of_family if each.split == "test"]
    others = [each for each in of_family if each.split != "test"]
    assert not {held_out.merchant.jurisdiction} & {each.merchant.jurisdiction for each in others}
    assert not {held_out.merchant.segment} & {each.merchant.segment for each in others}
    known = {trap for each in others for trap in each.traps}
    assert set(held_out.traps) - known == {"not_yet_in_force", "route_not_offered", "lapsed_approval"}


@pytest.mark.parametrize("part", ["cases", "tasks", "worlds"])
def test_every_file_has_the_canary(part):
    files = list((FOLDER / part).glob("*.yaml"))
    assert len(files) == len(TASKS)
    assert [each.name for each in files if not each.read_text(encoding="utf-8").startswith(CANARY)] == []


@pytest.mark.parametrize("task_id", TASKS)
def test_a_stored_task_stands_on_what_it_was_built_from(task_id):
    task = packaged().tasks.get(task_id)
    assert {each.breaks for each in task.counterexamples} == {each.id for each in task.checks}
    assert {rule for each in task.checks for rule in each.rules} <= set(task.built_from.rules)
    assert set(task.gold_documents) <= set(task.built_from.documents)
    assert all(each.log for each in task.goldens)
    assert list(stale(task, packaged().setting(task))) == []


@pytest.mark.parametrize(
    ("task_id", "rule", "minor", "check", "document"),
    [
        ("payout_tidewater", "R-FLOOR-USD-2", 900_000, "F6", "D-0312"),
        ("release_tarnbrook", "R-REVIEW-FEE-USD-3", 5_900, "P4", None),
    ],
)
def test_a_changed_rule_is_named_by_all_that_rests_on_it_until_it_is_built_anew(
    tmp_path, task_id, rule, minor, check, document
):
    folder = copied(tmp_path)
    change_rule(folder, rule, value={"minor": minor, "currency": "USD"})
    found = stale_in(folder, task_id)
    read = document or next(each for each in found if "reads otherwise" in each).split()[2]
    assert any(f"document {read} reads otherwise" in each and rule in each for each in found)
    assert any("golden path 0 rests on" in each and rule in each for each in found)
    assert any(f"the counterexample of {check} rests on" in each and rule in each for each in found)
    assert all(f"python -m bizgym.envs.payments.families {task_id}" in each for each in found)
    before = (folder / "tasks" / f"{task_id}.yaml").read_bytes()
    assert main(["--folder", str(folder), "--check", task_id]) == 1
    assert main(["--folder", str(folder), task_id]) == 0
    assert (folder / "tasks" / f"{task_id}.yaml").read_bytes() != before
    assert stale_in(folder, task_id) == []
    assert main(["--folder", str(folder), "--check", task_id]) == 0


def test_a_rule_that_is_added_to_a_key_is_noticed(tmp_path):
    folder = copied(tmp_path)
    place = folder / "rules" / "payouts.yaml"
    rows = parse(place.read_text(encoding="utf-8"), place.name)
    (row,) = [each for each in rows if each["id"] == "R-FLOOR-RISK-USD-1"]
    added = {**row, "id": "R-FLOOR-KEY-USD-1", "scope": {"segment": "key_account", "currency": "USD"}}
    place.write_text(yaml.safe_dump([*rows, added]), encoding="utf-8")
    content = Content(folder)
    task = content.tasks.get("payout_tidewater")
    assert [(each.part, each.name) for each in changes(task.built_from, content.setting(task))] == [
        ("key", "cash_floor")
    ]


def test_a_world_and_a_generator_that_are_others_are_noticed(tmp_path):
    folder = copied(tmp_path)
    place = folder / "worlds" / "tidewater.yaml"
    place.write_text(place.read_text(encoding="utf-8").replace("Ines Halloran", "Inez Halloran"), encoding="utf-8")
    content = Content(folder)
    task = content.tasks.get("payout_tidewater")
    older = task.built_from.changed(generator="0")
    assert [each.part for each in changes(older, content.setting(task))] == ["generator", "world"]


def test_a_rule_that_nothing_rests_on_makes_nothing_stale(tmp_path):
    folder = copied(tmp_path)
    change_rule(folder, "R-CCD-1", value=21)
    assert stale_in(folder, "payout_tidewater") == []


def test_a_case_of_no_family_and_one_that_breaks_its_form_are_refused(tmp_path):
    folder = copied(tmp_path)
    place = folder / "cases" / "payout_tidewater.yaml"
    text = place.read_text(encoding="utf-8")
    place.write_text(text.replace("family: payout_run", "family: payout_runs"), encoding="utf-8")
    with pytest.raises(DataError, match=r"cases/payout_tidewater\.yaml\.family: one of payout_run, reserve_release"):
        Builder(folder).case("payout_tidewater")
    place.write_text(text.replace("named_cap: 4500", "named_cap: -1"), encoding="utf-8")
    with pytest.raises(DataError, match="named_cap"):
        Builder(folder).case("payout_tidewater")


@pytest.mark.parametrize(
    "value",
    [
        "no",
        "Yes",
        "null",
        "a: b",
        "# x",
        "",
        " a",
        "0-9",
        "12",
        "1e3",
        "é – ü",
        "it's",
        '"',
        "a-",
        "x\ny",
        "2026-10-05",
    ],
)
def test_a_text_is_read_back_as_it_was_written(value):
    data = {"a": value, "list": [value, {"b": value}], "long": {"text": value * 40, "more": [value] * 60}}
    assert parse(as_file(data), "x.yaml") == data


def test_values_of_every_type_are_read_back_and_lines_are_short_where_they_can_be():
    record = {"id": "RSV-1", "amount": {"minor": 5, "currency": "USD"}, "file": None, "held": True, "none": []}
    data = {"reserve": [record] * 3, "deep": {"all": [{"eq": [{"field": ["RSV-1", "state"]}, "held"]}] * 9}}
    data["nested"] = [[["x" * 40] * 4, {"y": ["z" * 90] * 2}]] * 2
    text = as_file(data)
    assert parse(text, "x.yaml") == json.loads(json.dumps(data))
    assert max(map(len, text.removeprefix(CANARY).splitlines())) <= 120

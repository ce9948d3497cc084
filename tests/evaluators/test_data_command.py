"""`bizgym data`: what it prints, what it refuses, and that what was imported can be played."""

import json
from pathlib import Path

import pytest
from bizgym.evaluators.cli import main

PUBLIC = Path(__file__).parents[1] / "qa" / "public"


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("BIZGYM_CACHE", str(tmp_path / "cache"))


def test_importing_prints_what_came_of_it(capsys):
    assert main(["data", "import", "finqa", str(PUBLIC / "finqa")]) == 0
    out = capsys.readouterr().out
    assert "finqa: 3 items (1 train, 2 test), MIT" in out
    assert "1 known error corrected" in out
    assert "left out: 1 row, no question" in out
    assert "bizgym run env=qa env.source=finqa" in out


def test_as_json(capsys):
    assert main(["data", "import", "formula", str(PUBLIC / "formula"), "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["ok"], content["rows"][0]["items"]) == (True, 1)
    assert main(["data", "list", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert (rows["formula"]["items"], rows["finqa"]["items"]) == (1, None)
    assert all(row["licence"] and row["home"].startswith("https://") for row in rows.values())


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["import"], 2, "name a set: bizbench"),
        (["import", "finqua"], 2, "Did you mean 'finqa'?"),
        (["import", "finqa"], 2, "it is not on the hub"),
        (["import", "financebench", str(PUBLIC / "financebench")], 2, "--accept-licence"),
        (["import", "finqa", str(PUBLIC / "none")], 1, "there is no such file or folder"),
    ],
)
def test_what_cannot_be_imported_says_why(capsys, arguments, status, message):
    assert main(["data", *arguments]) == status
    assert message in " ".join(capsys.readouterr().err.split())

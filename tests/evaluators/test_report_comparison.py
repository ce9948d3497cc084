"""`bizgym report` on several runs: the page, the terminal and the JSON say the same about who is how good."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bizgym.evaluators.cli import main
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import driven
from tests.fixtures.contestants import GPT, SONNET, MakeRun, played

TASKS = [f"t{k:02}" for k in range(12)]


class Said(NamedTuple):
    status: int
    out: str
    err: str


@pytest.fixture
def bizgym(capsys: pytest.CaptureFixture[str]) -> Callable[..., Said]:
    def call(*arguments: str) -> Said:
        capsys.readouterr()
        status = main(list(arguments))
        return Said(status, *capsys.readouterr())

    return call


@pytest.fixture
def three(make_run: MakeRun, tmp_path: Path) -> list[str]:
    """Two models of one method and another method, a run each, twelve tasks; `ace` learns."""
    runs = []
    for name, client, wins in (("cot", GPT, 4), ("cot", SONNET, 6), ("ace", GPT, 10)):
        use = {"act": {"calls": 2, "input": 900, "output": 100, "cost": 0.01}}
        if name == "ace":
            use["reflect@adaptation"] = {"calls": 6, "input": 2_700, "output": 300, "cost": 0.03}
        rows = [played(name, task, 0, float(k < wins), client=client, usage=use) for k, task in enumerate(TASKS)]
        runs.append(str(make_run(tmp_path / f"run-{len(runs)}", rows).path))
    return runs


def test_three_runs_are_one_leaderboard(bizgym: Callable[..., Said], three: list[str]) -> None:
    said = bizgym("report", *three, "--json")
    content = json.loads(said.out)
    rows = content["rows"]
    assert (said.status, said.err, content["ok"]) == (0, "", True)
    assert [row["agent"] for row in rows] == ["ace", "cot (anthropic sonnet)", "cot (openai gpt-4.1)"]
    assert [row["score"] for row in rows] == pytest.approx([10 / 12, 6 / 12, 4 / 12])
    assert [row["calls"] for row in rows] == [8.0, 2.0, 2.0]
    assert [row["adaptation_share"] for row in rows] == [0.75, 0.0, 0.0]
    assert [row["cost"] for row in rows] == pytest.approx([0.04, 0.01, 0.01])
    assert [(row["left"], row["right"], row["wins"], row["losses"]) for row in content["against_best"]] == [
        ("cot (anthropic sonnet)", "ace", 0, 4),
        ("cot (openai gpt-4.1)", "ace", 0, 6),
    ]


def test_plain_lines_say_what_json_says(bizgym: Callable[..., Said], three: list[str]) -> None:
    lines = bizgym("report", *three).out.splitlines()
    head = lines.index(next(line for line in lines if line.endswith(": scores"))) + 1
    columns = lines[head].split("\t")
    shown = dict(zip(columns, lines[head + 1].split("\t"), strict=True))
    assert {name: shown[name] for name in ("agent", "score", "tasks", "n")} == {
        "agent": "ace", "score": "0.833", "tasks": "12", "n": "12",
    }  # fmt: skip
    assert lines[-1].startswith("Report: ")


def test_two_agents_are_compared_by_name(bizgym: Callable[..., Said], three: list[str]) -> None:
    said = bizgym("report", *three, "--compare", "ace", "sonnet", "--json")
    (row,) = json.loads(said.out)["compared"]
    assert (row["left"], row["right"], row["n"], row["tasks"]) == ("ace", "cot (anthropic sonnet)", 12, 12)
    assert row["difference"] == pytest.approx(4 / 12)
    assert (row["wins"], row["losses"], row["ties"]) == (4, 0, 8)
    assert row["ci95"] == [1 / 12, 7 / 12]  # the 2.5 % and 97.5 % quantiles of Binomial(12, 1/3) are 1 and 7
    plain = bizgym("report", *three, "--compare", "ace", "sonnet").out
    assert "ace is ahead, since the interval of the difference leaves 0 out." in plain


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["ace", "cot"], "'cot' fits several agents: cot (openai gpt-4.1), cot (anthropic sonnet)"),
        (["ace", "react"], "there is no agent 'react'"),
    ],
)
def test_a_name_that_fits_no_one_agent_is_refused(
    names: list[str], message: str, bizgym: Callable[..., Said], three: list[str]
) -> None:
    said = bizgym("report", *three, "--compare", *names)
    assert (said.status, said.out) == (2, "")
    assert message in said.err


def test_the_page_shows_the_leaderboard_the_scatter_and_the_pairs(
    three: list[str], bizgym: Callable[..., Said], read_page: Callable[[Path], Any], tmp_path: Path
) -> None:
    bizgym("report", *three, "--out", str(tmp_path / "page.html"))
    page = read_page(tmp_path / "page.html")
    (scores,) = [rows for caption, rows in page.tables.items() if caption.startswith("Scores in")]
    assert [row["agent"] for row in scores] == ["ace", "cot (anthropic sonnet)", "cot (openai gpt-4.1)"]
    assert [float(row["score #"]) for row in scores] == pytest.approx([10 / 12, 6 / 12, 4 / 12])
    (use,) = [rows for caption, rows in page.tables.items() if caption.startswith("Use in")]
    assert [(row["model"], row["calls"], row["cost"], row["feedback"]) for row in use] == [
        ("openai gpt-4.1", "8", "0.040", "none"),
        ("anthropic sonnet", "2", "0.010", "none"),
        ("openai gpt-4.1", "2", "0.010", "none"),
    ]
    assert "Score with 95 % interval against cost (n = 12 scored episodes an agent)" in page.html
    (pairs,) = json.loads(page.scripts["pairs"])
    assert len(pairs["pairs"]) == 3


def test_an_agent_on_fewer_tasks_is_withheld_on_the_page_too(
    three: list[str], make_run: MakeRun, read_page: Callable[[Path], Any], tmp_path: Path, bizgym: Callable[..., Said]
) -> None:
    few = make_run(tmp_path / "few", [played("lucky", task, 0, 1.0) for task in TASKS[:3]])
    shown = {}
    for flag in ([], ["--partial"]):
        bizgym("report", *three, str(few.path), "--out", str(tmp_path / "page.html"), *flag)
        page = read_page(tmp_path / "page.html")
        (scores,) = [rows for caption, rows in page.tables.items() if caption.startswith("Scores in")]
        shown[bool(flag)] = {row["agent"]: row["score"] for row in scores}["lucky"]
        assert "lucky plays 3 of the 12 tasks: its scores are no match for those of the others." in page.text
    assert shown == {False: "withheld 3 of 12 tasks", True: "1.000 3 of 12 tasks"}


PICK = """
const pick = (side, text) => {
  const select = document.querySelector(`.picker select[data-side="${side}"]`);
  select.value = [...select.options].find((option) => option.text === text).value;
  select.dispatchEvent(new Event('change'));
};
pick(0, 'cot (openai gpt-4.1)'); pick(1, 'ace');
"""


@pytest.mark.browser
def test_the_reader_picks_two_agents(three: list[str], bizgym: Callable[..., Said], dom: Any, tmp_path: Path) -> None:
    bizgym("report", *three, "--out", str(tmp_path / "page.html"))
    page, _ = driven(tmp_path / "page.html", PICK)
    html = dom(page)
    answer = re.search(r'<div class="answer">(.*?)</div>', html, re.DOTALL)
    assert answer is not None
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", answer[1])
    assert cells[:2] == ["reward", "-0.500"]  # seen from the other side than it is stored
    assert cells[3:8] == ["0", "6", "6", "12", "12"]
    assert "The interval leaves 0 out." in answer[1]
    assert "Choose two different agents." in dom(
        driven(tmp_path / "page.html", PICK.replace("(1, 'ace')", "(0, 'ace')"))[0]
    )


def test_a_name_that_would_be_markup_stays_text(
    make_run: MakeRun, read_page: Callable[[Path], Any], tmp_path: Path
) -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    rows = [played(name, task, client=GPT) for name in (evil, "b") for task in TASKS[:2]]
    page = read_page(write_report([make_run(tmp_path / "run", rows)]))
    assert "<img" not in page.html
    assert evil in json.loads(page.scripts["pairs"])[0]["agents"]


SWEEP = ["run", "-m", "env=beer_game", "evaluator.report=false", "progress=off"]


def test_a_sweep_is_reported_by_its_folder_from_anywhere(
    bizgym: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bizgym(*SWEEP, "agent=beer_game/tau8,beer_game/typical", "env.ship_weeks=1,2")
    (folder,) = (tmp_path / "runs" / "sweeps").iterdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    rows = json.loads(bizgym("report", str(folder), "--json").out)["rows"]
    assert [(row["settings"]["ship_weeks"], row["agent"], row["score"]) for row in rows] == [
        (1, "beer_game/tau8", -8_955.0),
        (1, "beer_game/typical", -42_750.0),
        (2, "beer_game/tau8", -25_418.0),
        (2, "beer_game/typical", -99_700.0),
    ]
    moved = tmp_path / "moved"
    shutil.move(tmp_path / "runs" / "default", moved)
    assert "is not there any more" in bizgym("report", str(folder)).err


def test_a_failed_job_of_a_sweep_is_told_and_makes_the_status_1(
    bizgym: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bizgym(*SWEEP, "agent=beer_game/tau8", "env.ship_weeks=1,99")
    (folder,) = (tmp_path / "runs" / "sweeps").iterdir()
    said = bizgym("report", str(folder))
    assert said.status == 1
    assert "env.ship_weeks=99) failed: ship_weeks must be an integer from 1 to 12, got 99" in said.out
    assert "beer_game/tau8\t-8,955" in said.out

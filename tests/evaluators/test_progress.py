"""What a person sees while a run goes on, and the tables after it."""

import re
import sys
from io import StringIO

import pytest
from bizgym.evaluators.progress import RunProgress
from bizgym.evaluators.tables import cell, counted, one_line, print_table

from tests.fixtures.records import record


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: StringIO, mode: str, total: int = 30, errored: int = 0) -> str:
    monkeypatch.setattr(sys, "stderr", stream)
    with RunProgress(mode) as progress:
        for k in range(total):
            reward = None if k < errored else float(k)
            progress.update(record(f"count_{k}", reward=reward), k + 1, total)
    return stream.getvalue()


def test_plain_lines_are_about_ten_and_end_with_the_total(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, StringIO(), "auto").splitlines()
    assert len(lines) == 10
    assert lines[0] == "3/30 episodes, a: mean reward 1 (n=3)"
    assert lines[-1] == "30/30 episodes, a: mean reward 14.5 (n=30)"


def test_errors_are_counted_and_left_out_of_the_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = shown(monkeypatch, StringIO(), "plain", total=4, errored=2).splitlines()
    assert lines[0] == "1/4 episodes, a, 1 errored"
    assert lines[-1] == "4/4 episodes, a: mean reward 2.5 (n=2), 2 errored"


def test_normalized_scores_are_preferred(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with RunProgress("plain") as progress:
        progress.update(record(reward=-5.0, metrics={"normalized": 0.25}), 1, 2)
        progress.update(record(reward=-5.0, metrics={"normalized": 0.75}), 2, 2)
    assert stream.getvalue().splitlines()[-1] == "2/2 episodes, a: mean normalized 0.5 (n=2)"


def test_a_terminal_gets_a_bar_and_a_file_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    bar = shown(monkeypatch, Terminal(), "auto")
    assert "\x1b[" in bar
    assert "30/30" in bar
    assert "\x1b[" not in shown(monkeypatch, StringIO(), "auto")
    assert shown(monkeypatch, Terminal(), "off") == shown(monkeypatch, StringIO(), "off") == ""
    assert "\x1b[" not in shown(monkeypatch, Terminal(), "plain")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (True, "yes"),
        (False, "no"),
        (3, "3"),
        (0.12345, "0.123"),
        (-25_418.0, "-25,418"),
        (999.6, "1e+03"),
        ([1.0, 2.5], "1 .. 2.5"),
        ({"env_done": 3, "timeout": 1}, "env_done 3, timeout 1"),
        ({}, "-"),
        ("two\nlines\tof text", "two lines of text"),
        ("\x1b[2Jclear \ud800", "\\x1b[2Jclear \\ud800"),
        ("café 😀", "café 😀"),
    ],
)
def test_cells_stand_on_one_line_and_command_no_terminal(value: object, text: str) -> None:
    assert cell(value) == text
    assert one_line(cell(value)) == cell(value)


def test_numbers_have_their_nouns() -> None:
    assert [counted(number, "job") for number in (0, 1, 2)] == ["0 jobs", "1 job", "2 jobs"]


def test_a_table_is_tab_separated_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    print_table("title", ["agent", "n"], [["a\tb", 3], ["[bold]c", None]])
    assert capsys.readouterr().out == "# title\nagent\tn\na b\t3\n[bold]c\t-\n"


def test_a_terminal_of_100_columns_shows_names_and_numbers_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stdout", stream)
    monkeypatch.setenv("COLUMNS", "100")
    rows = [["beer_game/pass_through", 0.5, -110_800.0, "malformed_calls 2 " * 9], ["[bold]b", None, 1.0, "x"]]
    print_table("", ["agent", "normalized", "reward", "stop reasons"], rows)
    lines = re.sub(r"\x1b\[\d*m", "", stream.getvalue()).splitlines()
    assert max(map(len, lines)) <= 100
    assert any("beer_game/pass_through" in line and "-110,800" in line for line in lines)
    assert any("[bold]b" in line for line in lines)

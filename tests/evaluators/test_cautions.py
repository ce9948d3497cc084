"""What a reader has to know is told on the terminal, in JSON and on the page: errors, leftovers, answers told."""

import json
from hashlib import sha256

import pytest
from bizgym.envs.core.stop import StopReason
from bizgym.evaluators.cli import main
from bizgym.evaluators.comparison import gather
from bizgym.evaluators.comparison.paired import all_best_fixed, best_fixed
from bizgym.evaluators.comparison.versus import fixed_note

from tests.fixtures.records import record, write_run

MODEL = {"name": "openai", "model": "m"}


def run_of(path, *, feedback="outcome", unreadable=0, trials=2, extra=0):
    """One agent with a model, an episode of four ended by its own error."""
    agent = {"name": "a", "feedback": feedback}
    rows = [
        record(
            f"count_{k}",
            trial=trial,
            agent=agent,
            client=MODEL,
            steps=[],
            reward=0.0 if (k, trial) == (0, 0) else 1.0,
            stop_reason=StopReason.AGENT_ERROR if (k, trial) == (0, 0) else StopReason.ENV_DONE,
        )
        for k in range(2)
        for trial in range(trials + extra)
    ]
    folder = write_run(path, rows, ["count_0", "count_1"], trials=trials)
    state = {"agent": "a", "after": 4, "state": {"unreadable": unreadable, "methods": {"b": {"unreadable": 1}}}}
    if unreadable:
        folder.write_text(state_file(), json.dumps({**state, "before": {"unreadable": 9}}))
    return folder


def state_file():
    return f"agent_state/{sha256(b'a').hexdigest()[:16]}.json"


@pytest.fixture
def told(tmp_path, capsys, read_page):
    """The notes of a report in JSON, each found on the terminal and on the page too."""

    def call(folder):
        assert main(["report", str(folder.path), "--json"]) == 0
        content = json.loads(capsys.readouterr().out)
        assert main(["report", str(folder.path)]) == 0
        terminal = capsys.readouterr().out
        page = read_page(folder.path / "report.html").text
        notes = [row["note"] for row in content["notes"]]
        assert all(note in terminal for note in notes)
        return [note for note in notes if note in page]

    return call


def test_episodes_that_an_agent_broke_are_counted(told, tmp_path):
    assert told(run_of(tmp_path / "run")) == ["a: 1 of 4 episodes ended in agent_error, which counts as play."]


def test_episodes_that_are_not_asked_for_any_more_are_counted(told, tmp_path):
    found = told(run_of(tmp_path / "run", trials=1, extra=2))
    assert found[-1] == "4 episodes on disk are not part of what was last asked for and are left out."


def test_later_trials_after_the_answer_are_no_test(told, tmp_path):
    assert any("told the answer after each trial" in note for note in told(run_of(tmp_path / "two", feedback="gold")))
    once = told(run_of(tmp_path / "one", feedback="gold", trials=1))
    assert not any("told the answer" in note for note in once)


def test_replies_that_could_not_be_read_are_counted_with_the_file(told, tmp_path):
    folder = run_of(tmp_path / "run", unreadable=2)
    lost = "a: 3 replies of its model could not be read and changed nothing, see "
    assert f"{lost}{folder.path / state_file()}." in told(folder)


def test_a_tie_for_the_best_is_said_to_be_one(tmp_path):
    rows = [record(agent={"name": name}, reward=reward) for name, reward in (("a", 0.5), ("b", 1.0), ("c", 1.0))]
    (contest,) = gather([write_run(tmp_path / "tie", rows, ["count_0"], agents=("a", "b", "c"))])
    assert [entry.label for entry in all_best_fixed(contest)] == ["b", "c"]
    assert best_fixed(contest) is all_best_fixed(contest)[0]
    assert "A tie for the best: b, c have the same mean score; b stands for them." in fixed_note(contest)
    (alone,) = gather([write_run(tmp_path / "alone", rows[:2], ["count_0"], agents=("a", "b"))])
    assert "tie" not in fixed_note(alone)

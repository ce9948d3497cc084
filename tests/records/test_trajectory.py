"""A record: written and read without loss, readable without BizGym, refused with its place where it is broken."""

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from bizgym.envs.core.errors import RecordError
from bizgym.envs.core.trajectory import ResultRecord, Step, Trajectory, TurnRecord, from_line, to_line
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.fixtures.players import Counts, order
from tests.fixtures.records import content, play, player, record, rows_of

TEXT = st.text(st.characters(codec=None) | st.sampled_from('\ud800\udfff\u2028\x00\x85\n\r"\\é😀'))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | FINITE | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(TEXT, TEXT, JSON, FINITE)
@example("\ud800", "", {"steps": [1], "schema": 2}, 0.1)
@example('","steps":[', '","steps":[', ["steps", {"steps": []}], -0.0)
def test_round_trip_keeps_every_text_and_number(text: str, seen: str, settings: Any, reward: float) -> None:
    step = Step(
        turn=TurnRecord(text=text, calls=[settings]),
        results=[ResultRecord(id=text, name=text, ok=False, code="not_json", content=seen)],
        observation=seen,
        reward=reward,
        components={"score": reward},
        error="not_json",
        counterpart=settings,
    )
    written = record(reward=reward, env_kwargs={"a": settings}, first_observation=text, error=seen, steps=[step])
    line = to_line(written)
    assert line.count(b"\n") == 1
    assert line.endswith(b"\n")
    again = from_line(line)
    assert again == written
    assert again.steps[0].turn == TurnRecord(text=text, calls=[settings])
    assert math.copysign(1, again.steps[0].reward) == math.copysign(1, reward)
    assert from_line(line, with_steps=False).env_kwargs == {"a": settings}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_L09_what_is_no_number_is_neither_written_nor_read(number: float) -> None:
    with pytest.raises(ValidationError):
        record(reward=number)
    with pytest.raises(ValidationError):
        record(metrics={"cost": number})
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_line(record(env_kwargs={"demand": number}))
    line = to_line(record(env_kwargs={"demand": 0.5})).replace(
        b'"demand":0.5', f'"demand":{json.dumps(number)}'.encode()
    )
    with pytest.raises(RecordError, match="is no JSON number"):
        from_line(line)


def test_schema_stands_first_and_steps_last() -> None:
    names = list(json.loads(to_line(record())))
    assert names[0] == "schema"
    assert names[-1] == "steps"
    assert json.loads(to_line(record()))["schema"] == 1


def test_the_head_is_read_without_the_steps() -> None:
    whole = from_line(to_line(record()))
    line = to_line(record())
    torn = line[: line.index(b'"steps":[') + 20] + b"\xff broken"
    with pytest.raises(RecordError):
        from_line(torn)
    head = from_line(line[: line.index(b'"steps":[') + 20], with_steps=False)
    assert head == whole.model_copy(update={"steps": []})


def test_L08_a_record_opens_in_a_bare_interpreter(tmp_path: Path) -> None:
    play(tmp_path / "run", player("Counts"), limit=2)
    code = (
        "import json, sys\n"
        "rows = [json.loads(line) for line in open(sys.argv[1], encoding='utf-8')]\n"
        "print([[r['schema'], r['task_id'], r['reward'], r['n_steps'], r['steps'][0]['turn']] for r in rows])\n"
        "print(sorted(name for name in sys.modules if name.split('.')[0] in ('bizgym', 'pydantic', 'numpy')))\n"
    )
    found = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code, str(tmp_path / "run" / "episodes.jsonl")],
        capture_output=True,
        text=True,
        check=True,
    )
    turns = [{"text": "", "calls": [{"name": "add", "arguments": {"units": units}}]} for units in (3, 4)]
    rows = [[1, "count_0", 1.0, 2, turns[0]], [1, "count_1", 1.0, 2, turns[1]]]
    assert found.stdout.splitlines() == [repr(rows), "[]"]


def test_times_stand_in_timing_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Under a clock that runs at another pace, nothing differs but what is called timing."""
    play(tmp_path / "fast", player("Counts"), limit=3)
    clock = iter(range(10**9))
    monkeypatch.setattr("bizgym.agents.rollout.perf_counter", lambda: next(clock) / 7)
    play(tmp_path / "slow", player("Counts"), limit=3)
    fast, slow = rows_of(tmp_path / "fast"), rows_of(tmp_path / "slow")
    assert [to_line(row) for row in fast] != [to_line(row) for row in slow]
    assert [content(row) for row in fast] == [content(row) for row in slow]
    assert slow[0].timing["seconds"] > 0.5
    assert slow[0].steps[0].timing == {"agent_seconds": pytest.approx(1 / 7), "env_seconds": pytest.approx(1 / 7)}


def test_two_runs_of_one_seed_are_equal_and_of_another_are_not(tmp_path: Path) -> None:
    for name, seed in (("a", 5), ("b", 5), ("c", 6)):
        play(tmp_path / name, player("Counts"), seed=seed, trials=2)
    first, again, other = ([content(row) for row in rows_of(tmp_path / name)] for name in "abc")
    assert first == again
    assert all(one["first_observation"] != two["first_observation"] for one, two in zip(first, other, strict=True))
    assert first[0]["seed"] != first[10]["seed"]


BROKEN = {
    "reward": "cheap",
    "stop_reason": "boredom",
    "schema": 2,
    "n_steps": 1.5,
    "task_id": None,
    "checks": [{"id": "x"}],
    "steps": [{"turn": 3}],
    "timing": {"seconds": "long"},
    "metrics": [],
    "unheard_of": 1,
    "agent": {"settings": {}},
}


@pytest.mark.parametrize("field", BROKEN)
def test_a_broken_field_is_named_with_its_place(field: str) -> None:
    fields = json.loads(to_line(record()))
    broken = json.dumps({**fields, field: BROKEN[field]})
    with pytest.raises(RecordError, match=rf"^runs/x/episodes.jsonl line 7: {field}\b"):
        from_line(broken, place="runs/x/episodes.jsonl line 7")


@pytest.mark.parametrize("line", [b"\xff\n", b"[" * 200_000, b"7", b"null", b"", b"{", b'{"a": ' + b"9" * 6_000 + b"}"])
def test_what_is_no_record_at_all_is_refused_with_its_place(line: bytes) -> None:
    for with_steps in (True, False):
        with pytest.raises(RecordError, match=r"^here line 2: "):
            from_line(line, with_steps=with_steps, place="here line 2")


def test_a_row_is_told_by_environment_agent_task_and_trial() -> None:
    row: Trajectory = record("count_3", trial=2, agent={"name": "org/model:7b", "settings": {}})
    assert row.key == ("bizgym-tests/Counter-v0", "org/model:7b", "count_3", 2)


def test_a_turn_without_calls_is_its_text() -> None:
    assert TurnRecord(text="hello").action == "hello"
    assert TurnRecord(text="hello", calls=[order(3)]).action == [order(3)]
    assert Counts().act("Count 4 on from 9.", {"turn": 0}).calls == [{"name": "add", "arguments": {"units": 4}}]

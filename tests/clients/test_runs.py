"""Whole runs through the three wire formats: the same play, every fault with its stop reason, no key in any file."""

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from bizgym.agents.clients import limits
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import Trajectory

from tests.fixtures.clients import KEYS, WIRE_NAMES
from tests.fixtures.models import agent_config
from tests.fixtures.records import content, play_all, rows_of
from tests.fixtures.stub_model import MODEL_PREFIX, Call, Conversation, Say, StubModel

WEEKS = 3
BEER = {"id": "bizgym/BeerGame-v0", "horizon": WEEKS}
TARGETS = {"openai": "OpenAI", "openai_responses": "OpenAIResponses", "anthropic": "Anthropic"}
COUNTED = {"input": "input", "cached": "cached", "cache_write": "cache_write", "output": "output"}
PROVIDER, TRUNCATED = StopReason.PROVIDER_ERROR, StopReason.OUTPUT_TRUNCATED
STOPS = {
    **dict.fromkeys(("http_429", "http_500", "http_503", "reset", "hang", "invalid_json", "html"), PROVIDER),
    **dict.fromkeys(("empty_choices", "unknown_finish", "error_text", "error_body", "cut_body", "http_401"), PROVIDER),
    "cut_arguments": TRUNCATED,
    "overflow": StopReason.CONTEXT_OVERFLOW,
    "zero_usage": StopReason.ENV_DONE,
}


@pytest.fixture(autouse=True)
def waits_take_no_time(monkeypatch):
    monkeypatch.setattr(limits.Clock, "sleep", lambda self, seconds, stopped: None)


def orders(conversation: Conversation) -> Say:
    """Thinks, and orders what the week says."""
    weeks = conversation.n_turns + 1
    return Say(f"Week {weeks}: I order more.", (Call("place_order", f'{{"quantity": {100 * weeks}}}'),))


def play(
    folder: Path, name: str, stub: StubModel, calling: Mapping[str, Any] = MappingProxyType({}), **settings: Any
) -> list[Trajectory]:
    client = {
        "_target_": f"bizgym.agents.clients.{name}.{TARGETS[name]}",
        "name": name,
        "model": "org/beer:7b",
        "base_url": stub.url(name),
        "max_attempts": 2,
        **calling,
    }
    play_all(folder, env=BEER, agent=agent_config(), client=client, **settings)
    return rows_of(folder)


def played(row: Trajectory) -> dict[str, Any]:
    """A record without its times and without who answered."""
    return {**content(row), "client": None}


def assert_no_key(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files
    for path in files:
        assert not [key for key in KEYS.values() if key in path.read_text(encoding="utf-8")], path


def test_the_same_game_is_played_through_every_format(tmp_path):
    rows = {}
    for name in WIRE_NAMES:
        with StubModel(orders) as stub:
            rows[name] = play(tmp_path / name, name, stub)
    (row,) = rows["openai"]
    assert row.stop_reason is StopReason.ENV_DONE
    assert [step.turn.calls[0]["function"]["arguments"] for step in row.steps] == [
        *('{"quantity": 100}', '{"quantity": 200}', '{"quantity": 300}'),
    ]
    assert row.client["answered_by"] == [f"{MODEL_PREFIX}org/beer:7b"]
    for name in WIRE_NAMES:
        assert [played(each) for each in rows[name]] == [played(row)]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_records_usage_is_the_servers_count(name, tmp_path):
    faults = [None, "http_503", None, "empty_choices"]
    with StubModel(orders, faults=faults) as stub:
        (row,) = play(tmp_path, name, stub)
    used = row.usage["act"]
    assert {ours: used[ours] for ours in COUNTED} == {ours: getattr(stub.counts, its) for ours, its in COUNTED.items()}
    assert (used["calls"], used["attempts"]) == (WEEKS, len(stub.log)) == (3, 5)


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("fault", STOPS)
def test_a_fault_in_the_second_week_has_its_stop_reason(fault, name, tmp_path):
    """The first week stays on record, nothing that was counted is lost, and no file holds a key."""
    calling = {"request_seconds": 2.0, "max_attempts": 1} if fault == "hang" else {}
    with StubModel(orders, faults=[None], always=fault) as stub:
        (row,) = play(tmp_path, name, stub, calling)
    assert row.stop_reason is STOPS[fault]
    assert row.steps[0].turn.calls[0]["function"]["name"] == "place_order"
    scored = STOPS[fault].scored
    assert len(row.steps) == (WEEKS if STOPS[fault] is StopReason.ENV_DONE else 1 + scored)  # one books the forfeit
    assert (row.reward is not None) is scored
    used = row.usage["act"]
    assert used["attempts"] == len(stub.log)
    if fault != "zero_usage":
        assert (used["input"], used["output"]) == (stub.counts.input, stub.counts.output)
    assert_no_key(tmp_path)


def test_a_key_that_the_model_repeats_is_not_recorded(tmp_path):
    """It may have been in its prompt; the record holds what the model said without it."""
    keys = (*KEYS.values(), "sk-proj-0123456789abcdefghij")

    def leaks(conversation: Conversation) -> Say:
        said = " ".join(keys)
        return Say(f"I know {said}", (Call("place_order", json.dumps({"quantity": 100, "note": said})),))

    with StubModel(leaks) as stub:
        (row,) = play(tmp_path, "openai", stub)
    assert row.steps[0].turn.text == "I know [redacted] [redacted] [redacted]"
    assert_no_key(tmp_path)
    assert "0123456789abcdefghij" not in (tmp_path / "episodes.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_what_the_provider_failed_is_played_again(name, tmp_path):
    with StubModel(orders, faults=[None, "http_401"]) as stub:
        (failed,) = play(tmp_path, name, stub)
        (again,) = play(tmp_path, name, stub)[-1:]
    assert (failed.stop_reason, again.stop_reason) == (PROVIDER, StopReason.ENV_DONE)
    assert "Incorrect API key provided: [redacted]" in failed.error


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_sixty_four_episodes_at_once_are_the_same_as_one_after_another(name, tmp_path):
    runs = {}
    for label, executor in (("serial", {"name": "serial"}), ("threads", {"name": "threads", "workers": 64})):
        with StubModel(orders) as stub:
            rows = play(tmp_path / label, name, stub, trials=64, executor=executor)
        runs[label] = sorted(json.dumps(played(row), sort_keys=True) for row in rows)
    assert len(runs["serial"]) == 64
    assert runs["serial"] == runs["threads"]

"""The records of odd models replay: what is recorded is what was played, keys and half characters included."""

import json
from typing import Any

import pytest
from bizgym.envs.core.chat import Completion
from bizgym.evaluators.replay import replay

from tests.fixtures.models import KEY, Model, agent_config, make, model_config, order, says, tool_call
from tests.fixtures.records import play_all, rows_of

LONG_KEY = "sk-proj-0123456789abcdefghij0123456789abcdefghij"
GAME = {"id": "bizgym/BeerGame-v0", "horizon": 3}
TOLD = json.dumps({"quantity": 1, "note": LONG_KEY})
KEYED = {
    "in a text": says(text=f"I know {LONG_KEY}"),
    "in a text cut for the observation": says(text=LONG_KEY + "x" * 9_000),
    "in an argument": says(tool_call("place_order", TOLD)),
    "as arguments": says(tool_call("place_order", LONG_KEY)),
    "as names that then stand twice": says(tool_call("place_order", f'{{"{KEY}": 1, "{LONG_KEY}": 2}}')),
    "as a tool": says(tool_call(LONG_KEY, "{}")),
    "as ids that then stand twice": says(order(5, KEY), order(6, LONG_KEY)),
    "of many lines": says(text="-----BEGIN RSA PRIVATE KEY-----\nabc\ndef"),
}
ODD = {
    "a thousand calls": says(*(order(1, f"c{k}") for k in range(1_000))),
    "one id for all": says(order(1), order(2), order(3)),
    "ids of the environment's own form": says(order(1, "call_2_0"), order(1, "call_1_0")),
    "half characters": says(tool_call("\ud800", '{"\udc00": 1}', "\ud800"), text="\ud800\x00\x1b[31m"),
    "a tool with dots": says(tool_call("functions.place_order", '{"quantity": 1}')),
    "no name": says(tool_call("", "")),
    "a huge id": says(order(1, "x" * 500_000)),
}


def played(monkeypatch: pytest.MonkeyPatch, folder: Any, reply: Completion) -> Any:
    monkeypatch.setattr(Model, "complete", lambda *_: reply)
    play_all(folder, env=GAME, agent=agent_config(), client=model_config())
    (row,) = rows_of(folder)
    return row


@pytest.mark.parametrize("where", KEYED)
def test_a_model_that_repeats_a_key_leaves_a_record_that_replays_and_holds_none(where, tmp_path, monkeypatch):
    row = played(monkeypatch, tmp_path / "run", KEYED[where])
    assert row.reward is not None
    assert replay(row, make(GAME["id"], horizon=3)) == ""
    written = (tmp_path / "run" / "episodes.jsonl").read_text(encoding="utf-8")
    assert "[redacted]" in written
    for secret in (KEY, LONG_KEY, "0123456789abcdef", "BEGIN RSA"):
        assert secret not in written


@pytest.mark.parametrize("what", ODD)
def test_the_record_of_an_odd_model_replays(what, tmp_path, monkeypatch):
    row = played(monkeypatch, tmp_path / "run", ODD[what])
    assert row.reward is not None
    assert replay(row, make(GAME["id"], horizon=3)) == ""

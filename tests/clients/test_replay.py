"""Recorded replies: recorded once, played byte for byte, and a miss is an error."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import sleep

import pytest
from bizgym.agents.clients import make_client
from bizgym.agents.clients.replay import ReplayClient
from bizgym.envs.core.chat import ChatSettings, Completion, Finish, ProviderError, ToolCall, Usage
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.core.run_folder import RunFolder

from tests.fixtures.models import agent_config, says
from tests.fixtures.records import BEER, content, play_all

SETTINGS = ChatSettings(max_tokens=5, seed=3)
ODD = Completion(
    text='naïve 😀 "quoted"\n\u2028',
    tool_calls=(ToolCall("a", "look_up", '{"x": NaN, "x": 1'), ToolCall("", "", "")),
    usage=Usage(input=5, cached=4, output=2, attempts=3, seconds=0.5),
    finish=Finish.LENGTH,
    model="org/name:7b",
    provider_id="req_1",
)


class Counting:
    """A client that counts how often it is asked."""

    def __init__(self, reply=ODD):
        self.asked, self.reply = 0, reply
        self.description = {"name": "openai", "model": "m"}

    def complete(self, messages, tools, settings):
        self.asked += 1
        return self.reply


def recording(path, inner):
    client = ReplayClient(str(path), client={"name": "scripted"})
    client._inner = inner
    return client


def ask(client, text="hello", settings=SETTINGS, tools=()):
    return client.complete([{"role": "user", "content": text}], tools, settings)


def test_what_was_recorded_is_played_byte_for_byte(tmp_path):
    inner = Counting()
    recorded = ask(recording(tmp_path / "r.jsonl", inner))
    assert recorded == ODD
    replayed = ask(ReplayClient(str(tmp_path / "r.jsonl")))
    assert replayed == replace(ODD, usage=replace(ODD.usage, replayed=True))
    assert inner.asked == 1


def test_C04_a_repeated_request_is_answered_from_the_store_with_its_usage_and_marked(tmp_path):
    inner = Counting()
    client = recording(tmp_path / "r.jsonl", inner)
    first, second = ask(client), ask(client)
    assert inner.asked == 1
    assert (first.usage.replayed, second.usage.replayed) == (False, True)
    assert second.usage == replace(first.usage, replayed=True)


@pytest.mark.parametrize(
    "changed",
    [
        {"text": "hello "},
        {"settings": replace(SETTINGS, temperature=0.0)},
        {"settings": replace(SETTINGS, seed=4)},
        {"tools": [{"type": "function", "function": {"name": "x", "parameters": {}}}]},
    ],
)
def test_a_miss_is_an_error_of_the_provider(tmp_path, changed):
    ask(recording(tmp_path / "r.jsonl", Counting()))
    client = ReplayClient(str(tmp_path / "r.jsonl"))
    with pytest.raises(ProviderError, match=r"r\.jsonl has no reply to this request"):
        ask(client, **changed)
    assert ask(client, settings=replace(SETTINGS, deadline_seconds=1.0)).text == ODD.text


def test_failures_are_not_recorded(tmp_path):
    class Fails(Counting):
        def complete(self, messages, tools, settings):
            raise ProviderError("503", Usage(input=3))

    with pytest.raises(ProviderError, match="503"):
        ask(recording(tmp_path / "r.jsonl", Fails()))
    assert not (tmp_path / "r.jsonl").exists()


def test_threads_with_one_request_ask_once(tmp_path):
    class Slow(Counting):
        def complete(self, messages, tools, settings):
            sleep(0.02)
            return super().complete(messages, tools, settings)

    inner = Slow()
    client = recording(tmp_path / "r.jsonl", inner)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda k: ask(client, str(k % 4)), range(64)))
    assert inner.asked == 4
    assert {each.text for each in found} == {ODD.text}
    assert len((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_a_torn_last_line_is_asked_for_again_and_a_broken_one_is_named(tmp_path):
    path = tmp_path / "r.jsonl"
    for text in ("a", "b"):
        ask(recording(path, Counting()), text)
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    inner = Counting()
    assert ask(recording(path, inner), "b").text == ODD.text
    assert inner.asked == 1
    assert path.read_bytes() == whole
    path.write_bytes(b"{}\n" + whole)
    with pytest.raises(DataError, match=r"r\.jsonl line 1: no recorded reply"):
        ReplayClient(str(path))


def test_no_key_is_recorded(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "quite-secret-value-4711")
    leaky = says(text="your key sk-test-0123456789abcdef0123 and quite-secret-value-4711")
    recorded = ask(recording(tmp_path / "r.jsonl", Counting(leaky)))
    written = (tmp_path / "r.jsonl").read_text(encoding="utf-8")
    assert "0123456789abcdef0123" not in written
    assert "4711" not in written
    assert json.loads(written)["completion"]["text"] == recorded.text


def test_a_path_is_needed_and_a_file_to_replay_from(tmp_path):
    with pytest.raises(SettingError, match=r"client\.path"):
        make_client(name="replay")
    with pytest.raises(DataError, match="cannot be read"):
        ReplayClient(str(tmp_path / "none.jsonl"))


def test_a_run_is_recorded_and_replayed_to_the_same_records(tmp_path):
    path = str(tmp_path / "replies.jsonl")
    client = {"_target_": "bizgym.agents.clients.replay.ReplayClient", "name": "replay", "path": path}
    for name, settings in (("recorded", {"client": {"name": "scripted"}}), ("replayed", {"client": None})):
        play_all(tmp_path / name, env=BEER, agent=agent_config(), client={**client, **settings}, trials=2)
    recorded, replayed = (
        [content(row) for row in RunFolder(tmp_path / name).rows()] for name in ("recorded", "replayed")
    )
    for row in (*recorded, *replayed):
        assert row["client"].pop("name") == "replay"
        assert row["client"].pop("replay_of") == "scripted"
        row["client"] = row["client"]["answered_by"]
        for usage in (row["usage"], *(step["usage"] for step in row["steps"])):
            for amounts in usage.values():
                amounts.pop("replayed", None)
    assert recorded == replayed

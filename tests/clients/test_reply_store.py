"""The file of recorded replies: whose they are, who shares it, and what a kill or a full disk leaves of it."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from bizgym.agents.clients import reply_store
from bizgym.agents.clients.replay import ReplayClient
from bizgym.agents.clients.reply_store import ReplyStore, asked_of
from bizgym.envs.core.chat import ChatSettings, Completion, ProviderError, Usage

USED = Usage(input=7, output=2)


class Model:
    """Answers with its name and how often it was asked."""

    def __init__(self, model: str, **settings: Any) -> None:
        self.asked, self.closed = 0, False
        self.name = f"{model}, set otherwise" if "extra_body" in settings else model
        self.description = {"name": "openai", "model": model, "base_url": "http://here", **settings}

    def complete(self, messages: Any, tools: Any, settings: ChatSettings) -> Completion:
        self.asked += 1
        return Completion(f"{self.name} {self.asked}", usage=USED)

    def close(self) -> None:
        self.closed = True


def recorder(path: Path, model: Any) -> ReplayClient:
    client = ReplayClient(str(path), client={"name": "scripted"})
    client._inner = model
    return client


def ask(client: ReplayClient, text: str = "hello") -> Completion:
    return client.complete([{"role": "user", "content": text}], (), ChatSettings())


@pytest.mark.parametrize("other", [Model("b"), Model("a", extra_body={"reasoning_effort": "high"})])
def test_no_model_is_credited_with_the_replies_of_another(tmp_path, other):
    path = tmp_path / "r.jsonl"
    assert ask(recorder(path, Model("a"))).text == "a 1"
    found = ask(recorder(path, other))
    assert (other.asked, found.usage.replayed) == (1, False)
    again = Model("a")
    assert ask(recorder(path, again)).text == "a 1"
    assert again.asked == 0
    with pytest.raises(ProviderError, match="2 replies to this request, of different models"):
        ask(ReplayClient(str(path)))


def test_a_model_that_moved_to_another_address_is_not_asked_again(tmp_path):
    ask(recorder(tmp_path / "r.jsonl", Model("a")))
    moved = Model("a", base_url="http://there")
    ask(recorder(tmp_path / "r.jsonl", moved))
    assert moved.asked == 0


def test_two_clients_of_one_file_leave_one_reply_a_request_and_no_line_is_mixed(tmp_path):
    """As in two runs of one process: what each returned is what will be replayed."""
    path = tmp_path / "r.jsonl"
    clients = [recorder(path, Model("a")) for _ in range(4)]
    big = "x" * 50_000
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda k: (k % 10, ask(clients[k % 4], f"{k % 10} {big}").text), range(200)))
    assert len(path.read_bytes().splitlines()) == 10
    store = ReplayClient(str(path))
    assert all(ask(store, f"{question} {big}").text == text for question, text in found)


def test_who_comes_second_pays_and_takes_the_recorded_reply(tmp_path):
    path = tmp_path / "r.jsonl"
    first, second = recorder(path, Model("a")), recorder(path, Model("a"))
    second._inner.asked = 5
    assert ask(first).text == "a 1"
    late = ask(second)
    assert (late.text, late.usage) == ("a 1", USED)


@pytest.mark.parametrize(("before", "after"), [(b"\xef\xbb\xbf", b"\n"), (b"", b"\r\n"), (b"", b""), (b"\n\n", b"\n")])
def test_a_file_that_an_editor_saved_is_read_and_continued(tmp_path, before, after):
    path = tmp_path / "r.jsonl"
    ask(recorder(path, Model("a")))
    path.write_bytes(before + path.read_bytes().rstrip(b"\n") + after)
    model = Model("a")
    client = recorder(path, model)
    assert ask(client).text == "a 1"
    assert (ask(client, "new").text, model.asked) == ("a 1", 1)
    assert ask(client, "newer").text == "a 2"
    replayed = ReplayClient(str(path))
    assert [ask(replayed, text).text for text in ("hello", "new", "newer")] == ["a 1", "a 1", "a 2"]


def test_a_full_disk_leaves_no_half_line_and_what_was_paid_is_told(tmp_path, monkeypatch):
    path = tmp_path / "r.jsonl"
    client = recorder(path, Model("a"))
    ask(client)
    whole = path.read_bytes()

    def half(file: Any, end: int, line: bytes) -> None:
        class Full:
            def write(self, data: bytes) -> int:
                if len(data) < len(line):
                    raise OSError(28, "No space left on device")
                return file.write(data[: len(data) // 2])

            def truncate(self, size: int) -> None:
                file.truncate(size)

        append(Full(), end, line)

    append = reply_store._append
    monkeypatch.setattr(reply_store, "_append", half)
    with pytest.raises(ProviderError, match="cannot be written") as caught:
        ask(client, "more")
    assert caught.value.usage == USED
    assert path.read_bytes() == whole
    monkeypatch.undo()
    assert ask(client, "more").text == "a 3"
    assert ask(ReplayClient(str(path)), "more").text == "a 3"


def test_another_process_that_was_killed_in_a_line_does_not_spoil_ours(tmp_path):
    path = tmp_path / "r.jsonl"
    client = recorder(path, Model("a"))
    ask(client)
    with path.open("ab") as file:
        file.write(b'{"key": "0123')
    ask(client, "more")
    assert [json.loads(line)["client"] for line in path.read_text(encoding="utf-8").splitlines()] == ["openai"] * 2
    assert len(ReplyStore(path).of_anyone("none")) == 0


def test_closing_closes_the_client_that_is_recorded(tmp_path):
    model = Model("a")
    recorder(tmp_path / "r.jsonl", model).close()
    assert model.closed
    ask(recorder(tmp_path / "r.jsonl", model))
    ReplayClient(str(tmp_path / "r.jsonl")).close()


def test_settings_that_shape_no_reply_are_not_asked_for():
    told = {"name": "openai", "model": "m", "extra_body": None}
    assert asked_of(told) == asked_of({**told, "base_url": "http://a"})
    assert asked_of(told) != asked_of({**told, "extra_body": {"top_p": 0.1}})

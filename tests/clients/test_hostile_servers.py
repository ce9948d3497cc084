"""Servers that misbehave below the level of a reply: bytes that trickle, dates that are past, ids that stand twice."""

import gzip
import json
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread

import pytest
from bizgym.agents.clients import make_client
from bizgym.agents.clients.tokens import estimate_prompt
from bizgym.envs.core.chat import ChatSettings, Finish, ProviderError
from bizgym.envs.core.errors import SettingError

from tests.fixtures.clients import KEYS, MESSAGES, SETTINGS, TOOLS, WIRE_NAMES, client_of, played, player
from tests.fixtures.stub_model import FAULTS, Call, Conversation, Fault, Say, StubModel
from tests.fixtures.stub_model.faults import Sent

PROXY = "socks5://someone:hunter2-0815@127.0.0.1:9"
GZIP_HEAD = b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 100000\r\n\r\n\x1f\x8b\x08\x08\0\0\0\0\0\0"
ENDLESS = {
    "headers": (b"HTTP/1.1 200 OK\r\nx-slow: ", b"a"),
    "interim replies": (b"", b"HTTP/1.1 102 Processing\r\n\r\n"),
    "a compressed body of nothing yet": (GZIP_HEAD, b"a"),
}
ANSWER = {
    "choices": [{"message": {"role": "assistant", "content": "hi"}, "finish_reason": "stop"}],
    "usage": {"prompt_tokens": 5, "completion_tokens": 3},
}


@contextmanager
def raw_server(answer: Callable[[socket.socket], None]) -> Iterator[str]:
    """A server that says whatever bytes it likes; yields its address."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(20)

        def serve() -> None:
            try:
                while True:
                    connection, _ = listening.accept()
                    with connection:
                        connection.recv(1 << 20)
                        answer(connection)
            except OSError:
                return

        Thread(target=serve, daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"


def once(address: str, name: str = "openai", **settings):
    client = make_client(name=name, model="m", base_url=address, max_attempts=1, **settings)
    return client.complete(MESSAGES, [], ChatSettings())


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("kind", ENDLESS)
def test_a_byte_now_and_then_holds_no_call_beyond_its_time(kind, name):
    """Left alone, the server ends after some seconds with another error."""
    begin, more = ENDLESS[kind]
    released = Event()

    def trickle(connection: socket.socket) -> None:
        connection.sendall(begin)
        for _ in range(300):
            if released.wait(0.02):
                return
            connection.sendall(more)

    with raw_server(trickle) as address, pytest.raises(ProviderError, match="no whole reply within"):
        once(address, name, request_seconds=0.3)
    released.set()


def test_old_and_compressed_replies_are_read():
    body = json.dumps(ANSWER).encode()
    packed = gzip.compress(body)
    head = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(packed)
    for reply in (b"HTTP/1.0 200 OK\r\n\r\n" + body, head + packed):
        with raw_server(lambda connection, reply=reply: connection.sendall(reply)) as address:
            assert once(address).text == "hi"


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("asked", ["0", "-5", "Wed, 21 Oct 2015 07:28:00 GMT", "soon", None])
def test_C05_attempts_are_spread_though_the_server_asks_for_no_wait(asked, name):
    with StubModel(player, faults=[Fault("http_429", asked)] * 7) as stub:
        client = client_of(name, stub)
        assert client.complete(MESSAGES, TOOLS, SETTINGS).usage.attempts == 8
    own = [min(60, 2.0**k) for k in range(7)]
    assert all(longest / 2 <= wait <= longest for wait, longest in zip(client.clock.waits, own, strict=True))


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_arguments_nested_deeper_than_they_can_be_written_are_a_call_too_deep(name, monkeypatch):
    """Not a failure of the agent's own: they are handed on, for the environment to refuse."""
    nested = "[" * 900 + "]" * 900

    def deep(due):
        text = due.text().replace(json.dumps(json.dumps(["deep"])), nested).replace(json.dumps(["deep"]), nested)
        return Sent(text, due.counts)

    monkeypatch.setitem(FAULTS, "deep", deep)
    with StubModel(lambda _: Say("", (Call("look_up", '["deep"]'),)), always="deep") as stub:
        (call,) = client_of(name, stub).complete(MESSAGES, TOOLS, SETTINGS).tool_calls
    assert call.name == "look_up"
    assert set(call.arguments) == {"[", "]"}
    assert call.arguments.count("[") > 64


def test_a_pause_without_content_is_sent_again_and_not_continued(monkeypatch):
    monkeypatch.setitem(FAULTS, "pause", lambda due: Sent(json.dumps(
        {"content": [], "stop_reason": "pause_turn", "usage": {"input_tokens": 3, "output_tokens": 0}}
    )))  # fmt: skip
    with StubModel(lambda _: Say("Done."), faults=["pause"]) as stub:
        completion = client_of("anthropic", stub).complete(MESSAGES, [], SETTINGS)
    assert (completion.text, completion.finish, completion.usage.attempts) == ("Done.", Finish.STOP, 2)
    assert len(stub.log[1].conversation.messages) == len(MESSAGES)


def test_ids_that_a_server_repeats_in_every_reply_are_told_apart_where_the_format_demands_it():
    def same_id(conversation: Conversation) -> Say:
        return Say("", (Call("look_up", json.dumps({"quantity": conversation.n_turns}), id="call_0"),))

    with StubModel(same_id) as stub:
        completions = played(client_of("anthropic", stub), n_turns=4)
    assert [call.id for each in completions for call in each.tool_calls] == ["call_0"] * 4  # the record's are as sent
    blocks = [block for turn in stub.log[-1].body["messages"] for block in turn["content"]]
    called = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert called == ["call_0", "call_0_2", "call_0_3"]
    assert called == [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_proxy_that_cannot_be_used_is_the_infrastructures_fault(name, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", PROXY)
    monkeypatch.setenv("http_proxy", PROXY)
    for variable in ("NO_PROXY", "no_proxy"):
        monkeypatch.setenv(variable, "")
    client = make_client(name=name, model="m", base_url="http://provider.example")
    for ask, kind in (
        (client.check_ready, SettingError),
        (lambda: client.complete(MESSAGES, [], SETTINGS), ProviderError),
    ):
        with pytest.raises(kind, match="no connection can be made") as caught:
            ask()
        assert "0815" not in str(caught.value)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_no_log_shows_a_key_whatever_its_level(name, monkeypatch, caplog):
    """The HTTP library logs the address with its password, and the headers in which a server repeats a key."""
    caplog.set_level(logging.DEBUG)
    shown = "".join(f"x-echo: {key}\r\n" for key in KEYS.values())
    reply = f"HTTP/1.1 401 No\r\n{shown}content-length: 2\r\nconnection: close\r\n\r\n{{}}".encode()
    variable = "ANTHROPIC_BASE_URL" if name == "anthropic" else "OPENAI_BASE_URL"
    with raw_server(lambda connection: connection.sendall(reply)) as address:
        monkeypatch.setenv(variable, address.replace("://", "://someone:hunter2-0815@"))
        with pytest.raises(ProviderError, match="HTTP 401"):
            once(None, name)
    text = "\n".join(record.getMessage() for record in caplog.records)
    assert "x-echo" in text
    assert "HTTP Request" in text
    for secret in (*KEYS.values(), "0815"):
        assert secret not in text


def test_two_hundred_callers_share_a_client(monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    with StubModel(player) as stub:
        client = client_of("openai", stub)
        with ThreadPoolExecutor(200) as pool:
            found = list(pool.map(lambda _: client.complete(MESSAGES, TOOLS, SETTINGS).usage.input, range(400)))
    assert sum(found) == stub.counts.input
    assert len(stub.log) == 400


@pytest.mark.parametrize(
    ("sent", "read", "wrote"), [((None, 300), None, 300), ((40, "3"), 40, 1), ((-1, 300), None, 300)]
)
def test_a_count_that_is_stated_is_kept_though_the_other_is_none(sent, read, wrote):
    """Text or a negative number is none; what is missing is estimated, and the whole says so."""
    usage = dict(zip(("prompt_tokens", "completion_tokens"), sent, strict=True))
    body = json.dumps({**ANSWER, "usage": usage}).encode()
    reply = b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body
    with raw_server(lambda connection: connection.sendall(reply)) as address:
        used = once(address).usage
    assert (used.output, used.estimated) == (wrote, True)
    assert used.input == (read or estimate_prompt(MESSAGES))

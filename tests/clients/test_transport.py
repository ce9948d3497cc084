"""The way over the network: many threads, redirects, endless bodies, and what the SDKs must not do on their own."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from bizgym.agents.clients import transport
from bizgym.envs.core.chat import ProviderError, Usage

from tests.fixtures.clients import KEYS, MESSAGES, SETTINGS, TOOLS, WIRE_NAMES, client_of, played, player
from tests.fixtures.stub_model import FAULTS, Say, StubModel
from tests.fixtures.stub_model.faults import Sent
from tests.fixtures.stub_model.formats import WIRES

N_THREADS = 64


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_sixty_four_threads_get_what_one_gets(name):
    faults = [None, "http_503", None, "empty_choices", "reset"] * 8
    with StubModel(player) as serial_stub:
        alone = played(client_of(name, serial_stub))
    with StubModel(player, faults=faults) as stub:
        client = client_of(name, stub)
        with ThreadPoolExecutor(N_THREADS) as pool:
            together = list(pool.map(lambda _: played(client), range(N_THREADS)))
    plain = [replace(completion, usage=Usage()) for completion in alone]
    assert [[replace(each, usage=Usage()) for each in conversation] for conversation in together] == [plain] * N_THREADS
    used = [completion.usage for conversation in together for completion in conversation]
    counts = stub.counts
    assert sum(usage.attempts for usage in used) == len(stub.log) == 3 * N_THREADS + 24
    assert [sum(getattr(usage, field) for usage in used) for field in ("input", "cached", "cache_write", "output")] == [
        *(counts.input, counts.cached, counts.cache_write, counts.output),
    ]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_redirect_is_not_followed_with_the_key(name, monkeypatch):
    with StubModel(player) as elsewhere, StubModel(player, always="redirect") as stub:
        there = f"{elsewhere.anthropic_url}{WIRES[name].path}"
        monkeypatch.setitem(FAULTS, "redirect", lambda due: Sent("", status=307, location=there))
        with pytest.raises(ProviderError, match="HTTP 307"):
            client_of(name, stub).complete(MESSAGES, TOOLS, SETTINGS)
    assert (len(stub.log), elsewhere.log) == (1, [])


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("bound", ["REFUSAL_SECONDS", "MAX_REFUSAL_BYTES"])
def test_a_refusal_without_end_is_read_no_further_than_needed(bound, name, monkeypatch):
    monkeypatch.setattr(transport, bound, 0.2 if bound == "REFUSAL_SECONDS" else 25)
    refusal = Sent('{"message": "too busy now"}', status=400, how="dribble")
    monkeypatch.setitem(FAULTS, "endless", lambda due: refusal)
    with StubModel(player, always="endless") as stub, pytest.raises(ProviderError, match=r"HTTP 400: .*too busy now"):
        client_of(name, stub, request_seconds=60.0).complete(MESSAGES, TOOLS, SETTINGS)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_body_without_measure_is_given_up(name, monkeypatch):
    monkeypatch.setattr(transport, "MAX_BODY_BYTES", 1_000)
    with StubModel(lambda _: Say("x" * 5_000)) as stub, pytest.raises(ProviderError, match="more than 1,000 bytes"):
        client_of(name, stub).complete(MESSAGES, TOOLS, SETTINGS)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_path_that_does_not_exist_is_not_retried(name):
    with StubModel(player) as stub:
        client = client_of(name, stub, base_url=f"{stub.anthropic_url}/nowhere")
        with pytest.raises(ProviderError, match="HTTP 404"):
            client.complete(MESSAGES, TOOLS, SETTINGS)
        assert client.clock.waits == []


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_an_address_that_is_none_is_the_callers_to_mend(name, monkeypatch):
    for variable in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.setenv(variable, "localhost:1/v1")
    with StubModel(player) as stub:
        client = client_of(name, stub, base_url=None)
        with pytest.raises(ProviderError, match="the request cannot be sent") as raised:
            client.complete(MESSAGES, TOOLS, SETTINGS)
    assert raised.value.usage.attempts == 1
    assert not [key for key in KEYS.values() if key in str(raised.value)]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_closed_client_opens_again(name):
    with StubModel(player) as stub:
        client = client_of(name, stub)
        first = played(client)
        client.close()
        client.close()
        assert played(client) == first

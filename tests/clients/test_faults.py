"""Every fault in every wire format: what comes back, what is counted, and that no key is in it."""

import pickle
import traceback
from dataclasses import replace
from typing import Any

import pytest
from bizgym.envs.core.chat import Completion, ContextOverflow, Finish, ProviderError, Usage

from tests.fixtures.clients import KEYS, MESSAGES, SETTINGS, TOOLS, WIRE_NAMES, client_of
from tests.fixtures.stub_model import FAULTS, Call, Fault, Say, StubModel

ORDER = Say("I order.", (Call("place_order", '{"quantity": 40, "note": "Dear Ms Brewer, as agreed"}'),))
SILENT = ("hang", "dribble")
SOON_SECONDS, LONG_ENOUGH_SECONDS = 0.5, 2.0  # the latter for a good reply on a busy machine
PASSING = (
    *("http_429", "http_500", "http_503", "reset", "hang", "dribble", "cut_body"),
    *("invalid_json", "html", "empty_choices", "error_text", "error_body"),
)
FINAL = {
    "http_400": "HTTP 400: tools: malformed",
    "http_401": "HTTP 401: Incorrect API key provided: [redacted]",
    "quota": "You exceeded your current quota",
    "unknown_finish": "unknown finish reason 'tired'",
}
MESSAGE = {
    "http_429": "HTTP 429: rate limit reached for [redacted]",
    "http_500": "HTTP 500: internal error while serving [redacted]",
    "http_503": "HTTP 503: overloaded",
    "reset": "the connection failed",
    "hang": "no reply within 0.5 s",
    "dribble": "no whole reply within 0.5 s",
    "cut_body": "the connection failed",
    "invalid_json": "not a JSON reply",
    "html": "not a JSON reply: an HTML page (Bad gateway), not JSON",
    "empty_choices": "a reply without ",
    "error_text": "text without a finish reason: Error: upstream worker died (key [redacted]), and no usage",
    "error_body": "an error: no upstream for [redacted]",
}


def ask(name: str, stub: StubModel, **settings: Any) -> tuple[Completion | ProviderError, list[float]]:
    client = client_of(name, stub, **{"max_attempts": 2, **settings})
    try:
        return client.complete(MESSAGES, TOOLS, SETTINGS), client.clock.waits
    except ProviderError as error:
        return error, client.clock.waits


def logged(stub: StubModel) -> Usage:
    """What the server's log says was used, all requests together."""
    counts = stub.counts
    return Usage(
        *(counts.input, counts.cached, counts.cache_write, counts.output, counts.reasoning), attempts=len(stub.log)
    )


def assert_no_key(error: BaseException) -> None:
    """No key in an exception: not in its text, its pickle, its attributes, nor in what it drags along."""
    shown = "".join(traceback.format_exception(error)) + repr(error) + repr(vars(error))
    seen = shown.encode() + pickle.dumps(error)
    assert not [key for key in KEYS.values() if key.encode() in seen]
    assert error.__cause__ is None
    assert error.__context__ is None


def good_reply(name: str) -> Completion:
    with StubModel(lambda _: ORDER) as stub:
        reply, _ = ask(name, stub)
    assert isinstance(reply, Completion)
    return reply


def test_the_matrix_leaves_no_fault_out():
    shown_below = {"cut_arguments", "zero_usage", "no_usage", "absurd_usage", "overflow"}
    assert set(FAULTS) == {*PASSING, *FINAL, *shown_below}
    assert set(MESSAGE) == set(PASSING)


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("fault", PASSING)
def test_a_passing_fault_costs_an_attempt_and_loses_nothing(fault, name):
    with StubModel(lambda _: ORDER, faults=[fault]) as stub:
        reply, waits = ask(name, stub, **({"request_seconds": LONG_ENOUGH_SECONDS} if fault in SILENT else {}))
    assert isinstance(reply, Completion)
    assert reply.usage == logged(stub)
    assert reply.usage.attempts == 2
    assert len(waits) == 1
    assert replace(reply, usage=Usage()) == replace(good_reply(name), usage=Usage())


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("fault", PASSING)
def test_a_fault_that_stays_is_the_providers(fault, name):
    with StubModel(lambda _: ORDER, always=fault) as stub:
        error, waits = ask(name, stub, **({"request_seconds": SOON_SECONDS} if fault in SILENT else {}))
    assert type(error) is ProviderError
    assert MESSAGE[fault] in str(error)
    assert str(error).endswith("(the last of 2 attempts)")
    assert error.usage == logged(stub)
    assert (error.usage.attempts, len(waits)) == (2, 1)
    assert_no_key(error)


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("fault", FINAL)
def test_a_fault_that_no_retry_mends_is_not_retried(fault, name):
    with StubModel(lambda _: ORDER, always=fault) as stub:
        error, waits = ask(name, stub)
    assert type(error) is ProviderError
    assert FINAL[fault] in str(error)
    assert error.usage == logged(stub)
    assert (error.usage.attempts, waits) == (1, [])
    assert_no_key(error)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_three_refusals_with_retry_after_are_waited_for(name):
    asked = [Fault("http_429", retry_after=seconds) for seconds in ("7", "30", "0.5")]
    with StubModel(lambda _: ORDER, faults=asked) as stub:
        reply, waits = ask(name, stub, max_attempts=4)
    assert isinstance(reply, Completion)
    assert reply.usage == logged(stub)
    assert reply.usage.attempts == 4
    for seconds, wait in zip((7, 30, 0.5), waits, strict=True):
        assert seconds <= wait <= seconds * 1.25


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_call_cut_off_by_the_limit_stays_unread(name):
    with StubModel(lambda _: ORDER, always="cut_arguments") as stub:
        reply, _ = ask(name, stub)
    assert isinstance(reply, Completion)
    assert reply.finish is Finish.LENGTH
    assert reply.usage == logged(stub)
    (call,) = reply.tool_calls
    assert not call.arguments.endswith("}")
    assert call.name == "place_order"


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("fault", ["zero_usage", "no_usage", "absurd_usage"])
def test_an_answer_without_counts_is_an_answer_with_estimated_usage(fault, name):
    with StubModel(lambda _: ORDER, always=fault) as stub:
        reply, _ = ask(name, stub)
    assert isinstance(reply, Completion)
    assert reply.usage.estimated
    assert 20 < reply.usage.input < 200
    written = len(ORDER.text + "place_order" + ORDER.calls[0].arguments)
    assert reply.usage.output == -(-written // 4)
    assert replace(reply, usage=Usage()) == replace(good_reply(name), usage=Usage())


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_an_empty_answer_that_used_nothing_is_none(name):
    with StubModel(lambda _: Say(""), always="zero_usage") as stub:
        error, _ = ask(name, stub)
    assert type(error) is ProviderError
    assert "an empty reply that used no tokens" in str(error)
    with StubModel(lambda _: Say("")) as stub:
        reply, _ = ask(name, stub)
    assert isinstance(reply, Completion)
    assert (reply.text, reply.finish, reply.usage) == ("", Finish.STOP, logged(stub))


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_an_overflow_states_the_window(name):
    with StubModel(lambda _: ORDER, always="overflow") as stub:
        error, waits = ask(name, stub)
    assert type(error) is ContextOverflow
    assert (error.window_tokens, error.usage.attempts, waits) == (8_192, 1, [])
    assert_no_key(error)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_server_that_is_not_there_is_the_providers_fault(name):
    with StubModel(lambda _: ORDER) as stub:
        client = client_of(name, stub, max_attempts=3)
    with pytest.raises(ProviderError, match=r"the connection failed.*the last of 3 attempts") as raised:
        client.complete(MESSAGES, TOOLS, SETTINGS)
    assert_no_key(raised.value)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_whole_sequence_of_faults_is_counted_to_the_token(name):
    faults = ["empty_choices", "http_503", "empty_choices", "html", None]
    with StubModel(lambda _: ORDER, faults=faults) as stub:
        reply, _ = ask(name, stub, max_attempts=5)
    assert reply.usage == logged(stub)
    assert reply.usage.attempts == 5
    assert reply.usage.input == 3 * good_reply(name).usage.input

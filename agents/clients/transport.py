"""Sends one request through a provider's SDK and reads the reply under a deadline, whichever HTTP library it uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from threading import local
from time import monotonic
from typing import Any, Protocol

from .faults import AttemptFailed, of_status
from .limits import Clock

MAX_BODY_BYTES = 32 * 1024 * 1024
CONNECT_SECONDS = 15.0
MAX_REFUSAL_BYTES = 64 * 1024
REFUSAL_SECONDS = 10.0


class _Due(local):
    """When this thread's request has to be over; None where nothing bounds it."""

    clock: Clock | None = None
    latest: float = 0.0


_due = _Due()


class _BoundStream:
    """A network stream whose reads end with the request's time.

    The libraries bound each read alone: a server that sends a byte now and then, in its headers, its interim replies
    or a compressed body, could hold a call for ever.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def read(self, max_bytes: int, timeout: float | None = None) -> Any:
        if _due.clock is not None and _due.clock.now() > _due.latest:
            raise AttemptFailed("no whole reply within the time of a request", retriable=True)
        return self._stream.read(max_bytes, timeout)

    def start_tls(self, *args: Any, **settings: Any) -> _BoundStream:
        return _BoundStream(self._stream.start_tls(*args, **settings))


class _BoundNetwork:
    """The network as the HTTP library knows it, with bound streams."""

    def __init__(self, network: Any) -> None:
        self._network = network

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def connect_tcp(self, *args: Any, **settings: Any) -> _BoundStream:
        return _BoundStream(self._network.connect_tcp(*args, **settings))


def bound_reads(http_client: Any) -> Any:
    """Hold every read of an HTTP client, through proxies too, to the time of `receive`; return the client.

    There is no public way to reach the network of a client that reads its proxies from the environment.
    """
    for transport in (http_client._transport, *http_client._mounts.values()):
        pool = getattr(transport, "_pool", None)
        if pool is not None:
            pool._network_backend = _BoundNetwork(pool._network_backend)
    return http_client


class Streamed(Protocol):
    """A reply of an SDK of which nothing was parsed."""

    @property
    def headers(self) -> Mapping[str, str]:
        """The reply's headers, names in any case."""
        ...

    def iter_bytes(self, chunk_size: int | None = None) -> Iterator[bytes]:
        """Yield the body as it arrives."""
        ...


def receive(
    open_reply: Callable[[float], AbstractContextManager[Any]], seconds: float, clock: Clock
) -> tuple[str, AttemptFailed | None]:
    """Send one request and read its body.

    Args:
        open_reply: Sends the request, given the longest silence to bear in seconds.
        seconds: Most wall time. Servers that send blanks to keep a line open are held to it too.
        clock: The time.

    Returns:
        The body, and what failed. The failure is returned, not raised: it shall carry nothing of the SDK's own
        exception, whose request holds the key.
    """
    latest = clock.now() + seconds
    body = bytearray()
    _due.clock, _due.latest = clock, latest
    try:
        with open_reply(seconds) as reply:
            for chunk in reply.iter_bytes():
                body += chunk
                if clock.now() > latest:
                    return "", AttemptFailed(f"no whole reply within {seconds:g} s", retriable=True)
                if len(body) > MAX_BODY_BYTES:
                    return "", AttemptFailed(f"a reply of more than {MAX_BODY_BYTES:,} bytes")
    except Exception as error:
        failed = _failure_of(error, seconds)
        if failed is None:
            raise
        return "", failed
    finally:
        _due.clock = None
    return body.decode("utf-8-sig", "replace"), None


def refuse_by_status(response: Any) -> None:
    """Read the body of a refusal, within bounds, and classify it: a hook for the HTTP library's responses.

    The SDKs would read it without an end.

    Raises:
        AttemptFailed: The status is no success.
    """
    if response.is_success:
        return
    body, latest = bytearray(), monotonic() + REFUSAL_SECONDS
    with suppress(Exception):  # the body of a refusal is a courtesy; its status alone decides
        for chunk in response.iter_bytes():
            body += chunk
            if monotonic() > latest or len(body) > MAX_REFUSAL_BYTES:
                break
    raise of_status(response.status_code, response.headers, body[:MAX_REFUSAL_BYTES].decode("utf-8-sig", "replace"))


def _failure_of(error: Exception, seconds: float) -> AttemptFailed | None:
    """Classify an exception of an SDK or of the HTTP library under it by its class names, None for any other.

    The SDKs stand on httpx or on httpx2, by their version; both name their errors alike.
    """
    names = {kind.__name__ for kind in type(error).__mro__}
    cause = error.__cause__ or error
    if isinstance(cause, AttemptFailed):
        return cause
    if type(cause).__name__ in ("InvalidURL", "UnsupportedProtocol", "LocalProtocolError"):
        return AttemptFailed(f"the request cannot be sent: {type(cause).__name__}: {cause}")
    if names & {"APITimeoutError", "TimeoutException"}:
        return AttemptFailed(f"no reply within {seconds:g} s", retriable=True)
    if names & {"APIConnectionError", "TransportError", "DecodingError", "StreamError"}:
        return AttemptFailed(f"the connection failed: {type(cause).__name__}: {cause}", retriable=True)
    if type(cause) is RuntimeError and "closed" in str(cause):  # between two requests of a call
        return AttemptFailed("the client was closed")
    if names & {"OpenAIError", "AnthropicError"}:
        return AttemptFailed(f"the SDK refused: {type(error).__name__}: {error}")
    return None

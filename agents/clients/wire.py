"""The way of one completion through the client of a remote provider, whatever the wire format."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from threading import Event, Lock
from typing import Any

from ...envs.core.chat import ChatSettings, Completion, Finish, Message, ProviderError, ToolSchema, Usage
from ...envs.core.errors import SettingError
from .faults import AttemptFailed
from .limits import Clock, shared_limit
from .logs import guard_logs
from .messages import check_messages, encodable
from .redact import redact
from .reply import Reply, completed, estimate_usage
from .retry import Attempts, RetryPolicy
from .settings import WireSettings
from .tokens import estimate_prompt
from .transport import receive

MAX_PAUSES = 16
USUAL_OUTPUT_TOKENS = 512  # foreseen for the limit of tokens where a request states no maximum
NO_KEY = "no-key-needed"  # the SDKs demand one


@dataclass(eq=False)
class WireClient(WireSettings, ABC):
    """A model behind HTTP. One client serves many threads; it is pickled as its settings."""

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            SettingError: One is unusable, or looks like a key.
        """
        super().__post_init__()
        self.clock: Clock = Clock()
        self._lock = Lock()
        self._stopped = Event()
        self._sdk: tuple[tuple[str, str], Any] | None = None
        self._policy = RetryPolicy(
            self.max_attempts, self.request_seconds, self.deadline_seconds, self.max_wait_seconds
        )
        place = (self.name, self.endpoint, self.model, self.api_key_env)
        self._limit = shared_limit(place, self.requests_per_minute, self.tokens_per_minute)

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return one completion, all attempts and continued pauses counted.

        Raises:
            ProviderError: The provider failed for good, or time ran out.
            ContextOverflow: The messages do not fit the model's window.
            SettingError: The messages or tools are malformed.
        """
        check_messages(messages)
        fault = self._key_fault()
        if fault:
            raise ProviderError(f"{self.name}: {fault}", Usage(attempts=0))
        body = self._whole_body(messages, tools, settings)
        label = f"{self.name} {self.model}"
        attempts = Attempts(label, self._policy, self._limit, self.clock, settings.deadline_seconds, self._stopped)
        replies = self._replies(body, attempts, estimate_prompt(messages, tools))
        return self._completion(replies, attempts, settings)

    def _replies(self, body: dict[str, Any], attempts: Attempts, read_tokens: int) -> list[Reply]:
        """Send a request, and what continues it after each pause."""
        replies: list[Reply] = []
        written = self._length(body) or USUAL_OUTPUT_TOKENS
        while not replies or replies[-1].finish is None:
            if len(replies) > MAX_PAUSES:
                raise ProviderError(f"{attempts.label}: more than {MAX_PAUSES} pauses in one reply", attempts.total())
            if replies:
                body = self._resumed(body, replies[-1].resume)
            replies.append(attempts.send(partial(self._post, body, read_tokens), read_tokens + written))
        return replies

    def _post(self, body: dict[str, Any], read_tokens: int, seconds: float) -> Reply:
        """Send one request; counts that the provider leaves out are estimated."""
        sdk, unusable = self._ready()  # loading it takes a second, which is none of the provider's
        if unusable:
            raise AttemptFailed(unusable)
        text, failed = receive(lambda silence: self._open(sdk, body, silence), seconds, self.clock)
        if failed is not None:
            raise failed
        reply = self._read(text)
        estimate = estimate_usage(read_tokens, reply.text, reply.tool_calls)
        return replace(reply, usage=completed(reply.usage, estimate))

    def _completion(self, replies: list[Reply], attempts: Attempts, settings: ChatSettings) -> Completion:
        last = replies[-1]
        text = "".join(reply.text for reply in replies)
        calls = tuple(call for reply in replies for call in reply.tool_calls)
        return Completion(
            text=self._cut_at(text, settings.stop),
            tool_calls=calls,
            usage=attempts.total(),
            finish=last.finish or Finish.STOP,
            model=last.model,
            provider_id=last.provider_id,
        )

    def _whole_body(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> dict[str, Any]:
        body = {"model": self.model, **self._request(messages, tools, settings)}
        length = settings.max_tokens or self.max_tokens
        if length is not None:
            body[self._length_field()] = length
        if settings.temperature is not None and self.takes_temperature:
            body["temperature"] = settings.temperature
        body.update(self.extra_body or {})
        whole: dict[str, Any] = encodable(body)
        return whole

    def _length(self, body: Mapping[str, Any]) -> int | None:
        length = body.get(self._length_field())
        return length if isinstance(length, int) else None

    def check_ready(self) -> None:
        """Check, without sending anything, that calls can be made.

        Raises:
            SettingError: The key is missing, or the environment (proxies, certificates) allows no connection.
        """
        super().check_ready()
        _, unusable = self._ready()
        if unusable:
            raise SettingError(f"client: {redact(unusable)}")

    def _ready(self) -> tuple[Any, str]:
        """Return the SDK's client, and why there is none, "" where there is one: no model is to blame for that."""
        try:
            return self._connection(), ""
        except (ImportError, OSError, ValueError) as error:
            return None, (
                f"no connection can be made: {type(error).__name__}: {error} (look at base_url, and in the environment "
                f"at {self.base_url_env}, at the proxies and at SSL_CERT_FILE)"
            )

    def _connection(self) -> Any:
        """Return the SDK's client for the key and the address of this moment."""
        wanted = (self._key() or NO_KEY, self.endpoint)
        with self._lock:
            if self._sdk is None or self._sdk[0] != wanted:
                self._sdk = (wanted, self._connect(*wanted))
                guard_logs()
            return self._sdk[1]

    def close(self) -> None:
        """End the waits of calls in progress, which then fail, and close connections; a later call opens new ones."""
        with self._lock:
            self._stopped.set()
            self._stopped = Event()
            if self._sdk is not None:
                self._sdk[1].close()
                self._sdk = None

    @abstractmethod
    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> dict[str, Any]:
        """Return a request's body without model, length and temperature."""

    @abstractmethod
    def _read(self, text: str) -> Reply:
        """Read a reply's body, or raise `AttemptFailed`."""

    @abstractmethod
    def _length_field(self) -> str:
        """Return the name of the field that limits the reply."""

    @abstractmethod
    def _connect(self, key: str, endpoint: str) -> Any:
        """Return the SDK's client."""

    @abstractmethod
    def _open(self, sdk: Any, body: dict[str, Any], seconds: float) -> AbstractContextManager[Any]:
        """Return a request about to be sent."""

    def _resumed(self, body: dict[str, Any], resume: Any) -> dict[str, Any]:
        """Return the request that continues a pause; only some formats know one."""
        raise NotImplementedError

    def _cut_at(self, text: str, stop: Sequence[str]) -> str:
        """Return the text; a format that takes no stop texts cuts it here."""
        return text

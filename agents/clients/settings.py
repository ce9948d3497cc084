"""Settings of the clients of remote providers: checked, recorded and pickled without ever holding a key."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import inf
from typing import Any, ClassVar
from urllib.parse import SplitResult, urlsplit

from ...envs.core.errors import SettingError
from .redact import holds_key, redact, watch

_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_MADE_HERE = frozenset({"model", "messages", "input", "system", "tools", "stream"})
_ABOVE_ZERO = (
    *("max_tokens", "max_attempts", "request_seconds", "deadline_seconds", "max_wait_seconds"),
    *("requests_per_minute", "tokens_per_minute"),
)


@dataclass(eq=False)
class WireSettings:
    """How a model is reached and asked.

    The key is read from the environment at each call. It is in no attribute, record, message or pickle.

    Attributes:
        model: The model, as the provider names it.
        base_url: Address of the interface, None for the SDK's own (its variable of the environment included).
        api_key_env: Variable of the environment that holds the key, None for servers that want none.
        max_tokens: Most tokens to write where a call states none.
        takes_temperature: Whether the model accepts a temperature; it is left out otherwise.
        parallel_tool_calls: Whether one reply may hold several calls, None for the provider's choice.
        extra_body: Further fields of each request; they win over those that are made here.
        max_attempts: Most times that one request is sent.
        request_seconds: Most wall time of one request.
        deadline_seconds: Most wall time of a completion, all attempts and the waits between them together.
        max_wait_seconds: Longest wait between attempts, unless the provider asks for more.
        requests_per_minute: Requests begun a minute by all threads, None for no limit.
        tokens_per_minute: Tokens a minute, read and written, by all threads, None for no limit.
    """

    model: str | None = None
    base_url: str | None = None
    api_key_env: str | None = None
    max_tokens: int | None = None
    takes_temperature: bool = True
    parallel_tool_calls: bool | None = None
    extra_body: dict[str, Any] | None = None
    max_attempts: int = 8
    request_seconds: float = 300.0
    deadline_seconds: float = 900.0
    max_wait_seconds: float = 60.0
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None

    name: ClassVar[str]
    base_url_env: ClassVar[str]
    official_url: ClassVar[str]

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            SettingError: One is unusable, or looks like a key. A key is never quoted.
        """
        self._check_secrets()
        self._check_extra_body()
        if not self.model or not self.model.strip():
            raise SettingError("model: name one, for example client.model=NAME")
        for setting in _ABOVE_ZERO:
            value = getattr(self, setting)
            if value is not None and not 0 < value < inf:
                raise SettingError(f"{setting}: above 0, not {value}")
        parts = None if self.base_url is None else _split(self.base_url)
        if parts and (parts.scheme not in ("http", "https") or not parts.hostname or parts.username or parts.query):
            raise SettingError("base_url: an http or https address without user, password and query")

    def _check_extra_body(self) -> None:
        taken = sorted(_MADE_HERE.intersection(self.extra_body or ()))
        if taken:
            raise SettingError(f"extra_body.{taken[0]}: is made for each request and cannot be set here")

    def _check_secrets(self) -> None:
        if self.api_key_env is not None:
            if not _VARIABLE.fullmatch(self.api_key_env) or holds_key(self.api_key_env):
                raise SettingError("api_key_env: the NAME of an environment variable that holds the key, not the key")
            watch(self.api_key_env)
        for setting, value in self.__getstate__().items():
            if holds_key(value):
                raise SettingError(f"{setting}: holds what looks like a key; put it into the environment (api_key_env)")

    @property
    def endpoint(self) -> str:
        """The address that requests go to, the environment's choice included."""
        return self.base_url or os.environ.get(self.base_url_env, "").strip() or self.official_url

    @property
    def is_official(self) -> bool:
        """Whether requests go to the provider whose format this is, not to a server that speaks it too."""
        return _split(self.endpoint).hostname == _split(self.official_url).hostname

    @property
    def description(self) -> Mapping[str, Any]:
        """The settings that a record keeps."""
        return {
            "name": self.name,
            "model": self.model,
            "base_url": None if self.endpoint == self.official_url else _public(self.endpoint),
            "max_tokens": self.max_tokens,
            "takes_temperature": self.takes_temperature,
            "parallel_tool_calls": self.parallel_tool_calls,
            "extra_body": self.extra_body,
        }

    def check_ready(self) -> None:
        """Check, without sending anything, that calls can be made.

        Raises:
            SettingError: The key is missing.
        """
        fault = self._key_fault()
        if fault:
            raise SettingError(f"client: {fault}")

    def _key(self) -> str:
        return os.environ.get(self.api_key_env, "").strip() if self.api_key_env else ""

    def _key_fault(self) -> str:
        """Say what is wrong with the key, "" where nothing is; the key itself is never said."""
        if self.api_key_env is None:
            return ""
        key = self._key()
        if not key:
            return f"the environment variable {self.api_key_env} is not set; export the provider's key there"
        if not key.isascii() or any(character.isspace() for character in key):
            return f"the environment variable {self.api_key_env} holds no key: blanks or other than ASCII characters"
        return ""

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in fields(self)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state)  # type: ignore[misc]


def _split(address: str) -> SplitResult:
    """Split an address; one that is none has no host."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _public(address: str) -> str:
    """Return an address without user, password and query, whatever the environment put there."""
    parts = _split(address)
    host = parts.netloc.rpartition("@")[2]
    return redact(f"{parts.scheme}://{host}{parts.path}".rstrip("/")) if host else "(no address)"

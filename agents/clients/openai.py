"""OpenAI chat completions, and every server that speaks them: vLLM, DeepSeek, GLM, a gateway."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar

from ...envs.core.chat import ChatSettings, Message, ToolSchema
from . import wire_chat
from .reply import Reply
from .transport import CONNECT_SECONDS, bound_reads, refuse_by_status
from .wire import WireClient


@dataclass(eq=False)
class OpenAI(WireClient):
    """A model behind the chat completions interface.

    Attributes:
        max_tokens_field: Name of the field that limits the reply; None for `max_completion_tokens` at OpenAI, whose
            newer models refuse the older name, and `max_tokens` elsewhere.
        takes_seed: Whether the server accepts a seed; it is left out otherwise.
    """

    api_key_env: str | None = "OPENAI_API_KEY"
    max_tokens_field: str | None = None
    takes_seed: bool = True

    name: ClassVar[str] = "openai"
    base_url_env: ClassVar[str] = "OPENAI_BASE_URL"
    official_url: ClassVar[str] = "https://api.openai.com/v1"

    @property
    def description(self) -> Mapping[str, Any]:
        """The settings that a record keeps."""
        return {**super().description, "max_tokens_field": self.max_tokens_field, "takes_seed": self.takes_seed}

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> dict[str, Any]:
        body = wire_chat.request_body(messages, tools, settings)
        if not self.takes_seed:
            body.pop("seed", None)
        if tools and self.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = self.parallel_tool_calls
        return body

    def _read(self, text: str) -> Reply:
        return wire_chat.read_reply(text)

    def _length_field(self) -> str:
        if self.max_tokens_field:
            return self.max_tokens_field
        return "max_completion_tokens" if self.is_official else "max_tokens"

    def _connect(self, key: str, endpoint: str) -> Any:
        return connect(key, endpoint)

    def _open(self, sdk: Any, body: dict[str, Any], seconds: float) -> AbstractContextManager[Any]:
        return open_reply(sdk.chat.completions, body, seconds, ("model", "messages"))


def connect(key: str, endpoint: str) -> Any:
    """Return the SDK's client: its own retries off, and no redirect, which could carry the key to another host."""
    import openai

    hooks = {"response": [refuse_by_status]}
    http_client = openai.DefaultHttpxClient(follow_redirects=False, event_hooks=hooks)
    return openai.OpenAI(api_key=key, base_url=endpoint, max_retries=0, http_client=bound_reads(http_client))


def open_reply(
    resource: Any, body: dict[str, Any], seconds: float, required: Sequence[str]
) -> AbstractContextManager[Any]:
    """Return a request about to be sent.

    Args:
        resource: The SDK's resource, for example `sdk.responses`.
        body: The body. What is not required goes by `extra_body`, since the SDK's versions differ in what they name.
        seconds: Longest silence to bear.
        required: The fields that the SDK demands as keywords.
    """
    import openai

    stated = {name: body[name] for name in required}
    extra = {name: value for name, value in body.items() if name not in stated}
    timeout = openai.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
    opened: AbstractContextManager[Any] = resource.with_streaming_response.create(
        **stated, extra_body=extra, timeout=timeout
    )
    return opened

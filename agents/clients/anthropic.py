"""The messages interface of Anthropic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar

from ...envs.core.chat import ChatSettings, Message, ToolSchema
from ...envs.core.errors import SettingError
from . import wire_messages
from .reply import Reply
from .transport import CONNECT_SECONDS, bound_reads, refuse_by_status
from .wire import WireClient


@dataclass(eq=False)
class Anthropic(WireClient):
    """A model behind the messages interface, which takes no seed and, with current models, no temperature.

    Extended thinking (by `extra_body`) suits single replies alone: its blocks are not sent back with later turns.

    Attributes:
        cache_prompt: Whether the provider is asked to cache the prompt: dearer once, cheap in every later turn.
    """

    api_key_env: str | None = "ANTHROPIC_API_KEY"
    max_tokens: int | None = 4_096
    takes_temperature: bool = False
    cache_prompt: bool = True

    name: ClassVar[str] = "anthropic"
    base_url_env: ClassVar[str] = "ANTHROPIC_BASE_URL"
    official_url: ClassVar[str] = "https://api.anthropic.com"

    def __post_init__(self) -> None:
        """Check the settings.

        Raises:
            SettingError: One is unusable.
        """
        super().__post_init__()
        if self.max_tokens is None:
            raise SettingError("max_tokens: the messages interface demands a number")

    @property
    def description(self) -> Mapping[str, Any]:
        """The settings that a record keeps."""
        return {**super().description, "cache_prompt": self.cache_prompt}

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> dict[str, Any]:
        body = wire_messages.request_body(messages, tools, settings)
        if tools and self.parallel_tool_calls is not None and settings.tool_choice != "none":
            choice = body.setdefault("tool_choice", {"type": "auto"})
            choice["disable_parallel_tool_use"] = not self.parallel_tool_calls
        if self.cache_prompt:
            wire_messages.mark_for_cache(body)
        return body

    def _resumed(self, body: dict[str, Any], resume: Any) -> dict[str, Any]:
        return {**body, "messages": [*body["messages"], {"role": "assistant", "content": resume}]}

    def _read(self, text: str) -> Reply:
        return wire_messages.read_reply(text)

    def _length_field(self) -> str:
        return "max_tokens"

    def _connect(self, key: str, endpoint: str) -> Any:
        """Return the SDK's client: its own retries off, and no redirect, which could carry the key to another host."""
        import anthropic

        hooks = {"response": [refuse_by_status]}
        http_client = anthropic.DefaultHttpxClient(follow_redirects=False, event_hooks=hooks)
        return anthropic.Anthropic(api_key=key, base_url=endpoint, max_retries=0, http_client=bound_reads(http_client))

    def _open(self, sdk: Any, body: dict[str, Any], seconds: float) -> AbstractContextManager[Any]:
        """Return a request about to be sent; what current SDKs refuse as a keyword goes by `extra_body`."""
        import anthropic

        stated = {name: body[name] for name in ("model", "messages", "max_tokens")}
        extra = {name: value for name, value in body.items() if name not in stated}
        timeout = anthropic.Timeout(seconds, connect=min(seconds, CONNECT_SECONDS))
        opened: AbstractContextManager[Any] = sdk.messages.with_streaming_response.create(
            **stated, extra_body=extra, timeout=timeout
        )
        return opened

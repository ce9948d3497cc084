"""The responses interface of OpenAI."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, ClassVar

from ...envs.core.chat import ChatSettings, Message, ToolSchema
from . import wire_responses
from .openai import connect, open_reply
from .reply import Reply
from .wire import WireClient


@dataclass(eq=False)
class OpenAIResponses(WireClient):
    """A model behind the responses interface, which takes no seed; stop texts are cut off here."""

    api_key_env: str | None = "OPENAI_API_KEY"

    name: ClassVar[str] = "openai_responses"
    base_url_env: ClassVar[str] = "OPENAI_BASE_URL"
    official_url: ClassVar[str] = "https://api.openai.com/v1"

    def _request(
        self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings
    ) -> dict[str, Any]:
        body = wire_responses.request_body(messages, tools, settings)
        if tools and self.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = self.parallel_tool_calls
        return body

    def _read(self, text: str) -> Reply:
        return wire_responses.read_reply(text)

    def _length_field(self) -> str:
        return "max_output_tokens"

    def _cut_at(self, text: str, stop: Sequence[str]) -> str:
        ends = [text.find(end) for end in stop if end in text]
        return text[: min(ends)] if ends else text

    def _connect(self, key: str, endpoint: str) -> Any:
        return connect(key, endpoint)

    def _open(self, sdk: Any, body: dict[str, Any], seconds: float) -> AbstractContextManager[Any]:
        return open_reply(sdk.responses, body, seconds, ("model", "input"))

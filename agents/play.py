"""How an agent talks to its model: the settings that all agents with a model share, each with its default."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict

from ..envs.core.chat import ChatSettings
from ..envs.core.errors import SettingError
from .context import Policy

Memory = Literal["episode", "observation"]
ToolCalls = Literal["native", "json"]
ToolChoice = Literal["auto", "required"]
OnTruncated = Literal["stop", "continue"]


class PlaySettings(TypedDict, total=False):
    """Keywords that every agent with a model takes; see `Play`."""

    prompt: str
    memory: Memory
    tool_calls: ToolCalls
    tool_choice: ToolChoice
    temperature: float | None
    max_tokens: int | None
    on_truncated: OnTruncated
    context: Policy
    window_tokens: int | None
    retrieval_tools: list[str] | None


@dataclass(frozen=True, slots=True)
class Play:
    """How a model is shown an episode and how its replies are taken.

    Attributes:
        prompt: The system prompt: a packaged one by its name, or the path of a `.md` file; `$rules` are the
            environment's.
        memory: `episode` shows the model the whole conversation; `observation` only the newest results, so that
            the prompt does not grow.
        tool_calls: `native`, or `json` for models without tool calling: one JSON object, held to the tools' schemas.
        tool_choice: `auto`, or `required` where the provider can enforce a call.
        temperature: Sent where the endpoint takes it; None leaves it to the provider.
        max_tokens: Most tokens of a reply, reasoning included; None leaves it to the provider.
        on_truncated: A reply cut off by its length ends the episode (`stop`), or is played as it is (`continue`).
        context: What happens when the window would overflow: `error` ends the episode, `stub` makes room.
        window_tokens: The model's window; None until the provider's error states it.
        retrieval_tools: Patterns of the tools whose results may become stubs; None for `search*` and `read*`.

    Raises:
        SettingError: A number of tokens is below 1.
    """

    prompt: str = "cot"
    memory: Memory = "episode"
    tool_calls: ToolCalls = "native"
    tool_choice: ToolChoice = "auto"
    temperature: float | None = None
    max_tokens: int | None = 4096
    on_truncated: OnTruncated = "stop"
    context: Policy = "error"
    window_tokens: int | None = None
    retrieval_tools: list[str] | None = None

    def __post_init__(self) -> None:
        for setting, tokens in (("max_tokens", self.max_tokens), ("window_tokens", self.window_tokens)):
            if tokens is not None and tokens < 1:
                raise SettingError(f"{setting}: at least 1, or null, not {tokens}")

    @property
    def chat(self) -> ChatSettings:
        """The part that goes to the client with each call."""
        return ChatSettings(max_tokens=self.max_tokens, temperature=self.temperature, tool_choice=self.tool_choice)

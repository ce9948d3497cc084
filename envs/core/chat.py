"""The protocol of a language model: messages and tools in, a completion and its usage out.

Everything that talks to a model (agents, counterparts, judges) is handed a `ChatClient`; which provider stands behind
it is the caller's affair. Messages are OpenAI chat dicts, tools are schemas in the form of the OpenAI chat interface.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol, runtime_checkable

from .errors import BizGymError

_COUNTED = ("cached", "cache_write", "reasoning", "estimated", "replayed")
Message = Mapping[str, Any]
ToolSchema = Mapping[str, Any]


class Finish(StrEnum):
    """Why a model stopped writing; a provider's pause is continued by the client and never seen here."""

    STOP = "stop"
    TOOL_CALLS = "tool_calls"
    LENGTH = "length"
    REFUSAL = "refusal"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call as the model wrote it.

    Attributes:
        id: The provider's id, which the result has to carry.
        name: The tool, unchecked.
        arguments: Text as sent; it may be no JSON, or be cut off.
    """

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What one completion used, in tokens, all of its attempts together.

    Attributes:
        input: Tokens read, those of the next two classes included.
        cached: Tokens read from the provider's cache.
        cache_write: Tokens written to the provider's cache.
        output: Tokens written, reasoning included.
        reasoning: Tokens of hidden reasoning.
        attempts: Requests sent, failed ones included.
        seconds: Wall time from the first request to the last reply, waits included.
        estimated: Whether the provider sent no counts and these were estimated.
        replayed: Whether the reply came from a store of recorded ones, so that nothing was charged.
    """

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0
    attempts: int = 1
    seconds: float = field(default=0.0, compare=False)
    estimated: bool = False
    replayed: bool = False

    @property
    def counts(self) -> dict[str, int]:
        """What a record keeps: attempts, input and output, and of the rest what is not 0; no times."""
        always = {"attempts": self.attempts, "input": self.input, "output": self.output}
        rest = {name: int(getattr(self, name)) for name in _COUNTED if getattr(self, name)}
        return {**always, **rest}


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """How a completion is to be made; None leaves a setting to the provider.

    Attributes:
        max_tokens: Most tokens to write.
        temperature: Sent only to endpoints that take it.
        tool_choice: `auto`, `required` (at least one call) or `none`.
        response_schema: A JSON schema that the text must follow.
        seed: Sent only to endpoints that take it.
        stop: Texts that end the completion.
        deadline_seconds: What is left of the caller's time, waits and retries included; not part of the request.
    """

    max_tokens: int | None = None
    temperature: float | None = None
    tool_choice: Literal["auto", "required", "none"] = "auto"
    response_schema: Mapping[str, Any] | None = None
    seed: int | None = None
    stop: tuple[str, ...] = ()
    deadline_seconds: float | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote.

    Attributes:
        text: Free text, "" where there is none.
        tool_calls: The calls, in order.
        usage: What it used.
        finish: Why it stopped.
        model: The model that answered, as the provider names it.
        provider_id: The provider's id of the reply, for support requests; "" where there is none.
    """

    text: str
    tool_calls: tuple[ToolCall, ...] = ()
    usage: Usage = Usage()
    finish: Finish = Finish.STOP
    model: str = ""
    provider_id: str = ""


@runtime_checkable
class ChatClient(Protocol):
    """A model. One client serves many threads."""

    @property
    def description(self) -> Mapping[str, Any]:
        """An allow-list of settings for the record, free of keys."""
        ...

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return one completion.

        Raises:
            ProviderError: The provider failed for good, retries included.
            ContextOverflow: The messages do not fit the model's window.
        """
        ...


def described(client: ChatClient) -> dict[str, Any]:
    """Return a client's description for a record, and that it is free where it is."""
    return {**client.description, **({"free": True} if getattr(client, "free", False) else {})}


class ProviderError(BizGymError, RuntimeError):
    """A provider failed: the infrastructure's fault, never scored as the agent's.

    Attributes:
        usage: What the failed attempts used all the same.
    """

    def __init__(self, message: str, usage: Usage | None = None) -> None:
        super().__init__(message)
        self.usage = usage or Usage()


class ContextOverflow(ProviderError):
    """The messages do not fit the model's window.

    Attributes:
        window_tokens: The window as the provider states it, None where it does not.
    """

    def __init__(self, message: str, usage: Usage | None = None, window_tokens: int | None = None) -> None:
        super().__init__(message, usage)
        self.window_tokens = window_tokens

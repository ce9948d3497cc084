"""The chat completions format: OpenAI's, and that of vLLM, DeepSeek, GLM and most gateways."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...envs.core.chat import ChatSettings, Finish, Message, ToolCall, ToolSchema, Usage
from .faults import AttemptFailed, excerpt
from .messages import calls_of, is_strict, sendable_name
from .reply import Reply, arguments_as_sent, check_answer, items, mapping, no_finish, read_object, text_of, usage_of

_FINISHES = {
    "stop": Finish.STOP,
    "tool_calls": Finish.TOOL_CALLS,
    "function_call": Finish.TOOL_CALLS,
    "length": Finish.LENGTH,
    "content_filter": Finish.REFUSAL,
    "sensitive": Finish.REFUSAL,  # GLM
}
_SENT = ("role", "content", "name", "tool_call_id")  # whatever else a message bears is the agent's own
_INTERRUPTED = frozenset({"insufficient_system_resource", "network_error", "abort", "error"})  # DeepSeek, GLM, vLLM
_OVERFLOWED = "model_context_window_exceeded"


def request_body(messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> dict[str, Any]:
    """Return the body of a request, without model, length and temperature."""
    body: dict[str, Any] = {"messages": [_message(message) for message in messages]}
    if tools:
        body["tools"] = [dict(tool) for tool in tools]
        if settings.tool_choice != "auto":
            body["tool_choice"] = settings.tool_choice
    if settings.response_schema is not None:
        strict = is_strict(settings.response_schema)
        schema = {"name": "answer", "schema": dict(settings.response_schema), "strict": strict}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if settings.seed is not None:
        body["seed"] = settings.seed
    if settings.stop:
        body["stop"] = list(settings.stop)
    return body


def _message(message: Message) -> dict[str, Any]:
    sent = {name: message[name] for name in _SENT if name in message}
    if message.get("tool_calls"):
        sent["tool_calls"] = [
            {
                "id": call_id,
                "type": "function",
                "function": {"name": sendable_name(function["name"]), "arguments": arguments_of(function)},
            }
            for call_id, function in calls_of(message)
        ]
    return sent


def read_reply(text: str) -> Reply:
    """Read the body of a reply.

    Raises:
        AttemptFailed: It is no answer of a model.
    """
    body = read_object(text)
    usage = _usage(mapping(body.get("usage")))
    choices = items(body.get("choices"))
    if not choices:
        raise AttemptFailed(f"a reply without choices: {excerpt(text)}", retriable=True, usage=usage)
    message = mapping(choices[0].get("message"))
    refusal = text_of(message.get("refusal"))
    words = _content(message.get("content")) or refusal
    calls = _calls(message)
    finish = _finish(choices[0].get("finish_reason"), words, calls, usage)
    return check_answer(
        Reply(
            text=words,
            tool_calls=calls,
            finish=Finish.REFUSAL if refusal else finish,
            usage=usage,
            model=text_of(body.get("model")),
            provider_id=text_of(body.get("id")),
        )
    )


def _finish(finish: Any, text: str, calls: Sequence[ToolCall], usage: Usage | None) -> Finish:
    if finish == _OVERFLOWED:
        raise AttemptFailed("the reply ran out of the model's window", usage=usage, overflow=True)
    if isinstance(finish, str) and finish in _INTERRUPTED:
        raise AttemptFailed(f"the provider broke off: {finish}", retriable=True, usage=usage)
    known = _FINISHES.get(finish) if isinstance(finish, str) else None
    if known is None:
        raise no_finish(finish, text, usage)
    if known in (Finish.STOP, Finish.TOOL_CALLS):  # some servers send one for the other
        return Finish.TOOL_CALLS if calls else Finish.STOP
    return known


def _content(content: Any) -> str:
    """Text, or the texts of a list of parts."""
    if isinstance(content, list):
        return "".join(text_of(part.get("text")) for part in items(content))
    return text_of(content)


def _calls(message: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    found = []
    for call in items(message.get("tool_calls")):
        function = mapping(call.get("function"))
        found.append(ToolCall(text_of(call.get("id")), text_of(function.get("name")), arguments_of(function)))
    return tuple(found)


def arguments_of(function: Mapping[str, Any]) -> str:
    """Return a call's arguments as text; some servers send an object where a text is due."""
    return arguments_as_sent(function.get("arguments"))


def _usage(sent: Mapping[str, Any]) -> Usage | None:
    read, written = mapping(sent.get("prompt_tokens_details")), mapping(sent.get("completion_tokens_details"))
    return usage_of(
        sent.get("prompt_tokens"),
        sent.get("completion_tokens"),
        cached=read.get("cached_tokens", sent.get("prompt_cache_hit_tokens")),  # the latter is DeepSeek's
        cache_write=read.get("cache_write_tokens"),
        reasoning=written.get("reasoning_tokens"),
    )

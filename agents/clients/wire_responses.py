"""The responses format of OpenAI: a list of items in, a list of items out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...envs.core.chat import ChatSettings, Finish, Message, ToolCall, ToolSchema, Usage
from .faults import AttemptFailed, of_error
from .messages import calls_of, content_of, function_of, is_strict, sendable_name
from .reply import Reply, check_answer, items, mapping, no_finish, read_object, text_of, usage_of
from .wire_chat import arguments_of

_INCOMPLETE = {"max_output_tokens": Finish.LENGTH, "content_filter": Finish.REFUSAL}


def request_body(messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> dict[str, Any]:
    """Return the body of a request, without model, length and temperature.

    Nothing is stored at the provider. The format takes neither a seed nor stop texts.
    """
    body: dict[str, Any] = {"input": [item for message in messages for item in _items(message)], "store": False}
    if tools:
        body["tools"] = [_tool(function_of(tool)) for tool in tools]
        if settings.tool_choice != "auto":
            body["tool_choice"] = settings.tool_choice
    if settings.response_schema is not None:
        strict = is_strict(settings.response_schema)
        schema = {"name": "answer", "schema": dict(settings.response_schema), "strict": strict}
        body["text"] = {"format": {"type": "json_schema", **schema}}
    return body


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "function", "strict": False, **function}  # left out, strict is true here and false in chat


def _items(message: Message) -> Iterator[dict[str, Any]]:
    """Yield a message as the items that say the same."""
    if message["role"] == "tool":
        yield {"type": "function_call_output", "call_id": message["tool_call_id"], "output": content_of(message)}
        return
    calls = calls_of(message)
    content = content_of(message)
    if content or not calls:
        yield {"role": message["role"], "content": content}
    for call_id, function in calls:
        call = {"call_id": call_id, "name": sendable_name(function["name"]), "arguments": arguments_of(function)}
        yield {"type": "function_call", **call}


def read_reply(text: str) -> Reply:
    """Read the body of a reply.

    Raises:
        AttemptFailed: It is no answer of a model.
    """
    body = read_object(text)
    usage = _usage(mapping(body.get("usage")))
    output = items(body.get("output"))
    parts = [part for item in output if item.get("type") == "message" for part in items(item.get("content"))]
    refusal = "".join(text_of(part.get("refusal")) for part in parts if part.get("type") == "refusal")
    words = "".join(text_of(part.get("text")) for part in parts if part.get("type") == "output_text") or refusal
    calls = tuple(
        ToolCall(text_of(item.get("call_id")), text_of(item.get("name")), arguments_of(item))
        for item in output
        if item.get("type") == "function_call"
    )
    finish = _finish(body, words, bool(output), bool(calls), usage)
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


def _finish(body: Mapping[str, Any], text: str, any_output: bool, any_calls: bool, usage: Usage | None) -> Finish:
    status = body.get("status")
    if status == "completed":
        if not any_output:
            raise AttemptFailed("a reply without output", retriable=True, usage=usage)
        return Finish.TOOL_CALLS if any_calls else Finish.STOP
    if status == "failed":
        raise of_error(body.get("error") or "failed", usage)
    if status != "incomplete":
        raise no_finish(status, text, usage)
    reason = mapping(body.get("incomplete_details")).get("reason")
    known = _INCOMPLETE.get(reason) if isinstance(reason, str) else None
    if known is None:
        raise no_finish(reason, text, usage)
    return known


def _usage(sent: Mapping[str, Any]) -> Usage | None:
    read, written = mapping(sent.get("input_tokens_details")), mapping(sent.get("output_tokens_details"))
    return usage_of(
        sent.get("input_tokens"),
        sent.get("output_tokens"),
        cached=read.get("cached_tokens"),
        cache_write=read.get("cache_write_tokens"),
        reasoning=written.get("reasoning_tokens"),
    )

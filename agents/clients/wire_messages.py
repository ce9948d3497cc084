"""The messages format of Anthropic: turns of content blocks, the system's words apart, arguments as objects."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from itertools import count as count_from
from typing import Any

from ...envs.core.chat import ChatSettings, Finish, Message, ToolCall, ToolSchema, Usage
from ...envs.core.jsontext import JsonRefused, decode
from .faults import AttemptFailed
from .messages import SYSTEM_ROLES, calls_of, content_of, function_of, sendable_name
from .reply import (
    Reply,
    arguments_as_sent,
    check_answer,
    count,
    items,
    mapping,
    no_finish,
    read_object,
    text_of,
    usage_of,
)

UNREAD = "arguments_that_were_no_json_object"
PAUSE = "pause_turn"
_FINISHES = {
    "end_turn": Finish.STOP,
    "stop_sequence": Finish.STOP,
    "tool_use": Finish.TOOL_CALLS,
    "max_tokens": Finish.LENGTH,
    "refusal": Finish.REFUSAL,
}
_OVERFLOWED = "model_context_window_exceeded"
_CHOICES = {"auto": "auto", "required": "any", "none": "none"}


def request_body(messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> dict[str, Any]:
    """Return the body of a request, without model, length and temperature. The format takes no seed."""
    body: dict[str, Any] = {}
    system = []
    rest = list(messages)
    while len(rest) > 1 and rest[0]["role"] in SYSTEM_ROLES:  # the format asks for at least one turn
        system.append(content_of(rest.pop(0)))
    if any(map(str.strip, system)):  # blank blocks are refused
        body["system"] = [{"type": "text", "text": text} for text in system if text.strip()]
    body["messages"] = _turns(rest)
    if tools:
        body["tools"] = [_tool(function_of(tool)) for tool in tools]
        if settings.tool_choice != "auto":
            body["tool_choice"] = {"type": _CHOICES[settings.tool_choice]}
    if settings.response_schema is not None:
        body["output_config"] = {"format": {"type": "json_schema", "schema": dict(settings.response_schema)}}
    if settings.stop:
        body["stop_sequences"] = list(settings.stop)
    return body


def mark_for_cache(body: dict[str, Any]) -> None:
    """Let the provider cache the prompt up to the end of the system's words and up to the last turn."""
    for blocks in (body.get("system"), body["messages"][-1]["content"] if body["messages"] else None):
        if blocks:
            blocks[-1]["cache_control"] = {"type": "ephemeral"}


def _tool(function: Mapping[str, Any]) -> dict[str, Any]:
    schema = function.get("parameters") or {"type": "object", "properties": {}}
    return {"name": function["name"], "description": function.get("description", ""), "input_schema": schema}


def _turns(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """Return alternating turns; all results of one turn's calls stand together, before any other words."""
    turns: list[dict[str, Any]] = []
    for message in messages:
        role = "assistant" if message["role"] == "assistant" else "user"
        blocks = _blocks(message)
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        elif blocks:
            turns.append({"role": role, "content": blocks})
    for turn in turns:
        turn["content"].sort(key=lambda block: block["type"] != "tool_result")
    _tell_ids_apart(turns)
    return turns


def _tell_ids_apart(turns: Sequence[Mapping[str, Any]]) -> None:
    """Give each call an id of its own, and its result the same.

    Some servers number calls anew in every reply; this format refuses a conversation in which an id stands twice.
    """
    taken: set[str] = set()
    sent: dict[str, str] = {}
    for turn in turns:
        for block in turn["content"]:
            if block["type"] == "tool_use":
                own = next(each for each in _spellings(block["id"]) if each not in taken)
                taken.add(own)
                sent[block["id"]] = block["id"] = own
            elif block["type"] == "tool_result":
                block["tool_use_id"] = sent.get(block["tool_use_id"], block["tool_use_id"])


def _spellings(identity: str) -> Iterator[str]:
    yield identity
    yield from (f"{identity}_{number}" for number in count_from(2))


def _blocks(message: Message) -> list[dict[str, Any]]:
    content = content_of(message)
    if message["role"] == "tool":
        return [{"type": "tool_result", "tool_use_id": message["tool_call_id"], "content": content}]
    blocks: list[dict[str, Any]] = [{"type": "text", "text": content}] if content.strip() else []  # blanks are refused
    for call_id, function in calls_of(message):
        blocks.append(
            {"type": "tool_use", "id": call_id, "name": sendable_name(function["name"]), "input": _input(function)}
        )
    return blocks


def _input(function: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments as the object that the format demands; what is none is quoted, never taken for `{}`."""
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):
        return dict(arguments)
    text = str(arguments or "")
    if not text.strip():
        return {}
    try:
        value = decode(text)
        json.dumps(value)  # an integer too long for Python has no form as a value
    except (JsonRefused, ValueError, TypeError):
        value = None
    return value if isinstance(value, dict) else {UNREAD: text}


def read_reply(text: str) -> Reply:
    """Read the body of a reply.

    Raises:
        AttemptFailed: It is no answer of a model.
    """
    body = read_object(text)
    usage = _usage(mapping(body.get("usage")))
    blocks = items(body.get("content"))
    words = "".join(text_of(block.get("text")) for block in blocks if block.get("type") == "text")
    reason = body.get("stop_reason")
    finish = _finish(reason, words, usage)
    if not blocks and finish in (Finish.STOP, Finish.TOOL_CALLS, None):  # nor can an empty pause be continued
        raise AttemptFailed("a reply without content", retriable=True, usage=usage)
    calls = _calls(blocks, cut=finish is Finish.LENGTH)
    if finish in (Finish.STOP, Finish.TOOL_CALLS):
        finish = Finish.TOOL_CALLS if calls else Finish.STOP
    return check_answer(
        Reply(
            text=words,
            tool_calls=calls,
            finish=finish,
            usage=usage,
            model=text_of(body.get("model")),
            provider_id=text_of(body.get("id")),
            resume=body.get("content") if reason == PAUSE else None,
        )
    )


def _finish(reason: Any, text: str, usage: Usage | None) -> Finish | None:
    if reason == PAUSE:
        return None
    if reason == _OVERFLOWED:
        raise AttemptFailed("the reply ran out of the model's window", usage=usage, overflow=True)
    known = _FINISHES.get(reason) if isinstance(reason, str) else None
    if known is None:
        raise no_finish(reason, text, usage)
    return known


def _calls(blocks: Sequence[Mapping[str, Any]], cut: bool) -> tuple[ToolCall, ...]:
    """Return the calls; where the reply was cut in one, its arguments are left open, since the provider closed them."""
    found = []
    for block in blocks:
        if block.get("type") == "tool_use":
            arguments = arguments_as_sent(block.get("input"))
            if cut and block is blocks[-1]:
                arguments = arguments.rstrip("}")
            found.append(ToolCall(text_of(block.get("id")), text_of(block.get("name")), arguments))
    return tuple(found)


def _usage(sent: Mapping[str, Any]) -> Usage | None:
    """The input of this format leaves out what went through the cache; ours is the whole."""
    read, hit, stored = (
        count(sent.get(name)) or 0
        for name in ("input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens")
    )
    written = mapping(sent.get("output_tokens_details"))
    return usage_of(
        read + hit + stored if count(sent.get("input_tokens")) is not None else None,
        sent.get("output_tokens"),
        cached=hit,
        cache_write=stored,
        reasoning=written.get("thinking_tokens"),
    )

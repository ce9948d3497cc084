"""Tool calls for models that know none: one JSON object, held to a union of the tools' schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...envs.core.chat import ChatClient, ChatSettings, Completion, Finish, Message, ToolCall, ToolSchema
from ...envs.core.jsontext import JsonRefused, canonical, decode

_HOW = (
    'Reply with one JSON object and nothing else: {"name": "<tool>", "arguments": {...}}. The tools, and the JSON '
    "schemas of their arguments:"
)
_DECODER = json.JSONDecoder()


class JsonAction:
    """A client that asks for tool calls as JSON objects.

    The tools are described in the system message, the reply is constrained by a schema where the provider can do so,
    and the object comes back as a `ToolCall`. A reply that is no such object stays text, for the environment to say
    what is wrong with it; nothing is repaired.

    Args:
        client: The client that is asked.
    """

    def __init__(self, client: ChatClient) -> None:
        self._client = client

    @property
    def description(self) -> Mapping[str, Any]:
        """What the record says of it."""
        return {**self._client.description, "tool_calls": "json"}

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return one completion, with at most one tool call.

        Raises:
            ProviderError: As the client raises it.
        """
        if not tools or settings.tool_choice == "none":
            return self._client.complete([each for message in messages for each in _plain(message)], (), settings)
        asked = replace(settings, tool_choice="none", response_schema=action_schema(tools))
        completion = self._client.complete(plain_messages(messages, tools), (), asked)
        return with_call(completion)


def action_schema(tools: Sequence[ToolSchema]) -> dict[str, Any]:
    """Return the schema of one call: a union over the tools, each with its own arguments."""
    options = [_option(tool["function"]) for tool in tools]
    definitions = {name: schema for option in options for name, schema in option.pop("$defs", {}).items()}
    union = options[0] if len(options) == 1 else {"anyOf": options}
    return {**union, "$defs": definitions} if definitions else union


def _option(function: Mapping[str, Any]) -> dict[str, Any]:
    parameters = dict(function["parameters"])
    prefix = f"{function['name']}_"  # two tools may define different models under one name
    definitions = {f"{prefix}{name}": _renamed(each, prefix) for name, each in parameters.pop("$defs", {}).items()}
    option: dict[str, Any] = {
        "type": "object",
        "properties": {"name": {"const": function["name"]}, "arguments": _renamed(parameters, prefix)},
        "required": ["name", "arguments"],
        "additionalProperties": False,
    }
    return {**option, "$defs": definitions} if definitions else option


def _renamed(schema: Any, prefix: str) -> Any:
    """Point every reference of a schema to the definition under its new name."""
    if isinstance(schema, Mapping):
        return {
            key: f"#/$defs/{prefix}{value.rsplit('/', 1)[-1]}" if key == "$ref" else _renamed(value, prefix)
            for key, value in schema.items()
        }
    return [_renamed(each, prefix) for each in schema] if isinstance(schema, list) else schema


def plain_messages(messages: Sequence[Message], tools: Sequence[ToolSchema]) -> list[Message]:
    """Return a conversation without tool calls: the tools in the system message, calls as JSON, results as text."""
    described = "\n".join([_HOW, *map(_described, tools)])
    plain = [message for each in messages for message in _plain(each)]
    if plain and plain[0]["role"] == "system":
        return [{"role": "system", "content": f"{plain[0]['content']}\n\n{described}"}, *plain[1:]]
    return [{"role": "system", "content": described}, *plain]


def _described(tool: ToolSchema) -> str:
    function = tool["function"]
    return f"{function['name']}: {function.get('description', '')} {canonical(function['parameters'])}"


def _plain(message: Message) -> Iterator[Message]:
    if message["role"] == "tool":
        yield {"role": "user", "content": message["content"]}
    elif message.get("tool_calls"):
        calls = [f'{{"name": {json.dumps(c["function"]["name"])}, "arguments": {c["function"]["arguments"]}}}'
                 for c in message["tool_calls"]]  # fmt: skip
        yield {"role": "assistant", "content": "\n".join(filter(None, [message.get("content"), *calls]))}
    else:
        yield message


def with_call(completion: Completion) -> Completion:
    """Return a completion with its JSON object as a tool call; one without such an object unchanged.

    Small models write on after the object, until their length ends: what follows a complete object is dropped.
    """
    if completion.tool_calls or completion.finish is Finish.REFUSAL:
        return completion
    raw = _first_object(completion.text)
    try:
        value = decode(raw)
    except JsonRefused:  # a key that stands twice, NaN: the environment names it
        return completion
    if not isinstance(value, dict) or value.keys() != {"name", "arguments"} or not isinstance(value["name"], str):
        return completion
    arguments = value["arguments"]
    written = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = ToolCall(id="", name=value["name"], arguments=written)
    return replace(completion, text="", tool_calls=(call,), finish=Finish.TOOL_CALLS)


def _first_object(text: str) -> str:
    """Return the JSON object that a text begins with, "" where it begins with none."""
    start = len(text) - len(text.lstrip())
    try:
        _, end = _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return ""
    return text[start:end]

"""Chat messages as agents write them, checked, for the formats that have to be translated into."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from ...envs.core.chat import Message, ToolSchema
from ...envs.core.errors import SettingError
from ...envs.core.text import echo, whole

SYSTEM_ROLES = ("system", "developer")
MAX_NAME_CHARACTERS = 64
_ODD_CHARACTERS = re.compile(r"[^A-Za-z0-9_-]")
ROLES = (*SYSTEM_ROLES, "user", "assistant", "tool")


def check_messages(messages: Sequence[Message]) -> None:
    """Hold messages to the form of the chat interface.

    Raises:
        SettingError: With the place of what is wrong.
    """
    if not messages:
        raise SettingError("messages: at least one is needed")
    for place, message in enumerate(messages):
        if not isinstance(message, Mapping):
            raise SettingError(f"messages[{place}]: a mapping with role and content, not {echo(message)}")
        role = message.get("role")
        if role not in ROLES:
            raise SettingError(f"messages[{place}].role: one of {', '.join(ROLES)}, not {echo(role)}")
        if role == "tool" and not isinstance(message.get("tool_call_id"), str):
            raise SettingError(f"messages[{place}].tool_call_id: the id of the call that this answers")
        for number, (_, function) in enumerate(calls_of(message)):
            if not isinstance(function.get("name"), str):
                raise SettingError(f"messages[{place}].tool_calls[{number}].function.name: a text")


def content_of(message: Message) -> str:
    """Return the text of a message: its content, or the texts of its parts."""
    content = message.get("content")
    if isinstance(content, (list, tuple)):
        return "".join(str(part.get("text", "")) if isinstance(part, Mapping) else str(part) for part in content)
    return "" if content is None else str(content)


def calls_of(message: Message) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the id and the function of each call of an assistant's message."""
    return [(str(call.get("id", "")), call.get("function") or {}) for call in message.get("tool_calls") or ()]


def sendable_name(name: str) -> str:
    """Return the name of a call as every provider takes it back.

    A model may call `functions.place_order` or nothing at all; a provider refuses every later request in which such
    a name stands.
    """
    return _ODD_CHARACTERS.sub("_", name)[:MAX_NAME_CHARACTERS] or "unnamed"


def is_strict(schema: Any) -> bool:
    """Whether a schema keeps to the subset that OpenAI enforces; sent as strict, any other is refused there."""
    if isinstance(schema, (list, tuple)):
        return all(map(is_strict, schema))
    if not isinstance(schema, Mapping):
        return True
    if "oneOf" in schema or "allOf" in schema:
        return False
    properties = schema.get("properties")
    if schema.get("type") == "object" or isinstance(properties, Mapping):
        closed = schema.get("additionalProperties") is False
        if not closed or set(properties or ()) != set(schema.get("required") or ()):
            return False
    return all(is_strict(inner) for inner in schema.values())


def function_of(tool: ToolSchema) -> Mapping[str, Any]:
    """Return `{name, description, parameters}` of a tool.

    Raises:
        SettingError: The tool is no function.
    """
    function = tool.get("function")
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise SettingError("tools: each is {'type': 'function', 'function': {name, description, parameters}}")
    return function


def encodable(value: Any) -> Any:
    """Return a JSON value in which lone surrogates, which no request can carry, are replaced by U+FFFD."""
    if isinstance(value, str):
        return value if whole(value) else value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(value, Mapping):
        return {encodable(name): encodable(inner) for name, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [encodable(inner) for inner in value]
    return value

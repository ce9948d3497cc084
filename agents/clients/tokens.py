"""About how many tokens a text is: for prompts before they are sent, and where a provider sends no counts."""

from __future__ import annotations

from collections.abc import Sequence

from ...envs.core.chat import Message, ToolSchema
from ...envs.core.jsontext import canonical
from .messages import calls_of, content_of

CHARACTERS_A_TOKEN = 4
"""English text, by the rule of thumb that providers state; counts made with it are marked as estimated."""


def text_of(message: Message) -> str:
    """Return everything that a message says: its text, and its calls with their arguments."""
    calls = [f"{function.get('name')} {function.get('arguments')}" for _, function in calls_of(message)]
    return "\n".join([content_of(message), *calls])


def estimate_tokens(text: str) -> int:
    """Return about how many tokens a text is, at least 1 for a text that is not empty."""
    return -(-len(text) // CHARACTERS_A_TOKEN)


def estimate_prompt(messages: Sequence[Message], tools: Sequence[ToolSchema] = ()) -> int:
    """Return about how many tokens a request is, tools included."""
    said = sum(estimate_tokens(text_of(message)) for message in messages)
    return said + (estimate_tokens(canonical(list(tools))) if tools else 0)

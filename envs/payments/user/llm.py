"""The driver that is a language model: it reads the card as it stands now, and has the same ten tools."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ...core.chat import ChatClient, ChatSettings, Finish
from .prompt import briefing, message_text
from .tools import TOOLS
from .turns import Call, Done, Step
from .view import View

DEFAULT_SETTINGS = ChatSettings(max_tokens=2_000, temperature=0.0)
_BEGIN = "[The conversation begins. Write your opening message.]"


class LlmDriver:
    """Asks a model for each step.

    Args:
        client: The model.
        settings: How its completions are made.
    """

    def __init__(self, client: ChatClient, settings: ChatSettings = DEFAULT_SETTINGS) -> None:
        self._client = client
        self._settings = settings

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return what the model writes, as it is. See `turns.Driver`.

        Raises:
            ProviderError: The provider failed.
        """
        schemas = [each.schema for each in TOOLS.values()]
        completion = self._client.complete(_messages(view, done, complaint), schemas, self._settings)
        if completion.finish in (Finish.LENGTH, Finish.REFUSAL):  # cut off or declined: nothing that could be said
            return Step(usage=completion.usage)
        calls = tuple(Call(each.name, each.arguments) for each in completion.tool_calls)
        return Step(completion.text, calls, completion.usage)


def _messages(view: View, done: Sequence[Done], complaint: str) -> list[dict[str, Any]]:
    """The conversation from the customer's side; what the agent writes comes in as the model's user."""
    system = briefing(view)
    if complaint:
        system += f"\nYour last attempt at this turn was thrown away. {complaint}. Write it anew.\n"
    messages = [_message("system", system), _message("user", _BEGIN), _message("assistant", view.card.opening)]
    for exchange in view.memory.exchanges[:-1]:
        messages += [_message("user", message_text(exchange)), _message("assistant", exchange.reply)]
    messages.append(_message("user", message_text(view.current)))
    for k, each in enumerate(done):
        messages += _step_messages(each, k)
    return messages


def _step_messages(done: Done, k: int) -> list[dict[str, Any]]:
    ids = [f"call_{k}_{n}" for n in range(len(done.used))]
    calls = [
        {"id": call_id, "type": "function", "function": {"name": used.call.name, "arguments": used.call.arguments}}
        for call_id, used in zip(ids, done.used, strict=True)
    ]
    results = [
        {"role": "tool", "tool_call_id": call_id, "content": json.dumps(used.result, ensure_ascii=False)}
        for call_id, used in zip(ids, done.used, strict=True)
    ]
    return [{"role": "assistant", "content": done.step.text, "tool_calls": calls}, *results]


def _message(role: str, content: str) -> dict[str, Any]:
    return {"role": role, "content": content}

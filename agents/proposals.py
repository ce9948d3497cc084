"""A proposal: the turn that a model would play, as data. Candidates are compared and changed; one of them is played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..envs.core.chat import Completion, ToolCall
from ..envs.core.jsontext import JsonRefused, canonical, decode
from ..envs.core.text import echo
from .base import AgentTurn

_SHOWN_CHARACTERS = 4_000


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a model wrote for the next turn; nothing of it has been played.

    Attributes:
        completion: As the model sent it.
    """

    completion: Completion

    @property
    def why(self) -> str:
        """What the model said beside its calls."""
        return self.completion.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls, as the model wrote them."""
        return self.completion.tool_calls

    @property
    def is_call(self) -> bool:
        """Whether it calls tools with arguments that are JSON objects, and so can be compared part by part."""
        return bool(self.calls) and all(arguments_of(call) is not None for call in self.calls)

    @property
    def key(self) -> str:
        """Canonical text: two proposals with the same key do the same, whatever was said beside."""
        if not self.calls:
            return canonical({"text": " ".join(self.why.split())})
        return canonical([[call.name, _argument_key(call)] for call in self.calls])

    def uses(self, tools: Sequence[str]) -> bool:
        """Whether it calls one of the tools named."""
        return any(call.name in tools for call in self.calls)

    def with_arguments(self, arguments: Sequence[Mapping[str, Any]]) -> Proposal:
        """Return it with other arguments, one mapping a call."""
        calls = zip(self.calls, arguments, strict=True)
        changed = tuple(replace(call, arguments=canonical(dict(given))) for call, given in calls)
        return Proposal(replace(self.completion, tool_calls=changed))

    def turn(self, stubbed: tuple[str, ...] = ()) -> AgentTurn:
        """Return it as the turn to play, exactly as the model wrote it."""
        return AgentTurn(self.why, [as_wire(call) for call in self.calls] or None, stubbed=stubbed)

    def described(self, *, reasons: bool = True) -> str:
        """Return it as prose for another prompt; long texts are shown in part."""
        said = echo(self.why, _SHOWN_CHARACTERS) if reasons else ""
        done = [f"{call.name}({echo(call.arguments, _SHOWN_CHARACTERS)})" for call in self.calls]
        call = f"Call: {'; '.join(done)}" if done else ("" if reasons else echo(self.why, _SHOWN_CHARACTERS))
        return "\n".join(filter(None, [said, call])) or "(nothing)"


def as_wire(call: ToolCall) -> dict[str, Any]:
    """Return a call as the model sent it; without an id the environment gives one."""
    identity = {"id": call.id} if call.id else {}
    return {**identity, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


def arguments_of(call: ToolCall) -> dict[str, Any] | None:
    """Return the arguments of a call; None where they are no JSON object."""
    if not call.arguments.strip():
        return {}
    try:
        value = decode(call.arguments)
        canonical(value)
    except (JsonRefused, TypeError):  # a TypeError: an integer of thousands of digits
        return None
    return value if isinstance(value, dict) else None


def _argument_key(call: ToolCall) -> Any:
    arguments = arguments_of(call)
    return call.arguments if arguments is None else arguments

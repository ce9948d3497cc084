"""The model-facing messages of an episode, kept within the model's window: never cut in silence.

Two policies. `error`: a prompt that does not fit ends the episode (`context_overflow`, a scored stop). `stub`: when
the window would overflow, the oldest quarter of the retrieval results in view are replaced by stubs that name them;
the record keeps every result whole and says from which turn on which were stubs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, Literal

from ..envs.core.chat import ChatClient, ChatSettings, Completion, ContextOverflow, Message, ToolSchema
from ..envs.core.stop import StopReason
from .base import AgentStop
from .clients.tokens import estimate_prompt, text_of

Policy = Literal["error", "stub"]
RETRIEVAL_TOOLS = ("search*", "read*")
_STUB = "[result {id}: {size} characters are left out of view; call {name} again to see them]"
_SHARE = 4  # the oldest quarter
_MAX_SCALE = 16.0  # four bytes a character, a token a byte: no tokenizer makes more of a text than that


class Context:
    """The messages of one episode.

    Args:
        policy: What happens when they do not fit: `error` or `stub`.
        window_tokens: The model's window; None until the provider's error states it.
        retrieval_tools: Patterns (`search*`) of the tools whose results may become stubs.
    """

    def __init__(
        self, policy: Policy = "error", window_tokens: int | None = None, retrieval_tools: Sequence[str] | None = None
    ) -> None:
        self._policy, self._window_tokens = policy, window_tokens
        self._patterns = RETRIEVAL_TOOLS if retrieval_tools is None else tuple(retrieval_tools)
        self.messages: list[Message] = []
        self._names: dict[int, str] = {}  # the tool by place of each result that is shown whole
        self._scale = 1.0
        self._newly_stubbed: list[str] = []

    def add(self, message: Message, tool: str = "") -> None:
        """Append a message; `tool` names the tool whose result it is."""
        if tool:
            self._names[len(self.messages)] = tool
        self.messages.append(message)

    def take_stubbed(self) -> tuple[str, ...]:
        """Return the ids of the results that became stubs since the last time."""
        taken, self._newly_stubbed = tuple(self._newly_stubbed), []
        return taken

    def complete(
        self,
        client: ChatClient,
        tools: Sequence[ToolSchema],
        settings: ChatSettings,
        extra: Sequence[Message] = (),
    ) -> Completion:
        """Call the model with messages that fit its window.

        Args:
            client: The model.
            tools: The tools on offer.
            settings: How the completion is to be made.
            extra: Messages behind the others in this call alone.

        Raises:
            AgentStop: They do not fit, whatever may become a stub (`context_overflow`).
            ProviderError: As the client raises it.
        """
        reserved = (settings.max_tokens or 0) + (int(estimate_prompt(extra, ()) * self._scale) if extra else 0)
        while True:
            self._make_room(tools, reserved)
            try:
                completion = client.complete([*self.messages, *extra], tools, settings)
            except ContextOverflow as overflow:
                self._learn(overflow.window_tokens, tools, reserved)
                if not self._stub_oldest():
                    raise self._stop(tools, str(overflow)) from None
                continue
            self._calibrate(completion, tools, extra)
            return completion

    def _make_room(self, tools: Sequence[ToolSchema], reserved: int) -> None:
        while self._window_tokens is not None and self._estimate(tools) + reserved > self._window_tokens:
            if not self._stub_oldest():
                raise self._stop(tools, f"the model's window holds {self._window_tokens}, {reserved} for the reply")

    def _stub_oldest(self) -> bool:
        """Replace the oldest quarter of the retrieval results in view by stubs; False where there is none."""
        if self._policy != "stub":
            return False
        eligible = [place for place in self._names if self._eligible(place)]
        for place in eligible[: -(-len(eligible) // _SHARE)]:
            message = self.messages[place]
            self.messages[place] = {**message, "content": self._stub(place)}
            del self._names[place]
            self._newly_stubbed.append(str(message.get("tool_call_id", "")))
        return bool(eligible)

    def _eligible(self, place: int) -> bool:
        """Results that the model has seen, of a retrieval tool, and longer than their stub."""
        answered = any(message.get("role") == "assistant" for message in self.messages[place:])
        name = self._names[place]
        fits = any(fnmatchcase(name, pattern) for pattern in self._patterns)
        return fits and answered and len(text_of(self.messages[place])) > len(self._stub(place))

    def _stub(self, place: int) -> str:
        message = self.messages[place]
        size = len(text_of(message))
        return _STUB.format(id=message.get("tool_call_id", ""), name=self._names[place], size=size)

    def _estimate(self, tools: Sequence[ToolSchema]) -> int:
        return int(estimate_prompt(self.messages, tools) * self._scale)

    def _calibrate(self, completion: Completion, tools: Sequence[ToolSchema], extra: Sequence[Message]) -> None:
        """Learn from the provider's count how many tokens an estimated one is; the estimate never sinks."""
        usage = completion.usage
        if not usage.estimated and usage.attempts == 1:
            counted = usage.input / max(1, estimate_prompt([*self.messages, *extra], tools))
            self._scale = min(max(self._scale, counted), _MAX_SCALE)

    def _learn(self, stated: int | None, tools: Sequence[ToolSchema], reserved: int) -> None:
        """Take the window that a provider states, else that it is smaller than this prompt."""
        bound = self._estimate(tools) + reserved - 1 if stated is None else stated
        self._window_tokens = bound if self._window_tokens is None else min(bound, self._window_tokens)

    def _stop(self, tools: Sequence[ToolSchema], reason: str) -> AgentStop:
        largest = max(range(len(self.messages)), key=lambda k: len(text_of(self.messages[k])))
        size = len(text_of(self.messages[largest]))
        said = f"message {largest + 1} of {len(self.messages)} ({_title(self.messages[largest])}, {size} characters)"
        message = f"the prompt of about {self._estimate(tools)} tokens does not fit; the largest is {said}; {reason}"
        return AgentStop(StopReason.CONTEXT_OVERFLOW, message)


def _title(message: Mapping[str, Any]) -> str:
    role = str(message.get("role", ""))
    return f"{role} {message['tool_call_id']}" if "tool_call_id" in message else role

"""What a model sees of an episode: the rules, what the agent has learned, and what was said and done so far."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

from ..envs.core.actions import MALFORMED_ERRORS
from ..envs.core.chat import ChatClient, ChatSettings, Completion, Message
from ..envs.core.text import RESULT_LIMIT_CHARACTERS, echo
from .clients.json_action import JsonAction
from .context import Context
from .play import Play
from .prompting import Prompt
from .proposals import Proposal, as_wire

_SHOWN_CHARACTERS = 500
_NOTHING = "(empty reply)"


class Conversation:
    """One episode as the model sees it; candidates that are not played leave no trace in it.

    Args:
        play: The settings.
        prompt: The system prompt.
        tools: JSON texts of the tools on offer.
        learned: What stands behind the rules: after what never changes, before what does, so that a provider's cache
            keeps the beginning.
    """

    def __init__(self, play: Play, prompt: Prompt, tools: Sequence[str], learned: str = "") -> None:
        self._play, self._prompt, self._learned = play, prompt, learned
        self.tools = [json.loads(text) for text in tools]
        self._context = self._empty()
        self._rules = ""
        self._system: dict[str, Any] = {}
        self._said: Proposal | None = None

    @property
    def messages(self) -> list[Message]:
        """The messages so far."""
        return self._context.messages

    def hear(self, info: Mapping[str, Any]) -> None:
        """Add what the environment says: its first messages, or the results of the turn that was played last."""
        new = list(info["messages"])
        if self._said is None:
            self._rules = "\n\n".join(message["content"] for message in new if message["role"] == "system")
            self._system = self._opening()
            new = [message for message in new if message["role"] != "system"]
        if self._said is None or self._play.memory == "observation":
            self._context = self._empty()
            self._context.add(self._system)
        results = list(info["tool_results"])
        called: set[str] = set()
        if self._said is not None and self._play.memory == "episode":
            message = _spoken(self._said.completion, results)
            called = {call["id"] for call in message.get("tool_calls", ())}
            self._context.add(message)
        names = {result["id"]: result["name"] for result in results}
        for message in new:
            answered = message.get("tool_call_id")
            if answered is None or answered in called:
                self._context.add(message, names.get(answered, ""))
            else:  # no call of this id is in view: a provider would refuse its result
                self._context.add({"role": "user", "content": message["content"]})

    def said(self, proposal: Proposal) -> None:
        """Remember which proposal is played."""
        self._said = proposal

    def ask(self, client: ChatClient, settings: ChatSettings, extra: Sequence[Message] = ()) -> Completion:
        """Ask the model for the next turn; `extra` messages stand behind the episode in this call alone.

        Raises:
            AgentStop: The window is full.
            ProviderError: As the client raises it.
        """
        asked = JsonAction(client) if self._play.tool_calls == "json" else client
        return self._context.complete(asked, self.tools, settings, extra)

    def ask_about(self, client: ChatClient, settings: ChatSettings, question: str) -> Completion:
        """Ask the model for a text about the episode so far: it sees the tools and may call none.

        Raises:
            AgentStop: The window is full.
            ProviderError: As the client raises it.
        """
        return self.ask(client, replace(settings, tool_choice="none"), [{"role": "user", "content": question}])

    def relearned(self, learned: str) -> Conversation:
        """Return this conversation as it stands with something else behind the rules, for asking the same again."""
        other = deepcopy(self)
        other._learned = learned
        if other._context.messages:
            other._system = other._context.messages[0] = other._opening()
        return other

    def take_stubbed(self) -> tuple[str, ...]:
        """Return the ids of the results that became stubs since the last time."""
        return self._context.take_stubbed()

    def _opening(self) -> dict[str, Any]:
        content = "\n\n".join(filter(None, [self._prompt.fill(rules=self._rules), self._learned]))
        return {"role": "system", "content": content}

    def _empty(self) -> Context:
        return Context(self._play.context, self._play.window_tokens, self._play.retrieval_tools)


def _spoken(reply: Completion, results: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return what the model said as a message; its calls bear the ids under which they were answered.

    What could not be read as a call is quoted in short, so that a giant payload does not fill the window; the record
    keeps it whole.
    """
    if not reply.tool_calls:
        said = reply.text if results[0]["ok"] else _quoted(reply.text, results[0])
        return {"role": "assistant", "content": said or _NOTHING}
    pairs = list(zip(reply.tool_calls, results, strict=True))
    short = [(replace(call, arguments=_quoted(call.arguments, result)), result["id"]) for call, result in pairs]
    calls = [{**as_wire(call), "id": identity} for call, identity in short]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _quoted(written: str, result: Mapping[str, Any]) -> str:
    unread = result["code"] in MALFORMED_ERRORS
    return echo(written, _SHOWN_CHARACTERS) if unread and len(written) > RESULT_LIMIT_CHARACTERS else written

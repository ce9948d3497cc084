"""Chain of thought: the model thinks in plain text, then makes one tool call, and remembers the episode."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from ..envs.core.actions import MALFORMED_ERRORS
from ..envs.core.chat import ChatClient, ChatSettings, Completion, Finish, ToolCall
from ..envs.core.errors import SettingError
from ..envs.core.stop import StopReason
from ..envs.core.text import RESULT_LIMIT_CHARACTERS, echo
from .base import Agent, AgentStop, AgentTurn, RunContext, TaskCard
from .clients.json_action import JsonAction
from .context import Context, Policy
from .prompting import load_prompt

_SEED_LIMIT = 2**31
_SHOWN_CHARACTERS = 500
_NOTHING = "(empty reply)"


class ChainOfThought(Agent):
    """Plays with a model that reasons before each tool call.

    Args:
        prompt: The system prompt: a packaged one by its name, or the path of a `.md` file; `$rules` are the
            environment's.
        memory: `episode` shows the model the whole conversation; `observation` only the newest results, so that
            the prompt does not grow.
        tool_calls: `native`, or `json` for models without tool calling: one JSON object, held to the tools' schemas.
        tool_choice: `auto`, or `required` where the provider can enforce a call.
        temperature: Sent where the endpoint takes it; None leaves it to the provider.
        max_tokens: Most tokens of a reply, reasoning included; None leaves it to the provider.
        on_truncated: A reply cut off by its length ends the episode (`stop`), or is played as it is (`continue`).
        context: What happens when the window would overflow: `error` ends the episode, `stub` makes room.
        window_tokens: The model's window; None until the provider's error states it.
        retrieval_tools: Patterns of the tools whose results may become stubs; None for `search*` and `read*`.

    Raises:
        SettingError: A number of tokens is below 1, or there is no such prompt.
    """

    needs_client = True

    def __init__(
        self,
        prompt: str = "cot",
        memory: Literal["episode", "observation"] = "episode",
        tool_calls: Literal["native", "json"] = "native",
        tool_choice: Literal["auto", "required"] = "auto",
        temperature: float | None = None,
        max_tokens: int | None = 4096,
        on_truncated: Literal["stop", "continue"] = "stop",
        context: Policy = "error",
        window_tokens: int | None = None,
        retrieval_tools: list[str] | None = None,
    ) -> None:
        for setting, tokens in (("max_tokens", max_tokens), ("window_tokens", window_tokens)):
            if tokens is not None and tokens < 1:
                raise SettingError(f"{setting}: at least 1, or null, not {tokens}")
        self._prompt = load_prompt(prompt)
        self._prompt.fill(rules="")  # a placeholder that nothing fills is refused before the run
        self._memory, self._tool_calls, self._on_truncated = memory, tool_calls, on_truncated
        self._settings = ChatSettings(max_tokens=max_tokens, temperature=temperature, tool_choice=tool_choice)
        self._context_of: tuple[Policy, int | None, list[str] | None] = (context, window_tokens, retrieval_tools)

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Digest of the system prompt."""
        return {self._prompt.name: self._prompt.digest}

    def begin_run(self, run: RunContext) -> None:
        """Take the run's client."""
        assert run.client is not None, "needs_client is True"
        self._client: ChatClient = JsonAction(run.client) if self._tool_calls == "json" else run.client
        self._settings = replace(self._settings, seed=run.seed % _SEED_LIMIT)

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with an empty memory."""
        self._tools = [json.loads(text) for text in task.tools]
        self._context = Context(*self._context_of)
        self._system: dict[str, Any] = {}
        self._reply: Completion | None = None

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn:
        """Show the model what is new, and return what it writes.

        Raises:
            AgentStop: It refused, was cut off, or its window is full.
        """
        self._remember(info)
        completion = self._context.complete(self._client, self._tools, self._settings)
        self._check(completion)
        self._reply = completion
        calls = [_call(call) for call in completion.tool_calls] or None
        return AgentTurn(text=completion.text, calls=calls, stubbed=self._context.take_stubbed())

    def _remember(self, info: Mapping[str, Any]) -> None:
        new = list(info["messages"])
        if self._reply is None:
            rules = "\n\n".join(message["content"] for message in new if message["role"] == "system")
            self._system = {"role": "system", "content": self._prompt.fill(rules=rules)}
            new = [message for message in new if message["role"] != "system"]
        if self._reply is None or self._memory == "observation":
            self._context = Context(*self._context_of)
            self._context.add(self._system)
        results = list(info["tool_results"])
        called: set[str] = set()
        if self._reply is not None and self._memory == "episode":
            message = _spoken(self._reply, results)
            called = {call["id"] for call in message.get("tool_calls", ())}
            self._context.add(message)
        names = {result["id"]: result["name"] for result in results}
        for message in new:
            answered = message.get("tool_call_id")
            if answered is None or answered in called:
                self._context.add(message, names.get(answered, ""))
            else:  # no call of this id is in view: a provider would refuse its result
                self._context.add({"role": "user", "content": message["content"]})

    def _check(self, completion: Completion) -> None:
        if completion.finish is Finish.REFUSAL:
            raise AgentStop(StopReason.REFUSAL, f"the model refused: {completion.text[:_SHOWN_CHARACTERS]}")
        if completion.finish is Finish.LENGTH and self._on_truncated == "stop":
            written = [completion.text, *(f"{call.name} {call.arguments}" for call in completion.tool_calls)]
            raise AgentStop(
                StopReason.OUTPUT_TRUNCATED,
                f"the reply was cut off after {completion.usage.output} tokens (max_tokens "
                f"{self._settings.max_tokens}): ...{' '.join(written)[-_SHOWN_CHARACTERS:]}",
            )


def _call(call: ToolCall) -> dict[str, Any]:
    """Return a call as the model sent it; without an id the environment gives one."""
    identity = {"id": call.id} if call.id else {}
    return {**identity, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}


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
    calls = [{**_call(call), "id": identity} for call, identity in short]
    return {"role": "assistant", "content": reply.text or None, "tool_calls": calls}


def _quoted(written: str, result: Mapping[str, Any]) -> str:
    unread = result["code"] in MALFORMED_ERRORS
    return echo(written, _SHOWN_CHARACTERS) if unread and len(written) > RESULT_LIMIT_CHARACTERS else written

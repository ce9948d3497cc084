"""A client without a model: rules, a Python function, or calls drawn from the conversation's digest.

Nothing that it plays is a model's play; records and reports say so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from ...envs.core.chat import ChatSettings, Completion, Finish, Message, ToolCall, ToolSchema, Usage
from ...envs.core.errors import SettingError
from ...envs.core.jsontext import canonical
from ...envs.core.sampling import sample_schema
from .tokens import estimate_prompt, estimate_tokens, text_of

Script = Callable[[Sequence[Message], Sequence[ToolSchema], ChatSettings], Any]
_SHOWN_ERRORS = 3


class _Rule(BaseModel):
    """One rule: `when` is a regular expression sought in the last message, "" fits always."""

    model_config = ConfigDict(extra="forbid", strict=True)

    when: str = ""
    text: str = ""
    calls: list[dict[str, Any]] = []
    finish: Finish | None = None


class ScriptedClient:
    """Answers by rules, or as a function says.

    Args:
        rules: `{when, text, calls, finish}` each: the first whose `when` (a regular expression) is found in the last
            message answers with `text` and `calls` (`{name, arguments}`, arguments an object or the raw text). In
            Python also a function `(messages, tools, settings)` that returns a str, a call (dict), a list of calls or
            a `Completion`, or raises. Without rules, and where none fits, a schema-valid call of a tool on offer is
            drawn by the conversation and the seed: the same ones draw the same call.
        model: Name under which it answers.

    Raises:
        SettingError: A rule does not hold.
    """

    free = True

    def __init__(self, rules: Sequence[Mapping[str, Any]] | Script | None = None, model: str = "scripted") -> None:
        self._model = model
        self._script: Script = rules if callable(rules) else _Rules(rules or ())

    @property
    def description(self) -> Mapping[str, Any]:
        """What the record says of it."""
        return {"name": "scripted", "model": self._model}

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return the scripted reply.

        Raises:
            TypeError: The function returned nothing that can be a reply.
        """
        reply = self._script(messages, tools, settings)
        if isinstance(reply, Completion):
            return reply
        text, calls, finish = _parts(reply)
        if not calls and finish is None:
            finish = Finish.STOP
        numbered = tuple(_tool_call(call, len(messages), k) for k, call in enumerate(calls))
        output = estimate_tokens(text + "".join(each.name + each.arguments for each in numbered))
        return Completion(
            text=text,
            tool_calls=numbered,
            usage=Usage(input=estimate_prompt(messages, tools), output=output, estimated=True),
            finish=finish or Finish.TOOL_CALLS,
            model=self._model,
        )


class _Rules:
    """Rules as a function."""

    def __init__(self, rules: Sequence[Mapping[str, Any]]) -> None:
        self._rules: list[tuple[re.Pattern[str], _Rule]] = []
        for number, fields in enumerate(rules):
            try:
                rule = _Rule.model_validate({**fields, **_finish(fields)})
                self._rules.append((re.compile(rule.when), rule))
            except ValidationError as error:
                found = error.errors(include_url=False)[:_SHOWN_ERRORS]
                wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in found)
                raise SettingError(f"client.rules.{number}: {wrong}") from None
            except (TypeError, ValueError, re.error) as error:
                raise SettingError(f"client.rules.{number}: {error}") from None

    def __call__(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Any:
        last = text_of(messages[-1]) if messages else ""
        for pattern, rule in self._rules:
            if pattern.search(last):
                return rule
        return _drawn(messages, tools, settings.seed)


def _finish(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {"finish": Finish(fields["finish"])} if isinstance(fields.get("finish"), str) else {}


def _drawn(messages: Sequence[Message], tools: Sequence[ToolSchema], seed: int | None) -> Any:
    if not tools:
        return ""
    digest = sha256(canonical([list(messages), list(tools), seed]).encode("utf-8", "backslashreplace")).digest()
    rng = np.random.default_rng(list(digest))
    function = tools[int(rng.integers(len(tools)))]["function"]
    return {"name": function["name"], "arguments": sample_schema(dict(function["parameters"]), rng)}


def _parts(reply: Any) -> tuple[str, Sequence[Any], Finish | None]:
    if isinstance(reply, _Rule):
        return reply.text, reply.calls, reply.finish
    if isinstance(reply, str):
        return reply, (), None
    if isinstance(reply, Mapping):
        return "", (reply,), None
    if isinstance(reply, Sequence):
        return "", reply, None
    raise TypeError(f"the script returned {type(reply).__name__}; return a str, a dict, a list or a Completion")


def _tool_call(call: Mapping[str, Any], turn: int, k: int) -> ToolCall:
    """Write a scripted call as a provider would; ids are unique within a conversation, which only grows."""
    arguments = call.get("arguments", {})
    raw = arguments if isinstance(arguments, str) else canonical(arguments)
    return ToolCall(id=str(call.get("id", f"scripted_{turn}_{k}")), name=str(call.get("name", "")), arguments=raw)

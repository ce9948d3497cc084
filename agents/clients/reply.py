"""What the readers of the three wire formats share: replies as JSON, counts that may be anything, and estimates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...envs.core.chat import Finish, ToolCall, Usage
from .faults import AttemptFailed, excerpt, of_error
from .tokens import estimate_tokens

MAX_COUNT = 10**12
_TOO_DEEP = "[" * 100 + "]" * 100  # refused as what it stands for


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply as read from the wire.

    Attributes:
        text: Free text.
        tool_calls: The calls, in order.
        finish: Why it stopped, None for a pause that wants to be continued.
        usage: What it used, None where the provider sent no counts.
        model: The model that answered.
        provider_id: The provider's id of the reply.
        resume: What has to be sent back for a pause to be continued.
    """

    text: str
    tool_calls: tuple[ToolCall, ...]
    finish: Finish | None
    usage: Usage | None
    model: str = ""
    provider_id: str = ""
    resume: Any = None


class AsSent(str):
    """A number's digits as they were sent: `1e400`, or ten thousand digits."""

    __slots__ = ()


class Doubled(dict[str, Any]):
    """An object in which a name stands twice, with all that was sent."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else Doubled(pairs)


def _integer(digits: str) -> int | AsSent:
    return int(digits) if len(digits) <= 1_000 else AsSent(digits)


def _number(digits: str) -> float | AsSent:
    number = float(digits)
    return number if repr(number) == digits else AsSent(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_number, parse_constant=AsSent, strict=False
)


def read_object(body: str) -> dict[str, Any]:
    """Read a reply's body, keeping what strict JSON refuses inside, for the arguments' own check to refuse.

    Raises:
        AttemptFailed: It is no JSON object, or states an error.
    """
    try:
        value = _DECODER.decode(body.strip())
    except (ValueError, RecursionError):
        raise AttemptFailed(f"not a JSON reply: {excerpt(body) or 'an empty body'}", retriable=True) from None
    if not isinstance(value, dict):
        raise AttemptFailed(f"not a JSON object: {excerpt(body)}", retriable=True)
    if value.get("error"):
        raise of_error(value["error"])
    return value


def arguments_as_sent(value: Any) -> str:
    """Return a call's arguments as text; some servers send an object where a text is due, and nothing at all."""
    if isinstance(value, str) or value is None:
        return text_of(value)
    try:
        return as_sent(value)
    except RecursionError:  # the reader goes deeper than this writer; no environment takes either
        return _TOO_DEEP


def as_sent(value: Any) -> str:
    """Write arguments that came as JSON values back as the text that says the same, oddities included.

    Raises:
        RecursionError: They are nested too deep.
    """
    if isinstance(value, AsSent):
        return str(value)
    if isinstance(value, dict):
        pairs = value.pairs if isinstance(value, Doubled) else value.items()
        return (
            "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {as_sent(inner)}" for name, inner in pairs) + "}"
        )
    if isinstance(value, list):
        return "[" + ", ".join(map(as_sent, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def mapping(value: Any) -> Mapping[str, Any]:
    """Return a mapping as it is, and an empty one for anything else."""
    return value if isinstance(value, Mapping) else {}


def items(value: Any) -> list[Mapping[str, Any]]:
    """Return the mappings of a list, and none for anything else."""
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def text_of(value: Any) -> str:
    """Return a text as a plain str, "" for anything else."""
    return str(value) if isinstance(value, str) else ""


def count(value: Any) -> int | None:
    """Return a count of tokens, None for what is none: text, fractions, negative or absurd numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT:
        return value
    return None


def usage_of(total: Any, output: Any, cached: Any = 0, cache_write: Any = 0, reasoning: Any = 0) -> Usage | None:
    """Return usage from counts as sent; parts never exceed the whole; None where nothing was counted.

    Where one of the two is missing, usage is marked as estimated, and that one is 0 for `completed` to fill in.
    """
    stated = count(total), count(output)
    read, written = (each or 0 for each in stated)
    if not read + written:
        return None
    hit = min(count(cached) or 0, read)
    stored = min(count(cache_write) or 0, read - hit)
    return Usage(
        input=read,
        cached=hit,
        cache_write=stored,
        output=written,
        reasoning=min(count(reasoning) or 0, written),
        estimated=None in stated,
    )


def estimate_usage(input_tokens: int, text: str, tool_calls: Sequence[ToolCall]) -> Usage:
    """Estimate what a reply without counts used."""
    written = text + "".join(call.name + call.arguments for call in tool_calls)
    return Usage(input=input_tokens, output=estimate_tokens(written), estimated=True)


def completed(usage: Usage | None, estimate: Usage) -> Usage:
    """Return usage with what the provider left out estimated; what it stated stays as it is."""
    if usage is None:
        return estimate
    if not usage.estimated:
        return usage
    return replace(usage, input=usage.input or estimate.input, output=usage.output or estimate.output)


def check_answer(reply: Reply) -> Reply:
    """Refuse a reply that is empty and used nothing: whatever its status says, no model stands behind it.

    Raises:
        AttemptFailed: It is.
    """
    if reply.usage is None and not reply.text and not reply.tool_calls and reply.resume is None:
        raise AttemptFailed("an empty reply that used no tokens", retriable=True)
    return reply


def no_finish(finish: Any, text: str, usage: Usage | None) -> AttemptFailed:
    """Say what is wrong with a reply whose reason to stop is missing or unknown.

    Text without counts and without a reason to stop is an error that a gateway wrote into an answer.
    """
    if finish is None:
        detail = f"text without a finish reason: {excerpt(text)}" if text else "no finish reason"
        return AttemptFailed(f"{detail}{'' if usage else ', and no usage'}", retriable=True, usage=usage)
    return AttemptFailed(f"unknown finish reason {excerpt(repr(finish))}", usage=usage)

"""From whatever a policy emits to a list of tool calls, each with its own id and, where it is broken, its error.

Accepted: JSON text, a dict, a list of calls (one turn), and the call objects of the OpenAI chat, OpenAI
responses and Anthropic messages interfaces. Nothing is guessed or repaired: a call that cannot be read is
never executed, and its result says what to mend.

Every action is first brought into its wire form (`to_wire`), a JSON value, and read from there: what is recorded
is what was played, and a foreign object is looked at once, by a copy that nothing can change afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from .jsontext import MAX_CHARACTERS, JsonRefused, Unacceptable, decode
from .text import echo, whole
from .wire import CALL_FIELDS
from .wire import to_wire as to_wire

ACTION_ERRORS = (
    "not_json",
    "not_object",
    "duplicate_key",
    "non_finite",
    "too_long",
    "too_deep",
    "missing_name",
    "unknown_tool",
    "bad_arguments",
    "not_executed",
    "tool_refused",
)
MALFORMED_ERRORS = frozenset(ACTION_ERRORS) - {"not_executed", "tool_refused"}
MAX_ID_CHARACTERS = 128
_HOW = 'Send one tool call as JSON: {"name": "<tool>", "arguments": {...}}.'
_PLAIN_KEYS = frozenset(CALL_FIELDS)
_SURELY_FIT_CHARACTERS = 4_000  # a text as short as this holds no integer that Python cannot read


class Call(NamedTuple):
    """One call of a turn: its id, what it asks for, and the error that keeps it from being run.

    Attributes:
        id: Unique within the turn; `call_<turn>_<k>` where the policy sent none.
        name: The tool's name, empty where none could be read.
        arguments: The decoded arguments object.
        error: An action error code, or "" for a call that can be dispatched.
        message: What to mend, for the agent.
        addressed: Whether the policy sent this as a call (and so expects a `tool` message), not as plain text.
    """

    id: str
    name: str
    arguments: dict[str, Any]
    error: str = ""
    message: str = ""
    addressed: bool = True


def parse_action(action: Any, turn: int) -> list[Call]:
    """Read one turn's action; never raises, and returns at least one call.

    Args:
        action: A str (JSON text), bytes, a mapping, a call object, or a list or tuple of these.
        turn: The number of the turn, for the ids of calls that came without one.
    """
    return parse_wire(to_wire(action), turn)


def parse_wire(wire: Any, turn: int) -> list[Call]:
    """Read the wire form of an action; see `parse_action`."""
    value, surely_fit = wire, True
    if type(wire) is str:
        try:
            value = decode(wire)
        except JsonRefused as refused:
            message = f"{refused.message}. {_HOW} You sent: {echo(wire)}"
            return [Call(f"call_{turn}_0", "", {}, refused.code, message, False)]
        surely_fit = len(wire) <= _SURELY_FIT_CHARACTERS and wire.isascii() and "\\u" not in wire
        if surely_fit and type(value) is dict and len(value) == 2:  # the plain form, without looking for the others
            name, arguments = value.get("name"), value.get("arguments")
            if type(arguments) is dict and type(name) is str and name:
                return [Call._make((f"call_{turn}_0", name, arguments, "", "", True))]
    if type(value) is list and value:
        return _turn_of_calls(value, turn, surely_fit)
    return [_call(value, f"call_{turn}_0", surely_fit)]


def _turn_of_calls(values: list[Any], turn: int, surely_fit: bool) -> list[Call]:
    calls: list[Call] = []
    taken: set[str] = set()
    for k, value in enumerate(values):
        call = _call(value, f"call_{turn}_{k}", surely_fit)
        if call.id in taken or (call.id.startswith(f"call_{turn}_") and call.id != f"call_{turn}_{k}"):
            call = call._replace(id=f"call_{turn}_{k}")
        taken.add(call.id)
        calls.append(call)
    return calls


def _call(fields: Any, default_id: str, surely_fit: bool) -> Call:
    if type(fields) is not dict:
        what = "null" if fields is None else type(fields).__name__
        message = f"a call is a JSON object, not {what} ({echo(fields)}). {_HOW}"
        return Call(default_id, "", {}, "not_object", message, False)
    given_id = _id_of(fields)
    call_id = given_id or default_id
    function = fields.get("function")
    source = function if type(function) is dict else fields
    name = source.get("name")
    if type(name) is not str or not name:
        message = f'the call has no "name" (a string). {_HOW}'
        return Call(call_id, "", {}, "missing_name", message, bool(given_id))
    if source is fields and "type" not in fields and not (fields.keys() <= _PLAIN_KEYS):
        stray = ", ".join(sorted(echo(key, 40) for key in fields.keys() - _PLAIN_KEYS)[:5])
        return Call(call_id, name, {}, "bad_arguments", f'put {stray} inside "arguments", or leave it out. {_HOW}')
    try:
        arguments = _arguments(source.get("arguments") if "arguments" in source else source.get("input"))
        unfit = "" if surely_fit and arguments is source.get("arguments") else _unfit(arguments)
    except JsonRefused as refused:
        return Call(call_id, name, {}, refused.code, refused.message)
    if unfit:
        return Call(call_id, name, {}, "bad_arguments", f"{echo(name, 80)}: {unfit}")
    return Call(call_id, name, arguments)


def _id_of(fields: dict[str, Any]) -> str:
    found = fields.get("call_id") or fields.get("id")
    if type(found) is str and len(found) <= MAX_ID_CHARACTERS and found.isprintable():
        return found
    return ""


def _arguments(raw: Any) -> dict[str, Any]:
    if type(raw) is dict:
        return raw
    if raw is None:
        return {}
    if type(raw) is not str:
        raise JsonRefused("not_object", f"the arguments must be a JSON object, not {echo(raw)}")
    if len(raw) <= MAX_CHARACTERS and not raw.strip():
        return {}
    try:
        value = decode(raw)
    except JsonRefused as refused:
        raise JsonRefused(refused.code, f"the arguments: {refused.message}. You sent: {echo(raw)}") from None
    if type(value) is not dict:
        raise JsonRefused("not_object", f"the arguments must be a JSON object, not {echo(raw)}")
    return value


def _unfit(value: Any, path: tuple[str, ...] = ()) -> str:
    """Say where a value holds what no tool takes: an integer beyond Python's limit, half a character; or ""."""
    if isinstance(value, Unacceptable):
        return f"{'.'.join(path)}: {value.description} is more than any tool takes"
    if type(value) is str:
        return "" if whole(value) else f"{'.'.join(path)}: {echo(value, 60)} holds half a character (a lone surrogate)"
    if type(value) is dict:
        inside: Iterable[tuple[Any, Any]] = value.items()
    elif type(value) is list:
        inside = enumerate(value)
    else:
        return ""
    for key, inner in inside:
        deeper = (*path, echo(str(key), 60))
        found = _unfit(inner, deeper) or (_unfit(key, deeper) if type(key) is str else "")
        if found:
            return found
    return ""

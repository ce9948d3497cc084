"""Who played: the model behind an agent as its record names it, and what keeps its score from being a model's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

STUB_PREFIX = "bizgym-stub"
"""What the stub server of the tests answers as."""
_STUB = "answered by a stub of a model server, not by a language model"
_REPLAY = "recorded replies, played again"
_CAVEATS = {
    "scripted": "played by a script, not by a language model",
    "local": "a model small enough for this machine: it shows that the parts work together, not what models can do",
}


def model_of(client: Mapping[str, Any] | None) -> str:
    """Return the client and its model for a table, `-` for agents without a model."""
    if client is None:
        return "-"
    name, model = str(client.get("name", "?")), str(client.get("model") or "?")
    if name == "replay":
        return f"replay of {client.get('replay_of') or client.get('replies') or '?'}"
    if name == model:
        return name
    others = [each for each in client.get("answered_by") or () if each != model]
    return f"{name} {model}" + (f" (answered by {', '.join(map(str, others))})" if others else "")


def caveat_of(client: Mapping[str, Any] | None) -> str:
    """Return what a reader has to know before comparing the score with a model's, "" where there is nothing."""
    if client is None:
        return ""
    replayed = client.get("name") == "replay"
    names = str(client.get("replay_of") if replayed else client.get("name")).split(", ")
    found = [_CAVEATS[name] for name in names if name in _CAVEATS]
    if any(str(each).startswith(STUB_PREFIX) for each in client.get("answered_by") or ()):
        found.append(_STUB)
    return "; ".join([_REPLAY, *found] if replayed else found)

"""A client that answers from a file of recorded replies: what was recorded once is played again byte for byte.

The file is JSON lines, one request a line: `{"key", "client", "completion"}`. The key is the digest of messages, tools
and settings, so that any change of a prompt is a miss. One request has one reply: asked twice, it is answered alike.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...envs.core.chat import (
    ChatClient,
    ChatSettings,
    Completion,
    Finish,
    Message,
    ProviderError,
    ToolCall,
    ToolSchema,
    Usage,
)
from ...envs.core.data import read_user_file
from ...envs.core.errors import DataError, SettingError
from ...envs.core.jsontext import canonical
from .redact import redact_json

_KEY_CHARACTERS = 32
_NOT_RECORDED = ("seconds", "replayed")


class ReplayClient:
    """Answers from `path`, and records there what it has to ask another client.

    Replayed calls keep the tokens that were counted when they were recorded and count against budgets of calls and
    tokens; they cost nothing (`Usage.replayed`).

    Args:
        path: The file of recorded replies; it need not exist where there is a client to record.
        client: The configuration of the client whose replies are recorded (`conf/client/<name>.yaml`); None replays
            alone, and a request that is not recorded is an error.

    Raises:
        SettingError: There is neither a path nor a usable client.
        DataError: The file cannot be read.
    """

    def __init__(self, path: str | None = None, client: dict[str, Any] | None = None) -> None:
        if path is None:
            raise SettingError("client.path: the file of recorded replies, for example client.path=replies.jsonl")
        self._path = Path(path)
        self._inner: ChatClient | None = None
        if client is not None:
            from . import make_client

            self._inner = make_client(**client)
        self._lock = threading.Lock()
        self._under_way: dict[str, threading.Lock] = {}
        self._recorded_from: set[str] = set()
        self._replies = self._read() if self._path.exists() or self._inner is None else {}

    @property
    def free(self) -> bool:
        """Whether nothing is ever charged: without a client to ask."""
        return self._inner is None or bool(getattr(self._inner, "free", False))

    @property
    def description(self) -> Mapping[str, Any]:
        """What the record says of it: the recorded client's own settings, and that it was replayed."""
        inner = {} if self._inner is None else dict(self._inner.description)
        replay_of = inner.get("name") or ", ".join(sorted(self._recorded_from)) or None
        return {**inner, "name": "replay", "replay_of": replay_of, "replies": self._path.name}

    def check_ready(self) -> None:
        """Check that the client to be recorded can be used.

        Raises:
            SettingError: It cannot.
        """
        check = getattr(self._inner, "check_ready", None)
        if check is not None:
            check()

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return the recorded reply; ask for it and record it where there is a client.

        Raises:
            ProviderError: The request is not recorded and there is no client to ask, or that client failed.
        """
        key = request_key(messages, tools, settings)
        with self._lock:
            turn = self._under_way.setdefault(key, threading.Lock())
        with turn:  # two threads with one request: the second finds the reply of the first
            found = self._replies.get(key)
            if found is not None:
                return replace(found, usage=replace(found.usage, replayed=True))
            if self._inner is None:
                raise ProviderError(
                    f"replay: {self._path.name} has no reply to this request ({key[:8]}, {len(messages)} messages); "
                    "record it with client.client=..."
                )
            return self._record(key, self._inner.complete(messages, tools, settings))

    def _record(self, key: str, completion: Completion) -> Completion:
        """Append a reply, and return it as it will be read again."""
        fields = redact_json(asdict(completion))
        fields["usage"] = {name: value for name, value in fields["usage"].items() if name not in _NOT_RECORDED}
        name = str(self.description["replay_of"])
        line = json.dumps({"key": key, "client": name, "completion": fields}, ensure_ascii=True, allow_nan=False) + "\n"
        with self._lock:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._path.open("a", encoding="utf-8", newline="\n") as file:
                file.write(line)
            recorded = self._replies[key] = _completion(json.loads(line)["completion"])
        return replace(recorded, usage=replace(recorded.usage, seconds=completion.usage.seconds))

    def _read(self) -> dict[str, Completion]:
        found: dict[str, Completion] = {}
        lines = read_user_file(self._path).split("\n")
        for number, line in enumerate(lines, 1):
            if not line:
                continue
            try:
                fields = json.loads(line)
                found[fields["key"]] = _completion(fields["completion"])
                self._recorded_from.add(fields["client"])
            except (ValueError, TypeError, KeyError) as error:
                if number == len(lines):  # torn by a kill: that reply is asked for again
                    continue
                raise DataError(f"{self._path} line {number}: no recorded reply ({error})") from None
        if lines[-1]:
            self._mend_tail("\n".join(lines[:-1]))
        return found

    def _mend_tail(self, whole_lines: str) -> None:
        if self._inner is not None:
            self._path.write_text(f"{whole_lines}\n" if whole_lines else "", encoding="utf-8", newline="\n")


def request_key(messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> str:
    """Return the digest of a request: everything that the model is shown and told."""
    asked = {name: value for name, value in asdict(settings).items() if name != "deadline_seconds"}
    text = canonical([list(map(dict, messages)), list(map(dict, tools)), asked])
    return sha256(text.encode("ascii")).hexdigest()[:_KEY_CHARACTERS]


def _completion(fields: Mapping[str, Any]) -> Completion:
    calls = tuple(ToolCall(**call) for call in fields["tool_calls"])
    typed = {"tool_calls": calls, "usage": Usage(**fields["usage"]), "finish": Finish(fields["finish"])}
    return Completion(**{**fields, **typed})

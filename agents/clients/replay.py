"""A client that answers from a file of recorded replies: what was recorded once is played again byte for byte.

A request is told by the digest of messages, tools and settings, so that any change of a prompt is a miss, and by whom
it was put to: no model answers for another. One request has one reply: asked twice, it is answered alike.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from ...envs.core.chat import ChatClient, ChatSettings, Completion, Message, ProviderError, ToolSchema
from ...envs.core.data import read_user_file
from ...envs.core.errors import DataError, SettingError
from ...envs.core.jsontext import canonical
from .reply_store import ReplyStore, asked_of

_KEY_CHARACTERS = 32


class ReplayClient:
    """Answers from `path`, and records there what it has to ask another client.

    Replayed calls keep the tokens that were counted when they were recorded and count against budgets of calls and
    tokens; they cost nothing (`Usage.replayed`).

    Args:
        path: The file of recorded replies; it need not exist where there is a client to record.
        client: The configuration of the client whose replies are recorded (`conf/client/<name>.yaml`), and which
            alone are played again; None replays whatever is there, and a request that is not recorded is an error.

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
        elif not self._path.exists():
            read_user_file(self._path)  # says what is wrong with the path
        self._lock = threading.Lock()
        self._under_way: dict[str, threading.Lock] = {}
        self._store = ReplyStore(self._path)

    @property
    def free(self) -> bool:
        """Whether nothing is ever charged: without a client to ask."""
        return self._inner is None or bool(getattr(self._inner, "free", False))

    @property
    def description(self) -> Mapping[str, Any]:
        """What the record says of it: the recorded client's own settings, and that it was replayed."""
        inner = {} if self._inner is None else dict(self._inner.description)
        replay_of = inner.get("name") or ", ".join(sorted(self._store.recorded_from)) or None
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
            found = self._find(key)
            if found is not None:
                return replace(found, usage=replace(found.usage, replayed=True))
            if self._inner is None:
                raise ProviderError(
                    f"replay: {self._path.name} has no reply to this request ({key[:8]}, {len(messages)} messages); "
                    "record it with client.client=..."
                )
            return self._record(key, self._inner, self._inner.complete(messages, tools, settings))

    def _find(self, key: str) -> Completion | None:
        """Return the recorded reply of the client that would be asked; without one, that of whoever was."""
        if self._inner is not None:
            return self._store.find(asked_of(self._inner.description), key)
        found = self._store.of_anyone(key)
        if len(found) > 1:
            raise ProviderError(
                f"replay: {self._path.name} has {len(found)} replies to this request, of different models or settings; "
                "say whose are meant with client.client=..., or record into one file for each"
            )
        return found[0] if found else None

    def _record(self, key: str, inner: ChatClient, completion: Completion) -> Completion:
        """Record a reply, and return it as it will be read again; what was used is what this call used."""
        told = inner.description
        try:
            recorded = self._store.add(str(told.get("name") or ""), asked_of(told), key, completion)
        except (OSError, DataError) as error:
            raise ProviderError(f"replay: {self._path.name} cannot be written: {error}", completion.usage) from None
        return replace(recorded, usage=completion.usage)

    def close(self) -> None:
        """Close the client that is recorded."""
        getattr(self._inner, "close", lambda: None)()


def request_key(messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> str:
    """Return the digest of a request: everything that the model is shown and told."""
    asked = {name: value for name, value in asdict(settings).items() if name != "deadline_seconds"}
    text = canonical([list(map(dict, messages)), list(map(dict, tools)), asked])
    return sha256(text.encode("ascii")).hexdigest()[:_KEY_CHARACTERS]

"""The file of recorded replies: read once, appended to by all who share it, in this process and in others.

JSON lines, one request a line: `{"key", "client", "asked_of", "completion"}`. The first line of a request counts.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import IO, Any

from ...envs.core.chat import Completion, Finish, ToolCall, Usage
from ...envs.core.data import read_user_file
from ...envs.core.errors import DataError
from ...envs.core.jsontext import canonical
from .redact import redact_json

try:
    import fcntl
except ImportError:  # Windows: the threads of this process are kept apart all the same
    fcntl = None  # type: ignore[assignment]

_DIGEST_CHARACTERS = 16
_NOT_RECORDED = ("seconds", "replayed")
_NOT_ASKED_OF = ("base_url",)  # the same model at another address gives no other reply
_append_locks: dict[str, threading.Lock] = {}
_append_locks_lock = threading.Lock()


class ReplyStore:
    """Replies by who was asked and what.

    Args:
        path: The file; it need not exist.

    Raises:
        DataError: It cannot be read, or a line of it is no recorded reply.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.recorded_from: set[str] = set()
        self._replies: dict[tuple[str, str], Completion] = {}
        self._of_anyone: dict[str, list[Completion]] = {}
        self._read_to = self._lines = 0
        with _append_locks_lock:
            self._lock = _append_locks.setdefault(os.path.realpath(path), threading.Lock())
        if path.exists():
            read_user_file(path)  # says what is wrong with a file that is none; offsets are those of its bytes
            self._take(_ended(path.read_bytes()))

    def find(self, asked_of: str, key: str) -> Completion | None:
        """Return the reply of a client to a request, None where there is none."""
        return self._replies.get((asked_of, key))

    def of_anyone(self, key: str) -> list[Completion]:
        """Return the different replies to a request, whoever gave them."""
        return self._of_anyone.get(key, [])

    def add(self, client: str, asked_of: str, key: str, completion: Completion) -> Completion:
        """Append a reply, and return it as it will be read again: the earlier one where another was faster.

        Raises:
            OSError: It could not be written; nothing of it is left in the file.
            DataError: What others appended meanwhile is no recorded reply.
        """
        fields = redact_json(asdict(completion))
        fields["usage"] = {name: value for name, value in fields["usage"].items() if name not in _NOT_RECORDED}
        line = {"key": key, "client": client, "asked_of": asked_of, "completion": fields}
        text = json.dumps(line, ensure_ascii=True, allow_nan=False) + "\n"
        with self._lock:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a+b", buffering=0) as file, _alone(file):
                file.seek(self._start_of_new(file))
                there = file.read()
                if _ended(there) != there:
                    file.write(b"\n")
                self._take(_ended(there))
                if (asked_of, key) not in self._replies:
                    _append(file, self._read_to, text.encode("ascii"))
                    self._take(text.encode("ascii"))
        return self._replies[asked_of, key]

    def _start_of_new(self, file: IO[bytes]) -> int:
        """Return where the lines begin that were not read yet; a file that was put in its place is read anew."""
        if file.seek(0, os.SEEK_END) < self._read_to:
            self._read_to = self._lines = 0
        return self._read_to

    def _take(self, more: bytes) -> None:
        """Read the lines that follow those read so far; what a kill tore off at the end is left to be cut off."""
        *whole, _ = more.split(b"\n")
        for line in whole:
            self._lines += 1
            self._read_to += len(line) + 1
            if line.strip():
                self._take_line(line)

    def _take_line(self, line: bytes) -> None:
        try:
            fields = json.loads(line)
            reply = self._replies.setdefault((fields["asked_of"], fields["key"]), _completion(fields["completion"]))
            others = self._of_anyone.setdefault(fields["key"], [])
            others += [] if reply in others else [reply]
            self.recorded_from.add(fields["client"])
        except (ValueError, TypeError, KeyError, RecursionError) as error:
            raise DataError(f"{self.path} line {self._lines}: no recorded reply ({error})") from None


def asked_of(description: Mapping[str, Any]) -> str:
    """Return the digest of a client's settings: another model, or another way to ask it, gives another reply."""
    told = {name: value for name, value in description.items() if name not in _NOT_ASKED_OF}
    return sha256(canonical(told).encode("ascii")).hexdigest()[:_DIGEST_CHARACTERS]


@contextmanager
def _alone(file: IO[bytes]) -> Iterator[None]:
    """Keep other processes from appending meanwhile; closing the file lets them."""
    if fcntl is not None:
        fcntl.flock(file, fcntl.LOCK_EX)
    yield


def _ended(lines: bytes) -> bytes:
    """Return lines with the line end that the last one lacks, where it is whole but for that."""
    last = lines.rpartition(b"\n")[2]
    try:
        whole = isinstance(json.loads(last), dict)
    except (ValueError, RecursionError):
        return lines
    return lines + b"\n" if whole else lines


def _append(file: IO[bytes], end: int, line: bytes) -> None:
    """Write a line after the last whole one, or nothing of it."""
    file.truncate(end)
    view = memoryview(line)
    try:
        while view:
            view = view[file.write(view) :]
    except BaseException:  # a full disk, an interrupt: half a line would spoil the next one
        file.truncate(end)
        raise


def _completion(fields: Mapping[str, Any]) -> Completion:
    calls = tuple(ToolCall(**call) for call in fields["tool_calls"])
    typed = {"tool_calls": calls, "usage": Usage(**fields["usage"]), "finish": Finish(fields["finish"])}
    return Completion(**{**fields, **typed})

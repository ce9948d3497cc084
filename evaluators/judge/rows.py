"""`judged.jsonl` beside a run: one line a judgement, appended and never rewritten; the newest line of a key counts.

Interviews are judged at the same time and written in their order. A judgement that is done before its turn stands in
`judged.waiting.jsonl` meanwhile, so that a run that is killed loses none of it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...envs.core.errors import RecordError
from ...envs.core.run_folder import RowKey, RunFolder
from ...envs.core.text import echo
from ...envs.core.trajectory import RawText
from .verdict import ERRORED, Status

FILE = "judged.jsonl"
WAITING = "judged.waiting.jsonl"
SCHEMA_VERSION = 1


class JudgedRow(BaseModel):
    """One judgement.

    Attributes:
        key: What it depends on: the digest of the transcript and of the judge's settings.
        env_id, agent, task_id, trial: The episode.
        transcript_digest: Digest of everything that the judge was shown.
        judge: The judge's settings: client, prompt with its digest, sampling; no key.
        answered_by: The models that answered, as the provider names them.
        status: `scored`, `unscored` or `errored`; see `verdict.Status`.
        scores: The four dimensions, `overall_mean` (computed) and `overall_holistic`; None unless scored.
        feedback: The judge's words for the candidate.
        reason: Why there are no scores.
        replies: The judge's replies, verbatim.
        usage: What the judge used, under the role `judge`.
    """

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, populate_by_name=True)

    schema_version: int = SCHEMA_VERSION
    key: str
    env_id: str
    agent: str
    task_id: str
    trial: int
    transcript_digest: str
    judge: dict[str, Any]
    answered_by: list[str] = []
    status: Status
    scores: dict[str, float] | None
    feedback: RawText = ""
    reason: RawText = ""
    replies: list[RawText] = []
    usage: dict[str, dict[str, float]] = {}

    @property
    def row(self) -> RowKey:
        """The episode, as a run's records name it."""
        return self.env_id, self.agent, self.task_id, self.trial

    @property
    def final(self) -> bool:
        """Whether it stands: where the provider failed, the next run asks again."""
        return self.status != ERRORED


def judged_rows(folder: RunFolder) -> Iterator[JudgedRow]:
    """Yield every line of a run's judgements in the order of writing, none where it was never judged.

    Raises:
        RecordError: A line other than a torn last one is no judgement; the message names its number.
    """
    for place, line in [*_lines(folder.path / FILE), *_waiting(folder)]:
        yield _read(line, place)


def _lines(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the whole lines of a file, each with its place; one that did not end is none."""
    if path.is_file():
        with path.open("rb") as file:
            yield from ((f"{path} line {number}", line) for number, line in enumerate(file, 1) if line.endswith(b"\n"))


def _waiting(folder: RunFolder) -> list[tuple[str, bytes]]:
    """Return the lines that a killed run left waiting for their turn."""
    left = list(_lines(folder.path / WAITING))
    written = {line for _, line in _lines(folder.path / FILE)} if left else set()
    return [(place, line) for place, line in left if line not in written]


def _read(line: bytes, place: str) -> JudgedRow:
    try:
        fields = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise RecordError(f"{place}: not a judgement ({type(error).__name__})") from None
    if not isinstance(fields, dict):
        raise RecordError(f"{place}: not a judgement")
    schema = fields.pop("schema", None)
    if schema != SCHEMA_VERSION:
        raise RecordError(f"{place}: schema: {echo(schema)}, this version of BizGym reads {SCHEMA_VERSION}")
    try:
        return JudgedRow.model_validate(fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise RecordError(f"{place}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None


class OrderedWriter:
    """Puts judgements on disk as they are made, and in their order: the one writer of a run's judgements.

    The caller holds the run's lock. What an earlier, killed run left waiting is written first. Threads may share it.

    Args:
        folder: The run.

    Raises:
        OSError: The disk is full or gone.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._file, self._aside = folder.path / FILE, folder.path / WAITING
        self._held: dict[int, bytes] = {}
        self._next = 0
        self._lock, self._closed = Lock(), False
        for _, line in _waiting(folder):
            _append(self._file, line)
        self._aside.unlink(missing_ok=True)

    def put(self, number: int, row: JudgedRow | None) -> None:
        """Keep the judgement of an interview.

        Args:
            number: Its place in the order, from 0; each is put once.
            row: The judgement, None where there is nothing to keep.
        """
        line = b"" if row is None else _line(row)
        with self._lock:
            if self._closed:  # of a thread that nobody waited for: the run's lock may be another's by now
                return
            if number > self._next and line:
                _append(self._aside, line)
            self._held[number] = line
            while self._next in self._held:
                self._write(self._next)
                self._next += 1

    def close(self) -> None:
        """Write what still waits for judgements that did not come, and take no more."""
        with self._lock:
            self._closed = True
            for number in sorted(self._held):
                self._write(number)
            self._aside.unlink(missing_ok=True)

    def _write(self, number: int) -> None:
        if self._held[number]:
            _append(self._file, self._held[number])
        del self._held[number]


def _line(row: JudgedRow) -> bytes:
    fields = row.model_dump(mode="python")
    fields = {"schema": fields.pop("schema_version"), **fields}
    return json.dumps(fields, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def _append(path: Path, line: bytes) -> None:
    """Put one line on disk, after cutting off what a killed run left of one."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
    try:
        start = _end_of_lines(descriptor)
        os.ftruncate(descriptor, start)
        os.lseek(descriptor, start, os.SEEK_SET)
        view = memoryview(line)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _end_of_lines(descriptor: int) -> int:
    """Return the offset behind the last whole line."""
    size = os.lseek(descriptor, 0, os.SEEK_END)
    block = 1 << 16
    end = size
    while end > 0:
        begin = max(0, end - block)
        os.lseek(descriptor, begin, os.SEEK_SET)
        found = os.read(descriptor, end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0

"""A run on disk: one JSON line an episode, appended when it ends and never rewritten.

    config.yaml  episodes.jsonl  agent_state/<hash>.json  summary.json  report.html

A killed run leaves at most one torn last line, which is forgiven and played again. The last row of a
(agent, task, trial) is the valid one; rows before it are failures of the infrastructure that were run again.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, Self

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from .errors import RecordError
from .text import printable
from .trajectory import Trajectory, from_line

EPISODES = "episodes.jsonl"
CONFIG = "config.yaml"
SUMMARY = "summary.json"
REPORT = "report.html"
LOCK = ".lock"
_BLOCK_BYTES = 1 << 16
RowKey = tuple[str, str, str, int]


def state_file(agent: str) -> str:
    """Return where in a run's folder the state of an agent that learns lies."""
    return f"agent_state/{sha256(printable(agent).encode()).hexdigest()[:16]}.json"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Asked(_Strict):
    """Episodes asked for: every agent plays every task `trials` times."""

    env_id: str
    agents: list[str]
    tasks: list[str]
    trials: int

    def rows(self) -> Iterator[RowKey]:
        """Yield the key of each episode: by agent, then trial, then task."""
        for agent in self.agents:
            for trial in range(self.trials):
                for task_id in self.tasks:
                    yield self.env_id, agent, task_id, trial


class RunDescription(_Strict):
    """The content of `config.yaml`: the run key and what it rests on, and what was asked for last."""

    run_key: str
    task_set_hashes: dict[str, str]
    prompt_hashes: dict[str, dict[str, str]] = {}
    asked: list[Asked]
    config: dict[str, Any]


class RunFolder:
    """Read access to a run; holds one episode in memory at a time."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Open an existing run.

        Raises:
            RecordError: There is no run at `path`.
        """
        folder = cls(path)
        if not folder.path.is_dir():
            raise RecordError(f"{path}: there is no such folder")
        if not (folder.path / EPISODES).is_file():
            raise RecordError(f"{path}: no {EPISODES} there; is it a run folder?")
        return folder

    def rows(self, *, with_steps: bool = True) -> Iterator[Trajectory]:
        """Yield every readable row in the order of writing, superseded ones included.

        Raises:
            RecordError: A line other than a torn last one is no record; the message names its number.
        """
        path = self.path / EPISODES
        if not path.is_file():
            return
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                place = f"{path} line {number}"
                if line.endswith(b"\n"):
                    yield from_line(line, with_steps=with_steps, place=place)
                    continue
                with suppress(RecordError):  # a torn last line: that episode did not end
                    yield from_line(line, place=place)

    def valid(self) -> dict[RowKey, int]:
        """Return the position (counted from 0) of the valid row of each (environment, agent, task, trial).

        Raises:
            RecordError: Two rows of one key both have a score, so that the file counts an episode twice.
        """
        positions: dict[RowKey, int] = {}
        scored: set[RowKey] = set()
        for position, row in enumerate(self.rows(with_steps=False)):
            if row.key in scored:
                raise RecordError(
                    f"{self.path / EPISODES}: the episode {row.key} has a score in line {positions[row.key] + 1} and "
                    f"again in line {position + 1}; remove one of them"
                )
            positions[row.key] = position
            if row.scored:
                scored.add(row.key)
        return positions

    def episodes(self, *, with_steps: bool = True) -> Iterator[Trajectory]:
        """Yield the valid row of each episode, in the order of writing."""
        wanted = set(self.valid().values())
        for position, row in enumerate(self.rows(with_steps=with_steps)):
            if position in wanted:
                yield row

    def describe(self, description: RunDescription) -> None:
        """Write `config.yaml`."""
        self.write_text(CONFIG, yaml.safe_dump(description.model_dump(), sort_keys=False, allow_unicode=True))

    @property
    def is_described(self) -> bool:
        """Whether there is a `config.yaml`."""
        return (self.path / CONFIG).is_file()

    @property
    def has_episodes(self) -> bool:
        """Whether anything has been recorded."""
        path = self.path / EPISODES
        return path.is_file() and path.stat().st_size > 0

    def description(self) -> RunDescription:
        """Return the content of `config.yaml`.

        Raises:
            RecordError: The file is missing or broken.
        """
        path = self.path / CONFIG
        try:
            return RunDescription.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
        except OSError as error:
            raise RecordError(f"{path}: cannot be read ({error.strerror})") from None
        except (yaml.YAMLError, ValidationError, UnicodeDecodeError) as error:
            raise RecordError(f"{path}: {str(error)[:500]}") from None

    def read_json(self, name: str) -> Any | None:
        """Return the content of a JSON file of the run, None where there is none."""
        path = self.path / name
        if not path.is_file():
            return None
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:
            raise RecordError(f"{path}: not JSON ({error}); delete it, it can be made again") from None

    def write_text(self, name: str, text: str) -> Path:
        """Write a file so that readers see the old or the new one, never a part."""
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")  # two commands may write one file at a time
        try:
            part.write_text(text, encoding="utf-8", newline="\n")
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
        return path


class EpisodeWriter:
    """The one writer of a run; a context manager that holds the run's lock.

    Raises:
        RecordError: Another process writes to the run.
    """

    def __init__(self, folder: RunFolder) -> None:
        self._folder = folder
        self._lock: IO[bytes] | None = None
        self._descriptor = -1

    def __enter__(self) -> Self:
        self._folder.path.mkdir(parents=True, exist_ok=True)
        self._lock = (self._folder.path / LOCK).open("ab")
        if not _lock(self._lock):
            self._lock.close()
            raise RecordError(
                f"{self._folder.path}: another process is writing to this run; wait for it or use run_dir="
            )
        path = self._folder.path / EPISODES
        try:
            path.touch()
            _mend_tail(path)
            self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
        except OSError:
            self._lock.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            os.fsync(self._descriptor)
        finally:
            os.close(self._descriptor)
            if self._lock is not None:
                self._lock.close()

    def append(self, line: bytes) -> None:
        """Put one record on disk; returns when the operating system has it.

        Raises:
            OSError: The disk is full or gone; what was written of the line is removed again.
        """
        start = os.lseek(self._descriptor, 0, os.SEEK_END)
        view = memoryview(line)
        try:
            while view:
                view = view[os.write(self._descriptor, view) :]
        except OSError:
            os.ftruncate(self._descriptor, start)
            raise


def _mend_tail(path: Path) -> None:
    """Cut a torn last line off; complete one that lacks only its line end."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        start = _last_line_start(file, size)
        if start == size:
            return
        file.seek(start)
        try:
            from_line(file.read())
        except RecordError:
            file.truncate(start)
        else:
            file.write(b"\n")


def _last_line_start(file: IO[bytes], size: int) -> int:
    """Return the offset after the last line end; `size` itself where the file ends with one."""
    end = size
    while end > 0:
        begin = max(0, end - _BLOCK_BYTES)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0


if sys.platform == "win32":
    import msvcrt

    def _lock(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _lock(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

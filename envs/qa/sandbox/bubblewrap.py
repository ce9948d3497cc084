"""The second tier: CPython and numpy under bubblewrap, with resource limits and a filter of system calls."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from .execution import DEFAULT_LIMITS, Execution, Limits, Status

TIER = "bubblewrap"
INTERPRETER_BYTES = 400_000_000
"""Address space of CPython and numpy themselves, on top of a program's own memory."""
MAX_REPORT_BYTES = 100_000
_HERE = Path(__file__).parent
_SYSTEM_FOLDERS = ("/lib", "/lib64", "/usr/lib", "/usr/lib64")
_REPORTED = ("ok", "error", "memory_limit", "unsupported")
_KILLED_BY_TIME = (128 + 9, 128 + 24, -9, -24)  # SIGKILL, SIGXCPU


def run(code: str, inputs: dict[str, Any], limits: Limits) -> Execution:
    """Run a program, as `sandbox.run` says; `unsupported` where bubblewrap does not work here."""
    why = unavailable()
    return Execution("unsupported", error=why) if why else _run(code, inputs, limits)


@cache
def unavailable() -> str:
    """Return why programs cannot be run under bubblewrap here, "" where they can; found out once a process."""
    if not sys.platform.startswith("linux"):
        return "bubblewrap is for Linux"
    if shutil.which("bwrap") is None:
        return "bubblewrap is not installed (Debian: apt-get install bubblewrap libseccomp2)"
    probe = _run("6 * 7", {}, DEFAULT_LIMITS)
    if probe.value == "42":
        return ""
    return f"bubblewrap does not work here ({probe.error or 'no value'})"


def _run(code: str, inputs: dict[str, Any], limits: Limits) -> Execution:
    try:
        job = json.dumps(
            {
                "code": code,
                "inputs": inputs,
                "cpu_seconds": limits.cpu_seconds,
                "memory_bytes": limits.memory_bytes + INTERPRETER_BYTES,
            }
        ).encode()
    except (TypeError, ValueError) as error:
        return Execution("error", error=f"inputs: {error}", tier=TIER)
    reading, writing = os.pipe()
    try:
        process = subprocess.Popen(
            [*_command(), str(writing)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            pass_fds=(writing,),
            env={},
            cwd="/",
        )
    except OSError as error:
        os.close(reading)
        return Execution("unsupported", error=f"bubblewrap does not start ({error})")
    finally:
        os.close(writing)
    return _watched(process, job, reading, limits)


def _watched(process: subprocess.Popen[bytes], job: bytes, reading: int, limits: Limits) -> Execution:
    """Feed a process its job, and read what it prints and reports until it ends or is ended."""
    printed, report = bytearray(), bytearray()
    flooded = threading.Event()

    def collect(stream: IO[bytes], into: bytearray, most: int) -> None:
        while chunk := stream.read1(4096):  # type: ignore[attr-defined]
            into += chunk[: most - len(into)]
            if len(into) >= most:
                flooded.set()
                process.kill()

    with process, os.fdopen(reading, "rb") as results:
        assert process.stdin is not None
        assert process.stdout is not None
        readers = [
            threading.Thread(target=collect, args=(process.stdout, printed, limits.output_bytes)),
            threading.Thread(target=collect, args=(results, report, MAX_REPORT_BYTES)),
        ]
        for each in readers:
            each.start()
        timer = threading.Timer(limits.wall_seconds, process.kill)
        timer.start()
        try:
            process.stdin.write(job)
            process.stdin.close()
        except OSError:  # it has ended before it read its job
            pass
        status = process.wait()
        timer.cancel()
        for each in readers:
            each.join()
    return _told(status, bytes(report), printed.decode("utf-8", "replace"), flooded.is_set())


def _told(status: int, report: bytes, printed: str, flooded: bool) -> Execution:
    if flooded:
        return Execution("output_limit", "", printed, "the program printed too much", TIER)
    found = _read(report)
    if found is not None:
        return Execution(*found[:2], printed, found[2], TIER)
    if status in _KILLED_BY_TIME:
        return Execution("time_limit", "", printed, "the program took too long", TIER)
    return Execution("error", "", printed, f"the program ended without a result (status {status})", TIER)


def _read(report: bytes) -> tuple[Status, str, str] | None:
    """Return status, value and error of a report; None where it is none, since the program may have written it."""
    try:
        found = json.loads(report)
        status, value, error = found["status"], found["value"], found["error"]
        value.encode()
        error.encode()
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return (status, value, error) if status in _REPORTED else None


@cache
def _command() -> tuple[str, ...]:
    """Return the command line up to the number of the pipe."""
    return (
        shutil.which("bwrap") or "bwrap",
        *("--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"),
        *("--uid", "65534", "--gid", "65534", "--hostname", "sandbox", "--chdir", "/"),
        *("--setenv", "OPENBLAS_NUM_THREADS", "1", "--setenv", "PYTHONHASHSEED", "0"),
        *_mounts(),
        *(str(_interpreter()), "-P", "-s", "-S", "-B", "/sandbox/child.py"),
    )


def _interpreter() -> Path:
    return Path(sys.base_prefix, "bin", f"python{sys.version_info.major}.{sys.version_info.minor}")


def _mounts() -> Iterator[str]:
    for folder in (*_SYSTEM_FOLDERS, sys.base_prefix):
        if Path(folder).exists():
            yield from ("--ro-bind", folder, folder)
    for name in ("child.py", "values.py"):
        yield from ("--ro-bind", str(_HERE / name), f"/sandbox/{name}")
    found = find_spec("numpy")
    if found is not None and found.origin is not None:
        package = Path(found.origin).parent
        for each in (package, package.with_name("numpy.libs")):
            if each.exists():
                yield from ("--ro-bind", str(each), f"/packages/{each.name}")

"""The first tier: pydantic-monty, an interpreter of its own in worker processes that it replaces when they crash."""

from __future__ import annotations

import atexit
import datetime
import os
from contextlib import ExitStack
from functools import cache
from typing import Any

import pydantic_monty

from . import relay
from .execution import NO_VALUE, Execution, Limits, Status
from .values import text_of_value

TIER = "monty"
MAX_RECURSION = 500
WORKER_USES = 500
_UNSUPPORTED = (NotImplementedError, ModuleNotFoundError)
_LIMITS: dict[type[BaseException], Status] = {TimeoutError: "time_limit", MemoryError: "memory_limit"}
_POLICY: pydantic_monty.OSPolicy = {
    "datetime": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    "sleep": "zero",
    "random_start": {"seed": 0},
}
"""The clock stands still and chance repeats itself, so that a program gives the same value each time."""


def run(code: str, inputs: dict[str, Any], limits: Limits) -> Execution:
    """Run a program, as `sandbox.run` says; `unsupported` where it uses what the interpreter does not have."""
    process_id = os.getpid()
    if _first_user(process_id) != process_id:
        return relay.run(process_id, code, inputs, limits)
    out = pydantic_monty.CollectString(limits.output_bytes)
    try:
        with _pool().checkout(limits=_limits(limits), os_policy=_POLICY) as session:
            last = session.feed_run(code, inputs=inputs, print_callback=out)
            value = _answer(session, last)
        if value is None:
            return Execution("error", "", out.output, NO_VALUE, TIER)
        return Execution("ok", text_of_value(value), out.output, "", TIER)
    except pydantic_monty.MontyCrashedError as error:
        status: Status = "time_limit" if error.timed_out else "error"
        return Execution(status, "", out.output, "the program brought its worker down", TIER)
    except pydantic_monty.MontyError as error:
        return _failed(error, out.output, limits)
    except (ValueError, TypeError, RecursionError, UnicodeError) as error:  # a value or text that does not travel
        return Execution("error", "", out.output, f"{type(error).__name__}: {error}", TIER)


def _answer(session: pydantic_monty.MontySession, last: Any) -> Any:
    try:
        return session.feed_run("answer")
    except pydantic_monty.MontyError:
        return last


def _failed(error: pydantic_monty.MontyError, printed: str, limits: Limits) -> Execution:
    inner = error.exception()
    message = _told(error)
    if isinstance(inner, _UNSUPPORTED):
        return Execution("unsupported", "", "", message)
    status = _LIMITS.get(type(inner), "error")
    if status == "memory_limit" and f"> {limits.output_bytes} bytes" in str(inner):
        status = "output_limit"
    return Execution(status, "", printed, message, TIER)


def _told(error: pydantic_monty.MontyError) -> str:
    """Return type, message and line of an error."""
    frames = error.traceback() if isinstance(error, pydantic_monty.MontyRuntimeError) else []
    line = f" (line {frames[-1].line})" if frames else ""
    inner = error.exception()
    return f"{type(inner).__name__}: {inner}{line}"


def _limits(limits: Limits) -> pydantic_monty.ResourceLimits:
    return {
        "max_feed_duration_secs": limits.cpu_seconds,
        "max_memory": limits.memory_bytes,
        "max_recursion_depth": MAX_RECURSION,
    }


def _first_user(process_id: int) -> int:
    """Return the process that used the interpreter first; one that was forked from it later cannot."""
    _USERS.append(process_id)
    del _USERS[1:]
    return _USERS[0]


_USERS: list[int] = []


@cache
def _pool() -> pydantic_monty.Monty:
    """Return the workers of this process."""
    stack = ExitStack()
    pool = stack.enter_context(
        pydantic_monty.Monty(
            min_processes=1, max_checkouts_per_worker=WORKER_USES, request_timeout=30.0, feed_duration_limit_grace=1.0
        )
    )
    atexit.register(_close, os.getpid(), stack)
    return pool


def _close(process_id: int, stack: ExitStack) -> None:
    if os.getpid() == process_id:
        stack.close()

"""What a program may use, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NO_VALUE = "the program has no value: end it with an expression"
Status = Literal["ok", "error", "time_limit", "memory_limit", "output_limit", "unsupported"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use.

    Attributes:
        cpu_seconds: Processor time.
        wall_seconds: Time by the clock, for programs that wait.
        memory_bytes: Memory of the program's own values; CPython's and numpy's come on top in the second tier.
        output_bytes: What it may print.
    """

    cpu_seconds: float = 2.0
    wall_seconds: float = 6.0
    memory_bytes: int = 64_000_000
    output_bytes: int = 65_536


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Execution:
    """What came of a program.

    Attributes:
        status: `ok`; `error`, it broke off; a limit that it met; or `unsupported`, no sandbox here can run it.
        value: Its value as `values.text_of_value` writes it, "" where it has none.
        stdout: What it printed, up to the limit.
        error: Why it came to nothing, "" where it came to something.
        tier: Where it ran, "" where it did not.
    """

    status: Status
    value: str = ""
    stdout: str = ""
    error: str = ""
    tier: str = ""

"""Code of the answerer: run in the sandbox, and reported as JSON text."""

from __future__ import annotations

import json
from dataclasses import replace

from ..core.errors import ToolRefused
from ..core.text import printable
from .sandbox import run
from .sandbox.execution import NO_VALUE


def executed(code: str) -> str:
    """Run code; return `{status, value, stdout, error, tier}` as JSON text.

    A program without a value that prints has the last line it prints as its value.

    Raises:
        ToolRefused: No sandbox of this machine can run it; what would run is said.
    """
    found = run(code)
    if found.status == "unsupported":
        mend = "use plain Python with the module math, or give a number"
        raise ToolRefused("sandbox_unsupported", f"{found.error}; {mend}")
    printed = found.stdout.strip()
    if found.error == NO_VALUE and printed:  # what a program prints last is what it means to say
        found = replace(found, status="ok", value=printed.splitlines()[-1], error="")
    report = {
        "status": found.status,
        "value": printable(found.value),
        "stdout": printable(found.stdout),
        "error": printable(found.error),
        "tier": found.tier,
    }
    return json.dumps(report, ensure_ascii=False)

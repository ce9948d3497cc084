"""A process that runs programs for one that was forked: the interpreter's threads do not survive a fork.

`python -m bizgym.envs.qa.sandbox.relay` reads jobs from standard input, one a line, and writes what came of each.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from functools import cache
from threading import Lock
from typing import Any

from .execution import Execution, Limits

_LOCK = Lock()


def run(process_id: int, code: str, inputs: dict[str, Any], limits: Limits) -> Execution:
    """Run a program in this process's relay.

    Args:
        process_id: Of this process, so that a further fork gets a relay of its own.
        code: As `sandbox.run` takes it.
        inputs: JSON values.
        limits: What it may use.
    """
    try:
        job = json.dumps({"code": code, "inputs": inputs, "limits": asdict(limits)})
    except (TypeError, ValueError) as error:
        return Execution("error", error=f"inputs: {error}")
    with _LOCK:
        answer = _asked(process_id, job) or _asked(process_id, job)  # one that has died is replaced
    return Execution(**json.loads(answer)) if answer else Execution("error", error="the sandbox's relay ended")


def _asked(process_id: int, job: str) -> str:
    """Hand a job over; return what came of it, "" where the relay is gone."""
    relay = _relay(process_id)
    assert relay.stdin is not None
    assert relay.stdout is not None
    try:
        relay.stdin.write(job + "\n")
        relay.stdin.flush()
        answer = relay.stdout.readline()
    except OSError:
        answer = ""
    if not answer:
        _relay.cache_clear()
    return answer


@cache
def _relay(process_id: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bizgym.envs.qa.sandbox.relay"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def main() -> None:
    """Serve until standard input ends."""
    from . import monty

    for line in sys.stdin:
        job = json.loads(line)
        found = monty.run(job["code"], job["inputs"], Limits(**job["limits"]))
        print(json.dumps(asdict(found)), flush=True)


if __name__ == "__main__":
    main()

"""Attempts to get out of the sandbox: each is held in each tier, and what it was after is untouched."""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml
from bizgym.envs.qa.sandbox import Limits, bubblewrap, run

ATTEMPTS = yaml.safe_load(Path(__file__).with_name("escapes.yaml").read_text(encoding="utf-8"))
SECRET = "quince-90417-secret"
LIMITS = Limits(cpu_seconds=1.0, wall_seconds=3.0)
LONGEST_SECONDS = 12.0
TIERS = [
    pytest.param("monty", marks=pytest.mark.sandbox),
    pytest.param(
        "bubblewrap", marks=pytest.mark.skipif(bubblewrap.unavailable() != "", reason=bubblewrap.unavailable())
    ),
]


@pytest.fixture
def booty(tmp_path, monkeypatch):
    """A file, a variable of the environment and an open port."""
    monkeypatch.setenv("BIZGYM_TEST_SECRET", SECRET)
    path = tmp_path / "secret.txt"
    path.write_text(SECRET, encoding="utf-8")
    path.chmod(0o600)
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        listener.settimeout(0.05)
        yield {"path": str(path), "port": listener.getsockname()[1], "pid": os.getpid()}, path, listener


def code_of(attempt):
    return "(" * 50_000 + "1" + ")" * 50_000 if "code_of" in attempt else attempt["code"]


def test_there_are_forty_attempts_and_more():
    assert len(ATTEMPTS) >= 40
    assert len({each["name"] for each in ATTEMPTS}) == len(ATTEMPTS)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("attempt", ATTEMPTS, ids=[each["name"] for each in ATTEMPTS])
def test_an_attempt_is_held(attempt, tier, booty):
    inputs, path, listener = booty
    began = time.monotonic()
    found = run(code_of(attempt), inputs=inputs, limits=LIMITS, tiers=[tier])
    assert time.monotonic() - began < LONGEST_SECONDS
    shown = f"{found.value} {found.stdout} {found.error}"
    assert SECRET not in shown
    if "shows" in attempt:
        assert attempt["shows"] not in f"{found.value} {found.stdout}"
    if "status" in attempt:
        assert found.status in attempt["status"], found
    if "value" in attempt:
        assert (found.status, found.value) == ("ok", attempt["value"])
    assert path.read_text(encoding="utf-8") == SECRET
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["secret.txt"]
    with pytest.raises(TimeoutError):
        listener.accept()


@pytest.mark.parametrize(
    "name", ["open a file", "read the environment by getenv", "evaluate a text", "run a command by popen"]
)
def test_outside_of_it_the_same_attempt_succeeds(name, booty):
    code = next(each["code"] for each in ATTEMPTS if each["name"] == name)
    *body, last = code.splitlines()
    program = "\n".join([f"path = {booty[0]['path']!r}", *body, f"print({last})"])
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.strip() == SECRET


@pytest.mark.parametrize("tier", TIERS)
def test_the_sandbox_works_after_every_attempt(tier):
    assert run("6 * 7", tiers=[tier]).value == "42"

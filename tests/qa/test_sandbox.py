"""What a program gives: its value, what it printed, why it failed, and where it ran."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from bizgym.envs.qa import sandbox
from bizgym.envs.qa.sandbox import Execution, Limits, bubblewrap, run

NO_BUBBLEWRAP = bubblewrap.unavailable()
needs_bubblewrap = pytest.mark.skipif(NO_BUBBLEWRAP != "", reason=NO_BUBBLEWRAP)
TIERS = [
    pytest.param("monty", marks=pytest.mark.sandbox),
    pytest.param("bubblewrap", marks=needs_bubblewrap),
]
VALUES = [
    ("1 + 1", "2"),
    ("0.1 + 0.2", "0.30000000000000004"),
    ("answer = 5\nanswer * 2", "5"),
    ("answer = 2.5", "2.5"),
    ("x = 3\nx", "3"),
    ("[1.5]", "[1.5]"),
    ("(3,)", "(3,)"),
    ("'12.5 %'", "12.5 %"),
    ("['a']", "['a']"),
    ("True", "True"),
    ("float('nan')", "nan"),
    ("float('inf')", "inf"),
    ("from decimal import Decimal\nDecimal('1.50')", "1.50"),
    ("import math\nround(math.exp(1), 6)", "2.718282"),
    (
        "def pv(rate, flows):\n    return sum(f / (1 + rate) ** k for k, f in enumerate(flows))\n"
        "pv(0.1, [-100, 60, 60])",
        None,
    ),
    ("total = 0\nfor k in range(5):\n    total += k\ntotal", "10"),
    ("given * 2", "42"),
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("code", "value"), VALUES)
def test_the_value_is_that_of_answer_or_of_the_last_expression(tier, code, value):
    found = run(code, inputs={"given": 21}, tiers=[tier])
    assert (found.status, found.error, found.tier) == ("ok", "", tier)
    if value is None:
        assert float(found.value) == pytest.approx(-100 + 60 / 1.1 + 60 / 1.21)
    else:
        assert found.value == value


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    ("code", "status", "told"),
    [
        ("1 / 0", "error", "ZeroDivisionError: division by zero (line 1)"),
        ("x = 1\ny = x + missing", "error", "NameError: name 'missing' is not defined (line 2)"),
        ("def f(", "error", "SyntaxError"),
        ("x = 5", "error", "no value"),
        ("", "error", "no value"),
        ("None", "error", "no value"),
        ("'x' * 20000", "error", "20000 characters long"),
    ],
)
def test_what_comes_to_nothing_says_why(tier, code, status, told):
    found = run(code, tiers=[tier])
    assert (found.status, found.value) == (status, "")
    assert told in found.error
    found.error.encode("utf-8")


@pytest.mark.parametrize("tier", TIERS)
def test_what_is_printed_comes_back(tier):
    found = run("print('net', 3)\nprint('gross')\n7", tiers=[tier])
    assert (found.value, found.stdout) == ("7", "net 3\ngross\n")


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_is_kept_between_runs(tier):
    assert run("kept = 1\nkept", tiers=[tier]).status == "ok"
    assert run("kept", tiers=[tier]).status == "error"


@pytest.mark.parametrize("tier", TIERS)
def test_limits_are_those_that_are_given(tier):
    assert (
        run("while True:\n    pass", limits=Limits(cpu_seconds=1.0, wall_seconds=2.0), tiers=[tier]).status
        == "time_limit"
    )
    assert run("print('x' * 200)\n1", limits=Limits(output_bytes=100), tiers=[tier]).status == "output_limit"
    assert len(run("print('x' * 200)\n1", limits=Limits(output_bytes=100), tiers=[tier]).stdout) <= 100


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "code",
    ["import statistics\nstatistics.mean([1, 2, 6])", "def f():\n    yield 3\nnext(f())", "x = 3\ny = x\ndel x\ny"],
)
def test_what_the_first_tier_cannot_read_is_left_to_the_second(code):
    first = run(code, tiers=["monty"])
    assert (first.status, first.tier, first.value) == ("unsupported", "", "")
    assert first.error.startswith(("ModuleNotFoundError", "NotImplementedError"))
    found = run(code)
    assert (found.value, found.tier) == (("3", "bubblewrap") if not NO_BUBBLEWRAP else ("", ""))


@pytest.mark.sandbox
def test_without_bubblewrap_such_code_is_unsupported_and_never_runs(monkeypatch):
    monkeypatch.setattr(bubblewrap, "unavailable", lambda: "bubblewrap is not installed")
    found = run("import statistics\n1")
    assert found == Execution("unsupported", error="bubblewrap is not installed")


@needs_bubblewrap
def test_numpy_is_there_and_no_other_package():
    assert run("import numpy as np\nfloat(np.array([1.0, 2.5]).sum())").value == "3.5"
    found = run("import pydantic\n1")
    assert (found.status, found.error) == ("unsupported", "ModuleNotFoundError: No module named 'pydantic'")


@pytest.mark.sandbox
def test_chance_and_the_clock_repeat_themselves():
    code = "import random\nfrom datetime import datetime\nstr(random.random()) + str(datetime.now())"
    assert run(code) == run(code)
    assert "2026-01-01" in run(code).value


@pytest.mark.sandbox
def test_many_threads_share_the_workers():
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda k: run(f"{k} * {k}").value, range(200)))
    assert found == [str(k * k) for k in range(200)]


@pytest.mark.sandbox
def test_a_forked_process_has_workers_of_its_own():
    assert run("1").value == "1"
    program = (
        "import os\nfrom bizgym.envs.qa.sandbox import run\nassert run('1').value == '1'\nchild = os.fork()\n"
        "if child == 0:\n    print(run('2 + 3').value, flush=True)\n    os._exit(0)\n"
        "os.waitpid(child, 0)\nprint(run('4 + 5').value)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert done.stdout.split() == ["5", "9"], done.stderr


def test_the_package_imports_neither_tier_until_it_is_needed():
    program = "import sys, bizgym.envs.qa.sandbox\nprint('pydantic_monty' in sys.modules, 'subprocess' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout.split()[0] == "False"
    assert sandbox.TIERS == ("monty", "bubblewrap")

"""`make bench`: what it costs to run a program of a few lines, by tier, and what a question costs without one."""

from statistics import median
from time import perf_counter

import pytest
from bizgym.envs.qa.sandbox import bubblewrap, run

from .ratio import verdict

RUNS = 40
PROGRAM = (
    "rate = 0.08\nflows = [-13000, 3500, 3500, 3500, 3500, 3500]\nsum(f / (1 + rate) ** k for k, f in enumerate(flows))"
)
BARS_MS = {"monty": 5.0, "bubblewrap": 400.0}


@pytest.mark.parametrize("tier", list(BARS_MS))
def test_start_up_of_a_program(benchmark, tier):
    if tier == "bubblewrap" and bubblewrap.unavailable():
        pytest.skip(bubblewrap.unavailable())

    def milliseconds():
        started = perf_counter()
        assert run(PROGRAM, tiers=[tier]).status == "ok"
        return 1_000 * (perf_counter() - started)

    measured = [milliseconds() for _ in range(RUNS + 1)][1:]
    benchmark.pedantic(milliseconds, rounds=3)
    found = median(measured)
    verdict(f"a program in the sandbox, tier {tier}, median ms", found, f"bar {BARS_MS[tier]}", found <= BARS_MS[tier])

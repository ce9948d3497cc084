"""`make bench`: what an annual report costs to draw, redraws and the check of its clarity included."""

from statistics import median
from time import process_time

from bizgym.envs.qa.filings import generate

from .ratio import verdict

REPORTS = 60
BAR_MS = 20.0


def milliseconds(seed):
    started = process_time()
    generate(seed)
    return 1_000 * (process_time() - started)


def test_annual_report(benchmark):
    milliseconds(0)  # reads the data files, once a process
    measured = [milliseconds(seed) for seed in range(REPORTS)]
    benchmark.pedantic(milliseconds, args=(1,), rounds=3)
    found = median(measured)
    benchmark.extra_info["milliseconds_a_report"] = found
    verdict("an annual report, ms of processor time", found, f"bar {BAR_MS}", found <= BAR_MS)

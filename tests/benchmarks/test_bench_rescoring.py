"""`make bench`: how long it takes to score ten thousand recorded answers anew, under both profiles."""

import random
from time import perf_counter

from bizgym.envs.core.trajectory import from_line
from bizgym.envs.qa import scoring
from bizgym.envs.qa.tasks import QATasks

from tests.qa.test_rescoring import SPECS, lines, task

from .ratio import verdict

N_RECORDS = 10_000
BAR_SECONDS = 5.0


def test_ten_thousand_records(benchmark, monkeypatch):
    tasks = QATasks(map(task, SPECS))
    monkeypatch.setattr(scoring, "shipped_tasks", lambda: tasks)
    written, worth = lines(N_RECORDS, random.Random(5))

    def seconds():
        started = perf_counter()
        found = [scoring.outcome_of_record(from_line(line)).metrics for line in written]
        spent = perf_counter() - started
        assert [(each["correct_paper"], each["correct_strict"]) for each in found] == worth
        return spent

    found = benchmark.pedantic(seconds, rounds=1)
    verdict("10,000 recorded answers read and scored, seconds", found, f"bar {BAR_SECONDS}", found <= BAR_SECONDS)

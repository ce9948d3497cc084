"""Scores of `bizgym-tests/Payments-v0`: the benchmark's own, over the small folder of content."""

from functools import partial

from bizgym.envs.payments import scoring

from tests.payments.workflows import content

task_of = partial(scoring.task_of, content=content())
outcome = partial(scoring.outcome, content=content())
outcome_of_record = partial(scoring.outcome_of_record, content=content())
series = partial(scoring.series, content=content())
UNITS = scoring.UNITS
course_of_record = partial(scoring.course_of_record, content=content())
reads = scoring.reads

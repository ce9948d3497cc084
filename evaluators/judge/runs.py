"""A run judged: every interview without a judgement by this judge, several at a time, each on disk when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

from ...envs.core.errors import RecordError
from ...envs.core.run_folder import EpisodeWriter, RowKey, RunFolder
from ...envs.core.trajectory import Trajectory
from ..consulting_scores import is_interview
from .judging import Judge, Judgement
from .rows import JudgedRow, OrderedWriter, judged_rows
from .transcript import Transcript, transcript_of
from .verdict import ERRORED

Usage = dict[str, dict[str, float]]
Account = Callable[[], tuple[Judge, Callable[[], Usage]]]
"""Returns the judge with an account of its own for one interview, and what tells what it used, by role."""


class _Job(NamedTuple):
    """An interview to judge, with its place in the order."""

    number: int
    episode: RowKey
    transcript: Transcript


class _Done(NamedTuple):
    """What came of a job: the line to keep, None for nothing, and what ends the judging, such as a spent budget."""

    line: JudgedRow | None
    error: Exception | None


@dataclass(slots=True)
class Progress:
    """How a run's judging went.

    Attributes:
        judged: Judgements made now.
        there: Judgements that were on disk already.
        skipped: Episodes that are no finished interview: the infrastructure failed.
    """

    judged: int = 0
    there: int = 0
    skipped: int = 0


def interviews(folder: RunFolder) -> Iterator[Trajectory]:
    """Yield the interviews of a run that were asked for, with their steps.

    Raises:
        RecordError: The run cannot be read.
    """
    asked = [each for each in folder.description().asked if is_interview(each.env_id)]
    wanted = {key for each in asked for key in each.rows()}
    if wanted:
        yield from (row for row in folder.episodes() if row.key in wanted)


def judge_run(folder: RunFolder, account: Account, progress: Progress, workers: int = 1) -> None:
    """Judge a run.

    What is on disk is not asked for again, unless the judge's provider had failed. The run is locked meanwhile. Lines
    stand in the order of the interviews, however many are judged at a time. What ends the judging early, such as a
    spent budget or an interrupt, starts no further one; those under way are brought in and kept.

    Args:
        folder: The run.
        account: Makes the judge.
        progress: Counts how far it is.
        workers: Interviews judged at a time.

    Raises:
        RecordError: The run cannot be read, another process writes to it, or it holds no interview.
        Exception: What ended the judging, the first in the order of the interviews.
    """
    with EpisodeWriter(folder):
        done = {(row.key, row.row) for row in judged_rows(folder) if row.final}
        jobs = _jobs(folder, account()[0], done, progress)
        writer = OrderedWriter(folder)
        try:
            _work(jobs, account, writer, progress, workers)
        finally:
            writer.close()
    if not (progress.judged or progress.there or progress.skipped):
        raise RecordError(f"{folder.path}: no case interview there, and a judge judges nothing else")


def _jobs(folder: RunFolder, judge: Judge, done: set[tuple[str, RowKey]], progress: Progress) -> Iterator[_Job]:
    number = 0
    for row in interviews(folder):
        if not row.stop_reason.scored:
            progress.skipped += 1
            continue
        transcript = transcript_of(row)
        if (judge.key(transcript), row.key) in done:
            progress.there += 1
            continue
        yield _Job(number, row.key, transcript)
        number += 1


def _work(jobs: Iterator[_Job], account: Account, writer: OrderedWriter, progress: Progress, workers: int) -> None:
    errors: dict[int, Exception] = {}

    def judge(job: _Job) -> bool:
        line, error = _judged(job, account)
        writer.put(job.number, line)  # here, since no interrupt parts a line from the note that it is written
        if error is not None:
            errors[job.number] = error
        return error is None

    pool = ThreadPoolExecutor(max_workers=workers)
    under_way: set[Future[bool]] = set()
    try:
        while True:
            wanted = 0 if errors else workers - len(under_way)
            under_way |= {pool.submit(judge, job) for job in islice(jobs, wanted)}
            if not under_way:
                break
            done, under_way = wait(under_way, return_when=FIRST_COMPLETED)
            progress.judged += sum(future.result() for future in done)
    except KeyboardInterrupt:  # a second one drops what is under way
        pool.shutdown()
        raise
    finally:
        pool.shutdown(wait=False)
    if errors:
        raise errors[min(errors)]


def _judged(job: _Job, account: Account) -> _Done:
    judge, spent = account()
    try:
        judgement = judge.judge(job.transcript)
    except Exception as error:  # such as a spent budget: what was paid so far is kept on record
        judgement = Judgement(ERRORED, None, f"{type(error).__name__}: {error}", ())
        line = _line(job, judge, judgement, spent)
        return _Done(line if line.usage else None, error)
    return _Done(_line(job, judge, judgement, spent), None)


def _line(job: _Job, judge: Judge, judgement: Judgement, spent: Callable[[], Usage]) -> JudgedRow:
    env_id, agent, task_id, trial = job.episode
    verdict = judgement.verdict
    answered_by: Any = judge.client.description.get("answered_by", ())
    return JudgedRow(
        key=judge.key(job.transcript),
        env_id=env_id,
        agent=agent,
        task_id=task_id,
        trial=trial,
        transcript_digest=job.transcript.digest,
        judge=judge.description,
        answered_by=list(answered_by),
        status=judgement.status,
        scores=None if verdict is None else verdict.scores,
        feedback="" if verdict is None else verdict.feedback,
        reason=judgement.reason,
        replies=list(judgement.replies),
        usage=spent(),
    )

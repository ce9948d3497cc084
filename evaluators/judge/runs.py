"""A run judged: every interview without a judgement by this judge, one after another, each on disk when it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from ...envs.core.errors import RecordError
from ...envs.core.run_folder import EpisodeWriter, RowKey, RunFolder
from ...envs.core.trajectory import Trajectory
from ..consulting_scores import is_interview
from .judging import Judge, Judgement
from .rows import JudgedRow, append, judged_rows
from .transcript import Transcript, transcript_of
from .verdict import ERRORED

Usage = dict[str, dict[str, float]]


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


def judge_run(folder: RunFolder, judge: Judge, spent: Callable[[], Usage]) -> Iterator[Progress]:
    """Judge a run, and yield how far it is after each interview.

    What is on disk is not asked for again, unless the judge's provider had failed. The run is locked meanwhile.

    Args:
        folder: The run.
        judge: The judge.
        spent: Returns what the judge used since it was last called, by role.

    Raises:
        RecordError: The run cannot be read, another process writes to it, or it holds no interview.
    """
    progress, any_there = Progress(), False
    with EpisodeWriter(folder):
        done = {(row.key, row.row) for row in judged_rows(folder) if row.final}
        for row in interviews(folder):
            any_there = True
            if not row.stop_reason.scored:
                progress.skipped += 1
                continue
            transcript = transcript_of(row)
            if (judge.key(transcript), row.key) in done:
                progress.there += 1
                continue
            try:
                judgement = judge.judge(transcript)
            except Exception as error:  # such as a spent budget: what was paid so far is kept on record
                judgement = Judgement(ERRORED, None, f"{type(error).__name__}: {error}", ())
                line = _line(row.key, judge, transcript, judgement, spent)
                if line.usage:
                    append(folder, line)
                raise
            append(folder, _line(row.key, judge, transcript, judgement, spent))
            progress.judged += 1
            yield progress
    if not any_there:
        raise RecordError(f"{folder.path}: no case interview there, and a judge judges nothing else")
    yield progress


def _line(
    episode: RowKey, judge: Judge, transcript: Transcript, judgement: Judgement, spent: Callable[[], Usage]
) -> JudgedRow:
    env_id, agent, task_id, trial = episode
    verdict = judgement.verdict
    answered_by: Any = judge.client.description.get("answered_by", ())  # before `spent` begins a new account
    return JudgedRow(
        key=judge.key(transcript),
        env_id=env_id,
        agent=agent,
        task_id=task_id,
        trial=trial,
        transcript_digest=transcript.digest,
        judge=judge.description,
        answered_by=list(answered_by),
        status=judgement.status,
        scores=None if verdict is None else verdict.scores,
        feedback="" if verdict is None else verdict.feedback,
        reason=judgement.reason,
        replies=list(judgement.replies),
        usage=spent(),
    )

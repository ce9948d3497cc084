"""`bizgym score RUN --judge …` judges recorded interviews; `bizgym prove ENV --judge …` tests a judge on ladders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...agents.base import AgentStop
from ...agents.prompting import load_prompt
from ...envs.core.errors import BizGymError, SettingError
from ...envs.core.run_folder import RunFolder
from ..costs import JUDGE, Usage, cost_of, judge_alone, tokens_of
from ..judge.rows import judged_rows
from ..judge.runs import Progress, judge_run
from ..prove.judges import Panel, prove_judge
from ..prove.ladder import stage_cases
from ..tables import console, counted, one_line
from .compose import compose_judge
from .judge_config import REWRITE, VARIANTS, MeteredJudge, judge_prompts, metered


def judge_command(folder: RunFolder, overrides: Sequence[str], *, quiet: bool = False) -> bool:
    """Judge every interview of a run that this judge has not judged yet, and say how it went.

    Args:
        folder: The run.
        overrides: Hydra overrides of `conf/judge.yaml`.
        quiet: Say it on standard error.

    Returns:
        Whether every interview has a judgement: neither the provider failed nor the budget ran out.

    Raises:
        SettingError: An override does not hold.
        RecordError: The run cannot be read, is being written, or holds no interview.
    """
    config = compose_judge(overrides)
    return run_judge(folder, metered(config), workers=config.workers, quiet=quiet)


def run_judge(folder: RunFolder, asked: MeteredJudge, *, workers: int = 1, quiet: bool = False) -> bool:
    """Judge a run with a judge that stands; see `judge_command`."""
    before = [row.usage for row in judged_rows(folder) if row.judge == asked.description]
    asked.ledger.add(amounts for usage in before for amounts in usage.values())
    out, progress, stopped = console(stderr=quiet), Progress(), ""
    try:
        judge_run(folder, asked.account, progress, workers)
    except AgentStop as stop:
        stopped = str(stop)
    failed = _failed(folder, asked)
    out.print(f"{counted(progress.judged, 'interview')} judged, {progress.there} judged before.")
    if progress.skipped:
        out.print(f"{counted(progress.skipped, 'episode')} not judged: the infrastructure had failed.")
    if stopped:
        out.print(one_line(f"Stopped: {stopped}. A larger budget goes on from here."))
    if failed:
        out.print(one_line(f"{counted(len(failed), 'judgement')} failed, the first: {failed[0]}. Run it again."))
    return not (stopped or failed)


def _failed(folder: RunFolder, asked: MeteredJudge) -> list[str]:
    """Return why judgements of this judge are missing, those left out that were made later."""
    newest = {row.row: row for row in judged_rows(folder) if row.judge == asked.description}
    return [row.reason for row in newest.values() if not row.final]


def prove_judge_command(
    env_id: str, overrides: Sequence[str], second: Sequence[str] | None, task_ids: Sequence[str] | None
) -> tuple[list[dict[str, Any]], dict[str, dict[str, float]], list[str]]:
    """Test a judge on the ladders: rows as `prove` gives them, the figures of each claim, and what it cost.

    Args:
        env_id: The environment whose interviews it is to judge.
        overrides: Hydra overrides of `conf/judge.yaml`.
        second: Those of a judge of another family, None for none.
        task_ids: The cases to stage; None for one of each difficulty.

    Raises:
        SettingError: An override does not hold, or there is no such case.
        BizGymError: The judge's budget is spent.
    """
    if env_id != "bizgym/Consulting-v0":
        raise SettingError(f"--judge: judges case interviews; {env_id} has none. Prove bizgym/Consulting-v0")
    asked = metered(compose_judge(overrides))
    other = None if second is None else metered(compose_judge(second))
    judge, spent = asked.account()
    another, spent_by_other = (None, dict) if other is None else other.account()
    panel = Panel(
        judge=judge,
        variants=tuple(judge_prompts(name) for name in VARIANTS),
        second=another,
        rewrite=load_prompt(REWRITE).fill(),
    )
    try:
        rows, figures, notes = prove_judge(panel, stage_cases(task_ids))
    except AgentStop as stop:
        raise BizGymError(f"--judge: {stop}; a ladder that ends early proves nothing") from None
    for name, used_by in (("judge", spent), ("second judge", spent_by_other)):
        if used := judge_alone(used_by()):
            notes.append(f"{name}: {int(used.get(JUDGE, {}).get('calls', 0))} calls, {_cost(used)}")
    return rows, figures, notes


def _cost(used: Usage) -> str:
    return f"{tokens_of(used):,} tokens, {cost_of(used).text}"

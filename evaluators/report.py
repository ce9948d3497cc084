"""`report.html`: one file that shows a run, or compares several; it needs no network, no server and no other file."""

from __future__ import annotations

from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from jinja2 import DictLoader, Environment, StrictUndefined
from markupsafe import Markup

from ..envs.core.run_folder import REPORT, RunFolder
from ..envs.core.text import printable
from .benchmarks import rates_of
from .cautions import cautions
from .comparison import Contest, gather
from .consulting_scores import InterviewScores, difficulty_table, scores_table
from .consulting_scores import of_run as interviews_of_run
from .costs import add_usage, cost_of
from .course_plot import COLUMNS_A_FIGURE, Column, task_plot
from .earnings import earnings_table, of_group
from .judge.standings import JudgeStanding, judge_table
from .judge.standings import of_run as judged_of_run
from .plots import NOT_ATTEMPTED, Spread, spread_plot
from .qa_accuracy import Accuracy, accuracy_table, of_run, paper_table
from .report_cells import NONE, number
from .report_checks import rates_table, reliability_table, resource_table
from .report_comparison import comparison_parts, pairs_index, paper_parts
from .report_episodes import script_json
from .report_runs import Collection, Group, Run
from .report_tables import leaderboard, metric_table, usage_table

PLOTTED_AGENTS = 15
NAMED_RUNS = 3
"""Of more runs than these the title gives the number alone."""
_PACKAGE = "bizgym.evaluators"
Row = TypeVar("Row", Accuracy, InterviewScores, JudgeStanding)
_TEMPLATE, _STYLE = "report.html.j2", "report.css"
_TEMPLATES = (_TEMPLATE, "report_table.html.j2", "report_compare.html.j2", _STYLE)
_SCRIPTS = ("report_course.js", "report_interview.js", "report_compare.js", "report.js")


def write_report(
    folders: Sequence[RunFolder],
    out: Path | None = None,
    *,
    contests: Sequence[Contest] | None = None,
    partial: bool = False,
) -> Path:
    """Write the report of one run, or one report that compares several.

    Args:
        folders: The runs.
        out: The file to write; None for `report.html` in the first run's folder.
        contests: What `comparison.gather` makes of the runs, where that is known already.
        partial: Show the scores of agents that play a part of the tasks.

    Returns:
        The file written; readers see the old or the new one, never a part.

    Raises:
        RecordError: A run cannot be read.
        ValueError: There is no run.
    """
    if not folders:
        raise ValueError("folders: at least one run")
    found = gather(folders) if contests is None else contests
    page = _render(Collection(folders, found), found, partial)
    if out is None:
        return folders[0].write_text(REPORT, page)
    return RunFolder(out.parent).write_text(out.name, page)


def _render(collection: Collection, contests: Sequence[Contest], partial: bool) -> str:
    parts = {name: _part(name) for name in _TEMPLATES}
    script = "".join(map(_part, _SCRIPTS))
    env = Environment(
        loader=DictLoader(parts), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page = env.get_template(_TEMPLATE).render(
        title=_title([run.label for run in collection.runs]),
        runs=[_run_facts(run) for run in collection.runs],
        warnings=[*_warnings(collection), *_cautions(collection, contests)],
        contests=comparison_parts(contests, collection.folders, partial=partial),
        papers=paper_parts(contests),
        pairs=Markup(script_json(pairs_index(contests))),
        groups=[
            {
                **_group_parts(group, collection.title(group)),
                **_accuracy_parts(rows),
                **_interview_parts(interviews, judges),
            }
            for group, rows, interviews, judges in zip(
                collection.groups,
                _by_group(collection, of_run),
                _by_group(collection, interviews_of_run),
                _by_group(collection, judged_of_run),
                strict=True,
            )
        ],
        episodes=len(collection.book.rows),
        index=Markup(script_json(_index(collection))),
        packed=collection.book.packed,
        style=Markup(parts[_STYLE]),
        script=Markup(script),
        script_digest=b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii"),
    )
    return printable(page)


def _title(labels: Sequence[str]) -> str:
    return " and ".join(labels) if len(labels) <= NAMED_RUNS else f"{len(labels)} runs"


def _part(name: str) -> str:
    return files(_PACKAGE).joinpath("templates", name).read_text(encoding="utf-8")


def _warnings(collection: Collection) -> Iterator[str]:
    for run in collection.runs:
        counts = run.totals.counts
        if not counts.complete:
            yield (
                f"Incomplete: {run.label}: {counts.n - counts.attempted} of {counts.n} episodes not attempted, "
                f"{counts.errored} errored, {counts.unscored} unscored. Numbers rest on the scored episodes alone, and "
                "those of the agents concerned say on how many; the episodes that are missing may be the hard ones."
            )
    for group in collection.groups:
        if len(group.versions) > 1:
            found = "; ".join(f"BizGym {bizgym}, task set {tasks}" for bizgym, tasks in sorted(group.versions))
            yield f"Not comparable: the episodes of {group.env_id} come from several versions: {found}."
    for caveat, names in _caveats(collection).items():
        yield f"{', '.join(dict.fromkeys(names))}: {caveat}."
    if collection.book.left_out:
        yield (
            f"The steps of {collection.book.left_out} episodes are left out, since the page would grow too large; "
            "they are in episodes.jsonl."
        )


def _cautions(collection: Collection, contests: Sequence[Contest]) -> Iterator[str]:
    for env_id, note in cautions(collection.folders, [run.totals for run in collection.runs], contests):
        yield note if env_id is None or len(collection.groups) == 1 else f"{env_id}: {note}"


def _caveats(collection: Collection) -> dict[str, list[str]]:
    """Return the agents by what a reader has to know of their models, with the models."""
    found: dict[str, list[str]] = {}
    for run in collection.runs:
        for name, agent in run.totals.by_agent.items():
            for caveat in sorted(agent.caveats):
                found.setdefault(f"{caveat} ({', '.join(sorted(agent.models))})", []).append(run.names[name])
    return found


def _index(collection: Collection) -> dict[str, Any]:
    return {
        "runs": [run.label for run in collection.runs],
        "groups": [f"{group.env_id} {collection.title(group)}".strip() for group in collection.groups],
        "units": [group.units.get("reward", "") for group in collection.groups],
        "rows": collection.book.rows,
    }


def _run_facts(run: Run) -> dict[str, str]:
    asked, counts = run.description.asked, run.totals.counts
    planned = list(dict.fromkeys(run.description.task_set_hashes.values()))  # in the order of the environments
    played = {tasks for _, tasks in run.versions}
    hashes = planned if played <= set(planned) else sorted(played)
    return {
        "run": run.label,
        "environment": ", ".join(dict.fromkeys(each.env_id for each in asked)),
        "run key": run.description.run_key[:8],
        "BizGym": ", ".join(sorted({bizgym for bizgym, _ in run.versions})) or NONE,
        "task set": ", ".join(hashes),
        "seed": str(run.description.config.get("seed", NONE)),
        "agents": str(sum(len(each.agents) for each in asked)),
        "models": ", ".join(sorted({model for each in run.totals.by_agent.values() for model in each.models})) or NONE,
        "cost": _cost_text(run),
        "tasks": ", ".join(dict.fromkeys(str(len(each.tasks)) for each in asked)),
        "trials": ", ".join(dict.fromkeys(str(each.trials) for each in asked)),
        "episodes": f"{counts.attempted} of {counts.n}",
    }


def _cost_text(run: Run) -> str:
    total: dict[str, dict[str, float]] = {}
    for agent in run.totals.by_agent.values():
        add_usage(total, agent.usage)
    return cost_of(total).text if total else NONE


def _group_parts(group: Group, title: str) -> dict[str, Any]:
    standings = list(group.standings.values())
    is_rate = "reward" in rates_of(group.env_id)
    spreads = [
        Spread(
            each.label,
            each.points,
            each.totals.stop_reasons + Counter({NOT_ATTEMPTED: each.missing}),
            list(each.by_task.values()),
            is_rate,
        )
        for each in standings
    ]
    return {
        "env_id": group.env_id,
        "title": title if title or group.settings else "default settings",
        "settings": group.settings,
        "leaderboard": leaderboard(standings, group.units),
        "metrics": metric_table(standings, group.units),
        "usage": usage_table(standings),
        "rates": rates_table(standings),
        "reliability": reliability_table(standings),
        "resources": resource_table(standings),
        "earnings": earnings_table(
            of_group(group.env_id, group.env_kwargs, {each.label: each.by_task for each in standings}, group.tasks)
        ),
        "spread": Markup(spread_plot(spreads, group.units.get("reward", ""))),
        "tasks": [plots for task in group.plotted_tasks if (plots := _task_parts(group, task))],
        "task_count": len(group.tasks),
    }


def _by_group(collection: Collection, of_one_run: Callable[[RunFolder], Sequence[Row]]) -> list[list[Row]]:
    """Return rows about agents group by group, under the names that the report gives the agents."""
    found: list[list[Row]] = [[] for _ in collection.groups]
    for run in collection.runs:
        for row in of_one_run(run.folder):
            found[run.groups[row.agent]].append(replace(row, agent=run.names[row.agent]))
    return found


def _accuracy_parts(rows: Sequence[Accuracy]) -> dict[str, Any]:
    profiles = {name: table for name in ("paper", "strict") if (table := paper_table(rows, name))}
    return {"accuracy": accuracy_table(rows), "accuracy_by_profile": profiles}


def _interview_parts(rows: Sequence[InterviewScores], judges: Sequence[JudgeStanding]) -> dict[str, Any]:
    return {
        "interviews": scores_table(rows),
        "interviews_by_difficulty": difficulty_table(rows),
        "judges": judge_table(judges),
    }


def _task_parts(group: Group, task: str) -> dict[str, Any] | None:
    """Return the plots of a task, None where no agent has anything to plot."""
    shown = {label: group.tasks[task][label] for label in group.standings if label in group.tasks[task]}
    columns = [
        Column(label, f"reward {number(each.reward)}", f"#episode-{each.link}", each.panels)
        for label, each in shown.items()
        if each.panels
    ]
    plotted = columns[:PLOTTED_AGENTS]
    blocks = [plotted[k : k + COLUMNS_A_FIGURE] for k in range(0, len(plotted), COLUMNS_A_FIGURE)]
    if not blocks:
        return None
    return {
        "task": task,
        "trials": sorted({each.trial for each in shown.values()}),
        "left_out": len(columns) - len(plotted),
        "figures": [
            Markup(task_plot(block, f"{group.env_id} {group.settings} {task}: course of play {k} of {len(blocks)}"))
            for k, block in enumerate(blocks, 1)
        ],
    }

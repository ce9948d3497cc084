"""`bizgym run`: compose, say what it will take, play, count, report; with -m, once for each point of a sweep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ...agents.run_config import RunConfig
from ...agents.runner import choose_folder, finished, make_plan, run
from ...envs.core.run_folder import RunFolder
from ...envs.core.stop import StopReason
from ..aggregate import RunTotals, count, score_rows, summary, write_summary
from ..costs import cost_of, judge_alone, tokens_of, without_judge
from ..progress import RunProgress
from ..strict_success import rates
from ..tables import console, counted, one_line, print_json, print_table
from .rehearsal import rehearse

_COUNTS = ("n", "attempted", "errored", "unscored")
SCORE_COLUMNS = ("agent", "normalized", "reward", "ci95", "p95", *_COUNTS, "stop reasons")
_TERMINAL_COLUMNS = ("agent", "normalized", "reward", "95 %", "p95", " / ".join(_COUNTS), "stop reasons")
_EARNINGS_COLUMNS = {
    "task_id": "scenario",
    "agent": "agent",
    "n": "n",
    "mean": "mean",
    "ci95": "± 95 %",
    "ceiling": "ceiling",
    "regret": "regret",
    "regret_share": "share",
}
_ACCURACY_COLUMNS = {
    "agent": "agent",
    "capability": "capability",
    "band": "band",
    "n": "n",
    "paper": "paper",
    "paper_ci95": "95 %",
    "strict": "strict",
    "label_share": "labels",
}
_INTERVIEW_COLUMNS = {
    "agent": "agent",
    "archetype": "archetype",
    "difficulty": "difficulty",
    "n": "n",
    "overall_mean": "overall",
    "ci95": "95 %",
    "structure": "struct.",
    "quantitative": "quant.",
    "business_sense": "business",
    "communication": "comm.",
}
_JUDGE_COLUMNS = {
    "judge": "judge",
    "agent": "agent",
    "structure": "struct.",
    "quantitative": "quant.",
    "business_sense": "business",
    "communication": "comm.",
    "overall_mean": "mean",
    "overall_holistic": "holistic",
    "mae_verifiable": "MAE",
    "n": "n",
    "unscored": "unscored",
    "cost": "$",
}
_WIDE_CHARACTERS = 96
MALFORMED, AGENT_ERROR = StopReason.MALFORMED_CALLS.value, StopReason.AGENT_ERROR.value


def run_command(
    overrides: Sequence[str], *, multirun: bool, dry_run: bool, as_json: bool, config_dir: str | None, stop_early: bool
) -> int:
    """Run what the overrides describe; return the exit status."""
    if multirun:
        return _sweep(overrides, dry_run=dry_run, as_json=as_json, config_dir=config_dir, stop_early=stop_early)
    from .compose import compose_run

    config = compose_run(overrides, config_dir)
    if dry_run:
        return _dry_run(config, as_json)
    return play(config, as_json=as_json)


def play(config: RunConfig, *, as_json: bool = False) -> int:
    """Play one run, write its summary and report, and print its table; return the exit status."""
    with RunProgress(config.progress) as progress:
        result = run(config, progress.update)
    totals = count(result.folder)
    write_summary(result.folder)
    if not as_json:
        print_scores(result.folder, totals)
        played, there = counted(result.played, "episode"), result.resumed
        console().print(f"{played} played, {there} {'was' if there == 1 else 'were'} there already.")
        if result.stopped:
            console().print(f"Stopped: the run's budget is spent ({result.stopped}). A larger one goes on from here.")
        elif not totals.counts.complete:
            console().print("Run the same command again to play what is missing.")
    report = write_run_report(config, result.folder)
    if as_json:
        paths = {"run_dir": str(result.folder.path), "report": report and str(report)}
        content = {**paths, "stopped": result.stopped, **summary(totals)}
        print_json({"command": "run", "ok": totals.counts.sound, "rows": score_rows(totals), **content})
    elif report is not None:
        console().print(f"Report: {report.resolve()}")
    return 0 if totals.counts.sound else 1


def write_run_report(config: RunConfig, folder: RunFolder) -> Path | None:
    """Write the report of a run, unless it is switched off or its libraries are not installed."""
    if not (config.evaluator or {}).get("report", True):
        return None
    try:
        from ..report import write_report
    except ImportError as error:
        console(stderr=True).print(f"no report: {error.name} is not installed (pip install 'bizgym[report]')")
        return None
    return write_report([folder])


def print_scores(folder: RunFolder, totals: RunTotals) -> None:
    """Print a run's table, and below it what keeps its numbers from being the whole truth."""
    rows = score_table(totals)
    if console().is_terminal:
        short = [[*row[:5], "/".join(map(str, row[5:9])), row[9]] for row in rows]
        kept = [k for k in range(len(_TERMINAL_COLUMNS)) if k not in (3, 4) or console().width >= _WIDE_CHARACTERS]
        print_table(str(folder.path), [_TERMINAL_COLUMNS[k] for k in kept], [[row[k] for k in kept] for row in short])
    else:
        print_table(str(folder.path), SCORE_COLUMNS, rows)
    if not totals.counts.complete:
        counts = ", ".join(f"{name} {value}" for name, value in totals.counts.as_dict().items())
        console().print(f"Incomplete: {counts}. The means are over scored episodes alone.")
    if totals.not_asked:
        left = f"{counted(totals.not_asked, 'episode')} on disk left out: not part of what was last asked for"
        console().print(f"{left} (trials, limit).")
    for name, agent in totals.by_agent.items():
        own, judges = without_judge(agent.usage), judge_alone(agent.usage)
        if own:
            models = ", ".join(sorted(agent.models)) or "a model of its own"
            console().print(one_line(f"{name}: {models}: {tokens_of(own):,} tokens, {cost_of(own).text}"))
        if judges:
            console().print(one_line(f"{name}: judged: {tokens_of(judges):,} tokens, {cost_of(judges).text}"))
        for caveat in sorted(agent.caveats):
            console().print(one_line(f"{name}: {caveat}"))
        for reason, failure in agent.failures.items():
            console().print(one_line(f"{name}: {reason} {agent.stop_reasons[reason]}, the first in {failure}"))
        if agent.stop_reasons[MALFORMED]:
            errors = ", ".join(f"{code} {n}" for code, n in sorted(agent.errors.items()))
            console().print(
                one_line(f"{name}: {MALFORMED} {agent.stop_reasons[MALFORMED]}; calls with errors: {errors}")
            )
        if agent.stop_reasons[AGENT_ERROR]:
            console().print(f"{name}: {AGENT_ERROR} counts as play; once the agent is mended, fresh=true plays again")


def print_checks(totals: RunTotals, reliable: Sequence[Mapping[str, Any]], spent: Sequence[Mapping[str, Any]]) -> None:
    """Print what checks came to, agent by agent: rates, reliability, resources; nothing where there are no checks."""
    found = [
        {"agent": name, "rate": rate.metric, "value": rate.value, "ci95": intervals[rate.metric], "of": rate.n}
        for name, agent in totals.by_agent.items()
        for intervals in (agent.rate_intervals,)
        for rate in rates(agent.judged, agent.counts.attempted)
    ]
    for title, rows in (("checks", found), ("pass^k over tasks", reliable), ("means over scored episodes", spent)):
        if rows:
            names = [name for name in rows[0] if name != "env"]
            print_table(title, names, [[row[name] for name in names] for row in rows])


def print_earnings(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows of `earnings.of_run` by scenario, nothing where there are none."""
    if not rows:
        return
    heads = {name: name for name in rows[0]}
    if console().is_terminal:
        heads = _EARNINGS_COLUMNS
        rows = [{**row, "ci95": _half(row["ci95"])} for row in rows]
    print_table("earnings by scenario in $", list(heads.values()), [[row[name] for name in heads] for row in rows])


def print_accuracy(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows of `qa_accuracy.of_run`, nothing where there are none."""
    if rows:
        heads = _ACCURACY_COLUMNS if console().is_terminal else {name: name for name in rows[0]}
        print_table("accuracy of answers", list(heads.values()), [[row[name] for name in heads] for row in rows])


def print_interviews(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows of `consulting_scores.of_run`, nothing where there are none."""
    if rows:
        heads = _INTERVIEW_COLUMNS if console().is_terminal else {name: name for name in rows[0]}
        print_table("interviews, points of 10", list(heads.values()), [[row[name] for name in heads] for row in rows])


def print_judges(rows: Sequence[Mapping[str, Any]], usage: Sequence[Mapping[str, Any]]) -> None:
    """Print the rows of `judge.standings.of_run`, and what models used by role; nothing where no judge has judged."""
    if not rows:
        return
    rows = [{**row, "cost": _reason_or_number(row["cost"])} for row in rows]
    heads = _JUDGE_COLUMNS if console().is_terminal else {name: name for name in rows[0]}
    print_table("judged, points of 10", list(heads.values()), [[row[name] for name in heads] for row in rows])
    names = list(dict.fromkeys(name for row in usage for name in row))
    print_table("use of models", names, [[row.get(name) for name in names] for row in usage])


def usage_rows(totals: RunTotals) -> list[dict[str, Any]]:
    """Return what models used, a row an agent and role: agents, counterparts and judges apart from one another."""
    return [
        {
            "agent": name,
            "role": role,
            "calls": int(amounts.get("calls", 0)),
            "input": int(amounts.get("input", 0)),
            "output": int(amounts.get("output", 0)),
            "cost": cost_of({role: amounts}).text,
        }
        for name, agent in totals.by_agent.items()
        for role, amounts in agent.usage.items()
    ]


def _reason_or_number(value: Any) -> Any:
    return value["reason"] if isinstance(value, Mapping) else value


def _half(interval: Sequence[float] | None) -> float | None:
    return None if interval is None else (interval[1] - interval[0]) / 2


def score_table(totals: RunTotals) -> list[list[Any]]:
    """Return the rows under `SCORE_COLUMNS`, environment by environment, best agent first."""
    rows = []
    for name, agent in summary(totals)["by_agent"].items():
        values = [_number(agent[field]) for field in ("normalized", "reward", "ci95", "p95")]
        counts = [agent[field] for field in _COUNTS]
        rows.append([name, *values, *counts, agent["stop_reasons"]])
    places = {name: place for place, name in enumerate(dict.fromkeys(each.env_id for each in totals.by_agent.values()))}
    worst = float("inf")
    return sorted(
        rows,
        key=lambda row: (places[totals.by_agent[row[0]].env_id], worst if row[2] is None else -row[2]),
    )


def _number(value: Any) -> Any:
    return None if isinstance(value, dict) else value


def _dry_run(config: RunConfig, as_json: bool) -> int:
    plan = make_plan(config)
    folder = choose_folder(config, plan)
    there = finished(folder, plan)
    on_disk = len(there)
    rows = [
        {"env": asked.env_id, "agents": len(asked.agents), "tasks": len(asked.tasks), "trials": asked.trials}
        for asked in plan.asked
    ]
    total = len(plan.jobs)
    content = {"run_dir": str(folder.path), "run_key": plan.key, "episodes": total, "on_disk": on_disk}
    expected = rehearse(plan, [job for job in plan.jobs if job.row not in there])
    if as_json:
        estimate = {**expected.as_dict(), "rehearsals": expected.rows}
        print_json({"command": "run", "ok": True, "rows": rows, **content, **estimate})
        return 0
    print_table(str(folder.path), ["env", "agents", "tasks", "trials"], [list(row.values()) for row in rows])
    console().print(
        f"{counted(total, 'episode')}, {on_disk} on disk; expected calls to a model: {expected.calls:,}, tokens: "
        f"{expected.tokens:,}{expected.price}. Nothing was run."
    )
    return 0


def _sweep(overrides: Sequence[str], *, dry_run: bool, as_json: bool, config_dir: str | None, stop_early: bool) -> int:
    """Let Hydra run one job a point, by whichever launcher is configured, and gather their verdicts."""
    from .sweep import folder_of, sweep

    rows = sweep(overrides, config_dir=config_dir, dry_run=dry_run, stop_early=stop_early)
    ok = all(row["ok"] for row in rows)
    if as_json:
        print_json({"command": "run", "ok": ok, "rows": rows})
    else:
        _print_sweep(rows)
        if not dry_run and any(row["run_dir"] for row in rows):
            console().print(f"One leaderboard of all: bizgym report {folder_of(overrides)}")
    return 0 if ok else 1


def _print_sweep(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print a row a job; overrides that all jobs share stand in the title."""
    shared = [each for each in rows[0]["overrides"] if len(rows) > 1 and all(each in row["overrides"] for row in rows)]
    use_columns = 3 if any(row.get("expected_calls") for row in rows) else 0
    cells = []
    for row in rows:
        own = " ".join(each for each in row["overrides"] if each not in shared)
        rewards = list(row.get("reward", {}).values())
        reward = rewards[0] if len(rewards) == 1 else None
        counts = [row.get("episodes"), row.get("played")]
        use = [row.get("expected_calls"), row.get("expected_tokens"), _number(row.get("expected_cost"))][:use_columns]
        cells.append([row["job"], own, row["ok"], *counts, reward, *use, row["run_dir"], row["error"]])
    use_names = ["calls", "tokens", "$"][:use_columns]
    columns = ["job", "overrides", "ok", "episodes", "played", "reward", *use_names, "run folder", "error"]
    print_table(f"sweep of {counted(len(rows), 'job')}: {' '.join(shared)}", columns, cells)

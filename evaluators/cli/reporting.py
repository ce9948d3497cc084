"""`bizgym report`: runs and sweeps merged into one leaderboard, on the terminal, as JSON and as one HTML page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ...envs.core.errors import RecordError, SettingError
from ...envs.core.run_folder import EPISODES, REPORT, RunFolder
from ..aggregate import count
from ..cautions import Caution, cautions
from ..comparison import Contest, gather
from ..comparison.board import score_table, strata_table, use_table
from ..comparison.board_rows import board_rows, notes
from ..comparison.paired import NORMALIZED, REWARD, Paired, against_best, best_fixed
from ..comparison.versus import compare_named, fixed_note, paired_table, verdict
from ..paper_tables import PaperTable, paper_tables
from ..routing import routing_notes, routing_rows, routing_table
from ..tables import console, one_line, print_json
from .boards import print_board
from .sweep import SWEEPS, VERDICTS, failure_of, verdicts_of


class _Found(NamedTuple):
    """What there is to say about runs."""

    contests: Sequence[Contest]
    pairs: Sequence[tuple[Contest, list[Paired]]]
    tables: Sequence[PaperTable]
    routed: Sequence[Mapping[str, Any]]
    cautions: Sequence[Caution]


def report_command(
    paths: Sequence[Path],
    *,
    out: Path | None = None,
    named: Sequence[str] | None = None,
    paper: str | None = None,
    partial: bool = False,
    as_json: bool = False,
) -> int:
    """Merge runs, print their leaderboard and write their page; return the exit status.

    Args:
        paths: Run folders, and folders of sweeps, each or all of them, which stand for the runs of their jobs.
        out: Where to write the page, None for `report.html` in the folder of the run or the sweep, and in
            `runs` where there are several paths.
        named: Two agents to compare instead of printing the whole leaderboard.
        paper: Print the tables of this paper instead: `enterprisebench` or `bizagentbench`.
        partial: Show scores on a part of the tasks.
        as_json: Print JSON alone.

    Raises:
        SettingError: A path is no run and no sweep, or an agent is not there.
        RecordError: A run cannot be read.
    """
    try:
        from ..report import write_report
    except ImportError as error:
        raise SettingError(f"report: {error.name} is not installed (pip install 'bizgym[report]')") from None
    folders, failed, left_out = _folders(paths)
    contests = gather(folders)
    tables = paper_tables(contests, paper) if paper else []
    if paper and not tables:
        raise SettingError(f"--table {paper}: none of its environments is played in these runs")
    pairs = compare_named(contests, *named) if named else []
    found = _Found(
        contests,
        pairs,
        tables,
        routing_rows(folders, contests),
        [*cautions(folders, [count(folder) for folder in folders], contests), *left_out],
    )
    page = write_report(folders, out or _page_of(paths), contests=contests, partial=partial)
    if as_json:
        print_json({"command": "report", "ok": not failed, **_content(found, partial), "report": str(page)})
    else:
        _print(found, partial)
        for line in failed:
            console().print(one_line(line))
        console().print(f"Report: {page.resolve()}")
    return 1 if failed else 0


def _page_of(paths: Sequence[Path]) -> Path:
    """Where the page goes: beside what was named, and where no run writes a page of its own."""
    alone = len(paths) == 1
    return (paths[0] if alone else SWEEPS.parent) / REPORT


def _content(found: _Found, partial: bool) -> dict[str, Any]:
    def listed(contest: Contest, rows: Sequence[Paired]) -> list[dict[str, Any]]:
        return [{"env": contest.env_id, "settings": dict(contest.settings), **row.to_json()} for row in rows]

    contests = found.contests
    optional = {
        "routing": list(found.routed),
        "compared": [row for contest, pairs in found.pairs for row in listed(contest, pairs)],
        "tables": [table.to_json() for table in found.tables],
    }
    return {
        "rows": [row for contest in contests for row in board_rows(contest, partial=partial)],
        "against_best": [row for contest in contests for row in listed(contest, against_best(contest))],
        "notes": [
            *({"env": contest.env_id, "note": note} for contest in contests for note in notes(contest)),
            *({"env": env_id, "note": note} for env_id, note in found.cautions),
        ],
        **{name: rows for name, rows in optional.items() if rows},
    }


def _print(found: _Found, partial: bool) -> None:
    for contest, rows in found.pairs:
        for row in rows:
            _print_pairs(contest, [row], f"{contest.title}: {row.metric}")
        console().print(one_line(verdict(rows[0])))
    for table in found.tables:
        print_board(table.title, table.table)
        console().print(f"* {table.note}")
    if not found.pairs and not found.tables:
        for contest in found.contests:
            _print_contest(contest, partial)
        routing = routing_table(found.routed)
        if routing is not None:
            print_board("routing between methods", routing)
            for note in routing_notes(found.routed):
                console().print(one_line(note))
    for env_id, note in found.cautions:
        console().print(one_line(note if env_id is None or len(found.contests) == 1 else f"{env_id}: {note}"))


def _print_contest(contest: Contest, partial: bool) -> None:
    compact = console().is_terminal
    print_board(f"{contest.title}: scores", score_table(contest, partial=partial, compact=compact))
    by_kind = strata_table(contest, intervals=False)
    if by_kind is not None:
        print_board(f"{contest.title}: mean score (n) by kind of task", by_kind)
    print_board(f"{contest.title}: what it took", use_table(contest))
    best = best_fixed(contest)
    if best is not None and len(contest.entries) > 1:
        _print_pairs(contest, against_best(contest), f"{contest.title}: against the best fixed agent, {best.label}")
        console().print(one_line(fixed_note(contest)))
    for note in notes(contest):
        console().print(one_line(note))


def _print_pairs(contest: Contest, rows: Sequence[Paired], title: str) -> None:
    metric = rows[0].metric if rows else REWARD
    table = paired_table(
        rows, "" if metric == NORMALIZED else contest.units.get(REWARD, ""), compact=console().is_terminal
    )
    if table is not None:
        print_board(title, table)


def _folders(paths: Sequence[Path]) -> tuple[list[RunFolder], list[str], list[Caution]]:
    """Return the runs that paths stand for, each once, and a line for each job of a sweep that has none or failed.

    Behind them, a note for each sweep that is left out: one of a folder of sweeps that has no run to show.
    """
    found: dict[Path, RunFolder] = {}
    failed: list[str] = []
    left_out: list[Caution] = []
    for path in paths:
        sweeps = sorted(each.parent for each in path.glob(f"*/{VERDICTS}"))  # of the folder of all sweeps
        for each in sweeps or [path]:
            rows, note = _rows_or_note(each, named=not sweeps)
            left_out += [Caution(None, note)] if note else []
            failed += [line for _, line in rows if line]
            for folder in (folder for folder, _ in rows if folder is not None):
                found.setdefault(folder.path.resolve(), folder)
    if not found:
        raise SettingError("report: no job of the sweep left a run")
    return list(found.values()), failed, left_out


_Row = tuple[RunFolder | None, str]
"""A run, where a job left one, and what is to be said of the job."""


def _rows_or_note(path: Path, *, named: bool) -> tuple[list[_Row], str]:
    """Return the runs behind a path, or why it is left out, which one that was `named` itself never is."""
    try:
        rows = list(_expanded(path))
    except SettingError as error:
        if named:
            raise
        return [], f"Left out: {error}."
    if named or any(folder is not None for folder, _ in rows):
        return rows, ""
    return [], f"Left out: {path}: no job of this sweep left a run."


def _expanded(path: Path) -> Iterator[_Row]:
    if not (path / VERDICTS).is_dir():
        yield _opened(path), ""
        return
    verdicts = verdicts_of(path)
    if not verdicts:
        raise SettingError(f"{path}: no job of this sweep has ended")
    for row in verdicts:
        folder = None if row["run_dir"] is None else _run_of_job(path, Path(row["run_dir"]))
        told = f"job {row['job']} ({' '.join(row['overrides'])}) {failure_of(row)}"
        yield folder, "" if row["ok"] else told


def _run_of_job(sweep: Path, run: Path) -> RunFolder:
    """Find a job's run: where the sweep was started, which need not be where the reader is."""
    started = sweep.resolve().parents[2]  # runs/sweeps/<key> lies in the folder where the sweep was started
    places = [run] if run.is_absolute() else [started / run, run]
    for place in places:
        if (place / EPISODES).is_file():
            return RunFolder(place)
    raise SettingError(f"{sweep}: the run {run} of one of its jobs is not there any more")


def _opened(path: Path) -> RunFolder:
    try:
        return RunFolder.open(path)
    except RecordError as error:  # the path is the user's
        raise SettingError(str(error)) from None

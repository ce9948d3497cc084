"""Paired comparisons as tables: every agent against the best fixed one, and any two under every metric."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ...envs.core.errors import SettingError
from ...envs.core.text import nearest
from ..report_cells import Cell, Head, Table, aligned, interval_cell, number_cell
from .contests import Contest, Entry
from .paired import FEW_TASKS, NORMALIZED, REWARD, Paired, all_best_fixed, compare

_HINT = "paired bootstrap over tasks, 10,000 resamples; an interval that holds 0 does not tell the two apart"


def paired_table(rows: Sequence[Paired], unit: str, *, compact: bool = False) -> Table | None:
    """Return comparisons as a table, None where there are none.

    Args:
        rows: Comparisons under one metric.
        unit: Unit of that metric.
        compact: Write the signs in one column and leave out whom all are compared with, for a terminal.
    """
    if not rows:
        return None
    told = compact and len({row.right for row in rows}) == 1
    heads = [
        Head("agent", numeric=False),
        *([] if told else [Head("against", numeric=False)]),
        Head("difference", unit, "mean of agent - other over the episodes that both have a score of"),
        Head("95 % interval", unit, _HINT),
        *([Head("ahead/behind/level")] if compact else [Head(name, "pairs") for name in ("ahead", "behind", "level")]),
        Head("pairs", "", "episodes that both have a score of"),
        Head("tasks", "", f"below {FEW_TASKS} the interval is too narrow to be relied on"),
    ]
    cells = [
        [
            Cell(row.left),
            *([] if told else [Cell(row.right)]),
            number_cell(row.difference),
            interval_cell(row.ci95),
            *_signs(row, compact),
            Cell(str(row.n) if row.n == row.asked else f"{row.n}/{row.asked}", row.n),
            number_cell(row.tasks),
        ]
        for row in rows
    ]
    return aligned(heads, cells, but=("95 % interval", "pairs"))


def _signs(row: Paired, compact: bool) -> list[Cell]:
    counts = (row.wins, row.losses, row.ties)
    return [Cell("/".join(map(str, counts)))] if compact else [number_cell(count) for count in counts]


def verdict(row: Paired) -> str:
    """Say in one sentence what a comparison comes to."""
    if row.difference is None:
        return f"{row.left} and {row.right} share no scored episode."
    pair = f"{row.left} against {row.right} on {row.n} pairs of {row.tasks} tasks"
    if not row.wins and not row.losses:
        return f"{pair}: they are level on every one."
    if row.ci95 is None:
        return f"{pair}: one task shows no spread, so nothing can be said beyond it."
    low, high = row.ci95
    if low > 0 or high < 0:
        told = f"{row.left} is {'ahead' if low > 0 else 'behind'}, since the interval of the difference leaves 0 out."
    else:
        told = "the interval of the difference holds 0, which does not tell the two apart."
    said = f"{pair}: {told}"
    return said + (
        f" With fewer than {FEW_TASKS} tasks it is too narrow to be relied on." if row.tasks < FEW_TASKS else ""
    )


def find(contest: Contest, name: str) -> Entry | None:
    """Return the agent that a name stands for: its label, or a part of its label that no other has.

    Raises:
        SettingError: Several agents have it.
    """
    for told in ([e for e in contest.entries if e.label == name], [e for e in contest.entries if e.method == name]):
        if len(told) == 1:
            return told[0]
    parts = [entry for entry in contest.entries if name in entry.label]
    if len(parts) > 1:
        raise SettingError(f"--compare: {name!r} fits several agents: {', '.join(each.label for each in parts)}")
    return parts[0] if parts else None


def compare_named(contests: Sequence[Contest], left: str, right: str) -> list[tuple[Contest, list[Paired]]]:
    """Compare two agents by name in every environment that both play, by reward and where there is a scale normalized.

    Raises:
        SettingError: No environment is played by both; the nearest name is told.
    """
    found = list(_compared(contests, left, right))
    if found:
        return found
    labels = list(dict.fromkeys(entry.label for contest in contests for entry in contest.entries))
    for name in (left, right):
        if not any(name in label for label in labels):
            raise SettingError(
                f"--compare: there is no agent {name!r}.{nearest(name, labels)} There are: {', '.join(labels)}"
            )
    raise SettingError(f"--compare: no environment is played by both {left} and {right}")


def _compared(contests: Sequence[Contest], left: str, right: str) -> Iterator[tuple[Contest, list[Paired]]]:
    for contest in contests:
        mine, other = find(contest, left), find(contest, right)
        if mine is not None and other is not None:
            rows = [compare(mine, other, metric) for metric in (REWARD, NORMALIZED)]
            yield contest, [row for row in rows if row.metric == REWARD or row.n]


def pairs_json(rows: Sequence[Paired]) -> list[list[Any]]:
    """Return comparisons in short, as the page's script takes them.

    Each is `[left, right, metric, difference, low, high, n, asked, tasks, wins, losses, ties]`.
    """
    return [
        [
            row.left, row.right, row.metric, row.difference, *(row.ci95 or (None, None)), row.n, row.asked, row.tasks,
            row.wins, row.losses, row.ties,
        ]
        for row in rows
    ]  # fmt: skip


def fixed_note(contest: Contest) -> str:
    """Say what the best fixed agent is, and whether others are level with it."""
    told = (
        "Fixed: one method for all tasks, played on every task; oracles and agents that choose a method task by task "
        "are not eligible, nor are players without a model where a model plays."
    )
    level = [entry.label for entry in all_best_fixed(contest)]
    if len(level) < 2:
        return told
    return f"{told} A tie for the best: {', '.join(level)} have the same mean score; {level[0]} stands for them."

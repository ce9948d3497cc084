"""The leaderboard: a row an agent, with what each number rests on, what it took, and the settings that led to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from ..costs import Cost, cost_of
from ..report_cells import NONE, Cell, Head, Table, aligned, decimals, interval_cell, number, number_cell
from .contests import Contest, Entry
from .episodes import own
from .measures import Measures, Use, measure
from .strata import Stratum, difficulty_order

SETTINGS = ("apply", "profile")
"""Keywords of an agent that a reader has to know beside its score."""
_SIZES = ("profile", "mode", "variant")
"""What methods call the form in which they are played."""
WITHHELD = "withheld"
_MONEY, _MOST_DECIMALS = ("cost", "total cost"), 6
_COUNTS = ("n", "attempted", "errored", "unscored")
_COUNT_HINTS = ("episodes asked for", "with a record", "failed by the infrastructure", "ended without a verdict")
_OWN = "of the agent's own calls; those of simulators and judges stand apart"


def ranked(contest: Contest) -> list[tuple[Entry, Measures]]:
    """Return the agents with their numbers: the best mean reward first, those on a part of the tasks behind."""
    found = [(entry, measure(entry)) for entry in contest.entries]

    def order(row: tuple[Entry, Measures]) -> tuple[bool, float, str]:
        entry, numbers = row
        return contest.lacks(entry) > 0, math.inf if numbers.score is None else -numbers.score, entry.label

    return sorted(found, key=order)


def score_table(contest: Contest, *, partial: bool = False, compact: bool = False) -> Table:
    """Return scores and reliability.

    Args:
        contest: The environment and its agents.
        partial: Show also the scores of agents that were asked to play a part of the tasks only.
        compact: Write the four counts in one column, for a terminal.
    """
    rows = ranked(contest)
    unit = contest.units.get("reward", "")
    most = max((numbers.trials for _, numbers in rows), default=0)
    ks = range(1, min(most, max((len(numbers.reliability) for _, numbers in rows), default=0)) + 1) if most > 1 else ()
    strict = any(numbers.strict is not None for _, numbers in rows)
    heads = [
        Head("agent", numeric=False),
        Head("score", unit, "mean reward over scored episodes; higher is better"),
        Head(
            "95 % interval",
            unit,
            "of the score: by Student's t over tasks"
            if most > 1
            else "of the score: by Student's t, by Wilson's score where each is a success or a failure",
        ),
        Head("normalized", "", "(score - floor) / (ceiling - floor) of each task, averaged"),
        *(
            [Head("strict", "share", "every check passed; errored and unscored episodes are failures")]
            if strict
            else []
        ),
        *(Head(f"pass^{k}", "", f"{k} trials of a task all strict, errored ones as failures") for k in ks),
        *([Head("last trial", unit, "score of the last trial alone")] if most > 1 else []),
        Head("trials", "", "of each task"),
        Head("tasks"),
        *([Head("n/att/err/uns")] if compact else _count_heads()),
    ]
    cells = [
        [
            Cell(entry.label),
            *_headline(contest, entry, _score_cells(numbers, ks, strict, most > 1), partial),
            number_cell(numbers.trials),
            number_cell(numbers.tasks),
            *_count_cells(numbers, compact),
        ]
        for entry, numbers in rows
    ]
    return _tidy(aligned(heads, cells, but=("95 % interval",)))


def _count_heads() -> list[Head]:
    return [Head(name, "", hint) for name, hint in zip(_COUNTS, _COUNT_HINTS, strict=True)]


def _count_cells(numbers: Measures, compact: bool) -> list[Cell]:
    counts = list(numbers.counts.as_dict().values())
    return [Cell("/".join(map(str, counts)))] if compact else [Cell(str(count), count) for count in counts]


def _score_cells(numbers: Measures, ks: Sequence[int], strict: bool, repeated: bool) -> list[Cell]:
    flag = "" if numbers.counts.complete else f"{numbers.scored}/{numbers.counts.n}"
    part = flag if numbers.scaled == numbers.scored else f"{numbers.scaled}/{numbers.counts.n}"
    no_scale = "no scale" if numbers.score is not None else NONE
    by_k = {row.k: row.as_failures for row in numbers.reliability}
    return [
        Cell(number(numbers.score), numbers.score, flag),
        interval_cell(numbers.ci95),
        Cell(no_scale) if numbers.normalized is None else Cell(number(numbers.normalized), numbers.normalized, part),
        *([Cell(number(numbers.strict), numbers.strict)] if strict else []),
        *(number_cell(by_k.get(k)) for k in ks),
        *([number_cell(numbers.last_trial)] if repeated else []),
    ]


def _headline(contest: Contest, entry: Entry, cells: list[Cell], partial: bool) -> list[Cell]:
    """Scores on a part of the tasks are no headline: they are withheld, or shown with what they rest on."""
    if not contest.lacks(entry):
        return cells
    flag = f"{len(entry.tasks)} of {len(contest.tasks)} tasks"
    if partial:
        return [cell if cell.sort is None else replace(cell, flag=flag) for cell in cells]
    return [Cell(WITHHELD, None, flag), *(Cell(NONE) for _ in cells[1:])]


def use_table(contest: Contest) -> Table:
    """Return what the agents used per episode, and the settings that a reader has to know."""
    rows = ranked(contest)
    others = [role for role in ("simulator", "judge") if any(_other(numbers.use, role) for _, numbers in rows)]
    heads = [
        Head("agent", numeric=False),
        Head("model", numeric=False),
        Head("calls", "per episode", _OWN),
        Head("tokens in", "per episode", "read, those of the cache included; " + _OWN),
        Head("tokens out", "per episode", "written, reasoning included; " + _OWN),
        Head("cached", "share", "of the tokens read, from the provider's cache"),
        Head("cost", "$ per episode", "by the price file at the time of play; " + _OWN),
        Head("seconds", "per episode"),
        Head("adaptation", "share", "calls made to learn between episodes, " + _OWN),
        *(Head(f"{role} calls", "per episode", "no part of the agent's own") for role in others),
        Head("total cost", "$", "of all records on disk, those that were run again included; " + _OWN),
        *(Head(name, numeric=False) for name in (*SETTINGS, "feedback")),
    ]
    cells = [
        [
            Cell(entry.label),
            Cell(", ".join(sorted(entry.models)) or NONE),
            *_use_cells(numbers.use),
            *(number_cell(_each(_other(numbers.use, role), numbers.use.episodes)) for role in others),
            _money(cost_of(own(entry.paid)), 1),
            *(Cell(setting_of(entry, name)) for name in (*SETTINGS, "feedback")),
        ]
        for entry, numbers in rows
    ]
    return _tidy(_in_dollars(aligned(heads, cells, but=_MONEY), _MONEY))


def _use_cells(use: Use) -> list[Cell]:
    return [
        number_cell(use.each(use.calls)),
        number_cell(use.each(use.input)),
        number_cell(use.each(use.output)),
        number_cell(use.cached_share),
        _money(use.cost, use.episodes),
        number_cell(use.seconds_each),
        number_cell(use.adaptation_share),
    ]


def _money(cost: Cost, episodes: int) -> Cell:
    """Money per episode; an unknown price is said so, and where some calls have one the number is a least one."""
    if not cost.calls or not episodes:
        return Cell(NONE)
    if cost.unpriced >= cost.calls:
        return Cell("unpriced")
    flag = f"at least: {cost.unpriced} calls unpriced" if cost.unpriced else ""
    return Cell("", cost.usd / episodes, flag)


def _in_dollars(table: Table, names: Sequence[str]) -> Table:
    """Write the money of a column with as many decimals as its least amount needs for two figures, cents at least."""
    for k, head in enumerate(table.heads):
        if head.name not in names:
            continue
        least = min((amount for row in table.rows if (amount := row[k].sort)), default=1.0)
        digits = min(max(1 - math.floor(math.log10(least)), 2), _MOST_DECIMALS)
        for row in table.rows:
            if row[k].sort is not None:
                row[k] = replace(row[k], text=number(row[k].sort, digits))
    return table


def _other(use: Use, role: str) -> int:
    return use.simulator_calls if role == "simulator" else use.judge_calls


def _each(total: float, episodes: int) -> float | None:
    return total / episodes if episodes else None


def setting_of(entry: Entry, name: str) -> str:
    """Return a setting of an agent as a reader is told it, "–" where it has none of that name."""
    if name == "feedback":
        return entry.identity.feedback
    settings = entry.identity.settings
    if name == "apply" and settings.get(name) == "every_k":
        return f"every {settings.get('every_k')} steps"
    found = [settings[key] for key in (_SIZES if name == "profile" else (name,)) if settings.get(key) is not None]
    return str(found[0]) if found else NONE


def strata_table(contest: Contest, *, intervals: bool = True) -> Table | None:
    """Return the score of each agent by split, capability and difficulty; None where all tasks are of one kind.

    Args:
        contest: The environment and its agents.
        intervals: Whether the 95 % interval stands behind each score.
    """
    groups = [(field, value) for field in Stratum._fields for value in values_of(contest, field)]
    if not groups:
        return None
    unit = contest.units.get("reward", "")
    told = "mean reward, 95 % interval, (scored episodes)" if intervals else "mean reward (scored episodes)"
    heads = [Head("agent", numeric=False)]
    heads += [Head(value.replace("_", " "), unit, f"{field} {value}: {told}") for field, value in groups]
    cells = [
        [
            Cell(entry.label),
            *(
                _stratum_cell(measure(entry, tasks_of(contest, field, value)), intervals=intervals)
                for field, value in groups
            ),
        ]
        for entry, _ in ranked(contest)
    ]
    return Table(heads, cells)


def _stratum_cell(numbers: Measures, *, intervals: bool) -> Cell:
    if numbers.score is None:
        return Cell(NONE)
    interval = f" [{interval_cell(numbers.ci95).text}]" if intervals and numbers.ci95 is not None else ""
    digits = decimals([numbers.score]) or (0 if abs(numbers.score) > 1 else 3)
    return Cell(f"{number(numbers.score, digits)}{interval} ({numbers.scored})", numbers.score)


def values_of(contest: Contest, field: str) -> list[str]:
    """Return the splits, capabilities or difficulties of the tasks, none where all tasks share one."""
    found = dict.fromkeys(getattr(contest.strata[task], field) for task in contest.tasks)
    return sorted(found, key=difficulty_order) if len(found) > 1 else []


def tasks_of(contest: Contest, field: str, value: str) -> list[str]:
    """Return the tasks of one split, capability or difficulty."""
    return [task for task in contest.tasks if getattr(contest.strata[task], field) == value]


def _tidy(table: Table) -> Table:
    """Leave out columns in which no agent has anything to say."""
    kept = [
        k
        for k, head in enumerate(table.heads)
        if k == 0 or head.name in ("score", "n") or any(row[k].text not in (NONE, "no scale") for row in table.rows)
    ]
    return Table([table.heads[k] for k in kept], [[row[k] for k in kept] for row in table.rows])

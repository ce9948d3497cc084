"""Routing between methods: what it gains over playing one of them, and how far it is from always choosing right.

A router is compared with its own methods, each of which has played the same episodes alone. Its gain over the best of
them is small against the spread between tasks, so that only a paired interval says whether there is one. A method that
learns between episodes has learned from all of them when it plays alone, and only from its own under a router.

    rows = routing_rows([RunFolder.open("runs/default/run-1a2b3c4d"), ...])
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from ..envs.core.run_folder import RunFolder
from .comparison.contests import Contest, Entry, gather
from .comparison.episodes import Episode, Key
from .comparison.paired import FEW_TASKS, NORMALIZED, REWARD, bootstrap_ci95
from .report_cells import NONE, Cell, Head, Table, interval_cell, number_cell
from .statistics import mean
from .tables import console, one_line, print_table

DEVELOPMENT, HINDSIGHT = "best fixed on development", "best fixed in hindsight"
RANDOM, ORACLE = "random router", "oracle per episode"
_STATE_CHARACTERS = 16
_METHODS = "methods"


@dataclass(frozen=True, slots=True)
class _Routed:
    """A router and its methods on the episodes that all of them have a score of."""

    router: Entry
    methods: Mapping[str, Entry]
    missing: Sequence[str]
    scores: Mapping[Key, tuple[float, Mapping[str, float]]]

    def means(self) -> dict[str, float]:
        return {name: mean([each[name] for _, each in self.scores.values()]) for name in self.methods}


def routing_rows(folders: Sequence[RunFolder], contests: Sequence[Contest] | None = None) -> list[dict[str, Any]]:
    """Return every router against four yardsticks made of its methods, under each metric that all of them have.

    Args:
        folders: Runs that hold the router and its methods, each alone, on the same tasks and trials; the methods may
            lie in other runs than the router.
        contests: What `comparison.gather` makes of them, where that is known already.

    Returns:
        Rows `{env, settings, title, router, metric, against, agent, value, routed, difference, ci95, n, asked, tasks,
        missing, routes}`: `against` names the yardstick (the method that was best on the router's development slice,
        the one that is best here, a router that chooses at random, in expectation, and one that always chooses right),
        `agent` the method where it is one, `value` its mean; `difference` is routed - value, with the paired bootstrap
        interval over tasks, None with fewer than two; `n` counts the episodes that router and methods all have a score
        of, of `asked`; `missing` names methods without runs here; `routes` counts what was chosen.

    Raises:
        RecordError: A run cannot be read.
    """
    return [row for contest in (gather(folders) if contests is None else contests) for row in _rows(contest, folders)]


def print_routing(rows: Sequence[Mapping[str, Any]]) -> None:
    """Print rows of `routing_rows`: a table a router and metric, and what it comes to in a sentence."""
    for place, group in _grouped(rows).items():
        title, router, metric = place
        columns = ("against", "method", "mean", "routed - mean", "95 % interval")
        cells = [
            (row["against"], row["agent"] or "-", row["value"], row["difference"], _interval(row["ci95"]))
            for row in group
        ]
        first = group[0]
        routed = f"{metric} {first['routed']:.3f} on {first['n']} episodes of {first['tasks']} tasks"
        print_table(f"{title}: {router}, {routed}", columns, cells)
        for note in _notes(first):
            console().print(one_line(note))


def routing_table(rows: Sequence[Mapping[str, Any]]) -> Table | None:
    """Return rows of `routing_rows` as a table of a report, None where there are none."""
    if not rows:
        return None
    heads = [
        *(Head(name, numeric=False) for name in ("router", "metric", "against", "method")),
        Head("its mean", "", "of the yardstick, over the episodes that router and methods all have a score of"),
        Head("routed", "", "mean of the router on the same episodes"),
        Head("difference", "", "routed - its mean"),
        Head("95 % interval", "", "of the difference: paired bootstrap over tasks"),
        Head("n", "episodes"),
        Head("tasks"),
    ]
    cells = [
        [
            *(Cell(row[name] or NONE) for name in ("router", "metric", "against", "agent")),
            *(number_cell(row[name]) for name in ("value", "routed", "difference")),
            interval_cell(row["ci95"]),
            Cell(str(row["n"]) if row["n"] == row["asked"] else f"{row['n']}/{row['asked']}", row["n"]),
            number_cell(row["tasks"]),
        ]
        for row in rows
    ]
    return Table(heads, cells)


def routing_notes(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return in plain words what rows of `routing_rows` rest on, each sentence once."""
    return list(dict.fromkeys(f"{row['router']}: {note}" for row in rows for note in _notes(row)))


def _rows(contest: Contest, folders: Sequence[RunFolder]) -> list[dict[str, Any]]:
    rows = []
    for router in (entry for entry in contest.entries if entry.is_router):
        states = [_state(folders[number], name) for number, name in router.places]
        for metric in (REWARD, NORMALIZED):
            routed = _routed(contest, router, metric)
            if routed.scores:
                place = {"env": contest.env_id, "settings": dict(contest.settings), "title": contest.title}
                head = {**place, "router": router.label}
                rows += [{**head, "metric": metric, **row} for row in _against(routed, states)]
    return rows


def _routed(contest: Contest, router: Entry, metric: str) -> _Routed:
    configs: Mapping[str, Any] = router.identity.settings.get(_METHODS) or {}
    found = {name: _entry_of(contest, router, name, config) for name, config in configs.items()}
    methods = {name: entry for name, entry in found.items() if entry is not None}
    scores: dict[Key, tuple[float, Mapping[str, float]]] = {}
    for key in router.asked:
        own = _value(router.episodes.get(key), metric)
        others = {name: _value(entry.episodes.get(key), metric) for name, entry in methods.items()}
        known = {name: value for name, value in others.items() if value is not None}
        if own is not None and known and len(known) == len(methods):
            scores[key] = (own, known)
    return _Routed(router, methods, [name for name in configs if name not in methods], scores)


def _entry_of(contest: Contest, router: Entry, name: str, config: Mapping[str, Any]) -> Entry | None:
    """Return the agent that plays a method alone: with its settings and the router's model, whatever it is called."""
    settings = {key: value for key, value in config.items() if key not in ("_target_", "name")}
    alike = [
        entry
        for entry in contest.entries
        if entry.identity.target == config.get("_target_")
        and entry.identity.settings == settings
        and entry.identity.client in (router.identity.client, {})
        and entry.identity.seed == router.identity.seed
        and entry.identity.feedback == router.identity.feedback
    ]
    named = [entry for entry in alike if entry.identity.name == name]
    return next(iter([*named, *alike]), None)


def _against(routed: _Routed, states: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    means = routed.means()
    best = max(means, key=lambda name: means[name])
    developed = {state["development"]["best_fixed"] for state in states if state.get("development")}
    chosen = next(iter(developed)) if len(developed) == 1 else None
    yardsticks = [
        *([(DEVELOPMENT, chosen)] if chosen in means else []),
        (HINDSIGHT, best),
        (RANDOM, None),
        (ORACLE, None),
    ]
    return [_row(routed, states, against, name) for against, name in yardsticks]


def _row(routed: _Routed, states: Sequence[Mapping[str, Any]], against: str, name: str | None) -> dict[str, Any]:
    values: list[float] = []
    by_task: dict[str, list[float]] = {}
    for (task_id, _), (own, others) in routed.scores.items():
        value = _yardstick(against, name, others)
        values.append(value)
        by_task.setdefault(task_id, []).append(own - value)
    interval = bootstrap_ci95(by_task)
    return {
        "against": against,
        "agent": None if name is None else routed.methods[name].label,
        "value": mean(values),
        "routed": mean([own for own, _ in routed.scores.values()]),
        "difference": mean([each for differences in by_task.values() for each in differences]),
        "ci95": None if interval is None else list(interval),
        "n": len(values),
        "asked": len(routed.router.asked),
        "tasks": len(by_task),
        "missing": list(routed.missing),
        "routes": _routes(states),
    }


def _yardstick(against: str, name: str | None, scores: Mapping[str, float]) -> float:
    if name is not None:
        return scores[name]
    return max(scores.values()) if against == ORACLE else mean(list(scores.values()))


def _state(folder: RunFolder, name: str) -> dict[str, Any]:
    """Return what a router had learned when its run ended, empty where the run keeps no state of it."""
    stored = folder.read_json(f"agent_state/{sha256(name.encode()).hexdigest()[:_STATE_CHARACTERS]}.json")
    state = stored.get("state") if isinstance(stored, dict) else None
    return state if isinstance(state, dict) else {}


def _routes(states: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for state in states:
        for routes in state.get("routes", {}).values():
            for route in routes:
                counts[route["method"]] = counts.get(route["method"], 0) + 1
    return dict(sorted(counts.items()))


def _value(episode: Episode | None, metric: str) -> float | None:
    if episode is None or not episode.scored:
        return None
    return episode.reward if metric == REWARD else episode.normalized


def _grouped(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str, str], list[Mapping[str, Any]]]:
    groups: dict[tuple[str, str, str], list[Mapping[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["title"], row["router"], row["metric"]), []).append(row)
    return groups


def _interval(ci95: Sequence[float] | None) -> str | None:
    return None if ci95 is None else f"{ci95[0]:.3f} .. {ci95[1]:.3f}"


def _notes(row: Mapping[str, Any]) -> list[str]:
    chosen = ", ".join(f"{name} {count}" for name, count in row["routes"].items())
    notes = [f"Routed to: {chosen}."] if chosen else []
    if row["missing"]:
        notes.append(f"No runs of {', '.join(row['missing'])} here: best, random and oracle are over the others.")
    if row["n"] < row["asked"]:
        notes.append(f"{row['n']} of {row['asked']} episodes have a score of router and methods.")
    if row["tasks"] < FEW_TASKS:
        notes.append(f"With fewer than {FEW_TASKS} tasks an interval is too narrow to be relied on.")
    return notes

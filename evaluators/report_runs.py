"""What a report is made of: runs counted, agents grouped by environment, and episodes read one at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..envs.core.errors import BizGymError
from ..envs.core.jsontext import canonical
from ..envs.core.run_folder import RowKey, RunDescription, RunFolder
from ..envs.core.trajectory import Trajectory
from .aggregate import RunTotals, count
from .benchmarks import course_of, history_of, interview_of, reads_of, scoring_of, task_of
from .comparison.contests import Contest, labels_by_place, units_of
from .report_episodes import EpisodeBook, anchor
from .report_tables import Standing
from .resources import resources
from .strict_success import judged

PLOTTED_TASKS = 3
SETTINGS_IN_TITLE_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class Shown:
    """The episode that stands for an agent in the plots of a task."""

    trial: int
    link: str
    reward: float
    panels: list[dict[str, Any]]


@dataclass(slots=True)
class Group:
    """One environment with its settings, and the agents of all runs that play it.

    Attributes:
        env_id: The environment, `env_kwargs` its settings.
        units: Units of its numbers by name.
        standings: The agents by label, once all is read from the best mean reward to the worst.
        tasks: By task, the episode that is plotted for each agent; empty for tasks that are not plotted.
        versions: (version of BizGym, hash of the task set) of every episode.
    """

    env_id: str
    env_kwargs: Mapping[str, Any]
    units: Mapping[str, str]
    standings: dict[str, Standing] = field(default_factory=dict)
    tasks: dict[str, dict[str, Shown]] = field(default_factory=dict)
    versions: set[tuple[str, str]] = field(default_factory=set)

    @property
    def settings(self) -> str:
        """The settings that were given, as keywords."""
        return _keywords(self.env_kwargs)

    @property
    def plotted_tasks(self) -> list[str]:
        """The tasks that are plotted: the first of the set."""
        return list(self.tasks)[:PLOTTED_TASKS]


@dataclass(slots=True)
class Run:
    """One run of a report.

    Attributes:
        folder: Where it lies.
        label: Its name, its own within the report.
        link_key: What makes the links of its episodes its own.
        description: Its `config.yaml`, `totals` its counts.
        groups: The number of the group by agent, `names` the agent's label.
        versions: As in `Group`.
    """

    folder: RunFolder
    label: str
    link_key: str
    description: RunDescription
    totals: RunTotals
    groups: dict[str, int] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    versions: set[tuple[str, str]] = field(default_factory=set)

    def episodes(self) -> Iterator[tuple[int, Trajectory]]:
        """Yield the valid row of each episode with the number of its line."""
        valid = set(self.folder.valid().values())
        return ((place + 1, row) for place, row in enumerate(self.folder.rows()) if place in valid)


class Collection:
    """The runs of a report and all that it says about them.

    Args:
        folders: The runs.
        contests: What `comparison.gather` makes of them; agents are named as there.

    Raises:
        RecordError: A run cannot be read.
    """

    def __init__(self, folders: Sequence[RunFolder], contests: Sequence[Contest]) -> None:
        self.folders = folders
        self.runs = _runs(folders)
        self.groups: list[Group] = []
        self.book = EpisodeBook()
        labels = labels_by_place(contests)
        for number, run in enumerate(self.runs):
            run.names = {name: labels[number, name] for name in run.totals.by_agent}
            self._place(run)
        for number, run in enumerate(self.runs):
            self._read(number, run)
        for group in self.groups:
            group.standings = {each.label: each for each in sorted(group.standings.values(), key=lambda s: s.order)}

    def _place(self, run: Run) -> None:
        """Put each agent of a run into the group of its environment and settings."""
        kwargs: dict[str, Mapping[str, Any]] = {}
        for row in run.folder.rows(with_steps=False):
            given = {name: value for name, value in row.env_kwargs.items() if value is not None}
            kwargs.setdefault(row.agent["name"], given)
        for asked in run.description.asked:
            played = next((kwargs[name] for name in asked.agents if name in kwargs), {})
            position = self._group(asked.env_id, played)
            group = self.groups[position]
            group.tasks.update({task: {} for task in asked.tasks if task not in group.tasks})
            for name in asked.agents:
                if run.names[name] in group.standings:  # one agent whose episodes lie in two runs
                    run.names[name] = f"{run.label}/{run.names[name]}"
                group.standings[run.names[name]] = Standing(run.names[name], run.totals.by_agent[name])
                run.groups[name] = position

    def _group(self, env_id: str, env_kwargs: Mapping[str, Any]) -> int:
        for position, group in enumerate(self.groups):
            if (group.env_id, canonical(group.env_kwargs)) == (env_id, canonical(env_kwargs)):
                return position
        self.groups.append(Group(env_id, env_kwargs, units_of(env_id)))
        return len(self.groups) - 1

    def title(self, group: Group) -> str:
        """Return what tells a group from the others of its environment: its settings, or those that differ."""
        if len(group.settings) <= SETTINGS_IN_TITLE_CHARACTERS:
            return group.settings
        others = [each.env_kwargs for each in self.groups if each.env_id == group.env_id]
        return _keywords(
            {name: value for name, value in group.env_kwargs.items() if any(o.get(name) != value for o in others)}
        )

    def _read(self, number: int, run: Run) -> None:
        wanted: set[RowKey] = {key for asked in run.description.asked for key in asked.rows()}
        for line, row in run.episodes():
            if row.key not in wanted:
                continue
            position, link = run.groups[row.agent["name"]], anchor(run.link_key, row.key)
            label = run.names[row.agent["name"]]
            version = (row.version.get("bizgym", ""), row.version.get("task_set_hash", ""))
            run.versions.add(version)
            self.groups[position].versions.add(version)
            beside = _beside(row)
            self.book.add(row, (link, number, position, label), line, beside)
            if row.reward is not None:
                panels = beside["course"]["panels"] if "course" in beside else None
                _score(self.groups[position], label, link, row, row.reward, panels)


def _score(
    group: Group, label: str, link: str, row: Trajectory, reward: float, panels: list[dict[str, Any]] | None
) -> None:
    standing = group.standings[label]
    standing.points.append((reward, f"#episode-{link}"))
    standing.by_task.setdefault(row.task_id, []).append(reward)
    if judged(row) is not None:
        standing.resources.append(resources(row, reads_of(row.env_id)))
    if row.task_id not in group.plotted_tasks:
        return
    shown = group.tasks[row.task_id].get(label)
    if shown is None or row.trial < shown.trial:
        group.tasks[row.task_id][label] = Shown(row.trial, link, reward, _panels(row) if panels is None else panels)


def _runs(folders: Sequence[RunFolder]) -> list[Run]:
    told = [(folder, folder.description()) for folder in folders]
    names = [str(description.config.get("name") or folder.path.name) for folder, description in told]
    keys = [description.run_key for _, description in told]
    return [
        Run(
            folder,
            label=_own(names, k),
            link_key=_own(keys, k),
            description=description,
            totals=count(folder),
        )
        for k, (folder, description) in enumerate(told)
    ]


def _keywords(settings: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={canonical(value)}" for name, value in settings.items())


def _own(names: Sequence[str], k: int) -> str:
    """Return the name at place `k`, with its number where it stands there twice."""
    return names[k] if names.count(names[k]) == 1 else f"{names[k]}#{k + 1}"


def _panels(row: Trajectory) -> list[dict[str, Any]]:
    """Return what to plot of an episode; nothing where its benchmark plots nothing or is not installed here."""
    try:
        scoring = scoring_of(row.env_id)
        if not hasattr(scoring, "series"):
            return []
        return scoring.series(task_of(row.env_id, row.env_kwargs, row.task_id, row.seed), history_of(row))
    except (BizGymError, ImportError):
        return []


def _beside(row: Trajectory) -> dict[str, Any]:
    """Return what the page of an episode shows beside its steps, empty where there is nothing or it does not replay."""
    try:
        found = {"course": course_of(row), "interview": interview_of(row)}
    except (BizGymError, ImportError):
        return {}
    return {name: shown for name, shown in found.items() if shown}

"""Runs merged: every agent of every run, by the environment that it plays, under a label that is its own there.

Two runs of one agent under the same settings, model and seed are one entry, so that a sweep over splits or tasks reads
like the one run of them all. Where they play the same episodes twice, they stay apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...envs.core.errors import BizGymError
from ...envs.core.jsontext import canonical
from ...envs.core.run_folder import RunDescription, RunFolder
from ...envs.core.trajectory import Trajectory
from ..benchmarks import scoring_of
from ..costs import add_usage
from ..judge.rows import judged_rows
from ..provenance import caveat_of, model_of
from .episodes import Episode, Key, episode_of, rows_of
from .identities import identity_of, kwargs_of
from .labels import Identity, labels_of
from .strata import Stratum, kind_of, settings_of

Place = tuple[int, str]
"""The number of a run and the name of one of its agents."""
_ROUTER = "bizgym.agents.aoa."


@dataclass(slots=True)
class Entry:
    """One agent in one environment, over all runs that it plays there.

    Attributes:
        identity: What it is: its name and everything that may tell it from another of that name.
        asked: The episodes asked for.
        episodes: The valid records of them.
        paid: What models used in all records of them, superseded ones and judges included.
        models: The clients and models that played, `caveats` what a reader has to know of them.
        places: The runs that it comes from, under the name it has there.
        label: Its name in tables.
        counts_successes: Whether a score of 1 is a success, and one of 0 a failure, as far as is known.
    """

    identity: Identity
    asked: dict[Key, None] = field(default_factory=dict)
    episodes: dict[Key, Episode] = field(default_factory=dict)
    paid: dict[str, dict[str, float]] = field(default_factory=dict)
    models: set[str] = field(default_factory=set)
    caveats: set[str] = field(default_factory=set)
    places: list[Place] = field(default_factory=list)
    label: str = ""
    counts_successes: bool = True

    @property
    def tasks(self) -> list[str]:
        """The tasks asked for, each once."""
        return list(dict.fromkeys(task for task, _ in self.asked))

    @property
    def method(self) -> str:
        """Its label without what stands behind an @ in its name: `cot@qa` is the method `cot`."""
        name = self.identity.name
        return self.label.replace(name, name.partition("@")[0] or name, 1)

    @property
    def plays_with_model(self) -> bool:
        """Whether a model plays."""
        return bool(self.models - {model_of(None)})

    @property
    def is_oracle(self) -> bool:
        """Whether it is told the solutions."""
        return self.identity.target.rpartition(".")[2].startswith("Oracle")

    @property
    def is_router(self) -> bool:
        """Whether it chooses among other methods task by task, and so is no fixed one."""
        return self.identity.target.startswith(_ROUTER)


@dataclass(slots=True)
class Contest:
    """One environment with the settings of its game, and all agents that play it.

    Attributes:
        env_id: The environment, `settings` those of its settings that do not only choose tasks.
        units: Units of its numbers by name.
        entries: The agents, in the order of the runs.
        strata: The kind of each task.
        versions: (version of BizGym, hash of the task set) of every valid episode.
        title: The environment, with the settings that tell it from others of its kind.
        counts_successes: As in `Entry`.
    """

    env_id: str
    settings: Mapping[str, Any]
    units: Mapping[str, str]
    entries: list[Entry] = field(default_factory=list)
    strata: dict[str, Stratum] = field(default_factory=dict)
    versions: set[tuple[str, str]] = field(default_factory=set)
    title: str = ""
    counts_successes: bool = True

    @property
    def tasks(self) -> list[str]:
        """All tasks that an agent was asked to play."""
        return list(dict.fromkeys(task for entry in self.entries for task in entry.tasks))

    def lacks(self, entry: Entry) -> int:
        """Return how many of the contest's tasks an agent was not asked to play."""
        return len(self.tasks) - len(entry.tasks)


def gather(folders: Sequence[RunFolder]) -> list[Contest]:
    """Read runs and put their agents side by side, environment by environment.

    Raises:
        RecordError: A run cannot be read.
    """
    contests: dict[str, Contest] = {}
    descriptions = [folder.description() for folder in folders]
    names = [
        str(each.config.get("name") or folder.path.name) for folder, each in zip(folders, descriptions, strict=True)
    ]
    for number, (folder, description) in enumerate(zip(folders, descriptions, strict=True)):
        for env_id, kwargs, versions, tasks, entry in _entries(number, folder, description):
            settings = settings_of(kwargs)
            found = contests.setdefault(canonical([env_id, settings]), Contest(env_id, settings, units_of(env_id)))
            found.versions |= versions
            kinds = {task: kind_of(env_id, kwargs, task) for task in tasks if task not in found.strata}
            found.strata |= {task: stratum for task, (stratum, _) in kinds.items()}
            found.counts_successes &= all(may_be for _, may_be in kinds.values())
            _join(found.entries, entry)
    for contest in contests.values():
        labels = labels_of(
            [entry.identity for entry in contest.entries], [_runs(entry, names) for entry in contest.entries]
        )
        for entry, label in zip(contest.entries, labels, strict=True):
            entry.label, entry.counts_successes = label, contest.counts_successes
        contest.title = _title(contest, [each for each in contests.values() if each.env_id == contest.env_id])
    return list(contests.values())


def labels_by_place(contests: Iterable[Contest]) -> dict[Place, str]:
    """Return the label of each agent by the number of its run and its name there."""
    return {place: entry.label for contest in contests for entry in contest.entries for place in entry.places}


def units_of(env_id: str) -> Mapping[str, str]:
    """Return the units of a benchmark's numbers by name, where its scoring module states them."""
    try:
        units: Mapping[str, str] = getattr(scoring_of(env_id), "UNITS", {})
    except (BizGymError, ImportError):  # an environment from elsewhere that is not installed here
        return {}
    return units


def _title(contest: Contest, namesakes: Sequence[Contest]) -> str:
    own = {
        name: value
        for name, value in contest.settings.items()
        if any(other.settings.get(name) != value for other in namesakes)
    }
    return " ".join([contest.env_id, ", ".join(f"{name}={canonical(value)}" for name, value in own.items())]).strip()


def _runs(entry: Entry, names: Sequence[str]) -> str:
    """The runs of an entry by name, with their number where a name stands there twice."""
    numbers = list(dict.fromkeys(number for number, _ in entry.places))
    return ", ".join(names[k] if names.count(names[k]) == 1 else f"{names[k]}#{k + 1}" for k in numbers)


def _join(entries: list[Entry], entry: Entry) -> None:
    """Merge an entry into an equal one that plays other episodes, or put it behind the others."""
    for there in entries:
        if there.identity == entry.identity and not there.asked.keys() & entry.asked.keys():
            there.asked |= entry.asked
            there.episodes |= entry.episodes
            there.models |= entry.models
            there.caveats |= entry.caveats
            there.places += entry.places
            add_usage(there.paid, entry.paid)
            return
    entries.append(entry)


_Found = tuple[str, Mapping[str, Any], set[tuple[str, str]], list[str], Entry]


def _entries(number: int, folder: RunFolder, description: RunDescription) -> Iterator[_Found]:
    """Yield each agent of a run with its environment, the versions and the tasks that it plays."""
    rows: dict[str, list[tuple[Trajectory, bool]]] = {}
    wanted = {key for asked in description.asked for key in asked.rows()}
    for row, valid in rows_of(folder):
        if row.key in wanted:
            rows.setdefault(row.agent["name"], []).append((row, valid))
    judgements: dict[str, dict[str, dict[str, float]]] = {}
    for judgement in judged_rows(folder):
        if judgement.row in wanted:
            add_usage(judgements.setdefault(judgement.agent, {}), judgement.usage)
    for asked in description.asked:
        kwargs = kwargs_of(asked, description.config, rows)
        for name in asked.agents:
            played = rows.get(name, [])
            entry = Entry(
                identity_of(name, played[0][0] if played else None, description.config), places=[(number, name)]
            )
            entry.asked = {(task, trial): None for trial in range(asked.trials) for task in asked.tasks}
            add_usage(entry.paid, judgements.get(name, {}))
            yield asked.env_id, kwargs, _fill(entry, played), asked.tasks, entry


def _fill(entry: Entry, played: Iterable[tuple[Trajectory, bool]]) -> set[tuple[str, str]]:
    """Count the records of an agent; return the versions of the valid ones."""
    versions = set()
    for row, valid in played:
        add_usage(entry.paid, row.usage)
        if not valid:
            continue
        episode = episode_of(row)
        entry.episodes[episode.key] = episode
        entry.models.add(model_of(row.client))
        entry.caveats |= {caveat_of(row.client)} - {""}
        versions.add((row.version.get("bizgym", ""), row.version.get("task_set_hash", "")))
    return versions

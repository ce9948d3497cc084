"""Accuracy of answers by capability and band of difficulty, under both profiles, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..envs.core.errors import BizGymError, RecordError
from ..envs.core.run_folder import RunFolder
from ..envs.core.trajectory import Trajectory
from ..envs.qa.scoring import BANDS, CAPABILITIES, Item, given_in, label_share
from .aggregate import Counts
from .benchmarks import scoring_of, task_of
from .report_cells import (
    INTERVAL,
    NONE,
    OVER_TASKS,
    WILSON,
    Cell,
    Head,
    Table,
    aligned,
    count_cells,
    count_heads,
    interval_cell,
    interval_head,
    number_cell,
    spoken,
)
from .statistics import ci95_by_task, mean

EVERY = "all"
"""Stands for all capabilities, and for all bands."""
UNKNOWN = "not known here"
"""The capability of a question that is not there to be looked up, such as one of a set that was not imported."""
PROFILES: Mapping[str, str] = {"paper": "correct_paper", "strict": "correct_strict"}
"""The metric of a record by profile."""
Place = tuple[str, str]
"""A capability and a band."""


@dataclass(slots=True)
class Accuracy:
    """The answers of one agent to the questions of one capability and band.

    Several trials of a question count as so many answers; the intervals then rest on the questions.

    Attributes:
        agent: Its name.
        env_id: The environment.
        capability: What the questions ask for, `EVERY` for all of them.
        band: How hard they are, `EVERY` for all of them.
        counts: What the rates rest on.
        right: By profile and question, whether each answer is right, 1 or 0.
        shares: Of each answer that is a list of labels, the share of places that are right.
    """

    agent: str
    env_id: str
    capability: str
    band: str
    counts: Counts = field(default_factory=Counts)
    right: dict[str, dict[str, list[float]]] = field(default_factory=lambda: {name: {} for name in PROFILES})
    shares: list[float] = field(default_factory=list)

    @property
    def scored(self) -> int:
        """Number of answers with a verdict."""
        return self.counts.attempted - self.counts.errored - self.counts.unscored

    def rate(self, profile: str) -> float | None:
        """Return the share of scored answers that are right, None where none is scored."""
        return sum(map(sum, self.right[profile].values())) / self.scored if self.scored else None

    def ci95(self, profile: str) -> tuple[float, float] | None:
        """Return the 95 % interval of the rate by `statistics.ci95_by_task`, None where there is none."""
        return ci95_by_task(self.right[profile].values(), is_rate=True)

    @property
    def label_share(self) -> float | None:
        """Mean share of places that are right over answers that are labels, None where there are none."""
        return mean(self.shares) if self.shares else None

    def add(self, row: Trajectory, share: float | None) -> None:
        """Count one record; `share` is that of its labels, None where it gives none."""
        self.counts.attempted += 1
        metrics = row.metrics or {}
        if not row.stop_reason.scored:
            self.counts.errored += 1
        elif row.reward is None or not all(name in metrics for name in PROFILES.values()):
            self.counts.unscored += 1
        else:
            for profile, name in PROFILES.items():
                self.right[profile].setdefault(row.task_id, []).append(float(metrics[name] == 1.0))
            self.shares += [] if share is None else [share]

    def to_json(self) -> dict[str, Any]:
        """Return the place, the rates of both profiles with their intervals, the label share, and the four counts."""
        rates = {
            name: value
            for profile in PROFILES
            for name, value in ((profile, self.rate(profile)), (f"{profile}_ci95", _listed(self.ci95(profile))))
        }
        place = {"agent": self.agent, "env": self.env_id, "capability": self.capability, "band": self.band}
        return {**place, **rates, "label_share": self.label_share, **self.counts.as_dict()}


def of_run(folder: RunFolder) -> list[Accuracy]:
    """Return the accuracy of each agent of a run by capability and band, with the sums over bands and over all.

    Empty where the run's environments ask no questions. What is recorded counts: nothing is graded anew but the
    shares of labels, which records do not hold.

    Raises:
        RecordError: The run cannot be read.
    """
    found: dict[tuple[str, str], dict[Place, Accuracy]] = {}
    items: dict[tuple[str, str], Item | None] = {}
    wanted = set()
    for asked in folder.description().asked:
        if not _asks_questions(asked.env_id):
            continue
        items |= {(asked.env_id, task_id): _item(asked.env_id, task_id) for task_id in asked.tasks}
        wanted |= set(asked.rows())
        for env_id, agent, task_id, _ in asked.rows():
            cells = found.setdefault((env_id, agent), {})
            for place in _places(items[env_id, task_id]):
                cell = cells.setdefault(place, Accuracy(agent, env_id, *place))
                cell.counts.n += 1
    if not found:
        return []
    labelled = any(item is not None and item.answer.kind == "labels" for item in items.values())
    for row in folder.episodes(with_steps=labelled):
        if row.key in wanted:
            item = items[row.env_id, row.task_id]
            share = _share(item, row)
            for place in _places(item):
                found[row.env_id, row.agent["name"]][place].add(row, share)
    return [cells[place] for cells in found.values() for place in sorted(cells, key=_order)]


def accuracy_table(rows: Sequence[Accuracy]) -> Table | None:
    """Return the table of every rate with what it rests on, None where there is nothing to show."""
    if not rows:
        return None
    method = OVER_TASKS if any(len(each) > 1 for row in rows for each in row.right["paper"].values()) else WILSON
    heads = [
        *(Head(name, numeric=False) for name in ("agent", "capability", "band")),
        Head("paper", "share", "right within the tolerance of the question; of scored answers"),
        interval_head("the rate under paper", method, "share"),
        Head("strict", "share", "right after rounding to the stored decimals, in the unit and scale asked for"),
        interval_head("the rate under strict", method, "share", "interval under strict"),
        Head("label share", "share", "places right, of answers that are lists of labels"),
        *count_heads("answers"),
    ]
    cells = [
        [
            *(Cell(text) for text in (row.agent, spoken(row.capability), row.band)),
            number_cell(row.rate("paper")),
            interval_cell(row.ci95("paper")),
            number_cell(row.rate("strict")),
            interval_cell(row.ci95("strict")),
            number_cell(row.label_share),
            *count_cells(row.counts),
        ]
        for row in rows
    ]
    return aligned(heads, cells, but=(INTERVAL, "interval under strict"))


def paper_table(rows: Sequence[Accuracy], profile: str = "paper") -> Table | None:
    """Return one line an agent, the best first: accuracy in % by capability and band as EnterpriseBench prints it.

    None where there is nothing to show. A rate that rests on a part of its questions says on how many.

    Args:
        rows: The rows of one environment.
        profile: `paper` or `strict`.
    """
    by_agent: dict[str, dict[Place, Accuracy]] = {}
    for row in rows:
        by_agent.setdefault(row.agent, {})[row.capability, row.band] = row
    if not by_agent:
        return None
    places = sorted({(row.capability, row.band) for row in rows}, key=_order)
    heads = [Head("agent", numeric=False), *(Head(_column(place), "%") for place in places)]
    rates = {
        name: every.rate(profile) if (every := cells.get((EVERY, EVERY))) else None for name, cells in by_agent.items()
    }
    agents = sorted(by_agent, key=lambda name: (-(rates[name] or 0.0), name))
    cells = [[Cell(name), *(_percent(by_agent[name].get(place), profile) for place in places)] for name in agents]
    return Table(heads, cells)


def _percent(row: Accuracy | None, profile: str) -> Cell:
    rate = None if row is None else row.rate(profile)
    if row is None or rate is None:
        return Cell(NONE)
    flag = "" if row.counts.complete else f"{row.scored}/{row.counts.n}"
    return Cell(f"{100 * rate:.1f}", 100 * rate, flag)


def _column(place: Place) -> str:
    capability, band = place
    if place == (EVERY, EVERY):
        return "all"
    return spoken(capability) if band == EVERY else f"{spoken(capability)}, {band}"


def _order(place: Place) -> tuple[int, int]:
    """Sort key: capabilities in the order of the benchmark, bands from easy to hard, sums behind their parts."""
    capabilities: Sequence[str] = (*CAPABILITIES, UNKNOWN, EVERY)
    return capabilities.index(place[0]), (*BANDS, EVERY).index(place[1])


def _places(item: Item | None) -> Iterator[Place]:
    if item is None:
        yield UNKNOWN, EVERY
    else:
        yield item.capability, item.band
        yield item.capability, EVERY
    yield EVERY, EVERY


def _asks_questions(env_id: str) -> bool:
    """Whether the answers of an environment are graded as Enterprise QA grades them."""
    try:
        return hasattr(scoring_of(env_id), "given_in")
    except RecordError:  # an environment from elsewhere that is not installed here
        return False


def _item(env_id: str, task_id: str) -> Item | None:
    try:
        item: Item = task_of(env_id, {}, task_id, 0).item  # no question depends on settings or seed
    except RecordError:
        return None
    return item


def _share(item: Item | None, row: Trajectory) -> float | None:
    """Return the share of labels that a record has right, 0.0 where it gives none; None for other questions."""
    if item is None or item.answer.kind != "labels" or row.reward is None:
        return None
    try:
        given = given_in(item, row)
    except BizGymError:  # the record was not written by this version
        return None
    return 0.0 if given is None else label_share(given.reply, item.answer)


def _listed(interval: Iterable[float] | None) -> list[float] | None:
    return None if interval is None else list(interval)

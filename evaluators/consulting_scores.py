"""The four dimensions of case interviews and their mean, by archetype and difficulty, each with what it rests on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..envs.core.errors import RecordError
from ..envs.core.run_folder import RunFolder
from ..envs.core.trajectory import Trajectory
from .aggregate import Counts
from .benchmarks import scoring_of, task_of
from .report_cells import (
    NONE,
    OVER_TASKS,
    STUDENT,
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
"""Stands for all archetypes, and for all difficulties."""
UNKNOWN = "not known here"
"""The archetype of a case that is not there to be looked up."""
DIFFICULTIES = ("easy", "middle", "hard")
OVERALL = "overall_mean"
DIMENSIONS = ("structure", "quantitative", "business_sense", "communication")
SCORES = (*DIMENSIONS, OVERALL)
Place = tuple[str, str]
"""An archetype and a difficulty."""


@dataclass(slots=True)
class InterviewScores:
    """The interviews of one agent in cases of one archetype and difficulty.

    Several trials of a case count as so many interviews; the intervals then rest on the cases.

    Attributes:
        agent: Its name.
        env_id: The environment.
        archetype: Kind of case, `EVERY` for all of them.
        difficulty: `EVERY` for all of them.
        counts: What the means rest on.
        scores: Points by name and case, 0 to 10, one a scored interview.
    """

    agent: str
    env_id: str
    archetype: str
    difficulty: str
    counts: Counts = field(default_factory=Counts)
    scores: dict[str, dict[str, list[float]]] = field(default_factory=lambda: {name: {} for name in SCORES})

    def mean(self, name: str) -> float | None:
        """Return the mean points of a dimension, or of `overall_mean`; None where no interview is scored."""
        points = [each for of_case in self.scores[name].values() for each in of_case]
        return mean(points) if points else None

    def ci95(self, name: str) -> tuple[float, float] | None:
        """Return the 95 % interval of the mean by `statistics.ci95_by_task`, None where there is none."""
        return ci95_by_task(self.scores[name].values(), is_rate=False)

    def add(self, row: Trajectory) -> None:
        """Count one record."""
        self.counts.attempted += 1
        metrics = row.metrics or {}
        if not row.stop_reason.scored:
            self.counts.errored += 1
        elif row.reward is None or not all(name in metrics for name in SCORES):
            self.counts.unscored += 1
        else:
            for name in SCORES:
                self.scores[name].setdefault(row.task_id, []).append(metrics[name])

    def to_json(self) -> dict[str, Any]:
        """Return the place, the means, the interval of each, and the four counts."""
        place = {"agent": self.agent, "env": self.env_id, "archetype": self.archetype, "difficulty": self.difficulty}
        means = {name: self.mean(name) for name in (OVERALL, *DIMENSIONS)}
        intervals = {name: None if (ends := self.ci95(name)) is None else list(ends) for name in (OVERALL, *DIMENSIONS)}
        by_dimension = {f"{name}_ci95": intervals[name] for name in DIMENSIONS}
        return {**place, **means, "ci95": intervals[OVERALL], **by_dimension, **self.counts.as_dict()}


def of_run(folder: RunFolder) -> list[InterviewScores]:
    """Return the scores of each agent of a run by archetype and difficulty, with both sums and the sum over all.

    Empty where the run holds no interviews. What is recorded counts: nothing is scored anew.

    Raises:
        RecordError: The run cannot be read.
    """
    found: dict[tuple[str, str], dict[Place, InterviewScores]] = {}
    places: dict[tuple[str, str], list[Place]] = {}
    wanted = set()
    for asked in folder.description().asked:
        if not is_interview(asked.env_id):
            continue
        places |= {(asked.env_id, task_id): list(_places(asked.env_id, task_id)) for task_id in asked.tasks}
        wanted |= set(asked.rows())
        for env_id, agent, task_id, _ in asked.rows():
            cells = found.setdefault((env_id, agent), {})
            for place in places[env_id, task_id]:
                cells.setdefault(place, InterviewScores(agent, env_id, *place)).counts.n += 1
    if not found:
        return []
    for row in folder.episodes(with_steps=False):
        if row.key in wanted:
            for place in places[row.env_id, row.task_id]:
                found[row.env_id, row.agent["name"]][place].add(row)
    return [cells[place] for cells in found.values() for place in sorted(cells, key=_order)]


def scores_table(rows: Sequence[InterviewScores]) -> Table | None:
    """Return the table of every mean with its interval and what it rests on, None where there is nothing to show."""
    if not rows:
        return None
    method = OVER_TASKS if any(len(each) > 1 for row in rows for each in row.scores[OVERALL].values()) else STUDENT
    heads = [
        *(Head(name, numeric=False) for name in ("agent", "archetype", "difficulty")),
        Head("overall mean", "points", "mean of the four dimensions, 0 to 10; of scored interviews"),
        interval_head("the overall mean", method, "points"),
        *(
            head
            for name in DIMENSIONS
            for head in (
                Head(spoken(name), "points", "0 to 10; of scored interviews"),
                interval_head(f"the mean of {spoken(name)}", method, "points", f"interval of {spoken(name)}"),
            )
        ),
        *count_heads("interviews"),
    ]
    cells = [
        [
            *(Cell(text) for text in (row.agent, spoken(row.archetype), row.difficulty)),
            *(
                cell
                for name in (OVERALL, *DIMENSIONS)
                for cell in (number_cell(row.mean(name)), interval_cell(row.ci95(name)))
            ),
            *count_cells(row.counts),
        ]
        for row in rows
    ]
    return aligned(heads, cells, but=[head.name for head in heads if "interval" in head.name])


def difficulty_table(rows: Sequence[InterviewScores]) -> Table | None:
    """Return one line an agent, the best first: the overall mean by difficulty, and the dimensions over all cases.

    None where there is nothing to show. A mean that rests on a part of its interviews says on how many.
    """
    by_agent: dict[str, dict[Place, InterviewScores]] = {}
    for row in rows:
        by_agent.setdefault(row.agent, {})[row.archetype, row.difficulty] = row
    if not by_agent:
        return None
    levels = [level for level in DIFFICULTIES if any((EVERY, level) in cells for cells in by_agent.values())]
    heads = [
        Head("agent", numeric=False),
        Head("overall mean", "points", "over all interviews"),
        *(Head(level, "points", f"overall mean in {level} cases") for level in levels),
        *(Head(spoken(name), "points", "over all interviews") for name in DIMENSIONS),
    ]

    def order(agent: str) -> tuple[float, str]:
        overall = by_agent[agent][EVERY, EVERY].mean(OVERALL)
        return (0.0 if overall is None else -overall), agent

    cells = [
        [
            Cell(agent),
            *(_points(by_agent[agent].get((EVERY, level)), OVERALL) for level in (EVERY, *levels)),
            *(_points(by_agent[agent].get((EVERY, EVERY)), name) for name in DIMENSIONS),
        ]
        for agent in sorted(by_agent, key=order)
    ]
    return Table(heads, cells)


def is_interview(env_id: str) -> bool:
    """Whether the episodes of an environment are case interviews."""
    try:
        return hasattr(scoring_of(env_id), "is_baseless")
    except RecordError:  # an environment from elsewhere that is not installed here
        return False


def _points(row: InterviewScores | None, name: str) -> Cell:
    value = None if row is None else row.mean(name)
    if row is None or value is None:
        return Cell(NONE)
    flag = "" if row.counts.complete else f"{sum(map(len, row.scores[name].values()))}/{row.counts.n}"
    return Cell(f"{value:.2f}", value, flag)


def _order(place: Place) -> tuple[bool, bool, str, int]:
    """Sort key: archetypes by name, difficulties from easy to hard, sums behind their parts."""
    archetype, difficulty = place
    return archetype == EVERY, archetype == UNKNOWN, archetype, (*DIFFICULTIES, EVERY).index(difficulty)


def _places(env_id: str, task_id: str) -> Iterator[Place]:
    try:
        case: Any = task_of(env_id, {}, task_id, 0).case  # no case depends on settings or seed
    except RecordError:
        yield UNKNOWN, EVERY
    else:
        yield case.archetype, case.difficulty
        yield case.archetype, EVERY
        yield EVERY, case.difficulty
    yield EVERY, EVERY

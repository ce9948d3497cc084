"""What the judgements of a run come to: means by agent and judge, beside the verifiable score of the interviews."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...envs.core.jsontext import canonical
from ...envs.core.run_folder import RunFolder
from ..aggregate import Counts
from ..costs import add_usage, cost_of, tokens_of
from ..report_cells import (
    INTERVAL,
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
from ..statistics import ci95_by_task, mean
from .rows import JudgedRow, judged_rows
from .verdict import DIMENSIONS

OVERALL, HOLISTIC = "overall_mean", "overall_holistic"
SCORES = (*DIMENSIONS, OVERALL, HOLISTIC)


@dataclass(slots=True)
class JudgeStanding:
    """What one judge says of one agent.

    Attributes:
        judge: The judge's model and prompt.
        agent: The agent's name.
        env_id: The environment.
        counts: What the means rest on.
        scores: Scores by name, one a scored interview.
        by_case: The overall mean by case, one a scored interview.
        differences: Judge's less verifiable `overall_mean`, one a scored interview that has both.
        usage: What the judge used, judgements that were made again included.
    """

    judge: str
    agent: str
    env_id: str
    counts: Counts = field(default_factory=Counts)
    scores: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in SCORES})
    by_case: dict[str, list[float]] = field(default_factory=dict)
    differences: list[float] = field(default_factory=list)
    usage: dict[str, dict[str, float]] = field(default_factory=dict)

    def add(self, row: JudgedRow, verifiable: float | None) -> None:
        """Count the judgement that stands for an interview."""
        self.counts.attempted += 1
        if row.scores is None:
            self.counts.unscored += row.final
            self.counts.errored += not row.final
            return
        for name in SCORES:
            self.scores[name].append(row.scores[name])
        self.by_case.setdefault(row.row[2], []).append(row.scores[OVERALL])
        if verifiable is not None:
            self.differences.append(row.scores[OVERALL] - verifiable)

    def mean(self, name: str) -> float | None:
        """Return the mean of a score over scored interviews, None where there is none."""
        return mean(self.scores[name]) if self.scores[name] else None

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The 95 % interval of the overall mean, over cases where a case has several interviews."""
        return ci95_by_task(self.by_case.values(), is_rate=False)

    @property
    def bias(self) -> float | None:
        """Mean of judge's less verifiable `overall_mean`."""
        return mean(self.differences) if self.differences else None

    @property
    def mae(self) -> float | None:
        """Mean absolute difference between the judge's `overall_mean` and the verifiable one."""
        return mean([abs(each) for each in self.differences]) if self.differences else None

    def to_json(self) -> dict[str, Any]:
        """Return means, the interval of the overall mean, the comparison, the four counts, tokens and cost."""
        interval = self.ci95
        means = {name: self.mean(name) for name in SCORES}
        compared = {"less_verifiable": self.bias, "mae_verifiable": self.mae}
        spent = {"tokens": tokens_of(self.usage), "cost": cost_of(self.usage).value}
        head = {"judge": self.judge, "agent": self.agent, "env": self.env_id}
        ci95 = None if interval is None else list(interval)
        return {**head, **means, "ci95": ci95, **compared, **self.counts.as_dict(), **spent}


def of_run(folder: RunFolder) -> list[JudgeStanding]:
    """Return what every judge of a run says of every agent, in the order of judging; empty where none has judged.

    Raises:
        RecordError: The run or its judgements cannot be read.
    """
    rows = list(judged_rows(folder))
    if not rows:
        return []
    labels = _labels([row.judge for row in rows])
    asked = {key for each in folder.description().asked for key in each.rows()}
    verifiable = {
        row.key: (row.metrics or {}).get(OVERALL) for row in folder.episodes(with_steps=False) if row.key in asked
    }
    found: dict[tuple[str, str, str], JudgeStanding] = {}
    newest: dict[tuple[str, Any], JudgedRow] = {}
    for row in rows:
        if row.row not in asked:
            continue
        label = labels[canonical(row.judge)]
        place = (label, row.agent, row.env_id)
        standing = found.setdefault(place, JudgeStanding(label, row.agent, row.env_id))
        add_usage(standing.usage, row.usage)
        newest[label, row.row] = row
    for standing in found.values():
        standing.counts.n = sum(key[:2] == (standing.env_id, standing.agent) for key in asked)
    for (label, key), row in newest.items():
        found[label, row.agent, row.env_id].add(row, verifiable.get(key))
    return list(found.values())


def _labels(judges: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Return a name for each judge by its settings: model and prompt, with a digest where those are not enough."""
    known = {canonical(each): each for each in judges}
    short = {text: _label(each) for text, each in known.items()}
    twice = {label for label in short.values() if list(short.values()).count(label) > 1}
    return {
        text: f"{label} #{number}" if label in twice else label for number, (text, label) in enumerate(short.items(), 1)
    }


def _label(judge: Mapping[str, Any]) -> str:
    client = judge.get("client") or {}
    prompt = str(judge.get("prompt", "")).removesuffix(".md").removeprefix("judge_")
    return f"{client.get('model') or client.get('name') or 'a model'}, {prompt}"


def judge_table(rows: Sequence[JudgeStanding]) -> Table | None:
    """Return the table of a report, None where no judge has judged."""
    if not rows:
        return None
    method = OVER_TASKS if any(len(each) > 1 for row in rows for each in row.by_case.values()) else STUDENT
    heads = [
        Head("agent", numeric=False),
        Head("judge", numeric=False),
        *(Head(spoken(name), "points", "mean over interviews with a verdict") for name in SCORES),
        interval_head("the overall mean", method, "points"),
        Head("less verifiable", "points", "overall mean of the judge less the verifiable one, averaged"),
        Head("MAE", "points", "mean absolute difference between the two"),
        *count_heads(
            "interviews",
            attempted="interviews judged",
            errored="judgements that the judge's provider failed",
            unscored="interviews of which the judge gave no readable verdict",
        ),
        Head("cost", "", "of the judge, in $"),
    ]
    cells = [
        [
            Cell(row.agent),
            Cell(row.judge),
            *(number_cell(row.mean(name)) for name in SCORES),
            interval_cell(row.ci95),
            number_cell(row.bias),
            number_cell(row.mae),
            *count_cells(row.counts),
            Cell(cost_of(row.usage).text),
        ]
        for row in rows
    ]
    return aligned(heads, cells, but=(INTERVAL, "cost"))

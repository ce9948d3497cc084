"""Earnings by scenario: means with their intervals, and the regret against the best plan that is known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..envs.core.errors import RecordError
from ..envs.core.run_folder import RunFolder
from ..envs.core.tasks import Anchors
from .benchmarks import scoring_of, task_of
from .report_cells import NONE, STUDENT, Cell, Head, Table, aligned, interval_cell, interval_head, number_cell
from .statistics import mean, mean_ci95

METRIC = "earnings"
Scores = Mapping[str, Sequence[float]]
"""Scores of one agent in $, by task, one an episode."""


@dataclass(frozen=True, slots=True)
class ScenarioEarnings:
    """What one agent earned in one scenario.

    Attributes:
        agent: Its name.
        task_id: The scenario.
        scores: Earnings of each scored episode in $, at least one.
        anchors: The scenario's scale, None where none is known.
    """

    agent: str
    task_id: str
    scores: Sequence[float]
    anchors: Anchors | None

    @property
    def mean(self) -> float:
        """Mean earnings in $."""
        return mean(self.scores)

    @property
    def regret(self) -> float | None:
        """Mean of ceiling - score in $, None where no ceiling is known; lucky episodes can make it negative."""
        return None if self.anchors is None else self.anchors.ceiling - self.mean

    @property
    def regret_share(self) -> float | None:
        """Regret as a share of ceiling - floor, None where the two are too close to scale by."""
        normalized = None if self.anchors is None else self.anchors.normalized(self.mean)
        return None if normalized is None else 1.0 - normalized  # both are means, and normalized is linear in the score

    def to_json(self) -> dict[str, Any]:
        """Return `{agent, task_id, n, mean, ci95, ceiling, proof, regret, regret_share}`, None where undefined."""
        interval, anchors = mean_ci95(self.scores), self.anchors
        return {
            "agent": self.agent,
            "task_id": self.task_id,
            "n": len(self.scores),
            "mean": self.mean,
            "ci95": None if interval is None else list(interval),
            "ceiling": None if anchors is None else anchors.ceiling,
            "proof": None if anchors is None else anchors.proof,
            "regret": self.regret,
            "regret_share": self.regret_share,
        }


def of_run(folder: RunFolder) -> list[ScenarioEarnings]:
    """Return what each agent of a run earned in its scored episodes, by scenario, the best mean of each first.

    Empty where the run's environments do not score by earnings.

    Raises:
        RecordError: The run cannot be read.
    """
    asked = folder.description().asked
    wanted = {key for each in asked for key in each.rows()}
    scores: dict[tuple[str, str], dict[str, list[float]]] = {}
    settings: dict[tuple[str, str], Mapping[str, Any]] = {}
    for row in folder.episodes(with_steps=False):
        if row.key in wanted and row.reward is not None and row.stop_reason.scored:
            player = (row.env_id, row.agent["name"])
            settings.setdefault(player, row.env_kwargs)
            scores.setdefault(player, {}).setdefault(row.task_id, []).append(row.reward)
    found = []
    for each in asked:
        played = [agent for agent in each.agents if (each.env_id, agent) in scores]
        by_agent = {agent: scores[each.env_id, agent] for agent in played}
        if played:  # what is asked for together shares its settings
            found += of_group(each.env_id, settings[each.env_id, played[0]], by_agent, each.tasks)
    return found


def of_group(
    env_id: str, env_kwargs: Mapping[str, Any], by_agent: Mapping[str, Scores], tasks: Iterable[str]
) -> list[ScenarioEarnings]:
    """Return what agents earned in one environment, by scenario, the best mean of each first.

    Empty where the environment does not score by earnings.

    Args:
        env_id: The environment.
        env_kwargs: Its settings, from which the scenarios' anchors follow.
        by_agent: Scores by agent and task.
        tasks: The tasks in the order wanted.
    """
    if not _scores_earnings(env_id):
        return []
    found = []
    for task_id in tasks:
        players = [agent for agent, scores in by_agent.items() if scores.get(task_id)]
        players.sort(key=lambda agent: -mean(by_agent[agent][task_id]))
        anchors = _anchors(env_id, env_kwargs, task_id) if players else None
        found += [ScenarioEarnings(agent, task_id, by_agent[agent][task_id], anchors) for agent in players]
    return found


def earnings_table(rows: Sequence[ScenarioEarnings]) -> Table | None:
    """Return the table of a report, None where there is nothing to show."""
    if not rows:
        return None
    heads = [
        Head("agent", numeric=False),
        Head("scenario", numeric=False),
        Head("n", "", "scored episodes"),
        Head("mean earnings", "$"),
        interval_head("the mean", STUDENT, "$"),
        Head("ceiling", "$", "earnings of the best plan known"),
        Head("proof", "", "whether no plan can earn more than the ceiling, or none is known that does", numeric=False),
        Head("regret", "$", "mean of ceiling - earnings"),
        Head("regret share", "", "regret / (ceiling - floor); the floor hires nobody and declines everything"),
    ]
    cells = [
        [
            Cell(row.agent),
            Cell(row.task_id),
            number_cell(len(row.scores)),
            number_cell(row.mean),
            interval_cell(mean_ci95(row.scores)),
            number_cell(None if row.anchors is None else row.anchors.ceiling),
            Cell(NONE if row.anchors is None else row.anchors.proof.replace("_", " ")),
            number_cell(row.regret),
            number_cell(row.regret_share),
        ]
        for row in rows
    ]
    return aligned(heads, cells, but=("95 % interval",))


def _scores_earnings(env_id: str) -> bool:
    """Whether the reward of an environment is what a firm earned."""
    try:
        return METRIC in getattr(scoring_of(env_id), "COMPONENTS", ())
    except RecordError:  # an environment from elsewhere that is not installed here
        return False


def _anchors(env_id: str, env_kwargs: Mapping[str, Any], task_id: str) -> Anchors | None:
    """Return the scale of a recorded task, None where none is known here."""
    try:
        anchors: Anchors | None = task_of(env_id, env_kwargs, task_id, 0).anchors
    except RecordError:
        return None
    return anchors

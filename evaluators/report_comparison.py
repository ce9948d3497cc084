"""The comparison of agents as a page shows it: leaderboard, scatter, paired comparisons, the papers' tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from markupsafe import Markup

from ..envs.core.run_folder import RunFolder
from .comparison.board import score_table, strata_table, use_table
from .comparison.board_rows import differences
from .comparison.contests import Contest
from .comparison.paired import against_best, best_fixed, matrix
from .comparison.scatter import points_of, scatter_plot
from .comparison.versus import fixed_note, paired_table, pairs_json
from .paper_tables import PAPERS, paper_tables
from .routing import routing_notes, routing_rows, routing_table

PAIRED_AGENTS = 40
"""More agents than these in one environment are not compared two by two on the page."""


def shown_contests(contests: Sequence[Contest]) -> list[Contest]:
    """Return the environments in which there is something to compare, or a model to account for."""
    return [
        contest
        for contest in contests
        if len(contest.entries) > 1 or any(entry.plays_with_model for entry in contest.entries)
    ]


def comparison_parts(
    contests: Sequence[Contest], folders: Sequence[RunFolder], *, partial: bool
) -> list[dict[str, Any]]:
    """Return what the template needs, environment by environment."""
    found = []
    for contest in shown_contests(contests):
        routed = routing_rows(folders, [contest])
        routing = {"routing": routing_table(routed), "routing_notes": routing_notes(routed)}
        found.append({**_parts(contest, partial), **routing})
    return found


def paper_parts(contests: Sequence[Contest]) -> list[dict[str, Any]]:
    """Return the papers' tables, `{title, table, note}` each, where several agents play their environments."""
    several = [contest for contest in contests if len(contest.entries) > 1]
    return [
        {"title": found.title, "table": found.table, "note": f"Bold {found.note}"}
        for paper in PAPERS
        for found in paper_tables(several, paper)
    ]


def pairs_index(contests: Sequence[Contest]) -> list[dict[str, Any]]:
    """Return each two agents compared, environment by environment, for the page's script."""
    return [
        {
            "title": contest.title,
            "unit": contest.units.get("reward", ""),
            "agents": [entry.label for entry in contest.entries],
            "pairs": pairs_json(matrix(contest)) if _can_pair(contest) else [],
        }
        for contest in shown_contests(contests)
    ]


def _can_pair(contest: Contest) -> bool:
    return 1 < len(contest.entries) <= PAIRED_AGENTS


def _parts(contest: Contest, partial: bool) -> dict[str, Any]:
    best = best_fixed(contest)
    unit = contest.units.get("reward", "")
    plot = scatter_plot(contest, partial=partial)
    _, points = points_of(contest, partial=partial)
    return {
        "title": contest.title,
        "scores": score_table(contest, partial=partial),
        "strata": strata_table(contest),
        "use": use_table(contest),
        "scatter": None if plot is None else Markup(plot),
        "not_plotted": len(contest.entries) - len(points),
        "best": None if best is None else best.label,
        "best_note": fixed_note(contest),
        "against_best": paired_table(against_best(contest), unit),
        "picker": _can_pair(contest),
        "notes": list(differences(contest)),
    }
